// mscatter.row.wrap on A5 as a module of the PTO assembler, from the spec
// a5:mscatter.row.wrap src=f32[64x32|?x32] idx=i32[1x64|1x?] table=f32[?x32]
// Assembled, with its waits: ptoas --pto-arch=a5 --enable-insert-sync mscatter_row_wrap_f32.pto -o mscatter_row_wrap_f32.cpp
// Launched: mscatter_row_wrap_f32<<<1, nullptr, stream>>>(src, idx, table, src_vr, table_d3)
module attributes {pto.target_arch = "a5"} {
  func.func @mscatter_row_wrap_f32(%src: !pto.ptr<f32>, %idx: !pto.ptr<i32>, %table: !pto.ptr<f32>, %src_vr: index, %table_d3: index)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index

    %has_slots = arith.cmpi ne, %table_d3, %c0 : index
    scf.if %has_slots {
      %src_view = pto.make_tensor_view %src, shape = [%c64, %c32], strides = [%c32, %c1]
          {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
      %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%src_vr, %c32]
          : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x32xf32>
      %src_tile = pto.alloc_tile valid_row = %src_vr : !pto.tile_buf<loc=vec, dtype=f32, rows=64, cols=32, v_row=?, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>
      pto.tload ins(%src_part : !pto.partition_tensor_view<?x32xf32>)
          outs(%src_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=64, cols=32, v_row=?, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

      %idx_view = pto.make_tensor_view %idx, shape = [%c1, %c64], strides = [%c64, %c1]
          {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xi32>
      %idx_part = pto.partition_view %idx_view, offsets = [%c0, %c0], sizes = [%c1, %src_vr]
          : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1x?xi32>
      %idx_tile = pto.alloc_tile valid_col = %src_vr : !pto.tile_buf<loc=vec, dtype=i32, rows=1, cols=64, v_row=1, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
      pto.tload ins(%idx_part : !pto.partition_tensor_view<1x?xi32>)
          outs(%idx_tile : !pto.tile_buf<loc=vec, dtype=i32, rows=1, cols=64, v_row=1, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

      %table_view = pto.make_tensor_view %table, shape = [%table_d3, %c32], strides = [%c32, %c1]
          {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
      %table_part = pto.partition_view %table_view, offsets = [%c0, %c0], sizes = [%table_d3, %c32]
          : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x32xf32>
      pto.mscatter ins(%src_tile, %idx_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=64, cols=32, v_row=?, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>, !pto.tile_buf<loc=vec, dtype=i32, rows=1, cols=64, v_row=1, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
          outs(%table_part : !pto.partition_tensor_view<?x32xf32>)
          {coalesce = #pto<coalesce row>, scatterAtomicOp = #pto<scatter_atomic_op none>,
           scatterOob = #pto<scatter_oob wrap>, scatterConflict = #pto<scatter_conflict last>}

      pto.fence.barrier_all #pto.fence_scope<gm>
      pto.cmo.cacheinvalid all #pto.address_space<gm>
      pto.fence.barrier_all #pto.fence_scope<gm>
    }
    return
  }
}
