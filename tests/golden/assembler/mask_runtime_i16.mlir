// tscatter.p0100 on A5 as a module of the PTO assembler, from the spec
// a5:tscatter.p0100 src=i16[8x16|?x?] dst=i16[8x64|?x?]
// Assembled, with its waits: ptoas --pto-arch=a5 --enable-insert-sync tscatter_p0100_i16.pto -o tscatter_p0100_i16.cpp
// Launched: tscatter_p0100_i16<<<1, nullptr, stream>>>(src, dst, src_vr, src_vc)
module attributes {pto.target_arch = "a5"} {
  func.func @tscatter_p0100_i16(%src: !pto.ptr<i16>, %dst: !pto.ptr<i16>, %src_vr: index, %src_vc: index)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %src_vc_x_c4 = arith.muli %src_vc, %c4 : index

    %src_view = pto.make_tensor_view %src, shape = [%c8, %c16], strides = [%c16, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xi16>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%src_vr, %src_vc]
        : !pto.tensor_view<?x?xi16> -> !pto.partition_tensor_view<?x?xi16>
    %src_tile = pto.alloc_tile valid_row = %src_vr valid_col = %src_vc : !pto.tile_buf<loc=vec, dtype=i16, rows=8, cols=16, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tload ins(%src_part : !pto.partition_tensor_view<?x?xi16>)
        outs(%src_tile : !pto.tile_buf<loc=vec, dtype=i16, rows=8, cols=16, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    %dst_view = pto.make_tensor_view %dst, shape = [%c8, %c64], strides = [%c64, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xi16>
    %dst_part = pto.partition_view %dst_view, offsets = [%c0, %c0], sizes = [%c8, %c64]
        : !pto.tensor_view<?x?xi16> -> !pto.partition_tensor_view<8x64xi16>
    %dst_tile = pto.alloc_tile valid_row = %src_vr valid_col = %src_vc_x_c4 : !pto.tile_buf<loc=vec, dtype=i16, rows=8, cols=64, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tscatter ins(%src_tile, {maskPattern = #pto.mask_pattern<P0100>} : !pto.tile_buf<loc=vec, dtype=i16, rows=8, cols=16, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>, "row")
        outs(%dst_tile : !pto.tile_buf<loc=vec, dtype=i16, rows=8, cols=64, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    pto.set_validshape %dst_tile, %c8, %c64 : !pto.tile_buf<loc=vec, dtype=i16, rows=8, cols=64, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tstore ins(%dst_tile : !pto.tile_buf<loc=vec, dtype=i16, rows=8, cols=64, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
        outs(%dst_part : !pto.partition_tensor_view<8x64xi16>)
    return
  }
}
