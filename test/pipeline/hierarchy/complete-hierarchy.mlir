// RUN: %aircc opt %s --hierarchy-complete-hierarchy | FileCheck %s

// A function with AIR ops is inlined into the launch that calls it.

// CHECK-LABEL: func.func @calls
// CHECK: air.launch
// CHECK-NOT: call @tile
// CHECK: air.dma_memcpy_nd
// CHECK-NOT: func.func private @tile
func.func @calls(%m: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%n = %c1) args(%a = %m) : memref<4xi32> {
    func.call @tile(%a) : (memref<4xi32>) -> ()
  }
  return
}
func.func private @tile(%m: memref<4xi32>) {
  %l2 = memref.alloc() : memref<4xi32, 1>
  air.dma_memcpy_nd (%l2[] [] [], %m[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
  return
}

// A function whose work can be distributed is inlined, too; a function with several blocks is
// executed by one worker.

// CHECK-LABEL: func.func @calls_shared
// CHECK: air.herd
// CHECK-NOT: call @clear
// CHECK: linalg.fill
// CHECK: call @clear_if
func.func @calls_shared(%m: memref<4xi32>, %p: i1) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x) in (%n = %c1) args(%a = %m, %q = %p) : memref<4xi32>, i1 {
    func.call @clear(%a) : (memref<4xi32>) -> ()
    func.call @clear_if(%a, %q) : (memref<4xi32>, i1) -> ()
  }
  return
}
func.func private @clear(%m: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%m : memref<4xi32>)
  return
}
func.func private @clear_if(%m: memref<4xi32>, %p: i1) {
  cf.cond_br %p, ^clear, ^done
^clear:
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%m : memref<4xi32>)
  cf.br ^done
^done:
  return
}

// Host code that passes buffers in L2 becomes part of a launch.

// CHECK-LABEL: func.func @host_call
// CHECK-NOT: call @load
// CHECK: air.dma_memcpy_nd
// CHECK-NOT: func.func private @load
func.func @host_call(%m: memref<4xi32>) {
  %l2 = memref.alloc() : memref<4xi32, 1>
  func.call @load(%l2, %m) : (memref<4xi32, 1>, memref<4xi32>) -> ()
  return
}
func.func private @load(%l2: memref<4xi32, 1>, %m: memref<4xi32>) {
  air.dma_memcpy_nd (%l2[] [] [], %m[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
  return
}
