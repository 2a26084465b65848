//===- LaneOps.td - What a lane does by itself -------------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions for which upstream has ops of a back end only.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_KERNEL_LANEOPS_TD
#define AIRCC_DIALECTS_KERNEL_LANEOPS_TD

include "dialects/kernel/KernelBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Kernel_LaneOp<string mnemonic, list<Trait> traits = []>
    : Op<Kernel_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// kernel.trap
//===----------------------------------------------------------------------===//

def Kernel_TrapOp : Kernel_LaneOp<"trap"> {
  let summary = "End the kernel with an error";
  let description = [{
    The launch fails. The compiler guards with it what a program must not do and
    what only shows when the kernel runs; an assertion of the program is a
    `cf.assert`, which has a message.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @check(%differ: i1) {
        scf.if %differ {
          kernel.trap
        }
        gpu.return
      }
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Atomic accesses
//===----------------------------------------------------------------------===//

def Kernel_AtomicWord : AnyTypeOf<[I32, I64]>;

class Kernel_AtomicOp<string mnemonic, list<Trait> traits = []>
    : Kernel_LaneOp<mnemonic,
                    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>] #
                        traits> {
  let hasVerifier = 1;
}

def Kernel_AtomicLoadOp : Kernel_AtomicOp<"atomic_load"> {
  let summary = "Load a word that other workers store meanwhile";
  let description = [{
    Loads word number `index` of global memory from the address `base` on. The
    workers of the scope that store the word do so by atomic accesses. Other
    memory accesses are not ordered by it; `kernel.fence` does that.

    Example: a lane waits for a flag.

    ```mlir
    gpu.module @kernels {
      gpu.func @wait(%ring: i64, %flag: index, %expected: i32) {
        scf.while : () -> () {
          %word = kernel.atomic_load system %ring[%flag] : i32
          %differs = arith.cmpi ne, %word, %expected : i32
          scf.condition(%differs)
        } do {
          scf.yield
        }
        kernel.fence system acquire
        gpu.return
      }
    }
    ```

    Errors: scopes other than `device` and `system`.
  }];
  let arguments = (ins Kernel_ScopeAttr:$scope, I64:$base, Index:$index);
  let results = (outs Kernel_AtomicWord:$result);
  let assemblyFormat = [{
    custom<Scope>($scope) $base `[` $index `]` attr-dict `:` type($result)
  }];
}

def Kernel_AtomicStoreOp : Kernel_AtomicOp<"atomic_store"> {
  let summary = "Store a word that other workers load meanwhile";
  let description = [{
    Stores word number `index` of global memory from the address `base` on, as
    `kernel.atomic_load` loads it.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @publish(%ring: i64, %flag: index, %value: i32) {
        kernel.fence system release
        kernel.atomic_store system %value, %ring[%flag] : i32
        gpu.return
      }
    }
    ```

    Errors: scopes other than `device` and `system`.
  }];
  let arguments = (ins Kernel_ScopeAttr:$scope,
                       Kernel_AtomicWord:$value, I64:$base, Index:$index);
  let assemblyFormat = [{
    custom<Scope>($scope) $value `,` $base `[` $index `]` attr-dict `:`
    type($value)
  }];
}

def Kernel_AtomicAddOp
    : Kernel_AtomicOp<"atomic_add", [AllTypesMatch<["value", "result"]>]> {
  let summary = "Add to a word of global memory, and get what it was";
  let description = [{
    Adds `value` to word number `index` of global memory from the address `base`
    on, as one access. The result is what the word was before.

    `memref.atomic_rmw` orders other accesses, too, and for the whole system;
    this op does not, and says for whom the access is one.

    Example: take the next number.

    ```mlir
    gpu.module @kernels {
      gpu.func @take(%ring: i64, %count: index) -> i32 {
        %one = arith.constant 1 : i32
        %number = kernel.atomic_add device %one, %ring[%count] : i32
        gpu.return %number : i32
      }
    }
    ```

    Errors: scopes other than `device` and `system`.
  }];
  let arguments = (ins Kernel_ScopeAttr:$scope,
                       Kernel_AtomicWord:$value, I64:$base, Index:$index);
  let results = (outs Kernel_AtomicWord:$result);
  let assemblyFormat = [{
    custom<Scope>($scope) $value `,` $base `[` $index `]` attr-dict `:`
    type($value)
  }];
}

//===----------------------------------------------------------------------===//
// kernel.memref_at
//===----------------------------------------------------------------------===//

def Kernel_MemRefAtOp
    : Kernel_LaneOp<"memref_at", [Pure, AttrSizedOperandSegments]> {
  let summary = "A memref of what an address points to";
  let description = [{
    The result begins at `address`, in global memory. Its dynamic sizes and
    strides are operands. The address is a multiple of the size of an element.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @view(%address: i64, %rows: index, %pitch: index)
          -> memref<?x16xf32, strided<[?, 1]>, #gpu.address_space<global>> {
        %m = kernel.memref_at %address sizes(%rows) strides(%pitch)
            : memref<?x16xf32, strided<[?, 1]>, #gpu.address_space<global>>
        gpu.return %m : memref<?x16xf32, strided<[?, 1]>, #gpu.address_space<global>>
      }
    }
    ```

    Errors: other numbers of sizes or strides than the type has dynamic ones; a
    type whose layout is not strided or has an offset; memory that is not global.
  }];
  let arguments = (ins I64:$address, Variadic<Index>:$sizes,
                       Variadic<Index>:$strides);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = [{
    $address (`sizes` `(` $sizes^ `)`)? (`strides` `(` $strides^ `)`)? attr-dict
    `:` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// kernel.offset_memref
//===----------------------------------------------------------------------===//

def Kernel_OffsetMemRefOp
    : Kernel_LaneOp<"offset_memref",
                    [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = "The same memref in other memory, bytes further";
  let description = [{
    The result has the offset, sizes and strides of `source`, and begins `bytes`
    bytes behind it, in other memory: that of a peer's heap, for instance. Host
    code may have this op, too.

    Example:

    ```mlir
    func.func @move(%own: memref<4x8xf32>, %distance: i64) -> memref<4x8xf32> {
      %peer = kernel.offset_memref %own by %distance : memref<4x8xf32>
      return %peer : memref<4x8xf32>
    }
    ```

    Errors: a layout that is not strided.
  }];
  let arguments = (ins AnyMemRef:$source, I64:$bytes);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$source `by` $bytes attr-dict `:` type($source)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// kernel.permute_bytes
//===----------------------------------------------------------------------===//

def Kernel_PermuteBytesOp : Kernel_LaneOp<"permute_bytes", [Pure]> {
  let summary = "Choose four of the bytes of two words";
  let description = [{
    Byte i of the result, from the lowest on, is byte number `bytes[i]`: 0 to 3
    are those of `low`, 4 to 7 those of `high`.

    Example: the lower halves of two words.

    ```mlir
    gpu.module @kernels {
      gpu.func @lower_halves(%high: i32, %low: i32) -> i32 {
        %r = kernel.permute_bytes %high, %low [0, 1, 4, 5]
        gpu.return %r : i32
      }
    }
    ```

    Errors: a list of other than four numbers; numbers other than 0 to 7.
  }];
  let arguments = (ins I32:$high, I32:$low, DenseI32ArrayAttr:$bytes);
  let results = (outs I32:$result);
  let assemblyFormat = "$high `,` $low $bytes attr-dict";
  let hasVerifier = 1;
}

#endif // AIRCC_DIALECTS_KERNEL_LANEOPS_TD
