// RUN: %aircc opt %s --hierarchy-convert-launches | FileCheck %s
// RUN: %aircc opt %s --hierarchy-convert-launches="wave-size=32" | FileCheck %s --check-prefix=W32
// RUN: %aircc opt %s --hierarchy-convert-launches="pe=lane" | FileCheck %s --check-prefix=LANE

// The space of the launch is the grid, the largest herd in each dimension is the
// block, a PE is a wave.

// CHECK-LABEL: func.func @two_herds
// CHECK-DAG: %[[C5:.*]] = arith.constant 5
// CHECK-DAG: %[[C128:.*]] = arith.constant 128
// CHECK: gpu.launch blocks(%[[BX:.*]], %[[BY:.*]], %{{.*}}) in (%{{.*}} = %[[C5]], %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) threads({{.*}}) in (%{{.*}} = %[[C128]],
// CHECK: memref.store %{{.*}}[%[[BX]], %[[BY]]]
// CHECK: air.herd @a{{.*}}kernel.scope = #kernel.scope<wave>
// CHECK: air.herd @b{{.*}}kernel.scope = #kernel.scope<lane>
// CHECK: kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64
// W32-LABEL: func.func @two_herds
// W32: %[[C64:.*]] = arith.constant 64 : index
// W32: gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %[[C64]],
// LANE-LABEL: func.func @two_herds
// LANE: gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %c2{{.*}}, %{{.*}} = %c3{{.*}}, %{{.*}} = %c1{{.*}})
// LANE: air.herd @a{{.*}}kernel.scope = #kernel.scope<lane>
func.func @two_herds(%m: memref<5x7xi32>, %v: i32) {
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  air.launch (%x, %y) in (%nx = %c5, %ny = %c7) args(%a = %m, %w = %v) : memref<5x7xi32>, i32 {
    air.segment args(%b = %a, %sy = %y, %sx = %x, %sw = %w) : memref<5x7xi32>, index, index, i32 {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      memref.store %sw, %b[%sx, %sy] : memref<5x7xi32>
      air.herd @a tile (%i, %j) in (%ni = %c2, %nj = %c1) {
      }
      air.herd @b tile (%i, %j) in (%ni = %c1, %nj = %c3) {
        %ty = gpu.thread_id y
      }
    }
  }
  return
}

// Herds that do not depend on the shape of the block are linear: a herd of 8 x 1 and one of 2 x 3
// need 8 waves together, not 8 x 3.

// CHECK-LABEL: func.func @row
// CHECK: %[[C512:.*]] = arith.constant 512
// CHECK: gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %[[C512]],
// CHECK: kernel.pes_in_row
func.func @row() {
  air.launch () in () {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    air.herd @a tile (%i, %j) in (%ni = %c8, %nj = %c1) {
    }
    air.herd @b tile (%i, %j) in (%ni = %c2, %nj = %c3) {
    }
  }
  return
}

// A function that herds call may ask for the place in the block, too: 8 x 3
// waves, so that each herd finds its shape there.

// CHECK-LABEL: func.func @row_of_calls
// CHECK: gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %c256{{.*}}, %{{.*}} = %c3{{.*}},
// CHECK-NOT: kernel.pes_in_row
// CHECK: func.func private @place
func.func @row_of_calls(%m: memref<8xindex>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  air.launch () in () args(%a = %m, %s1 = %c1, %s2 = %c2, %s3 = %c3, %s4 = %c4) : memref<8xindex>, index, index, index, index {
    air.segment args(%b = %a, %t1 = %s1, %t2 = %s2, %t3 = %s3, %t4 = %s4) : memref<8xindex>, index, index, index, index {
      air.herd @wide tile (%i, %j) in (%ni = %t4, %nj = %t1) args(%c = %b) : memref<8xindex> {
        memref.store %i, %c[%i] : memref<8xindex>
      }
      air.herd @high tile (%i, %j) in (%ni = %t2, %nj = %t3) args(%c = %b) : memref<8xindex> {
        %y = func.call @place() : () -> index
        memref.store %y, %c[%j] : memref<8xindex>
      }
    }
  }
  return
}
func.func private @place() -> index {
  %y = gpu.thread_id y
  return %y : index
}
