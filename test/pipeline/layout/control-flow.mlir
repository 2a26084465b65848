// Layouts of what loops and branches carry.
// RUN: %aircc opt %s --split-input-file --layout-propagate-layouts=target=%targets/gfx942.json --layout-check-layouts=target=%targets/gfx942.json | FileCheck %s

#rows = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>

// In through the inits, around the loop, out of the results.
// CHECK: #[[L:.*]] = #layout.nested<{{.*}} thread_tile = [8, 8], element_tile = [1, 2]
// CHECK-LABEL: gpu.func @for_loop
// CHECK-NOT: layout.to_layout
// CHECK: arith.constant {layout.results = [#[[L]]]{{.*}}} dense
// CHECK: scf.for
// CHECK: arith.addf {{.*}} {layout.results = [#[[L]]]
// CHECK: } {layout.results = [#[[L]], unit], layout.scope = #layout.scope<workgroup>}
// CHECK: math.exp {{.*}} {layout.results = [#[[L]]]
gpu.module @m {
  gpu.func @for_loop(%a: memref<8x16xf32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f0 = arith.constant 0.0 : f32
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %f = %f0) -> (vector<8x16xf32>, f32) {
      %v = vector.transfer_read %a[%i, %c0], %f0 : memref<8x16xf32>, vector<8x16xf32>
      %l = layout.to_layout %v to layout(#rows) : vector<8x16xf32>
      %s = arith.addf %acc, %l : vector<8x16xf32>
      scf.yield %s, %f : vector<8x16xf32>, f32
    }
    %e = math.exp %r#0 : vector<8x16xf32>
    vector.print %e : vector<8x16xf32>
    gpu.return
  }
}

// -----

#rows = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>

// From the use of a branch's result into both branches.
// CHECK: #[[L:.*]] = #layout.nested<{{.*}} thread_tile = [8, 8], element_tile = [1, 2]
// CHECK-LABEL: gpu.func @branch
// CHECK-NOT: layout.to_layout
// CHECK: scf.if
// CHECK: vector.transfer_read {{.*}}layout.results = [#[[L]]]
// CHECK: } else {
// CHECK: arith.constant {layout.results = [#[[L]]]
// CHECK: } {layout.results = [#[[L]]], layout.scope
gpu.module @m {
  gpu.func @branch(%a: memref<8x16xf32>, %c: i1) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %r = scf.if %c -> vector<8x16xf32> {
      %v = vector.transfer_read %a[%c0, %c0], %f0 : memref<8x16xf32>, vector<8x16xf32>
      scf.yield %v : vector<8x16xf32>
    } else {
      %k = arith.constant dense<1.0> : vector<8x16xf32>
      scf.yield %k : vector<8x16xf32>
    }
    %l = layout.to_layout %r to layout(#rows) : vector<8x16xf32>
    vector.print %l : vector<8x16xf32>
    gpu.return
  }
}

// -----

#rows = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>
#cols = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [0], thread_strides = [4]>

// The two kinds of arguments of scf.while. The layout that the users of the result require is
// created once, after the loop.
// CHECK-DAG: #[[L:.*]] = #layout.nested<{{.*}} thread_tile = [8, 8], element_tile = [1, 2]
// CHECK-DAG: #[[S:.*]] = #layout.nested<subgroup_tile = [1], {{.*}} thread_tile = [8], element_tile = [2], {{.*}} thread_strides = [1]>
// CHECK-DAG: #[[C:.*]] = #layout.nested<{{.*}} thread_tile = [16], element_tile = [1], {{.*}} thread_strides = [4]>
// CHECK-LABEL: gpu.func @while_loop
// CHECK: vector.transfer_read {{.*}}layout.results = [#[[L]]]
// CHECK: scf.while
// CHECK: vector.multi_reduction
// CHECK: scf.condition
// CHECK: do
// CHECK: vector.broadcast {{.*}} {layout.results = [#[[L]]]
// CHECK-NOT: layout.to_layout
// CHECK: } attributes {layout.results = [#[[S]]], layout.scope
// CHECK-NEXT: layout.to_layout {{.*}} to layout(#[[C]])
gpu.module @m {
  gpu.func @while_loop(%a: memref<8x16xf32>, %c: i1) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%c0, %c0], %f0 : memref<8x16xf32>, vector<8x16xf32>
    %r = scf.while (%x = %v) : (vector<8x16xf32>) -> vector<16xf32> {
      %l = layout.to_layout %x to layout(#rows) : vector<8x16xf32>
      %z = arith.constant dense<0.0> : vector<16xf32>
      %s = vector.multi_reduction <add>, %l, %z [0] : vector<8x16xf32> to vector<16xf32>
      scf.condition(%c) %s : vector<16xf32>
    } do {
    ^bb0(%y: vector<16xf32>):
      %b = vector.broadcast %y : vector<16xf32> to vector<8x16xf32>
      scf.yield %b : vector<8x16xf32>
    }
    %m = layout.to_layout %r to layout(#cols) : vector<16xf32>
    vector.print %m : vector<16xf32>
    gpu.return
  }
}

// -----

#rows = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>

// Other regions that yield, and the pass-through value of a mask.
// CHECK: #[[L:.*]] = #layout.nested<{{.*}} thread_tile = [8, 8], element_tile = [1, 2]
// CHECK-LABEL: gpu.func @regions
// CHECK-NOT: layout.to_layout
// CHECK: scf.index_switch {{.*}} {layout.results = [#[[L]]], layout.scope
// CHECK: math.absf {{.*}} {layout.results = [#[[L]]]
// CHECK: scf.execute_region
// CHECK: arith.negf {{.*}} {layout.results = [#[[L]]]
// CHECK: } {layout.results = [#[[L]]], layout.scope
// CHECK: vector.mask {{.*}} { vector.transfer_read {{.*}}layout.results = [#[[L]]]{{.*}} } {layout.results = [#[[L]]]
gpu.module @m {
  gpu.func @regions(%a: memref<8x16xf32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%c0, %c0], %f0 : memref<8x16xf32>, vector<8x16xf32>
    %l = layout.to_layout %v to layout(#rows) : vector<8x16xf32>
    %r = scf.index_switch %n -> vector<8x16xf32>
    case 2 {
      %x = math.absf %l : vector<8x16xf32>
      scf.yield %x : vector<8x16xf32>
    }
    default {
      scf.yield %l : vector<8x16xf32>
    }
    %e = scf.execute_region -> vector<8x16xf32> {
      %y = arith.negf %r : vector<8x16xf32>
      scf.yield %y : vector<8x16xf32>
    }
    %m = vector.create_mask %n, %n : vector<8x16xi1>
    %p = vector.mask %m, %e {
      vector.transfer_read %a[%c0, %c0], %f0 {in_bounds = [true, true]} : memref<8x16xf32>, vector<8x16xf32>
    } : vector<8x16xi1> -> vector<8x16xf32>
    vector.transfer_write %p, %a[%c0, %c0] : vector<8x16xf32>, memref<8x16xf32>
    gpu.return
  }
}
