// Puts and gets in air.ranks of two functions, both over all ranks: a program for any number of
// ranks. Each rank sends its data to the next one, three times.

// RUN: %aircc %s --target gfx942 -o %t
// RUN: python3 %S/Inputs/run_ranks.py 2 %t | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: python3 %S/Inputs/run_ranks.py 3 %t | FileCheck %s --check-prefixes=CHECK,THREE
// RUN: not python3 %S/Inputs/run_ranks.py 9 %t | FileCheck %s --check-prefix=NINE
// TWO:   [0] 301
// THREE: [0] 302
// CHECK: [1] 300
// THREE: [2] 301
// NINE: air.rank at {{.*}}world-size.mlir:{{.*}} 9 ranks

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @text("%ld\0A\00") {addr_space = 0 : i32}
func.func private @mgpuGetWorldSize() -> i32
air.channel @C [8] {channel_type = "gpu_symmetric_heap"}

func.func private @give(%value: i64) {
  %world = func.call @mgpuGetWorldSize() : () -> i32
  %count = arith.index_cast %world : i32 to index
  air.rank (%r) in (%n = %count) args(%v = %value) : i64 {
    air.launch () in () args(%lr = %r, %ln = %n, %lv = %v) : index, index, i64 {
      air.segment args(%sr = %lr, %sn = %ln, %sv = %lv) : index, index, i64 {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %up = arith.addi %sr, %c1 : index
        %next = arith.remui %up, %sn : index
        %rank = arith.index_cast %sr : index to i64
        %own = arith.addi %sv, %rank : i64
        %m = memref.alloc() : memref<1xi64, 1>
        memref.store %own, %m[%c0] : memref<1xi64, 1>
        air.channel.put @C[%next] (%m[] [] []) : (memref<1xi64, 1>)
        memref.dealloc %m : memref<1xi64, 1>
      }
    }
  }
  return
}

func.func private @take(%print: i1) {
  %world = func.call @mgpuGetWorldSize() : () -> i32
  %count = arith.index_cast %world : i32 to index
  air.rank (%r) in (%n = %count) args(%p = %print) : i1 {
    %c0 = arith.constant 0 : index
    %heap = memref.alloc() : memref<1xi64, #air.symmetric_heap>
    %host = memref.alloc() : memref<1xi64>
    air.launch () in () args(%lr = %r, %lo = %heap) : index, memref<1xi64, #air.symmetric_heap> {
      air.segment args(%sr = %lr, %so = %lo) : index, memref<1xi64, #air.symmetric_heap> {
        air.channel.get @C[%sr] (%so[] [] []) : (memref<1xi64, #air.symmetric_heap>)
      }
    }
    air.dma_memcpy_nd (%host[] [] [], %heap[] [] []) : (memref<1xi64>, memref<1xi64, #air.symmetric_heap>)
    %v = memref.load %host[%c0] : memref<1xi64>
    scf.if %p {
      %t = llvm.mlir.addressof @text : !llvm.ptr
      llvm.call @printf(%t, %v) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
    }
    memref.dealloc %host : memref<1xi64>
    memref.dealloc %heap : memref<1xi64, #air.symmetric_heap>
  }
  return
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %hundred = arith.constant 100 : i64
  scf.for %k = %c1 to %c4 step %c1 {
    %k64 = arith.index_cast %k : index to i64
    %v = arith.muli %k64, %hundred : i64
    func.call @give(%v) : (i64) -> ()
    %last = arith.cmpi eq, %k, %c3 : index
    func.call @take(%last) : (i1) -> ()
  }
  return
}
