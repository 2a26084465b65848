// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -O0 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: device wrong: 0, host wrong: 0

// All values of f4E2M1FN, to f32 and back, in a kernel and on the host, against a
// table; on the way a vector of them is stored and its elements loaded.

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("device wrong: %ld, host wrong: %ld\0A\00") {addr_space = 0 : i32}
memref.global "private" constant @table : memref<16xf32> = dense<[
  0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0]>

gpu.module @kernels {
  gpu.func @k(%value: memref<16xf32>, %code: memref<16xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %i = gpu.thread_id x
    %n = arith.index_cast %i : index to i4
    %f = arith.bitcast %n : i4 to f4E2M1FN
    %v = vector.broadcast %f : f4E2M1FN to vector<2xf4E2M1FN>
    %pair = memref.alloca() : memref<2xf4E2M1FN>
    vector.store %v, %pair[%c0] : memref<2xf4E2M1FN>, vector<2xf4E2M1FN>
    %g = memref.load %pair[%c1] : memref<2xf4E2M1FN>
    %x = arith.extf %g : f4E2M1FN to f32
    memref.store %x, %value[%i] : memref<16xf32>
    %back = arith.truncf %x : f32 to f4E2M1FN
    %m = arith.bitcast %back : f4E2M1FN to i4
    %w = arith.extui %m : i4 to i32
    memref.store %w, %code[%i] : memref<16xi32>
    gpu.return
  }
}

func.func private @differs(%x: f32, %code: i32, %i: index) -> index {
  %table = memref.get_global @table : memref<16xf32>
  %t = memref.load %table[%i] : memref<16xf32>
  %tb = arith.bitcast %t : f32 to i32
  %xb = arith.bitcast %x : f32 to i32
  %n = arith.index_cast %i : index to i32
  %a = arith.cmpi ne, %tb, %xb : i32
  %b = arith.cmpi ne, %n, %code : i32
  %c = arith.ori %a, %b : i1
  %d = arith.index_castui %c : i1 to index
  return %d : index
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %value = memref.alloc() : memref<16xf32>
  %code = memref.alloc() : memref<16xi32>
  %u = memref.cast %value : memref<16xf32> to memref<*xf32>
  %v = memref.cast %code : memref<16xi32> to memref<*xi32>
  gpu.host_register %u : memref<*xf32>
  gpu.host_register %v : memref<*xi32>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%value : memref<16xf32>, %code : memref<16xi32>)
  %wrong:2 = scf.for %i = %c0 to %c16 step %c1 iter_args(%p = %c0, %q = %c0) -> (index, index) {
    %x = memref.load %value[%i] : memref<16xf32>
    %c = memref.load %code[%i] : memref<16xi32>
    %a = func.call @differs(%x, %c, %i) : (f32, i32, index) -> index
    %n = arith.index_cast %i : index to i4
    %f = arith.bitcast %n : i4 to f4E2M1FN
    %y = arith.extf %f : f4E2M1FN to f32
    %back = arith.truncf %y : f32 to f4E2M1FN
    %m = arith.bitcast %back : f4E2M1FN to i4
    %w = arith.extui %m : i4 to i32
    %b = func.call @differs(%y, %w, %i) : (f32, i32, index) -> index
    %s = arith.addi %p, %a : index
    %t = arith.addi %q, %b : index
    scf.yield %s, %t : index, index
  }
  %x = arith.index_cast %wrong#0 : index to i64
  %y = arith.index_cast %wrong#1 : index to i64
  %format = llvm.mlir.addressof @format : !llvm.ptr
  llvm.call @printf(%format, %x, %y) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %status = arith.constant 0 : i32
  return %status : i32
}
}
