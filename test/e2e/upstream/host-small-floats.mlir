// Host code computes and compares in 8-bit floats: what a test of such kernels
// needs. Rounding 1 to 2.5 in steps of a tenth to e4m3 (eighths below 2, quarters
// above) and back.

// RUN: %aircc %s --target gfx942 -o %t && %t | FileCheck %s
// CHECK-DAG: [1,  1.125,  1.25,  1.25,  1.375,  1.5,  1.625,  1.75,  1.75,  1.875,  2,  2,  2.25,  2.25,  2.5]
// CHECK-DAG: less: 9

func.func private @printMemrefF32(memref<*xf32>)
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @less("less: %d\0A\00")

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %zero = arith.constant 0 : i32
  %tenth = arith.constant 0.1 : f32
  %one = arith.constant 1.0 : f32
  %limit = arith.constant 1.875 : f8E4M3FNUZ
  %out = memref.alloc() : memref<15xf32>
  %less = scf.for %i = %c0 to %c15 step %c1 iter_args(%count = %zero) -> (i32) {
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %x = arith.mulf %f, %tenth : f32
    %y = arith.addf %x, %one : f32
    %small = arith.truncf %y : f32 to f8E4M3FNUZ
    %is_less = arith.cmpf olt, %small, %limit : f8E4M3FNUZ
    %wide = arith.extf %small : f8E4M3FNUZ to f32
    memref.store %wide, %out[%i] : memref<15xf32>
    %bit = arith.extui %is_less : i1 to i32
    %sum = arith.addi %count, %bit : i32
    scf.yield %sum : i32
  }
  %unranked = memref.cast %out : memref<15xf32> to memref<*xf32>
  call @printMemrefF32(%unranked) : (memref<*xf32>) -> ()
  %format = llvm.mlir.addressof @less : !llvm.ptr
  llvm.call @printf(%format, %less) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  return
}
