// RUN: %aircc %s --target gfx942 -O0 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx942 -o %t.O2 && %t.O2 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -O0 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: wrong: 0

// An array of run-time size in a long loop, in a memref.alloca_scope that frees its stack after
// each iteration: in a kernel and, the same function, on the host.

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("wrong: %ld\0A\00") {addr_space = 0 : i32}
llvm.mlir.global internal constant @detail("  at %ld: %lx, expected %lx\0A\00") {addr_space = 0 : i32}
func.func private @compute(%i: index, %in: memref<256xi32>) -> i64 {
%i255 = arith.constant 255 : index
%at = arith.andi %i, %i255 : index
%x = memref.load %in[%at] : memref<256xi32>
%at2_ = arith.constant 17 : index
%at2a = arith.addi %at, %at2_ : index
%at2 = arith.andi %at2a, %i255 : index
%y = memref.load %in[%at2] : memref<256xi32>
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c3000 = arith.constant 3000 : index
%c60 = arith.constant 60 : index
%c3 = arith.constant 3 : index
%s = scf.for %j = %c0 to %c3000 step %c1 iter_args(%a = %x) -> (i32) {
 %e = memref.alloca_scope -> (i32) {
  %k0 = arith.addi %i, %j : index
  %k1 = arith.remui %k0, %c3 : index
  %k = arith.addi %k1, %c60 : index
  %b = memref.alloca(%k) : memref<?xi32>
  memref.store %a, %b[%k1] : memref<?xi32>
  memref.store %y, %b[%c60] : memref<?xi32>
  %l = memref.load %b[%k1] : memref<?xi32>
  memref.alloca_scope.return %l : i32
 }
 %n = arith.addi %e, %y : i32
 scf.yield %n : i32
}
%r = arith.extui %s : i32 to i64
return %r : i64
}
gpu.module @m {
func.func private @compute(%i: index, %in: memref<256xi32>) -> i64 {
%i255 = arith.constant 255 : index
%at = arith.andi %i, %i255 : index
%x = memref.load %in[%at] : memref<256xi32>
%at2_ = arith.constant 17 : index
%at2a = arith.addi %at, %at2_ : index
%at2 = arith.andi %at2a, %i255 : index
%y = memref.load %in[%at2] : memref<256xi32>
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c3000 = arith.constant 3000 : index
%c60 = arith.constant 60 : index
%c3 = arith.constant 3 : index
%s = scf.for %j = %c0 to %c3000 step %c1 iter_args(%a = %x) -> (i32) {
 %e = memref.alloca_scope -> (i32) {
  %k0 = arith.addi %i, %j : index
  %k1 = arith.remui %k0, %c3 : index
  %k = arith.addi %k1, %c60 : index
  %b = memref.alloca(%k) : memref<?xi32>
  memref.store %a, %b[%k1] : memref<?xi32>
  memref.store %y, %b[%c60] : memref<?xi32>
  %l = memref.load %b[%k1] : memref<?xi32>
  memref.alloca_scope.return %l : i32
 }
 %n = arith.addi %e, %y : i32
 scf.yield %n : i32
}
%r = arith.extui %s : i32 to i64
return %r : i64
}
gpu.func @k(%in: memref<256xi32>, %out: memref<128xi64>) kernel {
%t = gpu.thread_id x
%b = gpu.block_id x
%d = gpu.block_dim x
%p = arith.muli %b, %d : index
%i = arith.addi %p, %t : index
%r = func.call @compute(%i, %in) : (index, memref<256xi32>) -> i64
memref.store %r, %out[%i] : memref<128xi64>
gpu.return
}
}
func.func @main() -> i32 {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.constant 128 : index
%ins = arith.constant 256 : index
%block = arith.constant 64 : index
%grid = arith.constant 2 : index
%in = memref.alloc() : memref<256xi32>
%out = memref.alloc() : memref<128xi64>
%k1 = arith.constant 2654435769 : i32
%k2 = arith.constant 12345 : i32
scf.for %i = %c0 to %ins step %c1 {
 %v = arith.index_cast %i : index to i32
 %a = arith.muli %v, %k1 : i32
 %b = arith.addi %a, %k2 : i32
 memref.store %b, %in[%i] : memref<256xi32>
}
%x = memref.cast %in : memref<256xi32> to memref<*xi32>
gpu.host_register %x : memref<*xi32>
%y = memref.cast %out : memref<128xi64> to memref<*xi64>
gpu.host_register %y : memref<*xi64>
gpu.launch_func @m::@k blocks in (%grid,%c1,%c1) threads in (%block,%c1,%c1) args(%in : memref<256xi32>, %out : memref<128xi64>)
%detail = llvm.mlir.addressof @detail : !llvm.ptr
%three = arith.constant 3 : index
%w = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c0) -> (index) {
 %want = func.call @compute(%i, %in) : (index, memref<256xi32>) -> i64
 %got = memref.load %out[%i] : memref<128xi64>
 %ne = arith.cmpi ne, %want, %got : i64
 %few = arith.cmpi ult, %acc, %three : index
 %show = arith.andi %few, %ne : i1
 scf.if %show {
  %il = arith.index_cast %i : index to i64
  llvm.call @printf(%detail, %il, %got, %want) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64) -> i32
 }
 %m = arith.addi %acc, %c1 : index
 %nx = arith.select %ne, %m, %acc : index
 scf.yield %nx : index
}
%fm = llvm.mlir.addressof @format : !llvm.ptr
%wl = arith.index_cast %w : index to i64
llvm.call @printf(%fm, %wl) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
%s = arith.constant 0 : i32
return %s : i32
}
}
