//===- FuseRows.cpp - Fuse reductions of rows with their users ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/kernels/ElementwiseTile.h"
#include "pipeline/dispatch/KernelRegion.h"
#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"
#include "pipeline/dispatch/WorkgroupLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_FUSEROWS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// The number of elements in a tile of rows that keeps the lanes of a workgroup
/// busy.
constexpr int64_t kElementsPerTile = 1024;

/// The number of columns in a tile is a multiple of this, with padding, if a
/// workgroup loops over its rows. Narrower tiles use only parts of cache lines.
constexpr int64_t kColumnsPerTile = 64;

/// This many tiles keep a device busy.
constexpr int64_t kManyTiles = 256;

/// Rows whose number of elements is a multiple of this are aligned for the
/// widest accesses.
constexpr int64_t kAlignedColumns = 8;

/// Ops that one kernel computes, row by row: the root, whose results the kernel
/// stores, and its producers.
struct RowGroup {
  linalg::GenericOp root;
  /// For each op, the loops over rows, in the order of the root's loops.
  DenseMap<Operation *, SmallVector<unsigned>> rows;
  /// The number of bytes of a row that remain in the workgroup.
  int64_t bytes = 0;

  bool contains(Operation *op) const { return rows.contains(op); }
};

/// Returns the loops that index a dimension of an operand on their own.
SmallVector<unsigned> getLoops(AffineMap map) {
  SmallVector<unsigned> loops;
  for (AffineExpr index : map.getResults())
    if (auto loop = dyn_cast<AffineDimExpr>(index))
      loops.push_back(loop.getPosition());
  return loops;
}

/// Returns the loops of `producer` that correspond to the loops `rows` of the
/// op that uses it with the indexing map `operand`. Returns nullopt if a row of
/// the user needs several rows of the producer.
std::optional<SmallVector<unsigned>> mapRows(linalg::GenericOp producer,
                                             unsigned result, AffineMap operand,
                                             ArrayRef<unsigned> rows) {
  AffineMap written =
      producer.getIndexingMapMatchingResult(producer->getResult(result));
  if (!written.isProjectedPermutation())
    return std::nullopt;
  SmallVector<unsigned> loops;
  for (unsigned row : rows) {
    std::optional<unsigned> dim =
        operand.getResultPosition(getAffineDimExpr(row, operand.getContext()));
    if (!dim)
      return std::nullopt;
    loops.push_back(cast<AffineDimExpr>(written.getResult(*dim)).getPosition());
  }
  return loops;
}

bool isReduction(linalg::GenericOp op) { return op.getNumReductionLoops() > 0; }

/// Returns whether each iteration of `op` computes the elements of these
/// results at the same position.
bool haveSamePlaces(linalg::GenericOp op, ValueRange results) {
  return llvm::all_equal(llvm::map_range(results, [&](Value result) {
    return op.getIndexingMapMatchingResult(cast<OpResult>(result));
  }));
}

/// Returns the number of elements that `op` computes for one row; nullopt if
/// the size is dynamic.
std::optional<int64_t> countElements(linalg::GenericOp op,
                                     ArrayRef<unsigned> rows) {
  int64_t elements = 1;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    if (llvm::is_contained(rows, loop))
      continue;
    if (ShapedType::isDynamic(size) || size == 0)
      return std::nullopt;
    elements *= size;
  }
  return elements;
}

/// Returns whether `op` reduces elements of different rows of memory.
bool isOfColumns(linalg::GenericOp op) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  return !loops.empty() && llvm::none_of(loops, [&](unsigned loop) {
    return dispatch::visitsAdjacentElements(op, loop);
  });
}

/// Returns whether a workgroup can divide the elements of many columns evenly
/// among its lanes, because their number is a power of two or a small multiple
/// of one.
bool isDividedByLanes(linalg::GenericOp op) {
  if (!isOfColumns(op))
    return false;
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  uint64_t reduced = 1;
  for (unsigned loop : loops)
    reduced *= op.getStaticLoopRanges()[loop];
  return (reduced >> llvm::countr_zero(reduced)) < 8;
}

/// Returns whether each output element is combined with the elements of a row
/// by a single op, in any order.
bool combinesElements(linalg::GenericOp op) {
  return llvm::all_of(llvm::seq<unsigned>(op.getNumDpsInits()),
                      [&](unsigned i) { return findCombiner(op, i); });
}

