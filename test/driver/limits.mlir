// A herd whose PEs are lanes, with more of them than a workgroup may have: an
// error at the op, with the numbers, and exit code 1.

// RUN: %exits 1 %aircc %s --target gfx942 --stage-option hierarchy.pe=lane -c -o %t.o 2>&1 | FileCheck %s
// RUN: not ls %t.o

func.func @f(%a: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%nx = %c1) args(%la = %a) : memref<64xf32> {
    air.segment @s args(%sa = %la) : memref<64xf32> {
      %c2048 = arith.constant 2048 : index
      %one = arith.constant 1 : index
      // CHECK: limits.mlir:[[#@LINE+1]]:7: error: {{.*}}1024
      air.herd @h tile (%i, %j) in (%ni = %c2048, %nj = %one) args(%ha = %sa) : memref<64xf32> {
        %lane = gpu.lane_id
        %v = memref.load %ha[%lane] : memref<64xf32>
        memref.store %v, %ha[%lane] : memref<64xf32>
      }
    }
  }
  return
}
