// tgatherb.block on A2/A3 as a module of the PTO assembler, from the spec
// a2a3:tgatherb.block src=u8[4x64] offset=u32[2x16|?x?] dst=u8[2x480|?x?]
// Assembled, with its waits: ptoas --pto-arch=a3 --enable-insert-sync tgatherb_block_u8.pto -o tgatherb_block_u8.cpp
// Launched: tgatherb_block_u8<<<1, nullptr, stream>>>(src, offset, dst, dst_vr, offset_vc)
module attributes {pto.target_arch = "a3"} {
  func.func @tgatherb_block_u8(%src: !pto.ptr<ui8>, %offset: !pto.ptr<ui32>, %dst: !pto.ptr<ui8>, %dst_vr: index, %offset_vc: index)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %c480 = arith.constant 480 : index
    %offset_vc_x_c32 = arith.muli %offset_vc, %c32 : index
    %offset_vc_x_c32_by_c256 = arith.ceildivui %offset_vc_x_c32, %c256 : index
    %offset_vc_x_c32_by_c256_x_c256 = arith.muli %offset_vc_x_c32_by_c256, %c256 : index

    %src_view = pto.make_tensor_view %src, shape = [%c4, %c64], strides = [%c64, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui8>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c4, %c64]
        : !pto.tensor_view<?x?xui8> -> !pto.partition_tensor_view<4x64xui8>
    %src_tile = pto.alloc_tile : !pto.tile_buf<vec, 4x64xui8>
    pto.tload ins(%src_part : !pto.partition_tensor_view<4x64xui8>)
        outs(%src_tile : !pto.tile_buf<vec, 4x64xui8>)

    %offset_view = pto.make_tensor_view %offset, shape = [%c2, %c16], strides = [%c16, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui32>
    %offset_part = pto.partition_view %offset_view, offsets = [%c0, %c0], sizes = [%dst_vr, %offset_vc]
        : !pto.tensor_view<?x?xui32> -> !pto.partition_tensor_view<?x?xui32>
    %offset_tile = pto.alloc_tile valid_row = %dst_vr valid_col = %offset_vc : !pto.tile_buf<loc=vec, dtype=ui32, rows=2, cols=16, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=1>
    pto.tload ins(%offset_part : !pto.partition_tensor_view<?x?xui32>)
        outs(%offset_tile : !pto.tile_buf<loc=vec, dtype=ui32, rows=2, cols=16, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=1>)

    %dst_view = pto.make_tensor_view %dst, shape = [%c2, %c480], strides = [%c480, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui8>
    %dst_part = pto.partition_view %dst_view, offsets = [%c0, %c0], sizes = [%dst_vr, %offset_vc_x_c32]
        : !pto.tensor_view<?x?xui8> -> !pto.partition_tensor_view<?x?xui8>
    %dst_tile = pto.alloc_tile valid_row = %dst_vr valid_col = %offset_vc_x_c32_by_c256_x_c256 : !pto.tile_buf<loc=vec, dtype=ui8, rows=2, cols=512, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tgatherb ins(%src_tile, %offset_tile : !pto.tile_buf<vec, 4x64xui8>, !pto.tile_buf<loc=vec, dtype=ui32, rows=2, cols=16, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=1>)
        outs(%dst_tile : !pto.tile_buf<loc=vec, dtype=ui8, rows=2, cols=512, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    pto.set_validshape %dst_tile, %dst_vr, %offset_vc_x_c32 : !pto.tile_buf<loc=vec, dtype=ui8, rows=2, cols=512, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tstore ins(%dst_tile : !pto.tile_buf<loc=vec, dtype=ui8, rows=2, cols=512, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
        outs(%dst_part : !pto.partition_tensor_view<?x?xui8>)
    return
  }
}
