// mscatter.row.skip on A5 as a module of the PTO assembler, from the spec
// a5:mscatter.row.skip src=f32[8x32|?x?] idx=u32[1x8] table=f32[64x32]
// Assembled, with its waits: ptoas --pto-arch=a5 --enable-insert-sync mscatter_row_skip_f32.pto -o mscatter_row_skip_f32.cpp
// Launched: mscatter_row_skip_f32<<<1, nullptr, stream>>>(src, idx, table, src_vr, src_vc)
module attributes {pto.target_arch = "a5"} {
  func.func @mscatter_row_skip_f32(%src: !pto.ptr<f32>, %idx: !pto.ptr<ui32>, %table: !pto.ptr<f32>, %src_vr: index, %src_vc: index)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index

    %src_view = pto.make_tensor_view %src, shape = [%c8, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%src_vr, %src_vc]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x?xf32>
    %src_tile = pto.alloc_tile valid_row = %src_vr valid_col = %src_vc : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=32, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tload ins(%src_part : !pto.partition_tensor_view<?x?xf32>)
        outs(%src_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=32, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    %idx_view = pto.make_tensor_view %idx, shape = [%c1, %c8], strides = [%c8, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui32>
    %idx_part = pto.partition_view %idx_view, offsets = [%c0, %c0], sizes = [%c1, %c8]
        : !pto.tensor_view<?x?xui32> -> !pto.partition_tensor_view<1x?xui32>
    %idx_tile = pto.alloc_tile valid_col = %c8 : !pto.tile_buf<loc=vec, dtype=ui32, rows=1, cols=8, v_row=1, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tload ins(%idx_part : !pto.partition_tensor_view<1x?xui32>)
        outs(%idx_tile : !pto.tile_buf<loc=vec, dtype=ui32, rows=1, cols=8, v_row=1, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    %table_view = pto.make_tensor_view %table, shape = [%c64, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %table_part = pto.partition_view %table_view, offsets = [%c0, %c0], sizes = [%c64, %c32]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<64x?xf32>
    pto.mscatter ins(%src_tile, %idx_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=32, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>, !pto.tile_buf<loc=vec, dtype=ui32, rows=1, cols=8, v_row=1, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
        outs(%table_part : !pto.partition_tensor_view<64x?xf32>)
        {coalesce = #pto<coalesce row>, scatterAtomicOp = #pto<scatter_atomic_op none>,
         scatterOob = #pto<scatter_oob skip>, scatterConflict = #pto<scatter_conflict last>}

    pto.fence.barrier_all #pto.fence_scope<gm>
    pto.cmo.cacheinvalid all #pto.address_space<gm>
    pto.fence.barrier_all #pto.fence_scope<gm>
    return
  }
}
