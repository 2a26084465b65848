//===- FoldNest.cpp - A nest of loops as one transfer ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A perfect nest of loops around one put or get becomes a single put or get
// with a dimension for each loop.
//
//===----------------------------------------------------------------------===//

#include "pipeline/npu/ShimLoops.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::npu;

namespace {

unsigned getElementBits(air::ChannelAccessInterface access) {
  Type type =
      cast<BaseMemRefType>(access.getMemref().getType()).getElementType();
  unsigned count = 1;
  if (auto vector = dyn_cast<VectorType>(type)) {
    count = vector.getNumElements();
    type = vector.getElementType();
  } else if (auto complex = dyn_cast<ComplexType>(type)) {
    count = 2;
    type = complex.getElementType();
  }
  // An index is as wide as an address.
  return count * (type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64);
}

void setPattern(air::TransferInterface op, const air::AccessPattern &pattern) {
  if (op.getSourcePattern().memref)
    op.setSourcePattern(pattern);
  else
    op.setTargetPattern(pattern);
}

/// Returns the lists of `descriptor`. Reuses offsets of `original`.
air::AccessPattern createPattern(OpBuilder &b, Location loc,
                                 const air::Descriptor &descriptor,
                                 const air::AccessPattern &original) {
  air::AccessPattern pattern;
  pattern.memref = original.memref;
  for (const air::LinearIndex &offset : descriptor.offsets) {
    auto it = llvm::find_if(original.offsets, [&](OpFoldResult known) {
      return !offset.isConstant() && isa<Value>(known) &&
             air::LinearIndex::get(known) == offset;
    });
    pattern.offsets.push_back(
        it == original.offsets.end() ? offset.materialize(b, loc) : *it);
  }
  pattern.sizes = getAsIndexOpFoldResult(b.getContext(), descriptor.sizes);
  pattern.strides = getAsIndexOpFoldResult(b.getContext(), descriptor.strides);
  return pattern;
}

bool isPadded(air::TransferInterface op) {
  return op.getPadBefore() || op.getPadAfter();
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Rejects transfers that leave the memref.
LogicalResult checkRange(air::ChannelAccessInterface access,
                         const air::Descriptor &descriptor) {
  auto type = dyn_cast<MemRefType>(access.getMemref().getType());
  std::optional<int64_t> volume = type ? air::getVolume(type) : std::nullopt;
  if (!volume || descriptor.isEmpty() || descriptor.hasNoElements())
    return success();
  std::optional<std::pair<int64_t, int64_t>> range = descriptor.getRange();
  if (!range || (range->first >= 0 && range->second < *volume))
    return success();
  bool isPut = isa<air::ChannelPutOp>(access.getOperation());
  return access->emitOpError("accesses elements ")
         << range->first << " to " << range->second << " of its "
         << (isPut ? "source" : "target") << ", which has " << *volume
         << " elements; offsets, sizes, strides (in elements) and enclosing "
            "loops must stay in bounds";
}

/// Emits a remark at a dimension that no factor divides into sizes within the
/// limit.
void reportLargeSize(air::ChannelAccessInterface access,
                     const air::Descriptor &descriptor,
                     const ShimDmaOptions &options) {
  std::optional<size_t> dim = descriptor.findLargeSize(options.limits);
  if (!dim || !options.report)
    return;
  InFlightDiagnostic remark =
      access->emitRemark("has size ")
      << descriptor.sizes[*dim] << " in dimension " << *dim
      << ", which cannot be split: no factor <= " << options.limits.maxSize;
  int64_t granule =
      descriptor.strides[*dim] == 1
          ? air::getGranuleElements(options.limits, getElementBits(access))
          : 1;
  if (granule > 1)
    remark << " is a multiple of " << granule;
  else
    remark << " is larger than 1";
  remark << "; pad or reshape";
}

//===----------------------------------------------------------------------===//
// One transfer
//===----------------------------------------------------------------------===//

} // namespace

air::AccessPattern npu::getPattern(air::TransferInterface op) {
  air::AccessPattern source = op.getSourcePattern();
  return source.memref ? source : op.getTargetPattern();
}

LogicalResult npu::canonicalizeTransfer(air::ChannelAccessInterface access,
                                        const ShimDmaOptions &options) {
  auto op = cast<air::TransferInterface>(access.getOperation());
  air::AccessPattern pattern = getPattern(op);
  for (auto [dim, stride] : llvm::enumerate(pattern.strides))
    if (std::optional<int64_t> known = getConstantIntValue(stride);
        known && *known < 0)
      return access->emitOpError("has stride ")
             << *known << " in dimension " << dim
             << "; a shim DMA cannot step backward through memory";
  if (isPadded(op))
    return success();
  OpBuilder b(access);
  std::optional<air::Descriptor> descriptor = air::Descriptor::get(pattern);
  if (!descriptor) {
    if (pattern.offsets.size() >= pattern.strides.size())
      return success();
    while (pattern.offsets.size() < pattern.strides.size())
      pattern.offsets.insert(pattern.offsets.begin(), b.getIndexAttr(0));
    setPattern(op, pattern);
    return success();
  }
  if (failed(checkRange(access, *descriptor)))
    return failure();
  descriptor->canonicalize(options.limits, getElementBits(access),
                           air::getVolume(pattern.getType()));
  reportLargeSize(access, *descriptor, options);
  setPattern(op, createPattern(b, access.getLoc(), *descriptor, pattern));
  return success();
}

//===----------------------------------------------------------------------===//
// A nest
//===----------------------------------------------------------------------===//

namespace {

/// A perfect nest of loops around one transfer.
class TransferNest {
public:
  TransferNest(scf::ForOp root, const ShimDmaOptions &options)
      : root(root), options(options) {}

