//===- BlockOps.td - Block and matrix ops of Xe subgroups --*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// XeGPU's ops describe tiles. They do not determine which messages move a tile,
// nor which part of it a lane holds. Stage `distribution` chooses both
// and expresses its choice with these ops. Only Intel's Xe GPUs support them.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_KERNEL_BLOCKOPS_TD
#define AIRCC_DIALECTS_KERNEL_BLOCKOPS_TD

include "dialects/kernel/KernelBase.td"
include "mlir/Dialect/XeGPU/IR/XeGPUAttrs.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Kernel_BlockOp<string mnemonic, list<Trait> traits = []>
    : Op<Kernel_Dialect, mnemonic, traits>;

def Kernel_Count : ConfinedAttr<I32Attr, [IntPositive]>;
def Kernel_Word : AnyTypeOf<[I16, I32]>;
def Kernel_Words : FixedVectorOfRankAndType<[1], [Kernel_Word]>;
def Kernel_CacheHint : OptionalAttr<XeGPU_CacheHintAttr>;

//===----------------------------------------------------------------------===//
// Two-dimensional blocks
//===----------------------------------------------------------------------===//

def Kernel_BlockLoadOp : Kernel_BlockOp<"block_load"> {
  let summary = "Load blocks of a matrix in global memory with one message";
  let description = [{
    The 16 lanes of a subgroup together load `blocks` adjacent blocks of `rows`
    rows and `columns` columns. Elements have 8, 16 or 32 bits.

    The matrix begins at the address `base`; `width` and `pitch` are in bytes,
    and `height` is in rows. The first block begins in column `x` and row `y`.
    Elements outside of the matrix are 0.

    For each block, a lane holds these elements:

    - by default, lane l holds column l, with one row in each word (for 8-bit
      elements, columns 2l and 2l + 1 in one word). If a block has 8 columns,
      each word has two rows: lanes 8 to 15 hold the odd ones;
    - with `packed`, the same, but 2 or 4 rows share a 32-bit word;
    - with `transposed`, lane l holds row l, with one 32-bit column in each
      word.

    The hints select the cache levels, as in XeGPU's `load_nd`.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @load(%base: i64, %width: i32, %height: i32, %pitch: i32, %x: i32, %y: i32)
          -> (vector<16xi16>, vector<8xi32>) {
        %a = kernel.block_load %base[%x, %y] in (%width, %height, %pitch)
            rows 8 columns 16 blocks 2 bits 16 {l1_hint = #xegpu.cache_hint<cached>} : vector<16xi16>
        %b = kernel.block_load packed %base[%x, %y] in (%width, %height, %pitch)
            rows 16 columns 16 blocks 1 bits 16 : vector<8xi32>
        gpu.return %a, %b : vector<16xi16>, vector<8xi32>
      }
    }
    ```

    Errors: other element sizes; a block that is both packed and transposed; a
    result type that does not match a lane's part of the blocks.
  }];
  let arguments = (ins Arg<I64, "", [MemRead]>:$base, I32:$width, I32:$height,
                       I32:$pitch, I32:$x, I32:$y, Kernel_Count:$rows,
                       Kernel_Count:$columns, Kernel_Count:$blocks,
                       Kernel_Count:$element_bits, UnitAttr:$transposed,
                       UnitAttr:$packed, Kernel_CacheHint:$l1_hint,
                       Kernel_CacheHint:$l2_hint, Kernel_CacheHint:$l3_hint);
  let results = (outs Kernel_Words:$result);
  let assemblyFormat = [{
    (`transposed` $transposed^)? (`packed` $packed^)? $base `[` $x `,` $y `]`
    `in` `(` $width `,` $height `,` $pitch `)` `rows` $rows `columns` $columns
    `blocks` $blocks `bits` $element_bits attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Kernel_BlockStoreOp : Kernel_BlockOp<"block_store"> {
  let summary = "Store a block of a matrix in global memory with one message";
  let description = [{
    The 16 lanes of a subgroup together store a block of `rows` rows and
    `columns` columns. The matrix, the position, the hints and the elements of
    each lane are defined as for a `kernel.block_load` that is neither packed
    nor transposed. Elements outside of the matrix are not stored.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @store(%v: vector<8xi32>, %base: i64, %width: i32, %height: i32, %pitch: i32,
                      %x: i32, %y: i32) {
        kernel.block_store %v, %base[%x, %y] in (%width, %height, %pitch)
            rows 8 columns 16 bits 32 : vector<8xi32>
        gpu.return
      }
    }
    ```

    Errors: element sizes other than 8, 16 or 32 bits; a value whose type does
    not match a lane's part of the block.
  }];
  let arguments = (ins Kernel_Words:$value, Arg<I64, "", [MemWrite]>:$base,
                       I32:$width, I32:$height, I32:$pitch, I32:$x, I32:$y,
                       Kernel_Count:$rows, Kernel_Count:$columns,
                       Kernel_Count:$element_bits, Kernel_CacheHint:$l1_hint,
                       Kernel_CacheHint:$l2_hint, Kernel_CacheHint:$l3_hint);
  let assemblyFormat = [{
    $value `,` $base `[` $x `,` $y `]` `in` `(` $width `,` $height `,` $pitch `)`
    `rows` $rows `columns` $columns `bits` $element_bits attr-dict `:`
    type($value)
  }];
  let hasVerifier = 1;
}

