// tscatter on A5 as a module of the PTO assembler, from the spec
// a5:tscatter src=f32[16x16] idx=i32[16x16] dst=f32[1x256]
// Assembled, with its waits: ptoas --pto-arch=a5 --enable-insert-sync tscatter_f32.pto -o tscatter_f32.cpp
// Launched: tscatter_f32<<<1, nullptr, stream>>>(src, idx, dst)
module attributes {pto.target_arch = "a5"} {
  func.func @tscatter_f32(%src: !pto.ptr<f32>, %idx: !pto.ptr<i32>, %dst: !pto.ptr<f32>)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c256 = arith.constant 256 : index

    %src_view = pto.make_tensor_view %src, shape = [%c16, %c16], strides = [%c16, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c16, %c16]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>
    %src_tile = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
    pto.tload ins(%src_part : !pto.partition_tensor_view<16x16xf32>)
        outs(%src_tile : !pto.tile_buf<vec, 16x16xf32>)

    %idx_view = pto.make_tensor_view %idx, shape = [%c16, %c16], strides = [%c16, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xi32>
    %idx_part = pto.partition_view %idx_view, offsets = [%c0, %c0], sizes = [%c16, %c16]
        : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<16x16xi32>
    %idx_tile = pto.alloc_tile : !pto.tile_buf<vec, 16x16xi32>
    pto.tload ins(%idx_part : !pto.partition_tensor_view<16x16xi32>)
        outs(%idx_tile : !pto.tile_buf<vec, 16x16xi32>)

    %dst_view = pto.make_tensor_view %dst, shape = [%c1, %c256], strides = [%c256, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %dst_part = pto.partition_view %dst_view, offsets = [%c0, %c0], sizes = [%c1, %c256]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x256xf32>
    %dst_tile = pto.alloc_tile valid_row = %c1 : !pto.tile_buf<loc=vec, dtype=f32, rows=1, cols=256, v_row=?, v_col=256, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tscatter ins(%src_tile, %idx_tile : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xi32>)
        outs(%dst_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=1, cols=256, v_row=?, v_col=256, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    pto.tstore ins(%dst_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=1, cols=256, v_row=?, v_col=256, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
        outs(%dst_part : !pto.partition_tensor_view<?x256xf32>)
    return
  }
}
