// A whole memref<32xi32, #air.symmetric_heap> with one put and one get already has the format of a
// line: 31 words of payload, and the flag in the last word. With a depth, all 32 words are payload
// like those of any other message.

// RUN: split-file %s %t
// RUN: %aircc %t/line.mlir --target gfx942 -o %t/line && python3 %S/Inputs/run_ranks.py 2 %t/line | FileCheck %s --check-prefix=LINE
// RUN: %aircc %t/line.mlir --target gfx1100 -o %t/line32 && python3 %S/Inputs/run_ranks.py 2 %t/line32 | FileCheck %s --check-prefix=LINE
// RUN: sed 's/"gpu_symmetric_heap"/"gpu_symmetric_heap", depth = 1 : i64/' %t/line.mlir > %t/words.mlir
// RUN: %aircc %t/words.mlir --target gfx942 -o %t/words && python3 %S/Inputs/run_ranks.py 2 %t/words | FileCheck %s --check-prefix=WORDS
// LINE: [1] 100 130 1
// WORDS: [1] 100 130 131

//--- line.mlir
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @text("%d %d %d\0A\00") {addr_space = 0 : i32}
air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
func.func @main() {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c30 = arith.constant 30 : index
    %c31 = arith.constant 31 : index
    %buf = memref.alloc() : memref<32xi32, #air.symmetric_heap>
    %is0 = arith.cmpi eq, %r, %c0 : index
    scf.if %is0 {
      air.launch (%x) in (%nx = %c1) args(%l = %buf) : memref<32xi32, #air.symmetric_heap> {
        air.segment args(%s = %l) : memref<32xi32, #air.symmetric_heap> {
          %s1 = arith.constant 1 : index
          air.herd tile (%tx, %ty) in (%ntx = %s1, %nty = %s1) args(%h = %s) : memref<32xi32, #air.symmetric_heap> {
            %h0 = arith.constant 0 : index
            %h32 = arith.constant 32 : index
            %h100 = arith.constant 100 : index
            %lane = gpu.lane_id
            %in = arith.cmpi ult, %lane, %h32 : index
            scf.if %in {
              %sum = arith.addi %lane, %h100 : index
              %v = arith.index_cast %sum : index to i32
              memref.store %v, %h[%lane] : memref<32xi32, #air.symmetric_heap>
            }
            air.channel.put @C[%h0] (%h[][][]) : (memref<32xi32, #air.symmetric_heap>)
          }
        }
      }
    } else {
      air.launch (%x) in (%nx = %c1) args(%l = %buf) : memref<32xi32, #air.symmetric_heap> {
        air.segment args(%s = %l) : memref<32xi32, #air.symmetric_heap> {
          %s1 = arith.constant 1 : index
          air.herd tile (%tx, %ty) in (%ntx = %s1, %nty = %s1) args(%h = %s) : memref<32xi32, #air.symmetric_heap> {
            %h0 = arith.constant 0 : index
            air.channel.get @C[%h0] (%h[][][]) : (memref<32xi32, #air.symmetric_heap>)
          }
        }
      }
      %host = memref.alloc() : memref<32xi32>
      air.dma_memcpy_nd (%host[] [] [], %buf[] [] []) : (memref<32xi32>, memref<32xi32, #air.symmetric_heap>)
      %a = memref.load %host[%c0] : memref<32xi32>
      %b = memref.load %host[%c30] : memref<32xi32>
      %c = memref.load %host[%c31] : memref<32xi32>
      %t = llvm.mlir.addressof @text : !llvm.ptr
      llvm.call @printf(%t, %a, %b, %c) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32, i32) -> i32
    }
    memref.dealloc %buf : memref<32xi32, #air.symmetric_heap>
  }
  return
}
