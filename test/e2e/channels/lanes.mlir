// The lanes of a SIMT herd put and get together: a message in the format of a line by a herd of 64
// lanes, and messages of several lines by herds of 64, of 48 and of a few lanes, and by a segment.

// RUN: %aircc %s --target gfx942 --stage-option hierarchy.pe=lane -o %t && python3 %S/Inputs/run_ranks.py 2 %t | FileCheck %s
// RUN: %aircc %s --target gfx90a -O0 --stage-option hierarchy.pe=lane -o %t0 && python3 %S/Inputs/run_ranks.py 2 %t0 | FileCheck %s
// RUN: not %aircc %s --target gfx942 --stage-option hierarchy.pe=row -o %t.no 2>&1 | FileCheck %s --check-prefix=NO
// NO: --stage-option hierarchy.pe=row: option 'pe' of stage 'hierarchy' expects one of wave, lane, auto, but got 'row'
// RUN: not %aircc %s --target gfx1100 --stage-option hierarchy.pe=lane -o %t.no 2>&1 | FileCheck %s --check-prefix=WAVE32
// WAVE32: error: 'air.channel.put' op is executed by all lanes of a herd together, so the herd must be one wave of at most 32 lanes, and the whole workgroup
// CHECK: [1] 100 130 1
// CHECK: [1] 7 2407
// CHECK: [1] 7 2407
// CHECK: [1] 7 2407

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @line("%d %d %d\0A\00") {addr_space = 0 : i32}
llvm.mlir.global internal constant @text("%d %d\0A\00") {addr_space = 0 : i32}
air.channel @C [1] {channel_type = "gpu_symmetric_heap"}
air.channel @Long [1] {channel_type = "gpu_symmetric_heap", depth = 1 : i64}

