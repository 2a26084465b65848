// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// NPU channels have no counterpart on a GPU: the error is at the first use and names the type that
// has one.

// CHECK: errors/channel-npu-stream.mlir:[[#]]:{{[0-9]+}}: error: {{.*npu_dma_stream}}
air.channel @c [1, 1]
func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      %c0_1 = arith.constant 0 : index
      %c1_1 = arith.constant 1 : index
      %t = memref.alloc() : memref<64xf32, 1>
      air.channel.put @c[%c0_1, %c0_1] (%sb[0] [64] [1]) : (memref<1024xf32>)
      air.herd @h tile (%tx) in (%ntx = %c1_1) args(%ht = %t) : memref<64xf32, 1> {
        %c0_2 = arith.constant 0 : index
        air.channel.get @c[%c0_2, %c0_2] (%ht[] [] []) : (memref<64xf32, 1>)
      }
    }
  }
  return
}
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
