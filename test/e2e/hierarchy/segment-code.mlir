// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx90a -o %t90 && %t90
//
// Code of a segment runs once for the workgroup: an atomic operation whose result
// steers a loop and a branch, stores that later code of all threads reads, values
// out of loops with effects, a parallel loop, views of L2, functions.


func.func @run(%in: memref<320xi32>, %out: memref<320xi32>) {
  %c5 = arith.constant 5 : index
  air.launch (%x) in (%nx = %c5) args(%a = %in, %b = %out) : memref<320xi32>, memref<320xi32> {
    air.segment args(%sa = %a, %sb = %b, %sx = %x) : memref<320xi32>, memref<320xi32>, index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %three = arith.constant 3 : i32
      %first = arith.muli %sx, %c64 : index
      %counter = memref.alloc() : memref<1xi32, 1>
      %l2 = memref.alloc() : memref<8x8xi32, 1>
      memref.store %zero, %counter[%c0] : memref<1xi32, 1>
      // Once per iteration: after three iterations the counter is three.
      scf.for %k = %c0 to %c2 step %c1 {
        %old = memref.atomic_rmw addi %one, %counter[%c0] : (i32, memref<1xi32, 1>) -> i32
        %row = arith.index_cast %old : i32 to index
        // Rows 0 and 1, by the value that came back.
        scf.parallel (%j) = (%c0) to (%c8) step (%c1) {
          %r = arith.muli %row, %c8 : index
          %n = arith.addi %r, %j : index
          %v = arith.index_cast %n : index to i32
          memref.store %v, %l2[%row, %j] : memref<8x8xi32, 1>
        }
      }
      %count = memref.atomic_rmw addi %one, %counter[%c0] : (i32, memref<1xi32, 1>) -> i32
      // A loop with effects and a result: rows 2 and 3, and the next row.
      %two = arith.index_cast %count : i32 to index
      %c4 = arith.constant 4 : index
      %next = scf.for %r = %two to %c4 step %c1 iter_args(%n = %two) -> (index) {
        scf.for %j = %c0 to %c8 step %c1 {
          %o = arith.muli %n, %c8 : index
          %m = arith.addi %o, %j : index
          %v = arith.index_cast %m : index to i32
          memref.store %v, %l2[%n, %j] : memref<8x8xi32, 1>
        }
        %n1 = arith.addi %n, %c1 : index
        scf.yield %n1 : index
      }
      // Rows 4 and 5 through a view and a function, if the loop has counted to four.
      %is4 = arith.cmpi eq, %next, %c4 : index
      scf.if %is4 {
        %view = memref.subview %l2[%next, 0] [2, 8] [1, 1]
            : memref<8x8xi32, 1> to memref<2x8xi32, strided<[8, 1], offset: ?>, 1>
        func.call @number(%view, %next) : (memref<2x8xi32, strided<[8, 1], offset: ?>, 1>, index) -> ()
      }
      // Rows 6 and 7 by a herd of one PE, which reads what was written before.
      air.herd tile (%t) in (%nt = %c2) args(%hl = %l2) : memref<8x8xi32, 1> {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h4 = arith.constant 4 : index
        %h6 = arith.constant 6 : index
        %h8 = arith.constant 8 : index
        %h16 = arith.constant 16 : i32
        %src = arith.addi %t, %h4 : index
        %dst = arith.addi %t, %h6 : index
        scf.parallel (%j) = (%h0) to (%h8) step (%h1) {
          %v = memref.load %hl[%src, %j] : memref<8x8xi32, 1>
          %w = arith.addi %v, %h16 : i32
          memref.store %w, %hl[%dst, %j] : memref<8x8xi32, 1>
        }
      }
      %flat = memref.collapse_shape %l2 [[0, 1]] : memref<8x8xi32, 1> into memref<64xi32, 1>
      air.dma_memcpy_nd (%sb[%first] [64] [1], %flat[] [] []) : (memref<320xi32>, memref<64xi32, 1>)
    }
  }
  return
}

func.func private @number(%m: memref<2x8xi32, strided<[8, 1], offset: ?>, 1>, %row: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %r = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %a = arith.addi %row, %r : index
      %b = arith.muli %a, %c8 : index
      %c = arith.addi %b, %j : index
      %v = arith.index_cast %c : index to i32
      memref.store %v, %m[%r, %j] : memref<2x8xi32, strided<[8, 1], offset: ?>, 1>
    }
  }
  return
}

// The value that the device must store at index %i.
func.func private @want(%i: index) -> i32 {
  %c64 = arith.constant 64 : index
  %r = arith.remui %i, %c64 : index
  %v = arith.index_cast %r : index to i32
  return %v : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 320 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %in = memref.alloc() : memref<320xi32>
  %out = memref.alloc() : memref<320xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %in[%i] : memref<320xi32>
    %old = arith.constant -1 : i32
    memref.store %old, %out[%i] : memref<320xi32>
  }
  %din = gpu.alloc () : memref<320xi32>
  %dout = gpu.alloc () : memref<320xi32>
  gpu.memcpy %din, %in : memref<320xi32>, memref<320xi32>
  gpu.memcpy %dout, %out : memref<320xi32>, memref<320xi32>
  call @run(%din, %dout) : (memref<320xi32>, memref<320xi32>) -> ()
  gpu.memcpy %out, %dout : memref<320xi32>, memref<320xi32>
  %bad = scf.for %i = %c0 to %n step %c1 iter_args(%count = %zero) -> (i32) {
    %want = func.call @want(%i) : (index) -> i32
    %got = memref.load %out[%i] : memref<320xi32>
    %ne = arith.cmpi ne, %got, %want : i32
    %more = arith.addi %count, %one : i32
    %next = arith.select %ne, %more, %count : i32
    scf.yield %next : i32
  }
  %failed = arith.cmpi ne, %bad, %zero : i32
  %status = arith.extui %failed : i1 to i32
  return %status : i32
}
