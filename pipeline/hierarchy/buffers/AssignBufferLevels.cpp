//===- AssignBufferLevels.cpp - Levels of buffers that herds share --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A buffer belongs to the workgroup or to a PE, depending on which code
// allocates and uses it. On NPUs, its memory space may name the memory that
// holds it instead: an L1 buffer of a segment is in the memory of one PE, and
// its neighbors access it, too.
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/buffers/AssignBufferLevels.h"
#include "pipeline/hierarchy/buffers/MemorySpaces.h"

#include "dialects/air/AIROps.h"
#include "pipeline/analysis/ExecutionModel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace aircc::hierarchy {

namespace {

/// Returns `buffer` and the values that may be a view of it; with `herds`,
/// collects the herds to which they are passed instead of the values in these.
SetVector<Value> findViews(Value buffer,
                           SetVector<OpOperand *> *herds = nullptr) {
  SetVector<Value> values;
  values.insert(buffer);
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      if (herds && isa<air::HerdOp>(use.getOwner()))
        herds->insert(&use);
      else
        forEachForwarded(use, [&](Value value) { values.insert(value); });
    }
  return values;
}

/// Returns true if a herd reads the buffer that this operand passes to it, and
/// does not write to it.
bool onlyReads(OpOperand *operand) {
  auto herd = cast<air::HerdOp>(operand->getOwner());
  bool reads = false;
  for (Value view : findViews(herd.getTiedKernelArgument(*operand)))
    for (Operation *user : view.getUsers()) {
      auto interface = dyn_cast<MemoryEffectOpInterface>(user);
      if (!interface) {
        // A branch or a terminator only passes the buffer on.
        if (isa<RegionBranchOpInterface, RegionBranchTerminatorOpInterface>(
                user))
          continue;
        return false;
      }
      SmallVector<MemoryEffects::EffectInstance> effects;
      interface.getEffectsOnValue(view, effects);
      for (const MemoryEffects::EffectInstance &effect : effects) {
        if (isa<MemoryEffects::Write>(effect.getEffect()))
          return false;
        reads |= isa<MemoryEffects::Read>(effect.getEffect());
      }
    }
  return reads;
}

/// Returns the sizes of a herd without trailing ones.
SmallVector<int64_t> getShape(air::HerdOp herd) {
  SmallVector<int64_t> sizes = herd.getStaticSizes();
  while (!sizes.empty() && sizes.back() == 1)
    sizes.pop_back();
  return sizes;
}

/// Returns true if a herd reads what another one of different size has written
/// to an L1 buffer of a segment: their PEs do not correspond to each other, so
/// they share one buffer.
bool isSharedByHerds(memref::AllocOp alloc) {
  SetVector<OpOperand *> uses;
  findViews(alloc, &uses);
  bool differ = false;
  for (OpOperand *use : uses) {
    auto herd = cast<air::HerdOp>(use->getOwner());
    if (codeNamesLanes(herd))
      return false;
    differ |=
        getShape(herd) != getShape(cast<air::HerdOp>(uses.front()->getOwner()));
  }
  return differ && llvm::any_of(uses, onlyReads);
}

/// Returns the level to which a buffer belongs if it is not that of its type.
std::optional<air::MemorySpace> findOtherLevel(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  Attribute space = type.getMemorySpace();
  auto level = dyn_cast_or_null<IntegerAttr>(space);
  if (space && !level)
    return std::nullopt;
  int64_t number = level ? level.getInt() : int64_t(air::MemorySpace::L3);
  auto herd = alloc->getParentOfType<air::HerdOp>();
  if (!herd && number == int64_t(air::MemorySpace::L1) &&
      isSharedByHerds(alloc))
    return air::MemorySpace::L2;
  if (!herd && number == int64_t(air::MemorySpace::L3))
    return air::MemorySpace::L2;
  if (herd && number != int64_t(air::MemorySpace::L1) && !codeNamesLanes(herd))
    return air::MemorySpace::L1;
  return std::nullopt;
}

LogicalResult setLevel(memref::AllocOp alloc, air::MemorySpace level) {
  Attribute oldSpace = alloc.getType().getMemorySpace();
  auto space = IntegerAttr::get(IntegerType::get(alloc.getContext(), 64),
                                int64_t(level));
  alloc.getResult().setType(
      cast<MemRefType>(changeMemorySpace(alloc.getType(), space)));
  return propagateMemorySpace(alloc.getResult(), oldSpace);
}

} // namespace

LogicalResult assignBufferLevels(Operation *root) {
  SmallVector<std::pair<memref::AllocOp, air::MemorySpace>> changes;
  root->walk([&](memref::AllocOp alloc) {
    if (!alloc->getParentOfType<air::LaunchOp>())
      return;
    if (std::optional<air::MemorySpace> level = findOtherLevel(alloc))
      changes.push_back({alloc, *level});
  });
  for (auto [alloc, level] : changes)
    if (failed(setLevel(alloc, level)))
      return failure();
  return success();
}

} // namespace aircc::hierarchy
