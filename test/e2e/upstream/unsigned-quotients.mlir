// Unsigned quotients and remainders of numbers that are sign-extended: below
// zero they are large. The status of the program is the number of lanes that
// differ from the host.

// RUN: %aircc %s --target gfx942 -O0 -o %t && %t
// RUN: %aircc %s --target gfx1201 -O0 -o %t && %t
// RUN: %aircc %s --target gfx90a -O1 -o %t && %t

func.func private @work(%lane: index, %m: memref<64x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c37 = arith.constant 37 : i32
  %c11 = arith.constant 11 : i32
  %c8 = arith.constant 8 : i32
  %i = arith.index_cast %lane : index to i32
  %low = arith.remui %i, %c8 : i32
  %high = arith.divui %i, %c8 : i32
  %a32 = arith.muli %low, %c37 : i32
  %b32 = arith.muli %high, %c11 : i32
  %a8 = arith.trunci %a32 : i32 to i8
  %b16 = arith.trunci %b32 : i32 to i16
  %k = arith.constant -39 : i16
  %n16 = arith.addi %b16, %k : i16
  %a = arith.extsi %a8 : i8 to i32
  %b = arith.extsi %n16 : i16 to i32
  %one = arith.constant 1 : i32
  // No division by zero.
  %d = arith.ori %b, %one : i32
  %q = arith.divui %a, %d : i32
  %r = arith.remui %a, %d : i32
  memref.store %q, %m[%lane, %c0] : memref<64x4xi32>
  memref.store %r, %m[%lane, %c1] : memref<64x4xi32>
  %x8 = vector.from_elements %a8, %a8 : vector<2xi8>
  %x = arith.extsi %x8 : vector<2xi8> to vector<2xi32>
  %y = vector.from_elements %d, %d : vector<2xi32>
  %qs = arith.divui %x, %y : vector<2xi32>
  %rs = arith.remui %x, %y : vector<2xi32>
  %q1 = vector.extract %qs[1] : i32 from vector<2xi32>
  %r0 = vector.extract %rs[0] : i32 from vector<2xi32>
  memref.store %q1, %m[%lane, %c2] : memref<64x4xi32>
  memref.store %r0, %m[%lane, %c3] : memref<64x4xi32>
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %device = gpu.alloc host_shared () : memref<64x4xi32>
  %host = memref.alloc() : memref<64x4xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%lane, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    func.call @work(%lane, %device) : (index, memref<64x4xi32>) -> ()
    gpu.terminator
  }
  %wrong = scf.for %i = %c0 to %c64 step %c1 iter_args(%n = %zero) -> (i32) {
    func.call @work(%i, %host) : (index, memref<64x4xi32>) -> ()
    %row = scf.for %j = %c0 to %c4 step %c1 iter_args(%k = %n) -> (i32) {
      %x = memref.load %device[%i, %j] : memref<64x4xi32>
      %y = memref.load %host[%i, %j] : memref<64x4xi32>
      %differs = arith.cmpi ne, %x, %y : i32
      %one = arith.extui %differs : i1 to i32
      %next = arith.addi %k, %one : i32
      scf.yield %next : i32
    }
    scf.yield %row : i32
  }
  %most = arith.constant 255 : i32
  %status = arith.minui %wrong, %most : i32
  return %status : i32
}
