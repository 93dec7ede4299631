// tgatherb.block on A2/A3 as a module of the PTO assembler, from the spec
// a2a3:tgatherb.block src=f32[8x64] offset=u32[4x16|4x12] dst=f32[4x96]
// Assembled, with its waits: ptoas --pto-arch=a3 --enable-insert-sync tgatherb_block_f32.pto -o tgatherb_block_f32.cpp
// Launched: tgatherb_block_f32<<<1, nullptr, stream>>>(src, offset, dst)
module attributes {pto.target_arch = "a3"} {
  func.func @tgatherb_block_f32(%src: !pto.ptr<f32>, %offset: !pto.ptr<ui32>, %dst: !pto.ptr<f32>)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c12 = arith.constant 12 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    %c128 = arith.constant 128 : index

    %src_view = pto.make_tensor_view %src, shape = [%c8, %c64], strides = [%c64, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c8, %c64]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<8x64xf32>
    %src_tile = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>
    pto.tload ins(%src_part : !pto.partition_tensor_view<8x64xf32>)
        outs(%src_tile : !pto.tile_buf<vec, 8x64xf32>)

    %offset_view = pto.make_tensor_view %offset, shape = [%c4, %c16], strides = [%c16, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui32>
    %offset_part = pto.partition_view %offset_view, offsets = [%c0, %c0], sizes = [%c4, %c12]
        : !pto.tensor_view<?x?xui32> -> !pto.partition_tensor_view<4x12xui32>
    %offset_tile = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=ui32, rows=4, cols=16, v_row=4, v_col=12, blayout=row_major, slayout=none_box, fractal=512, pad=1>
    pto.tload ins(%offset_part : !pto.partition_tensor_view<4x12xui32>)
        outs(%offset_tile : !pto.tile_buf<loc=vec, dtype=ui32, rows=4, cols=16, v_row=4, v_col=12, blayout=row_major, slayout=none_box, fractal=512, pad=1>)

    %dst_view = pto.make_tensor_view %dst, shape = [%c4, %c96], strides = [%c96, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %dst_part = pto.partition_view %dst_view, offsets = [%c0, %c0], sizes = [%c4, %c96]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<4x96xf32>
    %dst_tile = pto.alloc_tile valid_row = %c4 valid_col = %c128 : !pto.tile_buf<loc=vec, dtype=f32, rows=4, cols=128, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tgatherb ins(%src_tile, %offset_tile : !pto.tile_buf<vec, 8x64xf32>, !pto.tile_buf<loc=vec, dtype=ui32, rows=4, cols=16, v_row=4, v_col=12, blayout=row_major, slayout=none_box, fractal=512, pad=1>)
        outs(%dst_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=4, cols=128, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    pto.set_validshape %dst_tile, %c4, %c96 : !pto.tile_buf<loc=vec, dtype=f32, rows=4, cols=128, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tstore ins(%dst_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=4, cols=128, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
        outs(%dst_part : !pto.partition_tensor_view<4x96xf32>)
    return
  }
}
