// RUN: %aircc opt %s --hierarchy-infer-launches --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @lone_herd
// CHECK: air.launch () in () args(
// CHECK: air.herd
func.func @lone_herd(%n: index, %m: memref<4xi32>) {
  air.herd tile (%x) in (%nx = %n) args(%a = %m) : memref<4xi32> {
    %v = arith.constant 1 : i32
    memref.store %v, %a[%x] : memref<4xi32>
  }
  return
}

// CHECK-LABEL: func.func @lone_segment
// CHECK: air.launch () in ()
// CHECK: air.segment @named
func.func @lone_segment() {
  air.segment @named {
  }
  return
}

// -----

// The buffer and the transfers that fill and empty it.

// CHECK-LABEL: func.func @l2
// CHECK: air.launch () in () args(%[[A:.*]]=%arg0, %[[B:.*]]=%arg1)
// CHECK: %[[L2:.*]] = memref.alloc() : memref<64xi32, 1>
// CHECK-NEXT: air.dma_memcpy_nd (%[[L2]][] [] [], %[[A]][] [] [])
// CHECK-NEXT: air.herd
// CHECK: air.dma_memcpy_nd (%[[B]][] [] [], %[[L2]][] [] [])
// CHECK-NEXT: memref.dealloc %[[L2]]
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @l2(%a: memref<64xi32>, %b: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %l2 = memref.alloc() : memref<64xi32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
  air.herd tile (%x) in (%nx = %c1) args(%h = %l2) : memref<64xi32, 1> {
  }
  air.dma_memcpy_nd (%b[] [] [], %l2[] [] []) : (memref<64xi32>, memref<64xi32, 1>)
  memref.dealloc %l2 : memref<64xi32, 1>
  return
}

// -----

// Herds without a common buffer are launches of their own.

// CHECK-LABEL: func.func @two_launches
// CHECK-COUNT-2: air.launch
func.func @two_launches(%a: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x) in (%nx = %c1) args(%h = %a) : memref<64xi32> {
  }
  air.herd tile (%x) in (%nx = %c1) args(%h = %a) : memref<64xi32> {
  }
  return
}

// -----

// A parallel loop is the grid; the sequential loop in it is part of the launch.

// CHECK-LABEL: func.func @grid
// CHECK: %[[M:.*]] = arith.constant 2 : index
// CHECK: %[[N:.*]] = arith.constant 4 : index
// CHECK: air.launch (%[[X:.*]], %[[Y:.*]]) in (%{{.*}}=%[[M]], %{{.*}}=%[[N]])
// CHECK: arith.muli %[[X]]
// CHECK: scf.for
// CHECK: memref.alloc() : memref<32xi32, 1>
// CHECK: air.herd
func.func @grid(%a: memref<128xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c64, %c128) step (%c32, %c32) {
    scf.for %k = %c0 to %c8 step %c1 {
      %l2 = memref.alloc() : memref<32xi32, 1>
      air.dma_memcpy_nd (%l2[] [] [], %a[%i] [32] [1]) : (memref<32xi32, 1>, memref<128xi32>)
      air.herd tile (%x) in (%nx = %c1) args(%h = %l2) : memref<32xi32, 1> {
      }
    }
    scf.reduce
  }
  return
}

// -----

// Bounds of an affine loop.

// CHECK-LABEL: func.func @affine_grid
// CHECK-SAME: %{{.*}}: memref<128xi32>, %[[N:.*]]: index
// CHECK: %[[END:.*]] = affine.min #{{.*}}()[%[[N]]]
// CHECK: arith.ceildivsi
// CHECK: air.launch (%[[X:.*]]) in (
func.func @affine_grid(%a: memref<128xi32>, %n: index) {
  affine.parallel (%i) = (0) to (symbol(%n)) step (32) {
    air.dma_memcpy_nd (%a[%i] [16] [1], %a[0] [16] [1]) : (memref<128xi32>, memref<128xi32>)
  }
  return
}

// -----

// Only the loop uses the buffer: each workgroup gets its own.

// CHECK-LABEL: func.func @own_buffer
// CHECK: air.launch (%{{.*}}) in (
// CHECK: memref.alloc() : memref<32xi32, 1>
// CHECK-NOT: memref.dealloc
func.func @own_buffer(%a: memref<128xi32>) {
  %l2 = memref.alloc() : memref<32xi32, 1>
  scf.forall (%i) in (4) {
    air.dma_memcpy_nd (%l2[] [] [], %a[%i] [32] [1]) : (memref<32xi32, 1>, memref<128xi32>)
    air.dma_memcpy_nd (%a[%i] [32] [1], %l2[] [] []) : (memref<128xi32>, memref<32xi32, 1>)
  }
  memref.dealloc %l2 : memref<32xi32, 1>
  return
}

