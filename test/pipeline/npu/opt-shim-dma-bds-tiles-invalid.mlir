// RUN: %aircc opt %s --air-opt-shim-dma-bds="device=npu1 shim-dma-tile-sizes=2,2" --verify-diagnostics -o /dev/null

// Tiles of two loops change the order of the data; those of one do not.
air.channel @c []
func.func @order(%a: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  // expected-remark @+1 {{the tile sizes change the order of iterations, and thus of the data in channels; to preserve it, use a size of 1 for all loops around the first tiled loop, and no sizes for the loops inside it}}
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      air.channel.put @c[] (%a[%i, %j] [8, 2] [64, 1]) : (memref<64x64xf32>)
    }
  }
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      air.channel.put @c[] (%a[%i, %j] [8, 2] [64, 1]) : (memref<64x64xf32>)
    }
  }
  return
}

// The points of a launch have no order.
func.func @points(%m: memref<64x64xf32>) {
  %c4 = arith.constant 4 : index
  air.launch (%i, %j) in (%x = %c4, %y = %c4) args(%a = %m) : memref<64x64xf32> {
    air.channel.put @c[] (%a[%i, %j] [8, 2] [64, 1]) : (memref<64x64xf32>)
  }
  return
}
