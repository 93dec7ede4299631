// tscatter.p1111 on A5 as a module of the PTO assembler, from the spec
// a5:tscatter.p1111 src=i16[9x16] dst=i16[9x32|9x16]
// Assembled, with its waits: ptoas --pto-arch=a5 --enable-insert-sync tscatter_p1111_i16.pto -o tscatter_p1111_i16.cpp
// Launched: tscatter_p1111_i16<<<1, nullptr, stream>>>(src, dst)
module attributes {pto.target_arch = "a5"} {
  func.func @tscatter_p1111_i16(%src: !pto.ptr<i16>, %dst: !pto.ptr<i16>)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index

    %src_view = pto.make_tensor_view %src, shape = [%c9, %c16], strides = [%c16, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xi16>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c9, %c16]
        : !pto.tensor_view<?x?xi16> -> !pto.partition_tensor_view<9x16xi16>
    %src_tile = pto.alloc_tile : !pto.tile_buf<vec, 9x16xi16>
    pto.tload ins(%src_part : !pto.partition_tensor_view<9x16xi16>)
        outs(%src_tile : !pto.tile_buf<vec, 9x16xi16>)

    %dst_view = pto.make_tensor_view %dst, shape = [%c9, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xi16>
    %dst_part = pto.partition_view %dst_view, offsets = [%c0, %c0], sizes = [%c9, %c16]
        : !pto.tensor_view<?x?xi16> -> !pto.partition_tensor_view<9x16xi16>
    %dst_tile = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=i16, rows=9, cols=32, v_row=9, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tscatter ins(%src_tile, {maskPattern = #pto.mask_pattern<P1111>} : !pto.tile_buf<vec, 9x16xi16>, "row")
        outs(%dst_tile : !pto.tile_buf<loc=vec, dtype=i16, rows=9, cols=32, v_row=9, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    pto.tstore ins(%dst_tile : !pto.tile_buf<loc=vec, dtype=i16, rows=9, cols=32, v_row=9, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
        outs(%dst_part : !pto.partition_tensor_view<9x16xi16>)
    return
  }
}
