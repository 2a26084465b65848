// RUN: %aircc opt %s --hierarchy-complete-hierarchy | FileCheck %s

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
