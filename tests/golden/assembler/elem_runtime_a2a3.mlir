// mscatter.elem.skip.atomic_add on A2/A3 as a module of the PTO assembler, from the spec
// a2a3:mscatter.elem.skip.atomic_add src=f32[8x32|?x?] idx=i32[8x32|?x?] table=f32[?x?x?]
// Assembled, with its waits: ptoas --pto-arch=a3 --enable-insert-sync mscatter_elem_skip_atomic_add_f32.pto -o mscatter_elem_skip_atomic_add_f32.cpp
// Launched: mscatter_elem_skip_atomic_add_f32<<<1, nullptr, stream>>>(src, idx, table, src_vr, src_vc, table_d2, table_d3, table_d4)
module attributes {pto.target_arch = "a3"} {
  func.func @mscatter_elem_skip_atomic_add_f32(%src: !pto.ptr<f32>, %idx: !pto.ptr<i32>, %table: !pto.ptr<f32>, %src_vr: index, %src_vc: index, %table_d2: index, %table_d3: index, %table_d4: index)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %table_d3_x_table_d4 = arith.muli %table_d3, %table_d4 : index

    %src_view = pto.make_tensor_view %src, shape = [%c8, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%src_vr, %src_vc]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x?xf32>
    %src_tile = pto.alloc_tile valid_row = %src_vr valid_col = %src_vc : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=32, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tload ins(%src_part : !pto.partition_tensor_view<?x?xf32>)
        outs(%src_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=32, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    %idx_view = pto.make_tensor_view %idx, shape = [%c8, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xi32>
    %idx_part = pto.partition_view %idx_view, offsets = [%c0, %c0], sizes = [%src_vr, %src_vc]
        : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<?x?xi32>
    %idx_tile = pto.alloc_tile valid_row = %src_vr valid_col = %src_vc : !pto.tile_buf<loc=vec, dtype=i32, rows=8, cols=32, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tload ins(%idx_part : !pto.partition_tensor_view<?x?xi32>)
        outs(%idx_tile : !pto.tile_buf<loc=vec, dtype=i32, rows=8, cols=32, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    %table_view = pto.make_tensor_view %table, shape = [%table_d2, %table_d3, %table_d4], strides = [%table_d3_x_table_d4, %table_d4, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?x?xf32>
    %table_part = pto.partition_view %table_view, offsets = [%c0, %c0, %c0], sizes = [%table_d2, %table_d3, %table_d4]
        : !pto.tensor_view<?x?x?xf32> -> !pto.partition_tensor_view<?x?x?xf32>
    pto.mscatter ins(%src_tile, %idx_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=32, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>, !pto.tile_buf<loc=vec, dtype=i32, rows=8, cols=32, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
        outs(%table_part : !pto.partition_tensor_view<?x?x?xf32>)
        {coalesce = #pto<coalesce elem>, scatterAtomicOp = #pto<scatter_atomic_op add>,
         scatterOob = #pto<scatter_oob skip>}

    pto.fence.barrier_all #pto.fence_scope<gm>
    pto.cmo.cacheinvalid all #pto.address_space<gm>
    pto.fence.barrier_all #pto.fence_scope<gm>
    return
  }
}
