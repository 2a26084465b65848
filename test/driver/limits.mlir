// A herd with more waves than fit in the threads of a workgroup: an error at the
// op, with the numbers, and exit code 1.

// RUN: %exits 1 %aircc %s --target gfx942 -c -o %t.o 2>&1 | FileCheck %s
// RUN: not ls %t.o

func.func @f(%a: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%nx = %c1) args(%la = %a) : memref<64xf32> {
    air.segment @s args(%sa = %la) : memref<64xf32> {
      %c64 = arith.constant 64 : index
      %one = arith.constant 1 : index
      // CHECK: limits.mlir:[[#@LINE+1]]:7: error: {{.*}}1024
      air.herd @h tile (%i, %j) in (%ni = %c64, %nj = %one) args(%ha = %sa) : memref<64xf32> {
        %lane = gpu.lane_id
        %v = memref.load %ha[%lane] : memref<64xf32>
        memref.store %v, %ha[%lane] : memref<64xf32>
      }
    }
  }
  return
}
