//===- MatrixAnchors.cpp - Contractions by matrix instructions ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/MatrixAnchors.h"

#include "dialects/layout/algebra/MatrixLayout.h"

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <functional>
#include <tuple>

using namespace mlir;

namespace aircc::layout {

namespace {

/// What a contraction multiplies: the innermost m, n and k are those of the
/// instruction, all other dimensions repeat it.
struct Problem {
  vector::ContractionOp op;
  SmallVector<int64_t> bounds;
  int64_t m, n, k;
  /// The dimensions that are not reduced.
  SmallVector<int64_t> parallel;
  /// The dimensions of each operand, in its order.
  std::array<SmallVector<int64_t>, 3> dims;
};

std::string nameOf(Type type) {
  std::string name;
  llvm::raw_string_ostream os(name);
  os << type;
  return name;
}

} // namespace

static std::optional<Problem> analyse(vector::ContractionOp op) {
  if (op.getKind() != vector::CombiningKind::ADD ||
      !isa<VectorType>(op.getAccType()))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(maps);
  if (failed(dims) || dims->m.empty() || dims->n.empty() || dims->k.empty())
    return std::nullopt;
  Problem problem{op,
                  {},
                  static_cast<int64_t>(dims->m.back()),
                  static_cast<int64_t>(dims->n.back()),
                  static_cast<int64_t>(dims->k.back()),
                  {},
                  {}};
  op.getIterationBounds(problem.bounds);
  for (auto [d, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type == vector::IteratorType::parallel)
      problem.parallel.push_back(d);
  for (unsigned i = 0; i < 3; ++i)
    for (unsigned r = 0; r < maps[i].getNumResults(); ++r)
      problem.dims[i].push_back(maps[i].getDimPosition(r));
  return problem;
}

/// What operand `number` is to the instruction.
static const OperandLayout &getOperand(const MatrixInstruction &instruction,
                                       unsigned number) {
  return number == 0   ? instruction.a
         : number == 1 ? instruction.b
                       : instruction.c;
}

/// The layout of operand `number` in the instruction.
static Result<NestedLayout> getTile(const MatrixInstruction &instruction,
                                    unsigned number) {
  const OperandLayout &operand = getOperand(instruction, number);
  return NestedLayout::get(
      NestedParams::ofInstruction(operand.outerTile, operand.threadTile,
                                  operand.elementTile, operand.threadStrides));
}

/// The part of dimension `d` in it.
static std::optional<DimTiles> getTile(const Problem &problem,
                                       const MatrixInstruction &instruction,
                                       unsigned number, int64_t d) {
  auto tile = getTile(instruction, number);
  if (!tile)
    return std::nullopt;
  if (d == (number == 1 ? problem.k : problem.m))
    return tile->dim(0);
  if (d == (number == 0 ? problem.k : problem.n))
    return tile->dim(1);
  return DimTiles();
}

namespace {
/// How the instruction is repeated along each dimension of the iteration space.
struct Dealing {
  SmallVector<int64_t> waves, strides;
  /// So many repetitions have neighbouring elements in each lane, which one
  /// access to memory then moves, instead of elements a turn of the lanes
  /// apart.
  SmallVector<int64_t> runs;
};
} // namespace

/// The layout of operand `number`: the instruction's tile in its dimensions,
/// repeated over the others, over waves and within them.
static std::optional<NestedLayout> layOut(const Problem &problem,
                                          const MatrixInstruction &instruction,
                                          unsigned number,
                                          const Dealing &dealing) {
  std::vector<DimTiles> dims;
  for (int64_t d : problem.dims[number]) {
    std::optional<DimTiles> dim = getTile(problem, instruction, number, d);
    if (!dim)
      return std::nullopt;
    int64_t repeated = dim->size() * dealing.waves[d] * dealing.runs[d];
    if (problem.bounds[d] % repeated != 0 ||
        (dealing.runs[d] > 1 && dim->values() != dim->element))
      return std::nullopt;
    dim->subgroup = dealing.waves[d];
    dim->subgroupStride = dealing.strides[d];
    dim->batch *= problem.bounds[d] / repeated;
    dim->element *= dealing.runs[d];
    dims.push_back(*dim);
  }
  auto layout = NestedLayout::ofDims(std::move(dims));
  if (!layout)
    return std::nullopt;
  return *layout;
}

bool worksOnRows(vector::ContractionOp contract) {
  std::optional<Problem> problem = analyse(contract);
  if (!problem)
    return false;
  const SmallVector<int64_t> &dims = problem->dims[2];
  int64_t columns = llvm::find(dims, problem->n) - dims.begin();
  // What is computed of the result, value by value.
  SmallVector<Operation *> pending = {contract};
  SmallPtrSet<Operation *, 16> seen;
  while (!pending.empty())
    for (OpOperand &use : pending.pop_back_val()->getResult(0).getUses()) {
      Operation *user = use.getOwner();
      if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(user))
        if (use.getOperandNumber() == 0 &&
            llvm::is_contained(reduction.getReductionDims(), columns))
          return true;
      if (isa<vector::ContractionOp>(user) && use.getOperandNumber() == 0)
        return true;
      if (OpTrait::hasElementwiseMappableTraits(user) &&
          user->getNumResults() == 1 && seen.insert(user).second)
        pending.push_back(user);
    }
  // What the left factor was computed of.
  SmallVector<Value> sources = {contract.getLhs()};
  seen.clear();
  while (!sources.empty()) {
    Operation *source = sources.pop_back_val().getDefiningOp();
    if (!source || !seen.insert(source).second)
      continue;
    if (isa<vector::ContractionOp>(source))
      return true;
    if (OpTrait::hasElementwiseMappableTraits(source))
      llvm::append_range(sources, source->getOperands());
  }
  return false;
}

/// Whether each repetition of the instruction gets operands that belong
/// together, by all waves in the same way. A wave reduces by itself.
static bool fitsInstruction(const Problem &problem,
                            const MatrixInstruction &instruction,
                            ArrayRef<const NestedLayout *> layouts) {
  const int64_t roles[3][2] = {
      {problem.m, problem.k}, {problem.k, problem.n}, {problem.m, problem.n}};
  std::vector<InstructionOperand> operands;
  std::vector<std::optional<DimTiles>> known(problem.bounds.size());
  for (unsigned number = 0; number < 3; ++number) {
    auto tile = getTile(instruction, number);
    if (!tile)
      return false;
    const SmallVector<int64_t> &dims = problem.dims[number];
    operands.push_back({*layouts[number], Ints(dims.begin(), dims.end()), *tile,
                        roles[number][0], roles[number][1]});
    for (auto [i, d] : llvm::enumerate(dims)) {
      const DimTiles &dim = layouts[number]->dim(i);
      if (dim.subgroup > 1 && !llvm::is_contained(problem.parallel, d))
        return false;
      if (known[d] && (known[d]->subgroup != dim.subgroup ||
                       known[d]->subgroupStride != dim.subgroupStride))
        return false;
      known[d] = dim;
    }
  }
  return !checkInstructionOperands(operands);
}

/// How many tiles of the instruction there are along a dimension; 0 if they do
/// not divide it.
static int64_t countTiles(const Problem &problem,
                          const MatrixInstruction &instruction, int64_t d) {
  int64_t tile = d == problem.m   ? instruction.m
                 : d == problem.n ? instruction.n
                 : d == problem.k ? instruction.k
                                  : 1;
  return problem.bounds[d] % tile == 0 ? problem.bounds[d] / tile : 0;
}

/// Elements of both factors that one wave reads.
static int64_t getTraffic(const Problem &problem, ArrayRef<int64_t> waves) {
  int64_t sum = 0;
  for (unsigned number : {0u, 1u}) {
    int64_t elements = 1;
    for (int64_t d : problem.dims[number])
      elements *= problem.bounds[d] / waves[d];
    sum += elements;
  }
  return sum;
}

/// Waves in the order of the dimensions, the last one fastest.
static SmallVector<int64_t> getStrides(const Problem &problem,
                                       ArrayRef<int64_t> waves) {
  SmallVector<int64_t> strides(waves.size(), 0);
  int64_t stride = 1;
  for (int64_t d : llvm::reverse(problem.parallel)) {
    strides[d] = stride;
    stride *= waves[d];
  }
  return strides;
}

static std::optional<MatrixAnchor>
layOutAll(const Problem &problem, const MatrixInstruction &instruction,
          const Dealing &dealing) {
  auto lhs = layOut(problem, instruction, 0, dealing);
  auto rhs = layOut(problem, instruction, 1, dealing);
  auto acc = layOut(problem, instruction, 2, dealing);
  if (!lhs || !rhs || !acc ||
      !fitsInstruction(problem, instruction, {&*lhs, &*rhs, &*acc}))
    return std::nullopt;
  return MatrixAnchor{&instruction, *lhs, *rhs, *acc, dealing.waves};
}

/// The longest run of repetitions along `d` whose elements one access of 128
/// bits moves for operand `number`.
static int64_t getRun(const Problem &problem,
                      const MatrixInstruction &instruction, unsigned number,
                      int64_t d, int64_t waves, Type element) {
  std::optional<DimTiles> tile = getTile(problem, instruction, number, d);
  unsigned bits = element.getIntOrFloatBitWidth();
  int64_t run = 1;
  while (tile && tile->element * run * 2 * bits <= 128 &&
         problem.bounds[d] % (tile->size() * waves * run * 2) == 0)
    run *= 2;
  return run;
}

std::optional<MatrixAnchor> chooseMatrixAnchor(vector::ContractionOp contract,
                                               Type lhsElement, Type rhsElement,
                                               const TargetProfile &profile,
                                               const Workgroup &workgroup,
                                               bool keepRows) {
  std::optional<Problem> problem = analyse(contract);
  if (!problem)
    return std::nullopt;
  std::string lhsName = nameOf(lhsElement), rhsName = nameOf(rhsElement),
              accName = nameOf(getElementTypeOrSelf(contract.getAccType()));

  // Busy waves, waves that share rows (negative), size of the instruction,
  // traffic (negative): more is better.
  using Score = std::tuple<int64_t, int64_t, int64_t, int64_t, int64_t>;
  std::optional<Score> best;
  const MatrixInstruction *instruction = nullptr;
  SmallVector<int64_t> bestWaves;
  for (const MatrixInstruction &candidate : profile.matrixInstructions) {
    if (candidate.a.type != lhsName || candidate.b.type != rhsName ||
        candidate.c.type != accName ||
        countTiles(*problem, candidate, problem->k) == 0)
      continue;
    SmallVector<int64_t> waves(problem->bounds.size(), 1);
    // Deals waves to the parallel dimensions from `index` on.
    std::function<void(size_t, int64_t)> deal = [&](size_t index,
                                                    int64_t left) {
      if (index == problem->parallel.size()) {
        Score score(workgroup.waves / left, keepRows ? -waves[problem->n] : 0,
                    candidate.m * candidate.n, candidate.k,
                    -getTraffic(*problem, waves));
        if (!best || score > *best) {
          best = score;
          instruction = &candidate;
          bestWaves = waves;
        }
        return;
      }
      int64_t d = problem->parallel[index];
      int64_t tiles = countTiles(*problem, candidate, d);
      for (int64_t count = 1; count <= std::min(left, tiles); ++count)
        if (left % count == 0 && tiles % count == 0) {
          waves[d] = count;
          deal(index + 1, left / count);
        }
      waves[d] = 1;
    };
    deal(0, workgroup.waves);
  }
  if (!best)
    return std::nullopt;
  Dealing dealing{bestWaves, getStrides(*problem, bestWaves),
                  SmallVector<int64_t>(bestWaves.size(), 1)};
  // Wide accesses along k to both factors, along n to the result.
  Dealing wide = dealing;
  wide.runs[problem->k] =
      std::min(getRun(*problem, *instruction, 0, problem->k, 1, lhsElement),
               getRun(*problem, *instruction, 1, problem->k, 1, rhsElement));
  wide.runs[problem->n] =
      getRun(*problem, *instruction, 2, problem->n, bestWaves[problem->n],
             getElementTypeOrSelf(contract.getAccType()));
  if (auto anchor = layOutAll(*problem, *instruction, wide))
    return anchor;
  return layOutAll(*problem, *instruction, dealing);
}

const MatrixInstruction *
matchMatrixInstruction(vector::ContractionOp contract, StringRef name,
                       const NestedLayout &lhs, const NestedLayout &rhs,
                       const NestedLayout &acc, const TargetProfile &profile) {
  std::optional<Problem> problem = analyse(contract);
  if (!problem)
    return nullptr;
  auto typeOf = [](Value value) {
    return nameOf(getElementTypeOrSelf(value.getType()));
  };
  for (const MatrixInstruction &candidate : profile.matrixInstructions)
    if ((name.empty() || candidate.name == name) &&
        candidate.a.type == typeOf(contract.getLhs()) &&
        candidate.b.type == typeOf(contract.getRhs()) &&
        candidate.c.type == typeOf(contract.getAcc()) &&
        fitsInstruction(*problem, candidate, {&lhs, &rhs, &acc}))
      return &candidate;
  return nullptr;
}

} // namespace aircc::layout
