// mscatter.row.atomic_add on A2/A3 as a module of the PTO assembler, from the spec
// a2a3:mscatter.row.atomic_add src=f16[8x32] idx=i32[1x8] table=f16[4x16x1x32@640x40x1x1]
// Assembled, with its waits: ptoas --pto-arch=a3 --enable-insert-sync mscatter_row_atomic_add_f16.pto -o mscatter_row_atomic_add_f16.cpp
// Launched: mscatter_row_atomic_add_f16<<<1, nullptr, stream>>>(src, idx, table)
module attributes {pto.target_arch = "a3"} {
  func.func @mscatter_row_atomic_add_f16(%src: !pto.ptr<f16>, %idx: !pto.ptr<i32>, %table: !pto.ptr<f16>)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c40 = arith.constant 40 : index
    %c640 = arith.constant 640 : index

    %src_view = pto.make_tensor_view %src, shape = [%c8, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf16>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c8, %c32]
        : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<8x32xf16>
    %src_tile = pto.alloc_tile : !pto.tile_buf<vec, 8x32xf16>
    pto.tload ins(%src_part : !pto.partition_tensor_view<8x32xf16>)
        outs(%src_tile : !pto.tile_buf<vec, 8x32xf16>)

    %idx_view = pto.make_tensor_view %idx, shape = [%c1, %c8], strides = [%c8, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xi32>
    %idx_part = pto.partition_view %idx_view, offsets = [%c0, %c0], sizes = [%c1, %c8]
        : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1x8xi32>
    %idx_tile = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32>
    pto.tload ins(%idx_part : !pto.partition_tensor_view<1x8xi32>)
        outs(%idx_tile : !pto.tile_buf<vec, 1x8xi32>)

    %table_view = pto.make_tensor_view %table, shape = [%c4, %c16, %c1, %c32], strides = [%c640, %c40, %c40, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?x?x?xf16>
    %table_part = pto.partition_view %table_view, offsets = [%c0, %c0, %c0, %c0], sizes = [%c4, %c16, %c1, %c32]
        : !pto.tensor_view<?x?x?x?xf16> -> !pto.partition_tensor_view<4x16x1x32xf16>
    pto.mscatter ins(%src_tile, %idx_tile : !pto.tile_buf<vec, 8x32xf16>, !pto.tile_buf<vec, 1x8xi32>)
        outs(%table_part : !pto.partition_tensor_view<4x16x1x32xf16>)
        {coalesce = #pto<coalesce row>, scatterAtomicOp = #pto<scatter_atomic_op add>,
         scatterOob = #pto<scatter_oob undefined>}
    return
  }
}
