air.channel @NAME [1] {channel_type = "gpu_symmetric_heap"}
func.func @f(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%b=%m) : memref<4xf32> {
    %c0 = arith.constant 0 : index
    air.channel.put @NAME[%c0] (%b[] [] []) : (memref<4xf32>)
  }
  return
}
