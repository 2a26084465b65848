// A program without any kernel: linalg, vector, scf, affine and math on the
// host, and the status that main returns.

// RUN: %aircc %s --target gfx942 -o %t
// RUN: %t | FileCheck %s
// RUN: not %t wrong

// CHECK: sum 204
// CHECK: ( 7, 10, 15, 22 )
// CHECK: root 1.41421

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @sum("sum %d\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @root("root %.5f\0A\00") {addr_space = 0 : i32}

  func.func private @fflush(!llvm.ptr) -> i32

  func.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index

    // The sum of the squares of 0 to 8.
    %squares = memref.alloc() : memref<9xi32>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        outs(%squares : memref<9xi32>) {
    ^bb0(%old: i32):
      %i = linalg.index 0 : index
      %n = arith.index_cast %i : index to i32
      %square = arith.muli %n, %n : i32
      linalg.yield %square : i32
    }
    %sum = affine.for %i = 0 to 9 iter_args(%acc = %zero) -> (i32) {
      %v = affine.load %squares[%i] : memref<9xi32>
      %next = arith.addi %acc, %v : i32
      affine.yield %next : i32
    }
    memref.dealloc %squares : memref<9xi32>
    %sum_text = llvm.mlir.addressof @sum : !llvm.ptr
    llvm.call @printf(%sum_text, %sum) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
    %everything = llvm.mlir.zero : !llvm.ptr
    call @fflush(%everything) : (!llvm.ptr) -> i32

    // ((1, 2), (3, 4)) squared.
    %m = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : vector<2x2xf32>
    %none = arith.constant dense<0.0> : vector<2x2xf32>
    %product = vector.contract {
        indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
        iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %m, %m, %none : vector<2x2xf32>, vector<2x2xf32> into vector<2x2xf32>
    %flat = vector.shape_cast %product : vector<2x2xf32> to vector<4xf32>
    vector.print %flat : vector<4xf32>
    call @fflush(%everything) : (!llvm.ptr) -> i32

    %two = arith.constant 2.0 : f64
    %root = math.sqrt %two : f64
    %root_text = llvm.mlir.addressof @root : !llvm.ptr
    llvm.call @printf(%root_text, %root) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f64) -> i32

    // Without arguments 0, with some not.
    %status = arith.subi %argc, %one : i32
    return %status : i32
  }
}