/// Returns whether a workgroup can loop over the rows of many columns. This
/// holds if `op` is a reduction of one dimension of known size, or computes a
/// result for each column.
bool isLoopOverColumns(linalg::GenericOp op, ArrayRef<unsigned> rows) {
  std::optional<int64_t> elements = countElements(op, rows);
  if (!isReduction(op))
    return elements == 1;
  return elements && op.getNumReductionLoops() == 1 && isOfColumns(op) &&
         op.getNumParallelLoops() == rows.size() && combinesElements(op) &&
         dispatch::visitsAdjacentElements(op, rows.back());
}

/// Returns whether a workgroup loops over the elements of each row because
/// their number is dynamic or large.
bool isLoopedOver(linalg::GenericOp op, ArrayRef<unsigned> rows) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  unsigned last = op.getNumLoops() - 1;
  for (unsigned loop = 0; loop < last; ++loop)
    if (!llvm::is_contained(rows, loop) && sizes[loop] != 1)
      return false;
  return op.getNumLoops() > 0 && !llvm::is_contained(rows, last) &&
         (ShapedType::isDynamic(sizes[last]) ||
          sizes[last] > dispatch::maxReducedElements);
}

/// Returns whether `op` computes partial results, so that there are more
/// workgroups than `rows`.
bool hasPartialResults(linalg::GenericOp op, ArrayRef<unsigned> rows) {
  std::optional<int64_t> elements = countElements(op, rows);
  return isReduction(op) && elements &&
         dispatch::isReducedInParts(*elements, /*isRow=*/!isOfColumns(op)) &&
         op.getNumParallelLoops() > rows.size();
}

/// Returns whether a workgroup can compute a row of `op`.
bool isRowSupported(linalg::GenericOp op, ArrayRef<unsigned> rows) {
  return countElements(op, rows) ||
         (isLoopedOver(op, rows) && (!isReduction(op) || combinesElements(op)));
}

class FuseRows : public dispatch::impl::FuseRowsBase<FuseRows> {
public:
  using FuseRowsBase::FuseRowsBase;

  void runOnOperation() final;

private:
  void fuse(func::FuncOp function);
  std::optional<RowGroup> formGroup(linalg::GenericOp root);
  bool join(RowGroup &group, linalg::GenericOp producer);
  bool tile(IRRewriter &rewriter, const RowGroup &group);
};

/// Adds `producer` to the group if all its users are in the group and compute a
/// row from one row of it.
bool FuseRows::join(RowGroup &group, linalg::GenericOp producer) {
  if (producer->getBlock() != group.root->getBlock() ||
      !producer.hasPureTensorSemantics() ||
      linalg::isaContractionOpInterface(producer) ||
      linalg::isaConvolutionOpInterface(producer))
    return false;
  std::optional<SmallVector<unsigned>> rows;
  for (OpOperand &use : producer->getUses()) {
    auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!user || !group.contains(user))
      return false;
    auto these = mapRows(producer, cast<OpResult>(use.get()).getResultNumber(),
                         user.getMatchingIndexingMap(&use), group.rows[user]);
    if (!these || (rows && *rows != *these))
      return false;
    rows = these;
  }
  if (!rows || !isRowSupported(producer, *rows) ||
      hasPartialResults(producer, *rows))
    return false;
  std::optional<int64_t> elements = countElements(producer, *rows);
  if (!elements && !isReduction(producer))
    return false;
  int64_t size = 0;
  for (Value init : producer.getDpsInits())
    size += dispatch::countBytes(getElementTypeOrSelf(init));
  if (isReduction(producer))
    elements = 1; // One result per row, or few.
  if (group.bytes + size * *elements > int64_t(ldsBytes) / 2)
    return false;
  group.bytes += size * *elements;
  group.rows[producer] = std::move(*rows);
  return true;
}

/// Forms the group of `root`. Its rows are the loops of the root that index
/// results of reductions.
std::optional<RowGroup> FuseRows::formGroup(linalg::GenericOp root) {
  if (!root.hasPureTensorSemantics() || root->getNumResults() == 0 ||
      !haveSamePlaces(root, root->getResults()) ||
      linalg::isaContractionOpInterface(root))
    return std::nullopt;
  SmallVector<unsigned> parallel;
  root.getParallelDims(parallel);
  std::optional<SmallVector<unsigned>> rows;
  for (OpOperand *operand : root.getDpsInputOperands()) {
    auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
    if (!producer || !isReduction(producer) ||
        linalg::isaContractionOpInterface(producer))
      continue;
    SmallVector<unsigned> loops =
        getLoops(root.getMatchingIndexingMap(operand));
    llvm::erase_if(loops, [&](unsigned loop) {
      return !llvm::is_contained(parallel, loop) ||
             (rows && !llvm::is_contained(*rows, loop));
    });
    rows = loops;
  }
  if (!rows || rows->empty() || rows->size() > dispatch::maxWorkgroupLoops ||
      !isRowSupported(root, *rows) || hasPartialResults(root, *rows))
    return std::nullopt;
  llvm::sort(*rows);
  RowGroup group;
  group.root = root;
  group.rows[root] = *rows;
  bool hasReduction = false;
  // Users follow their producers, so in reverse order each producer is visited
  // after all of its users.
  for (Operation *op = root->getPrevNode(); op; op = op->getPrevNode())
    if (auto producer = dyn_cast<linalg::GenericOp>(op))
      if (!producer->use_empty() && join(group, producer))
        hasReduction |= isReduction(producer);
  if (!hasReduction)
    return std::nullopt;
  return group;
}

