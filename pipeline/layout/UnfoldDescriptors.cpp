//===- UnfoldDescriptors.cpp - Offsets from descriptors -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A dialect conversion of the descriptor type: an nd descriptor becomes its
// offsets, and a scattered descriptor becomes its vector of offsets. The memory
// that each access refers to has already been determined.
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/UnfoldDescriptors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/DialectConversion.h"
#include "pipeline/layout/VectorScopes.h"
#include "pipeline/layout/XeGPUOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace aircc::layout {

namespace {

/// The data that all patterns share.
struct Bases {
  /// The op that created the descriptor of an access.
  DenseMap<Operation *, Operation *> creates;
  /// The descriptor without offsets, for each access.
  DenseMap<Operation *, Value> bare;
  /// Ops that are already in the final form.
  SmallPtrSet<Operation *, 16> done;
};

template <typename Op> struct Pattern : OpConversionPattern<Op> {
  Pattern(const TypeConverter &converter, MLIRContext *context, Bases &bases)
      : OpConversionPattern<Op>(converter, context), bases(bases) {}
  using Adaptor = typename OpConversionPattern<Op>::OneToNOpAdaptor;
  Bases &bases;
};

} // namespace

//===----------------------------------------------------------------------===//
// Sources of descriptors
//===----------------------------------------------------------------------===//

/// Returns whether two ops create descriptors of the same memory.
static bool areOfOneMemory(Operation *a, Operation *b) {
  if (a->getName() != b->getName() ||
      a->getResult(0).getType() != b->getResult(0).getType() ||
      a->getOperand(0) != b->getOperand(0))
    return false;
  auto first = dyn_cast<xegpu::CreateNdDescOp>(a);
  auto second = dyn_cast<xegpu::CreateNdDescOp>(b);
  return !first ||
         (first.getMixedSizes() == second.getMixedSizes() &&
          first.getMixedStrides() == second.getMixedStrides() &&
          first.getMixedOffsets().size() == second.getMixedOffsets().size());
}

/// Returns the op that created the descriptor `desc` of the access `op`.
static FailureOr<Operation *>
findCreate(Operation *op, Value desc,
           const DenseMap<Value, SmallVector<Value>> &sources) {
  SmallVector<Operation *> found;
  SmallVector<Value> pending = {desc};
  llvm::SmallPtrSet<void *, 8> seen;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (!seen.insert(value.getAsOpaquePointer()).second)
      continue;
    Operation *definer = value.getDefiningOp();
    if (isa_and_nonnull<xegpu::CreateNdDescOp, xegpu::CreateDescOp>(definer)) {
      found.push_back(definer);
    } else if (isa_and_nonnull<xegpu::UpdateNdOffsetOp, xegpu::UpdateOffsetOp>(
                   definer)) {
      pending.push_back(definer->getOperand(0));
    } else if (auto it = sources.find(value); it != sources.end()) {
      llvm::append_range(pending, it->second);
    } else {
      InFlightDiagnostic error = op->emitOpError(
          "has a descriptor whose memory the compiler cannot determine; create "
          "it in this function with create_nd_tdesc or create_tdesc");
      error.attachNote(value.getLoc()) << "the descriptor is defined here";
      return failure();
    }
  }
  for (Operation *create : found) {
    if (areOfOneMemory(found.front(), create))
      continue;
    InFlightDiagnostic error =
        op->emitOpError("has a descriptor that may refer to different memory, "
                        "depending on control flow; move the access into the "
                        "branches");
    error.attachNote(found.front()->getLoc()) << "this one";
    error.attachNote(create->getLoc()) << "or this one";
    return failure();
  }
  DominanceInfo dominance(op->getParentOfType<gpu::GPUFuncOp>());
  Operation **known = llvm::find_if(found, [&](Operation *create) {
    return dominance.properlyDominates(create, op);
  });
  if (known != found.end())
    return *known;
  return op->emitOpError(
      "has a descriptor that is created in a loop or branch that does not "
      "contain the op; create it before that loop or branch");
}

