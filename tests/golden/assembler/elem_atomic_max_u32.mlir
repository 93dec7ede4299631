// mscatter.elem.skip.atomic_max on A5 as a module of the PTO assembler, from the spec
// a5:mscatter.elem.skip.atomic_max src=u32[8x32] idx=i32[8x32]:cm table=u32[256]
// Assembled, with its waits: ptoas --pto-arch=a5 --enable-insert-sync mscatter_elem_skip_atomic_max_u32.pto -o mscatter_elem_skip_atomic_max_u32.cpp
// Launched: mscatter_elem_skip_atomic_max_u32<<<1, nullptr, stream>>>(src, idx, table)
module attributes {pto.target_arch = "a5"} {
  func.func @mscatter_elem_skip_atomic_max_u32(%src: !pto.ptr<ui32>, %idx: !pto.ptr<i32>, %table: !pto.ptr<ui32>)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index

    %src_view = pto.make_tensor_view %src, shape = [%c8, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui32>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c8, %c32]
        : !pto.tensor_view<?x?xui32> -> !pto.partition_tensor_view<8x32xui32>
    %src_tile = pto.alloc_tile : !pto.tile_buf<vec, 8x32xui32>
    pto.tload ins(%src_part : !pto.partition_tensor_view<8x32xui32>)
        outs(%src_tile : !pto.tile_buf<vec, 8x32xui32>)

    %idx_view = pto.make_tensor_view %idx, shape = [%c8, %c32], strides = [%c1, %c8]
        {layout = #pto.layout<dn>} : !pto.tensor_view<?x?xi32>
    %idx_part = pto.partition_view %idx_view, offsets = [%c0, %c0], sizes = [%c8, %c32]
        : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<8x32xi32>
    %idx_tile = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=i32, rows=8, cols=32, v_row=8, v_col=32, blayout=col_major, slayout=none_box, fractal=512, pad=0>
    pto.tload ins(%idx_part : !pto.partition_tensor_view<8x32xi32>)
        outs(%idx_tile : !pto.tile_buf<loc=vec, dtype=i32, rows=8, cols=32, v_row=8, v_col=32, blayout=col_major, slayout=none_box, fractal=512, pad=0>)

    %table_view = pto.make_tensor_view %table, shape = [%c1, %c256], strides = [%c256, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui32>
    %table_part = pto.partition_view %table_view, offsets = [%c0, %c0], sizes = [%c1, %c256]
        : !pto.tensor_view<?x?xui32> -> !pto.partition_tensor_view<1x256xui32>
    pto.mscatter ins(%src_tile, %idx_tile : !pto.tile_buf<vec, 8x32xui32>, !pto.tile_buf<loc=vec, dtype=i32, rows=8, cols=32, v_row=8, v_col=32, blayout=col_major, slayout=none_box, fractal=512, pad=0>)
        outs(%table_part : !pto.partition_tensor_view<1x256xui32>)
        {coalesce = #pto<coalesce elem>, scatterAtomicOp = #pto<scatter_atomic_op max>,
         scatterOob = #pto<scatter_oob skip>, scatterConflict = #pto<scatter_conflict default>}

    pto.fence.barrier_all #pto.fence_scope<gm>
    pto.cmo.cacheinvalid all #pto.address_space<gm>
    pto.fence.barrier_all #pto.fence_scope<gm>
    return
  }
}
