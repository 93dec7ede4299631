// comm.tscatter on A2/A3 as a module of the PTO assembler, from the spec
// a2a3:comm.tscatter src=f32[64x32] dst=f32[16x32] stage=f32[16x64] ranks=4 root=1
// Assembled, with its waits: ptoas --pto-arch=a3 --enable-insert-sync comm_tscatter_f32.pto -o comm_tscatter_f32.cpp
// Launched: comm_tscatter_f32<<<1, nullptr, stream>>>(src, dst0, dst1, dst2, dst3)
module attributes {pto.target_arch = "a3"} {
  func.func @comm_tscatter_f32(%src: !pto.ptr<f32>, %dst0: !pto.ptr<f32>, %dst1: !pto.ptr<f32>, %dst2: !pto.ptr<f32>, %dst3: !pto.ptr<f32>)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index

    %src_view = pto.make_tensor_view %src, shape = [%c64, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c64, %c32]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<64x32xf32>

    %dst0_view = pto.make_tensor_view %dst0, shape = [%c16, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %dst0_part = pto.partition_view %dst0_view, offsets = [%c0, %c0], sizes = [%c16, %c32]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x32xf32>

    %dst1_view = pto.make_tensor_view %dst1, shape = [%c16, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %dst1_part = pto.partition_view %dst1_view, offsets = [%c0, %c0], sizes = [%c16, %c32]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x32xf32>

    %dst2_view = pto.make_tensor_view %dst2, shape = [%c16, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %dst2_part = pto.partition_view %dst2_view, offsets = [%c0, %c0], sizes = [%c16, %c32]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x32xf32>

    %dst3_view = pto.make_tensor_view %dst3, shape = [%c16, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %dst3_part = pto.partition_view %dst3_view, offsets = [%c0, %c0], sizes = [%c16, %c32]
        : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x32xf32>

    %stage_tile = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    pto.comm.tscatter(%src_part, recv(%stage_tile), group(%dst0_part, %dst1_part, %dst2_part, %dst3_part)
        : !pto.partition_tensor_view<64x32xf32>, !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>, !pto.partition_tensor_view<16x32xf32>, !pto.partition_tensor_view<16x32xf32>, !pto.partition_tensor_view<16x32xf32>, !pto.partition_tensor_view<16x32xf32>)
        {root = 1 : i32}
    return
  }
}
