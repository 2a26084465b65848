// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// A kernel calls printf, which is a host function.

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @text("no\0A\00") {addr_space = 0 : i32}
func.func @test(%out: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx = %c1) args(%b = %out) : memref<1024xf32> {
    air.segment @s args(%sb = %b) : memref<1024xf32> {
      %c2 = arith.constant 2 : index
      air.herd @h tile (%tx) in (%ntx = %c2) args(%hb = %sb) : memref<1024xf32> {
        %p = llvm.mlir.addressof @text : !llvm.ptr
        // CHECK: errors/host-call-in-herd.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*printf}}
        %n = llvm.call @printf(%p) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
      }
    }
  }
  return
}
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
