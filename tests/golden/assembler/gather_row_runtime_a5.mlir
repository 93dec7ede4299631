// mgather.row.clamp on A5 as a module of the PTO assembler, from the spec
// a5:mgather.row.clamp dst=bf16[16x16|?x16] idx=i32[16x1|?x1]:cm table=bf16[?x16]
// Assembled, with its waits: ptoas --pto-arch=a5 --enable-insert-sync mgather_row_clamp_bf16.pto -o mgather_row_clamp_bf16.cpp
// Launched: mgather_row_clamp_bf16<<<1, nullptr, stream>>>(dst, idx, table, dst_vr, table_d3)
module attributes {pto.target_arch = "a5"} {
  func.func @mgather_row_clamp_bf16(%dst: !pto.ptr<bf16>, %idx: !pto.ptr<i32>, %table: !pto.ptr<bf16>, %dst_vr: index, %table_d3: index)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index

    %has_slots = arith.cmpi ne, %table_d3, %c0 : index
    scf.if %has_slots {
      %idx_view = pto.make_tensor_view %idx, shape = [%c16, %c1], strides = [%c1, %c16]
          {layout = #pto.layout<dn>} : !pto.tensor_view<?x?xi32>
      %idx_part = pto.partition_view %idx_view, offsets = [%c0, %c0], sizes = [%dst_vr, %c1]
          : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<?x1xi32>
      %idx_tile = pto.alloc_tile valid_row = %dst_vr : !pto.tile_buf<loc=vec, dtype=i32, rows=16, cols=1, v_row=?, v_col=1, blayout=col_major, slayout=none_box, fractal=512, pad=0>
      pto.tload ins(%idx_part : !pto.partition_tensor_view<?x1xi32>)
          outs(%idx_tile : !pto.tile_buf<loc=vec, dtype=i32, rows=16, cols=1, v_row=?, v_col=1, blayout=col_major, slayout=none_box, fractal=512, pad=0>)

      %table_view = pto.make_tensor_view %table, shape = [%table_d3, %c16], strides = [%c16, %c1]
          {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xbf16>
      %table_part = pto.partition_view %table_view, offsets = [%c0, %c0], sizes = [%table_d3, %c16]
          : !pto.tensor_view<?x?xbf16> -> !pto.partition_tensor_view<?x16xbf16>
      %dst_view = pto.make_tensor_view %dst, shape = [%c16, %c16], strides = [%c16, %c1]
          {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xbf16>
      %dst_part = pto.partition_view %dst_view, offsets = [%c0, %c0], sizes = [%dst_vr, %c16]
          : !pto.tensor_view<?x?xbf16> -> !pto.partition_tensor_view<?x16xbf16>
      %dst_tile = pto.alloc_tile valid_row = %dst_vr : !pto.tile_buf<loc=vec, dtype=bf16, rows=16, cols=16, v_row=?, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>
      pto.mgather ins(%table_part, %idx_tile : !pto.partition_tensor_view<?x16xbf16>, !pto.tile_buf<loc=vec, dtype=i32, rows=16, cols=1, v_row=?, v_col=1, blayout=col_major, slayout=none_box, fractal=512, pad=0>)
          outs(%dst_tile : !pto.tile_buf<loc=vec, dtype=bf16, rows=16, cols=16, v_row=?, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
          {coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob clamp>}

      pto.tstore ins(%dst_tile : !pto.tile_buf<loc=vec, dtype=bf16, rows=16, cols=16, v_row=?, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
          outs(%dst_part : !pto.partition_tensor_view<?x16xbf16>)
    }
    return
  }
}
