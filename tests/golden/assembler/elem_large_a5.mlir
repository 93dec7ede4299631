// mscatter.elem on A5 as a module of the PTO assembler, from the spec
// a5:mscatter.elem src=f16[999x32] idx=i32[999x32] table=f16[256]
// Assembled, with its waits: ptoas --pto-arch=a5 --enable-insert-sync mscatter_elem_f16.pto -o mscatter_elem_f16.cpp
// Launched: mscatter_elem_f16<<<1, dynUBufSize, stream>>>(src, idx, table) with uint32_t dynUBufSize = 192000
module attributes {pto.target_arch = "a5"} {
  func.func @mscatter_elem_f16(%src: !pto.ptr<f16>, %idx: !pto.ptr<i32>, %table: !pto.ptr<f16>)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index
    %c999 = arith.constant 999 : index

    %src_view = pto.make_tensor_view %src, shape = [%c999, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf16>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c999, %c32]
        : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<999x32xf16>
    %src_tile = pto.alloc_tile : !pto.tile_buf<vec, 999x32xf16>
    pto.tload ins(%src_part : !pto.partition_tensor_view<999x32xf16>)
        outs(%src_tile : !pto.tile_buf<vec, 999x32xf16>)

    %idx_view = pto.make_tensor_view %idx, shape = [%c999, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xi32>
    %idx_part = pto.partition_view %idx_view, offsets = [%c0, %c0], sizes = [%c999, %c32]
        : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<999x32xi32>
    %idx_tile = pto.alloc_tile : !pto.tile_buf<vec, 999x32xi32>
    pto.tload ins(%idx_part : !pto.partition_tensor_view<999x32xi32>)
        outs(%idx_tile : !pto.tile_buf<vec, 999x32xi32>)

    %table_view = pto.make_tensor_view %table, shape = [%c1, %c256], strides = [%c256, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf16>
    %table_part = pto.partition_view %table_view, offsets = [%c0, %c0], sizes = [%c1, %c256]
        : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<1x256xf16>
    pto.mscatter ins(%src_tile, %idx_tile : !pto.tile_buf<vec, 999x32xf16>, !pto.tile_buf<vec, 999x32xi32>)
        outs(%table_part : !pto.partition_tensor_view<1x256xf16>)
        {coalesce = #pto<coalesce elem>, scatterAtomicOp = #pto<scatter_atomic_op none>,
         scatterOob = #pto<scatter_oob undefined>, scatterConflict = #pto<scatter_conflict last>}

    pto.fence.barrier_all #pto.fence_scope<gm>
    pto.cmo.cacheinvalid all #pto.address_space<gm>
    pto.fence.barrier_all #pto.fence_scope<gm>
    return
  }
}
