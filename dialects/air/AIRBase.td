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
    The `air` dialect describes a program as a hierarchy of parallel spaces and
    the movement of data between the memories that belong to them.

    | op            | one point of its space is   | memory       | memory space |
    | ------------- | --------------------------- | ------------ | ------------ |
    | `air.rank`    | a process with its device   | remote heaps | `#air.symmetric_heap` |
    | `air.launch`  | a point of a grid           | L3 (global)  | 0            |
    | `air.segment` | a workgroup                 | L2 (shared)  | 1            |
    | `air.herd`    | a processing element, a PE  | L1 (private) | 2            |

    Each of these ops is isolated from above: values enter through `args(...)`.
    Data moves by `air.dma_memcpy_nd`, where one op specifies both ends, or by
    channels, where `air.channel.put` and `air.channel.get` specify one end each.

    Every op that does work can be `async`: it then yields an
    `!air.async.token` and does not block the ops that follow. An op with
    dependencies starts after all of them are done; without `async` the program
    also waits for it at that point.

    The assembly format is that of mlir-air's AIR dialect: each of the two
    projects can read programs that the other prints.

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
    | `air.refeed_count`    | `air.channel`  | positive integer, which only NPUs use |
    | `air.supported_ranks` | `air.rank`     | string, indexed by the number of ranks: `1` if the program was compiled for that number, `0` otherwise |
    | `air.channel_name`    | `llvm.mlir.global` | string: the channel's name in messages; the global holds the address of its rings |
    | `air.channel_bytes`   | `llvm.mlir.global` | i64: the bytes of all rings of the channel |

    Programs of other tools have more attributes that begin with `air.`. They
    are accepted and ignored, but a name that differs from one of these in only
    a letter or two is an error.
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
    Represents the completion of one asynchronous op. Tokens order ops: an op
    that has a token as a dependency starts after the op that yielded the token
    has completed and its writes are visible.
  }];
}

def AIR_Universe : AIR_Type<"Universe", "universe"> {
  let summary = "universe of devices";
  let description = [{
    The pool of devices that the ranks of an `air.rank` run on. Created by
    `air.universe.alloc`.
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
    the base of the heap on each rank, and `air.translate` can convert a pointer
    to its copy on one rank into a pointer to the copy of a peer.

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
  let summary = "A relation that two sizes must have";
  let description = [{
    Describes a run-time check of two sizes, the left and the right one, so that
    a failure can be reported in the program's terms. `relation` is `equal`;
    `at_least`: the left one is not less than the right one; or `broadcast`:
    they are equal, or one of them is 1.

    A size is a dimension of an argument, `(ARGUMENT, DIMENSION)`; or it is
    computed from several, or is a constant: `(-1, -1)`. `requiredBy` names the
    op that requires the relation, and where it is.

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
  let summary = "What callers of a function have to know";
  let description = [{
    Marks a function that programs in other languages call, as `aircc_NAME` in C.
    Its parameters are those of `arguments` and then of `results`: memrefs, or
    numbers by value; a result that is a number is a memref of rank 0.

    `resultSizes` is a function that computes the dynamic sizes of all results,
    in order. `sizeChecks` is one that computes pairs of sizes; its attribute
    `air.size_checks` describes the relation of each pair. Both take the arguments and a memref of type index to write to.
    `sizesNeedElements` is true if `resultSizes` depends on elements of arguments,
    so that it may take as long as the function itself.

    `inPlace` is a function with the same parameters that works on device memory
    directly, where this function copies to and from the device. `uses` has a number for each argument and
    result: 1 if its elements are used, plus 2 if code of the host accesses them,
    plus 4 if it is an argument whose memory the function may overwrite. `donors`
    has for each result the number of such an argument if `inPlace` leaves the result
    in the argument's memory and does not write to the parameter for the result, else -1.
    `computesOnHost` is false if code of the host accesses no elements at all, so
    that it need not wait for kernels.

    `callerName` is the function's name in the program if that is not its symbol.
    In NAME, a byte that names in C do not have is an underscore and its two
    hexadecimal digits: `f_40x` for `f@x`.

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
    Describes a structured op for the report of kernels (`-Rkernels`): its kind
    (`contraction`, `convolution`, `reduction`, `elementwise`, `fill`), the ops of
    its body, the element types of its operands, the sizes of its loops, the
    number of arithmetic operations (-1 for a size or number that depends on
    arguments), and where it is. `reason` says why a contraction or a convolution
    is not computed by matrix instructions, if that is known.

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
  let summary = "What a launch of a kernel computes";
  let description = [{
    Describes a launch for the report of kernels (`-Rkernels`): the workgroups along
    each dimension, the lanes of a workgroup, the bytes of the buffers that it
    reads and of those that it writes (-1 for a number that is not known when the
    program is compiled), and the ops that it computes.

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
