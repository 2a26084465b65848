// Attributes and ops are read and written.
// RUN: %aircc opt --allow-unregistered-dialect %s | FileCheck %s
// RUN: %aircc opt --allow-unregistered-dialect %s > %t.mlir
// RUN: %aircc opt --allow-unregistered-dialect %t.mlir | diff %t.mlir -
// RUN: %aircc opt --allow-unregistered-dialect --mlir-print-op-generic %s | %aircc opt --allow-unregistered-dialect | diff %t.mlir -
// RUN: %aircc opt --allow-unregistered-dialect --emit-bytecode %s | %aircc opt --allow-unregistered-dialect | diff %t.mlir -

// Equal maps are one attribute, in the canonical form: outer tiles are part of
// the batch, without a thread tile everything is the element tile, strides of
// tiles of one are 0, and the order of the lists does not count.
// CHECK: #[[$ROWS:.*]] = #layout.nested<subgroup_tile = [2, 1], batch_tile = [2, 1], outer_tile = [1, 1], thread_tile = [16, 1], element_tile = [1, 64], subgroup_strides = [1, 0], thread_strides = [1, 0]>
#rows = #layout.nested<subgroup_tile = [2, 1], batch_tile = [2, 1], outer_tile = [1, 1],
                       thread_tile = [16, 1], element_tile = [1, 64],
                       subgroup_strides = [1, 0], thread_strides = [1, 0]>
#rows2 = #layout.nested<thread_tile = [16, 1], thread_strides = [1, 7], element_tile = [1, 2],
                        batch_tile = [1, 8], outer_tile = [2, 4],
                        subgroup_tile = [2, 1], subgroup_strides = [1, 5]>
// The old name of `cycle_tile`.
// CHECK: #[[$CYCLIC:.*]] = #layout.nested<cycle_tile = [2], subgroup_tile = [2], {{.*}}>
#cyclic = #layout.nested<round_tile = [2], subgroup_tile = [2], batch_tile = [1], outer_tile = [1],
                         thread_tile = [4], element_tile = [4], subgroup_strides = [1], thread_strides = [1]>
#scalar = #layout.nested<subgroup_tile = [], batch_tile = [], outer_tile = [], thread_tile = [],
                         element_tile = [], subgroup_strides = [], thread_strides = []>

// CHECK-LABEL: func.func @to_layout(
// CHECK-SAME: %[[V:.*]]: vector<64x64xf16>, %[[S:.*]]: vector<f32>, %[[C:.*]]: vector<64xf32>)
func.func @to_layout(%v: vector<64x64xf16>, %s: vector<f32>, %c: vector<64xf32>) {
  // CHECK: layout.to_layout %[[V]] to layout(#[[$ROWS]]) : vector<64x64xf16>
  %0 = layout.to_layout %v to layout(#rows) : vector<64x64xf16>
  // CHECK: layout.to_layout %{{.*}} to layout(#[[$ROWS]]) {shared_memory_conversion} : vector<64x64xf16>
  %1 = layout.to_layout %0 to layout(#rows2) {shared_memory_conversion} : vector<64x64xf16>
  // CHECK: layout.to_layout %[[S]] to layout(#{{.*}}) : vector<f32>
  %2 = layout.to_layout %s to layout(#scalar) : vector<f32>
  // CHECK: layout.to_layout %[[C]] to layout(#[[$CYCLIC]]) : vector<64xf32>
  %3 = layout.to_layout %c to layout(#cyclic) : vector<64xf32>
  return
}

// CHECK-LABEL: func.func @async_dma(
// CHECK-SAME: %[[A:[a-z0-9]*]]: memref<128x256xf16>, %[[LDS:.*]]: memref<16x64xf16, #gpu.address_space<workgroup>>, %[[ROW:.*]]: memref<64xf16, #gpu.address_space<workgroup>>, %[[R:.*]]: vector<16xindex>, %[[I:.*]]: index)
func.func @async_dma(%a: memref<128x256xf16>, %lds: memref<16x64xf16, #gpu.address_space<workgroup>>,
                     %row: memref<64xf16, #gpu.address_space<workgroup>>, %rows: vector<16xindex>, %i: index) {
  // CHECK: layout.async_dma %[[A]][%[[I]], %[[I]]] to %[[LDS]][%[[I]], %[[I]]], vector<16x64xf16> : memref<128x256xf16>, memref<16x64xf16, #gpu.address_space<workgroup>>
  layout.async_dma %a[%i, %i] to %lds[%i, %i], vector<16x64xf16>
      : memref<128x256xf16>, memref<16x64xf16, #gpu.address_space<workgroup>>
  // CHECK: layout.async_dma %[[A]][%[[R]], %[[I]]] to {{.*}}, vector<16x32xf16> in_bounds [false, true] : memref<128x256xf16>[vector<16xindex>, index], memref<16x64xf16, #gpu.address_space<workgroup>>
  layout.async_dma %a[%rows, %i] to %lds[%i, %i], vector<16x32xf16> in_bounds [false, true]
      : memref<128x256xf16> [vector<16xindex>, index], memref<16x64xf16, #gpu.address_space<workgroup>>
  // CHECK: layout.async_dma {{.*}}, vector<64xf16> permutation_map #{{.*}} {tag} : memref<128x256xf16>, memref<64xf16, #gpu.address_space<workgroup>>
  layout.async_dma %a[%i, %i] to %row[%i], vector<64xf16>
      permutation_map affine_map<(d0, d1) -> (d0)> {tag}
      : memref<128x256xf16>, memref<64xf16, #gpu.address_space<workgroup>>
  return
}

// CHECK-LABEL: func.func @swizzle_hint(
func.func @swizzle_hint(%m: memref<64x64xf16, 3>) -> memref<64x64xf16, 3> {
  // CHECK: layout.swizzle_hint %{{.*}}[#layout.xor_shuffle<64, 8>] : memref<64x64xf16, 3>
  %s = layout.swizzle_hint %m[#layout.xor_shuffle<64, 8>] : memref<64x64xf16, 3>
  // CHECK: layout.swizzle_hint %{{.*}}[#layout.xor_shuffle<512, 16, 2>] : memref<64x64xf16, 3>
  %t = layout.swizzle_hint %m[#layout.xor_shuffle<512, 16, 2>] : memref<64x64xf16, 3>
  return %s : memref<64x64xf16, 3>
}

// CHECK-LABEL: func.func @attributes(
func.func @attributes(%v: vector<64x64xf16>) {
  // CHECK: arith.addf {{.*}} {layout.results = [#[[$ROWS]]], layout.scope = #layout.scope<wave>}
  %0 = arith.addf %v, %v {layout.results = [#rows2], layout.scope = #layout.scope<wave>} : vector<64x64xf16>
  // CHECK: "test.op"({{.*}}) {layout.results = [#[[$ROWS]], unit]}
  %1:2 = "test.op"(%0) {layout.results = [#rows, unit]} : (vector<64x64xf16>) -> (vector<64x64xf16>, index)
  return
}
