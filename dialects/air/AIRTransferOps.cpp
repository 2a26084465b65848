//===- AIRTransferOps.cpp - DMA and channels ------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/air/AIROps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace aircc::air;

//===----------------------------------------------------------------------===//
// Access patterns
//===----------------------------------------------------------------------===//

namespace {
/// The lists of a pattern as the ops store them.
struct StoredPattern {
  SmallVector<Value> offsets, sizes, strides;
  SmallVector<int64_t> staticOffsets, staticSizes, staticStrides;

  explicit StoredPattern(const AccessPattern &pattern) {
    dispatchIndexOpFoldResults(pattern.offsets, offsets, staticOffsets);
    dispatchIndexOpFoldResults(pattern.sizes, sizes, staticSizes);
    dispatchIndexOpFoldResults(pattern.strides, strides, staticStrides);
  }
};
} // namespace

template <typename OpTy> static AccessPattern getSource(OpTy op) {
  MLIRContext *context = op.getContext();
  return {
      op.getSrc(),
      getMixedValues(op.getStaticSrcOffsets(), op.getDynamicSrcOffsets(),
                     context),
      getMixedValues(op.getStaticSrcSizes(), op.getDynamicSrcSizes(), context),
      getMixedValues(op.getStaticSrcStrides(), op.getDynamicSrcStrides(),
                     context)};
}

template <typename OpTy> static AccessPattern getTarget(OpTy op) {
  MLIRContext *context = op.getContext();
  return {
      op.getDst(),
      getMixedValues(op.getStaticDstOffsets(), op.getDynamicDstOffsets(),
                     context),
      getMixedValues(op.getStaticDstSizes(), op.getDynamicDstSizes(), context),
      getMixedValues(op.getStaticDstStrides(), op.getDynamicDstStrides(),
                     context)};
}

template <typename OpTy>
static void setSource(OpTy op, const AccessPattern &pattern) {
  StoredPattern stored(pattern);
  op.getDynamicSrcOffsetsMutable().assign(stored.offsets);
  op.getDynamicSrcSizesMutable().assign(stored.sizes);
  op.getDynamicSrcStridesMutable().assign(stored.strides);
  op.setStaticSrcOffsets(stored.staticOffsets);
  op.setStaticSrcSizes(stored.staticSizes);
  op.setStaticSrcStrides(stored.staticStrides);
}

template <typename OpTy>
static void setTarget(OpTy op, const AccessPattern &pattern) {
  StoredPattern stored(pattern);
  op.getDynamicDstOffsetsMutable().assign(stored.offsets);
  op.getDynamicDstSizesMutable().assign(stored.sizes);
  op.getDynamicDstStridesMutable().assign(stored.strides);
  op.setStaticDstOffsets(stored.staticOffsets);
  op.setStaticDstSizes(stored.staticSizes);
  op.setStaticDstStrides(stored.staticStrides);
}

AccessPattern DmaMemcpyNdOp::getSourcePattern() { return getSource(*this); }
AccessPattern DmaMemcpyNdOp::getTargetPattern() { return getTarget(*this); }
void DmaMemcpyNdOp::setSourcePattern(const AccessPattern &pattern) {
  setSource(*this, pattern);
}
void DmaMemcpyNdOp::setTargetPattern(const AccessPattern &pattern) {
  setTarget(*this, pattern);
}

// Ops that only read memory, and ops that only write it.
#define AIRCC_SOURCE_OF(OP, WHY)                                               \
  AccessPattern OP::getSourcePattern() { return getSource(*this); }            \
  AccessPattern OP::getTargetPattern() { return {}; }                          \
  void OP::setSourcePattern(const AccessPattern &pattern) {                    \
    setSource(*this, pattern);                                                 \
  }                                                                            \
  void OP::setTargetPattern(const AccessPattern &) { llvm_unreachable(WHY); }
#define AIRCC_TARGET_OF(OP, WHY)                                               \
  AccessPattern OP::getSourcePattern() { return {}; }                          \
  AccessPattern OP::getTargetPattern() { return getTarget(*this); }            \
  void OP::setSourcePattern(const AccessPattern &) { llvm_unreachable(WHY); }  \
  void OP::setTargetPattern(const AccessPattern &pattern) {                    \
    setTarget(*this, pattern);                                                 \
  }
