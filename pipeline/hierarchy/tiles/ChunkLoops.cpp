//===- ChunkLoops.cpp - Loops over chunks of long tiles -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Vectors that hold all elements of a row are limited by the number of
// registers, and require a known row size. Ops on longer rows, and on rows of
// dynamic size, become loops over chunks of the rows. The elements after the
// last whole chunk form a shorter chunk, whose vectors are padded. Reductions
// of many columns become loops over chunks of a few rows of memory.
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/hierarchy/execution/Workers.h"
#include "pipeline/hierarchy/tiles/CooperativeOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;

namespace aircc::hierarchy {

namespace {

/// The number of registers that a lane uses for the elements of an operand in a
/// chunk: several 128-bit accesses, which wait for memory at the same time. Few
/// workgroups reduce columns, so each accesses more at a time.
constexpr int64_t kRegistersPerChunk = 8, kRegistersOfColumns = 32;

/// The bits that a lane reads at once.
constexpr int64_t kAccessBits = 128;

class ChunkLoops {
public:
  ChunkLoops(RewriterBase &rewriter, linalg::LinalgOp op, int64_t workers)
      : b(rewriter), op(op), loc(op.getLoc()), workers(workers),
        loop(op.getNumLoops() - 1) {}

  /// Chooses the sizes of chunks. Returns false if `op` must remain unchanged.
  bool analyze();
  void create();

private:
  bool chooseSizes();
  bool chooseColumns();
  bool analyzeReduction();
  Value getSize();
  Value createPart(Value memref, AffineMap map, Value offset,
                   OpFoldResult size);
  SmallVector<Value> createChunk(Value offset, OpFoldResult size,
                                 ValueRange accs);
  Value replaceAccumulator(Value buffer, Value acc, Value mask);
  void finishReduction(ValueRange accs);

  RewriterBase &b;
  linalg::LinalgOp op;
  Location loc;
  int64_t workers;
  /// The loop that is divided: the last one, or the reduction loop.
  unsigned loop;
  bool isReduction = false;
  /// The sizes of the vectors of a chunk.
  SmallVector<int64_t> sizes;
  /// The combiners of the outputs of a reduction.
  SmallVector<Operation *> combiners;
};

bool ChunkLoops::chooseSizes() {
  sizes = op.getStaticLoopRanges();
  int64_t size = sizes.back();
  int64_t others = llvm::product_of(ArrayRef(sizes).drop_back());
  if (llvm::is_contained(ArrayRef(sizes).drop_back(), ShapedType::kDynamic) ||
      others == 0)
    return false;
  // The lanes divide several dimensions of constant size among them, and each
  // lane reduces few elements.
  if (!ShapedType::isDynamic(size) &&
      (isReduction ? others * size * 4 < workers
                   : others != 1 || size < workers))
    return false;
  int64_t unit = workers / std::gcd(workers, others);
  int64_t elements =
      workers * kRegistersPerChunk * 32 / countElementBits(op) / others;
  if (!ShapedType::isDynamic(size))
    elements = std::min(elements, int64_t(llvm::alignTo(size, unit)));
  sizes.back() = elements / unit * unit;
  return sizes.back() > 0;
}

/// Chooses the number of rows in a chunk of all columns. The number of columns
/// is padded so that each lane has equally many elements, if possible those of
/// whole accesses.
bool ChunkLoops::chooseColumns() {
  sizes = op.getStaticLoopRanges();
  if (llvm::is_contained(sizes, 0))
    return false;
  int64_t columns = sizes.back(),
          others = llvm::product_of(sizes) / sizes[loop] / columns;
  int64_t limit =
      workers * kRegistersOfColumns * 32 / countElementBits(op) / others;
  int64_t access = kAccessBits / countElementBits(op);
  for (int64_t rows = llvm::bit_floor<uint64_t>(
           std::min(sizes[loop], std::max<int64_t>(limit / columns, 1)));
       rows > 0; rows /= 2) {
    int64_t lanes = workers / std::gcd(workers, rows * others);
    int64_t padded = llvm::alignTo(columns, lanes * access);
    if (padded * rows > limit || padded * 3 > columns * 4)
      padded = llvm::alignTo(columns, lanes);
    if (padded * rows > limit || padded * 3 > columns * 4)
      continue;
    sizes[loop] = rows;
    sizes.back() = padded;
    return true;
  }
  return false;
}

bool ChunkLoops::analyzeReduction() {
  // Products use their operands several times, and are slow in this form.
  if (llvm::none_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
        return op.getMatchingIndexingMap(operand).isPermutation();
      }))
    return false;
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
    Operation *combiner = findCombiner(op, i);
    if (!combiner)
      return false;
    // A vector reduction does not transpose: its result keeps the order of the
    // remaining dimensions.
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(i));
    SmallVector<unsigned> kept =
        llvm::map_to_vector(map.getResults(), [](AffineExpr result) {
          return cast<AffineDimExpr>(result).getPosition();
        });
    if (kept.empty() || kept.size() != op.getNumParallelLoops() ||
        !llvm::is_sorted(kept))
      return false;
    combiners.push_back(combiner);
  }
  return true;
}

