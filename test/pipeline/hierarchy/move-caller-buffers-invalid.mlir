// RUN: %aircc opt %s --hierarchy-move-caller-buffers --split-input-file --verify-diagnostics

// expected-note@+2 {{the buffer is defined here}}
// expected-remark@+1 {{argument 0 of rotated has an L1 or L2 memory space}}
func.func @rotated(%a: memref<32xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %l2 = memref.alloc() : memref<32xi32, 1>
  // expected-error@+1 {{passes on an L1 or L2 buffer that belongs to the function's caller and is therefore in L3; use the argument itself, or a view of it}}
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a, %q = %l2) -> (memref<32xi32, 1>, memref<32xi32, 1>) {
    air.dma_memcpy_nd (%p[] [] [], %q[] [] []) : (memref<32xi32, 1>, memref<32xi32, 1>)
    scf.yield %q, %p : memref<32xi32, 1>, memref<32xi32, 1>
  }
  return
}