// -----

// A host loop that contains a call stays on the host, with launches in it.

func.func private @log(index)

// CHECK-LABEL: func.func @host_loop
// CHECK: scf.for
// CHECK-NEXT: func.call @log
// CHECK-NEXT: air.launch
func.func @host_loop(%a: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    func.call @log(%i) : (index) -> ()
    %l2 = memref.alloc() : memref<64xi32, 1>
    air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
    memref.dealloc %l2 : memref<64xi32, 1>
  }
  return
}

// -----

// Only the host accesses the buffer %n, which need not be memory of the device.

// CHECK-LABEL: func.func @host_memory
// CHECK: scf.for
// CHECK-NEXT: memref.load
// CHECK-NEXT: air.launch
func.func @host_memory(%a: memref<64xi32>, %n: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %n[%i] : memref<4xi32>
    air.herd tile (%x) in (%nx = %c1) args(%h = %a, %w = %v) : memref<64xi32>, i32 {
      memref.store %w, %h[%x] : memref<64xi32>
    }
  }
  return
}

// -----

// The host computes the size of a herd that depends on the loop.

// CHECK-LABEL: func.func @growing_herd
// CHECK: scf.for
// CHECK-NEXT: air.launch
func.func @growing_herd(%a: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c1 to %c4 step %c1 {
    air.herd tile (%x) in (%nx = %i) args(%h = %a) : memref<64xi32> {
    }
  }
  return
}

// -----

// Earlier tokens are dependencies of the launch; the token of the launch replaces the last one.

