//===- XeGPUOps.cpp - Layouts of XeGPU ops --------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/XeGPUOps.h"

#include "pipeline/layout/OpRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;

namespace aircc::layout {

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

/// Returns whether `value` holds offsets (or a mask) of more than one lane.
static bool isOfSeveral(Value value) {
  auto type = value ? dyn_cast<VectorType>(value.getType()) : VectorType();
  return type && (type.getRank() > 1 || type.getNumElements() > 1);
}

/// Returns whether `vector` is the whole tile of a descriptor, not a lane's
/// part of it.
static bool isWhole(Value vector, xegpu::TensorDescType desc) {
  auto type = dyn_cast<VectorType>(vector.getType());
  if (!type)
    return false;
  return type.getRank() > 1 ||
         (desc.getRank() == 1 && type.getShape() == desc.getShape());
}

bool isUndistributedXeGPUOp(Operation *op) {
  auto isMatrix = [&](Value value,
                      std::optional<xegpu::DistributeLayoutAttr> layout) {
    auto type = dyn_cast<VectorType>(value.getType());
    return type && (type.getRank() > 1 || layout);
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](xegpu::LoadNdOp load) {
        return isWhole(load.getValue(), load.getTensorDescType());
      })
      .Case([](xegpu::StoreNdOp store) {
        return isWhole(store.getValue(), store.getTensorDescType());
      })
      .Case([](xegpu::PrefetchNdOp prefetch) {
        return prefetch.getLayout() || prefetch.getDescLayoutAttr();
      })
      .Case([](xegpu::DpasOp dpas) {
        return dpas.getResultType().getRank() == 2;
      })
      .Case<xegpu::LoadGatherOp, xegpu::StoreScatterOp>([](auto access) {
        // A lane may hold its part of the descriptor's tile.
        xegpu::TensorDescType desc = access.getTensorDescType();
        VectorType type = access.getValueType();
        return desc ? type && type.getShape() == desc.getShape()
                    : isOfSeveral(access.getMask());
      })
      .Case([](xegpu::PrefetchOp prefetch) {
        return prefetch.getTensorDescType() ||
               isOfSeveral(prefetch.getOffsets());
      })
      .Case([&](xegpu::LoadMatrixOp load) {
        return isMatrix(load.getRes(), load.getLayout());
      })
      .Case([&](xegpu::StoreMatrixOp store) {
        return isMatrix(store.getData(), store.getLayout());
      })
      .Case<xegpu::AtomicRMWOp, xegpu::ConvertLayoutOp>(
          [](auto) { return true; })
      .Default([](Operation *) { return false; });
}

//===----------------------------------------------------------------------===//
// Anchors
//===----------------------------------------------------------------------===//

SmallVector<XeGPUAnchor> getXeGPUAnchors(Operation *op) {
  auto of = [](StringRef name, Value value) {
    return SmallVector<XeGPUAnchor>{{name, value, shapeOf(value)}};
  };
  return llvm::TypeSwitch<Operation *, SmallVector<XeGPUAnchor>>(op)
      .Case([&](xegpu::DpasOp dpas) {
        auto anchors = of("layout_a", dpas.getLhs());
        llvm::append_range(anchors, of("layout_b", dpas.getRhs()));
        llvm::append_range(anchors, of("layout_cd", dpas.getResult()));
        return anchors;
      })
      .Case([](xegpu::PrefetchNdOp prefetch) {
        SmallVector<int64_t> shape(prefetch.getTensorDescType().getShape());
        return SmallVector<XeGPUAnchor>{{"layout", Value(), shape}};
      })
      .Case([&](xegpu::PrefetchOp prefetch) {
        return prefetch.getOffsets() ? of("layout", prefetch.getOffsets())
                                     : SmallVector<XeGPUAnchor>();
      })
      .Case<xegpu::StoreNdOp, xegpu::StoreScatterOp>(
          [&](auto store) { return of("layout", store.getValue()); })
      .Case([&](xegpu::StoreMatrixOp store) {
        return of("layout", store.getData());
      })
      .Case<xegpu::LoadNdOp, xegpu::LoadGatherOp, xegpu::LoadMatrixOp,
            xegpu::AtomicRMWOp>(
          [&](auto load) { return of("layout", load->getResult(0)); })
      .Case([&](xegpu::ConvertLayoutOp convert) {
        return of("target_layout", convert.getResult());
      })
      .Default([](Operation *) { return SmallVector<XeGPUAnchor>(); });
}

static XeGPUParams toParams(xegpu::LayoutAttr layout) {
  auto ints = [](DenseI32ArrayAttr list) {
    return list ? Ints(list.asArrayRef().begin(), list.asArrayRef().end())
                : Ints();
  };
  return {ints(layout.getSgLayout()), ints(layout.getSgData()),
          ints(layout.getInstData()), ints(layout.getLaneLayout()),
          ints(layout.getLaneData()), ints(layout.getOrder())};
}

Result<PartialLayout> getPartialLayout(xegpu::DistributeLayoutAttr layout,
                                       ArrayRef<int64_t> shape) {
  auto ofShape = [&](ArrayRef<int64_t> shape) -> Result<PartialLayout> {
    if (auto slice = dyn_cast<xegpu::SliceAttr>(layout)) {
      slice = slice.flatten();
      return PartialLayout::getSlice(
          toParams(cast<xegpu::LayoutAttr>(slice.getParent())),
          slice.getDims().asArrayRef(), shape);
    }
    return PartialLayout::get(toParams(cast<xegpu::LayoutAttr>(layout)), shape);
  };
  if (layout.getRank() + 1 != static_cast<int64_t>(shape.size()))
    return ofShape(shape);
  Result<PartialLayout> partial = ofShape(shape.drop_front());
  if (partial)
    partial->prependDim(shape.front());
  return partial;
}

