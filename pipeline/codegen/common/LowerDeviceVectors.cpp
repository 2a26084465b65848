//===- LowerDeviceVectors.cpp - Lower vector ops without an LLVM form -----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorTransforms.h"

#include "pipeline/common/GreedyPass.h"
#include "pipeline/common/VectorLowering.h"

using namespace mlir;

namespace aircc {
#define GEN_PASS_DEF_LOWERDEVICEVECTORS
#include "pipeline/codegen/Passes.h.inc"

void populateVectorLoweringPatterns(RewritePatternSet &patterns) {
  using namespace vector;
  populateVectorToVectorCanonicalizationPatterns(patterns);
  populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
  populateVectorContractLoweringPatterns(patterns,
                                         VectorContractLowering::OuterProduct);
  populateContractionPatterns(patterns);
  populateVectorOuterProductLoweringPatterns(patterns);
  populateVectorMultiReductionLoweringPatterns(
      patterns, VectorMultiReductionLowering::InnerParallel);
  populateVectorScanLoweringPatterns(patterns);
  populateVectorBroadcastLoweringPatterns(patterns);
  populateVectorBitCastLoweringPatterns(patterns);
  populateVectorMaskOpLoweringPatterns(patterns);
  populateVectorShapeCastLoweringPatterns(patterns);
  populateVectorInterleaveLoweringPatterns(patterns);
  populateVectorShuffleLoweringPatterns(patterns);
  populateVectorTransposeLoweringPatterns(patterns,
                                          VectorTransposeLowering::EltWise);
  populateVectorTransferPermutationMapLoweringPatterns(patterns);
  populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
  // Sizes of memory may exceed 32 bits, and masks are computed from them.
  populateVectorMaskMaterializationPatterns(patterns,
                                            /*force32BitVectorIndices=*/false);
  populateVectorInsertExtractStridedSliceTransforms(patterns);
  populateVectorStepLoweringPatterns(patterns);
  populateVectorRankReducingFMAPattern(patterns);
  populateVectorGatherLoweringPatterns(patterns);
  populateVectorFromElementsUnrollPatterns(patterns);
  populateVectorToElementsUnrollPatterns(patterns);
  populateNarrowVectorMemoryPatterns(patterns);
  populateTransferBoundsPatterns(patterns);
  populateTransferGapPatterns(patterns);
  populateVectorExpansionPatterns(patterns);
}
} // namespace aircc

namespace {

/// The number of products from which a contraction may become a loop, the
/// number of registers that its vectors take in that case, and the number of
/// products in one iteration.
constexpr int64_t kManyProducts = 1024, kManyRegisters = 512,
                  kIterationProducts = 128;

int64_t getRegisters(Type type) {
  auto vector = cast<VectorType>(type);
  return llvm::divideCeil(
      vector.getNumElements() * vector.getElementTypeBitWidth(), 32);
}

/// Returns whether `transfer` accesses memory in the same block as `op`, and
/// its rows can be accessed one by one.
bool canSplitIntoRows(VectorTransferOpInterface transfer, Operation *op) {
  SmallVector<bool> inBounds = transfer.getInBoundsValues();
  return isa<MemRefType>(transfer.getShapedType()) && !transfer.getMask() &&
         transfer->getBlock() == op->getBlock() &&
         transfer.getPermutationMap().isMinorIdentity() &&
         llvm::all_of(ArrayRef(inBounds).drop_back(),
                      [](bool in) { return in; });
}

VectorType getRowType(VectorType type) {
  return VectorType::get(type.getShape().take_back(), type.getElementType());
}

/// Creates loops over the rows of a vector. `create` creates the body for the
/// row that starts at an element.
void forEachRow(OpBuilder &b, Location loc, VectorType type,
                function_ref<void(ValueRange start)> create) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> start;
  for (int64_t size : type.getShape().drop_back()) {
    Value bound = arith::ConstantIndexOp::create(b, loc, size);
    auto loop = scf::ForOp::create(b, loc, zero, bound, one);
    b.setInsertionPointToStart(loop.getBody());
    start.push_back(loop.getInductionVar());
  }
  start.push_back(zero);
  create(start);
}

/// Returns the indices of the row of `transfer` that starts at an element.
SmallVector<Value> offsetIndices(OpBuilder &b,
                                 VectorTransferOpInterface transfer,
                                 ValueRange start) {
  SmallVector<Value> indices(transfer.getIndices());
  // The last dimension of the row has no offset.
  size_t first = indices.size() - start.size();
  for (auto [i, offset] : llvm::enumerate(start.drop_back()))
    indices[first + i] =
        arith::AddIOp::create(b, transfer.getLoc(), indices[first + i], offset);
  return indices;
}

