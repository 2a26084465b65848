// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// A herd is run by all threads together; a condition that differs between them
// cannot decide about it.

func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      %c2 = arith.constant 2 : index
      %c64 = arith.constant 64 : index
      %thread = gpu.thread_id x
      %low = arith.cmpi ult, %thread, %c64 : index
      scf.if %low {
        // CHECK: errors/herd-divergent.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*condition}}
        air.herd @h tile (%tx) in (%ntx = %c2) args(%hb = %sb) : memref<1024xf32> {
          %v = arith.constant 1.0 : f32
          memref.store %v, %hb[%tx] : memref<1024xf32>
        }
      }
    }
  }
  return
}
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
