// Layouts that users give are kept at their op and propagate forward and backward: through
// transposes, reductions and broadcasts, to scattered accesses and prefetches. If two of them
// require different layouts of one value, there is a conversion.
// RUN: %aircc opt %s --split-input-file --layout-prepare-xegpu=target=%targets/bmg.json --layout-set-anchors=target=%targets/bmg.json --layout-propagate-layouts=target=%targets/bmg.json --layout-check-layouts=target=%targets/bmg.json | FileCheck %s

// A transpose permutes the store's layout: the load's rows are the store's columns.
#t = #xegpu.layout<sg_layout = [4, 2], sg_data = [16, 32], order = [1, 0]>
// CHECK-DAG: #[[LOADED:.*]] = #layout.nested<subgroup_tile = [2, 4], {{.*}}subgroup_strides = [1, 2], thread_strides = [1, 0]>
// CHECK-DAG: #[[STORED:.*]] = #layout.nested<subgroup_tile = [4, 2], {{.*}}subgroup_strides = [2, 1], thread_strides = [0, 1]>
// CHECK-LABEL: gpu.func @transposed_store
// CHECK-NOT: layout.to_layout
// CHECK: xegpu.load_nd {{.*}} <{layout = #xegpu.layout<sg_layout = [2, 4], sg_data = [32, 16], lane_layout = [16, 1], lane_data = [1, 1], order = [0, 1]>}> {layout.defaults = ["layout"], layout.results = [#[[LOADED]]]
// CHECK: vector.transpose {{.*}}layout.results = [#[[STORED]]]
// CHECK: xegpu.store_nd {{.*}} <{layout = #xegpu.layout<sg_layout = [4, 2], sg_data = [16, 32], order = [1, 0]>}> {layout.scope
gpu.module @m {
  gpu.func @transposed_store(%A: memref<64x64xf32>, %B: memref<64x64xf32>) kernel {
    %da = xegpu.create_nd_tdesc %A : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
    %db = xegpu.create_nd_tdesc %B : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
    %a = xegpu.load_nd %da[0, 0] : !xegpu.tensor_desc<64x64xf32> -> vector<64x64xf32>
    %t = vector.transpose %a, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
    xegpu.store_nd %t, %db[0, 0] <{layout = #t}> : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32>
    gpu.return
  }
}

// -----

// One load with two users that have different layouts.
#u = #xegpu.layout<sg_layout = [4, 1], sg_data = [8, 32]>
#v = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>
// CHECK-DAG: #[[FIRST:.*]] = #layout.nested<subgroup_tile = [4, 1], {{.*}}element_tile = [8, 1]
// CHECK-DAG: #[[SECOND:.*]] = #layout.nested<subgroup_tile = [2, 2], {{.*}}element_tile = [16, 1]
// CHECK-LABEL: gpu.func @two_stores
// CHECK: %[[LOAD:.*]] = xegpu.load_nd {{.*}}layout.defaults = ["layout"], layout.results = [#[[FIRST]]]
// CHECK: %[[MOVED:.*]] = layout.to_layout %[[LOAD]] to layout(#[[SECOND]])
// CHECK: xegpu.store_nd %[[LOAD]], {{.*}} <{layout = #xegpu.layout<sg_layout = [4, 1], sg_data = [8, 32]>}> {layout.scope
// CHECK: xegpu.store_nd %[[MOVED]], {{.*}} <{layout = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>}> {layout.scope
gpu.module @m {
  gpu.func @two_stores(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) kernel {
    %da = xegpu.create_nd_tdesc %A : memref<32x32xf32> -> !xegpu.tensor_desc<32x32xf32>
    %db = xegpu.create_nd_tdesc %B : memref<32x32xf32> -> !xegpu.tensor_desc<32x32xf32>
    %dc = xegpu.create_nd_tdesc %C : memref<32x32xf32> -> !xegpu.tensor_desc<32x32xf32>
    %a = xegpu.load_nd %da[0, 0] : !xegpu.tensor_desc<32x32xf32> -> vector<32x32xf32>
    xegpu.store_nd %a, %db[0, 0] <{layout = #u}> : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    xegpu.store_nd %a, %dc[0, 0] <{layout = #v}> : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    gpu.return
  }
}

// -----

// Reductions: one row per subgroup, stored by an op with a layout.
#line = #xegpu.layout<sg_layout = [4], sg_data = [16]>
// CHECK-DAG: #[[LINE:.*]] = #layout.nested<subgroup_tile = [4], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [1], thread_strides = [1]>
// CHECK-DAG: #[[ROWS:.*]] = #layout.nested<subgroup_tile = [4, 1], {{.*}}thread_tile = [16, 1], element_tile = [1, 64]
// CHECK-LABEL: gpu.func @line_of_rows
// CHECK-NOT: layout.to_layout
// CHECK: xegpu.load_nd {{.*}}sg_layout = [4, 1], sg_data = [16, 64]{{.*}}layout.defaults = ["layout"], layout.results = [#[[ROWS]]]
// CHECK: vector.multi_reduction {{.*}}layout.results = [#[[LINE]]]
// CHECK: xegpu.store_nd {{.*}} <{layout = #xegpu.layout<sg_layout = [4], sg_data = [16]>}> {layout.scope
gpu.module @m {
  gpu.func @line_of_rows(%A: memref<64x64xf32>, %B: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant dense<0.0> : vector<64xf32>
    %da = xegpu.create_nd_tdesc %A : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32>
    %db = xegpu.create_nd_tdesc %B : memref<64xf32> -> !xegpu.tensor_desc<64xf32>
    %a = xegpu.load_nd %da[0, 0] : !xegpu.tensor_desc<64x64xf32> -> vector<64x64xf32>
    %s = vector.multi_reduction <add>, %a, %zero [1] : vector<64x64xf32> to vector<64xf32>
    xegpu.store_nd %s, %db[0] <{layout = #line}> : vector<64xf32>, !xegpu.tensor_desc<64xf32>
    gpu.return
  }
}

// -----

// A scattered store with a slice of a slice.
#sl = #xegpu.slice<#xegpu.slice<#xegpu.layout<sg_layout = [1, 2, 4], sg_data = [4, 16, 16]>, dims = [0]>, dims = [1]>
// CHECK-DAG: #[[LINE:.*]] = #layout.nested<subgroup_tile = [2], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [4], thread_strides = [1]>
// CHECK-DAG: #[[TILE:.*]] = #layout.nested<subgroup_tile = [2, 1], {{.*}}subgroup_strides = [4, 0]
// CHECK-DAG: #[[STACK:.*]] = #layout.nested<subgroup_tile = [1, 2, 1], {{.*}}subgroup_strides = [0, 4, 0]
// CHECK-LABEL: gpu.func @nested_slices
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK-NOT: layout.to_layout
// CHECK: xegpu.load_nd {{.*}}layout.results = [#[[TILE]]]
// CHECK: vector.broadcast {{.*}}layout.results = [#[[STACK]]]
// CHECK: vector.multi_reduction {{.*}}layout.results = [#[[TILE]]]
// CHECK: vector.multi_reduction {{.*}}layout.results = [#[[LINE]]]
// CHECK: vector.step {layout.results = [#[[LINE]]]
// CHECK: xegpu.store {{.*}} <{layout = #xegpu.slice<#xegpu.slice<#xegpu.layout<sg_layout = [1, 2, 4], sg_data = [4, 16, 16]>, dims = [0]>, dims = [1]>}> {layout.scope
gpu.module @m {
  gpu.func @nested_slices(%A: memref<32x64xf32>, %B: memref<32xf32>) kernel {
    %z1 = arith.constant dense<0.0> : vector<32xf32>
    %z2 = arith.constant dense<0.0> : vector<32x64xf32>
    %mask = arith.constant dense<true> : vector<32xi1>
    %da = xegpu.create_nd_tdesc %A : memref<32x64xf32> -> !xegpu.tensor_desc<32x64xf32>
    %a = xegpu.load_nd %da[0, 0] : !xegpu.tensor_desc<32x64xf32> -> vector<32x64xf32>
    %b = vector.broadcast %a : vector<32x64xf32> to vector<4x32x64xf32>
    %c = vector.multi_reduction <add>, %b, %z2 [0] : vector<4x32x64xf32> to vector<32x64xf32>
    %d = vector.multi_reduction <add>, %c, %z1 [1] : vector<32x64xf32> to vector<32xf32>
    %step = vector.step : vector<32xindex>
    xegpu.store %d, %B[%step], %mask <{layout = #sl}> : vector<32xf32>, memref<32xf32>, vector<32xindex>, vector<32xi1>
    gpu.return
  }
}

// -----

// A gather that subgroups execute cyclically, and the remaining rows.
#cyclic = #xegpu.layout<sg_layout = [1, 4], sg_data = [4, 16]>
// CHECK-DAG: #[[CYCLIC:.*]] = #layout.nested<cycle_tile = [1, 2], subgroup_tile = [1, 4], {{.*}}element_tile = [8, 1], subgroup_strides = [0, 1]
// CHECK-LABEL: gpu.func @gather_in_turns
// CHECK: arith.constant {layout.results = [#[[CYCLIC]]]{{.*}} : vector<8x128xindex>
// CHECK: xegpu.load {{.*}} <{layout = #xegpu.layout<sg_layout = [1, 4], sg_data = [4, 16]>}> {layout.results = [#[[CYCLIC]]]
gpu.module @m {
  gpu.func @gather_in_turns(%A: memref<2048xf32>, %B: memref<8xf32>) kernel {
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %places = arith.constant dense<3> : vector<8x128xindex>
    %all = arith.constant dense<true> : vector<8x128xi1>
    %a = xegpu.load %A[%places], %all <{layout = #cyclic}> : memref<2048xf32>, vector<8x128xindex>, vector<8x128xi1> -> vector<8x128xf32>
    %s = vector.multi_reduction <add>, %a, %zero [1] : vector<8x128xf32> to vector<8xf32>
    %at = vector.step : vector<8xindex>
    %m = arith.constant dense<true> : vector<8xi1>
    xegpu.store %s, %B[%at], %m : vector<8xf32>, memref<8xf32>, vector<8xindex>, vector<8xi1>
    gpu.return
  }
}

// -----

// The layouts of the prefetch and the load of the same tile differ.
#p = #xegpu.layout<sg_layout = [8, 1], sg_data = [8, 32]>
#l = #xegpu.layout<sg_layout = [2, 4], sg_data = [32, 8]>
// CHECK-DAG: #[[PREFETCHED:.*]] = #layout.nested<subgroup_tile = [8, 1]
// CHECK-DAG: #[[LOADED:.*]] = #layout.nested<subgroup_tile = [2, 4]
// CHECK-LABEL: gpu.func @prefetch
// CHECK: xegpu.prefetch_nd {{.*}} <{layout = #xegpu.layout<sg_layout = [8, 1], sg_data = [8, 32]>}> {layout.access = #[[PREFETCHED]]
// CHECK: xegpu.load_nd {{.*}} <{layout = #xegpu.layout<sg_layout = [2, 4], sg_data = [32, 8]>}> {layout.results = [#[[LOADED]]]
gpu.module @m {
  gpu.func @prefetch(%A: memref<64x32xf32>, %B: memref<64x32xf32>) kernel {
    %da = xegpu.create_nd_tdesc %A : memref<64x32xf32> -> !xegpu.tensor_desc<64x32xf32>
    %db = xegpu.create_nd_tdesc %B : memref<64x32xf32> -> !xegpu.tensor_desc<64x32xf32>
    xegpu.prefetch_nd %da[0, 0] <{layout = #p}> : !xegpu.tensor_desc<64x32xf32>
    %a = xegpu.load_nd %da[0, 0] <{layout = #l}> : !xegpu.tensor_desc<64x32xf32> -> vector<64x32xf32>
    xegpu.store_nd %a, %db[0, 0] : vector<64x32xf32>, !xegpu.tensor_desc<64x32xf32>
    gpu.return
  }
}

// -----

// A chunk is in one lane, even if its user requires another layout: that is a conversion.
#columns = #xegpu.layout<lane_layout = [4, 4], lane_data = [1, 1]>
// CHECK-DAG: #[[CHUNKS:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 1], element_tile = [1, 4]
// CHECK-DAG: #[[COLUMNS:.*]] = #layout.nested<{{.*}}thread_tile = [4, 4]
// CHECK-LABEL: gpu.func @chunks
// CHECK: %[[A:.*]] = xegpu.load {{.*}}layout.defaults = ["layout"], layout.results = [#[[CHUNKS]]]
// CHECK: %[[MOVED:.*]] = layout.to_layout %[[A]] to layout(#[[COLUMNS]])
// CHECK: xegpu.store_nd %[[MOVED]], {{.*}} <{layout = #xegpu.layout<lane_layout = [4, 4], lane_data = [1, 1]>}> {layout.scope
gpu.module @m {
  gpu.func @chunks(%A: memref<68xf32>, %B: memref<16x4xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %at = arith.constant dense<[26, 8, 47, 31, 41, 37, 57, 16, 18, 41, 58, 6, 16, 56, 47, 51]> : vector<16xindex>
    %all = arith.constant dense<true> : vector<16xi1>
    %a = xegpu.load %A[%at], %all <{chunk_size = 4}> : memref<68xf32>, vector<16xindex>, vector<16xi1> -> vector<16x4xf32>
    %d = xegpu.create_nd_tdesc %B : memref<16x4xf32> -> !xegpu.tensor_desc<16x4xf32>
    xegpu.store_nd %a, %d[0, 0] <{layout = #columns}> : vector<16x4xf32>, !xegpu.tensor_desc<16x4xf32>
    gpu.return
  }
}
