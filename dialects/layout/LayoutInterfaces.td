//===- LayoutInterfaces.td - What a layout can be asked ----*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_LAYOUT_LAYOUTINTERFACES_TD
#define AIRCC_DIALECTS_LAYOUT_LAYOUTINTERFACES_TD

include "mlir/IR/OpBase.td"

def Layout_VectorLayoutInterface : AttrInterface<"VectorLayoutInterface"> {
  let cppNamespace = "::aircc::layout";
  let description = [{
    A layout of whole vectors of one shape: a map from (wave, lane, register) to
    elements. What propagation asks of it is here, so that other kinds of layout
    can stand beside `#layout.nested`.

    Each method that makes a layout is the counterpart of an op on vectors: if
    the operand has this layout and every lane applies the op to its own share,
    the result has the layout that the method returns. They return null where no
    layout of this kind is that map.
  }];
  let methods = [
    InterfaceMethod<"The shape of the whole vector.",
      "::llvm::SmallVector<int64_t>", "getUndistributedShape">,
    InterfaceMethod<"The shape of a lane's share; of the same rank.",
      "::llvm::SmallVector<int64_t>", "getDistributedShape">,
    InterfaceMethod<"Whether different waves hold different elements.",
      "bool", "isSpreadOverWaves">,
    InterfaceMethod<"Whether all lanes of all waves hold all elements.",
      "bool", "isReplicated">,
    InterfaceMethod<[{
      Why a workgroup of `numWaves` waves of `numLanes` lanes cannot hold such a
      vector; empty where it can.
    }], "::std::string", "getMisfit",
      (ins "int64_t":$numWaves, "int64_t":$numLanes)>,
    InterfaceMethod<[{
      How far values travel to get from this layout to `target`, and how many
      registers a lane holds before and after. Nothing if it cannot be done: the
      shapes differ, the kinds do, or the workgroup cannot hold them.
    }], "::std::optional<::aircc::layout::ConversionCost>", "getConversion",
      (ins "::aircc::layout::VectorLayoutInterface":$target,
           "int64_t":$numWaves, "int64_t":$numLanes)>,
    InterfaceMethod<[{
      `vector.transpose`: dimension i of the result is dimension permutation[i].
    }], "::aircc::layout::VectorLayoutInterface", "permute",
      (ins "::llvm::ArrayRef<int64_t>":$permutation)>,
    InterfaceMethod<[{
      Without the dimensions `dims`, in any order. Lanes that differ in these
      alone hold copies.
    }], "::aircc::layout::VectorLayoutInterface", "project",
      (ins "::llvm::ArrayRef<int64_t>":$dims)>,
    InterfaceMethod<[{
      A layout of shape `shape` that without the dimensions `dims` is this one.
      Lanes that hold copies take parts of the new dimensions.
    }], "::aircc::layout::VectorLayoutInterface", "unproject",
      (ins "::llvm::ArrayRef<int64_t>":$shape,
           "::llvm::ArrayRef<int64_t>":$dims, "int64_t":$numLanes)>,
    InterfaceMethod<[{
      `vector.broadcast` to `shape`: each lane holds all of every new or
      stretched dimension.
    }], "::aircc::layout::VectorLayoutInterface", "broadcast",
      (ins "::llvm::ArrayRef<int64_t>":$shape)>,
    InterfaceMethod<[{
      The layout that a source of shape `sourceShape` must have for its
      `vector.broadcast` to have this one.
    }], "::aircc::layout::VectorLayoutInterface", "broadcastSource",
      (ins "::llvm::ArrayRef<int64_t>":$sourceShape)>,
    InterfaceMethod<"`vector.shape_cast` to `shape`.",
      "::aircc::layout::VectorLayoutInterface", "reshape",
      (ins "::llvm::ArrayRef<int64_t>":$shape)>,
    InterfaceMethod<[{
      A slice of `sizes` elements from `offsets` on, with unit strides
      (`vector.extract_strided_slice`, and the source of
      `vector.insert_strided_slice` into this): each lane takes a part of its
      own registers, the same in all lanes. Dimensions that are cut must not be
      spread over waves, unless whole rounds of these are cut, and where they
      are spread over lanes, whole turns of the lanes are cut.
    }], "::aircc::layout::VectorLayoutInterface", "slice",
      (ins "::llvm::ArrayRef<int64_t>":$offsets,
           "::llvm::ArrayRef<int64_t>":$sizes)>,
    InterfaceMethod<[{
      A layout of the larger vector of shape `shape` whose slice at any multiple
      of its own sizes is this one.
    }], "::aircc::layout::VectorLayoutInterface", "extend",
      (ins "::llvm::ArrayRef<int64_t>":$shape)>
  ];
}

#endif // AIRCC_DIALECTS_LAYOUT_LAYOUTINTERFACES_TD