Value read(OpBuilder &b, Location loc, VectorType type, Value buffer,
           ArrayRef<Value> indices) {
  SmallVector<bool> inBounds(type.getRank(), true);
  return vector::TransferReadOp::create(b, loc, type, buffer, indices,
                                        /*padding=*/std::nullopt,
                                        ArrayRef<bool>(inBounds));
}

void write(OpBuilder &b, Location loc, Value value, Value buffer,
           ArrayRef<Value> indices) {
  SmallVector<bool> inBounds(cast<VectorType>(value.getType()).getRank(), true);
  vector::TransferWriteOp::create(b, loc, value, buffer, indices,
                                  ArrayRef<bool>(inBounds));
}

/// Lowers a contraction of vectors that do not fit into registers to loops over
/// private memory. Unrolled, it would be a block of thousands of instructions,
/// most of which would also move values to and from private memory, and the
/// register allocator would take up to a minute.
struct LoopLargeContraction : OpRewritePattern<vector::ContractionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::ContractionOp op,
                                PatternRewriter &rewriter) const override {
    if (!isLarge(op))
      return failure();
    SmallVector<int64_t> bounds;
    op.getIterationBounds(bounds);
    SmallVector<unsigned> looped = chooseLoops(op, bounds);
    Location loc = op.getLoc();
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands())
      buffers.push_back(storeToPrivateMemory(rewriter, op, operand));

    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    SmallVector<Value> position(bounds.size(), zero);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      for (unsigned dim : looped) {
        Value bound =
            arith::ConstantIndexOp::create(rewriter, loc, bounds[dim]);
        auto loop = scf::ForOp::create(rewriter, loc, zero, bound, one);
        rewriter.setInsertionPointToStart(loop.getBody());
        position[dim] = loop.getInductionVar();
        bounds[dim] = 1;
      }
      createIteration(rewriter, op, buffers, bounds, position);
    }
    if (succeeded(copyResult(rewriter, op, buffers[2]))) {
      rewriter.eraseOp(op);
      return success();
    }
    auto type = cast<VectorType>(op.getResultType());
    SmallVector<Value> start(type.getRank(), zero);
    rewriter.replaceOp(op, read(rewriter, loc, type, buffers[2], start));
    return success();
  }