bool ChunkLoops::analyze() {
  if (op.getNumLoops() == 0)
    return false;
  isReduction =
      op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  if (!isReduction && reduced.size() == 1 && !op.hasDynamicShape() &&
      op.getStaticLoopRanges()[reduced.front()] > 1) {
    loop = reduced.front();
    isReduction = true;
    return chooseColumns() && analyzeReduction();
  }
  if (!chooseSizes())
    return false;
  if (isReduction)
    return analyzeReduction();
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return op.getMatchingIndexingMap(&init).isFunctionOfDim(loop);
  });
}

/// Returns the size of the divided loop.
Value ChunkLoops::getSize() {
  int64_t size = op.getStaticLoopRanges()[loop];
  if (!ShapedType::isDynamic(size))
    return arith::ConstantIndexOp::create(b, loc, size);
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (auto dim = map.getResultPosition(b.getAffineDimExpr(loop)))
      return memref::DimOp::create(b, loc, operand.get(), *dim);
  }
  llvm_unreachable("a loop without an operand that it indexes");
}

/// Returns the part of `memref` that a chunk accesses.
Value ChunkLoops::createPart(Value memref, AffineMap map, Value offset,
                             OpFoldResult size) {
  auto divided = map.getResultPosition(b.getAffineDimExpr(loop));
  if (!divided)
    return memref;
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, loc, memref);
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  offsets[*divided] = offset;
  sizes[*divided] = size;
  return memref::SubViewOp::create(b, loc, memref, offsets, sizes, strides);
}

/// Replaces the accesses to `buffer`, which represents the accumulator `acc`,
/// and erases the buffer. Returns the new value of the accumulator, which
/// changes only where `mask`, if there is one, is set.
Value ChunkLoops::replaceAccumulator(Value buffer, Value acc, Value mask) {
  Value result = acc;
  for (Operation *user : llvm::make_early_inc_range(buffer.getUsers())) {
    if (auto read = dyn_cast<vector::TransferReadOp>(user)) {
      b.replaceOp(read, acc);
      continue;
    }
    auto write = cast<vector::TransferWriteOp>(user);
    result = write.getVector();
    if (mask) {
      b.setInsertionPoint(write);
      auto select = arith::SelectOp::create(b, loc, mask, result, acc);
      tagUndistributed(select, getScope(op));
      result = select;
    }
    b.eraseOp(write);
  }
  b.eraseOp(buffer.getDefiningOp());
  return result;
}

/// Creates the ops for the chunk of `size` elements at `offset`. Returns the
/// new values of the accumulators of a reduction.
SmallVector<Value> ChunkLoops::createChunk(Value offset, OpFoldResult size,
                                           ValueRange accs) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  if (isReduction) {
    // Accumulate elementwise across chunks; finishReduction() reduces the
    // elements of the accumulators.
    iterators.assign(iterators.size(), utils::IteratorType::parallel);
    for (unsigned i = op.getNumDpsInputs(); i < maps.size(); ++i)
      maps[i] = b.getMultiDimIdentityMap(op.getNumLoops());
  }
  SmallVector<OpFoldResult> chunkSizes;
  for (int64_t extent : op.getStaticLoopRanges())
    chunkSizes.push_back(b.getIndexAttr(extent));
  chunkSizes[loop] = size;
  SmallVector<Value> inputs, outputs;
  for (OpOperand *operand : op.getDpsInputOperands())
    inputs.push_back(createPart(
        operand->get(), op.getMatchingIndexingMap(operand), offset, size));
  auto [shape, dynamic] = decomposeMixedValues(chunkSizes);
  for (OpOperand &init : op.getDpsInitsMutable())
    outputs.push_back(
        isReduction
            ? memref::AllocaOp::create(
                  b, loc,
                  MemRefType::get(shape, getElementTypeOrSelf(init.get())),
                  dynamic)
            : createPart(init.get(), op.getMatchingIndexingMap(&init), offset,
                         size));
  Value mask;
  if (isReduction && shape[loop] != sizes[loop]) {
    SmallVector<Value> bounds =
        getValueOrCreateConstantIndexOp(b, loc, chunkSizes);
    mask = vector::CreateMaskOp::create(
        b, loc, VectorType::get(sizes, b.getI1Type()), bounds);
    tagUndistributed(mask.getDefiningOp(), getScope(op));
  }
  auto chunk = linalg::GenericOp::create(b, loc, TypeRange(), inputs, outputs,
                                         maps, iterators);
  b.cloneRegionBefore(op->getRegion(0), chunk.getRegion(),
                      chunk.getRegion().end());
  // The loop over a chunk counts from its first element.
  for (auto index :
       llvm::make_early_inc_range(chunk.getBody()->getOps<linalg::IndexOp>())) {
    if (index.getDim() != loop)
      continue;
    b.setInsertionPointAfter(index);
    auto whole = arith::AddIOp::create(b, loc, index, offset);
    b.replaceAllUsesExcept(index, whole, whole);
  }
  b.setInsertionPointAfter(chunk);
  bool isVectorized = vectorizeUndistributed(b, chunk, sizes);
  assert((isVectorized || !isReduction) && "not an elementwise op");
  (void)isVectorized;
  SmallVector<Value> results;
  for (auto [buffer, acc] : llvm::zip(outputs, accs))
    results.push_back(replaceAccumulator(buffer, acc, mask));
  return results;
}

