// On Xe factors are in the instruction's own layout, and each wave prefetches a
// block of the tile.
// RUN: %aircc opt %s --layout-apply-strategies=target=%targets/bmg.json | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-DAG: #[[A:.+]] = #layout.nested<subgroup_tile = [4, 1], {{.*}}thread_tile = [1, 16]
// CHECK-DAG: #[[B:.+]] = #layout.nested<subgroup_tile = [1, 2], {{.*}}thread_tile = [1, 16], element_tile = [16, 1]
// CHECK-LABEL: gpu.func @direct
// CHECK: xegpu.prefetch_nd {{.*}}layout = #xegpu.layout<sg_layout = [8, 1], sg_data = [8, 16]>
// CHECK-DAG: layout.to_layout %{{.+}} to layout(#[[A]]) : vector<64x16xf16>
// CHECK-DAG: layout.to_layout %{{.+}} to layout(#[[B]]) : vector<16x64xf16>
// CHECK: vector.contract {{.*}}{layout.matrix_instruction = "dpas.f32.8x16x16.f16"}
// CHECK-NOT: layout.strategy
gpu.module @direct {
  gpu.func @direct(%a: memref<64x512xf16>, %b: memref<512x64xf16>, %c: memref<64x64xf32>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %c0 = arith.constant 0 : index
    %h = arith.constant 0.0 : f16
    %f = arith.constant 0.0 : f32
    %m = xegpu.create_nd_tdesc %a : memref<64x512xf16> -> !xegpu.tensor_desc<64x16xf16>
    xegpu.prefetch_nd %m[%c0, %c0] {layout.strategy = #layout.tile_transfer<8>} : !xegpu.tensor_desc<64x16xf16>
    %x = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x512xf16>, vector<64x16xf16>
    %y = vector.transfer_read %b[%c0, %c0], %h {in_bounds = [true, true]} : memref<512x64xf16>, vector<16x64xf16>
    %z = vector.transfer_read %c[%c0, %c0], %f {in_bounds = [true, true]} : memref<64x64xf32>, vector<64x64xf32>
    %d = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z
         {layout.strategy = #layout.contraction_strategy<"dpas.f32.8x16x16.f16", 4 x 2, direct>} : vector<64x16xf16>, vector<16x64xf16> into vector<64x64xf32>
    vector.transfer_write %d, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}