// CHECK-LABEL: func.func @tokens
// CHECK: %[[BEFORE:.*]] = air.launch async
// CHECK: %[[TOKEN:.*]] = air.launch async [%[[BEFORE]]]
// CHECK: %[[DONE:.*]] = air.wait_all async
// CHECK: air.execute [%[[DONE]]] -> (memref<64xi32, 1>)
// CHECK: air.dma_memcpy_nd async
// CHECK: air.herd async
// CHECK: air.wait_all [%[[TOKEN]]]
func.func @tokens(%a: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %before = air.launch async () in () {
  }
  %t0, %l2 = air.execute [%before] -> (memref<64xi32, 1>) {
    %m = memref.alloc() : memref<64xi32, 1>
    air.execute_terminator %m : memref<64xi32, 1>
  }
  %t1 = air.dma_memcpy_nd async [%t0] (%l2[] [] [], %a[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
  %t2 = air.herd async [%t1] tile (%x) in (%nx = %c1) args(%h = %l2) : memref<64xi32, 1> {
  }
  air.wait_all [%t2]
  return
}

// -----

// A blocking op is done when the host continues, so the launch blocks.

// CHECK-LABEL: func.func @blocking
// CHECK: air.launch () in ()
// CHECK: %[[DONE:.*]] = air.wait_all async
// CHECK-NEXT: air.wait_all [%[[DONE]]]
func.func @blocking(%a: memref<64xi32>) {
  %l2 = memref.alloc() : memref<64xi32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
  %t = air.dma_memcpy_nd async (%a[] [] [], %l2[] [] []) : (memref<64xi32>, memref<64xi32, 1>)
  air.wait_all [%t]
  return
}

// -----

// L3 buffers are allocated before and freed after the launch.

// CHECK-LABEL: func.func @l3
// CHECK: %[[L3:.*]] = memref.alloc() : memref<64xi32>
// CHECK: air.launch
// CHECK: memref.store
// CHECK: memref.dealloc %{{.*}} : memref<64xi32, 1>
// CHECK: memref.dealloc %[[L3]] : memref<64xi32>
func.func @l3(%a: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i32
  %l2 = memref.alloc() : memref<64xi32, 1>
  %l3 = memref.alloc() : memref<64xi32>
  memref.store %v, %l3[%c0] : memref<64xi32>
  air.dma_memcpy_nd (%l2[] [] [], %l3[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
  air.dma_memcpy_nd (%a[] [] [], %l2[] [] []) : (memref<64xi32>, memref<64xi32, 1>)
  memref.dealloc %l3 : memref<64xi32>
  memref.dealloc %l2 : memref<64xi32, 1>
  return
}

// -----

// The same in air.execute.

// CHECK-LABEL: func.func @executed_l3
// CHECK: air.execute -> (memref<64xi32>)
// CHECK: air.execute {{.*}} -> (index)
// CHECK: air.launch async
// CHECK: air.execute -> (memref<64xi32, 1>)
// CHECK-COUNT-2: air.dma_memcpy_nd
// CHECK: air.execute {{.*}} {
// CHECK-NEXT: memref.dealloc {{.*}} : memref<64xi32, 1>
// CHECK: air.execute [
// CHECK-NEXT: memref.dealloc {{.*}} : memref<64xi32>
func.func @executed_l3(%a: memref<64xi32>) {
  %c4 = arith.constant 4 : index
  %t0, %l2 = air.execute -> (memref<64xi32, 1>) {
    %m = memref.alloc() : memref<64xi32, 1>
    air.execute_terminator %m : memref<64xi32, 1>
  }
  %t1, %l3 = air.execute [%t0] -> (memref<64xi32>) {
    %m = memref.alloc() : memref<64xi32>
    air.execute_terminator %m : memref<64xi32>
  }
  %t2, %i = air.execute [%t1] -> (index) {
    %j = arith.muli %c4, %c4 : index
    air.execute_terminator %j : index
  }
  %t3 = air.dma_memcpy_nd async [%t1, %t2] (%l2[%i] [4] [1], %l3[%i] [4] [1]) : (memref<64xi32, 1>, memref<64xi32>)
  %t4 = air.execute [%t3] {
    memref.dealloc %l3 : memref<64xi32>
  }
  %t5 = air.dma_memcpy_nd async [%t3, %t4] (%a[%i] [4] [1], %l2[%i] [4] [1]) : (memref<64xi32>, memref<64xi32, 1>)
  %t6 = air.execute [%t5] {
    memref.dealloc %l2 : memref<64xi32, 1>
  }
  air.wait_all [%t4, %t6]
  return
}

// -----

// A launch of one point absorbs the code around it; each point of a larger one
// gets its own copy of a buffer that nothing else uses.

// CHECK-LABEL: func.func @launches
// CHECK: air.launch () in ()
// CHECK: memref.alloc() : memref<64xi32, 1>
// CHECK: air.dma_memcpy_nd
// CHECK-NOT: air.launch
// CHECK: air.dma_memcpy_nd
// CHECK: air.launch (%{{.*}}) in (%{{.*}}=%c4{{.*}}) args(%{{.*}}=%{{.*}}) : memref<64xi32> {
// CHECK: memref.alloc() : memref<32xi32, 1>
func.func @launches(%a: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = memref.alloc() : memref<64xi32, 1>
  air.dma_memcpy_nd (%x[] [] [], %a[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
  air.launch (%i) in (%n = %c1) args(%l = %x, %m = %a) : memref<64xi32, 1>, memref<64xi32> {
    air.dma_memcpy_nd (%m[] [] [], %l[] [] []) : (memref<64xi32>, memref<64xi32, 1>)
  }
  %y = memref.alloc() : memref<32xi32, 1>
  air.launch (%i) in (%n = %c4) args(%l = %y, %m = %a) : memref<32xi32, 1>, memref<64xi32> {
    air.dma_memcpy_nd (%l[] [] [], %m[0] [32] [1]) : (memref<32xi32, 1>, memref<64xi32>)
  }
  memref.dealloc %y : memref<32xi32, 1>
  return
}

// -----

// Code on L2 without AIR ops; a buffer that nothing uses disappears.

// CHECK-LABEL: func.func @linalg
// CHECK-NOT: memref<16xi32, 1>
// CHECK: air.launch
// CHECK: memref.alloc() : memref<64xi32, 1>
// CHECK: memref.copy
// CHECK: linalg.add
// CHECK: memref.copy
func.func @linalg(%a: memref<64xi32>) {
  %unused = memref.alloc() : memref<16xi32, 1>
  %l2 = memref.alloc() : memref<64xi32, 1>
  memref.copy %a, %l2 : memref<64xi32> to memref<64xi32, 1>
  linalg.add ins(%l2, %l2 : memref<64xi32, 1>, memref<64xi32, 1>) outs(%l2 : memref<64xi32, 1>)
  memref.copy %l2, %a : memref<64xi32, 1> to memref<64xi32>
  memref.dealloc %l2 : memref<64xi32, 1>
  memref.dealloc %unused : memref<16xi32, 1>
  return
}

// -----

// The ends of a channel.

air.channel @c [1]

// CHECK-LABEL: func.func @channel
// CHECK: air.launch
// CHECK: air.channel.put
// CHECK: air.herd
// CHECK: air.channel.get
// CHECK-NOT: air.launch
func.func @channel(%a: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  air.channel.put @c[%c0] (%a[] [] []) : (memref<64xi32>)
  air.herd tile (%x) in (%nx = %c1) {
    %l1 = memref.alloc() : memref<64xi32, 2>
    air.channel.get @c[%x] (%l1[] [] []) : (memref<64xi32, 2>)
  }
  return
}
