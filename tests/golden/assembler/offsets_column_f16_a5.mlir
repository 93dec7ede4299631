// tgatherb.block on A5 as a module of the PTO assembler, from the spec
// a5:tgatherb.block src=f16[32x33]:cm offset=u32[8x8|8x2] dst=f16[8x32]
// Assembled, with its waits: ptoas --pto-arch=a5 --enable-insert-sync tgatherb_block_f16.pto -o tgatherb_block_f16.cpp
// Launched: tgatherb_block_f16<<<1, nullptr, stream>>>(src, offset, dst)
module attributes {pto.target_arch = "a5"} {
  func.func @tgatherb_block_f16(%src: !pto.ptr<f16>, %offset: !pto.ptr<ui32>, %dst: !pto.ptr<f16>)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c33 = arith.constant 33 : index

    %src_view = pto.make_tensor_view %src, shape = [%c32, %c33], strides = [%c1, %c32]
        {layout = #pto.layout<dn>} : !pto.tensor_view<?x?xf16>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c32, %c33]
        : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<32x33xf16>
    %src_tile = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f16, rows=32, cols=33, v_row=32, v_col=33, blayout=col_major, slayout=none_box, fractal=512, pad=0>
    pto.tload ins(%src_part : !pto.partition_tensor_view<32x33xf16>)
        outs(%src_tile : !pto.tile_buf<loc=vec, dtype=f16, rows=32, cols=33, v_row=32, v_col=33, blayout=col_major, slayout=none_box, fractal=512, pad=0>)

    %offset_view = pto.make_tensor_view %offset, shape = [%c8, %c8], strides = [%c8, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui32>
    %offset_part = pto.partition_view %offset_view, offsets = [%c0, %c0], sizes = [%c8, %c2]
        : !pto.tensor_view<?x?xui32> -> !pto.partition_tensor_view<8x2xui32>
    %offset_tile = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=ui32, rows=8, cols=8, v_row=8, v_col=2, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tload ins(%offset_part : !pto.partition_tensor_view<8x2xui32>)
        outs(%offset_tile : !pto.tile_buf<loc=vec, dtype=ui32, rows=8, cols=8, v_row=8, v_col=2, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    %dst_view = pto.make_tensor_view %dst, shape = [%c8, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf16>
    %dst_part = pto.partition_view %dst_view, offsets = [%c0, %c0], sizes = [%c8, %c32]
        : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<8x32xf16>
    %dst_tile = pto.alloc_tile : !pto.tile_buf<vec, 8x32xf16>
    pto.tgatherb ins(%src_tile, %offset_tile : !pto.tile_buf<loc=vec, dtype=f16, rows=32, cols=33, v_row=32, v_col=33, blayout=col_major, slayout=none_box, fractal=512, pad=0>, !pto.tile_buf<loc=vec, dtype=ui32, rows=8, cols=8, v_row=8, v_col=2, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
        outs(%dst_tile : !pto.tile_buf<vec, 8x32xf16>)

    pto.tstore ins(%dst_tile : !pto.tile_buf<vec, 8x32xf16>)
        outs(%dst_part : !pto.partition_tensor_view<8x32xf16>)
    return
  }
}