  /// Finds the loops and the transfer. Returns false if the nest is not
  /// perfect.
  bool match();
  /// Replaces the nest with one transfer. Returns false without changing
  /// anything if one descriptor cannot express it.
  FailureOr<bool> fold();

private:
  bool isInvariant(const air::LinearIndex &index) {
    return llvm::all_of(index.getTerms(), [&](const auto &term) {
      return isOutside(term.first);
    });
  }
  bool isOutside(Value value) {
    return !root.getRegion().isAncestor(value.getParentRegion());
  }
  bool hasInvariantOperands();
  bool addLoops(air::Descriptor &descriptor);
  void addOutsideTokens(Value token, llvm::SmallSetVector<Value, 4> &tokens);
  void replace(const air::Descriptor &descriptor);
  void padNewDims(Operation *op);

  scf::ForOp root;
  const ShimDmaOptions &options;
  SmallVector<scf::ForOp> loops;
  SmallVector<LoopBounds> bounds;
  air::ChannelAccessInterface access;
};

bool TransferNest::match() {
  scf::ForOp loop = root;
  while (true) {
    std::optional<LoopBounds> known = getBounds(loop);
    if (!known || known->tripCount == 0 || !carriesAtMostOneToken(loop))
      return false;
    loops.push_back(loop);
    bounds.push_back(*known);
    Operation *only = nullptr;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (isFree(op))
        continue;
      if (only)
        return false;
      only = &op;
    }
    if (!only)
      return false;
    access = dyn_cast<air::ChannelAccessInterface>(only);
    if (access)
      return true;
    loop = dyn_cast<scf::ForOp>(only);
    if (!loop)
      return false;
  }
}

bool TransferNest::hasInvariantOperands() {
  if (!isOutside(access.getMemref()))
    return false;
  auto put = dyn_cast<air::ChannelPutOp>(access.getOperation());
  if (put && put.getDest() && !isOutside(put.getDest()))
    return false;
  return llvm::all_of(access.getIndices(), [&](Value index) {
    return isInvariant(air::LinearIndex::get(index));
  });
}

bool TransferNest::addLoops(air::Descriptor &descriptor) {
  for (size_t i = loops.size(); i-- > 0;) {
    air::TransferLoop loop{loops[i].getInductionVar(), bounds[i].lowerBound,
                           bounds[i].step, bounds[i].tripCount};
    if (!descriptor.addLoop(loop, options.limits, getElementBits(access)))
      return false;
  }
  return llvm::all_of(descriptor.offsets, [&](const air::LinearIndex &offset) {
    return isInvariant(offset);
  });
}

/// Adds the tokens outside the nest that `token` waits for.
void TransferNest::addOutsideTokens(Value token,
                                    llvm::SmallSetVector<Value, 4> &tokens) {
  llvm::SetVector<Value> seen;
  seen.insert(token);
  for (size_t i = 0; i < seen.size(); ++i) {
    Value current = seen[i];
    if (isOutside(current)) {
      tokens.insert(current);
    } else if (auto argument = dyn_cast<BlockArgument>(current)) {
      auto loop = cast<scf::ForOp>(argument.getOwner()->getParentOp());
      seen.insert(loop.getTiedLoopInit(argument)->get());
    } else if (auto join = current.getDefiningOp<air::WaitAllOp>()) {
      seen.insert_range(join.getAsyncDependencies());
    }
  }
}

/// Adds zero padding for the new dimensions of a padded transfer.
void TransferNest::padNewDims(Operation *op) {
  auto extend = [&](std::optional<ArrayRef<int32_t>> widths, StringRef name) {
    if (!widths)
      return;
    SmallVector<int32_t> extended(loops.size(), 0);
    llvm::append_range(extended, *widths);
    op->setAttr(name, DenseI32ArrayAttr::get(op->getContext(), extended));
  };
  auto transfer = cast<air::TransferInterface>(op);
  extend(transfer.getPadBefore(), "pad_before");
  extend(transfer.getPadAfter(), "pad_after");
}

void TransferNest::replace(const air::Descriptor &descriptor) {
  OpBuilder b(root);
  auto op = cast<air::TransferInterface>(access.getOperation());
  air::AccessPattern pattern =
      createPattern(b, access.getLoc(), descriptor, getPattern(op));

  // Indices may be computed in the loops from values outside.
  SmallVector<Value> indices;
  for (Value index : access.getIndices())
    indices.push_back(isOutside(index)
                          ? index
                          : getValueOrCreateConstantIndexOp(
                                b, access.getLoc(),
                                air::LinearIndex::get(index).materialize(
                                    b, access.getLoc())));
  llvm::SmallSetVector<Value, 4> dependencies, results;
  auto async = cast<air::AsyncOpInterface>(access.getOperation());
  for (Value token : async.getAsyncDependencies())
    addOutsideTokens(token, dependencies);
  for (scf::ForOp loop : loops)
    for (Value token : loop.getBody()->getTerminator()->getOperands())
      addOutsideTokens(token, results);

  access->moveBefore(root);
  if (isPadded(op))
    padNewDims(access);
  setPattern(op, pattern);
  unsigned firstIndex = access.getIndices().getBeginOperandIndex();
  for (auto [i, index] : llvm::enumerate(indices))
    access->setOperand(firstIndex + i, index);
  async.getAsyncDependenciesMutable().assign(dependencies.getArrayRef());
  if (root.getNumResults()) {
    // Initial tokens that the transfer waits for are complete when the transfer
    // is.
    SmallVector<Value> tokens;
    if (Value token = async.getAsyncToken())
      tokens.push_back(token);
    for (Value token : results)
      if (tokens.empty() || !dependencies.contains(token))
        tokens.push_back(token);
    root.getResult(0).replaceAllUsesWith(joinTokens(b, root.getLoc(), tokens));
  }
  root.erase();
}

FailureOr<bool> TransferNest::fold() {
  auto op = cast<air::TransferInterface>(access.getOperation());
  air::AccessPattern pattern = getPattern(op);
  std::optional<air::Descriptor> descriptor = air::Descriptor::get(pattern);
  if (!descriptor || descriptor->hasNoElements() || !hasInvariantOperands() ||
      !addLoops(*descriptor))
    return false;
  air::Descriptor walk = *descriptor;
  if (isPadded(op)) {
    // The padding belongs to the dimensions that the transfer has.
    air::Descriptor fitted = walk;
    if (!fitted.fit(options.limits, getElementBits(access)) ||
        !(fitted == walk))
      return false;
  } else {
    descriptor->canonicalize(options.limits, getElementBits(access),
                             air::getVolume(pattern.getType()));
    if (!descriptor->fit(options.limits, getElementBits(access)))
      return false;
  }
  if (failed(checkRange(access, walk)))
    return failure();
  reportLargeSize(access, *descriptor, options);
  replace(*descriptor);
  return true;
}

} // namespace

FailureOr<bool> npu::foldNest(scf::ForOp root, const ShimDmaOptions &options) {
  TransferNest nest(root, options);
  if (!nest.match())
    return false;
  return nest.fold();
}
