// RUN: %aircc %s --target gfx942 -o %t && %t
//
// The body of a launch without a segment runs once for each point: a store to
// a place that it has read before happens once, not once a thread.

func.func @launch(%a: memref<6x16xi32>, %b: memref<6x16xi32>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  air.launch (%x, %y) in (%nx = %c2, %ny = %c3) args(%src = %a, %dst = %b)
      : memref<6x16xi32>, memref<6x16xi32> {
    %row = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 2)>(%x, %y)
    affine.for %i = 0 to 16 {
      %v = affine.load %src[%row, %i] : memref<6x16xi32>
      %w = affine.load %dst[%row, %i] : memref<6x16xi32>
      %s = arith.addi %v, %w : i32
      affine.store %s, %dst[%row, %i] : memref<6x16xi32>
    }
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c16 = arith.constant 16 : index
  %ten = arith.constant 10 : i32
  %a = memref.alloc() : memref<6x16xi32>
  %b = memref.alloc() : memref<6x16xi32>
  scf.for %i = %c0 to %c6 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      %r = arith.muli %i, %c16 : index
      %n = arith.addi %r, %j : index
      %v = arith.index_cast %n : index to i32
      memref.store %v, %a[%i, %j] : memref<6x16xi32>
      memref.store %ten, %b[%i, %j] : memref<6x16xi32>
    }
  }
  %da = gpu.alloc () : memref<6x16xi32>
  %db = gpu.alloc () : memref<6x16xi32>
  gpu.memcpy %da, %a : memref<6x16xi32>, memref<6x16xi32>
  gpu.memcpy %db, %b : memref<6x16xi32>, memref<6x16xi32>
  call @launch(%da, %db) : (memref<6x16xi32>, memref<6x16xi32>) -> ()
  gpu.memcpy %b, %db : memref<6x16xi32>, memref<6x16xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %bad = scf.for %i = %c0 to %c6 step %c1 iter_args(%n0 = %zero) -> (i32) {
    %n1 = scf.for %j = %c0 to %c16 step %c1 iter_args(%n = %n0) -> (i32) {
      %x = memref.load %a[%i, %j] : memref<6x16xi32>
      %want = arith.addi %x, %ten : i32
      %got = memref.load %b[%i, %j] : memref<6x16xi32>
      %ne = arith.cmpi ne, %got, %want : i32
      %more = arith.addi %n, %one : i32
      %next = arith.select %ne, %more, %n : i32
      scf.yield %next : i32
    }
    scf.yield %n1 : i32
  }
  return %bad : i32
}
