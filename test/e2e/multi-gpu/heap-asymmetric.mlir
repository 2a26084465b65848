// If allocations differ between ranks and the compiler cannot detect it, the program ends at the
// barrier, and no memory is written except what the program names. Allocations in spaces of fewer
// ranks, frees in another order, and allocations of one rank between barriers are permitted.

// RUN: not %aircc run %s --target gfx942 -n 2 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: the symmetric heaps differ in mgpuBarrier: rank {{[01]}} has allocated {{(4096 bytes at 0, 256 bytes at 4096; rank 1 256 bytes at 0|256 bytes at 0; rank 0 4096 bytes at 0, 256 bytes at 4096)}}. The same offset then belongs to different buffers
// DIFFERS-NOT: done

// RUN: sed 's@//GONE @@' %s > %t.gone.mlir && %aircc run %t.gone.mlir --target gfx942 -n 2 2>&1 | FileCheck %s --check-prefix=GONE
// RUN: %aircc run %t.gone.mlir --check --target gfx942 -n 3 2>&1 | FileCheck %s --check-prefix=GONE
// GONE-DAG: rank 0 done: 5
// GONE-DAG: rank 1 done: 5

llvm.func @printf(!llvm.ptr, ...) -> i32
func.func private @mgpuBarrier()
func.func private @mgpuGetRank() -> i32
llvm.mlir.global internal constant @text("rank %d done: %d\0A\00") {addr_space = 0 : i32}

func.func private @meet_in_two(%c2: index) {
  air.rank (%r) in (%n = %c2) {
    // Of two ranks only; the others do not have it.
    %only = memref.alloc() : memref<64xi32, #air.symmetric_heap>
    func.call @mgpuBarrier() : () -> ()
  }
  return
}

func.func @main() {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    // The compiler does not look into the runtime's functions.
    %number = func.call @mgpuGetRank() : () -> i32
    %zero = arith.constant 0 : i32
    %is0 = arith.cmpi eq, %number, %zero : i32
    scf.if %is0 {
      %x = memref.alloc() : memref<1024xi32, #air.symmetric_heap>
      //GONE memref.dealloc %x : memref<1024xi32, #air.symmetric_heap>
    }
    %m = memref.alloc() : memref<64xi32, #air.symmetric_heap>
    %src = memref.alloc() : memref<64xi32>
    %five = arith.constant 5 : i32
    memref.store %five, %src[%c3] : memref<64xi32>
    func.call @mgpuBarrier() : () -> ()
    scf.if %is0 {
      air.dma_memcpy_nd (%m[] [] [], %src[] [] []) {dst_rank = 1 : i64} : (memref<64xi32, #air.symmetric_heap>, memref<64xi32>)
    } else {
      air.dma_memcpy_nd (%m[] [] [], %src[] [] []) {dst_rank = 0 : i64} : (memref<64xi32, #air.symmetric_heap>, memref<64xi32>)
    }
    func.call @mgpuBarrier() : () -> ()
    %host = memref.alloc() : memref<64xi32>
    air.dma_memcpy_nd (%host[] [] [], %m[] [] []) : (memref<64xi32>, memref<64xi32, #air.symmetric_heap>)
    %e = memref.load %host[%c3] : memref<64xi32>
    %t = llvm.mlir.addressof @text : !llvm.ptr
    llvm.call @printf(%t, %number, %e) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32) -> i32
    memref.dealloc %m : memref<64xi32, #air.symmetric_heap>
  }
  func.call @meet_in_two(%c2) : (index) -> ()
  func.call @mgpuBarrier() : () -> ()
  return
}
