// If layouts differ, one conversion is inserted, where it costs least.
// RUN: %aircc opt %s --split-input-file --layout-propagate-layouts=target=%targets/gfx942.json --layout-check-layouts=target=%targets/gfx942.json | FileCheck %s

#rows = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>
#cols = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [1, 8]>

// Before the loop, not in it.
// CHECK-DAG: #[[ROWS:.*]] = #layout.nested<{{.*}} thread_strides = [8, 1]>
// CHECK-DAG: #[[COLS:.*]] = #layout.nested<{{.*}} thread_strides = [1, 8]>
// CHECK-LABEL: gpu.func @outside_of_loops
// CHECK: %[[V:.*]] = vector.transfer_read
// CHECK: %[[E:.*]] = math.exp {{.*}} {layout.results = [#[[ROWS]]]
// CHECK-NEXT: %[[C:.*]] = layout.to_layout %[[E]] to layout(#[[COLS]]) {layout.results = [#[[COLS]]], layout.scope = #layout.scope<workgroup>}
// CHECK-NOT: layout.to_layout
// CHECK: scf.for
// CHECK: arith.addf %{{.*}}, %[[C]] {layout.results = [#[[COLS]]]
gpu.module @m {
  gpu.func @outside_of_loops(%a: memref<8x16xf32>, %b: memref<8x16xf32, #gpu.address_space<workgroup>>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f0 = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%c0, %c0], %f0 {in_bounds = [true, true]} : memref<8x16xf32>, vector<8x16xf32>
    %l = layout.to_layout %v to layout(#rows) : vector<8x16xf32>
    %e = math.exp %l : vector<8x16xf32>
    scf.for %i = %c0 to %n step %c1 {
      %w = vector.transfer_read %b[%i, %c0], %f0 {in_bounds = [true, true]} : memref<8x16xf32, #gpu.address_space<workgroup>>, vector<8x16xf32>
      %x = layout.to_layout %w to layout(#cols) : vector<8x16xf32>
      %s = arith.addf %x, %e : vector<8x16xf32>
      vector.print %s : vector<8x16xf32>
    }
    gpu.return
  }
}

// -----

#rows = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 4], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [8, 1]>
#col = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [8], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>

// After a reduction rather than before it.
// CHECK-LABEL: gpu.func @after_reductions
// CHECK: vector.multi_reduction
// CHECK-NEXT: layout.to_layout {{.*}} : vector<8xf32>
// CHECK-NOT: layout.to_layout
gpu.module @m {
  gpu.func @after_reductions(%a: memref<8x128xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%c0, %c0], %f0 {in_bounds = [true, true]} : memref<8x128xf32>, vector<8x128xf32>
    %l = layout.to_layout %v to layout(#rows) : vector<8x128xf32>
    %z = arith.constant dense<0.0> : vector<8xf32>
    %s = vector.multi_reduction <add>, %l, %z [1] : vector<8x128xf32> to vector<8xf32>
    %e = math.exp %s : vector<8xf32>
    %m = layout.to_layout %e to layout(#col) : vector<8xf32>
    vector.print %m : vector<8xf32>
    gpu.return
  }
}

// -----

#rows = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>
#cols = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [1, 8]>

// Constants, broadcasts and masks are created in each required layout; one conversion serves all
// uses.
// CHECK-DAG: #[[ROWS:.*]] = #layout.nested<{{.*}} thread_strides = [8, 1]>
// CHECK-DAG: #[[COLS:.*]] = #layout.nested<{{.*}} thread_strides = [1, 8]>
// CHECK-LABEL: gpu.func @made_again
// CHECK-COUNT-2: arith.constant {layout.results
// CHECK-NOT: arith.constant {layout.results
// CHECK: %[[E:.*]] = arith.addf {{.*}} {layout.results = [#[[ROWS]]]
// CHECK: %[[C:.*]] = layout.to_layout %[[E]] to layout(#[[COLS]])
// CHECK-NOT: layout.to_layout %[[E]]
// CHECK: arith.mulf {{.*}} {layout.results = [#[[COLS]]]
// CHECK: arith.subf %[[C]], %{{.*}}
// CHECK: arith.divf %[[C]], %{{.*}}
gpu.module @m {
  gpu.func @made_again(%a: memref<8x16xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %k = arith.constant dense<2.0> : vector<8x16xf32>
    %v = vector.transfer_read %a[%c0, %c0], %f0 {in_bounds = [true, true]} : memref<8x16xf32, #gpu.address_space<workgroup>>, vector<8x16xf32>
    %l = layout.to_layout %v to layout(#rows) : vector<8x16xf32>
    %e = arith.addf %l, %k : vector<8x16xf32>
    %e2 = arith.mulf %e, %k : vector<8x16xf32>
    vector.transfer_write %e2, %a[%c0, %c0] {in_bounds = [true, true]} : vector<8x16xf32>, memref<8x16xf32, #gpu.address_space<workgroup>>
    %w = vector.transfer_read %a[%c0, %c0], %f0 {in_bounds = [true, true]} : memref<8x16xf32, #gpu.address_space<workgroup>>, vector<8x16xf32>
    %x = layout.to_layout %w to layout(#cols) : vector<8x16xf32>
    %f = arith.mulf %x, %k : vector<8x16xf32>
    %g = arith.subf %e, %f : vector<8x16xf32>
    %h = arith.divf %e, %g : vector<8x16xf32>
    %m = layout.to_layout %h to layout(#cols) : vector<8x16xf32>
    vector.print %m : vector<8x16xf32>
    gpu.return
  }
}

// -----

#rows = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>
#cols = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [1, 8]>

// A conversion that the user requests through LDS uses LDS, even to the same layout.
// CHECK-LABEL: gpu.func @through_lds
// CHECK: layout.to_layout {{.*}} {layout.results = [#{{.*}}], layout.scope = #layout.scope<workgroup>, shared_memory_conversion}
// CHECK: layout.to_layout {{.*}} {layout.results = [#{{.*}}], layout.scope = #layout.scope<workgroup>, shared_memory_conversion}
// CHECK-NOT: layout.to_layout
gpu.module @m {
  gpu.func @through_lds(%a: memref<8x16xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %v = vector.transfer_read %a[%c0, %c0], %f0 {in_bounds = [true, true]} : memref<8x16xf32>, vector<8x16xf32>
    %l = layout.to_layout %v to layout(#rows) {shared_memory_conversion} : vector<8x16xf32>
    %m = layout.to_layout %l to layout(#cols) {shared_memory_conversion} : vector<8x16xf32>
    vector.print %m : vector<8x16xf32>
    gpu.return
  }
}

// -----

// Pieces of 4 bytes are slower than a conversion to rows for the store; but of 2 MB, 64 KB at a time, that would cost
// more: the anchor's layout stays.
#l = #layout.nested<subgroup_tile = [2, 1, 1], batch_tile = [8, 2, 4], outer_tile = [1, 4, 4], thread_tile = [8, 2, 4],
                    element_tile = [1, 8, 2], subgroup_strides = [1, 0, 0], thread_strides = [1, 8, 16]>
// CHECK-LABEL: gpu.func @larger_than_lds
// CHECK-NOT:     layout.to_layout
// CHECK:         gpu.return
gpu.module @kernels {
  gpu.func @larger_than_lds(%a: memref<128x128x128xf16>, %b: memref<128x128x128xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f16
    %v = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]}
        : memref<128x128x128xf16>, vector<128x128x128xf16>
    %w = layout.to_layout %v to layout(#l) : vector<128x128x128xf16>
    vector.transfer_write %w, %b[%c0, %c0, %c0] {in_bounds = [true, true, true]}
        : vector<128x128x128xf16>, memref<128x128x128xf16>
    gpu.return
  }
}
