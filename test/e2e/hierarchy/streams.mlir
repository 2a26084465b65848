// RUN: %aircc %s --target gfx942 -o %t && %t
//
// Launches ordered by tokens: a chain, a fork, a join, a launch that is awaited only at the end of
// its function, launches in a loop, with a size known only at run time, and without tokens.

func.func @run(%m: memref<64xi32>, %o: memref<64xi32>, %n: index, %none: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  scf.for %round = %c0 to %c3 step %c1 {
    %t0 = air.wait_all async
    // m = 1
    %a = air.launch @a async [%t0] (%x) in (%nx = %c64) args(%p = %m) : memref<64xi32> {
      %v = arith.constant 1 : i32
      memref.store %v, %p[%x] : memref<64xi32>
    }
    // o = 5, with run-time sizes; the second changes nothing.
    %b = air.launch @b async (%x) in (%nx = %n) args(%p = %o) : memref<64xi32> {
      %v = arith.constant 5 : i32
      memref.store %v, %p[%x] : memref<64xi32>
    }
    %b1 = air.launch @b1 async [%b] (%x) in (%nx = %none) args(%p = %o) : memref<64xi32> {
      %v = arith.constant 7 : i32
      memref.store %v, %p[%x] : memref<64xi32>
    }
    // m += 10, twice, one after the other; o += m after the first and b.
    %c = air.launch @c async [%a] (%x) in (%nx = %c64) args(%p = %m) : memref<64xi32> {
      %v = memref.load %p[%x] : memref<64xi32>
      %ten = arith.constant 10 : i32
      %w = arith.addi %v, %ten : i32
      memref.store %w, %p[%x] : memref<64xi32>
    }
    %j = air.wait_all async [%c, %b1]
    %d = air.launch @d async [%j] (%x) in (%nx = %c64) args(%p = %m, %q = %o)
        : memref<64xi32>, memref<64xi32> {
      %v = memref.load %p[%x] : memref<64xi32>
      %w = memref.load %q[%x] : memref<64xi32>
      %s = arith.addi %v, %w : i32
      memref.store %s, %q[%x] : memref<64xi32>
    }
    air.launch @e [%d] (%x) in (%nx = %c64) args(%p = %m) : memref<64xi32> {
      %v = memref.load %p[%x] : memref<64xi32>
      %ten = arith.constant 10 : i32
      %w = arith.addi %v, %ten : i32
      memref.store %w, %p[%x] : memref<64xi32>
    }
    // o *= 2, waited for at the end only.
    %f = air.launch @f async [%d] (%x) in (%nx = %c64) args(%q = %o) : memref<64xi32> {
      %v = memref.load %q[%x] : memref<64xi32>
      %w = arith.addi %v, %v : i32
      memref.store %w, %q[%x] : memref<64xi32>
    }
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %mWant = arith.constant 21 : i32
  %oWant = arith.constant 32 : i32
  %m = memref.alloc() : memref<64xi32>
  %o = memref.alloc() : memref<64xi32>
  %dm = gpu.alloc () : memref<64xi32>
  %do = gpu.alloc () : memref<64xi32>
  call @run(%dm, %do, %c64, %c0) : (memref<64xi32>, memref<64xi32>, index, index) -> ()
  gpu.memcpy %m, %dm : memref<64xi32>, memref<64xi32>
  gpu.memcpy %o, %do : memref<64xi32>, memref<64xi32>
  %bad = scf.for %i = %c0 to %c64 step %c1 iter_args(%n = %zero) -> (i32) {
    %x = memref.load %m[%i] : memref<64xi32>
    %y = memref.load %o[%i] : memref<64xi32>
    %e = arith.cmpi ne, %x, %mWant : i32
    %f = arith.cmpi ne, %y, %oWant : i32
    %g = arith.ori %e, %f : i1
    %h = arith.extui %g : i1 to i32
    %next = arith.addi %n, %h : i32
    scf.yield %next : i32
  }
  return %bad : i32
}
