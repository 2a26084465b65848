//===- AIRBase.td - The AIR dialect and its types ----------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_AIR_AIRBASE_TD
#define AIRCC_DIALECTS_AIR_AIRBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def AIR_Dialect : Dialect {
  let name = "air";
  let cppNamespace = "::aircc::air";
  let summary = "Spatial programs: nested parallel spaces, explicit data movement";
  let description = [{
    The `air` dialect describes a program as a hierarchy of parallel spaces, and
    the data movement between the memories that belong to them.

    | op            | one point of its space is   | memory       | memory space |
    | ------------- | --------------------------- | ------------ | ------------ |
    | `air.rank`    | a process with its device   | remote heaps | `#air.symmetric_heap` |
    | `air.launch`  | a point of a grid           | L3 (global)  | 0            |
    | `air.segment` | a workgroup                 | L2 (shared)  | 1            |
    | `air.herd`    | a processing element, a PE  | L1 (private) | 2            |

    Each of these ops is isolated from above: values enter through `args(...)`.
    Data is transferred by `air.dma_memcpy_nd`, which specifies both ends in one
    op, or through channels, where `air.channel.put` and `air.channel.get` each
    specify one end.

    Every op that does work can be `async`: it then returns an
    `!air.async.token` and does not block the ops that follow. An op with
    dependencies starts after all of them have completed. Without `async`, the
    program also waits for the op itself to complete.

    The assembly format is that of mlir-air's AIR dialect: each project can read
    programs printed by the other.

    Discardable attributes of the dialect:

    | attribute             | on             | value and meaning                  |
    | --------------------- | -------------- | ---------------------------------- |
    | `air.offload`         | a linalg op, a function | unit: run it, or the linalg ops in it, on the device |
    | `air.merge_launches`  | a function | unit: small independent launches in it may be merged |
    | `air.plan_memory`     | a function | unit: buffers that it allocates and frees may share one allocation |
    | `air.entry_point`     | a function | `#air.entry_point`: callers call it through the runtime, which checks its arguments |
    | `air.size_checks`     | a function | array of `#air.size_check`: the relation that each pair of sizes that it computes must have |
    | `air.separate`        | an argument of a function | unit: no other memory that the function uses overlaps the argument's |
    | `air.donated`         | a tensor argument of a function | unit: a call may overwrite the argument's memory |
    | `air.work`            | a linalg op, a launch | `#air.work`, or an array of them: what it computes, for `-Rkernels` |
    | `air.kernel_work`     | a launch | `#air.kernel_work`: what its kernel computes, for `-Rkernels` |
    | `air.symmetric`       | `memref.alloc` | unit: the buffer is in the symmetric heap; older form of `#air.symmetric_heap` |
    | `air.refeed_count`    | `air.channel`, `air.channel.put`, `air.dma_memcpy_nd`, `memref.alloc` | positive integer, which only NPUs use |
    | `air.supported_ranks` | `air.rank`     | string, indexed by the number of ranks: `1` if the program was compiled for that number, `0` otherwise |
    | `air.channel_name`    | `llvm.mlir.global` | string: the channel's name in messages; the global holds the address of its rings |
    | `air.channel_bytes`   | `llvm.mlir.global` | i64: the bytes of all rings of the channel |

    Programs of other tools have more attributes that begin with `air.`. aircc
    accepts and ignores them, but a name that differs from one of the above by
    only a letter or two is an error.
  }];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let discardableAttrs = (ins
    "::mlir::UnitAttr":$offload,
    "::mlir::UnitAttr":$merge_launches,
    "::mlir::UnitAttr":$plan_memory,
    "::mlir::Attribute":$entry_point,
    "::mlir::ArrayAttr":$size_checks,
    "::mlir::UnitAttr":$separate,
    "::mlir::UnitAttr":$donated,
    "::mlir::Attribute":$work,
    "::mlir::Attribute":$kernel_work,
    "::mlir::UnitAttr":$symmetric,
    "::mlir::IntegerAttr":$refeed_count,
    "::mlir::StringAttr":$supported_ranks,
    "::mlir::StringAttr":$channel_name,
    "::mlir::IntegerAttr":$channel_bytes
  );
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  // Canonicalization patterns create constants.
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class AIR_Type<string name, string typeMnemonic>
    : TypeDef<AIR_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def AIR_AsyncToken : AIR_Type<"AsyncToken", "async.token"> {
  let summary = "token of an asynchronous op";
  let description = [{
    Represents the completion of an asynchronous op. Tokens order ops: if an op
    depends on a token, it starts after the op that returned the token has
    completed and its writes are visible.
  }];
}

