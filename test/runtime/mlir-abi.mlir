// The calls that MLIR's own lowering of the gpu dialect makes, run in MLIR's JIT on
// the tests' HIP library: names, order and types of the arguments are MLIR's, not
// this project's.

// A program that is not built with the sanitizers cannot link a library that is.
// UNSUPPORTED: sanitizer

// RUN: mlir-opt %s --gpu-async-region --gpu-to-llvm --convert-scf-to-cf --convert-cf-to-llvm \
// RUN:   --finalize-memref-to-llvm --convert-func-to-llvm --convert-arith-to-llvm --reconcile-unrealized-casts -o %t.mlir
// RUN: env AIRCC_DEVICE=hip AIRCC_HIP_LIBRARY=%fakes/libfakehip.so FAKE_HIP_LOG=%t.log \
// RUN:   mlir-runner %t.mlir --entry-point-result=void --shared-libs=%runtime-dir/libaircc_runtime.so | FileCheck %s
// RUN: FileCheck --check-prefix=LOG %s < %t.log

// CHECK: data =
// CHECK-NEXT: [1.5,  1.5,  1.5,  1.5,  1,  1,  1,  1]

module attributes {gpu.container_module} {
  gpu.binary @code [#gpu.object<#rocdl.target<chip = "gfx942">, bin = "\7FELFgfx942\0Ascale 8 4 8\0A\00">]

  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

  func.func @main() {
    %one = arith.constant 1 : index
    %grid = arith.constant 3 : index
    %block = arith.constant 64 : index
    %shared = arith.constant 1024 : i32
    %fill = arith.constant 1.0 : f32
    %factor = arith.constant 1.5 : f32
    %count = arith.constant 4 : i64
    %host = memref.alloc() : memref<8xf32>
    %data = gpu.alloc () : memref<8xf32>
    gpu.memset %data, %fill : memref<8xf32>, f32
    %index = memref.extract_aligned_pointer_as_index %data : memref<8xf32> -> index
    %address = arith.index_cast %index : index to i64
    %pointer = llvm.inttoptr %address : i64 to !llvm.ptr
    gpu.launch_func @code::@scale blocks in (%grid, %one, %one) threads in (%block, %one, %one)
        dynamic_shared_memory_size %shared args(%pointer : !llvm.ptr, %factor : f32, %count : i64)
    gpu.memcpy %host, %data : memref<8xf32>, memref<8xf32>
    gpu.dealloc %data : memref<8xf32>
    %unranked = memref.cast %host : memref<8xf32> to memref<*xf32>
    call @printMemrefF32(%unranked) : (memref<*xf32>) -> ()
    gpu.host_register %unranked : memref<*xf32>
    gpu.host_unregister %unranked : memref<*xf32>
    memref.dealloc %host : memref<8xf32>
    return
  }
}

// LOG: hipMalloc(32)
// LOG: hipMemsetD32Async(ptr, 1065353216, 8, ptr)
// LOG: hipModuleLoadData(ptr)
// LOG-NEXT: hipModuleGetFunction(ptr, scale)
// LOG: hipModuleLaunchKernel(scale, 3, 1, 1, 64, 1, 1, 1024, ptr, null, ptr, 0000c03f, 0400000000000000)
// LOG: hipMemcpyAsync(ptr, ptr, 32, 4, ptr)
// LOG: hipFree(ptr)
// LOG: hipHostRegister(ptr, 32, 2)
// LOG-NEXT: hipHostUnregister(ptr)
// LOG-NEXT: hipModuleUnload(ptr)