/// Combines the elements of each accumulator with the output.
void ChunkLoops::finishReduction(ValueRange accs) {
  SmallVector<bool> isReduced = llvm::map_to_vector(
      op.getIteratorTypesArray(), linalg::isReductionIterator);
  for (auto [i, acc] : llvm::enumerate(accs)) {
    Value buffer = op.getDpsInitOperand(i)->get();
    auto type = cast<MemRefType>(buffer.getType());
    SmallVector<Value> zeros(type.getRank(),
                             arith::ConstantIndexOp::create(b, loc, 0));
    SmallVector<int64_t> shape;
    SmallVector<bool> inBounds;
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(i));
    for (auto [dim, result] : llvm::enumerate(map.getResults())) {
      shape.push_back(sizes[cast<AffineDimExpr>(result).getPosition()]);
      inBounds.push_back(shape.back() == type.getDimSize(dim));
    }
    Value padding =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
    auto start = vector::TransferReadOp::create(
        b, loc, VectorType::get(shape, type.getElementType()), buffer, zeros,
        padding, inBounds);
    auto reduced = vector::MultiDimReductionOp::create(
        b, loc, acc, start, isReduced,
        *linalg::getCombinerOpKind(combiners[i]));
    auto write = vector::TransferWriteOp::create(b, loc, reduced, buffer, zeros,
                                                 inBounds);
    for (Operation *made :
         {start.getOperation(), reduced.getOperation(), write.getOperation()})
      tagUndistributed(made, getScope(op));
  }
}

void ChunkLoops::create() {
  b.setInsertionPoint(op);
  SmallVector<Value> accs;
  for (Operation *combiner : combiners) {
    TypedAttr neutral = *arith::getNeutralElement(combiner);
    accs.push_back(arith::ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(VectorType::get(sizes, neutral.getType()),
                               ArrayRef<Attribute>(neutral))));
  }
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value step = arith::ConstantIndexOp::create(b, loc, sizes[loop]);
  Value size = getSize();
  Value rest = b.createOrFold<arith::RemUIOp>(loc, size, step);
  Value whole = b.createOrFold<arith::SubIOp>(loc, size, rest);
  auto chunks = scf::ForOp::create(b, loc, zero, whole, step, accs);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(chunks.getBody());
    SmallVector<Value> results =
        createChunk(chunks.getInductionVar(), b.getIndexAttr(sizes[loop]),
                    chunks.getRegionIterArgs());
    if (isReduction) {
      b.setInsertionPointToEnd(chunks.getBody());
      scf::YieldOp::create(b, loc, results);
    }
  }
  accs = llvm::to_vector_of<Value>(chunks.getResults());
  if (!isZeroInteger(getAsOpFoldResult(rest)))
    accs = createChunk(whole, getAsOpFoldResult(rest), accs);
  finishReduction(accs);
  b.eraseOp(op);
}

} // namespace

bool vectorizeInChunks(RewriterBase &rewriter, linalg::LinalgOp op,
                       int64_t waveSize) {
  std::optional<int64_t> workers = getCooperatingWorkers(op, waveSize);
  if (!workers)
    return false;
  ChunkLoops loops(rewriter, op, *workers);
  if (!loops.analyze())
    return false;
  loops.create();
  return true;
}

} // namespace aircc::hierarchy
