// tscatter.p1010 on A5 as a module of the PTO assembler, from the spec
// a5:tscatter.p1010 src=f16[16x64] dst=f16[16x128]
// Assembled, with its waits: ptoas --pto-arch=a5 --enable-insert-sync tscatter_p1010_f16.pto -o tscatter_p1010_f16.cpp
// Launched: tscatter_p1010_f16<<<1, nullptr, stream>>>(src, dst)
module attributes {pto.target_arch = "a5"} {
  func.func @tscatter_p1010_f16(%src: !pto.ptr<f16>, %dst: !pto.ptr<f16>)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index

    %src_view = pto.make_tensor_view %src, shape = [%c16, %c64], strides = [%c64, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf16>
    %src_part = pto.partition_view %src_view, offsets = [%c0, %c0], sizes = [%c16, %c64]
        : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<16x64xf16>
    %src_tile = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf16>
    pto.tload ins(%src_part : !pto.partition_tensor_view<16x64xf16>)
        outs(%src_tile : !pto.tile_buf<vec, 16x64xf16>)

    %dst_view = pto.make_tensor_view %dst, shape = [%c16, %c128], strides = [%c128, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf16>
    %dst_part = pto.partition_view %dst_view, offsets = [%c0, %c0], sizes = [%c16, %c128]
        : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<16x128xf16>
    %dst_tile = pto.alloc_tile : !pto.tile_buf<vec, 16x128xf16>
    pto.tscatter ins(%src_tile, {maskPattern = #pto.mask_pattern<P1010>} : !pto.tile_buf<vec, 16x64xf16>, "row")
        outs(%dst_tile : !pto.tile_buf<vec, 16x128xf16>)

    pto.tstore ins(%dst_tile : !pto.tile_buf<vec, 16x128xf16>)
        outs(%dst_part : !pto.partition_tensor_view<16x128xf16>)
    return
  }
}
