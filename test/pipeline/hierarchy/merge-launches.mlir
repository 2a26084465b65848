// RUN: %aircc opt %s --hierarchy-merge-launches=max-workgroups=8 | FileCheck %s
// RUN: %aircc opt %s --hierarchy-merge-launches="max-workgroups=8 lds-bytes=511" | FileCheck %s --check-prefix=LITTLE

// The second launch computes after the first in one grid; both use the same workgroup buffer.

// CHECK-LABEL: func.func @merged
// CHECK-NOT: air.merge_launches
// CHECK: %[[X:.+]] = gpu.alloc
// CHECK: %[[Y:.+]] = gpu.alloc
// CHECK: gpu.launch blocks(%[[ID:[a-z0-9]+]], {{.*}}) in ({{.*}} = %c7{{.*}}, {{.*}} = %c1{{.*}}, {{.*}} = %c1{{.*}}) threads(%[[T:[a-z0-9]+]],{{.*}} workgroup(%[[B:[a-z0-9]+]] : memref<64xf32, #gpu.address_space<workgroup>>)
// CHECK: %[[FIRST:.+]] = arith.cmpi ult, %[[ID]], %c6
// CHECK: scf.if %[[FIRST]]
// CHECK: arith.remui %[[ID]], %c2
// CHECK: memref.store %{{.*}}, %[[B]][%[[T]]]
// CHECK: memref.store %{{.*}}, %[[X]][
// CHECK: } else {
// CHECK: arith.subi %[[ID]], %c6
// CHECK: memref.store %{{.*}}, %[[B]][%[[T]]]
// CHECK: memref.store %{{.*}}, %[[Y]][%[[T]]]
// CHECK-NOT: gpu.launch
// CHECK: return
func.func @merged(%a: memref<64xf32>) attributes {air.merge_launches} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %x = gpu.alloc () : memref<3x2xf32>
  %y = gpu.alloc () : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c3, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%buffer : memref<64xf32, #gpu.address_space<workgroup>>) {
    memref.store %zero, %buffer[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %zero, %x[%by, %bx] : memref<3x2xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%buffer : memref<64xf32, #gpu.address_space<workgroup>>) {
    memref.store %zero, %buffer[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %zero, %y[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}

// Not merged: the second reads what the first writes; the third may write what the second reads;
// too many workgroups; other sizes of workgroups.

// CHECK-LABEL: func.func @apart
// CHECK-COUNT-5: gpu.launch
func.func @apart(%a: memref<64xf32>) attributes {air.merge_launches} {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %x = gpu.alloc () : memref<64xf32>
  %y = gpu.alloc () : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    memref.store %zero, %x[%tx] : memref<64xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%tx] : memref<64xf32>
    memref.store %v, %y[%tx] : memref<64xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    memref.store %zero, %a[%tx] : memref<64xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c8, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    memref.store %zero, %x[%tx] : memref<64xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %zero, %y[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}

// RUN: %aircc opt %s --hierarchy-merge-launches="max-workgroups=8 max-lanes=256" | FileCheck %s --check-prefix=LANES

// A device executes more workgroups at once if each has one wave. Prefetches are only hints.

// CHECK-LABEL: func.func @waves
// CHECK-COUNT-2: gpu.launch
// LANES-LABEL: func.func @waves
// LANES: gpu.launch blocks({{.*}}) in (%{{.+}} = %c16{{.*}}, {{.*}}) threads
// LANES-NOT: gpu.launch
// LANES: return
func.func @waves(%a: memref<64x64xf16>) attributes {air.merge_launches} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %x = gpu.alloc () : memref<64xf32>
  %y = gpu.alloc () : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c8, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %tile = xegpu.create_nd_tdesc %a : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16>
    xegpu.prefetch_nd %tile[%c0, %c0] : !xegpu.tensor_desc<8x16xf16>
    memref.store %zero, %x[%tx] : memref<64xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c8, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    memref.store %zero, %y[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}

// Launches with others between them: the third moves up to the first, the fourth is then next to the second.

// CHECK-LABEL: func.func @chains
// CHECK: gpu.launch blocks({{.*}}) in (%{{.+}} = %c2{{.*}}, {{.*}}) threads
// CHECK: memref.store {{.*}} : memref<64xf32>
// CHECK: memref.store {{.*}} : memref<64xf32>
// CHECK: gpu.launch blocks({{.*}}) in (%{{.+}} = %c2{{.*}}, {{.*}}) threads
// CHECK: memref.load
// CHECK: memref.load
// CHECK-NOT: gpu.launch
// CHECK: return
func.func @chains() attributes {air.merge_launches} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %x = gpu.alloc () : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    memref.store %zero, %x[%tx] : memref<64xf32>
    gpu.terminator
  }
  %y = gpu.alloc () : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%tx] : memref<64xf32>
    memref.store %v, %y[%tx] : memref<64xf32>
    gpu.terminator
  }
  %z = gpu.alloc () : memref<8x8xf32>
  %flat = memref.collapse_shape %z [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  %one = arith.constant 1.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    memref.store %one, %flat[%tx] : memref<64xf32>
    gpu.terminator
  }
  %w = gpu.alloc () : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %v = memref.load %flat[%tx] : memref<64xf32>
    memref.store %v, %w[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}

