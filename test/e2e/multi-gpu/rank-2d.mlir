// Ids of a space of two dimensions are delinearized with the first dimension
// fastest, at run time, in the compile-time trace of channels, and where a get
// names a rank by its number.

// RUN: %aircc run %s --target gfx942 -n 8 2>&1 | FileCheck %s
// RUN: %aircc run %s --target gfx1100 -n 8 2>&1 | FileCheck %s

// CHECK-DAG: process 0: (0, 0) of (2, 4), from across 1, published 6
// CHECK-DAG: process 1: (1, 0) of (2, 4), from across 0, published 7
// CHECK-DAG: process 2: (0, 1) of (2, 4), from across 3, published 0
// CHECK-DAG: process 3: (1, 1) of (2, 4), from across 2, published 1
// CHECK-DAG: process 4: (0, 2) of (2, 4), from across 5, published 2
// CHECK-DAG: process 5: (1, 2) of (2, 4), from across 4, published 3
// CHECK-DAG: process 6: (0, 3) of (2, 4), from across 7, published 4
// CHECK-DAG: process 7: (1, 3) of (2, 4), from across 6, published 5

llvm.func @printf(!llvm.ptr, ...) -> i32
func.func private @mgpuGetRank() -> i32
llvm.mlir.global internal constant @text("process %d: (%ld, %ld) of (%ld, %ld), from across %d, published %d\0A\00") {addr_space = 0 : i32}

air.channel @across [2, 4] {channel_type = "gpu_symmetric_heap"}
air.channel @publish [] {channel_type = "gpu_symmetric_heap"}

func.func @main() {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  air.rank (%x, %y) in (%sx = %c2, %sy = %c4) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %process = func.call @mgpuGetRank() : () -> i32
    %own = memref.alloc() : memref<1xi32, #air.symmetric_heap>
    %got = memref.alloc() : memref<2xi32, #air.symmetric_heap>
    %host = memref.alloc() : memref<2xi32>
    memref.store %process, %host[%c0] : memref<2xi32>
    air.dma_memcpy_nd (%own[] [] [], %host[%c0] [%c1] [%c1]) : (memref<1xi32, #air.symmetric_heap>, memref<2xi32>)
    air.launch () in () args(%a = %own, %b = %got, %lx = %x, %ly = %y) : memref<1xi32, #air.symmetric_heap>, memref<2xi32, #air.symmetric_heap>, index, index {
      %one = arith.constant 1 : index
      %zero = arith.constant 0 : index
      %two = arith.constant 2 : index
      %three = arith.constant 3 : index
      %four = arith.constant 4 : index
      air.channel.put @across[%lx, %ly] (%a[] [] []) : (memref<1xi32, #air.symmetric_heap>)
      %other = arith.subi %one, %lx : index
      air.channel.get @across[%other, %ly] (%b[%zero] [%one] [%one]) : (memref<2xi32, #air.symmetric_heap>)
      // The data that the rank below in the second dimension has published, by number.
      %below = arith.addi %ly, %three : index
      %row = arith.remui %below, %four : index
      %first = arith.muli %row, %two : index
      %number = arith.addi %first, %lx : index
      air.channel.put @publish[] (%a[] [] []) : (memref<1xi32, #air.symmetric_heap>)
      air.channel.get @publish[%number] (%b[%one] [%one] [%one]) : (memref<2xi32, #air.symmetric_heap>)
    }
    air.dma_memcpy_nd (%host[] [] [], %got[] [] []) : (memref<2xi32>, memref<2xi32, #air.symmetric_heap>)
    %e0 = memref.load %host[%c0] : memref<2xi32>
    %e1 = memref.load %host[%c1] : memref<2xi32>
    %t = llvm.mlir.addressof @text : !llvm.ptr
    %a = arith.index_cast %x : index to i64
    %b = arith.index_cast %y : index to i64
    %c = arith.index_cast %sx : index to i64
    %d = arith.index_cast %sy : index to i64
    llvm.call @printf(%t, %process, %a, %b, %c, %d, %e0, %e1) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i64, i64, i64, i64, i32, i32) -> i32
  }
  return
}
