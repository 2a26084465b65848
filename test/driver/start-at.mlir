// codegen requires the output of the preceding stage: AIR ops are rejected by name.

// RUN: %exits 1 %aircc %s --start-at codegen --target gfx942 -c -o %t.o 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not ls %t.o

func.func @f(%a: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  // CHECK: start-at.mlir:[[#@LINE+1]]:3: error: 'air.launch' op must be lowered before stage 'codegen'; run stage 'hierarchy' first
  air.launch (%x) in (%nx = %c1) args(%la = %a) : memref<64xf32> {
    air.segment @s args(%sa = %la) : memref<64xf32> {
      %one = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%ni = %one, %nj = %one) args(%ha = %sa) : memref<64xf32> {
        %lane = gpu.lane_id
        %v = memref.load %ha[%lane] : memref<64xf32>
        memref.store %v, %ha[%lane] : memref<64xf32>
      }
    }
  }
  return
}
