// Messages of several sizes and types through one destination, one after the other,
// and as many lines as each needs: 3 bytes, then 200 numbers, ten times, through
// two slots.

// RUN: %aircc %s --target gfx942 -o %t && python3 %S/Inputs/run_ranks.py 2 %t | FileCheck %s
// CHECK: [1] wrong 0 of 2030

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @text("wrong %ld of %ld\0A\00") {addr_space = 0 : i32}
air.channel @C [1] {channel_type = "gpu_symmetric_heap", depth = 2 : i64}

func.func @main() {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %out = memref.alloc() : memref<2xi64, #air.symmetric_heap>
    %is0 = arith.cmpi eq, %r, %c0 : index
    air.launch () in () args(%lo = %out, %first = %is0) : memref<2xi64, #air.symmetric_heap>, i1 {
      air.segment args(%so = %lo, %sf = %first) : memref<2xi64, #air.symmetric_heap>, i1 {
        %s0 = arith.constant 0 : index
        %s1 = arith.constant 1 : index
        %s3 = arith.constant 3 : index
        %s10 = arith.constant 10 : index
        %s200 = arith.constant 200 : index
        %z = arith.constant 0 : i64
        %one = arith.constant 1 : i64
        %bytes = memref.alloc() : memref<3xi8, 1>
        %numbers = memref.alloc() : memref<200xf32, 1>
        scf.if %sf {
          scf.for %k = %s0 to %s10 step %s1 {
            scf.for %i = %s0 to %s3 step %s1 {
              %sum = arith.addi %k, %i : index
              %v = arith.index_cast %sum : index to i8
              memref.store %v, %bytes[%i] : memref<3xi8, 1>
            }
            air.channel.put @C[%s0] (%bytes[] [] []) : (memref<3xi8, 1>)
            scf.for %i = %s0 to %s200 step %s1 {
              %p = arith.muli %k, %s200 : index
              %sum = arith.addi %p, %i : index
              %w = arith.index_cast %sum : index to i32
              %v = arith.sitofp %w : i32 to f32
              memref.store %v, %numbers[%i] : memref<200xf32, 1>
            }
            air.channel.put @C[%s0] (%numbers[] [] []) : (memref<200xf32, 1>)
          }
        } else {
          %all:2 = scf.for %k = %s0 to %s10 step %s1 iter_args(%a = %z, %b = %z) -> (i64, i64) {
            air.channel.get @C[%s0] (%bytes[] [] []) : (memref<3xi8, 1>)
            %x:2 = scf.for %i = %s0 to %s3 step %s1 iter_args(%w = %a, %c = %b) -> (i64, i64) {
              %sum = arith.addi %k, %i : index
              %want = arith.index_cast %sum : index to i8
              %got = memref.load %bytes[%i] : memref<3xi8, 1>
              %no = arith.cmpi ne, %got, %want : i8
              %more = arith.addi %w, %one : i64
              %next = arith.select %no, %more, %w : i64
              %seen = arith.addi %c, %one : i64
              scf.yield %next, %seen : i64, i64
            }
            air.channel.get @C[%s0] (%numbers[] [] []) : (memref<200xf32, 1>)
            %y:2 = scf.for %i = %s0 to %s200 step %s1 iter_args(%w = %x#0, %c = %x#1) -> (i64, i64) {
              %p = arith.muli %k, %s200 : index
              %sum = arith.addi %p, %i : index
              %i32 = arith.index_cast %sum : index to i32
              %want = arith.sitofp %i32 : i32 to f32
              %got = memref.load %numbers[%i] : memref<200xf32, 1>
              %no = arith.cmpf une, %got, %want : f32
              %more = arith.addi %w, %one : i64
              %next = arith.select %no, %more, %w : i64
              %seen = arith.addi %c, %one : i64
              scf.yield %next, %seen : i64, i64
            }
            scf.yield %y#0, %y#1 : i64, i64
          }
          memref.store %all#0, %so[%s0] : memref<2xi64, #air.symmetric_heap>
          memref.store %all#1, %so[%s1] : memref<2xi64, #air.symmetric_heap>
        }
        memref.dealloc %numbers : memref<200xf32, 1>
        memref.dealloc %bytes : memref<3xi8, 1>
      }
    }
    scf.if %is0 {
    } else {
      %host = memref.alloc() : memref<2xi64>
      air.dma_memcpy_nd (%host[] [] [], %out[] [] []) : (memref<2xi64>, memref<2xi64, #air.symmetric_heap>)
      %a = memref.load %host[%c0] : memref<2xi64>
      %b = memref.load %host[%c1] : memref<2xi64>
      %t = llvm.mlir.addressof @text : !llvm.ptr
      llvm.call @printf(%t, %a, %b) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
      memref.dealloc %host : memref<2xi64>
    }
    memref.dealloc %out : memref<2xi64, #air.symmetric_heap>
  }
  return
}
