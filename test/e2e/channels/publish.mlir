// Each rank puts its data, and each get names the rank whose message it receives: of the host, and
// in kernels.

// RUN: %aircc %s --target gfx942 -o %t && python3 %S/Inputs/run_ranks.py 3 %t | FileCheck %s
// CHECK: [0] 101 and 202
// CHECK: [1] 101 and 200
// CHECK: [2] 101 and 201

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @text("%d and %d\0A\00") {addr_space = 0 : i32}
air.channel @Host [] {channel_type = "gpu_symmetric_heap"}
air.channel @Kernel [] {channel_type = "gpu_symmetric_heap"}

func.func @main() {
  %c3 = arith.constant 3 : index
  air.rank (%r) in (%n = %c3) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %three = arith.constant 3 : index
    %h100 = arith.constant 100 : i32
    %r32 = arith.index_cast %r : index to i32
    %own = arith.addi %r32, %h100 : i32
    %src = memref.alloc() {air.symmetric} : memref<40xi32>
    %dst = memref.alloc() {air.symmetric} : memref<40xi32>
    %host = memref.alloc() : memref<40xi32>
    %c40 = arith.constant 40 : index
    scf.for %i = %c0 to %c40 step %c1 {
      memref.store %own, %host[%i] : memref<40xi32>
    }
    air.dma_memcpy_nd (%src[] [] [], %host[] [] []) : (memref<40xi32>, memref<40xi32>)
    // All ranks get the data of rank 1.
    air.channel.put @Host[] (%src[] [] []) : (memref<40xi32>)
    air.channel.get @Host[%c1] (%dst[] [] []) : (memref<40xi32>)
    air.dma_memcpy_nd (%host[] [] [], %dst[] [] []) : (memref<40xi32>, memref<40xi32>)
    %a = memref.load %host[%c0] : memref<40xi32>

    // Each rank gets the data of the preceding rank.
    %up = arith.addi %r, %c2 : index
    %last = arith.remui %up, %three : index
    air.launch () in () args(%ls = %src, %ld = %dst, %ll = %last) : memref<40xi32>, memref<40xi32>, index {
      air.segment args(%ss = %ls, %sd = %ld, %sl = %ll) : memref<40xi32>, memref<40xi32>, index {
        %s0 = arith.constant 0 : index
        %s1 = arith.constant 1 : index
        %s40 = arith.constant 40 : index
        %s100 = arith.constant 100 : i32
        scf.for %i = %s0 to %s40 step %s1 {
          %v = memref.load %ss[%i] : memref<40xi32>
          %w = arith.addi %v, %s100 : i32
          memref.store %w, %ss[%i] : memref<40xi32>
        }
        air.channel.put @Kernel[] (%ss[] [] []) : (memref<40xi32>)
        air.channel.get @Kernel[%sl] (%sd[] [] []) : (memref<40xi32>)
      }
    }
    air.dma_memcpy_nd (%host[] [] [], %dst[] [] []) : (memref<40xi32>, memref<40xi32>)
    %c39 = arith.constant 39 : index
    %b = memref.load %host[%c39] : memref<40xi32>
    %t = llvm.mlir.addressof @text : !llvm.ptr
    llvm.call @printf(%t, %a, %b) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32) -> i32
    memref.dealloc %dst : memref<40xi32>
    memref.dealloc %src : memref<40xi32>
  }
  return
}
