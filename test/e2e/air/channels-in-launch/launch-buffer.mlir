// RUN: python3 %S/Inputs/run_program.py --aircc %aircc %s

// A buffer that the launch allocates in L3 feeds the segment.

// ARG a: 128xi32
// ARG b: 128xi32
// MODEL for i in range(128): b[i] = a[i]

air.channel @in []
air.channel @out []
func.func @test(%a: memref<128xi32>, %b: memref<128xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<128xi32>, memref<128xi32> {
    %own = memref.alloc() : memref<128xi32>
    air.dma_memcpy_nd (%own[] [] [], %la[] [] []) : (memref<128xi32>, memref<128xi32>)
    air.channel.put @in[] (%own[] [] []) : (memref<128xi32>)
    air.segment {
      %s1 = arith.constant 1 : index
      %l2 = memref.alloc() : memref<128xi32, 1>
      air.channel.get @in[] (%l2[] [] []) : (memref<128xi32, 1>)
      air.herd tile (%x) in (%n = %s1) args(%h = %l2) : memref<128xi32, 1> {
        %t = memref.alloc() : memref<128xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %h[] [] []) : (memref<128xi32, 2>, memref<128xi32, 1>)
        air.channel.put @out[] (%t[] [] []) : (memref<128xi32, 2>)
      }
    }
    air.channel.get @out[] (%lb[] [] []) : (memref<128xi32>)
    memref.dealloc %own : memref<128xi32>
  }
  return
}