AIRCC_SOURCE_OF(ChannelPutOp, "a put writes into a channel")
AIRCC_TARGET_OF(ChannelGetOp, "a get reads from a channel")
AIRCC_SOURCE_OF(MessageSendOp, "a message is sent into lines")
AIRCC_TARGET_OF(MessageReceiveOp, "a message is received from lines")
#undef AIRCC_SOURCE_OF
#undef AIRCC_TARGET_OF

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static SmallVector<Type> getTokenTypes(OpBuilder &builder, bool isAsync) {
  if (!isAsync)
    return {};
  return {builder.getType<AsyncTokenType>()};
}

void DmaMemcpyNdOp::build(OpBuilder &builder, OperationState &state,
                          ValueRange dependencies, const AccessPattern &dst,
                          const AccessPattern &src, bool isAsync) {
  StoredPattern to(dst), from(src);
  build(builder, state, getTokenTypes(builder, isAsync), dependencies,
        dst.memref, to.offsets, to.sizes, to.strides, src.memref, from.offsets,
        from.sizes, from.strides, /*dest=*/Value(), to.staticOffsets,
        to.staticSizes, to.staticStrides, from.staticOffsets, from.staticSizes,
        from.staticStrides, /*pad_before=*/nullptr, /*pad_after=*/nullptr,
        /*src_rank=*/nullptr, /*dst_rank=*/nullptr, /*channel=*/nullptr,
        /*channel_indices=*/nullptr);
}

void ChannelPutOp::build(OpBuilder &builder, OperationState &state,
                         ValueRange dependencies, FlatSymbolRefAttr channel,
                         ValueRange indices, const AccessPattern &src,
                         bool isAsync) {
  StoredPattern from(src);
  build(builder, state, getTokenTypes(builder, isAsync), dependencies, channel,
        indices, src.memref, from.offsets, from.sizes, from.strides,
        /*dest=*/Value(), builder.getDenseI64ArrayAttr(from.staticOffsets),
        builder.getDenseI64ArrayAttr(from.staticSizes),
        builder.getDenseI64ArrayAttr(from.staticStrides),
        /*pad_before=*/nullptr, /*pad_after=*/nullptr);
}

void ChannelGetOp::build(OpBuilder &builder, OperationState &state,
                         ValueRange dependencies, FlatSymbolRefAttr channel,
                         ValueRange indices, const AccessPattern &dst,
                         bool isAsync) {
  StoredPattern to(dst);
  build(builder, state, getTokenTypes(builder, isAsync), dependencies, channel,
        indices, dst.memref, to.offsets, to.sizes, to.strides,
        builder.getDenseI64ArrayAttr(to.staticOffsets),
        builder.getDenseI64ArrayAttr(to.staticSizes),
        builder.getDenseI64ArrayAttr(to.staticStrides),
        /*pad_before=*/nullptr, /*pad_after=*/nullptr);
}

template <typename OpTy>
static void buildMessageOp(OpBuilder &builder, OperationState &state,
                           const AccessPattern &pattern,
                           const MessageRing &ring) {
  StoredPattern stored(pattern);
  OpTy::build(builder, state, TypeRange(), pattern.memref, stored.offsets,
              stored.sizes, stored.strides, ring.data, ring.credits,
              builder.getDenseI64ArrayAttr(stored.staticOffsets),
              builder.getDenseI64ArrayAttr(stored.staticSizes),
              builder.getDenseI64ArrayAttr(stored.staticStrides),
              /*pad_before=*/nullptr, /*pad_after=*/nullptr,
              builder.getI64IntegerAttr(ring.depth),
              builder.getI64IntegerAttr(ring.lines),
              ring.singleLine ? builder.getUnitAttr() : nullptr,
              ring.shared ? builder.getUnitAttr() : nullptr);
}

void MessageSendOp::build(OpBuilder &builder, OperationState &state,
                          const AccessPattern &src, const MessageRing &ring) {
  buildMessageOp<MessageSendOp>(builder, state, src, ring);
}

