//===- Passes.td - The passes of the link stage ------------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_PASSES
#define AIRCC_PIPELINE_LINK_PASSES

include "mlir/Pass/PassBase.td"

def BuildCodeObjects : Pass<"link-build-code-objects", "::mlir::ModuleOp"> {
  let summary = "Link the objects in gpu.binary ops to code objects (hsaco)";
  let description = [{
    Runs lld, as a library, on every relocatable AMDGPU object and replaces it
    with the loadable code object. Objects that are already linked are
    unchanged. Objects that are still being compiled are linked when they are
    complete. Assembly or LLVM IR in a `gpu.binary` is an error, because it
    cannot be linked.

    Example:
    ```mlir
    // --codegen-compile-gpu-modules --link-build-code-objects
    gpu.module @kernels [#rocdl.target<chip = "gfx942", abi = "500">] {
      llvm.func @k() attributes {gpu.kernel, rocdl.kernel} {
        llvm.return
      }
    }
    // becomes a gpu.binary with a shared object instead of a relocatable one:
    gpu.binary @kernels [#gpu.object<#rocdl.target<chip = "gfx942">,
                                     bin = "<ELF, shared object>">]
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def CompileNativeCode : Pass<"link-compile-native-code", "::mlir::ModuleOp"> {
  let summary = "Compile SPIR-V in gpu.binary ops to native code";
  let description = [{
    Runs Intel's offline compiler `ocloc`, found on PATH, on every SPIR-V module
    and replaces the module with native code for the target's chip. Code with an
    undefined function is an error, because the compiler would make calls to it
    return 0.

    Example:
    ```mlir
    gpu.binary @kernels [#gpu.object<#xevm.target<chip = "pvc">, bin = "<SPIR-V>">]
    // becomes
    gpu.binary @kernels [#gpu.object<#xevm.target<chip = "pvc">, bin = "<ELF>">]
    ```
  }];
  let options = [
    Option<"maxThreads", "max-threads", "uint64_t", "1024",
           "The maximum number of lanes in a workgroup">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::xevm::XeVMDialect"];
}

def PrepareHost : Pass<"link-prepare-host", "::mlir::ModuleOp"> {
  let summary = "Prepare entry points and GPU tokens of the host program";
  let description = [{
    - `func.func @main` becomes C's `main`. Its type must be `() -> ()` (exit
      status 0), `() -> T` or `(i32, !llvm.ptr) -> T`, where T is i32, i64,
      index or no result.
    - Private functions with a body become internal to the object. Others pass
      integers of less than 32 bits like C (`llvm.zeroext`, `llvm.signext`).
    - Public functions, and functions that the runtime calls for an
      `air.entry_point`, get a C interface (`llvm.emit_c_interface`).
    - Tokens of asynchronous `gpu` ops are replaced with program order, which
      satisfies every order that tokens can express. `gpu-async-region` then
      puts the ops between two host actions into one stream. Passing a token
      through control flow is an error.
    - Launch sizes of type i32 become values of type index.

    Example:
    ```mlir
    func.func @main() {
      return
    }
    // becomes
    func.func @main() -> i32 {
      %c0_i32 = arith.constant 0 : i32
      return %c0_i32 : i32
    }
    ```
  }];
  let options = [
    Option<"cInterface", "c-interface", "bool", "true",
           "Give public functions a C interface">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def DropHostMemorySpaces : Pass<"link-drop-host-memory-spaces", "::mlir::ModuleOp"> {
  let summary = "Remove the memory space of global memory from host code";
  let description = [{
    In host code, `#gpu.address_space<global>`, or space 1, is ordinary memory,
    so the pass removes this memory space from memrefs. A host memref in
    workgroup or private memory is an error.

    Example:
    ```mlir
    func.func @f(%m: memref<64xf32, #gpu.address_space<global>>) {
      return
    }
    // becomes
    func.func @f(%m: memref<64xf32>) {
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect"];
}

def MoveConstants : Pass<"link-move-constants", "::mlir::ModuleOp"> {
  let summary = "Move large constants in host code to a file";
  let description = [{
    Replaces each private constant `memref.global` whose value has at least
    `threshold` bytes with a variable. This variable contains the name of the
    file, the name of a tensor in it, and the number and the hash of its bytes.
    A `memref.get_global` becomes a runtime call that returns the address of the
    constant. The constant is in device memory if only kernels use it, in host
    memory if the host loads its elements, and in memory that both can access
    otherwise. The variable keeps the value in its attribute `file_constant`, so
    that the driver can write the file.

    The tensor of a `dense_resource` is named after the key of the resource.
    Other tensors are named after the hash, so that constants with the same
    bytes share a tensor.

    The pass runs before `link-share-host-memory`, which makes each call copy
    the remaining constants to the device. Without `file`, it does nothing.

    Example:
    ```mlir
    // --link-move-constants="file=w.safetensors threshold=64"
    memref.global "private" constant @w : memref<32xf32> = dense<1.5>
    func.func @f(%i: index) -> f32 {
      %w = memref.get_global @w : memref<32xf32>
      %x = memref.load %w[%i] : memref<32xf32>
      return %x : f32
    }
    // becomes
    llvm.mlir.global internal @w.file_constant() {file_constant = {…}} :
        !llvm.struct<(ptr, ptr, i64, i64, ptr)> { … }
    func.func @f(%i: index) -> f32 {
      %v = llvm.mlir.addressof @w.file_constant : !llvm.ptr
      %host = llvm.mlir.constant(0 : i32) : i32
      %p = llvm.call @mgpuGetConstant(%v, %host) : (!llvm.ptr, i32) -> !llvm.ptr
      …
    }
    ```
  }];
  let options = [
    Option<"file", "file", "std::string", "\"\"",
           "The name of the file, without a directory">,
    Option<"threshold", "threshold", "uint64_t", "4096",
           "The minimum number of bytes of a constant to move">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect"];
}

def ShareHostMemory : Pass<"link-share-host-memory", "::mlir::ModuleOp"> {
  let summary = "Share host allocations that kernels access";
  let description = [{
    Kernels cannot access ordinary host memory. If the memory of a
    `memref.alloc` in host code may reach a `gpu.launch_func` (or a
    `gpu.memset`), through views, control flow, calls and returns, the pass
    replaces the op with a `gpu.alloc host_shared`, and the `memref.dealloc`
    that frees it with a `gpu.dealloc`. `memref.realloc` is expanded first. A
    `memref.alloca` is replaced with such an allocation that is freed at the end
    of its scope, and a constant `memref.global` is replaced with a copy that
    exists for the duration of a call to the function.

    Memory that the program registers (`gpu.host_register`, or a call to
    `mgpuMemHostRegister…`) is unchanged, and so is memory that callers of
    public functions and external functions pass. Other allocations that cannot
    be shared are errors: if a `memref.dealloc` may also free other memory, or
    if a public function returns the memory to callers outside of the module.

    Example:
    ```mlir
    module attributes {gpu.container_module} {
      gpu.module @k {
        gpu.func @k(%m: memref<64xf32>) kernel {
          gpu.return
        }
      }
      func.func @main() {
        %c1 = arith.constant 1 : index
        %m = memref.alloc() : memref<64xf32>
        gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
            args(%m : memref<64xf32>)
        memref.dealloc %m : memref<64xf32>
        return
      }
    }
    // becomes
    %m = gpu.alloc host_shared () : memref<64xf32>
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%m : memref<64xf32>)
    gpu.dealloc %m : memref<64xf32>
    ```
  }];
  let options = [
    Option<"wholeProgram", "whole-program", "bool", "false",
           "Code outside of the module only calls main">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def LowerSharedAllocations : Pass<"link-lower-shared-allocations", "::mlir::ModuleOp"> {
  let summary = "Allocate memory shared with the host with a plain call";
  let description = [{
    A `gpu.alloc host_shared` in host code becomes a runtime call and a view of
    its result. The pass runs after `link-prepare-host`, which removes the
    tokens of allocations, and after `link-share-host-memory`. It runs before
    `gpu-async-region`, which would create new tokens.

    Example:
    ```mlir
    func.func @f(%n: index) -> memref<?xf32> {
      %m = gpu.alloc host_shared (%n) : memref<?xf32>
      return %m : memref<?xf32>
    }
    // becomes
    %p = llvm.call @mgpuMemAlloc(%bytes, %stream, %shared) : (i64, !llvm.ptr, i8) -> !llvm.ptr
    ...
    %m = memref.view %buffer[%c0][%n] : memref<?xi8> to memref<?xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect"];
}

def LowerTransfers : Pass<"link-lower-transfers", "::mlir::ModuleOp"> {
  let summary = "Split copies and fills of strided memory";
  let description = [{
    The runtime transfers contiguous ranges of bytes. A `gpu.memcpy` or
    `gpu.memset` in host code whose operands have a layout becomes a loop nest
    with one transfer for each range that is contiguous in all layouts, possibly
    for single elements. The runtime only has functions to fill memory with
    elements of 16 or 32 bits. Other fills become copies: first of the value to
    the first element, and then repeatedly of the elements written so far to
    those that follow, which doubles their number each time.

    Example:
    ```mlir
    func.func @f(%row: memref<8xi32, strided<[1], offset: 3>>, %src: memref<8xi32>) {
      gpu.memcpy %row, %src : memref<8xi32, strided<[1], offset: 3>>, memref<8xi32>
      return
    }
    // becomes a copy to a memref that starts at the fourth element:
    gpu.memcpy %to, %from : memref<?xi32>, memref<?xi32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def LoopHostVectors : Pass<"link-loop-host-vectors", "::mlir::ModuleOp"> {
  let summary = "Convert ops on large vectors in host code to loops";
  let description = [{
    In a host thread, a vector of more than `most` elements is in memory, and
    ops on it are loops over its elements. Code size and compile time therefore
    do not increase with vectors that the lanes of a GPU would share. Ops that
    only move elements, or compute them from their positions (transpositions,
    broadcasts, masks), do not need separate memory. Unsupported ops load their
    operands from memory as vectors, and are lowered like ops on small vectors.

    Example:
    ```mlir
    func.func @f(%v: vector<64x64xf32>) -> vector<64x64xf32> {
      %s = math.absf %v : vector<64x64xf32>
      return %s : vector<64x64xf32>
    }
    // becomes
    %m = memref.alloc() : memref<64x64xf32>
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %x = memref.load %of_v[%i, %j] : memref<64x64xf32>
        %y = math.absf %x : f32
        memref.store %y, %m[%i, %j] : memref<64x64xf32>
      }
    }
    ```
  }];
  let options = [Option<"most", "most", "int64_t", "512",
                        "The maximum number of elements of a vector that is not in memory">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerHostVectors : Pass<"link-lower-host-vectors", "::mlir::ModuleOp"> {
  let summary = "Lower multi-dimensional vector ops in host code";
  let description = [{
    The host's counterpart of `codegen-lower-device-vectors`. A
    `layout.to_layout` is replaced with its operand, because a host thread holds
    complete vectors.

    Example:
    ```mlir
    func.func @f(%v: vector<4xf32>) -> f32 {
      %zero = arith.constant 0.0 : f32
      %0 = vector.multi_reduction <add>, %v, %zero [0] : vector<4xf32> to f32
      return %0 : f32
    }
    // becomes
    %x0 = vector.extract %v[0] : f32 from vector<4xf32>
    ...
    %sum1 = arith.addf %x1, %sum0 : vector<1xf32>
    ...
    %0 = vector.extract %sum3[0] : f32 from vector<1xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

def CheckHost : Pass<"link-check-host", "::mlir::ModuleOp"> {
  let summary = "Check that host code is all in the LLVM dialect";
  let description = [{
    An op outside of the LLVM dialect, other than `gpu.binary` and
    `gpu.launch_func`, cannot be translated to LLVM IR, and is therefore an
    error that names it.

    Example:
    ```mlir
    func.func @f() -> tensor<4xf32> {
      // error: cannot be lowered to host code
      %0 = tensor.empty() : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
}

def CreateEntryFunctions : Pass<"link-create-entry-functions", "::mlir::ModuleOp"> {
  let summary = "Create the functions that programs call through the runtime";
  let description = [{
    For a function `NAME` with the attribute `air.entry_point` and a C
    interface, the pass creates the following:

    - `int32_t aircc_NAME(arguments, results)` calls the function through the
      runtime's `airccCall`, which checks the arguments and returns a status;
    - `int32_t aircc_NAME_async(arguments, results, void *stream)` does so on
      the caller's stream, without waiting, through `airccCallAsync`;
    - `int32_t aircc_result_sizes_NAME(arguments, int64_t *sizes)` computes the
      dynamic sizes of its results, if there are any;
    - `aircc_entry_NAME` is a table of type `AirccEntry` (`aircc/runtime.h`)
      that describes the function to the runtime.

    NAME is the name in the program, with each byte that is not allowed in a C
    identifier replaced with its hexadecimal code (`callerName` of
    `air.entry_point`). The C interface becomes `_mlir_ciface_NAME`, and the
    function itself becomes internal.

    Example:
    ```mlir
    llvm.func @_mlir_ciface_f(%x: !llvm.ptr, %r: !llvm.ptr)
    llvm.func @f() attributes {
      air.entry_point = #air.entry_point<arguments = [memref<4xf32>], results = [memref<4xf32>]>
    }
    // becomes
    llvm.func @aircc_f(%x: !llvm.ptr, %r: !llvm.ptr) -> i32 {
      %arguments = llvm.alloca … x !llvm.ptr
      …
      %entry = llvm.mlir.addressof @aircc_entry_f : !llvm.ptr
      %status = llvm.call @airccCall(%entry, %arguments) : (!llvm.ptr, !llvm.ptr) -> i32
      llvm.return %status : i32
    }
    ```
  }];
  let options = [
    Option<"checkArguments", "check-arguments", "bool", "true",
           "Make the runtime check the arguments of each call">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::aircc::air::AIRDialect"];
}

#endif // AIRCC_PIPELINE_LINK_PASSES