func.func @main() {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c30 = arith.constant 30 : index
    %c31 = arith.constant 31 : index
    %c99 = arith.constant 99 : index
    %buf = memref.alloc() : memref<32xi32, #air.symmetric_heap>
    %long = memref.alloc() : memref<100xi32, #air.symmetric_heap>
    %is0 = arith.cmpi eq, %r, %c0 : index
    scf.if %is0 {
      air.launch (%x) in (%nx = %c1) args(%l = %buf, %ll = %long)
          : memref<32xi32, #air.symmetric_heap>, memref<100xi32, #air.symmetric_heap> {
        air.segment args(%s = %l) : memref<32xi32, #air.symmetric_heap> {
          %s64 = arith.constant 64 : index
          %s1 = arith.constant 1 : index
          air.herd tile (%tx, %ty) in (%ntx = %s64, %nty = %s1) args(%h = %s) : memref<32xi32, #air.symmetric_heap> {
            %h0 = arith.constant 0 : index
            %h32 = arith.constant 32 : index
            %h100 = arith.constant 100 : index
            %in = arith.cmpi ult, %tx, %h32 : index
            scf.if %in {
              %sum = arith.addi %tx, %h100 : index
              %v = arith.index_cast %sum : index to i32
              memref.store %v, %h[%tx] : memref<32xi32, #air.symmetric_heap>
            }
            air.channel.put @C[%h0] (%h[][][]) : (memref<32xi32, #air.symmetric_heap>)
          }
        }
      }
      // Messages of 100 numbers, three times: by 48 lanes, by 5 lanes, and by a segment.
      air.launch (%x) in (%nx = %c1) args(%l = %long) : memref<100xi32, #air.symmetric_heap> {
        air.segment args(%s = %l) : memref<100xi32, #air.symmetric_heap> {
          %s48 = arith.constant 48 : index
          %s1 = arith.constant 1 : index
          air.herd tile (%tx, %ty) in (%ntx = %s48, %nty = %s1) args(%h = %s) : memref<100xi32, #air.symmetric_heap> {
            %h0 = arith.constant 0 : index
            %h7 = arith.constant 7 : i32
            %h24 = arith.constant 24 : index
            %h48 = arith.constant 48 : index
            %h100 = arith.constant 100 : index
            %hz = arith.constant 0 : i32
            scf.for %i = %tx to %h100 step %h48 {
              %k = arith.muli %i, %h24 : index
              %v = arith.index_cast %k : index to i32
              %w = arith.addi %v, %h7 : i32
              memref.store %w, %h[%i] : memref<100xi32, #air.symmetric_heap>
            }
            air.channel.put @Long[%h0] (%h[][][]) : (memref<100xi32, #air.symmetric_heap>)
          }
        }
      }
      air.launch (%x) in (%nx = %c1) args(%l = %long) : memref<100xi32, #air.symmetric_heap> {
        air.segment args(%s = %l) : memref<100xi32, #air.symmetric_heap> {
          %s5 = arith.constant 5 : index
          %s1 = arith.constant 1 : index
          air.herd tile (%tx, %ty) in (%ntx = %s5, %nty = %s1) args(%h = %s) : memref<100xi32, #air.symmetric_heap> {
            %h0 = arith.constant 0 : index
            air.channel.put @Long[%h0] (%h[][][]) : (memref<100xi32, #air.symmetric_heap>)
          }
        }
      }
      air.launch (%x) in (%nx = %c1) args(%l = %long) : memref<100xi32, #air.symmetric_heap> {
        air.segment args(%s = %l) : memref<100xi32, #air.symmetric_heap> {
          %s0 = arith.constant 0 : index
          air.channel.put @Long[%s0] (%s[][][]) : (memref<100xi32, #air.symmetric_heap>)
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
      %t = llvm.mlir.addressof @line : !llvm.ptr
      llvm.call @printf(%t, %a, %b, %c) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32, i32) -> i32
      %longhost = memref.alloc() : memref<100xi32>
      scf.for %round = %c0 to %c3 step %c1 {
        scf.for %i = %c0 to %c99 step %c1 {
          %z = arith.constant 0 : i32
          memref.store %z, %longhost[%i] : memref<100xi32>
        }
        air.dma_memcpy_nd (%long[] [] [], %longhost[] [] []) : (memref<100xi32, #air.symmetric_heap>, memref<100xi32>)
        air.launch (%x) in (%nx = %c1) args(%l = %long) : memref<100xi32, #air.symmetric_heap> {
          air.segment args(%s = %l) : memref<100xi32, #air.symmetric_heap> {
            %s64 = arith.constant 64 : index
            %s1 = arith.constant 1 : index
            air.herd tile (%tx, %ty) in (%ntx = %s64, %nty = %s1) args(%h = %s) : memref<100xi32, #air.symmetric_heap> {
              %h0 = arith.constant 0 : index
              air.channel.get @Long[%h0] (%h[][][]) : (memref<100xi32, #air.symmetric_heap>)
            }
          }
        }
        air.dma_memcpy_nd (%longhost[] [] [], %long[] [] []) : (memref<100xi32>, memref<100xi32, #air.symmetric_heap>)
        // The first and the last, or where one is wrong.
        %first = memref.load %longhost[%c0] : memref<100xi32>
        %c100 = arith.constant 100 : index
        %c24 = arith.constant 24 : i32
        %c7 = arith.constant 7 : i32
        %last = scf.for %i = %c0 to %c100 step %c1 iter_args(%v = %c7) -> i32 {
          %k = arith.index_cast %i : index to i32
          %m = arith.muli %k, %c24 : i32
          %want = arith.addi %m, %c7 : i32
          %got = memref.load %longhost[%i] : memref<100xi32>
          %same = arith.cmpi eq, %got, %want : i32
          %error = arith.constant -1 : i32
          %was = arith.cmpi eq, %v, %error : i32
          %ok = arith.select %same, %got, %error : i32
          %next = arith.select %was, %error, %ok : i32
          scf.yield %next : i32
        }
        %last31 = arith.addi %last, %c24 : i32
        %tt = llvm.mlir.addressof @text : !llvm.ptr
        llvm.call @printf(%tt, %first, %last31) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32) -> i32
      }
    }
    memref.dealloc %long : memref<100xi32, #air.symmetric_heap>
    memref.dealloc %buf : memref<32xi32, #air.symmetric_heap>
  }
  return
}
