// RUN: %aircc opt %s --verify-diagnostics --channels-expand-channels

air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @empty(%m: memref<0xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<0xf32> {
    air.launch () in () args(%rl=%r, %l=%b) : index, memref<0xf32> {
      %c0 = arith.constant 0 : index
      %is0 = arith.cmpi eq, %rl, %c0 : index
      scf.if %is0 {
        // expected-error@+1 {{transfers no elements}}
        air.channel.put @C[%c0] (%l[] [] []) : (memref<0xf32>)
      } else {
        air.channel.get @C[%c0] (%l[] [] []) : (memref<0xf32>)
      }
    }
  }
  return
}