// The host reads what the first launch writes.

// CHECK-LABEL: func.func @host
// CHECK: gpu.launch
// CHECK: memref.load
// CHECK: gpu.launch
func.func @host() -> f32 attributes {air.merge_launches} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %x = gpu.alloc host_shared () : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    memref.store %zero, %x[%tx] : memref<64xf32>
    gpu.terminator
  }
  %v = memref.load %x[%c0] : memref<64xf32>
  %y = gpu.alloc () : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    memref.store %v, %y[%tx] : memref<64xf32>
    gpu.terminator
  }
  return %v : f32
}

// Launches of few ops, however many, with memory of their workgroups.

// CHECK-LABEL: func.func @several
// CHECK: gpu.launch blocks({{.*}}) in (%{{.+}} = %c6{{.*}}, {{.*}}) threads
// CHECK-COUNT-6: memref.alloc() : memref<64xf32, 2>
// CHECK-NOT: gpu.launch
// CHECK: return
func.func @several() attributes {air.merge_launches} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %x0 = gpu.alloc () : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<64xf32, 2>
    memref.store %zero, %a[%tx] : memref<64xf32, 2>
    %v = memref.load %a[%tx] : memref<64xf32, 2>
    memref.store %v, %x0[%tx] : memref<64xf32>
    gpu.terminator
  }
  %x1 = gpu.alloc () : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<64xf32, 2>
    memref.store %zero, %a[%tx] : memref<64xf32, 2>
    %v = memref.load %a[%tx] : memref<64xf32, 2>
    memref.store %v, %x1[%tx] : memref<64xf32>
    gpu.terminator
  }
  %x2 = gpu.alloc () : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<64xf32, 2>
    memref.store %zero, %a[%tx] : memref<64xf32, 2>
    %v = memref.load %a[%tx] : memref<64xf32, 2>
    memref.store %v, %x2[%tx] : memref<64xf32>
    gpu.terminator
  }
  %x3 = gpu.alloc () : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<64xf32, 2>
    memref.store %zero, %a[%tx] : memref<64xf32, 2>
    %v = memref.load %a[%tx] : memref<64xf32, 2>
    memref.store %v, %x3[%tx] : memref<64xf32>
    gpu.terminator
  }
  %x4 = gpu.alloc () : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<64xf32, 2>
    memref.store %zero, %a[%tx] : memref<64xf32, 2>
    %v = memref.load %a[%tx] : memref<64xf32, 2>
    memref.store %v, %x4[%tx] : memref<64xf32>
    gpu.terminator
  }
  %x5 = gpu.alloc () : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<64xf32, 2>
    memref.store %zero, %a[%tx] : memref<64xf32, 2>
    %v = memref.load %a[%tx] : memref<64xf32, 2>
    memref.store %v, %x5[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}

// Workgroup buffers of different types: the merged launch has both, if they fit into LDS.

// LITTLE-LABEL: func.func @buffers
// LITTLE-COUNT-2: gpu.launch blocks

// CHECK-LABEL: func.func @buffers
// CHECK: gpu.launch blocks({{.*}}) workgroup(%{{.*}} : memref<64xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<64xi32, #gpu.address_space<workgroup>>)
// CHECK-NOT: gpu.launch
// CHECK: return
func.func @buffers() attributes {air.merge_launches} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %izero = arith.constant 0 : i32
  %x = gpu.alloc () : memref<64xf32>
  %y = gpu.alloc () : memref<64xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%buffer : memref<64xf32, #gpu.address_space<workgroup>>) {
    memref.store %zero, %buffer[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %zero, %x[%tx] : memref<64xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%buffer : memref<64xi32, #gpu.address_space<workgroup>>) {
    memref.store %izero, %buffer[%tx] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %izero, %y[%tx] : memref<64xi32>
    gpu.terminator
  }
  return
}
