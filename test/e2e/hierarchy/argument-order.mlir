// RUN: %aircc %s --target gfx942 -o %t && %t
//
// Ids as arguments of a segment in any place, through sums and products, named
// ops, and an affine map of two ids: each workgroup writes its own number.


func.func @run(%in: memref<60xi32>, %out: memref<60xi32>) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  air.launch @grid (%x, %y, %z) in (%nx = %c3, %ny = %c4, %nz = %c5)
      args(%a = %in, %b = %out) : memref<60xi32>, memref<60xi32> {
    %yx = affine.apply affine_map<(d0, d1) -> (d1 * 3 + d0)>(%x, %y)
    air.segment @number args(%sa = %a, %sz = %z, %sb = %b, %syx = %yx, %snx = %nx, %sny = %ny)
        : memref<60xi32>, index, memref<60xi32>, index, index, index {
      %s1 = arith.constant 1 : index
      %plane = arith.muli %snx, %sny : index
      %first = arith.muli %sz, %plane : index
      %at = arith.addi %first, %syx : index
      air.herd @one tile (%t) in (%nt = %s1) args(%h = %sb, %i = %at, %ha = %sa)
          : memref<60xi32>, index, memref<60xi32> {
        %v = memref.load %ha[%i] : memref<60xi32>
        memref.store %v, %h[%i] : memref<60xi32>
      }
    }
  }
  return
}

// The value that the device must store at index %i.
func.func private @want(%i: index) -> i32 {
  %v = arith.index_cast %i : index to i32
  return %v : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 60 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %in = memref.alloc() : memref<60xi32>
  %out = memref.alloc() : memref<60xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %in[%i] : memref<60xi32>
    %old = arith.constant -1 : i32
    memref.store %old, %out[%i] : memref<60xi32>
  }
  %din = gpu.alloc () : memref<60xi32>
  %dout = gpu.alloc () : memref<60xi32>
  gpu.memcpy %din, %in : memref<60xi32>, memref<60xi32>
  gpu.memcpy %dout, %out : memref<60xi32>, memref<60xi32>
  call @run(%din, %dout) : (memref<60xi32>, memref<60xi32>) -> ()
  gpu.memcpy %out, %dout : memref<60xi32>, memref<60xi32>
  %bad = scf.for %i = %c0 to %n step %c1 iter_args(%count = %zero) -> (i32) {
    %want = func.call @want(%i) : (index) -> i32
    %got = memref.load %out[%i] : memref<60xi32>
    %ne = arith.cmpi ne, %got, %want : i32
    %more = arith.addi %count, %one : i32
    %next = arith.select %ne, %more, %count : i32
    scf.yield %next : i32
  }
  %failed = arith.cmpi ne, %bad, %zero : i32
  %status = arith.extui %failed : i1 to i32
  return %status : i32
}
