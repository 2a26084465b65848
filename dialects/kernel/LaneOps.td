//===- LaneOps.td - Instructions of single lanes -----------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions that upstream has only in backend dialects.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_KERNEL_LANEOPS_TD
#define AIRCC_DIALECTS_KERNEL_LANEOPS_TD

include "dialects/kernel/KernelBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Kernel_LaneOp<string mnemonic, list<Trait> traits = []>
    : Op<Kernel_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// kernel.trap
//===----------------------------------------------------------------------===//

def Kernel_TrapOp : Kernel_LaneOp<"trap"> {
  let summary = "End the kernel with an error";
  let description = [{
    The launch fails. The compiler inserts this op to detect invalid program
    behavior at run time. Assertions of the program use `cf.assert`, which has a
    message.

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

def Kernel_SetPriorityOp : Kernel_LaneOp<"set_priority"> {
  let summary = "Set the priority of a wave on its SIMD";
  let description = [{
    After this op, instructions of the wave are issued before those of waves
    with lower priority on the same SIMD. Priorities range from 0, the initial
    one, to 3. A wave that keeps the matrix pipe busy with few instructions
    should have priority over a wave that executes many other instructions.
    Vector instructions do not move across this op. On Intel GPUs, which have no
    such priorities, the op does nothing.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @multiply() {
        kernel.set_priority 1
        kernel.set_priority 0
        gpu.return
      }
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I32Attr,
                           [IntMinValue<0>, IntMaxValue<3>]>:$priority);
  let assemblyFormat = "$priority attr-dict";
}

def Kernel_RescaleOp
    : Kernel_LaneOp<"rescale", [Pure, SameOperandsAndResultType] #
                                   ElementwiseMappable.traits> {
  let summary = "Multiply by factors that are mostly 1";
  let description = [{
    Returns the elementwise product of the operands. If all factors are 1, a
    wave skips the multiplication. This is checked only if each lane has a
    single factor for all elements.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @scale(%x: vector<8xf32>, %factor: f32) -> vector<8xf32> {
        %factors = vector.broadcast %factor : f32 to vector<8xf32>
        %y = kernel.rescale %x, %factors : vector<8xf32>
        gpu.return %y : vector<8xf32>
      }
    }
    ```
  }];
  let arguments = (ins VectorOfNonZeroRankOf<[AnyFloat]>:$value,
                       VectorOfNonZeroRankOf<[AnyFloat]>:$factor);
  let results = (outs VectorOfNonZeroRankOf<[AnyFloat]>:$result);
  let assemblyFormat = "$value `,` $factor attr-dict `:` type($result)";
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
  let summary = "Load a word that other workers may store concurrently";
  let description = [{
    Loads word number `index` from the address `base` in global memory. The
    workers of the scope must store the word with atomic accesses. The op does not
    order other memory accesses; use `kernel.fence` for that.

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
  let summary = "Store a word that other workers may load concurrently";
  let description = [{
    Stores to word number `index` from the address `base` in global memory. This
    is the counterpart of `kernel.atomic_load`.

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
  let summary = "Atomically add to a word in global memory";
  let description = [{
    Adds `value` to word number `index` from the address `base` in global
    memory, atomically for the workers of the scope. Returns the word's old
    value.

    Unlike `memref.atomic_rmw`, which is ordered and atomic for the whole
    system, this op does not order other accesses.

    Example: get the next number.

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
  let summary = "Create a memref at an address";
  let description = [{
    The result begins at `address`, in global memory. Its dynamic sizes and
    strides are operands. The address must be a multiple of the element size.

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

    Errors: numbers of sizes or strides that differ from the numbers of dynamic
    ones in the type; a layout that is not strided or has an offset; a memory
    space other than global memory.
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
  let summary = "Offset a memref by a number of bytes";
  let description = [{
    The result has the offset, sizes and strides of `source`, and begins `bytes`
    bytes after it, in other memory, such as the heap of another rank. The op
    may also be used in host code.

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
  let summary = "Select four bytes from two words";
  let description = [{
    Byte i of the result, counted from the lowest, is byte number `bytes[i]`.
    Numbers 0 to 3 are the bytes of `low`, and 4 to 7 are the bytes of `high`.

    Example: combine the lower halves of two words.

    ```mlir
    gpu.module @kernels {
      gpu.func @lower_halves(%high: i32, %low: i32) -> i32 {
        %r = kernel.permute_bytes %high, %low [0, 1, 4, 5]
        gpu.return %r : i32
      }
    }
    ```

    Errors: a list that does not have four numbers; numbers other than 0 to 7.
  }];
  let arguments = (ins I32:$high, I32:$low, DenseI32ArrayAttr:$bytes);
  let results = (outs I32:$result);
  let assemblyFormat = "$high `,` $low $bytes attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// kernel.permute_lanes
//===----------------------------------------------------------------------===//

def Kernel_PermuteLanesOp
    : Kernel_LaneOp<"permute_lanes", [Pure, SameOperandsAndResultType]> {
  let summary = "Permute values among the lanes of each row of 16";
  let description = [{
    Lane i of each row of 16 lanes receives the value of lane `lanes[i]` in its
    row. `gpu.shuffle` computes the source lane at run time, which is slower.

    Example: the second and the third group of four lanes exchange their values.

    ```mlir
    gpu.module @kernels {
      gpu.func @exchange(%v: vector<4xf16>) -> vector<4xf16> {
        %r = kernel.permute_lanes %v [0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15] : vector<4xf16>
        gpu.return %r : vector<4xf16>
      }
    }
    ```

    Errors: a list that does not have 16 numbers; numbers other than 0 to 15.
  }];
  let arguments = (ins AnyTypeOf<[AnySignlessIntegerOrIndex, AnyFloat,
                                  FixedVectorOfRankAndType<[1],
                                      [AnySignlessIntegerOrIndex, AnyFloat]>]>:$value,
                       DenseI32ArrayAttr:$lanes);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value $lanes attr-dict `:` type($value)";
  let hasVerifier = 1;
}

#endif // AIRCC_DIALECTS_KERNEL_LANEOPS_TD