/// Returns the values that control flow forwards to each value.
static DenseMap<Value, SmallVector<Value>> getSources(gpu::GPUFuncOp function) {
  DenseMap<Value, SmallVector<Value>> sources;
  function.walk([&](Operation *op) {
    if (!isControlFlow(op))
      return;
    for (const Slot &slot : getSlots(op))
      for (Value value : slot.values)
        for (OpOperand *operand : slot.operands)
          sources[value].push_back(operand->get());
  });
  return sources;
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

/// Returns the offsets of a scattered descriptor.
static VectorType getOffsetsType(xegpu::TensorDescType desc) {
  ArrayRef<int64_t> shape = desc.getShape();
  if (desc.getChunkSizeAsInt() > 1)
    shape = shape.drop_back();
  return VectorType::get(shape, IndexType::get(desc.getContext()));
}

static LogicalResult convertType(Type type, SmallVectorImpl<Type> &types) {
  auto desc = cast<xegpu::TensorDescType>(type);
  if (desc.isScattered())
    types.push_back(getOffsetsType(desc));
  else
    types.append(desc.getRank(), IndexType::get(type.getContext()));
  return success();
}

static Value add(OpBuilder &b, Location loc, Value lhs, OpFoldResult rhs) {
  if (isZeroInteger(rhs))
    return lhs;
  Value value = getValueOrCreateConstantIndexOp(b, loc, rhs);
  if (matchPattern(lhs, m_Zero()))
    return value;
  return b.createOrFold<arith::AddIOp>(loc, lhs, value);
}

/// Returns the sums of `from` and `offsets`; an empty list is all zeros.
static SmallVector<Value> addAll(OpBuilder &b, Location loc, ValueRange from,
                                 ArrayRef<OpFoldResult> offsets) {
  SmallVector<Value> sum(from);
  if (!offsets.empty())
    for (auto [value, offset] : llvm::zip_equal(sum, offsets))
      value = add(b, loc, value, offset);
  return sum;
}

namespace {

struct UnfoldCreateNd : Pattern<xegpu::CreateNdDescOp> {
  using Pattern::Pattern;
  LogicalResult
  matchAndRewrite(xegpu::CreateNdDescOp op, Adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
    if (offsets.empty())
      offsets.assign(op.getType().getRank(), rewriter.getIndexAttr(0));
    SmallVector<Value> values;
    for (OpFoldResult offset :
         ArrayRef(offsets).take_back(op.getType().getRank()))
      values.push_back(
          getValueOrCreateConstantIndexOp(rewriter, op.getLoc(), offset));
    rewriter.replaceOpWithMultiple(op, {ValueRange(values)});
    return success();
  }
};

struct UnfoldUpdateNd : Pattern<xegpu::UpdateNdOffsetOp> {
  using Pattern::Pattern;
  LogicalResult
  matchAndRewrite(xegpu::UpdateNdOffsetOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    SmallVector<Value> sum = addAll(
        rewriter, op.getLoc(), adaptor.getTensorDesc(), op.getMixedOffsets());
    rewriter.replaceOpWithMultiple(op, {ValueRange(sum)});
    return success();
  }
};

struct UnfoldCreate : Pattern<xegpu::CreateDescOp> {
  using Pattern::Pattern;
  LogicalResult
  matchAndRewrite(xegpu::CreateDescOp op, Adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    rewriter.replaceOp(op, op.getOffsets());
    return success();
  }
};

struct UnfoldUpdate : Pattern<xegpu::UpdateOffsetOp> {
  using Pattern::Pattern;
  LogicalResult
  matchAndRewrite(xegpu::UpdateOffsetOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    rewriter.replaceOpWithNewOp<arith::AddIOp>(
        op, adaptor.getTensorDesc().front(), op.getOffsets());
    return success();
  }
};

/// Recreates load_nd, store_nd and prefetch_nd with all offsets.
template <typename Op> struct UnfoldNdAccess : Pattern<Op> {
  using Pattern<Op>::Pattern;
  LogicalResult
  matchAndRewrite(Op op, typename Pattern<Op>::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    SmallVector<Value> offsets = addAll(
        rewriter, op.getLoc(), adaptor.getTensorDesc(), op.getMixedOffsets());
    SmallVector<OpFoldResult> mixed = getAsOpFoldResult(offsets);
    SmallVector<Value> dynamic;
    SmallVector<int64_t> constant;
    dispatchIndexOpFoldResults(mixed, dynamic, constant);
    Value desc = this->bases.bare.lookup(this->bases.creates.lookup(op));
    SmallVector<Value> operands;
    for (Value operand : op->getOperands().take_front(
             op.getTensorDescMutable().getOperandNumber()))
      operands.push_back(operand);
    operands.push_back(desc);
    llvm::append_range(operands, dynamic);
    Operation *copy = Operation::create(
        op.getLoc(), op->getName(), op->getResultTypes(), operands,
        op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
        /*successors=*/{}, /*numRegions=*/0);
    rewriter.insert(copy);
    cast<Op>(copy).setConstOffsets(constant);
    this->bases.done.insert(copy);
    rewriter.replaceOp(op, copy->getResults());
    return success();
  }
};

/// The common base of the patterns of scattered accesses.
template <typename Op> struct UnfoldScattered : Pattern<Op> {
  using Pattern<Op>::Pattern;

  xegpu::CreateDescOp getCreate(Op op) const {
    return cast<xegpu::CreateDescOp>(this->bases.creates.lookup(op));
  }
  /// Returns the chunk size, if there is one.
  IntegerAttr getChunk(Op op, OpBuilder &b) const {
    int64_t size = getCreate(op).getTensorDescType().getChunkSizeAsInt();
    return size > 1 ? b.getI64IntegerAttr(size) : IntegerAttr();
  }
  /// In per-lane code, the descriptor and the mask are those of all lanes, so
  /// extract the elements of this lane.
  void takeOwn(Op op, Value &offsets, Value &mask, OpBuilder &b) const {
    if (isUndistributedXeGPUOp(op))
      return;
    Location loc = op.getLoc();
    Value lane = gpu::LaneIdOp::create(b, loc, /*upper_bound=*/IntegerAttr());
    for (Value *vector : {&offsets, &mask}) {
      auto type = dyn_cast<VectorType>(vector->getType());
      if (!type || type.getRank() != 1 || type.getNumElements() == 1)
        continue;
      SmallVector<OpFoldResult> position = {lane};
      Value own =
          vector::ExtractOp::create(b, loc, *vector, position).getResult();
      *vector = vector::BroadcastOp::create(
          b, loc, VectorType::get({1}, type.getElementType()), own);
    }
  }
  void finish(Op op, Operation *copy,
              ConversionPatternRewriter &rewriter) const {
    copy->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    this->bases.done.insert(copy);
    rewriter.replaceOp(op, copy->getResults());
  }
};

/// A load or a store.
template <typename Op> struct UnfoldAccess : UnfoldScattered<Op> {
  using UnfoldScattered<Op>::UnfoldScattered;
  LogicalResult
  matchAndRewrite(Op op, typename UnfoldScattered<Op>::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    constexpr bool kIsLoad = std::is_same_v<Op, xegpu::LoadGatherOp>;
    ValueRange desc;
    if constexpr (kIsLoad)
      desc = adaptor.getSource();
    else
      desc = adaptor.getDest();
    Value offsets = desc.front(), mask = op.getMask();
    this->takeOwn(op, offsets, mask, rewriter);
    auto create = [&](auto typeOrValue) {
      return Op::create(
          rewriter, op.getLoc(), typeOrValue, this->getCreate(op).getSource(),
          offsets, mask, this->getChunk(op, rewriter), op.getL1HintAttr(),
          op.getL2HintAttr(), op.getL3HintAttr(), op.getLayoutAttr());
    };
    if constexpr (kIsLoad)
      this->finish(op, create(op.getType()), rewriter);
    else
      this->finish(op, create(op.getValue()), rewriter);
    return success();
  }
};

struct UnfoldPrefetch : UnfoldScattered<xegpu::PrefetchOp> {
  using UnfoldScattered::UnfoldScattered;
  LogicalResult
  matchAndRewrite(xegpu::PrefetchOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    Value source = getCreate(op).getSource();
    // With a pointer, the alignment of offsets must be specified; use that of
    // an element.
    auto desc = getCreate(op).getTensorDescType();
    IntegerAttr align;
    if (!isa<MemRefType>(source.getType()))
      align = rewriter.getI64IntegerAttr(
          std::max<int64_t>(1, desc.getElementTypeBitWidth() / 8));
    finish(op,
           xegpu::PrefetchOp::create(
               rewriter, op.getLoc(), source, adaptor.getSource().front(),
               op.getL1HintAttr(), op.getL2HintAttr(), op.getL3HintAttr(),
               align, op.getLayoutAttr()),
           rewriter);
    return success();
  }
};

struct UnfoldAtomic : UnfoldScattered<xegpu::AtomicRMWOp> {
  using UnfoldScattered::UnfoldScattered;
  LogicalResult
  matchAndRewrite(xegpu::AtomicRMWOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    xegpu::CreateDescOp create = getCreate(op);
    auto own = xegpu::CreateDescOp::create(
        rewriter, op.getLoc(), op.getTensorDesc().getType(), create.getSource(),
        adaptor.getTensorDesc().front());
    own->setDiscardableAttrs(create->getDiscardableAttrDictionary());
    bases.done.insert(own);
    finish(op,
           xegpu::AtomicRMWOp::create(rewriter, op.getLoc(), op.getType(),
                                      op.getKind(), own.getTensorDesc(),
                                      op.getMask(), op.getValue(),
                                      op.getLayoutAttr()),
           rewriter);
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// The function as a whole
//===----------------------------------------------------------------------===//

/// Finds the memory of all accesses, and creates their descriptors without
/// offsets.
static LogicalResult findBases(gpu::GPUFuncOp function, Bases &bases) {
  auto sources = getSources(function);
  llvm::MapVector<Operation *, bool> creates;
  WalkResult walked = function.walk([&](Operation *op) -> WalkResult {
    if (isControlFlow(op) || isControlFlowTerminator(op) ||
        isa<xegpu::UpdateNdOffsetOp, xegpu::UpdateOffsetOp>(op))
      return success();
    for (Value operand : op->getOperands()) {
      if (!isa<xegpu::TensorDescType>(operand.getType()))
        continue;
      FailureOr<Operation *> create = findCreate(op, operand, sources);
      if (failed(create))
        return failure();
      bases.creates[op] = *create;
      creates.insert({*create, true});
    }
    return success();
  });
  if (walked.wasInterrupted())
    return failure();
  for (auto [create, _] : creates) {
    auto nd = dyn_cast<xegpu::CreateNdDescOp>(create);
    if (!nd)
      continue;
    OpBuilder b(nd);
    auto bare = cast<xegpu::CreateNdDescOp>(b.clone(*nd));
    SmallVector<OpFoldResult> offsets = nd.getMixedOffsets();
    size_t rank = nd.getType().getRank();
    if (offsets.size() > rank) {
      for (OpFoldResult &offset : MutableArrayRef(offsets).take_back(rank))
        offset = b.getIndexAttr(0);
    } else {
      offsets.clear();
    }
    SmallVector<Value> dynamic;
    SmallVector<int64_t> constant;
    dispatchIndexOpFoldResults(offsets, dynamic, constant);
    bare.getOffsetsMutable().assign(dynamic);
    if (constant.empty())
      bare.removeConstOffsetsAttr();
    else
      bare.setConstOffsets(constant);
    bases.bare[nd] = bare.getTensorDesc();
    bases.done.insert(bare);
  }
  return success();
}

LogicalResult unfoldDescriptors(gpu::GPUFuncOp function) {
  Bases bases;
  if (failed(findBases(function, bases)))
    return failure();
  if (bases.creates.empty())
    return success();
  MLIRContext *context = function.getContext();
  TypeConverter converter;
  converter.addConversion([](Type type) { return type; });
  converter.addConversion(
      [](xegpu::TensorDescType type, SmallVectorImpl<Type> &types) {
        return convertType(type, types);
      });
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal([&](Operation *op) {
    auto isDesc = [](Type type) { return isa<xegpu::TensorDescType>(type); };
    return bases.done.contains(op) ||
           (llvm::none_of(op->getOperandTypes(), isDesc) &&
            llvm::none_of(op->getResultTypes(), isDesc));
  });
  RewritePatternSet patterns(context);
  patterns.add<
      UnfoldCreateNd, UnfoldUpdateNd, UnfoldCreate, UnfoldUpdate,
      UnfoldNdAccess<xegpu::LoadNdOp>, UnfoldNdAccess<xegpu::StoreNdOp>,
      UnfoldNdAccess<xegpu::PrefetchNdOp>, UnfoldAccess<xegpu::LoadGatherOp>,
      UnfoldAccess<xegpu::StoreScatterOp>, UnfoldPrefetch, UnfoldAtomic>(
      converter, context, bases);
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  return applyPartialConversion(function, target, std::move(patterns));
}

} // namespace aircc::layout