FailureOr<std::optional<PartialLayout>>
getPartialLayout(Operation *op, const XeGPUAnchor &anchor) {
  xegpu::DistributeLayoutAttr layout = anchor.getLayout(op);
  if (!layout)
    return std::optional<PartialLayout>();
  // A scattered prefetch has only offsets, and its layout may include the
  // dimension of the chunk at each of them.
  int64_t rank = static_cast<int64_t>(anchor.shape.size());
  if (isa<xegpu::PrefetchOp>(op) && layout.getRank() == rank + 1)
    layout =
        xegpu::SliceAttr::get(op->getContext(), layout,
                              DenseI64ArrayAttr::get(op->getContext(), {rank}));
  Result<PartialLayout> partial = getPartialLayout(layout, anchor.shape);
  if (partial)
    return std::optional<PartialLayout>(*partial);
  return op->emitOpError("has a ")
         << anchor.name << " that its vector of shape "
         << shapeText(anchor.shape) << " cannot have: " << partial.message();
}

xegpu::LayoutAttr getXeGPULayout(MLIRContext *context,
                                 const NestedLayout &layout,
                                 const Workgroup &workgroup) {
  auto params = toXeGPU(layout, workgroup.waves > 1 ? workgroup.waves : 0,
                        workgroup.lanes);
  if (!params)
    return {};
  auto list = [&](const Ints &ints) -> DenseI32ArrayAttr {
    if (ints.empty())
      return {};
    return DenseI32ArrayAttr::get(
        context, SmallVector<int32_t>(ints.begin(), ints.end()));
  };
  return xegpu::LayoutAttr::get(context, list(params->sgLayout),
                                list(params->sgData), list(params->instData),
                                list(params->laneLayout),
                                list(params->laneData), list(params->order));
}

//===----------------------------------------------------------------------===//
// Blocks of memory
//===----------------------------------------------------------------------===//

NestedLayout getBlockLayout(ArrayRef<int64_t> shape, unsigned elementBits,
                            const Workgroup &workgroup) {
  std::vector<DimTiles> dims(shape.size());
  SmallVector<int64_t> left(shape);
  // Place lanes along the last dimension, and along others if that is short.
  int64_t lanes = workgroup.lanes, stride = 1;
  for (int64_t i = static_cast<int64_t>(shape.size()) - 1; i >= 0; --i) {
    DimTiles &dim = dims[i];
    if (elementBits == 8 && stride == 1 && left[i] % (2 * lanes) == 0)
      dim.element = 2;
    dim.thread = std::gcd(left[i] / dim.element, lanes);
    dim.threadStride = stride;
    stride *= dim.thread;
    lanes /= dim.thread;
    left[i] /= dim.thread * dim.element;
  }
  // Distribute waves; the first dimension has the highest part of the id.
  SmallVector<int64_t> waves(shape.size(), 1);
  int64_t open = workgroup.waves;
  for (size_t i = 0; i < shape.size(); ++i) {
    waves[i] = std::gcd(left[i], open);
    open /= waves[i];
  }
  stride = 1;
  for (int64_t i = static_cast<int64_t>(shape.size()) - 1; i >= 0; --i) {
    dims[i].subgroup = waves[i];
    dims[i].subgroupStride = stride;
    dims[i].batch = left[i] / waves[i];
    stride *= waves[i];
  }
  // Tiles that are gcds divide the sizes, and strides follow from them.
  return *NestedLayout::ofDims(std::move(dims));
}

/// The number of rows of a block that a load packs into four-byte words.
static constexpr int64_t kPackedRows = 32;

BlockFit getBlockFit(NestedLayoutAttr layout, unsigned elementBits,
                     const Workgroup &workgroup, bool isLoad) {
  if (!workgroup.blockIO || layout.getRank() < 2)
    return BlockFit::None;
  NestedLayout map = layout.getLayout();
  int64_t last = map.rank() - 1;
  auto areAlong = [&](int64_t i) {
    const DimTiles &dim = map.dim(i);
    return dim.thread == workgroup.lanes && dim.threadStride == 1;
  };
  for (int64_t i = 0; i + 1 < last; ++i)
    if (map.dim(i).thread != 1)
      return BlockFit::None;
  int64_t run = map.dim(last).element;
  bool isPacked = isLoad && elementBits == 8 && run == 1 &&
                  map.dim(last - 1).element % kPackedRows == 0;
  if (areAlong(last) && map.dim(last - 1).thread == 1 &&
      (isPacked || run == (elementBits == 8 ? 2 : 1)) && elementBits <= 32)
    return BlockFit::Rows;
  if (areAlong(last - 1) && map.dim(last).thread == 1 &&
      map.dim(last - 1).element == 1 && run * elementBits % 32 == 0 &&
      elementBits <= 32)
    return BlockFit::Transposed;
  return BlockFit::None;
}

double getBlockCost(Layout layout, unsigned elementBits, BlockFit fit) {
  // A message transfers up to 32 rows or, if transposed, 8 words per lane.
  double registers = countValues(layout) * elementBits / 32.0;
  return fit == BlockFit::Rows ? 8 * std::max(1.0, registers / 16)
                               : 8 * std::max(1.0, registers / 8);
}

} // namespace aircc::layout
