// Puts and gets in different functions and launches, which are called again and
// again; asynchronous gets before the puts they need; a heap that several
// functions set up, with several ways out.

// RUN: %aircc %s --target gfx942 -o %t && python3 %S/Inputs/run_ranks.py 2 %t | FileCheck %s
// CHECK: [0] 105, then 100
// CHECK: [1] 100, then 105

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @text("%ld, then %ld\0A\00") {addr_space = 0 : i32}
air.channel @C [2] {channel_type = "gpu_symmetric_heap", depth = 4 : i64}
air.channel @H [2] {channel_type = "gpu_symmetric_heap", depth = 1 : i64}

func.func private @send(%value: i64) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) args(%v = %value) : i64 {
    air.launch () in () args(%lr = %r, %lv = %v) : index, i64 {
      air.segment args(%sr = %lr, %sv = %lv) : index, i64 {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %to = arith.subi %c1, %sr : index
        %m = memref.alloc() : memref<1xi64, 1>
        memref.store %sv, %m[%c0] : memref<1xi64, 1>
        air.channel.put @C[%to] (%m[] [] []) : (memref<1xi64, 1>)
        memref.dealloc %m : memref<1xi64, 1>
      }
    }
  }
  return
}

func.func @receive(%out: memref<1xi64>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) args(%o = %out) : memref<1xi64> {
    %heap = memref.alloc() : memref<1xi64, #air.symmetric_heap>
    air.launch () in () args(%lr = %r, %lo = %heap) : index, memref<1xi64, #air.symmetric_heap> {
      air.segment args(%sr = %lr, %so = %lo) : index, memref<1xi64, #air.symmetric_heap> {
        air.channel.get @C[%sr] (%so[] [] []) : (memref<1xi64, #air.symmetric_heap>)
      }
    }
    air.dma_memcpy_nd (%o[] [] [], %heap[] [] []) : (memref<1xi64>, memref<1xi64, #air.symmetric_heap>)
    memref.dealloc %heap : memref<1xi64, #air.symmetric_heap>
  }
  return
}

// At rank level: the get is started before the put.
func.func private @swap(%value: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %in = memref.alloc() : memref<1xi64>
  %out = memref.alloc() : memref<1xi64>
  memref.store %value, %in[%c0] : memref<1xi64>
  air.rank (%r) in (%n = %c2) args(%i = %in, %o = %out) : memref<1xi64>, memref<1xi64> {
    %c1 = arith.constant 1 : index
    %to = arith.subi %c1, %r : index
    %got = air.channel.get async @H[%r] (%o[] [] []) : (memref<1xi64>)
    %put = air.channel.put async @H[%to] (%i[] [] []) : (memref<1xi64>)
    air.wait_all [%got, %put]
  }
  %v = memref.load %out[%c0] : memref<1xi64>
  return %v : i64
}

func.func private @mgpuGetRank() -> i32

func.func @main() -> i32 {
  %z = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0 : i64
  %ten = arith.constant 10 : i64
  %rank = func.call @mgpuGetRank() : () -> i32
  %rank64 = arith.extui %rank : i32 to i64
  %out = memref.alloc() : memref<1xi64>
  // 10 * k + rank, for k = 0 … 4.
  %sum = scf.for %k = %c0 to %c5 step %c1 iter_args(%s = %zero) -> (i64) {
    %k64 = arith.index_cast %k : index to i64
    %tens = arith.muli %k64, %ten : i64
    %v = arith.addi %tens, %rank64 : i64
    func.call @send(%v) : (i64) -> ()
    func.call @receive(%out) : (memref<1xi64>) -> ()
    %got = memref.load %out[%c0] : memref<1xi64>
    %t = arith.addi %s, %got : i64
    scf.yield %t : i64
  }
  // Rank 0 has got 100 + 5 * 1, rank 1 has got 100; then they swap.
  %theirs = func.call @swap(%sum) : (i64) -> i64
  %t = llvm.mlir.addressof @text : !llvm.ptr
  llvm.call @printf(%t, %sum, %theirs) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %is0 = arith.cmpi eq, %rank, %z : i32
  cf.cond_br %is0, ^bb1, ^bb2
^bb1:
  return %z : i32
^bb2:
  return %z : i32
}
