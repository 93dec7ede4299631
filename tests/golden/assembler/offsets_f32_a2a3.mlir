// tgatherb.block on A2/A3 as a module of the PTO assembler, from the spec
// a2a3:tgatherb.block src=f32[4x64] offset=u32[2x8] dst=f32[2x64]
// Assembled, with its waits: ptoas --pto-arch=a3 --enable-insert-sync tgatherb_block_f32.pto -o tgatherb_block_f32.cpp
// Launched: tgatherb_block_f32<<<1, nullptr, stream>>>(src, offset, dst)
module attributes {pto.target_arch = "a3"} {
  func.func @tgatherb_block_f32(%src: !pto.ptr<f32>, %offset: !pto.ptr<ui32>, %dst: !pto.ptr<f32>)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index

    %src_view = pto.make_tensor_view %src, shape = [%c4, %c64], strides = [%c64, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c4, %c64]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<4x64xf32>
    %src_tile = pto.alloc_tile : !pto.tile_buf<vec, 4x64xf32>
    pto.tload ins(%src_part : !pto.partition_tensor_view<4x64xf32>)
        outs(%src_tile : !pto.tile_buf<vec, 4x64xf32>)

    %offset_view = pto.make_tensor_view %offset, shape = [%c2, %c8], strides = [%c8, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui32>
    %offset_part = pto.partition_view %offset_view, offsets = [%c0, %c0], sizes = [%c2, %c8]
        : !pto.tensor_view<?x?xui32> -> !pto.partition_tensor_view<2x8xui32>
    %offset_tile = pto.alloc_tile : !pto.tile_buf<vec, 2x8xui32>
    pto.tload ins(%offset_part : !pto.partition_tensor_view<2x8xui32>)
        outs(%offset_tile : !pto.tile_buf<vec, 2x8xui32>)

    %dst_view = pto.make_tensor_view %dst, shape = [%c2, %c64], strides = [%c64, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %dst_part = pto.partition_view %dst_view, offsets = [%c0, %c0], sizes = [%c2, %c64]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<2x64xf32>
    %dst_tile = pto.alloc_tile : !pto.tile_buf<vec, 2x64xf32>
    pto.tgatherb ins(%src_tile, %offset_tile : !pto.tile_buf<vec, 4x64xf32>, !pto.tile_buf<vec, 2x8xui32>)
        outs(%dst_tile : !pto.tile_buf<vec, 2x64xf32>)

    pto.tstore ins(%dst_tile : !pto.tile_buf<vec, 2x64xf32>)
        outs(%dst_part : !pto.partition_tensor_view<2x64xf32>)
    return
  }
}
