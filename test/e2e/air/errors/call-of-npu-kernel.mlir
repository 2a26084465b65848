// RUN: not %aircc %s --target gfx942 -o %t 2>&1 | FileCheck %s

// CHECK: call-of-npu-kernel.mlir:[[#@LINE+6]]:{{[0-9]+}}: error: 'func.call' op passes an L1 or L2 buffer to a function without a body; the object file named by `link_with` contains NPU code, so for a GPU the function needs a body in this program
func.func private @clear(memref<8xi32, 2>) attributes {link_with = "clear.o", llvm.emit_c_interface}
func.func @main(%m: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%nx = %c1, %ny = %c1) args(%h = %m) : memref<8xi32> attributes {link_with = "clear.o"} {
    %t = memref.alloc() : memref<8xi32, 2>
    func.call @clear(%t) : (memref<8xi32, 2>) -> ()
    air.dma_memcpy_nd (%h[] [] [], %t[] [] []) : (memref<8xi32>, memref<8xi32, 2>)
  }
  return
}
