//===- CollectWork.cpp - Describe launches for reports --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/Work.h"
#include "pipeline/hierarchy/Passes.h"
#include "pipeline/hierarchy/channels/BufferAccesses.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"

namespace aircc::hierarchy {
#define GEN_PASS_DEF_COLLECTWORK
#include "pipeline/hierarchy/Passes.h.inc"
} // namespace aircc::hierarchy

using namespace mlir;
using namespace aircc;
using namespace aircc::hierarchy;

namespace {

/// Adds numbers of bytes, where -1 stands for an unknown number.
int64_t add(int64_t a, int64_t b) { return a < 0 || b < 0 ? -1 : a + b; }

int64_t getBytes(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.hasStaticShape())
    return -1;
  Type element = memref.getElementType();
  int64_t bits = element.isIndex()        ? 64
                 : element.isIntOrFloat() ? element.getIntOrFloatBitWidth()
                                          : -1;
  return bits < 0
             ? -1
             : memref.getNumElements() * int64_t(llvm::divideCeil(bits, 8));
}

/// The memory of the host program that a launch accesses.
class LaunchMemory {
public:
  explicit LaunchMemory(gpu::LaunchOp launch);

  int64_t readBytes = 0, writtenBytes = 0;

private:
  struct Buffer {
    int64_t bytes = 0;
    bool isRead = false, isWritten = false;
  };

  void addAccess(const MemoryEffects::EffectInstance &effect);

  llvm::MapVector<Value, Buffer> buffers;
};

LaunchMemory::LaunchMemory(gpu::LaunchOp launch) {
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(launch.getBody(), captured);
  for (Value value : captured) {
    if (!isa<BaseMemRefType>(value.getType()))
      continue;
    Value root = getRootBuffer(value);
    Buffer &buffer = buffers[root];
    buffer.bytes = add(buffer.bytes, getBytes(value.getType()));
    // Views may overlap.
    if (int64_t all = getBytes(root.getType()); all >= 0)
      buffer.bytes =
          buffer.bytes < 0 ? all : std::min<int64_t>(buffer.bytes, all);
  }
  launch.getBody().walk([&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects)
      addAccess(effect);
  });
  for (const auto &[root, buffer] : buffers) {
    if (buffer.isRead)
      readBytes = add(readBytes, buffer.bytes);
    if (buffer.isWritten)
      writtenBytes = add(writtenBytes, buffer.bytes);
  }
}

void LaunchMemory::addAccess(const MemoryEffects::EffectInstance &effect) {
  if (!effect.getValue())
    return;
  auto *found = buffers.find(getRootBuffer(effect.getValue()));
  if (found == buffers.end())
    return;
  found->second.isRead |= isa<MemoryEffects::Read>(effect.getEffect());
  found->second.isWritten |= isa<MemoryEffects::Write>(effect.getEffect());
}

int64_t getSize(Value size) { return getConstantIntValue(size).value_or(-1); }

/// Returns the descriptions of the ops of the launch, which are removed. Fills
/// are of interest only if there is nothing else.
SmallVector<Attribute> takeWorks(gpu::LaunchOp launch) {
  SmallVector<air::WorkAttr> works;
  launch->walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::append_range(works, getWorks(op));
    op->removeDiscardableAttr(air::AIRDialect::WorkAttrHelper::getNameStr());
  });
  auto isFill = [](air::WorkAttr work) { return work.getKind() == "fill"; };
  if (!llvm::all_of(works, isFill))
    llvm::erase_if(works, isFill);
  return SmallVector<Attribute>(works.begin(), works.end());
}

class CollectWork : public hierarchy::impl::CollectWorkBase<CollectWork> {
public:
  void runOnOperation() final {
    getOperation().walk([&](gpu::LaunchOp launch) { describe(launch); });
    // Ops that the host executes.
    getOperation().walk([](Operation *op) {
      op->removeDiscardableAttr(air::AIRDialect::WorkAttrHelper::getNameStr());
    });
  }

private:
  void describe(gpu::LaunchOp launch) {
    SmallVector<Attribute> works = takeWorks(launch);
    if (works.empty())
      return;
    Builder b(launch);
    gpu::KernelDim3 grid = launch.getGridSizeOperandValues(),
                    block = launch.getBlockSizeOperandValues();
    int64_t lanes = 1;
    for (Value size : {block.x, block.y, block.z})
      lanes = lanes < 0 || getSize(size) < 0 ? -1 : lanes * getSize(size);
    LaunchMemory memory(launch);
    launch->setDiscardableAttr(
        air::AIRDialect::KernelWorkAttrHelper::getNameStr(),
        air::KernelWorkAttr::get(
            b.getContext(),
            b.getDenseI64ArrayAttr(
                {getSize(grid.x), getSize(grid.y), getSize(grid.z)}),
            lanes, memory.readBytes, memory.writtenBytes,
            b.getArrayAttr(works)));
  }
};

} // namespace
