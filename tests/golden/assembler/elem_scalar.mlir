// mscatter.elem on A5 as a module of the PTO assembler, from the spec
// a5:mscatter.elem src=f32[1x8|1x1] idx=i32[1x8|1x1] table=f32[32]
// Assembled, with its waits: ptoas --pto-arch=a5 --enable-insert-sync mscatter_elem_f32.pto -o mscatter_elem_f32.cpp
// Launched: mscatter_elem_f32<<<1, nullptr, stream>>>(src, idx, table)
module attributes {pto.target_arch = "a5"} {
  func.func @mscatter_elem_f32(%src: !pto.ptr<f32>, %idx: !pto.ptr<i32>, %table: !pto.ptr<f32>)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index

    %src_view = pto.make_tensor_view %src, shape = [%c1, %c8], strides = [%c8, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c1, %c1]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x1xf32>
    %src_tile = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=1, cols=8, v_row=1, v_col=1, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tload ins(%src_part : !pto.partition_tensor_view<1x1xf32>)
        outs(%src_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=1, cols=8, v_row=1, v_col=1, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    %idx_view = pto.make_tensor_view %idx, shape = [%c1, %c8], strides = [%c8, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xi32>
    %idx_part = pto.partition_view %idx_view, offsets = [%c0, %c0], sizes = [%c1, %c1]
        : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1x1xi32>
    %idx_tile = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=i32, rows=1, cols=8, v_row=1, v_col=1, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tload ins(%idx_part : !pto.partition_tensor_view<1x1xi32>)
        outs(%idx_tile : !pto.tile_buf<loc=vec, dtype=i32, rows=1, cols=8, v_row=1, v_col=1, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    %table_view = pto.make_tensor_view %table, shape = [%c1, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %table_part = pto.partition_view %table_view, offsets = [%c0, %c0], sizes = [%c1, %c32]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x32xf32>
    pto.mscatter ins(%src_tile, %idx_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=1, cols=8, v_row=1, v_col=1, blayout=row_major, slayout=none_box, fractal=512, pad=0>, !pto.tile_buf<loc=vec, dtype=i32, rows=1, cols=8, v_row=1, v_col=1, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
        outs(%table_part : !pto.partition_tensor_view<1x32xf32>)
        {coalesce = #pto<coalesce elem>, scatterAtomicOp = #pto<scatter_atomic_op none>,
         scatterOob = #pto<scatter_oob undefined>, scatterConflict = #pto<scatter_conflict last>}

    pto.fence.barrier_all #pto.fence_scope<gm>
    pto.cmo.cacheinvalid all #pto.address_space<gm>
    pto.fence.barrier_all #pto.fence_scope<gm>
    return
  }
}
