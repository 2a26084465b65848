// A product of 8-bit floats for which the chip has no instructions: a remark at the op reports that
// no matrix instructions are used, and the result is right.
// RUN: %aircc %s --target gfx942 -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %t | FileCheck %s
// REMARK: :[[#@LINE+23]]:5: remark: does not use matrix instructions: no matrix instruction of gfx942 multiplies f8E4M3FN by f8E4M3FN into f32
// REMARK-NOT: error
// CHECK: wrong: 0

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @text("wrong: %ld\0A\00") {addr_space = 0 : i32}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %a = gpu.alloc host_shared () : memref<16x16xf8E4M3FN>
  %b = gpu.alloc host_shared () : memref<16x16xf8E4M3FN>
  %c = gpu.alloc host_shared () : memref<16x16xf32>
  %expected = memref.alloc() : memref<16x16xf32>
  func.call @fill(%a, %c1) : (memref<16x16xf8E4M3FN>, index) -> ()
  func.call @fill(%b, %c3) : (memref<16x16xf8E4M3FN>, index) -> ()
  linalg.fill ins(%zero : f32) outs(%expected : memref<16x16xf32>)
  air.launch () in () args(%x=%a, %y=%b, %z=%c) : memref<16x16xf8E4M3FN>, memref<16x16xf8E4M3FN>, memref<16x16xf32> {
    %none = arith.constant 0.0 : f32
    linalg.fill ins(%none : f32) outs(%z : memref<16x16xf32>)
    linalg.matmul ins(%x, %y : memref<16x16xf8E4M3FN>, memref<16x16xf8E4M3FN>) outs(%z : memref<16x16xf32>)
  }
  // On the host, with the numbers themselves.
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %zero) -> f32 {
        %x = func.call @number(%i, %k, %c1) : (index, index, index) -> f32
        %y = func.call @number(%k, %j, %c3) : (index, index, index) -> f32
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %s, %p : f32
        scf.yield %t : f32
      }
      memref.store %sum, %expected[%i, %j] : memref<16x16xf32>
    }
  }
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %wrong = scf.for %i = %c0 to %c16 step %c1 iter_args(%n = %none) -> i64 {
    %row = scf.for %j = %c0 to %c16 step %c1 iter_args(%m = %n) -> i64 {
      %got = memref.load %c[%i, %j] : memref<16x16xf32>
      %want = memref.load %expected[%i, %j] : memref<16x16xf32>
      %differs = arith.cmpf une, %got, %want : f32
      %more = arith.addi %m, %one : i64
      %next = arith.select %differs, %more, %m : i64
      scf.yield %next : i64
    }
    scf.yield %row : i64
  }
  %text = llvm.mlir.addressof @text : !llvm.ptr
  llvm.call @printf(%text, %wrong) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
  %status = arith.constant 0 : i32
  return %status : i32
}

// Small multiples of a half, which f8E4M3FN holds: 0 to 6 halves.
func.func private @number(%i: index, %j: index, %factor: index) -> f32 {
  %c7 = arith.constant 7 : index
  %half = arith.constant 0.5 : f32
  %scaled = arith.muli %i, %factor : index
  %sum = arith.addi %scaled, %j : index
  %rest = arith.remui %sum, %c7 : index
  %int = arith.index_cast %rest : index to i32
  %whole = arith.sitofp %int : i32 to f32
  %value = arith.mulf %whole, %half : f32
  return %value : f32
}

func.func private @fill(%m: memref<16x16xf8E4M3FN>, %factor: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      %v = func.call @number(%i, %j, %factor) : (index, index, index) -> f32
      %small = arith.truncf %v : f32 to f8E4M3FN
      memref.store %small, %m[%i, %j] : memref<16x16xf8E4M3FN>
    }
  }
  return
}
