//===- MemoryRules.cpp - Layouts of transfers, gathers and the like -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/OpRules.h"

#include "dialects/layout/LayoutOps.h"
#include "pipeline/layout/XeGPUOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace aircc::layout {

namespace {

/// How the vector of an op is stored in memory.
struct Access {
  Type memory;     ///< A memref.
  VectorType type; ///< Of the vector.
  /// For each dimension of the vector, the dimension of the memory, or nullopt
  /// if the same elements are repeated.
  SmallVector<std::optional<unsigned>> dims;
  bool isLoad = false;
};

std::optional<Access> getAccess(Operation *op) {
  bool isLoad = op->getNumResults() > 0;
  auto trailing = [&](Type memory, VectorType type) {
    Access access{memory, type, {}, isLoad};
    auto memref = dyn_cast<MemRefType>(memory);
    int64_t leading = memref ? memref.getRank() - type.getRank() : 0;
    for (int64_t d = 0; d < type.getRank(); ++d)
      access.dims.push_back(leading + d >= 0
                                ? std::optional<unsigned>(leading + d)
                                : std::nullopt);
    return access;
  };
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op)) {
    Access access{
        transfer.getShapedType(), transfer.getVectorType(), {}, isLoad};
    for (AffineExpr expr : transfer.getPermutationMap().getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      access.dims.push_back(dim ? std::optional<unsigned>(dim.getPosition())
                                : std::nullopt);
    }
    return access;
  }
  return llvm::TypeSwitch<Operation *, std::optional<Access>>(op)
      .Case<vector::LoadOp, vector::MaskedLoadOp>([&](auto load) {
        return trailing(load.getBase().getType(), load.getVectorType());
      })
      .Case<vector::StoreOp, vector::MaskedStoreOp>([&](auto store) {
        return trailing(store.getBase().getType(), store.getVectorType());
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Returns whether consecutive elements of the last dimension of the memory are
/// adjacent.
bool hasUnitStride(Type memory) {
  auto memref = dyn_cast<MemRefType>(memory);
  return memref && memref.getRank() > 0 && memref.isLastDimUnitStride();
}

/// Returns the dimensions of the vector in the order of those of the memory,
/// starting with the last one; dimensions that the memory does not have are
/// last.
SmallVector<int64_t> getMemoryOrder(const Access &access) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, access.dims.size()));
  auto place = [&](int64_t dim) {
    return access.dims[dim].value_or(0) + access.dims[dim].has_value();
  };
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return std::pair(-place(a), a) < std::pair(-place(b), b);
  });
  return order;
}

/// Returns whether the vector consists of blocks of rows, that is, whether its
/// dimensions are the last ones of the memory, in order, and there are at least
/// two.
bool isOfRows(const Access &access) {
  auto memref = dyn_cast<MemRefType>(access.memory);
  int64_t rank = access.dims.size();
  if (rank < 2 || !hasUnitStride(access.memory) ||
      gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(memref))
    return false;
  for (int64_t i = 0; i < rank; ++i)
    if (access.dims[i] != memref.getRank() - rank + i)
      return false;
  return true;
}

/// Returns the cost in cycles of the accesses of a lane, which depends on their
/// number and on how much of each cache line they use.
double getAccessCost(const Access &access, Layout layout,
                     const Workgroup &workgroup) {
  unsigned bits = getElementBits(access.type);
  if (isOfRows(access))
    if (BlockFit fit = getBlockFit(layout, bits, workgroup, access.isLoad);
        fit != BlockFit::None)
      return getBlockCost(layout, bits, fit);
  int64_t values = countValues(layout);
  int64_t contiguous = 1, side = 1;
  SmallVector<int64_t> order = getMemoryOrder(access);
  unsigned last = 0;
  if (auto memref = dyn_cast<MemRefType>(access.memory))
    last = memref.getRank() - 1;
  if (!order.empty() && access.dims[order[0]] == last &&
      hasUnitStride(access.memory)) {
    contiguous = layout.getElementTile()[order[0]];
    side = layout.getThreadTile()[order[0]];
  }
  int64_t together = std::max<int64_t>(
      1, std::min<int64_t>(contiguous, 128 / std::max(1u, bits)));
  double accesses = static_cast<double>(values) / together;
  auto memref = dyn_cast<MemRefType>(access.memory);
  if (memref && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(memref))
    return 4 * accesses * std::max(1.0, together * bits / 32.0 / 2);
  // A cache line has 64 bytes.
  double bytes = std::max(1.0, contiguous * side * bits / 8.0);
  return 8 * accesses * std::clamp(64 / bytes, 1.0, 16.0);
}

