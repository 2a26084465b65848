// From an anchor forward: each op's result has the layout that its lanes
// compute from their shares.
// RUN: %aircc opt %s --split-input-file --layout-propagate-layouts=target=%targets/gfx942.json --layout-check-layouts=target=%targets/gfx942.json | FileCheck %s

#rows = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>

// CHECK-DAG: #[[L:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>
// CHECK-LABEL: gpu.func @elementwise
// CHECK-NOT: layout.to_layout
// CHECK: arith.addf {{.*}} {layout.results = [#[[L]]], layout.scope = #layout.scope<workgroup>} : vector<8x16xf32>
// CHECK: arith.cmpf {{.*}} {layout.results = [#[[L]]]
// CHECK: arith.select {{.*}} {layout.results = [#[[L]]]
// CHECK: arith.truncf {{.*}} {layout.results = [#[[L]]]
// CHECK: math.fma {{.*}} {layout.results = [#[[L]]]
// CHECK: vector.print {{.*}} {layout.scope = #layout.scope<workgroup>}
gpu.module @m {
  gpu.func @elementwise(%a: memref<8x16xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %r = vector.transfer_read %a[%c0, %c0], %f0 {in_bounds = [true, true]} : memref<8x16xf32, #gpu.address_space<workgroup>>, vector<8x16xf32>
    %v = layout.to_layout %r to layout(#rows) : vector<8x16xf32>
    %0 = arith.addf %v, %v : vector<8x16xf32>
    %1 = arith.cmpf olt, %0, %v : vector<8x16xf32>
    %2 = arith.select %1, %0, %v : vector<8x16xi1>, vector<8x16xf32>
    %3 = arith.truncf %2 : vector<8x16xf32> to vector<8x16xf16>
    %4 = math.fma %3, %3, %3 : vector<8x16xf16>
    vector.print %4 : vector<8x16xf16>
    gpu.return
  }
}

// -----

#rows = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>

// CHECK-DAG: #[[ROW:.*]] = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [8], element_tile = [1], subgroup_strides = [0], thread_strides = [8]>
// CHECK-DAG: #[[T:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [2, 1], subgroup_strides = [0, 0], thread_strides = [1, 8]>
// CHECK-DAG: #[[FLAT:.*]] = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [64], element_tile = [2], subgroup_strides = [0], thread_strides = [1]>
// CHECK-DAG: #[[WIDE:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 8], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [8, 1]>
// CHECK-DAG: #[[CUBE:.*]] = #layout.nested<subgroup_tile = [1, 1, 1], batch_tile = [1, 1, 1], outer_tile = [1, 1, 1], thread_tile = [1, 8, 8], element_tile = [3, 1, 2], subgroup_strides = [0, 0, 0], thread_strides = [0, 8, 1]>
// CHECK-DAG: #[[L:.*]] = #layout.nested<{{.*}} thread_tile = [8, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>
// CHECK-LABEL: gpu.func @shapes
// CHECK-NOT: layout.to_layout
// CHECK: vector.transpose {{.*}} {layout.results = [#[[T]]]
// CHECK: vector.shape_cast {{.*}} {layout.results = [#[[FLAT]]]
// CHECK: vector.bitcast {{.*}} {layout.results = [#[[WIDE]]]
// CHECK: vector.broadcast {{.*}} {layout.results = [#[[CUBE]]]
// CHECK: vector.multi_reduction {{.*}} {layout.results = [#[[ROW]]]
// CHECK: vector.multi_reduction {{.*}} : vector<8x16xf32> to f32
// CHECK: vector.scan {{.*}} layout.results = [#[[L]], #[[ROW]]]
// CHECK: vector.interleave {{.*}} {layout.results = [#[[WIDE]]]
// CHECK: vector.deinterleave {{.*}} {layout.results = [#[[L]], #[[L]]]
// CHECK: vector.extract {{.*}} {layout.scope = #layout.scope<workgroup>} : f32 from
gpu.module @m {
  gpu.func @shapes(%a: memref<8x16xf32, #gpu.address_space<workgroup>>, %o: memref<?xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %r = vector.transfer_read %a[%c0, %c0], %f0 {in_bounds = [true, true]} : memref<8x16xf32, #gpu.address_space<workgroup>>, vector<8x16xf32>
    %v = layout.to_layout %r to layout(#rows) : vector<8x16xf32>
    %t = vector.transpose %v, [1, 0] : vector<8x16xf32> to vector<16x8xf32>
    vector.print %t : vector<16x8xf32>
    %flat = vector.shape_cast %v : vector<8x16xf32> to vector<128xf32>
    vector.print %flat : vector<128xf32>
    %wide = vector.bitcast %v : vector<8x16xf32> to vector<8x32xf16>
    vector.print %wide : vector<8x32xf16>
    %cube = vector.broadcast %v : vector<8x16xf32> to vector<3x8x16xf32>
    vector.print %cube : vector<3x8x16xf32>
    %acc = arith.constant dense<0.0> : vector<8xf32>
    %sum = vector.multi_reduction <add>, %v, %acc [1] : vector<8x16xf32> to vector<8xf32>
    vector.print %sum : vector<8xf32>
    %all = vector.multi_reduction <add>, %v, %f0 [0, 1] : vector<8x16xf32> to f32
    memref.store %all, %o[%c0] : memref<?xf32>
    %scan:2 = vector.scan <add>, %v, %acc {inclusive = true, reduction_dim = 1} : vector<8x16xf32>, vector<8xf32>
    vector.print %scan#1 : vector<8xf32>
    %both = vector.interleave %v, %scan#0 : vector<8x16xf32> -> vector<8x32xf32>
    %even, %odd = vector.deinterleave %both : vector<8x32xf32> -> vector<8x16xf32>
    vector.print %odd : vector<8x16xf32>
    %one = vector.extract %v[1, 2] : f32 from vector<8x16xf32>
    memref.store %one, %o[%c0] : memref<?xf32>
    gpu.return
  }
}

// -----

// Slices take a part of a lane's registers.
#cyclic = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [1, 8], element_tile = [8, 1], subgroup_strides = [0, 0], thread_strides = [0, 1]>

// CHECK-DAG: #[[L:.*]] = #layout.nested<{{.*}} batch_tile = [1, 2], {{.*}} thread_tile = [1, 8], element_tile = [8, 1],
// CHECK-DAG: #[[ROW:.*]] = #layout.nested<subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [8], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
// CHECK-DAG: #[[PART:.*]] = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 8], element_tile = [3, 1],
// CHECK-DAG: #[[FOUR:.*]] = #layout.nested<{{.*}} batch_tile = [1, 2], {{.*}} thread_tile = [1, 8], element_tile = [4, 1],
// CHECK-LABEL: gpu.func @slices
// CHECK-NOT: layout.to_layout
// CHECK: vector.extract {{.*}} {layout.results = [#[[ROW]]]
// CHECK: vector.insert {{.*}} {layout.results = [#[[L]]]
// CHECK: vector.extract_strided_slice {{.*}} {layout.results = [#[[PART]]]
// CHECK: vector.insert_strided_slice {{.*}} {layout.results = [#[[L]]]
// CHECK: vector.shuffle {{.*}} {layout.results = [#[[FOUR]]]
gpu.module @m {
  gpu.func @slices(%a: memref<8x16xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %f0 = arith.constant 0.0 : f32
    %r = vector.transfer_read %a[%c0, %c0], %f0 {in_bounds = [true, true]} : memref<8x16xf32, #gpu.address_space<workgroup>>, vector<8x16xf32>
    %v = layout.to_layout %r to layout(#cyclic) : vector<8x16xf32>
    %x = vector.extract %v[3] : vector<16xf32> from vector<8x16xf32>
    %i = vector.insert %x, %v[5] : vector<16xf32> into vector<8x16xf32>
    %s = vector.extract_strided_slice %i {offsets = [2, 8], sizes = [3, 8], strides = [1, 1]} : vector<8x16xf32> to vector<3x8xf32>
    %j = vector.insert_strided_slice %s, %i {offsets = [0, 0], strides = [1, 1]} : vector<3x8xf32> into vector<8x16xf32>
    %h = vector.shuffle %i, %j [0, 8, 1, 9] : vector<8x16xf32>, vector<8x16xf32>
    vector.print %h : vector<4x16xf32>
    gpu.return
  }
}
