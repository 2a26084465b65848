// A launch, a segment and a herd on memory that the host allocates and frees.

// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942
// RUN: %aircc %s --target gfx1201 -O0 -o %t.gfx1201 && %t.gfx1201

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c256 = arith.constant 256 : index
  %z = arith.constant 0 : i32
  %x = memref.alloc() : memref<256xi32>
  linalg.fill ins(%z : i32) outs(%x : memref<256xi32>)
  air.launch () in () args(%lx = %x) : memref<256xi32> {
    air.segment args(%sx = %lx) : memref<256xi32> {
      %one = arith.constant 1 : index
      air.herd tile (%i, %j) in (%a = %one, %b = %one) args(%hx = %sx) : memref<256xi32> {
        %at = arith.constant 3 : index
        %v = arith.constant 7 : i32
        memref.store %v, %hx[%at] : memref<256xi32>
      }
    }
  }
  // The sum of all elements, less the 7 that the herd stores.
  %seven = arith.constant 7 : i32
  %sum = scf.for %i = %c0 to %c256 step %c1 iter_args(%s = %z) -> (i32) {
    %e = memref.load %x[%i] : memref<256xi32>
    %n = arith.addi %s, %e : i32
    scf.yield %n : i32
  }
  %stored = memref.load %x[%c3] : memref<256xi32>
  %more = arith.subi %sum, %seven : i32
  %wrong = arith.subi %stored, %seven : i32
  %status = arith.ori %more, %wrong : i32
  memref.dealloc %x : memref<256xi32>
  return %status : i32
}
