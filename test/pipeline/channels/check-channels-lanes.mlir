// Where points of herds are lanes, the herd puts and gets together, once.

// RUN: %aircc opt %s --channels-check-channels="pe-is-lane=true"
// RUN: not %aircc opt %s --channels-check-channels 2>&1 | FileCheck %s
// CHECK: is not balanced: @C[0] is put into 64 times (by rank 0), but got from 1 times (by rank 1)
// CHECK: :[[#@LINE+11]]:7: note: each point of this herd is a wave and executes the op separately; with --stage-option hierarchy.pe=lane

air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @herds(%m: memref<8xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<8xf32> {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %is0 = arith.cmpi eq, %r, %c0 : index
    scf.if %is0 {
      air.herd tile (%x, %y) in (%nx = %c64, %ny = %c1) args(%l = %b) : memref<8xf32> {
        %h0 = arith.constant 0 : index
        air.channel.put @C[%h0] (%l[] [] []) : (memref<8xf32>)
      }
    } else {
      air.herd tile (%x, %y) in (%nx = %c1, %ny = %c1) args(%l = %b) : memref<8xf32> {
        %h0 = arith.constant 0 : index
        air.channel.get @C[%h0] (%l[] [] []) : (memref<8xf32>)
      }
    }
  }
  return
}