/// The key is the layout of the vector.
class TransferRule : public OpRule {
public:
  SmallVector<int64_t> getKeyShape(Operation *op) const override {
    return llvm::to_vector(getAccess(op)->type.getShape());
  }
  Layout fromOperand(Operation *op, unsigned number, Layout layout,
                     int64_t) const override {
    return isVector(op, number) ? layout : Layout();
  }
  Layout fromResult(Operation *, unsigned, Layout layout,
                    int64_t) const override {
    return layout;
  }
  std::optional<OpLayouts> expand(Operation *op, Layout key) const override {
    OpLayouts layouts(op);
    if (op->getNumResults() && isa<VectorType>(op->getResult(0).getType()))
      layouts.results[0] = key;
    layouts.mask = getMaskLayout(op, key);
    for (auto [i, type] : llvm::enumerate(op->getOperandTypes())) {
      if (!isa<VectorType>(type))
        continue;
      if (isVector(op, i))
        layouts.operands[i] = key;
      else
        layouts.operands[i] = layouts.mask;
      if (!layouts.operands[i])
        return std::nullopt;
    }
    return layouts;
  }
  double getCost(Operation *op, Layout key,
                 const Workgroup &workgroup) const override {
    return getAccessCost(*getAccess(op), key, workgroup);
  }
  Layout getPreferred(Operation *op,
                      const Workgroup &workgroup) const override {
    Access access = *getAccess(op);
    if (workgroup.blockIO && isOfRows(access))
      return NestedLayoutAttr::get(op->getContext(),
                                   getBlockLayout(access.type.getShape(),
                                                  getElementBits(access.type),
                                                  workgroup));
    SmallVector<int64_t> order = getMemoryOrder(access);
    return getSideBySide(op->getContext(), access.type.getShape(), order,
                         getElementBits(access.type), workgroup);
  }

private:
  /// Returns whether operand `number` is the vector, not the mask of a
  /// transfer.
  static bool isVector(Operation *op, unsigned number) {
    if (auto read = dyn_cast<vector::TransferReadOp>(op))
      return false;
    if (auto write = dyn_cast<vector::TransferWriteOp>(op))
      return number == write.getValueToStoreMutable().getOperandNumber();
    return isa<VectorType>(op->getOperand(number).getType());
  }

  /// Returns the layout of a mask. The mask of a transfer has the memory
  /// dimensions along which it runs, in the order of the memory; other masks
  /// have the shape of the vector.
  static Layout getMaskLayout(Operation *op, Layout key) {
    if (!isa<VectorTransferOpInterface>(op))
      return key;
    Access access = *getAccess(op);
    SmallVector<int64_t> repeated, kept;
    for (auto [i, dim] : llvm::enumerate(access.dims))
      (dim ? kept : repeated).push_back(i);
    SmallVector<int64_t> order =
        llvm::to_vector(llvm::seq<int64_t>(0, kept.size()));
    llvm::sort(order, [&](int64_t a, int64_t b) {
      return *access.dims[kept[a]] < *access.dims[kept[b]];
    });
    return key.project(repeated).permute(order);
  }
};

/// For gather and scatter, indices, mask and values share one layout.
class GatherRule : public SameLayoutRule {
public:
  SmallVector<int64_t> getKeyShape(Operation *op) const override {
    return llvm::to_vector(getType(op).getShape());
  }
  double getCost(Operation *op, Layout key, const Workgroup &) const override {
    return 32 * countValues(key);
  }
  Layout getPreferred(Operation *op,
                      const Workgroup &workgroup) const override {
    VectorType type = getType(op);
    auto order =
        llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, type.getRank())));
    // Each element is a separate access.
    return getSideBySide(op->getContext(), type.getShape(), order,
                         /*elementBits=*/128, workgroup);
  }

private:
  static VectorType getType(Operation *op) {
    if (auto gather = dyn_cast<vector::GatherOp>(op))
      return gather.getVectorType();
    return cast<vector::ScatterOp>(op).getVectorType();
  }
};

/// In a transfer to LDS that gathers rows, every lane has all indices.
class AsyncDmaRule : public OpRule {
public:
  SmallVector<int64_t> getKeyShape(Operation *) const override { return {}; }
  Layout fromOperand(Operation *op, unsigned, Layout, int64_t) const override {
    return getReplicated(op->getContext(), {});
  }
  Layout fromResult(Operation *, unsigned, Layout, int64_t) const override {
    return {};
  }
  std::optional<OpLayouts> expand(Operation *op, Layout) const override {
    OpLayouts layouts(op);
    for (auto [layout, type] :
         llvm::zip_equal(layouts.operands, op->getOperandTypes()))
      if (auto vector = dyn_cast<VectorType>(type))
        layout = getReplicated(op->getContext(), vector.getShape());
    return layouts;
  }
};

} // namespace

const OpRule *findMemoryRule(Operation *op) {
  static const TransferRule transfer;
  static const GatherRule gather;
  static const AsyncDmaRule asyncDma;
  return llvm::TypeSwitch<Operation *, const OpRule *>(op)
      .Case<vector::TransferReadOp, vector::TransferWriteOp, vector::LoadOp,
            vector::StoreOp, vector::MaskedLoadOp, vector::MaskedStoreOp>(
          [](Operation *o) -> const OpRule * {
            return getAccess(o) && isa<MemRefType>(getAccess(o)->memory)
                       ? &transfer
                       : nullptr;
          })
      .Case<vector::GatherOp, vector::ScatterOp>([](auto) { return &gather; })
      .Case<AsyncDmaOp>([](auto) { return &asyncDma; })
      .Default([](Operation *) { return nullptr; });
}

} // namespace aircc::layout
