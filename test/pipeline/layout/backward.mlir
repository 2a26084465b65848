// Backward propagation from an anchor: operands get the layout from which lanes compute the
// required result.
// RUN: %aircc opt %s --split-input-file --layout-propagate-layouts=target=%targets/gfx942.json --layout-check-layouts=target=%targets/gfx942.json | FileCheck %s

#cols = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [2, 1], subgroup_strides = [0, 0], thread_strides = [8, 1]>

// CHECK-DAG: #[[L:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [2, 1], subgroup_strides = [0, 0], thread_strides = [8, 1]>
// CHECK-DAG: #[[T:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [1, 8]>
// CHECK-DAG: #[[ROW:.*]] = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [8], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
// CHECK-LABEL: gpu.func @elementwise_and_transpose
// CHECK-NOT: layout.to_layout
// CHECK: vector.transfer_read {{.*}} {in_bounds = [true, true], layout.results = [#[[T]]]
// CHECK: vector.transpose {{.*}} {layout.results = [#[[L]]]
// CHECK: vector.transfer_read {{.*}} {in_bounds = [true], layout.results = [#[[ROW]]]
// CHECK: vector.broadcast {{.*}} {layout.results = [#[[L]]]
// CHECK: arith.addf {{.*}} {layout.results = [#[[L]]]
gpu.module @m {
  gpu.func @elementwise_and_transpose(%a: memref<8x16xf32, #gpu.address_space<workgroup>>, %b: memref<8xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %r = vector.transfer_read %a[%c0, %c0], %f0 {in_bounds = [true, true]} : memref<8x16xf32, #gpu.address_space<workgroup>>, vector<8x16xf32>
    %t = vector.transpose %r, [1, 0] : vector<8x16xf32> to vector<16x8xf32>
    %s = vector.transfer_read %b[%c0], %f0 {in_bounds = [true]} : memref<8xf32, #gpu.address_space<workgroup>>, vector<8xf32>
    %u = vector.broadcast %s : vector<8xf32> to vector<16x8xf32>
    %0 = arith.addf %t, %u : vector<16x8xf32>
    %v = layout.to_layout %0 to layout(#cols) : vector<16x8xf32>
    vector.print %v : vector<16x8xf32>
    gpu.return
  }
}

// -----

// The source of a reduction: the lanes that hold copies of the result share the reduced dimension.
#row = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [8], element_tile = [1], subgroup_strides = [0], thread_strides = [8]>

// CHECK-DAG: #[[R:.*]] = #layout.nested<subgroup_tile = [1], {{.*}} thread_tile = [8], element_tile = [1], subgroup_strides = [0], thread_strides = [8]>
// CHECK-DAG: #[[S:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [8, 1]>
// CHECK-LABEL: gpu.func @reduction
// CHECK-NOT: layout.to_layout
// CHECK: vector.transfer_read {{.*}}layout.results = [#[[S]]]
// CHECK: arith.constant {layout.results = [#[[R]]]
// CHECK: vector.multi_reduction {{.*}} {layout.results = [#[[R]]]
gpu.module @m {
  gpu.func @reduction(%a: memref<8x32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%c0, %c0], %f0 {in_bounds = [true, true]} : memref<8x32xf32, #gpu.address_space<workgroup>>, vector<8x32xf32>
    %acc = arith.constant dense<0.0> : vector<8xf32>
    %s = vector.multi_reduction <add>, %v, %acc [1] : vector<8x32xf32> to vector<8xf32>
    %l = layout.to_layout %s to layout(#row) : vector<8xf32>
    vector.print %l : vector<8xf32>
    gpu.return
  }
}

// -----

// Masks of transfers have the dimensions of memory; the lanes of a mask are those of the vector.
#v = #layout.nested<subgroup_tile = [1, 1, 1], batch_tile = [1, 1, 1], outer_tile = [1, 1, 1], thread_tile = [8, 1, 8], element_tile = [1, 2, 1], subgroup_strides = [0, 0, 0], thread_strides = [8, 0, 1]>

// CHECK-DAG: #[[V:.*]] = #layout.nested<subgroup_tile = [1, 1, 1]
// CHECK-DAG: #[[M:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [1, 8]>
// CHECK-LABEL: gpu.func @masks
// CHECK-NOT: layout.to_layout
// CHECK: vector.create_mask {{.*}} {layout.results = [#[[M]]]{{.*}} : vector<8x8xi1>
// CHECK: vector.transfer_read {{.*}}layout.results = [#[[V]]]
// CHECK: vector.mask {{.*}} { vector.transfer_read {{.*}}layout.results = [#[[V]]]{{.*}} } {layout.results = [#[[V]]]
gpu.module @m {
  gpu.func @masks(%a: memref<8x8xf32, #gpu.address_space<workgroup>>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %m = vector.create_mask %n, %n : vector<8x8xi1>
    %r = vector.transfer_read %a[%c0, %c0], %f0, %m {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (d1, 0, d0)>}
        : memref<8x8xf32, #gpu.address_space<workgroup>>, vector<8x2x8xf32>
    %s = vector.mask %m {
      vector.transfer_read %a[%c0, %c0], %f0 {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (d1, 0, d0)>}
        : memref<8x8xf32, #gpu.address_space<workgroup>>, vector<8x2x8xf32>
    } : vector<8x8xi1> -> vector<8x2x8xf32>
    %0 = arith.addf %r, %s : vector<8x2x8xf32>
    %l = layout.to_layout %0 to layout(#v) : vector<8x2x8xf32>
    vector.print %l : vector<8x2x8xf32>
    gpu.return
  }
}

// -----

// Gathers, and values that are created in the required layout.
#l = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>

// CHECK-DAG: #[[L:.*]] = #layout.nested<subgroup_tile = [1, 1],
// CHECK-DAG: #[[STEP:.*]] = #layout.nested<subgroup_tile = [1], {{.*}} thread_tile = [8], element_tile = [2], subgroup_strides = [0], thread_strides = [1]>
// CHECK-LABEL: gpu.func @gather
// CHECK-NOT: layout.to_layout
// CHECK: vector.step {layout.results = [#[[STEP]]]
// CHECK: vector.broadcast {{.*}} {layout.results = [#[[L]]]
// CHECK: vector.constant_mask {{.*}} {layout.results = [#[[L]]]
// CHECK: arith.constant {layout.results = [#[[L]]]
// CHECK: vector.gather {{.*}} {layout.results = [#[[L]]]
gpu.module @m {
  gpu.func @gather(%a: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %s = vector.step : vector<16xindex>
    %i = vector.broadcast %s : vector<16xindex> to vector<8x16xindex>
    %m = vector.constant_mask [4, 16] : vector<8x16xi1>
    %p = arith.constant dense<1.0> : vector<8x16xf32>
    %g = vector.gather %a[%c0] [%i], %m, %p : memref<64xf32, #gpu.address_space<workgroup>>, vector<8x16xindex>, vector<8x16xi1>, vector<8x16xf32> into vector<8x16xf32>
    %v = layout.to_layout %g to layout(#l) : vector<8x16xf32>
    vector.print %v : vector<8x16xf32>
    gpu.return
  }
}
