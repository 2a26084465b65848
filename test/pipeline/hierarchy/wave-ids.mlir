// RUN: %aircc %s --target bmg --emit gpu -o - | FileCheck %s
// RUN: %aircc %s --target gfx942 --emit gpu -o - | FileCheck %s --check-prefix=LANES

// On Xe, the number of a subgroup is known: PE (1, 2) of 4 x 3 is subgroup 9, regardless of the ids
// of its lanes.

// CHECK-LABEL: gpu.func @f_kernel
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-NOT: gpu.thread_id
// CHECK-DAG: %[[ID:.*]] = gpu.subgroup_id : index
// CHECK-DAG: %[[X:.*]] = arith.remui %[[ID]], %[[C4]]
// CHECK-DAG: %[[Y:.*]] = arith.divui %[[ID]], %[[C4]]
// CHECK-NOT: gpu.thread_id
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[X]], %[[Y]]]
// CHECK-NOT: kernel.has_wave_ids

// LANES: gpu.thread_id
// LANES: gpu.subgroup_broadcast {{.*}}first_active_lane
func.func @f(%m: memref<4x3xi32>) {
  air.launch () in () args(%lm=%m) : memref<4x3xi32> {
    air.segment args(%sm=%lm) : memref<4x3xi32> {
      %c4 = arith.constant 4 : index
      %c3 = arith.constant 3 : index
      air.herd tile (%i, %j) in (%ni=%c4, %nj=%c3) args(%hm=%sm) : memref<4x3xi32> {
        %one = arith.constant 1 : i32
        memref.store %one, %hm[%i, %j] : memref<4x3xi32>
      }
    }
  }
  return
}
