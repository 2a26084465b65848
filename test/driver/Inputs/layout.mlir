// A product of two tiles, converted to a layout other than the instruction's.
#rows = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [4, 1]>
gpu.module @kernels {
  gpu.func @multiply(%a: memref<16x16xf16>, %b: memref<16x16xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, layout.scope = #layout.scope<wave>} {
    %c0 = arith.constant 0 : index
    %h = arith.constant 0.0 : f16
    %v = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]}
        : memref<16x16xf16>, vector<16x16xf16>
    %z = arith.constant dense<0.0> : vector<16x16xf32>
    %d = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %v, %v, %z
        : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
    %r = layout.to_layout %d to layout(#rows) : vector<16x16xf32>
    vector.transfer_write %r, %b[%c0, %c0] {in_bounds = [true, true]}
        : vector<16x16xf32>, memref<16x16xf32>
    gpu.return
  }
}
