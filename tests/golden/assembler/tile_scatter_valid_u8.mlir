// tscatter on A2/A3 as a module of the PTO assembler, from the spec
// a2a3:tscatter src=u8[4x32|3x17] idx=u16[4x32|3x17] dst=u8[4x64|2x9]
// Assembled, with its waits: ptoas --pto-arch=a3 --enable-insert-sync tscatter_u8.pto -o tscatter_u8.cpp
// Launched: tscatter_u8<<<1, nullptr, stream>>>(src, idx, dst)
module attributes {pto.target_arch = "a3"} {
  func.func @tscatter_u8(%src: !pto.ptr<ui8>, %idx: !pto.ptr<ui16>, %dst: !pto.ptr<ui8>)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c17 = arith.constant 17 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index

    %src_view = pto.make_tensor_view %src, shape = [%c4, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui8>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c3, %c17]
        : !pto.tensor_view<?x?xui8> -> !pto.partition_tensor_view<3x17xui8>
    %src_tile = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=ui8, rows=4, cols=32, v_row=3, v_col=17, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tload ins(%src_part : !pto.partition_tensor_view<3x17xui8>)
        outs(%src_tile : !pto.tile_buf<loc=vec, dtype=ui8, rows=4, cols=32, v_row=3, v_col=17, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    %idx_view = pto.make_tensor_view %idx, shape = [%c4, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui16>
    %idx_part = pto.partition_view %idx_view, offsets = [%c0, %c0], sizes = [%c3, %c17]
        : !pto.tensor_view<?x?xui16> -> !pto.partition_tensor_view<3x17xui16>
    %idx_tile = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=ui16, rows=4, cols=32, v_row=3, v_col=17, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tload ins(%idx_part : !pto.partition_tensor_view<3x17xui16>)
        outs(%idx_tile : !pto.tile_buf<loc=vec, dtype=ui16, rows=4, cols=32, v_row=3, v_col=17, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    %dst_view = pto.make_tensor_view %dst, shape = [%c4, %c64], strides = [%c64, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui8>
    %dst_part = pto.partition_view %dst_view, offsets = [%c0, %c0], sizes = [%c4, %c64]
        : !pto.tensor_view<?x?xui8> -> !pto.partition_tensor_view<4x64xui8>
    %dst_tile = pto.alloc_tile : !pto.tile_buf<vec, 4x64xui8>
    pto.tscatter ins(%src_tile, %idx_tile : !pto.tile_buf<loc=vec, dtype=ui8, rows=4, cols=32, v_row=3, v_col=17, blayout=row_major, slayout=none_box, fractal=512, pad=0>, !pto.tile_buf<loc=vec, dtype=ui16, rows=4, cols=32, v_row=3, v_col=17, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
        outs(%dst_tile : !pto.tile_buf<vec, 4x64xui8>)

    pto.tstore ins(%dst_tile : !pto.tile_buf<vec, 4x64xui8>)
        outs(%dst_part : !pto.partition_tensor_view<4x64xui8>)
    return
  }
}