def AIR_Universe : AIR_Type<"Universe", "universe"> {
  let summary = "universe of devices";
  let description = [{
    The pool of devices that the ranks of an `air.rank` run on.
    `air.universe.alloc` creates it.
  }];
}

//===----------------------------------------------------------------------===//
// Memory spaces
//===----------------------------------------------------------------------===//

def AIR_L3 : I32EnumCase<"L3", 0>;
def AIR_L2 : I32EnumCase<"L2", 1>;
def AIR_L1 : I32EnumCase<"L1", 2>;

// A plain enum: the assembly format is the number, `memref<4xf32, 2>`.
def AIR_MemorySpace
    : I32Enum<"MemorySpace", "Levels of the memory hierarchy",
              [AIR_L3, AIR_L2, AIR_L1]> {
  let cppNamespace = "::aircc::air";
}

def AIR_SymmetricHeapAttr : AttrDef<AIR_Dialect, "SymmetricHeap"> {
  let mnemonic = "symmetric_heap";
  let summary = "The memory space of buffers that every rank can access";
  let description = [{
    The memory space of a memref in the symmetric heap. Every rank allocates the
    same buffers in the same order, so that a buffer has the same offset from
    the base of the heap on each rank. `air.translate` can therefore convert a
    pointer to a rank's own copy into a pointer to a peer's copy.

    Example:

    ```mlir
    func.func @symmetric() {
      %buf = memref.alloc() : memref<32xi32, #air.symmetric_heap>
      memref.dealloc %buf : memref<32xi32, #air.symmetric_heap>
      return
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

def AIR_SizeEqual : I32EnumCase<"Equal", 0, "equal">;
def AIR_SizeAtLeast : I32EnumCase<"AtLeast", 1, "at_least">;
def AIR_SizeBroadcast : I32EnumCase<"Broadcast", 2, "broadcast">;

def AIR_SizeRelation
    : I32Enum<"SizeRelation", "Relations that two sizes must have",
              [AIR_SizeEqual, AIR_SizeAtLeast, AIR_SizeBroadcast]> {
  let cppNamespace = "::aircc::air";
}

def AIR_SizeCheckAttr : AttrDef<AIR_Dialect, "SizeCheck"> {
  let mnemonic = "size_check";
  let summary = "A required relation between two sizes";
  let description = [{
    Describes a run-time check of two sizes, the left and the right one, so that
    a failure can be reported in the program's terms. `relation` is `equal`;
    `at_least`, if the left size must not be less than the right one; or
    `broadcast`, if they must be equal or one of them must be 1.

    A size is either a dimension of an argument, `(ARGUMENT, DIMENSION)`, or it
    is a constant or computed from several sizes, `(-1, -1)`. `requiredBy` names
    the op that requires the relation, and its location.

    Example:

    ```mlir
    func.func private @checks() attributes {
      air.size_checks = [#air.size_check<equal, (0, 1), (1, 0), "'linalg.matmul' at m.mlir:3:5">]
    }
    ```
  }];
  let parameters = (ins
    EnumParameter<AIR_SizeRelation>:$relation,
    "int64_t":$leftArgument, "int64_t":$leftDim,
    "int64_t":$rightArgument, "int64_t":$rightDim,
    "::mlir::StringAttr":$requiredBy);
  let assemblyFormat = [{
    `<` $relation `,` `(` $leftArgument `,` $leftDim `)` `,`
    `(` $rightArgument `,` $rightDim `)` `,` $requiredBy `>`
  }];
}

def AIR_EntryPointAttr : AttrDef<AIR_Dialect, "EntryPoint"> {
  let mnemonic = "entry_point";
  let summary = "The information that callers of a function need";
  let description = [{
    Marks a function that programs in other languages can call. Its C name is
    `aircc_NAME`. Its parameters have the types in `arguments`, followed by
    those in `results`. They are memrefs, or numbers passed by value; a result
    that is a number is a memref of rank 0.

    `resultSizes` names a function that computes the dynamic sizes of all
    results, in order. `sizeChecks` names a function that computes pairs of
    sizes; its attribute `air.size_checks` describes the relation of each pair.
    Both take the arguments and a memref of type index to write to.
    `sizesNeedElements` is true if `resultSizes` depends on elements of
    arguments, so that it may take as long as the function itself.

    `inPlace` names a function with the same parameters that works on device
    memory in place, whereas this function copies to and from the device. `uses`
    contains a number for each argument and result: 1 if its elements are used,
    plus 2 if host code accesses them, plus 4 if the function may overwrite the
    argument's memory. `donors` contains a number for each result: if `inPlace`
    leaves the result in the memory of such an argument and does not write to
    the result's parameter, it is the number of that argument, otherwise -1.
    `computesOnHost` is false if host code accesses no elements at all, so that
    it need not wait for kernels.

    `callerName` is the function's name in the program if that differs from its
    symbol. In NAME, each byte that is not allowed in a C identifier is replaced
    with an underscore and its two hexadecimal digits: `f_40x` for `f@x`.

    Example:

    ```mlir
    func.func private @f__size_checks(%x: memref<?xf32>, %y: memref<?xf32>, %sizes: memref<2xindex>)
    func.func private @f(%x: memref<?xf32>, %y: memref<?xf32>, %r: memref<f32>) attributes {
      air.entry_point = #air.entry_point<arguments = [memref<?xf32>, memref<?xf32>],
                                         results = [memref<f32>], sizeChecks = @f__size_checks>
    }
    ```
  }];
  let parameters = (ins
    OptionalParameter<"::mlir::ArrayAttr">:$arguments,
    OptionalParameter<"::mlir::ArrayAttr">:$results,
    OptionalParameter<"::mlir::FlatSymbolRefAttr">:$resultSizes,
    OptionalParameter<"::mlir::FlatSymbolRefAttr">:$sizeChecks,
    DefaultValuedParameter<"bool", "false">:$sizesNeedElements,
    OptionalParameter<"::mlir::FlatSymbolRefAttr">:$inPlace,
    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$uses,
    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$donors,
    DefaultValuedParameter<"bool", "true">:$computesOnHost,
    OptionalParameter<"::mlir::StringAttr">:$callerName);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

def AIR_WorkAttr : AttrDef<AIR_Dialect, "Work"> {
  let mnemonic = "work";
  let summary = "What an op of a program computes";
  let description = [{
    Describes a structured op for the kernel report (`-Rkernels`): its kind
    (`contraction`, `convolution`, `reduction`, `elementwise`, `fill`), the ops
    in its body, the element types of its operands, the sizes of its loops, the
    number of arithmetic operations, and its location. Sizes and numbers that
    depend on arguments are -1. `reason` says why matrix instructions do not
    compute a contraction or a convolution, if known.

    Example:

    ```mlir
    func.func @scale(%x: memref<?xf32>, %y: memref<?xf32>, %f: f32) {
      linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                      iterator_types = ["parallel"]}
          ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
          attrs = {air.work = #air.work<kind = "elementwise", ops = ["arith.mulf"], types = [f32, f32],
                                        sizes = [-1], operations = -1, place = loc("m.mlir":3:5)>} {
      ^bb0(%v: f32, %out: f32):
        %r = arith.mulf %v, %f : f32
        linalg.yield %r : f32
      }
      return
    }
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$kind,
    "::mlir::ArrayAttr":$ops,
    "::mlir::ArrayAttr":$types,
    "::mlir::DenseI64ArrayAttr":$sizes,
    "int64_t":$operations,
    "::mlir::LocationAttr":$place,
    OptionalParameter<"::mlir::StringAttr">:$reason);
  let assemblyFormat = "`<` struct(params) `>`";
}

def AIR_KernelWorkAttr : AttrDef<AIR_Dialect, "KernelWork"> {
  let mnemonic = "kernel_work";
  let summary = "What a kernel launch computes";
  let description = [{
    Describes a launch for the kernel report (`-Rkernels`): the number of
    workgroups along each dimension, the number of lanes in a workgroup, the
    total size in bytes of the buffers that it reads and of those that it writes
    (-1 if unknown at compile time), and the ops that it computes.

    Example:

    ```mlir
    func.func @run(%x: memref<64xf32>) {
      %c1 = arith.constant 1 : index
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
        %v = memref.load %x[%tx] : memref<64xf32>
        gpu.terminator
      } {air.kernel_work = #air.kernel_work<grid = [1, 1, 1], lanes = 1, readBytes = 256,
                                            writtenBytes = 0, works = []>}
      return
    }
    ```
  }];
  let parameters = (ins
    "::mlir::DenseI64ArrayAttr":$grid,
    "int64_t":$lanes,
    "int64_t":$readBytes,
    "int64_t":$writtenBytes,
    "::mlir::ArrayAttr":$works);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // AIRCC_DIALECTS_AIR_AIRBASE_TD
