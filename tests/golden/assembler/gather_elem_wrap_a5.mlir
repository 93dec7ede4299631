// mgather.elem.wrap on A5 as a module of the PTO assembler, from the spec
// a5:mgather.elem.wrap dst=i8[4x32] idx=u32[4x32] table=i8[2x3x64]
// Assembled, with its waits: ptoas --pto-arch=a5 --enable-insert-sync mgather_elem_wrap_i8.pto -o mgather_elem_wrap_i8.cpp
// Launched: mgather_elem_wrap_i8<<<1, nullptr, stream>>>(dst, idx, table)
module attributes {pto.target_arch = "a5"} {
  func.func @mgather_elem_wrap_i8(%dst: !pto.ptr<i8>, %idx: !pto.ptr<ui32>, %table: !pto.ptr<i8>)
      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c192 = arith.constant 192 : index

    %idx_view = pto.make_tensor_view %idx, shape = [%c4, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xui32>
    %idx_part = pto.partition_view %idx_view, offsets = [%c0, %c0], sizes = [%c4, %c32]
        : !pto.tensor_view<?x?xui32> -> !pto.partition_tensor_view<4x32xui32>
    %idx_tile = pto.alloc_tile : !pto.tile_buf<vec, 4x32xui32>
    pto.tload ins(%idx_part : !pto.partition_tensor_view<4x32xui32>)
        outs(%idx_tile : !pto.tile_buf<vec, 4x32xui32>)

    %table_view = pto.make_tensor_view %table, shape = [%c2, %c3, %c64], strides = [%c192, %c64, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?x?xi8>
    %table_part = pto.partition_view %table_view, offsets = [%c0, %c0, %c0], sizes = [%c2, %c3, %c64]
        : !pto.tensor_view<?x?x?xi8> -> !pto.partition_tensor_view<2x3x64xi8>
    %dst_view = pto.make_tensor_view %dst, shape = [%c4, %c32], strides = [%c32, %c1]
        {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xi8>
    %dst_part = pto.partition_view %dst_view, offsets = [%c0, %c0], sizes = [%c4, %c32]
        : !pto.tensor_view<?x?xi8> -> !pto.partition_tensor_view<4x32xi8>
    %dst_tile = pto.alloc_tile : !pto.tile_buf<vec, 4x32xi8>
    pto.mgather ins(%table_part, %idx_tile : !pto.partition_tensor_view<2x3x64xi8>, !pto.tile_buf<vec, 4x32xui32>)
        outs(%dst_tile : !pto.tile_buf<vec, 4x32xi8>)
        {coalesce = #pto<coalesce elem>, gatherOob = #pto<gather_oob wrap>}

    pto.tstore ins(%dst_tile : !pto.tile_buf<vec, 4x32xi8>)
        outs(%dst_part : !pto.partition_tensor_view<4x32xi8>)
    return
  }
}