/// Returns the loop of the root to tile, and the tile size, if a row has more
/// elements than a workgroup computes at once. Each workgroup then repeats the
/// reduction of its row, which must therefore be cheap.
std::optional<std::pair<unsigned, int64_t>>
getColumnTiles(const RowGroup &group) {
  linalg::GenericOp root = group.root;
  ArrayRef<unsigned> rows = group.rows.find(root)->second;
  std::optional<int64_t> elements = countElements(root, rows);
  if (isReduction(root) || rows.size() == dispatch::maxWorkgroupLoops ||
      !elements || *elements <= dispatch::maxReducedElements)
    return std::nullopt;
  unsigned loop = root.getNumLoops() - 1;
  int64_t size = root.getStaticLoopRanges()[loop];
  int64_t tile = kElementsPerTile * 4;
  while (tile >= kElementsPerTile && size % tile != 0)
    tile /= 2;
  if (llvm::is_contained(rows, loop) || tile < kElementsPerTile ||
      *elements != size)
    return std::nullopt;
  for (auto &[op, loops] : group.rows)
    if (auto generic = cast<linalg::GenericOp>(op);
        isReduction(generic) &&
        countElements(generic, loops).value_or(tile) > tile / 4)
      return std::nullopt;
  return std::pair(loop, tile);
}

/// Returns the number of rows in a tile, out of `size` rows of `elements` each;
/// a tile has at most `limit` elements. Uses only full tiles, because shapes in
/// the kernel are constant. There are at least two tiles, because a loop of one
/// iteration would be folded, and the kernel with it.
int64_t chooseTileRows(int64_t size, int64_t elements, int64_t limit) {
  int64_t rows = 1;
  while (!ShapedType::isDynamic(size) && size % (2 * rows) == 0 &&
         size > 2 * rows && 2 * rows * elements <= limit)
    rows *= 2;
  return rows;
}

/// Returns the number of columns in a tile over whose rows a workgroup loops: a
/// divisor of `size` that is at most `limit`, such that `others` groups of
/// columns have enough tiles in total. Returns 0 if there is no such number.
int64_t chooseTileColumns(int64_t size, int64_t limit, int64_t others) {
  if (ShapedType::isDynamic(size))
    return 0;
  int64_t best = 0, tiles = 0;
  for (int64_t columns = std::min({size, limit, kElementsPerTile});
       columns >= kColumnsPerTile && tiles < kManyTiles; --columns) {
    if (size % columns != 0 || columns % kAlignedColumns != 0 ||
        int64_t(llvm::alignTo(columns, kColumnsPerTile)) * 3 > columns * 4 ||
        others * size / columns < 2)
      continue;
    best = columns;
    tiles = others * size / columns;
  }
  return best;
}