void MessageReceiveOp::build(OpBuilder &builder, OperationState &state,
                             const AccessPattern &dst,
                             const MessageRing &ring) {
  buildMessageOp<MessageReceiveOp>(builder, state, dst, ring);
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

/// An op that blocks on tokens also waits: it makes the writes of the awaited
/// ops visible, so nothing may be moved across it.
static void
addWaitEffects(AsyncOpInterface op,
               SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (op.isAsync() || op.getAsyncDependencies().empty())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

void DmaMemcpyNdOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSrcMutable(),
                       SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getDstMutable(),
                       SideEffects::DefaultResource::get());
  addWaitEffects(*this, effects);
}

void ChannelPutOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSrcMutable(),
                       SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Read::get(), ChannelResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), ChannelResource::get());
  addWaitEffects(*this, effects);
}

void ChannelGetOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), ChannelResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), ChannelResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getDstMutable(),
                       SideEffects::DefaultResource::get());
  addWaitEffects(*this, effects);
}

/// Other ranks modify the counts in both rings.
static void
addRingEffects(MutableOperandRange rings,
               SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand &ring : rings) {
    effects.emplace_back(MemoryEffects::Read::get(), &ring,
                         SideEffects::DefaultResource::get());
    effects.emplace_back(MemoryEffects::Write::get(), &ring,
                         SideEffects::DefaultResource::get());
  }
}

void MessageSendOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSrcMutable(),
                       SideEffects::DefaultResource::get());
  addRingEffects(getLinesRingMutable(), effects);
  addRingEffects(getCreditRingMutable(), effects);
}

void MessageReceiveOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getDstMutable(),
                       SideEffects::DefaultResource::get());
  addRingEffects(getLinesRingMutable(), effects);
  addRingEffects(getCreditRingMutable(), effects);
}

//===----------------------------------------------------------------------===//
// Verifying transfers
//===----------------------------------------------------------------------===//

/// Checks that a list has as many values as its static part has dynamic
/// entries. Only the generic form can violate this.
static LogicalResult verifyList(Operation *op, StringRef side, StringRef list,
                                ArrayRef<int64_t> integers,
                                OperandRange values) {
  size_t placeholders = llvm::count_if(integers, ShapedType::isDynamic);
  if (placeholders != values.size())
    return op->emitOpError("expects 'static_")
           << side << '_' << list << "' to have one placeholder ("
           << ShapedType::kDynamic << ") for each of the " << values.size()
           << " values in the list, but got " << placeholders;
  return success();
}

/// Checks the pattern of one side.
static LogicalResult verifyPattern(Operation *op, StringRef side,
                                   const AccessPattern &pattern) {
  size_t numSizes = pattern.sizes.size(), numStrides = pattern.strides.size();
  if (numSizes != numStrides && numSizes != 0 && numStrides != 0)
    return op->emitOpError(side)
           << " sizes and strides must have the same number of dimensions, but "
              "got "
           << numSizes << " and " << numStrides;
  for (auto [index, size] : llvm::enumerate(pattern.sizes)) {
    std::optional<int64_t> extent = getConstantIntValue(size);
    if (extent && *extent < 0)
      return op->emitOpError(side) << " size " << index << " is " << *extent
                                   << ", but a size cannot be negative";
  }
  return success();
}

/// Checks the lists and the pattern of the source.
static LogicalResult verifySource(auto op) {
  if (failed(verifyList(op, "src", "offsets", op.getStaticSrcOffsets(),
                        op.getDynamicSrcOffsets())) ||
      failed(verifyList(op, "src", "sizes", op.getStaticSrcSizes(),
                        op.getDynamicSrcSizes())) ||
      failed(verifyList(op, "src", "strides", op.getStaticSrcStrides(),
                        op.getDynamicSrcStrides())))
    return failure();
  return verifyPattern(op, "src", op.getSourcePattern());
}