def Kernel_BlockPrefetchOp : Kernel_BlockOp<"block_prefetch"> {
  let summary = "Prefetch blocks of a matrix in global memory with one message";
  let description = [{
    Loads the elements that a `kernel.block_load` would load into the cache levels
    that the hints select.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @prefetch(%base: i64, %width: i32, %height: i32, %pitch: i32, %x: i32, %y: i32) {
        kernel.block_prefetch %base[%x, %y] in (%width, %height, %pitch)
            rows 32 columns 16 blocks 2 bits 16
        gpu.return
      }
    }
    ```

    Errors: element sizes other than 8, 16 or 32 bits.
  }];
  // Without declared effects, passes neither move nor remove the op.
  let arguments = (ins I64:$base, I32:$width, I32:$height, I32:$pitch, I32:$x,
                       I32:$y, Kernel_Count:$rows, Kernel_Count:$columns,
                       Kernel_Count:$blocks, Kernel_Count:$element_bits,
                       Kernel_CacheHint:$l1_hint, Kernel_CacheHint:$l2_hint,
                       Kernel_CacheHint:$l3_hint);
  let assemblyFormat = [{
    $base `[` $x `,` $y `]` `in` `(` $width `,` $height `,` $pitch `)`
    `rows` $rows `columns` $columns `blocks` $blocks `bits` $element_bits
    attr-dict
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// kernel.prefetch
//===----------------------------------------------------------------------===//

def Kernel_PrefetchOp : Kernel_BlockOp<"prefetch"> {
  let summary = "Prefetch the cache line at an address";
  let description = [{
    Loads the cache line of global memory at `address` into the caches of the
    device. Each lane may have a different address.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @prefetch(%address: i64) {
        kernel.prefetch %address
        gpu.return
      }
    }
    ```
  }];
  let arguments = (ins I64:$address);
  let assemblyFormat = "$address attr-dict";
}

//===----------------------------------------------------------------------===//
// kernel.dpas
//===----------------------------------------------------------------------===//

def Kernel_DpasOp
    : Kernel_BlockOp<"dpas", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "Multiply matrices held by a subgroup, and accumulate";
  let description = [{
    Computes `result = lhs * rhs + acc` with one instruction of the systolic
    array. The 16 lanes of a subgroup hold the matrices: `lhs` is M x K, `rhs`
    is K x 16, and `acc` and `result` are M x 16. M is the number of elements of
    `acc`, and K elements take up 256 bits.

    Lane l holds column l of `rhs`, `acc` and `result`. A word of `lhs` has 16
    bits and contains a lane's elements of one row; for tf32, it has 32 bits,
    and lanes 8 to 15 hold the next row. A word of `rhs` has 32 bits and
    contains 1, 2 or 4 rows. tf32 is stored as f32.

    The elements of `lhs` and `rhs` are f16, bf16, tf32, i8 or ui8. Both have
    the same type, except for signedness.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @multiply(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) -> vector<8xf32> {
        %d = kernel.dpas %a as f16, %b as f16, %c : vector<8xi16>, vector<8xi32>, vector<8xf32>
        gpu.return %d : vector<8xf32>
      }
    }
    ```

    Errors: other element types; operands of different types; float operands
    with integer accumulators, or the reverse; operands whose length does not
    match M and the types.
  }];
  let arguments = (ins FixedVectorOfRankAndType<[1], [I16, I32, F32]>:$lhs,
                       FixedVectorOfRankAndType<[1], [I32, F32]>:$rhs,
                       FixedVectorOfRankAndType<[1], [F16, BF16, F32, I32]>:$acc,
                       TypeAttr:$lhs_type, TypeAttr:$rhs_type);
  let results = (outs FixedVectorOfRankAndType<[1], [F16, BF16, F32, I32]>:$result);
  let assemblyFormat = [{
    $lhs `as` $lhs_type `,` $rhs `as` $rhs_type `,` $acc attr-dict `:`
    type($lhs) `,` type($rhs) `,` type($acc)
  }];
  let extraClassDeclaration = [{
    /// Rows and columns of the result, and columns of the left operand.
    int64_t getM() { return getAcc().getType().getNumElements(); }
    int64_t getN() { return 16; }
    int64_t getK();
  }];
  let hasVerifier = 1;
}

#endif // AIRCC_DIALECTS_KERNEL_BLOCKOPS_TD
