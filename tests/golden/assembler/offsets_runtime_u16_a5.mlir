// tgatherb.block on A5 as a module of the PTO assembler, from the spec
// a5:tgatherb.block src=u16[4x64] offset=u32[2x8|?x?] dst=u16[2x64|?x?]
// Assembled, with its waits: ptoas --pto-arch=a5 --enable-insert-sync tgatherb_block_u16.pto -o tgatherb_block_u16.cpp
// Launched: tgatherb_block_u16<<<1, nullptr, stream>>>(src, offset, dst, dst_vr, offset_vc)
module attributes {pto.target_arch = "a5"} {
  func.func @tgatherb_block_u16(%src: !pto.ptr<ui16>, %offset: !pto.ptr<ui32>, %dst: !pto.ptr<ui16>, %dst_vr: index, %offset_vc: index)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %offset_vc_x_c16 = arith.muli %offset_vc, %c16 : index

    %src_view = pto.make_tensor_view %src, shape = [%c4, %c64], strides = [%c64, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui16>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c4, %c64]
        : !pto.tensor_view<?x?xui16> -> !pto.partition_tensor_view<4x64xui16>
    %src_tile = pto.alloc_tile : !pto.tile_buf<vec, 4x64xui16>
    pto.tload ins(%src_part : !pto.partition_tensor_view<4x64xui16>)
        outs(%src_tile : !pto.tile_buf<vec, 4x64xui16>)

    %offset_view = pto.make_tensor_view %offset, shape = [%c2, %c8], strides = [%c8, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui32>
    %offset_part = pto.partition_view %offset_view, offsets = [%c0, %c0], sizes = [%dst_vr, %offset_vc]
        : !pto.tensor_view<?x?xui32> -> !pto.partition_tensor_view<?x?xui32>
    %offset_tile = pto.alloc_tile valid_row = %dst_vr valid_col = %offset_vc : !pto.tile_buf<loc=vec, dtype=ui32, rows=2, cols=8, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tload ins(%offset_part : !pto.partition_tensor_view<?x?xui32>)
        outs(%offset_tile : !pto.tile_buf<loc=vec, dtype=ui32, rows=2, cols=8, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    %dst_view = pto.make_tensor_view %dst, shape = [%c2, %c64], strides = [%c64, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui16>
    %dst_part = pto.partition_view %dst_view, offsets = [%c0, %c0], sizes = [%dst_vr, %offset_vc_x_c16]
        : !pto.tensor_view<?x?xui16> -> !pto.partition_tensor_view<?x?xui16>
    %dst_tile = pto.alloc_tile valid_row = %dst_vr valid_col = %offset_vc_x_c16 : !pto.tile_buf<loc=vec, dtype=ui16, rows=2, cols=64, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tgatherb ins(%src_tile, %offset_tile : !pto.tile_buf<vec, 4x64xui16>, !pto.tile_buf<loc=vec, dtype=ui32, rows=2, cols=8, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
        outs(%dst_tile : !pto.tile_buf<loc=vec, dtype=ui16, rows=2, cols=64, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    pto.tstore ins(%dst_tile : !pto.tile_buf<loc=vec, dtype=ui16, rows=2, cols=64, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
        outs(%dst_part : !pto.partition_tensor_view<?x?xui16>)
    return
  }
}
