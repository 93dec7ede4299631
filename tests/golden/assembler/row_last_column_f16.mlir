// mscatter.row.clamp on A5 as a module of the PTO assembler, from the spec
// a5:mscatter.row.clamp src=f16[8x64] idx=i32[8x1]:cm table=f16[65536x64]
// Assembled, with its waits: ptoas --pto-arch=a5 --enable-insert-sync mscatter_row_clamp_f16.pto -o mscatter_row_clamp_f16.cpp
// Launched: mscatter_row_clamp_f16<<<1, nullptr, stream>>>(src, idx, table)
module attributes {pto.target_arch = "a5"} {
  func.func @mscatter_row_clamp_f16(%src: !pto.ptr<f16>, %idx: !pto.ptr<i32>, %table: !pto.ptr<f16>)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %c65536 = arith.constant 65536 : index

    %src_view = pto.make_tensor_view %src, shape = [%c8, %c64], strides = [%c64, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf16>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c8, %c64]
        : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<8x64xf16>
    %src_tile = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf16>
    pto.tload ins(%src_part : !pto.partition_tensor_view<8x64xf16>)
        outs(%src_tile : !pto.tile_buf<vec, 8x64xf16>)

    %idx_view = pto.make_tensor_view %idx, shape = [%c8, %c1], strides = [%c1, %c8]
        {layout = #pto.layout<dn>} : !pto.tensor_view<?x?xi32>
    %idx_part = pto.partition_view %idx_view, offsets = [%c0, %c0], sizes = [%c8, %c1]
        : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<8x1xi32>
    %idx_tile = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=i32, rows=8, cols=1, v_row=8, v_col=1, blayout=col_major, slayout=none_box, fractal=512, pad=0>
    pto.tload ins(%idx_part : !pto.partition_tensor_view<8x1xi32>)
        outs(%idx_tile : !pto.tile_buf<loc=vec, dtype=i32, rows=8, cols=1, v_row=8, v_col=1, blayout=col_major, slayout=none_box, fractal=512, pad=0>)

    %table_view = pto.make_tensor_view %table, shape = [%c65536, %c64], strides = [%c64, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf16>
    %table_part = pto.partition_view %table_view, offsets = [%c0, %c0], sizes = [%c65536, %c64]
        : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<65536x64xf16>
    pto.mscatter ins(%src_tile, %idx_tile : !pto.tile_buf<vec, 8x64xf16>, !pto.tile_buf<loc=vec, dtype=i32, rows=8, cols=1, v_row=8, v_col=1, blayout=col_major, slayout=none_box, fractal=512, pad=0>)
        outs(%table_part : !pto.partition_tensor_view<65536x64xf16>)
        {coalesce = #pto<coalesce row>, scatterAtomicOp = #pto<scatter_atomic_op none>,
         scatterOob = #pto<scatter_oob clamp>, scatterConflict = #pto<scatter_conflict last>}

    pto.fence.barrier_all #pto.fence_scope<gm>
    pto.cmo.cacheinvalid all #pto.address_space<gm>
    pto.fence.barrier_all #pto.fence_scope<gm>
    return
  }
}