/// Checks the lists and the pattern of the target.
static LogicalResult verifyTarget(auto op) {
  if (failed(verifyList(op, "dst", "offsets", op.getStaticDstOffsets(),
                        op.getDynamicDstOffsets())) ||
      failed(verifyList(op, "dst", "sizes", op.getStaticDstSizes(),
                        op.getDynamicDstSizes())) ||
      failed(verifyList(op, "dst", "strides", op.getStaticDstStrides(),
                        op.getDynamicDstStrides())))
    return failure();
  return verifyPattern(op, "dst", op.getTargetPattern());
}

static LogicalResult verifyPadding(TransferInterface op) {
  std::optional<ArrayRef<int32_t>> before = op.getPadBefore();
  std::optional<ArrayRef<int32_t>> after = op.getPadAfter();
  for (auto [name, widths] :
       {std::pair("pad_before", before), std::pair("pad_after", after)}) {
    if (!widths)
      continue;
    for (auto [index, width] : llvm::enumerate(*widths))
      if (width < 0)
        return op->emitOpError("'")
               << name << "' is " << width << " in dimension " << index
               << ", but padding cannot be negative";
  }
  if (before && after && before->size() != after->size())
    return op->emitOpError("'pad_before' and 'pad_after' must have the same "
                           "length, but got ")
           << before->size() << " and " << after->size();
  return success();
}

/// Checks that `memref` can belong to another rank: if its allocation is
/// visible, it must be in the symmetric heap.
static LogicalResult verifyPeerMemref(DmaMemcpyNdOp op, StringRef side,
                                      Value memref,
                                      std::optional<int64_t> rank) {
  if (!rank)
    return success();
  if (*rank < 0)
    return op.emitOpError()
           << side << "_rank must be at least 0, but got " << *rank;
  if (!op->getParentOfType<RankOp>())
    return op.emitOpError(
        "src_rank and dst_rank require an enclosing air.rank");
  auto alloc = memref.getDefiningOp<memref::AllocOp>();
  if (alloc && !isSymmetricHeap(alloc.getType()) &&
      !alloc->hasAttr(AIRDialect::SymmetricAttrHelper::getNameStr())) {
    InFlightDiagnostic diag =
        op.emitOpError()
        << side
        << " memref is accessed on another rank, but is not allocated in the "
           "symmetric heap; allocate it with memory space #air.symmetric_heap";
    diag.attachNote(alloc.getLoc()) << "the memref is allocated here";
    return diag;
  }
  return success();
}

LogicalResult DmaMemcpyNdOp::verify() {
  if (failed(verifyTarget(*this)) || failed(verifySource(*this)) ||
      failed(verifyPadding(*this)) ||
      failed(verifyPeerMemref(*this, "src", getSrc(), getSrcRank())) ||
      failed(verifyPeerMemref(*this, "dst", getDst(), getDstRank())))
    return failure();
  if (getChannelIndices() && !getChannel())
    return emitOpError("'channel_indices' requires a 'channel' attribute");
  return success();
}

LogicalResult ChannelPutOp::verify() {
  return failed(verifySource(*this)) ? failure() : verifyPadding(*this);
}

LogicalResult ChannelGetOp::verify() {
  return failed(verifyTarget(*this)) ? failure() : verifyPadding(*this);
}

static LogicalResult verifyRing(Operation *op, uint64_t depth, uint64_t lines) {
  if (!llvm::isPowerOf2_64(depth))
    return op->emitOpError("has a depth of ")
           << depth << "; it must be a power of two";
  if (auto count = static_cast<int64_t>(lines); count < 1)
    return op->emitOpError("has ")
           << count << " lines; a message must have at least one";
  return success();
}

LogicalResult MessageSendOp::verify() {
  if (failed(verifyPattern(*this, "src", getSourcePattern())) ||
      failed(verifyPadding(*this)))
    return failure();
  return verifyRing(*this, getDepth(), getLines());
}

LogicalResult MessageReceiveOp::verify() {
  if (failed(verifyPattern(*this, "dst", getTargetPattern())))
    return failure();
  if (cast<TransferInterface>(getOperation()).hasPadding())
    return emitOpError("pads on the receiving side; pad on the sending side");
  return verifyRing(*this, getDepth(), getLines());
}
