// In a world of more ranks than an air.rank has, the barriers in it, and in what it
// calls, are those of its own ranks; the others go on meanwhile.

// RUN: %aircc %s --target gfx942 -o %t
// RUN: sh %S/Inputs/ranks.sh 2 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: sh %S/Inputs/ranks.sh 5 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,FIVE

// CHECK-DAG: rank 0 sees 2 of 2
// CHECK-DAG: rank 1 sees 2 of 2
// CHECK-DAG: rank 0 of {{2|5}}: status 0
// CHECK-DAG: rank 1 of {{2|5}}: status 0
// TWO-NOT:   rank 2
// FIVE-DAG:  rank 2 of 5: status 0
// FIVE-DAG:  rank 3 of 5: status 0
// FIVE-DAG:  rank 4 of 5: status 0

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @text("rank %ld sees %ld of 2\0A\00") {addr_space = 0 : i32}
func.func private @mgpuBarrier()

func.func private @meet() {
  func.call @mgpuBarrier() : () -> ()
  return
}

func.func @main() {
  %two = arith.constant 2 : index
  %n0 = arith.constant 0 : index
  %n1 = arith.constant 1 : index
  %n3 = arith.constant 3 : index
  scf.for %round = %n0 to %n3 step %n1 {
    air.rank (%r) in (%n = %two) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1 : i64
      %count = memref.alloc() : memref<1xi64, #air.symmetric_heap>
      %zeros = memref.alloc() : memref<1xi64>
      %z = arith.constant 0 : i64
      memref.store %z, %zeros[%c0] : memref<1xi64>
      air.dma_memcpy_nd (%count[] [] [], %zeros[] [] []) : (memref<1xi64, #air.symmetric_heap>, memref<1xi64>)
      func.call @mgpuBarrier() : () -> ()
      // Each writes into the other's.
      %is0 = arith.cmpi eq, %r, %c0 : index
      memref.store %one, %zeros[%c0] : memref<1xi64>
      scf.if %is0 {
        air.dma_memcpy_nd (%count[] [] [], %zeros[] [] []) {dst_rank = 1 : i64} : (memref<1xi64, #air.symmetric_heap>, memref<1xi64>)
      } else {
        air.dma_memcpy_nd (%count[] [] [], %zeros[] [] []) {dst_rank = 0 : i64} : (memref<1xi64, #air.symmetric_heap>, memref<1xi64>)
      }
      func.call @meet() : () -> ()
      air.dma_memcpy_nd (%zeros[] [] [], %count[] [] []) : (memref<1xi64>, memref<1xi64, #air.symmetric_heap>)
      %v = memref.load %zeros[%c0] : memref<1xi64>
      %seen = arith.addi %v, %one : i64
      %rank = arith.index_cast %r : index to i64
      %t = llvm.mlir.addressof @text : !llvm.ptr
      llvm.call @printf(%t, %rank, %seen) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
      func.call @mgpuBarrier() : () -> ()
      memref.dealloc %count : memref<1xi64, #air.symmetric_heap>
    }
  }
  return
}