/// Tiles the root such that each workgroup computes a few rows, and fuses the
/// producers.
bool FuseRows::tile(IRRewriter &rewriter, const RowGroup &group) {
  linalg::GenericOp root = group.root;
  SmallVector<int64_t> ranges = root.getStaticLoopRanges();
  SmallVector<unsigned> rowLoops(group.rows.find(root)->second);
  int64_t elements = 1, trips = 1;
  bool areColumns = false, areLoops = true;
  for (auto &[op, rows] : group.rows) {
    auto generic = cast<linalg::GenericOp>(op);
    elements = std::max(
        elements, countElements(generic, rows).value_or(kElementsPerTile));
    areColumns |= isDividedByLanes(generic);
    areLoops &= isLoopOverColumns(generic, rows);
  }
  // Adjacent columns are accessed together, so use more of them.
  int64_t tileRows = chooseTileRows(ranges[rowLoops.back()], elements,
                                    areColumns ? dispatch::maxReducedElements
                                               : kElementsPerTile);
  if (tileRows < kColumnsPerTile && areLoops) {
    int64_t others = 1;
    for (unsigned loop : ArrayRef(rowLoops).drop_back())
      others *= ShapedType::isDynamic(ranges[loop]) ? kManyTiles : ranges[loop];
    int64_t limit = int64_t(ldsBytes) / 2 / std::max<int64_t>(group.bytes, 1);
    tileRows = std::max(
        tileRows, chooseTileColumns(ranges[rowLoops.back()], limit, others));
  }
  SmallVector<OpFoldResult> sizes(ranges.size(), rewriter.getIndexAttr(0));
  for (unsigned loop : rowLoops) {
    bool isLast = loop == rowLoops.back();
    sizes[loop] = rewriter.getIndexAttr(isLast ? tileRows : 1);
    if (!ShapedType::isDynamic(ranges[loop]))
      trips *= ranges[loop] / (isLast ? tileRows : 1);
    else
      trips = std::numeric_limits<int32_t>::max();
  }
  if (auto columns = getColumnTiles(group)) {
    auto [loop, size] = *columns;
    sizes[loop] = rewriter.getIndexAttr(size);
    trips *= ranges[loop] / size;
  }
  if (trips < 2)
    return false;
  return succeeded(dispatch::tileToWorkgroups(
      rewriter, root, sizes, [&](Operation *producer) {
        return group.contains(producer) || isa<linalg::FillOp>(producer);
      }));
}

SmallVector<Value> getUsedResults(linalg::GenericOp op) {
  return llvm::filter_to_vector(
      llvm::map_range(op->getResults(), [](Value v) { return v; }),
      [](Value result) { return !result.use_empty(); });
}

/// Returns whether `op` is a reduction such as a sum, or computes the largest
/// element and its index, one or both of which are used, and starts with filled
/// tensors.
bool isSelection(linalg::GenericOp op) {
  SmallVector<Value> used = getUsedResults(op);
  return isReduction(op) && op.hasPureTensorSemantics() &&
         !linalg::isaContractionOpInterface(op) &&
         !linalg::isaConvolutionOpInterface(op) && !used.empty() &&
         haveSamePlaces(op, used) &&
         llvm::all_of(op.getDpsInits(), [](Value init) {
           return init.getDefiningOp<linalg::FillOp>() != nullptr;
         });
}

/// Handles a reduction that has no user in its kernel: a copy of the used
/// results becomes the root, and the kernel does not store the other results.
linalg::GenericOp createRoot(IRRewriter &rewriter,
                             linalg::GenericOp selection) {
  SmallVector<Value> results = getUsedResults(selection);
  SmallVector<OpOperand *> uses;
  for (Value result : results)
    for (OpOperand &use : result.getUses())
      uses.push_back(&use);
  rewriter.setInsertionPointAfter(selection);
  linalg::GenericOp copy =
      dispatch::createCopy(rewriter, selection.getLoc(), results);
  for (OpOperand *use : uses) {
    auto number = llvm::find(results, use->get()) - results.begin();
    rewriter.modifyOpInPlace(use->getOwner(),
                             [&] { use->set(copy->getResult(number)); });
  }
  return copy;
}

void FuseRows::fuse(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  SmallVector<linalg::GenericOp> roots;
  function.walk([&](linalg::GenericOp op) {
    if (!dispatch::isInKernel(op))
      roots.push_back(op);
  });
  for (linalg::GenericOp op : roots)
    if (op->getNumResults() > 1 && getUsedResults(op).size() == 1 &&
        isSelection(op))
      createRoot(rewriter, op);
  roots.clear();
  function.walk([&](linalg::GenericOp op) {
    if (!dispatch::isInKernel(op))
      roots.push_back(op);
  });
  bool changed = false;
  DenseSet<Operation *> fused;
  for (linalg::GenericOp root : llvm::reverse(roots)) {
    if (fused.contains(root))
      continue;
    std::optional<RowGroup> group = formGroup(root);
    if (!group || !tile(rewriter, *group))
      continue;
    changed = true;
    for (auto &[op, rows] : group->rows)
      fused.insert(op);
  }
  // Handle other reductions.
  for (linalg::GenericOp op : llvm::reverse(roots)) {
    if (fused.contains(op) || !isSelection(op))
      continue;
    linalg::GenericOp copy = createRoot(rewriter, op);
    std::optional<RowGroup> group = formGroup(copy);
    if (group && tile(rewriter, *group)) {
      changed = true;
      continue;
    }
    rewriter.replaceOp(copy, copy.getDpsInputs());
  }
  if (changed)
    dispatch::finishWorkgroupLoops(function);
}

void FuseRows::runOnOperation() {
  for (func::FuncOp function : dispatch::getTensorFunctions(getOperation()))
    fuse(function);
}

} // namespace
