// mgather.row.zero on A2/A3 as a module of the PTO assembler, from the spec
// a2a3:mgather.row.zero dst=f16[32x64] idx=i32[1x32] table=f16[64x64]
// Assembled, with its waits: ptoas --pto-arch=a3 --enable-insert-sync mgather_row_zero_f16.pto -o mgather_row_zero_f16.cpp
// Launched: mgather_row_zero_f16<<<1, nullptr, stream>>>(dst, idx, table)
module attributes {pto.target_arch = "a3"} {
  func.func @mgather_row_zero_f16(%dst: !pto.ptr<f16>, %idx: !pto.ptr<i32>, %table: !pto.ptr<f16>)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index

    %idx_view = pto.make_tensor_view %idx, shape = [%c1, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xi32>
    %idx_part = pto.partition_view %idx_view, offsets = [%c0, %c0], sizes = [%c1, %c32]
        : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1x32xi32>
    %idx_tile = pto.alloc_tile : !pto.tile_buf<vec, 1x32xi32>
    pto.tload ins(%idx_part : !pto.partition_tensor_view<1x32xi32>)
        outs(%idx_tile : !pto.tile_buf<vec, 1x32xi32>)

    %table_view = pto.make_tensor_view %table, shape = [%c64, %c64], strides = [%c64, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf16>
    %table_part = pto.partition_view %table_view, offsets = [%c0, %c0], sizes = [%c64, %c64]
        : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<64x64xf16>
    %dst_view = pto.make_tensor_view %dst, shape = [%c32, %c64], strides = [%c64, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf16>
    %dst_part = pto.partition_view %dst_view, offsets = [%c0, %c0], sizes = [%c32, %c64]
        : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<32x64xf16>
    %dst_tile = pto.alloc_tile : !pto.tile_buf<vec, 32x64xf16>
    pto.mgather ins(%table_part, %idx_tile : !pto.partition_tensor_view<64x64xf16>, !pto.tile_buf<vec, 1x32xi32>)
        outs(%dst_tile : !pto.tile_buf<vec, 32x64xf16>)
        {coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob zero>}

    pto.tstore ins(%dst_tile : !pto.tile_buf<vec, 32x64xf16>)
        outs(%dst_part : !pto.partition_tensor_view<32x64xf16>)
    return
  }
}
