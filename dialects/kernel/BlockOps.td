//===- BlockOps.td - Blocks and products of Xe's subgroups -*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// XeGPU's ops describe tiles; at the level of a lane they leave open which
// messages move a tile, and what a lane holds of it. Stage distribution decides
// both, and writes its decision in these ops. They exist on Intel's Xe GPUs.
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
  let summary = "Load blocks of a matrix in global memory, in one message";
  let description = [{
    The 16 lanes of a subgroup together load `blocks` blocks, side by side, of
    `rows` rows and `columns` columns of elements of 8, 16 or 32 bits.

    The matrix begins at the address `base`; its `width` and `pitch` are bytes,
    its `height` is rows. The first block begins in column `x` and row `y`.
    Elements outside of the matrix are 0.

    How a lane gets its elements, for each block:

    - otherwise: lane l has column l (of 8 bits, columns 2l and 2l + 1 in a
      word), a row in each word. A block of 8 columns has two rows in each word:
      lanes 8 to 15 have the odd ones;
    - `packed`: the same, with 2 or 4 rows in words of 32 bits;
    - `transposed`: lane l has row l, a column of 32 bits in each word.

    The hints say where the data is cached; see XeGPU's `load_nd`.

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

    Errors: elements of other sizes; a block that is both packed and transposed;
    a result that is not a lane's share of the blocks.
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
  let summary = "Store a block of a matrix in global memory, in one message";
  let description = [{
    The 16 lanes of a subgroup together store a block of `rows` rows and
    `columns` columns. Matrix, place and hints are those of `kernel.block_load`,
    and a lane's words are what that loads if it is neither packed nor
    transposed. Elements outside of the matrix are not stored.

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

    Errors: elements of other sizes than 8, 16 or 32 bits; a value that is not a
    lane's share of the block.
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
  let summary = "Prefetch blocks of a matrix in global memory, in one message";
  let description = [{
    Brings what a `kernel.block_load` would load into the caches that the hints
    name.

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

    Errors: elements of other sizes than 8, 16 or 32 bits.
  }];
  // No effect is stated: the op is kept where it is, like all that have
  // unknown ones.
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
  let summary = "Prefetch what a lane will load from an address";
  let description = [{
    Brings the line of global memory at `address` into the caches of the device.
    Each lane has an address of its own.

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
  let summary = "Multiply matrices that a subgroup holds, and add";
  let description = [{
    `result = lhs * rhs + acc`, by one instruction of the systolic array. The 16
    lanes of a subgroup hold the matrices: `acc` and `result` of M rows, as many
    as a lane has elements of them, and 16 columns, `rhs` of K rows; K elements
    have 256 bits.

    Lane l has column l of `rhs`, `acc` and `result`. `lhs` and `rhs` are words:
    of `lhs`, 16 bits hold what a lane has of a row (of tf32, 32 bits that of two
    rows, the second in lanes 8 to 15); of `rhs`, 32 bits hold 1, 2 or 4
    rows. tf32 is held in f32.

    The elements of the factors are f16, bf16, tf32, i8 or ui8; both have the
    same, but for the sign.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @multiply(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) -> vector<8xf32> {
        %d = kernel.dpas %a as f16, %b as f16, %c : vector<8xi16>, vector<8xi32>, vector<8xf32>
        gpu.return %d : vector<8xf32>
      }
    }
    ```

    Errors: elements of other types; factors of different types; sums of floats
    in integers, or of integers in floats; factors that are not as long as M and
    the types say.
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
    /// Rows and columns of the result, and columns of the left factor.
    int64_t getM() { return getAcc().getType().getNumElements(); }
    int64_t getN() { return 16; }
    int64_t getK();
  }];
  let hasVerifier = 1;
}

#endif // AIRCC_DIALECTS_KERNEL_BLOCKOPS_TD
