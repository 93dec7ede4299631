// mscatter.row on A2/A3 as a module of the PTO assembler, from the spec
// a2a3:mscatter.row src=f32[16x32|9x32] idx=i32[1x16|1x9] table=f32[64x32@40x1]
// Assembled, with its waits: ptoas --pto-arch=a3 --enable-insert-sync mscatter_row_f32.pto -o mscatter_row_f32.cpp
// Launched: mscatter_row_f32<<<1, nullptr, stream>>>(src, idx, table)
module attributes {pto.target_arch = "a3"} {
  func.func @mscatter_row_f32(%src: !pto.ptr<f32>, %idx: !pto.ptr<i32>, %table: !pto.ptr<f32>)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c40 = arith.constant 40 : index
    %c64 = arith.constant 64 : index

    %src_view = pto.make_tensor_view %src, shape = [%c16, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c9, %c32]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<9x32xf32>
    %src_tile = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=32, v_row=9, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tload ins(%src_part : !pto.partition_tensor_view<9x32xf32>)
        outs(%src_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=32, v_row=9, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    %idx_view = pto.make_tensor_view %idx, shape = [%c1, %c16], strides = [%c16, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xi32>
    %idx_part = pto.partition_view %idx_view, offsets = [%c0, %c0], sizes = [%c1, %c9]
        : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1x9xi32>
    %idx_tile = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=i32, rows=1, cols=16, v_row=1, v_col=9, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.tload ins(%idx_part : !pto.partition_tensor_view<1x9xi32>)
        outs(%idx_tile : !pto.tile_buf<loc=vec, dtype=i32, rows=1, cols=16, v_row=1, v_col=9, blayout=row_major, slayout=none_box, fractal=512, pad=0>)

    %table_view = pto.make_tensor_view %table, shape = [%c64, %c32], strides = [%c40, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %table_part = pto.partition_view %table_view, offsets = [%c0, %c0], sizes = [%c64, %c32]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<64x32xf32>
    pto.mscatter ins(%src_tile, %idx_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=32, v_row=9, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>, !pto.tile_buf<loc=vec, dtype=i32, rows=1, cols=16, v_row=1, v_col=9, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
        outs(%table_part : !pto.partition_tensor_view<64x32xf32>)
        {coalesce = #pto<coalesce row>, scatterAtomicOp = #pto<scatter_atomic_op none>,
         scatterOob = #pto<scatter_oob undefined>}
    return
  }
}
