// Several ranks get from one destination: rank 0 puts the numbers 1 to 60, one a
// message of two lines, and ranks 1 to 3 get 20 of them each, whichever come. Each
// number is got once: the sums of the ranks, which rank 0 gets, make up the whole.

// RUN: %aircc %s --target gfx942 -o %t && python3 %S/Inputs/run_ranks.py 4 %t | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t32 && python3 %S/Inputs/run_ranks.py 4 %t32 | FileCheck %s
// CHECK: [0] sum 1830, sum of squares 73810, wrong 0

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @text("sum %ld, sum of squares %ld, wrong %ld\0A\00") {addr_space = 0 : i32}
air.channel @Work [1] {channel_type = "gpu_symmetric_heap", depth = 2 : i64}
air.channel @Sums [4] {channel_type = "gpu_symmetric_heap"}

func.func @main() {
  %c4 = arith.constant 4 : index
  air.rank (%r) in (%n = %c4) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %four = arith.constant 4 : index
    %sums = memref.alloc() : memref<4x3xi64, #air.symmetric_heap>
    %is0 = arith.cmpi eq, %r, %c0 : index
    scf.if %is0 {
      air.launch () in () args(%o = %sums) : memref<4x3xi64, #air.symmetric_heap> {
        air.segment args(%so = %o) : memref<4x3xi64, #air.symmetric_heap> {
          %s0 = arith.constant 0 : index
          %s1 = arith.constant 1 : index
          %s4 = arith.constant 4 : index
          %s40 = arith.constant 40 : index
          %s61 = arith.constant 61 : index
          %m = memref.alloc() : memref<40xi32, 1>
          scf.for %k = %s1 to %s61 step %s1 {
            %v = arith.index_cast %k : index to i32
            scf.for %i = %s0 to %s40 step %s1 {
              memref.store %v, %m[%i] : memref<40xi32, 1>
            }
            air.channel.put @Work[%s0] (%m[] [] []) : (memref<40xi32, 1>)
          }
          scf.for %k = %s1 to %s4 step %s1 {
            air.channel.get @Sums[%k] (%so[%k, 0] [1, 3] [3, 1]) : (memref<4x3xi64, #air.symmetric_heap>)
          }
          memref.dealloc %m : memref<40xi32, 1>
        }
      }
      %host = memref.alloc() : memref<4x3xi64>
      air.dma_memcpy_nd (%host[] [] [], %sums[] [] []) : (memref<4x3xi64>, memref<4x3xi64, #air.symmetric_heap>)
      %z = arith.constant 0 : i64
      %all:3 = scf.for %k = %c1 to %four step %c1 iter_args(%a = %z, %b = %z, %c = %z) -> (i64, i64, i64) {
        %x = memref.load %host[%k, %c0] : memref<4x3xi64>
        %y = memref.load %host[%k, %c1] : memref<4x3xi64>
        %w = memref.load %host[%k, %c2] : memref<4x3xi64>
        %aa = arith.addi %a, %x : i64
        %bb = arith.addi %b, %y : i64
        %cc = arith.addi %c, %w : i64
        scf.yield %aa, %bb, %cc : i64, i64, i64
      }
      %t = llvm.mlir.addressof @text : !llvm.ptr
      llvm.call @printf(%t, %all#0, %all#1, %all#2) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64) -> i32
      memref.dealloc %host : memref<4x3xi64>
    } else {
      air.launch () in () args(%lr = %r) : index {
        air.segment args(%sr = %lr) : index {
          %s0 = arith.constant 0 : index
          %s1 = arith.constant 1 : index
          %s2 = arith.constant 2 : index
          %s20 = arith.constant 20 : index
          %s40 = arith.constant 40 : index
          %z = arith.constant 0 : i64
          %one = arith.constant 1 : i64
          %m = memref.alloc() : memref<40xi32, 1>
          %out = memref.alloc() : memref<3xi64, 1>
          %all:3 = scf.for %k = %s0 to %s20 step %s1 iter_args(%a = %z, %b = %z, %c = %z) -> (i64, i64, i64) {
            air.channel.get @Work[%s0] (%m[] [] []) : (memref<40xi32, 1>)
            %v32 = memref.load %m[%s0] : memref<40xi32, 1>
            %v = arith.extui %v32 : i32 to i64
            // All words of a message are those of one.
            %wrong = scf.for %i = %s0 to %s40 step %s1 iter_args(%w = %c) -> (i64) {
              %u = memref.load %m[%i] : memref<40xi32, 1>
              %no = arith.cmpi ne, %u, %v32 : i32
              %more = arith.addi %w, %one : i64
              %next = arith.select %no, %more, %w : i64
              scf.yield %next : i64
            }
            %aa = arith.addi %a, %v : i64
            %sq = arith.muli %v, %v : i64
            %bb = arith.addi %b, %sq : i64
            scf.yield %aa, %bb, %wrong : i64, i64, i64
          }
          memref.store %all#0, %out[%s0] : memref<3xi64, 1>
          memref.store %all#1, %out[%s1] : memref<3xi64, 1>
          memref.store %all#2, %out[%s2] : memref<3xi64, 1>
          air.channel.put @Sums[%sr] (%out[] [] []) : (memref<3xi64, 1>)
          memref.dealloc %out : memref<3xi64, 1>
          memref.dealloc %m : memref<40xi32, 1>
        }
      }
    }
    memref.dealloc %sums : memref<4x3xi64, #air.symmetric_heap>
  }
  return
}
