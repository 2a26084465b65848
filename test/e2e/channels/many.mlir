// Many channels at the same time: each PE of several workgroups has a channel of its own to the
// other rank, and all share another channel to rank 0, which receives the messages of all ranks and
// PEs. Each message is received once.

// RUN: %aircc %s --target gfx942 -o %t && python3 %S/Inputs/run_ranks.py 2 %t | FileCheck %s
// On gfx11 the stores of lines and flags look like any others to the checker.
// RUN: %aircc %s --target gfx1100 -o %t32 && python3 %S/Inputs/run_ranks.py 2 %t32 | FileCheck %s
// CHECK: [0] errors 0, sum 1356
// CHECK: [1] errors 0, sum 0

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @text("errors %ld, sum %ld\0A\00") {addr_space = 0 : i32}
air.channel @own [3, 2, 2] {channel_type = "gpu_symmetric_heap"}
air.channel @back [3, 2, 2] {channel_type = "gpu_symmetric_heap"}
air.channel @all [] {channel_type = "gpu_symmetric_heap", depth = 3 : i64}

func.func @main() {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c12 = arith.constant 12 : index
    %c24 = arith.constant 24 : index
    %out = memref.alloc() : memref<12x5xi64, #air.symmetric_heap>
    %sums = memref.alloc() : memref<24xi64, #air.symmetric_heap>

    // 3 workgroups of 4 PEs; what each sends is 100 * rank + its number.
    air.launch (%b) in (%nb = %c3) args(%lr = %r, %lo = %out) : index, memref<12x5xi64, #air.symmetric_heap> {
      air.segment args(%sb = %b, %sr = %lr, %so = %lo) : index, index, memref<12x5xi64, #air.symmetric_heap> {
        %s2 = arith.constant 2 : index
        air.herd tile (%x, %y) in (%nx = %s2, %ny = %s2) args(%hb = %sb, %hr = %sr, %ho = %so)
            : index, index, memref<12x5xi64, #air.symmetric_heap> {
          %h0 = arith.constant 0 : index
          %h1 = arith.constant 1 : index
          %h4 = arith.constant 4 : index
          %h5 = arith.constant 5 : index
          %h2 = arith.constant 2 : index
          %h100 = arith.constant 100 : index
          %four = arith.muli %hb, %h4 : index
          %two = arith.muli %x, %h2 : index
          %s = arith.addi %four, %two : index
          %pe = arith.addi %s, %y : index
          %hundred = arith.muli %hr, %h100 : index
          %value = arith.addi %hundred, %pe : index
          %v = arith.index_cast %value : index to i64
          %m = memref.alloc() : memref<5xi64, 2>
          scf.parallel (%i) = (%h0) to (%h5) step (%h1) {
            memref.store %v, %m[%i] : memref<5xi64, 2>
          }
          %is0 = arith.cmpi eq, %hr, %h0 : index
          scf.if %is0 {
            air.channel.put @own[%hb, %x, %y] (%m[] [] []) : (memref<5xi64, 2>)
            air.channel.get @back[%hb, %x, %y] (%ho[%pe, 0] [1, 5] [5, 1]) : (memref<12x5xi64, #air.symmetric_heap>)
          } else {
            air.channel.get @own[%hb, %x, %y] (%ho[%pe, 0] [1, 5] [5, 1]) : (memref<12x5xi64, #air.symmetric_heap>)
            air.channel.put @back[%hb, %x, %y] (%m[] [] []) : (memref<5xi64, 2>)
          }
          memref.dealloc %m : memref<5xi64, 2>
        }
      }
    }

    // Workgroup 3 of rank 0 gets what all PEs of both ranks put.
    %is0 = arith.cmpi eq, %r, %c0 : index
    %groups = arith.constant 4 : index
    air.launch (%b) in (%nb = %groups) args(%lr = %r, %lo = %sums) : index, memref<24xi64, #air.symmetric_heap> {
      air.segment args(%sb = %b, %sr = %lr, %so = %lo) : index, index, memref<24xi64, #air.symmetric_heap> {
        %s0 = arith.constant 0 : index
        %s1 = arith.constant 1 : index
        %s2 = arith.constant 2 : index
        %s3 = arith.constant 3 : index
        %s24 = arith.constant 24 : index
        %puts = arith.cmpi ult, %sb, %s3 : index
        scf.if %puts {
          air.herd tile (%x, %y) in (%nx = %s2, %ny = %s2) args(%hb = %sb, %hr = %sr) : index, index {
            %h0 = arith.constant 0 : index
            %h2 = arith.constant 2 : index
            %h4 = arith.constant 4 : index
            %h100 = arith.constant 100 : index
            %four = arith.muli %hb, %h4 : index
            %two = arith.muli %x, %h2 : index
            %s = arith.addi %four, %two : index
            %pe = arith.addi %s, %y : index
            %hundred = arith.muli %hr, %h100 : index
            %value = arith.addi %hundred, %pe : index
            %v = arith.index_cast %value : index to i64
            %m = memref.alloc() : memref<1xi64, 2>
            memref.store %v, %m[%h0] : memref<1xi64, 2>
            air.channel.put @all[] (%m[] [] []) : (memref<1xi64, 2>)
            memref.dealloc %m : memref<1xi64, 2>
          }
        } else {
          %first = arith.cmpi eq, %sr, %s0 : index
          scf.if %first {
            scf.for %i = %s0 to %s24 step %s1 {
              air.channel.get @all[] (%so[%i] [1] [1]) : (memref<24xi64, #air.symmetric_heap>)
            }
          }
        }
      }
    }

    %host = memref.alloc() : memref<12x5xi64>
    air.dma_memcpy_nd (%host[] [] [], %out[] [] []) : (memref<12x5xi64>, memref<12x5xi64, #air.symmetric_heap>)
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %c5 = arith.constant 5 : index
    %c100 = arith.constant 100 : index
    %other = arith.subi %c1, %r : index
    %hundred = arith.muli %other, %c100 : index
    %errors = scf.for %i = %c0 to %c12 step %c1 iter_args(%e0 = %zero) -> (i64) {
      %inner = scf.for %j = %c0 to %c5 step %c1 iter_args(%e1 = %e0) -> (i64) {
        %got = memref.load %host[%i, %j] : memref<12x5xi64>
        %want = arith.addi %hundred, %i : index
        %w = arith.index_cast %want : index to i64
        %differs = arith.cmpi ne, %got, %w : i64
        %more = arith.extui %differs : i1 to i64
        %e = arith.addi %e1, %more : i64
        scf.yield %e : i64
      }
      scf.yield %inner : i64
    }
    %total = scf.if %is0 -> (i64) {
      %all = memref.alloc() : memref<24xi64>
      air.dma_memcpy_nd (%all[] [] [], %sums[] [] []) : (memref<24xi64>, memref<24xi64, #air.symmetric_heap>)
      %sum = scf.for %i = %c0 to %c24 step %c1 iter_args(%s = %zero) -> (i64) {
        %v = memref.load %all[%i] : memref<24xi64>
        %same = scf.for %j = %c0 to %c24 step %c1 iter_args(%k = %zero) -> (i64) {
          %w = memref.load %all[%j] : memref<24xi64>
          %equal = arith.cmpi eq, %v, %w : i64
          %more = arith.extui %equal : i1 to i64
          %t = arith.addi %k, %more : i64
          scf.yield %t : i64
        }
        // Of a number that is there k times, k times as much.
        %plus = arith.addi %v, %one : i64
        %times = arith.muli %plus, %same : i64
        %t = arith.addi %s, %times : i64
        scf.yield %t : i64
      }
      memref.dealloc %all : memref<24xi64>
      scf.yield %sum : i64
    } else {
      scf.yield %zero : i64
    }
    %t = llvm.mlir.addressof @text : !llvm.ptr
    llvm.call @printf(%t, %errors, %total) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
    memref.dealloc %host : memref<12x5xi64>
    memref.dealloc %sums : memref<24xi64, #air.symmetric_heap>
    memref.dealloc %out : memref<12x5xi64, #air.symmetric_heap>
  }
  return
}
