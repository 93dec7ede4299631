// tscatter.p0001 on A5 as a module of the PTO assembler, from the spec
// a5:tscatter.p0001 src=f32[8x16|7x16] dst=f32[8x64|7x64]
// Assembled, with its waits: ptoas --pto-arch=a5 --enable-insert-sync tscatter_p0001_f32.pto -o tscatter_p0001_f32.cpp
// Launched: tscatter_p0001_f32<<<1, nullptr, stream>>>(src, dst)
module attributes {pto.target_arch = "a5"} {
  func.func @tscatter_p0001_f32(%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index

    %src_view = pto.make_tensor_view %src, shape = [%c8, %c16], strides = [%c16, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c7, %c16]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<7x16xf32>
    %src_tile = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=16, v_row=7, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tload ins(%src_part : !pto.partition_tensor_view<7x16xf32>)
        outs(%src_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=16, v_row=7, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    %dst_view = pto.make_tensor_view %dst, shape = [%c8, %c64], strides = [%c64, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %dst_part = pto.partition_view %dst_view, offsets = [%c0, %c0], sizes = [%c8, %c64]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<8x64xf32>
    %dst_tile = pto.alloc_tile valid_row = %c7 valid_col = %c64 : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=64, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tscatter ins(%src_tile, {maskPattern = #pto.mask_pattern<P0001>} : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=16, v_row=7, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>, "row")
        outs(%dst_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=64, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    pto.set_validshape %dst_tile, %c8, %c64 : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=64, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tstore ins(%dst_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=64, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
        outs(%dst_part : !pto.partition_tensor_view<8x64xf32>)
    return
  }
}
