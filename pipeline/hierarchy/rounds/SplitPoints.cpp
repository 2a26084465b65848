//===- SplitPoints.cpp - Where herds are split into rounds ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/rounds/SplitPoints.h"

#include "pipeline/analysis/VendorBarriers.h"

#include "dialects/kernel/KernelOps.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace aircc::hierarchy {

bool isSplitPoint(Operation *op) {
  return kernel::isWorkgroupBarrier(op) ||
         isa<gpu::BarrierOp, amdgpu::LDSBarrierOp>(op) ||
         isVendorWorkgroupBarrier(op);
}

bool holdsSplitPoint(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isSplitPoint(inner) ? WalkResult::interrupt()
                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns true if all PEs compute the same `value`, outside rounds, from the
/// herd's arguments and from memory that they share. Records the reads.
bool HerdPieces::isUniform(Value value, air::HerdOp herd) {
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    Operation *owner = arg.getOwner()->getParentOp();
    if (owner == herd.getOperation())
      return !llvm::is_contained(herd.getIds(), arg);
    auto loop = dyn_cast<scf::ForOp>(owner);
    return loop && holdsSplitPoint(loop) && arg == loop.getInductionVar();
  }
  Operation *def = value.getDefiningOp();
  if (def->getNumRegions())
    return false;
  bool isRead = hasSingleEffect<MemoryEffects::Read>(def);
  if (!isPure(def) && !isRead)
    return false;
  for (Value operand : def->getOperands()) {
    auto memref = dyn_cast<BaseMemRefType>(operand.getType());
    auto level = memref ? dyn_cast_or_null<IntegerAttr>(memref.getMemorySpace())
                        : IntegerAttr();
    // Each PE has its own L1.
    if (level && level.getInt() == int64_t(air::MemorySpace::L1))
      return false;
    if (!isUniform(operand, herd))
      return false;
  }
  if (isRead)
    uniformReads.insert(def);
  return true;
}

LogicalResult HerdPieces::checkControl(air::HerdOp herd) {
  WalkResult result = herd.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == herd.getOperation() || isSplitPoint(op))
      return WalkResult::advance();
    if (!holdsSplitPoint(op))
      return WalkResult::skip();
    if (!isa<scf::ForOp, scf::IfOp>(op)) {
      op->emitOpError(
          "contains a barrier in a herd that runs in rounds because it has "
          "more PEs than a workgroup has waves; around such barriers, use only "
          "scf.for and scf.if, or use a smaller herd");
      return WalkResult::interrupt();
    }
    OperandRange control = op->getOperands();
    if (isa<scf::ForOp>(op))
      control = control.take_front(3);
    for (Value value : control)
      if (!isUniform(value, herd)) {
        InFlightDiagnostic diag = op->emitOpError(
            "contains a barrier, which all PEs of the herd must reach, but is "
            "controlled by a value that may differ between PEs; compute it "
            "from values that are passed to the herd, or from L2 or L3");
        diag.attachNote(value.getLoc()) << "the value is defined here";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

Piece &HerdPieces::openGroup(std::list<Piece> &pieces) {
  if (pieces.empty() || pieces.back().kind != Piece::Kind::Group)
    pieces.emplace_back();
  return pieces.back();
}

void HerdPieces::split(Block &block) {
  std::list<Piece> &pieces = blocks[&block];
  for (Operation &op : block.without_terminator()) {
    if (!holdsSplitPoint(&op) && !isUniformRead(&op)) {
      openGroup(pieces).ops.push_back(&op);
      continue;
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (auto [arg, init] :
           llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs()))
        openGroup(pieces).stores.push_back({init, arg});
    }
    Piece piece;
    piece.kind = isSplitPoint(&op)    ? Piece::Kind::Barrier
                 : isUniformRead(&op) ? Piece::Kind::Uniform
                                      : Piece::Kind::Structure;
    piece.ops.push_back(&op);
    pieces.push_back(std::move(piece));
  }
  // The values that a block yields are stored by its last group. Barriers after
  // it do not matter, because slots are private to a PE.
  auto last = llvm::find_if(llvm::reverse(pieces), [](const Piece &piece) {
    return piece.kind != Piece::Kind::Barrier;
  });
  Piece *group = last != pieces.rend() && last->kind == Piece::Kind::Group
                     ? &*last
                     : nullptr;
  Operation *parent = block.getParentOp();
  for (auto [i, value] :
       llvm::enumerate(block.getTerminator()->getOperands())) {
    Value slot;
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      slot = loop.getRegionIterArgs()[i];
    else if (isa<scf::IfOp>(parent))
      slot = parent->getResult(i);
    if (!slot || slot == value)
      continue;
    if (!group)
      group = &openGroup(pieces);
    group->stores.push_back({value, slot});
  }
}

FailureOr<HerdPieces> HerdPieces::find(air::HerdOp herd) {
  HerdPieces pieces;
  if (failed(pieces.checkControl(herd)))
    return failure();
  pieces.split(*herd.getBodyBlock());
  herd.walk([&](Operation *op) {
    if (op == herd.getOperation() || isSplitPoint(op) || !holdsSplitPoint(op))
      return;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        pieces.split(block);
  });
  pieces.forEachGroup([&](Piece &group) {
    for (Operation *op : group.ops)
      pieces.groupOf[op] = &group;
  });
  return FailureOr<HerdPieces>(std::move(pieces));
}

void HerdPieces::forEachGroup(function_ref<void(Piece &)> visit) {
  for (auto &[block, pieces] : blocks)
    for (Piece &piece : pieces)
      if (piece.kind == Piece::Kind::Group)
        visit(piece);
}

} // namespace aircc::hierarchy
