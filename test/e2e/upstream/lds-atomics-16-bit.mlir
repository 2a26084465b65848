// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx942 -O0 -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: f16 100, bf16 100, largest 98, expected 98

// Atomics on single 16-bit elements of LDS: a compare-and-swap loop on the dword around the
// element, which recomputes the new value in each iteration. (Not under the checker: the swap also
// compares the other half of the dword, which has not been written.)

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("f16 %g, bf16 %g, largest %d, expected %d\0A\00") {addr_space = 0 : i32}

gpu.module @kernels {
  gpu.func @k(%half: memref<1xf16>, %brain: memref<1xbf16>, %most: memref<1xi16>)
      workgroup(%a: memref<1xf16, #gpu.address_space<workgroup>>,
                %b: memref<1xbf16, #gpu.address_space<workgroup>>,
                %c: memref<1xi16, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {
      %zero = arith.constant 0.0 : f16
      %none = arith.constant 0.0 : bf16
      %low = arith.constant -32768 : i16
      memref.store %zero, %a[%c0] : memref<1xf16, #gpu.address_space<workgroup>>
      memref.store %none, %b[%c0] : memref<1xbf16, #gpu.address_space<workgroup>>
      memref.store %low, %c[%c0] : memref<1xi16, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %one = arith.constant 1.0 : f16
    %unit = arith.constant 1.0 : bf16
    %c7 = arith.constant 7 : index
    %c99 = arith.constant 99 : index
    %mixed0 = arith.muli %tid, %c7 : index
    %mixed1 = arith.remui %mixed0, %c99 : index
    %mixed = arith.index_cast %mixed1 : index to i16
    %x = memref.atomic_rmw addf %one, %a[%c0] : (f16, memref<1xf16, #gpu.address_space<workgroup>>) -> f16
    %y = memref.atomic_rmw addf %unit, %b[%c0] : (bf16, memref<1xbf16, #gpu.address_space<workgroup>>) -> bf16
    %z = memref.atomic_rmw maxs %mixed, %c[%c0] : (i16, memref<1xi16, #gpu.address_space<workgroup>>) -> i16
    gpu.barrier
    scf.if %first {
      %p = memref.load %a[%c0] : memref<1xf16, #gpu.address_space<workgroup>>
      %q = memref.load %b[%c0] : memref<1xbf16, #gpu.address_space<workgroup>>
      %r = memref.load %c[%c0] : memref<1xi16, #gpu.address_space<workgroup>>
      memref.store %p, %half[%c0] : memref<1xf16>
      memref.store %q, %brain[%c0] : memref<1xbf16>
      memref.store %r, %most[%c0] : memref<1xi16>
    }
    gpu.return
  }
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c99 = arith.constant 99 : index
  %lanes = arith.constant 100 : index
  %half = memref.alloc() : memref<1xf16>
  %brain = memref.alloc() : memref<1xbf16>
  %most = memref.alloc() : memref<1xi16>
  %u = memref.cast %half : memref<1xf16> to memref<*xf16>
  %v = memref.cast %brain : memref<1xbf16> to memref<*xbf16>
  %w = memref.cast %most : memref<1xi16> to memref<*xi16>
  gpu.host_register %u : memref<*xf16>
  gpu.host_register %v : memref<*xbf16>
  gpu.host_register %w : memref<*xi16>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%lanes, %c1, %c1)
      args(%half : memref<1xf16>, %brain : memref<1xbf16>, %most : memref<1xi16>)
  %want = scf.for %i = %c0 to %lanes step %c1 iter_args(%max = %c0) -> (index) {
    %p = arith.muli %i, %c7 : index
    %q = arith.remui %p, %c99 : index
    %r = arith.maxui %q, %max : index
    scf.yield %r : index
  }
  %a = memref.load %half[%c0] : memref<1xf16>
  %b = memref.load %brain[%c0] : memref<1xbf16>
  %c = memref.load %most[%c0] : memref<1xi16>
  %x = arith.extf %a : f16 to f64
  %y = arith.extf %b : bf16 to f64
  %z = arith.extsi %c : i16 to i32
  %wanted = arith.index_cast %want : index to i32
  %format = llvm.mlir.addressof @format : !llvm.ptr
  llvm.call @printf(%format, %x, %y, %z, %wanted) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f64, f64, i32, i32) -> i32
  %status = arith.constant 0 : i32
  return %status : i32
}
}
