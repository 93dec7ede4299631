// mscatter.row on A2/A3 as a module of the PTO assembler, from the spec
// a2a3:mscatter.row src=u8[8x32] idx=i32[1x8] table=u8[?x?@?x?]
// Assembled, with its waits: ptoas --pto-arch=a3 --enable-insert-sync mscatter_row_u8.pto -o mscatter_row_u8.cpp
// Launched: mscatter_row_u8<<<1, nullptr, stream>>>(src, idx, table, table_d3, table_d4, table_s3, table_s4)
module attributes {pto.target_arch = "a3"} {
  func.func @mscatter_row_u8(%src: !pto.ptr<ui8>, %idx: !pto.ptr<i32>, %table: !pto.ptr<ui8>, %table_d3: index, %table_d4: index, %table_s3: index, %table_s4: index)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index

    %has_slots = arith.cmpi ne, %table_d3, %c0 : index
    scf.if %has_slots {
      %src_view = pto.make_tensor_view %src, shape = [%c8, %c32], strides = [%c32, %c1]
          {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui8>
      %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c8, %c32]
          : !pto.tensor_view<?x?xui8> -> !pto.partition_tensor_view<8x32xui8>
      %src_tile = pto.alloc_tile : !pto.tile_buf<vec, 8x32xui8>
      pto.tload ins(%src_part : !pto.partition_tensor_view<8x32xui8>)
          outs(%src_tile : !pto.tile_buf<vec, 8x32xui8>)

      %idx_view = pto.make_tensor_view %idx, shape = [%c1, %c8], strides = [%c8, %c1]
          {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xi32>
      %idx_part = pto.partition_view %idx_view, offsets = [%c0, %c0], sizes = [%c1, %c8]
          : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1x8xi32>
      %idx_tile = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32>
      pto.tload ins(%idx_part : !pto.partition_tensor_view<1x8xi32>)
          outs(%idx_tile : !pto.tile_buf<vec, 1x8xi32>)

      %table_view = pto.make_tensor_view %table, shape = [%table_d3, %table_d4], strides = [%table_s3, %table_s4]
          {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui8>
      %table_part = pto.partition_view %table_view, offsets = [%c0, %c0], sizes = [%table_d3, %table_d4]
          : !pto.tensor_view<?x?xui8> -> !pto.partition_tensor_view<?x?xui8>
      pto.mscatter ins(%src_tile, %idx_tile : !pto.tile_buf<vec, 8x32xui8>, !pto.tile_buf<vec, 1x8xi32>)
          outs(%table_part : !pto.partition_tensor_view<?x?xui8>)
          {coalesce = #pto<coalesce row>, scatterAtomicOp = #pto<scatter_atomic_op none>,
           scatterOob = #pto<scatter_oob undefined>}
    }
    return
  }
}
