// RUN: %aircc opt %s --hierarchy-convert-launches="xcds=8" --canonicalize --cse --split-input-file | FileCheck %s

// The space of a segment multiplies the grid.

// CHECK-LABEL: func.func @unrolled
// CHECK-SAME: (%{{.*}}: memref<3x4xi32>, %[[N:.*]]: index)
// CHECK: scf.if
// CHECK: gpu.launch blocks(%[[X:.*]], %[[Y:.*]], %{{.*}}) in (%{{.*}} = %c3{{.*}}, %{{.*}} = %[[N]], %{{.*}} = %c1{{.*}})
// CHECK-NOT: air.segment
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[X]], %[[Y]]]
func.func @unrolled(%m: memref<3x4xi32>, %n: index) {
  %c3 = arith.constant 3 : index
  air.launch (%x) in (%nx = %c3) args(%a = %m, %k = %n) : memref<3x4xi32>, index {
    air.segment unroll (%u) in (%nu = %k) args(%b = %a, %sx = %x) : memref<3x4xi32>, index {
      %v = arith.constant 1 : i32
      memref.store %v, %b[%sx, %u] : memref<3x4xi32>
    }
  }
  return
}

// -----

// If the launch itself has side effects, the instances execute sequentially, so that the effects
// happen once and the instances see them.

// CHECK-LABEL: func.func @sequential
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c3{{.*}}, %{{.*}} = %c1{{.*}}, %{{.*}} = %c1{{.*}})
// CHECK: memref.store
// CHECK: scf.for %[[U:.*]] = %c0{{.*}} to %c4
// CHECK: memref.store %{{.*}}, %{{.*}}[%{{.*}}, %[[U]]]
func.func @sequential(%m: memref<3x4xi32>) {
  %c3 = arith.constant 3 : index
  air.launch (%x) in (%nx = %c3) args(%a = %m) : memref<3x4xi32> {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %w = arith.constant 2 : i32
    memref.store %w, %a[%x, %c0] : memref<3x4xi32>
    air.segment unroll (%u) in (%nu = %c4) args(%b = %a, %sx = %x) : memref<3x4xi32>, index {
      %v = arith.constant 1 : i32
      memref.store %v, %b[%sx, %u] : memref<3x4xi32>
    }
  }
  return
}

// -----

// Eight instances over eight XCDs: workgroup w runs on XCD w mod 8, so instance
// w mod 8 is what it does.

// CHECK-LABEL: func.func @xcds
// CHECK-DAG: %[[C160:.*]] = arith.constant 160 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK: gpu.launch blocks(%[[W:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[C160]], %{{.*}} = %c1{{.*}}, %{{.*}} = %c1{{.*}})
// CHECK: %[[XCD:.*]] = arith.remui %[[W]], %[[C8]]
// CHECK: %[[REST:.*]] = arith.divui %[[W]], %[[C8]]
// CHECK-NOT: scf.if
// CHECK: memref.store %{{.*}}, %{{.*}}[%{{.*}}, %[[XCD]], %{{.*}}]
func.func @xcds(%m: memref<5x8x4xi32>) {
  %c5 = arith.constant 5 : index
  air.launch (%x) in (%nx = %c5) args(%a = %m) : memref<5x8x4xi32> {
    %c8 = arith.constant 8 : index
    air.segment @xcd unroll (%i) in (%ni = %c8) args(%b = %a, %sx = %x)
        : memref<5x8x4xi32>, index attributes {"backend-granularity" = "XCD"} {
      %c4 = arith.constant 4 : index
      air.segment @cu unroll (%j) in (%nj = %c4) args(%c = %b, %sx2 = %sx, %si = %i)
          : memref<5x8x4xi32>, index, index {
        %v = arith.constant 1 : i32
        memref.store %v, %c[%sx2, %si, %j] : memref<5x8x4xi32>
      }
    }
  }
  return
}

// -----

// Six instances over eight XCDs: the workgroups that would be the seventh and
// eighth have nothing to do.

// CHECK-LABEL: func.func @fewer_than_xcds
// CHECK: gpu.launch blocks(%[[W:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %c8{{.*}},
// CHECK: %[[XCD:.*]] = arith.remui %[[W]], %c8
// CHECK: %[[USED:.*]] = arith.cmpi ult, %[[XCD]], %c6
// CHECK: scf.if %[[USED]] {
func.func @fewer_than_xcds(%m: memref<6xi32>) {
  air.launch () in () args(%a = %m) : memref<6xi32> {
    %c6 = arith.constant 6 : index
    air.segment unroll (%i) in (%ni = %c6) args(%b = %a) : memref<6xi32>
        attributes {"backend-granularity" = "XCD"} {
      %v = arith.constant 1 : i32
      memref.store %v, %b[%i] : memref<6xi32>
    }
  }
  return
}

// -----

// A workgroup's XCD follows from its number.

// CHECK-LABEL: func.func @chiplets
// CHECK: gpu.launch
// CHECK-NOT: air.chiplet
// CHECK: arith.remui %{{.*}}, %c8
// CHECK: arith.divui %{{.*}}, %c8
func.func @chiplets(%m: memref<3xindex>) {
  %c32 = arith.constant 32 : index
  air.launch (%x) in (%nx = %c32) args(%a = %m) : memref<3xindex> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %i = air.chiplet_id
    %b = air.chiplet_block_id
    %n = air.chiplet_dim_blocks
    memref.store %i, %a[%c0] : memref<3xindex>
    memref.store %b, %a[%c1] : memref<3xindex>
    memref.store %n, %a[%c2] : memref<3xindex>
  }
  return
}

// -----

// A launch of no points is nothing.

// CHECK-LABEL: func.func @empty
// CHECK-NOT: gpu.launch
// CHECK: return
func.func @empty(%m: memref<3xindex>) {
  %c0 = arith.constant 0 : index
  air.launch (%x) in (%nx = %c0) args(%a = %m) : memref<3xindex> {
    memref.store %x, %a[%x] : memref<3xindex>
  }
  return
}

// -----

// Herds whose sizes only the kernel knows: as large as their bound.

// CHECK-LABEL: func.func @bounded
// CHECK: gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %c256{{.*}},
func.func @bounded(%m: memref<64xindex>) {
  %c8 = arith.constant 8 : index
  air.launch (%x) in (%nx = %c8) args(%a = %m) : memref<64xindex> {
    %c3 = arith.constant 3 : index
    %n = arith.minui %x, %c3 : index
    %c1 = arith.constant 1 : index
    %n1 = arith.addi %n, %c1 : index
    air.herd tile (%i) in (%ni = %n1) args(%b = %a) : memref<64xindex> {
      memref.store %i, %b[%i] : memref<64xindex>
    }
  }
  return
}
