// A kernel cannot access host memory that is not registered with the device:
// the error comes at the first access, not a wrong result. The compiler does not
// see that it is the host's, because it comes from another language.

// RUN: %aircc %s --target gfx942 -o %t
// RUN: not %t 2>&1 | FileCheck %s

// CHECK: 0x{{[0-9a-f]+}}
// CHECK-NOT: done

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.func @malloc(i64) -> !llvm.ptr
  llvm.mlir.global internal constant @done("done\0A\00") {addr_space = 0 : i32}

  func.func @main() -> i32 {
    %c64 = arith.constant 64 : index
    %bytes = llvm.mlir.constant(256 : i64) : i64
    %zero64 = llvm.mlir.constant(0 : i64) : i64
    %n64 = llvm.mlir.constant(64 : i64) : i64
    %one64 = llvm.mlir.constant(1 : i64) : i64
    %p = llvm.call @malloc(%bytes) : (i64) -> !llvm.ptr
    %d0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %d1 = llvm.insertvalue %p, %d0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %d2 = llvm.insertvalue %p, %d1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %d3 = llvm.insertvalue %zero64, %d2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %d4 = llvm.insertvalue %n64, %d3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %d5 = llvm.insertvalue %one64, %d4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %h = builtin.unrealized_conversion_cast %d5 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<64xi32>
    air.launch @touch (%x) in (%sx = %c64) args(%a = %h) : memref<64xi32> {
      %seven = arith.constant 7 : i32
      memref.store %seven, %a[%x] : memref<64xi32>
    }
    %text = llvm.mlir.addressof @done : !llvm.ptr
    llvm.call @printf(%text) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
}
