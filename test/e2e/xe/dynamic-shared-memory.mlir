// Shared memory whose size the launch gives, which is an argument of the kernel
// that the launch does not name.

// RUN: %aircc %s --target bmg -o %t && %t | FileCheck %s
// RUN: %aircc %s --target gfx942 -o %t.amd && %t.amd | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @reverse(%out: memref<48xi32>) kernel
        attributes {known_block_size = array<i32: 48, 1, 1>} {
      %dynamic = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %c0 = arith.constant 0 : index
      %c47 = arith.constant 47 : index
      %shared = memref.view %dynamic[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<48xi32, #gpu.address_space<workgroup>>
      %i = gpu.thread_id x
      %v = arith.index_cast %i : index to i32
      memref.store %v, %shared[%i] : memref<48xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %other = arith.subi %c47, %i : index
      %w = memref.load %shared[%other] : memref<48xi32, #gpu.address_space<workgroup>>
      memref.store %w, %out[%i] : memref<48xi32>
      gpu.return
    }
  }

  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @text("%d differ\0A\00") {addr_space = 0 : i32}

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c47 = arith.constant 47 : index
    %c48 = arith.constant 48 : index
    %bytes = arith.constant 192 : i32
    %zero = arith.constant 0 : i32
    %out = gpu.alloc host_shared () : memref<48xi32>
    gpu.launch_func @kernels::@reverse blocks in (%c1, %c1, %c1) threads in (%c48, %c1, %c1)
        dynamic_shared_memory_size %bytes args(%out : memref<48xi32>)
    %differ = scf.for %i = %c0 to %c48 step %c1 iter_args(%n = %zero) -> i32 {
      %v = memref.load %out[%i] : memref<48xi32>
      %other = arith.subi %c47, %i : index
      %want = arith.index_cast %other : index to i32
      %is = arith.cmpi ne, %v, %want : i32
      %one = arith.extui %is : i1 to i32
      %sum = arith.addi %n, %one : i32
      scf.yield %sum : i32
    }
    %text = llvm.mlir.addressof @text : !llvm.ptr
    llvm.call @printf(%text, %differ) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
    gpu.dealloc %out : memref<48xi32>
    return %zero : i32
  }
}

// CHECK: 0 differ