private:
  static bool isLarge(vector::ContractionOp op) {
    if (isa<vector::MaskOp>(op->getParentOp()) ||
        !op->getParentOfType<gpu::GPUFuncOp>())
      return false;
    int64_t products = 1, registers = 0;
    SmallVector<int64_t> bounds;
    op.getIterationBounds(bounds);
    for (int64_t bound : bounds)
      products *= bound;
    for (Type type : op->getOperandTypes()) {
      auto vector = dyn_cast<VectorType>(type);
      if (!vector || vector.getRank() == 0 || vector.isScalable() ||
          !vector.getElementType().isIntOrFloat())
        return false;
      registers += getRegisters(type);
    }
    return products > kManyProducts &&
           registers + getRegisters(op.getResultType()) > kManyRegisters;
  }

  /// Parallel dimensions are outer loops. The last of them is not a loop, but
  /// the vector of an iteration.
  static SmallVector<unsigned> chooseLoops(vector::ContractionOp op,
                                           ArrayRef<int64_t> bounds) {
    SmallVector<unsigned> parallel, reductions;
    for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray()))
      (kind == vector::IteratorType::parallel ? parallel : reductions)
          .push_back(dim);
    parallel.pop_back();
    parallel.append(reductions);
    int64_t products = 1;
    for (int64_t bound : bounds)
      products *= bound;
    SmallVector<unsigned> looped;
    for (unsigned dim : parallel) {
      if (products <= kIterationProducts)
        break;
      looped.push_back(dim);
      products /= bounds[dim];
    }
    return looped;
  }

  /// Allocate the buffer once, even if the contraction is in a loop.
  static Value storeToPrivateMemory(PatternRewriter &rewriter,
                                    vector::ContractionOp op, Value value) {
    Location loc = value.getLoc();
    auto vector = cast<VectorType>(value.getType());
    auto space = gpu::AddressSpaceAttr::get(
        rewriter.getContext(), gpu::GPUDialect::getPrivateAddressSpace());
    auto type = MemRefType::get(vector.getShape(), vector.getElementType(),
                                MemRefLayoutAttrInterface(), space);
    Operation *at = &*rewriter.getInsertionPoint();
    Value buffer;
    {
      OpBuilder::InsertionGuard guard(rewriter);
      auto kernel = at->getParentOfType<gpu::GPUFuncOp>();
      rewriter.setInsertionPointToStart(&kernel.getBody().front());
      buffer = memref::AllocaOp::create(rewriter, loc, type);
    }
    if (succeeded(copyOperand(rewriter, op, value, buffer)))
      return buffer;
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    write(rewriter, loc, value, buffer,
          SmallVector<Value>(vector.getRank(), zero));
    return buffer;
  }

  /// Copies an operand that is a constant or was read from memory to `buffer`
  /// row by row, where it was read. As one vector, it would be a long block of
  /// accesses.
  static LogicalResult copyOperand(PatternRewriter &rewriter,
                                   vector::ContractionOp op, Value value,
                                   Value buffer) {
    auto type = cast<VectorType>(value.getType());
    if (type.getRank() < 2)
      return failure();
    OpBuilder::InsertionGuard guard(rewriter);
    SplatElementsAttr splat;
    if (matchPattern(value, m_Constant(&splat))) {
      Value row = arith::ConstantOp::create(
          rewriter, value.getLoc(),
          DenseElementsAttr::get(getRowType(type),
                                 splat.getSplatValue<Attribute>()));
      forEachRow(rewriter, value.getLoc(), type, [&](ValueRange start) {
        write(rewriter, value.getLoc(), row, buffer, llvm::to_vector(start));
      });
      return success();
    }
    auto source = value.getDefiningOp<vector::TransferReadOp>();
    if (!source || !canSplitIntoRows(source, op))
      return failure();
    rewriter.setInsertionPoint(source);
    forEachRow(rewriter, source.getLoc(), type, [&](ValueRange start) {
      Value row = vector::TransferReadOp::create(
          rewriter, source.getLoc(), getRowType(type), source.getBase(),
          offsetIndices(rewriter, source, start), source.getPadding(),
          ArrayRef<bool>(source.getInBoundsValues()).take_back());
      write(rewriter, source.getLoc(), row, buffer, llvm::to_vector(start));
    });
    return success();
  }

  /// Copies the result to memory row by row, if this is its only use, where it
  /// is written.
  static LogicalResult copyResult(PatternRewriter &rewriter,
                                  vector::ContractionOp op, Value buffer) {
    auto type = cast<VectorType>(op.getResultType());
    if (type.getRank() < 2 || !op->hasOneUse())
      return failure();
    auto target = dyn_cast<vector::TransferWriteOp>(*op->user_begin());
    if (!target || !canSplitIntoRows(target, op))
      return failure();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(target);
    forEachRow(rewriter, target.getLoc(), type, [&](ValueRange start) {
      Value row = read(rewriter, target.getLoc(), getRowType(type), buffer,
                       llvm::to_vector(start));
      vector::TransferWriteOp::create(
          rewriter, target.getLoc(), row, target.getBase(),
          offsetIndices(rewriter, target, start),
          ArrayRef<bool>(target.getInBoundsValues()).take_back());
    });
    rewriter.eraseOp(target);
    return success();
  }

  /// Adds the products of the part at `position`, of the size `bounds`.
  static void createIteration(PatternRewriter &rewriter,
                              vector::ContractionOp op, ArrayRef<Value> buffers,
                              ArrayRef<int64_t> bounds,
                              ArrayRef<Value> position) {
    Location loc = op.getLoc();
    SmallVector<Value> parts, start;
    for (auto [buffer, map, operand] : llvm::zip_equal(
             buffers, op.getIndexingMapsArray(), op->getOperands())) {
      SmallVector<int64_t> shape;
      start.clear();
      for (AffineExpr expr : map.getResults()) {
        unsigned dim = cast<AffineDimExpr>(expr).getPosition();
        shape.push_back(bounds[dim]);
        start.push_back(position[dim]);
      }
      Type element = cast<VectorType>(operand.getType()).getElementType();
      parts.push_back(
          read(rewriter, loc, VectorType::get(shape, element), buffer, start));
    }
    Operation *part = rewriter.create(loc, op->getName().getIdentifier(), parts,
                                      parts[2].getType(), op->getAttrs());
    write(rewriter, loc, part->getResult(0), buffers[2], start);
  }
};

struct LowerDeviceVectors
    : aircc::GreedyPass<
          aircc::impl::LowerDeviceVectorsBase<LowerDeviceVectors>> {
  using GreedyPass::GreedyPass;

  void addPatterns(RewritePatternSet &patterns) final {
    aircc::populateVectorLoweringPatterns(patterns);
    patterns.add<LoopLargeContraction>(patterns.getContext(), /*benefit=*/10);
  }
};

} // namespace
