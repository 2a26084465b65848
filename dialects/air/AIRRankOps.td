//===- AIRRankOps.td - Ranks, peers and chiplets -----------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_AIR_AIRRANKOPS_TD
#define AIRCC_DIALECTS_AIR_AIRRANKOPS_TD

include "dialects/air/AIRHierarchyOps.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

//===----------------------------------------------------------------------===//
// air.universe.alloc, air.rank
//===----------------------------------------------------------------------===//

def AIR_UniverseAllocOp : AIR_Op<"universe.alloc"> {
  let summary = "Create a pool of devices";
  let description = [{
    Creates a pool of `capacity` devices, from which an `air.rank` takes the
    devices of its ranks. Two such ops always create two separate pools.

    Example:

    ```mlir
    %c4 = arith.constant 4 : index
    %u = air.universe.alloc(%c4)
    air.rank universe(%u) (%r) in (%n=%c4) {
    }
    ```

    Errors: a constant capacity below 1.
  }];
  let arguments = (ins Index:$capacity);
  let results = (outs Res<AIR_Universe, "the pool", [MemAlloc]>:$universe);
  let assemblyFormat = "`(` $capacity `)` attr-dict";
  let hasVerifier = 1;
}

def AIR_RankOp : AIR_HierarchyOp<"rank", "RankTerminatorOp"> {
  let summary = "Execute a body in a set of communicating processes";
  let description = [{
    The outermost level of the hierarchy: each point of its space is a process
    with its own device. Every process whose rank is in the space executes the
    body. `universe` limits the pool of devices that the ranks may use.

    Example:

    ```mlir
    func.func @main() {
      %c2 = arith.constant 2 : index
      %u = air.universe.alloc(%c2)
      %t = air.rank @pair async universe(%u) (%r) in (%n=%c2) {
        %buf = memref.alloc() : memref<32xi32, #air.symmetric_heap>
        memref.dealloc %buf : memref<32xi32, #air.symmetric_heap>
      }
      air.wait_all [%t]
      return
    }
    ```

    Errors: as for `air.launch`; an `air.rank` inside of another `air.rank`. An
    `air.rank` inside of `air.launch`, `air.segment` or `air.herd` is an error
    when it is compiled.
  }];
  let arguments = (ins
    OptionalAttr<SymbolNameAttr>:$sym_name,
    Variadic<AIR_AsyncToken>:$async_dependencies,
    Optional<AIR_Universe>:$universe,
    Variadic<Index>:$size_operands,
    Variadic<AnyType>:$kernel_operands);
  let builders = [
    OpBuilder<(ins "::mlir::ValueRange":$dependencies,
                   "::mlir::Value":$universe,
                   "::mlir::ValueRange":$sizes,
                   "::mlir::ValueRange":$kernelOperands,
                   CArg<"bool", "false">:$isAsync)>,
    OpBuilder<(ins "::mlir::ValueRange":$sizes,
                   "::mlir::ValueRange":$kernelOperands), [{
      build($_builder, $_state, /*dependencies=*/{}, /*universe=*/::mlir::Value(),
            sizes, kernelOperands);
    }]>
  ];
  let hasVerifier = 1;
}

def AIR_RankTerminatorOp : AIR_HierarchyTerminatorOp<"rank"> {
  let description = [{
    Takes no operands. It may be omitted.

    Example:

    ```mlir
    %c2 = arith.constant 2 : index
    air.rank (%r) in (%n=%c2) {
      air.rank_terminator
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// air.translate
//===----------------------------------------------------------------------===//

def AIR_TranslateOp
    : AIR_Op<"translate", [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = "Return a peer's copy of a buffer in the symmetric heap";
  let description = [{
    Returns a memref in the heap of rank `to_rank`, at the offset that `source`
    has in the heap of rank `from_rank`:

        result = heap_bases[to_rank] + (source - heap_bases[from_rank])

    `heap_bases` contains the base address of each rank's heap as an integer,
    indexed by rank. The result has the offset, sizes and strides of `source`,
    so any layout is legal. The op does not transfer data. It may be used on the
    host and in kernels.

    It folds to `source` if both ranks are the same value or the same constant.
    A translation of a translation becomes one translation if both use the same
    bases.

    Example:

    ```mlir
    func.func @peer(%own: memref<32xi32, #air.symmetric_heap>, %me: index,
                    %bases: memref<?xindex>) {
      %c1 = arith.constant 1 : index
      %peer = air.translate %own, %me, %c1, %bases
          : memref<32xi32, #air.symmetric_heap>, memref<?xindex>
      return
    }
    ```

    Errors: bases that are not a one-dimensional memref of `index`; a negative
    constant rank.
  }];
  let arguments = (ins
    AnyMemRef:$source,
    Index:$from_rank,
    Index:$to_rank,
    MemRefRankOf<[Index], [1]>:$heap_bases);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = [{
    $source `,` $from_rank `,` $to_rank `,` $heap_bases attr-dict
    `:` type($source) `,` type($heap_bases)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

//===----------------------------------------------------------------------===//
// Chiplets
//===----------------------------------------------------------------------===//

def AIR_ChipletIdOp : AIR_Op<"chiplet_id", [Pure]> {
  let summary = "Return the chiplet that executes the workgroup";
  let description = [{
    Returns the number of the die (on AMD GPUs, the XCD) that executes this
    workgroup, counted from 0. On a device with one die, it returns 0.

    Example:

    ```mlir
    air.segment @gang {
      %die = air.chiplet_id
    }
    ```
  }];
  let results = (outs Index:$id);
  let assemblyFormat = "attr-dict";
}

// These two ops require that all workgroups of the grid execute them. They have
// no effect on memory, but may not be moved into or out of a condition.
def AIR_ChipletBlockIdOp : AIR_Op<"chiplet_block_id", [NoMemoryEffect]> {
  let summary = "Return the index of the workgroup among those on its chiplet";
  let description = [{
    Numbers the workgroups of the grid that execute on the same die, from 0, in
    the order of their block ids. Every workgroup of the grid must execute this
    op.

    Example:

    ```mlir
    air.segment @gang {
      %worker = air.chiplet_block_id
      %workers = air.chiplet_dim_blocks
    }
    ```
  }];
  let results = (outs Index:$id);
  let assemblyFormat = "attr-dict";
}

def AIR_ChipletDimBlocksOp : AIR_Op<"chiplet_dim_blocks", [NoMemoryEffect]> {
  let summary = "Return the number of workgroups on this chiplet";
  let description = [{
    Returns the number of workgroups of the grid that execute on the same die as
    this one. Every workgroup of the grid must execute this op.

    Example:

    ```mlir
    air.segment @gang {
      %workers = air.chiplet_dim_blocks
    }
    ```
  }];
  let results = (outs Index:$count);
  let assemblyFormat = "attr-dict";
}

#endif // AIRCC_DIALECTS_AIR_AIRRANKOPS_TD
