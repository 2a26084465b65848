// A program that initializes the symmetric heap itself, with a channel between kernels: the buffers
// of the channel are allocated in that heap.

// RUN: %aircc run %s --target gfx942 -n 2 2>&1 | FileCheck %s
// RUN: %aircc run %s --check --target gfx1100 -n 2 2>&1 | FileCheck %s
// CHECK: rank 1 got 10 13

llvm.func @printf(!llvm.ptr, ...) -> i32
func.func private @mgpuSymmetricHeapInit(i64)
func.func private @mgpuSymmetricHeapDestroy()
llvm.mlir.global internal constant @text("rank %ld got %d %d\0A\00") {addr_space = 0 : i32}
air.channel @C [1] {channel_type = "gpu_symmetric_heap"}

func.func @main() {
  %bytes = arith.constant 1048576 : i64
  func.call @mgpuSymmetricHeapInit(%bytes) : (i64) -> ()
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %m = memref.alloc() : memref<4xi32, #air.symmetric_heap>
    %host = memref.alloc() : memref<4xi32>
    scf.for %i = %c0 to %c4 step %c1 {
      %c10 = arith.constant 10 : index
      %sum = arith.addi %i, %c10 : index
      %v = arith.index_cast %sum : index to i32
      memref.store %v, %host[%i] : memref<4xi32>
    }
    %is0 = arith.cmpi eq, %r, %c0 : index
    scf.if %is0 {
      air.dma_memcpy_nd (%m[] [] [], %host[] [] []) : (memref<4xi32, #air.symmetric_heap>, memref<4xi32>)
      air.launch () in () args(%l = %m) : memref<4xi32, #air.symmetric_heap> {
        %z = arith.constant 0 : index
        air.channel.put @C[%z] (%l[] [] []) : (memref<4xi32, #air.symmetric_heap>)
      }
    } else {
      air.launch () in () args(%l = %m) : memref<4xi32, #air.symmetric_heap> {
        %z = arith.constant 0 : index
        air.channel.get @C[%z] (%l[] [] []) : (memref<4xi32, #air.symmetric_heap>)
      }
      air.dma_memcpy_nd (%host[] [] [], %m[] [] []) : (memref<4xi32>, memref<4xi32, #air.symmetric_heap>)
      %a = memref.load %host[%c0] : memref<4xi32>
      %b = memref.load %host[%c3] : memref<4xi32>
      %rank = arith.index_cast %r : index to i64
      %t = llvm.mlir.addressof @text : !llvm.ptr
      llvm.call @printf(%t, %rank, %a, %b) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i32, i32) -> i32
    }
  }
  func.call @mgpuSymmetricHeapDestroy() : () -> ()
  return
}
