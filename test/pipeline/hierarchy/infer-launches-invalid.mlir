// RUN: %aircc opt %s --hierarchy-infer-launches --split-input-file --verify-diagnostics

func.func private @print(memref<64xi32, 1>)
func.func @host_reads(%a: memref<64xi32>) {
  // expected-note@+1 {{the buffer is defined here}}
  %l2 = memref.alloc() : memref<64xi32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
  // expected-error@+1 {{runs on the host, but uses an L1 or L2 buffer, or is part of code that does; L1 and L2 are workgroup memory, so copy the data to an L3 buffer with air.dma_memcpy_nd and use that instead}}
  func.call @print(%l2) : (memref<64xi32, 1>) -> ()
  return
}

// -----

func.func @returned(%a: memref<64xi32>) -> memref<64xi32, 1> {
  // expected-note@+1 {{the buffer is defined here}}
  %l2 = memref.alloc() : memref<64xi32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
  // expected-error@+1 {{runs on the host, but uses an L1 or L2 buffer}}
  return %l2 : memref<64xi32, 1>
}

// -----

func.func private @log()
func.func @host_between(%a: memref<64xi32>) {
  // expected-note@+1 {{the buffer is defined here}}
  %l2 = memref.alloc() : memref<64xi32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
  // expected-error@+1 {{runs on the host between ops that must be in one launch because they share a buffer in L1 or L2; move it before or after them}}
  func.call @log() : () -> ()
  air.dma_memcpy_nd (%a[] [] [], %l2[] [] []) : (memref<64xi32>, memref<64xi32, 1>)
  return
}

// -----

air.channel @c [1]
func.func private @log()
func.func @host_between_ends(%a: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{the first of them is here}}
  air.channel.put @c[%c0] (%a[] [] []) : (memref<64xi32>)
  // expected-error@+1 {{runs on the host between ops that must be in one launch because they share a channel; move it before or after them}}
  func.call @log() : () -> ()
  air.channel.get @c[%c0] (%a[] [] []) : (memref<64xi32>)
  return
}

// -----

func.func @host_uses_result(%a: memref<64xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %l2 = memref.alloc() : memref<64xi32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
  // expected-error@+1 {{is part of a launch because it accesses an L1 or L2 buffer or is between ops that do, but host code uses its result; store the result in an L3 buffer and load it from there}}
  %v = memref.load %l2[%c0] : memref<64xi32, 1>
  // expected-note@+1 {{the result is used here}}
  return %v : i32
}

// -----

func.func @points_share_l2(%a: memref<64xi32>) {
  %c4 = arith.constant 4 : index
  // expected-note@+1 {{the buffer is defined here}}
  %l2 = memref.alloc() : memref<64xi32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
  // expected-error@+1 {{has several points, but shares a buffer in L1 or L2 with code outside it; each point is a workgroup with its own L1 and L2, so move that code into the launch}}
  air.launch (%x) in (%n = %c4) args(%l = %l2) : memref<64xi32, 1> {
  }
  return
}

// -----

func.func @sequential(%a: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %l2 = memref.alloc() : memref<64xi32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
  // expected-remark@+1 {{the iterations of this loop run one after another in one workgroup, because it shares a buffer in L1 or L2 with the surrounding code}}
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    air.dma_memcpy_nd (%a[%i] [1] [1], %l2[%i] [1] [1]) : (memref<64xi32>, memref<64xi32, 1>)
    scf.reduce
  }
  return
}
