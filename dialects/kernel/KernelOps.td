//===- KernelOps.td - Barriers and fences of kernels -------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_KERNEL_KERNELOPS_TD
#define AIRCC_DIALECTS_KERNEL_KERNELOPS_TD

include "dialects/kernel/KernelBase.td"
include "mlir/Dialect/GPU/IR/GPUBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Kernel_Op<string mnemonic, list<Trait> traits = []>
    : Op<Kernel_Dialect, mnemonic, traits>;

def Kernel_MemorySpaces
    : TypedArrayAttrBase<GPU_AddressSpaceAttr, "list of memory spaces">;

//===----------------------------------------------------------------------===//
// kernel.barrier
//===----------------------------------------------------------------------===//

def Kernel_BarrierOp : Kernel_Op<"barrier"> {
  let summary = "Wait for the workers of a scope and order their accesses";
  let description = [{
    No worker of the scope continues before all of them have reached the
    barrier. Memory accesses before the barrier are visible to all workers of
    the scope after it.

    The scope must be `wave` or `workgroup`. Either all its workers or none of
    them must execute the barrier.

    `memory` lists the memory spaces whose accesses the barrier orders. By
    default, these are global memory and the workgroup's memory (LDS). If the
    list is empty, the barrier only waits and does not order accesses.

    Two equal barriers with no op between them are folded into one.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @reverse(%m: memref<64xf32>, %lds: memref<64xf32, #gpu.address_space<workgroup>>,
                        %lane: index, %other: index) {
        %v = memref.load %m[%lane] : memref<64xf32>
        memref.store %v, %lds[%lane] : memref<64xf32, #gpu.address_space<workgroup>>
        kernel.barrier workgroup memory [#gpu.address_space<workgroup>]
        %w = memref.load %lds[%other] : memref<64xf32, #gpu.address_space<workgroup>>
        memref.store %w, %m[%lane] : memref<64xf32>
        kernel.barrier wave
        kernel.barrier workgroup
        gpu.return
      }
    }
    ```

    Errors: a scope other than `wave` and `workgroup`; a memory space listed
    twice; private memory, which no other lane can access.
  }];
  let arguments = (ins Kernel_ScopeAttr:$scope,
                       OptionalAttr<Kernel_MemorySpaces>:$memory);
  let assemblyFormat = "custom<Scope>($scope) (`memory` $memory^)? attr-dict";
  let builders = [
    OpBuilder<(ins "::aircc::kernel::Scope":$scope)>,
    OpBuilder<(ins "::aircc::kernel::Scope":$scope,
                   "::llvm::ArrayRef<::mlir::gpu::AddressSpace>":$memory)>
  ];
  let extraClassDeclaration = [{
    /// True if the barrier orders accesses to `space`.
    bool orders(::mlir::gpu::AddressSpace space);
    /// True if the barrier orders accesses to any memory.
    bool ordersMemory() { return !getMemory() || !getMemory()->empty(); }
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

//===----------------------------------------------------------------------===//
// kernel.fence
//===----------------------------------------------------------------------===//

def Kernel_FenceOp : Kernel_Op<"fence"> {
  let summary = "Order a lane's accesses for the workers of a scope";
  let description = [{
    Orders the memory accesses of the lane that executes it, as observed by the
    workers of the scope. It does not wait for other workers.

    The ordering is `acquire`, `release` or `acq_rel`, as in LLVM's memory model.

    `memory` lists the memory spaces whose accesses the fence orders. By
    default, these are global memory and the workgroup's memory (LDS).

    Example: one lane writes a tile and then a flag for which another device
    waits.

    ```mlir
    gpu.module @kernels {
      gpu.func @publish(%tile: memref<4xf32>, %flag: memref<1xi32>, %v: f32) {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1 : i32
        memref.store %v, %tile[%c0] : memref<4xf32>
        kernel.fence system release
        memref.store %one, %flag[%c0] : memref<1xi32>
        kernel.fence workgroup acq_rel memory [#gpu.address_space<global>]
        gpu.return
      }
    }
    ```

    Errors: scope `lane`, in which accesses are always ordered; an empty list of
    memory spaces; a memory space listed twice; private memory; only the
    workgroup's memory in a scope larger than a workgroup.
  }];
  let arguments = (ins Kernel_ScopeAttr:$scope, Kernel_OrderingAttr:$ordering,
                       OptionalAttr<Kernel_MemorySpaces>:$memory);
  let assemblyFormat = [{
    custom<Scope>($scope) custom<Ordering>($ordering) (`memory` $memory^)?
    attr-dict
  }];
  let builders = [
    OpBuilder<(ins "::aircc::kernel::Scope":$scope,
                   "::aircc::kernel::Ordering":$ordering)>,
    OpBuilder<(ins "::aircc::kernel::Scope":$scope,
                   "::aircc::kernel::Ordering":$ordering,
                   "::llvm::ArrayRef<::mlir::gpu::AddressSpace>":$memory)>
  ];
  let extraClassDeclaration = [{
    /// True if the fence orders accesses to `space`.
    bool orders(::mlir::gpu::AddressSpace space);
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// kernel.access
//===----------------------------------------------------------------------===//

def Kernel_AccessOp
    : Kernel_Op<"access", [AttrSizedOperandSegments,
                           DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Declare the next accesses of the workers of a scope";
  let description = [{
    The workers of the scope reach this op together. Until the next
    `kernel.access` of the same buffer, they may write elements of the buffers
    in `writes` and read elements of the buffers in `reads`, and each worker may
    access elements other than before. Accesses under one declaration must not
    conflict: no worker may access elements that another worker writes.

    Code that transfers data between workers declares its accesses with this op
    instead of inserting barriers. If an access conflicts with an earlier one
    and no barrier separates them, the pass `aircc-place-barriers` replaces the
    op with a `kernel.barrier` of its scope; otherwise, it removes the op.
    `memory` becomes the barrier's attribute.

    Example: the lanes of a workgroup exchange values. The first access does not
    need a barrier, but the second does.

    ```mlir
    gpu.module @kernels {
      gpu.func @reverse(%v: f32, %lds: memref<64xf32, #gpu.address_space<workgroup>>,
                        %lane: index, %other: index) -> f32 {
        kernel.access workgroup writes(%lds : memref<64xf32, #gpu.address_space<workgroup>>)
        memref.store %v, %lds[%lane] : memref<64xf32, #gpu.address_space<workgroup>>
        kernel.access workgroup reads(%lds : memref<64xf32, #gpu.address_space<workgroup>>)
        %w = memref.load %lds[%other] : memref<64xf32, #gpu.address_space<workgroup>>
        gpu.return %w : f32
      }
    }
    ```

    Errors: a scope other than `wave` and `workgroup`; no buffer; a list of memory
    spaces that a barrier cannot have, or that lacks the space of a buffer.
  }];
  let arguments = (ins Kernel_ScopeAttr:$scope, Variadic<AnyMemRef>:$written,
                       Variadic<AnyMemRef>:$read,
                       OptionalAttr<Kernel_MemorySpaces>:$memory);
  let assemblyFormat = [{
    custom<Scope>($scope) (`writes` `(` $written^ `:` type($written) `)`)?
    (`reads` `(` $read^ `:` type($read) `)`)? (`memory` $memory^)? attr-dict
  }];
  let builders = [
    OpBuilder<(ins "::aircc::kernel::Scope":$scope,
                   "::mlir::ValueRange":$written, "::mlir::ValueRange":$read)>,
    OpBuilder<(ins "::aircc::kernel::Scope":$scope,
                   "::mlir::ValueRange":$written, "::mlir::ValueRange":$read,
                   "::llvm::ArrayRef<::mlir::gpu::AddressSpace>":$memory)>
  ];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// kernel.publish
//===----------------------------------------------------------------------===//

def Kernel_PublishOp : Kernel_Op<"publish"> {
  let summary = "Release the accesses of the workers of a scope to a larger scope";
  let description = [{
    The workers of the scope wait until their earlier accesses are complete for
    the observers, which are the workers of a larger scope. A later store, for
    example to a flag, may then tell the observers that data is available or has
    been read.

    The observers execute another kernel, or another workgroup of this kernel,
    so the accesses in this kernel do not show that a barrier is needed. Code
    that implements such a protocol uses this op instead of inserting barriers.
    The pass `aircc-place-barriers` replaces it with a `kernel.fence` that
    releases to the observers, and a `kernel.barrier` of the scope that only
    waits.

    Example: the lanes of a wave write a message, and then one of them writes
    its flag.

    ```mlir
    gpu.module @kernels {
      gpu.func @send(%ring: memref<64xi32>, %flag: memref<1xi32>, %lane: index, %word: i32) {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1 : i32
        memref.store %word, %ring[%lane] : memref<64xi32>
        kernel.publish wave to system
        %first = arith.cmpi eq, %lane, %c0 : index
        scf.if %first {
          memref.store %one, %flag[%c0] : memref<1xi32>
        }
        gpu.return
      }
    }
    ```

    Errors: a scope other than `wave` and `workgroup`; observers other than
    `device` and `system`.
  }];
  let arguments = (ins Kernel_ScopeAttr:$scope, Kernel_ScopeAttr:$observers);
  let assemblyFormat = [{
    custom<Scope>($scope) `to` custom<Scope>($observers) attr-dict
  }];
  let builders = [
    OpBuilder<(ins "::aircc::kernel::Scope":$scope,
                   "::aircc::kernel::Scope":$observers)>
  ];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// kernel.arena
//===----------------------------------------------------------------------===//

def Kernel_ArenaOp : Kernel_Op<"arena", [Pure]> {
  let summary = "Return this workgroup's part of a buffer in global memory";
  let description = [{
    Returns `bytes` bytes of global memory that only this workgroup accesses,
    and whose contents are undefined when the workgroup starts. All arenas with
    the same number in a kernel are the same memory.

    The host must be able to compute `bytes` from constants, the kernel's
    arguments and the sizes of its grid and workgroups. `bytes` must be a
    multiple of 256, so that each workgroup's part is aligned to that.

    The pass `hierarchy-allocate-arenas` makes each launch of the kernel
    allocate the parts of all its workgroups, and replaces the op with a view of
    an argument.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @fill(%v: f32, %i: index) kernel {
        %c0 = arith.constant 0 : index
        %bytes = arith.constant 131072 : index
        %arena = kernel.arena 0 bytes(%bytes) : memref<?xi8>
        %tile = memref.view %arena[%c0][] : memref<?xi8> to memref<32768xf32>
        memref.store %v, %tile[%i] : memref<32768xf32>
        gpu.return
      }
    }
    ```

    Errors: a result other than a `memref<?xi8>` in the default memory space.
  }];
  let arguments = (ins I64Attr:$number, Index:$bytes);
  let results = (outs MemRefRankOf<[I8], [1]>:$memory);
  let assemblyFormat = "$number `bytes` `(` $bytes `)` attr-dict `:` type($memory)";
  let hasVerifier = 1;
}

#endif // AIRCC_DIALECTS_KERNEL_KERNELOPS_TD
