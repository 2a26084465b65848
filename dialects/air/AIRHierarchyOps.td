//===- AIRHierarchyOps.td - launch, segment, herd ----------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_AIR_AIRHIERARCHYOPS_TD
#define AIRCC_DIALECTS_AIR_AIRHIERARCHYOPS_TD

include "dialects/air/AIRBase.td"
include "dialects/air/AIRInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class AIR_Op<string mnemonic, list<Trait> traits = []>
    : Op<AIR_Dialect, mnemonic, traits>;

// The common properties of the four levels of the hierarchy. Each op sets
// `arguments`: the name, the dependencies, the sizes, the kernel operands and
// its own arguments.
class AIR_HierarchyOp<string mnemonic, string terminator,
                      list<Trait> traits = []>
    : AIR_Op<mnemonic,
             traits # [AffineScope, AttrSizedOperandSegments,
                       AutomaticAllocationScope, IsolatedFromAbove,
                       AIR_AsyncOpInterface, AIR_HierarchyInterface,
                       DeclareOpInterfaceMethods<
                           RegionBranchOpInterface,
                           ["getEntrySuccessorOperands"]>,
                       SingleBlockImplicitTerminator<terminator>]> {
  let results = (outs Optional<AIR_AsyncToken>:$async_token);
  let regions = (region SizedRegion<1>:$region);
  let skipDefaultBuilders = 1;
  let builders = [
    // An op without name; its body has the block arguments and the terminator.
    OpBuilder<(ins "::mlir::ValueRange":$dependencies,
                   "::mlir::ValueRange":$sizes,
                   "::mlir::ValueRange":$kernelOperands,
                   CArg<"bool", "false">:$isAsync,
                   CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attrs)>,
    OpBuilder<(ins "::mlir::ValueRange":$sizes,
                   "::mlir::ValueRange":$kernelOperands), [{
      build($_builder, $_state, /*dependencies=*/{}, sizes, kernelOperands);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizeMethod = 1;
}

class AIR_HierarchyTerminatorOp<string parent>
    : AIR_Op<parent # "_terminator",
             [HasParent<!cond(!eq(parent, "rank") : "RankOp",
                              !eq(parent, "launch") : "LaunchOp",
                              !eq(parent, "segment") : "SegmentOp",
                              !eq(parent, "herd") : "HerdOp")>,
              Pure, ReturnLike, Terminator]> {
  let summary = "Ends the body of `air." # parent # "`";
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// air.launch
//===----------------------------------------------------------------------===//

def AIR_LaunchOp : AIR_HierarchyOp<"launch", "LaunchTerminatorOp"> {
  let summary = "Run a body for each point of a grid";
  let description = [{
    Executes its body once for each point of a space with any number of
    dimensions (on a GPU, the grid, with one to three). The segments and L3
    buffers that the points need together exist when the launch begins. The
    points are independent of each other and execute in any order.

    The space may be empty: `air.launch () in ()` has a single point. Commas
    between the `%size=%value` pairs may be omitted, `args()` may be empty, and
    an op with a name may omit its region. The name is either the first operand
    (`@name`) or in the attribute dictionary (`sym_name`).

    Example:

    ```mlir
    func.func @copy(%src: memref<64x64xf32>, %dst: memref<64x64xf32>) {
      %c4 = arith.constant 4 : index
      %t = air.launch @copy async (%x, %y) in (%sx=%c4, %sy=%c4)
          args(%s=%src, %d=%dst) : memref<64x64xf32>, memref<64x64xf32> {
        air.segment @tile args(%i=%x, %j=%y, %from=%s, %to=%d)
            : index, index, memref<64x64xf32>, memref<64x64xf32> {
          %c16 = arith.constant 16 : index
          %row = arith.muli %i, %c16 : index
          %col = arith.muli %j, %c16 : index
          %l2 = memref.alloc() : memref<16x16xf32, 1>
          air.dma_memcpy_nd (%l2[] [] [], %from[%row, %col] [16, 16] [64, 1])
              : (memref<16x16xf32, 1>, memref<64x64xf32>)
          air.dma_memcpy_nd (%to[%row, %col] [16, 16] [64, 1], %l2[] [] [])
              : (memref<64x64xf32>, memref<16x16xf32, 1>)
          memref.dealloc %l2 : memref<16x16xf32, 1>
        }
      }
      air.wait_all [%t]
      return
    }
    ```

    Errors: a body whose block arguments are not the ids, the sizes (all of type
    `index`) and the kernel operands in this order; an op that has neither a
    name nor a body.
  }];
  let arguments = (ins
    OptionalAttr<SymbolNameAttr>:$sym_name,
    Variadic<AIR_AsyncToken>:$async_dependencies,
    Variadic<Index>:$size_operands,
    Variadic<AnyType>:$kernel_operands);
}

def AIR_LaunchTerminatorOp : AIR_HierarchyTerminatorOp<"launch"> {
  let description = [{
    Takes no operands. It may be omitted.

    Example:

    ```mlir
    air.launch () in () {
      air.launch_terminator
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// air.segment
//===----------------------------------------------------------------------===//

def AIR_SegmentOp : AIR_HierarchyOp<"segment", "SegmentTerminatorOp"> {
  let summary = "A workgroup: herds, L2 buffers, and transfers between them";
  let description = [{
    Represents a set of resources that are close to each other (on a GPU, a
    workgroup with its shared memory) and the program that uses them: L2
    buffers, herds, and transfers. Code in a segment outside of herds executes
    once.

    With `unroll`, the segment has a space, and there is an instance of the
    segment, with its own resources, for each point. Without it, there is a
    single instance.

    Example:

    ```mlir
    func.func @double(%data: memref<2x64xf32>) {
      %c2 = arith.constant 2 : index
      air.segment @half unroll (%i) in (%n=%c2) args(%d=%data) : memref<2x64xf32> {
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %l2 = memref.alloc() : memref<64xf32, 1>
        air.dma_memcpy_nd (%l2[] [] [], %d[%i, 0] [1, 64] [64, 1])
            : (memref<64xf32, 1>, memref<2x64xf32>)
        air.herd @add tile (%x, %y) in (%sx=%c4, %sy=%c1)
            args(%b=%l2) : memref<64xf32, 1> {
          %c0 = arith.constant 0 : index
          %c16 = arith.constant 16 : index
          %step = arith.constant 1 : index
          %first = arith.muli %x, %c16 : index
          scf.for %k = %c0 to %c16 step %step {
            %at = arith.addi %first, %k : index
            %v = memref.load %b[%at] : memref<64xf32, 1>
            %w = arith.addf %v, %v : f32
            memref.store %w, %b[%at] : memref<64xf32, 1>
          }
        }
        air.dma_memcpy_nd (%d[%i, 0] [1, 64] [64, 1], %l2[] [] [])
            : (memref<2x64xf32>, memref<64xf32, 1>)
        memref.dealloc %l2 : memref<64xf32, 1>
      }
      return
    }
    ```

    Errors: as for `air.launch`.
  }];
  let arguments = (ins
    OptionalAttr<SymbolNameAttr>:$sym_name,
    Variadic<AIR_AsyncToken>:$async_dependencies,
    Variadic<Index>:$size_operands,
    Variadic<AnyType>:$kernel_operands);
}

def AIR_SegmentTerminatorOp : AIR_HierarchyTerminatorOp<"segment"> {
  let description = [{
    Takes no operands. It may be omitted.

    Example:

    ```mlir
    air.segment @empty {
      air.segment_terminator
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// air.herd
//===----------------------------------------------------------------------===//

def AIR_HerdOp : AIR_HierarchyOp<"herd", "HerdTerminatorOp"> {
  let summary = "An array of processing elements that execute one body";
  let description = [{
    Executes its body on each processing element (PE) of an array, on all of
    them at the same time. A PE owns L1 memory. On a GPU, a PE is a wave. If the
    body refers to lanes (`gpu.lane_id`, `gpu.thread_id`, ...), each lane
    executes it; otherwise, the wave executes it as a whole.

    `link_with` names an object file with functions that the body calls; only
    NPUs use it.

    Example:

    ```mlir
    func.func @fill(%v: f32) {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %t0 = air.wait_all async
      %t1 = air.herd @fill async [%t0] tile (%x, %y) in (%sx=%c4, %sy=%c1)
          args(%value=%v) : f32 attributes {link_with = "fill.o"} {
        %c0 = arith.constant 0 : index
        %l1 = memref.alloc() : memref<1xf32, 2>
        memref.store %value, %l1[%c0] : memref<1xf32, 2>
        memref.dealloc %l1 : memref<1xf32, 2>
      }
      air.wait_all [%t1]
      return
    }
    ```

    Errors: as for `air.launch`.
  }];
  let arguments = (ins
    OptionalAttr<SymbolNameAttr>:$sym_name,
    OptionalAttr<StrAttr>:$link_with,
    Variadic<AIR_AsyncToken>:$async_dependencies,
    Variadic<Index>:$size_operands,
    Variadic<AnyType>:$kernel_operands);
}

def AIR_HerdTerminatorOp : AIR_HierarchyTerminatorOp<"herd"> {
  let description = [{
    Takes no operands. It may be omitted.

    Example:

    ```mlir
    func.func @empty(%n: index) {
      air.herd tile (%x) in (%sx=%n) {
        air.herd_terminator
      }
      return
    }
    ```
  }];
}

#endif // AIRCC_DIALECTS_AIR_AIRHIERARCHYOPS_TD
