//===- MatrixAnchors.cpp - Contractions by matrix instructions ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/layout/MatrixAnchors.h"

#include "dialects/layout/algebra/MatrixLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <numeric>
#include <tuple>

using namespace mlir;

namespace aircc::layout {

namespace {

using Problem = MatrixProblem;

/// What profiles call a type. Whether integers are signed, they do not say.
std::string nameOf(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    type = IntegerType::get(type.getContext(), integer.getWidth());
  std::string name;
  llvm::raw_string_ostream os(name);
  os << type;
  return name;
}

} // namespace

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
  SmallVector<int64_t> waves, strides, rounds;
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
    int64_t repeated =
        dim->size() * dealing.rounds[d] * dealing.waves[d] * dealing.runs[d];
    if (problem.bounds[d] % repeated != 0 ||
        (dealing.runs[d] > 1 && dim->values() != dim->element))
      return std::nullopt;
    dim->rounds = dealing.rounds[d];
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

bool multipliesUnsigned(const MatrixOp &op, const TargetProfile &profile) {
  return profile.backend == Backend::XeVM &&
         (op.getLhs().getDefiningOp<arith::ExtUIOp>() ||
          op.getRhs().getDefiningOp<arith::ExtUIOp>());
}

Value getNarrow(Value value, bool isUnsigned) {
  Operation *ext = value.getDefiningOp();
  return isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp>(ext) ||
                 (isUnsigned && isa_and_nonnull<arith::ExtUIOp>(ext))
             ? ext->getOperand(0)
             : value;
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
      if (known[d] && (known[d]->rounds != dim.rounds ||
                       known[d]->subgroup != dim.subgroup ||
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

/// With wide accesses along k to both factors, along n to the result, where
/// lanes access memory each for itself.
static std::optional<MatrixAnchor>
layOutWide(const Problem &problem, const MatrixInstruction &instruction,
           const Dealing &dealing, const AnchorRequest &request, Type acc,
           bool blockIO) {
  if (!blockIO) {
    Dealing wide = dealing;
    wide.runs[problem.k] = std::min(
        getRun(problem, instruction, 0, problem.k, 1, request.lhsElement),
        getRun(problem, instruction, 1, problem.k, 1, request.rhsElement));
    wide.runs[problem.n] =
        getRun(problem, instruction, 2, problem.n, dealing.waves[problem.n],
               getElementTypeOrSelf(acc));
    if (auto anchor = layOutAll(problem, instruction, wide))
      return anchor;
  }
  return layOutAll(problem, instruction, dealing);
}

/// A stride that is still to be found.
static constexpr int64_t kOpen = -1;

/// How waves are dealt by what is said of the operands, 0 where nothing is.
static Result<Dealing> getSaid(const Problem &problem,
                               const OperandWishes &wishes) {
  static const char *const names[] = {"lhs", "rhs", "acc"};
  SmallVector<int64_t> zeros(problem.bounds.size(), 0);
  Dealing said{zeros, zeros, zeros, {}};
  SmallVector<unsigned> by(problem.bounds.size(), 0);
  for (auto [number, wish] : llvm::enumerate(wishes)) {
    if (!wish || !wish->hasSubgroups())
      continue;
    for (auto [i, d] : llvm::enumerate(problem.dims[number])) {
      const DimTiles &dim = wish->dim(i);
      int64_t rounds = dim.subgroup > 1 ? dim.rounds : 1;
      int64_t stride = dim.subgroup == 1    ? 0
                       : wish->hasStrides() ? dim.subgroupStride
                                            : kOpen;
      std::string where = "dimension " + std::to_string(i) + " of its " +
                          names[number] + " is dealt to " +
                          std::to_string(dim.subgroup) + " subgroups";
      if (!llvm::is_contained(problem.parallel, d) && dim.subgroup > 1)
        return Error{where + ", but a matrix instruction cannot add up what "
                             "subgroups have: give each all of it"};
      if (said.waves[d] != 0 && said.strides[d] == kOpen)
        said.strides[d] = stride;
      if (said.waves[d] != 0 &&
          (said.waves[d] != dim.subgroup || said.rounds[d] != rounds ||
           (stride != kOpen && said.strides[d] != stride)))
        return Error{where + " in another way than the same dimension of its " +
                     names[by[d]]};
      if (said.waves[d] != 0)
        continue;
      said.waves[d] = dim.subgroup;
      said.strides[d] = stride;
      said.rounds[d] = rounds;
      by[d] = number;
    }
  }
  return said;
}

/// Deals the ids that `said` leaves to the dimensions whose strides are open or
/// that it says nothing about, the last one fastest. Nothing if there are too
/// few.
static std::optional<Dealing> fillUp(const Problem &problem,
                                     const MatrixInstruction &instruction,
                                     Dealing said, int64_t numWaves) {
  SmallVector<int64_t> taken, open;
  for (int64_t d : llvm::reverse(problem.parallel)) {
    bool isOpen = said.waves[d] == 0 || said.strides[d] == kOpen;
    (isOpen ? open : taken).push_back(d);
  }
  for (size_t d = 0; d < said.rounds.size(); ++d)
    said.rounds[d] = std::max<int64_t>(said.rounds[d], 1);
  // Of one stride, as they stand.
  llvm::sort(taken,
             [&, order = SmallVector<int64_t>(taken)](int64_t a, int64_t b) {
               return std::pair(said.strides[a], llvm::find(order, a)) <
                      std::pair(said.strides[b], llvm::find(order, b));
             });
  int64_t next = 1;
  auto fill = [&](int64_t end) {
    for (int64_t &d : open) {
      if (d < 0 || next >= end || end % next != 0)
        continue;
      int64_t count = said.waves[d];
      if (count == 0)
        count =
            std::gcd(std::max<int64_t>(countTiles(problem, instruction, d), 1),
                     end / next);
      else if (end / next % count != 0)
        continue;
      said.waves[d] = count;
      said.strides[d] = count == 1 ? 0 : next;
      next *= count;
      d = -1;
    }
  };
  for (int64_t d : taken) {
    if (said.waves[d] == 1)
      continue;
    fill(said.strides[d]);
    next = said.strides[d] * said.waves[d];
  }
  fill(numWaves);
  for (size_t d = 0; d < said.waves.size(); ++d) {
    if (said.strides[d] == kOpen)
      return std::nullopt;
    said.waves[d] = std::max<int64_t>(said.waves[d], 1);
  }
  return said;
}

/// Whether an anchor is as the wishes say. What an instruction takes must not
/// be more than their inst_data.
static bool grants(const Problem &problem, const OperandWishes &wishes,
                   const MatrixAnchor &anchor) {
  const NestedLayout *layouts[] = {&anchor.lhs, &anchor.rhs, &anchor.acc};
  for (auto [number, wish] : llvm::enumerate(wishes)) {
    if (!wish)
      continue;
    if (!wish->allows(*layouts[number]))
      return false;
    for (auto [i, d] : llvm::enumerate(problem.dims[number])) {
      auto tile = getTile(problem, *anchor.instruction, number, d);
      if (!tile || wish->instData()[i] % tile->size() != 0)
        return false;
    }
  }
  return true;
}

Result<MatrixAnchor> chooseMatrixAnchor(const MatrixOp &op,
                                        const AnchorRequest &request,
                                        const TargetProfile &profile,
                                        const Workgroup &workgroup) {
  std::string types = nameOf(request.lhsElement) + " by " +
                      nameOf(request.rhsElement) + " into " +
                      nameOf(getElementTypeOrSelf(op.getAcc().getType()));
  Error none{"no matrix instruction of " + profile.name + " multiplies " +
             types + " in these sizes"};
  std::optional<Problem> problem = MatrixProblem::get(op);
  if (!problem)
    return none;
  Result<Dealing> said = getSaid(*problem, request.wishes);
  if (!said)
    return Error{said.message()};
  bool isSaid = llvm::any_of(said->waves, [](int64_t w) { return w != 0; });
  std::string lhsName = nameOf(request.lhsElement),
              rhsName = nameOf(request.rhsElement),
              accName = nameOf(getElementTypeOrSelf(op.getAcc().getType()));

  // Busy waves, waves that share rows (negative), size of the instruction,
  // traffic (negative): more is better.
  using Score = std::tuple<int64_t, int64_t, int64_t, int64_t, int64_t>;
  std::optional<Score> best;
  std::optional<MatrixAnchor> found;
  bool anyFits = false;
  for (const MatrixInstruction &candidate : profile.matrixInstructions) {
    if (candidate.isScaled() || candidate.a.type != lhsName ||
        candidate.b.type != rhsName || candidate.c.type != accName ||
        countTiles(*problem, candidate, problem->k) == 0)
      continue;
    auto offer = [&](const Dealing &dealing) {
      int64_t busy = 1;
      for (int64_t count : dealing.waves)
        busy *= count;
      Score score(busy, request.keepRows ? -dealing.waves[problem->n] : 0,
                  candidate.m * candidate.n, candidate.k,
                  -getTraffic(*problem, dealing.waves));
      if (best && score <= *best)
        return;
      auto anchor = layOutWide(*problem, candidate, dealing, request,
                               op.getAcc().getType(), workgroup.blockIO);
      anyFits |= anchor.has_value();
      if (!anchor || !grants(*problem, request.wishes, *anchor))
        return;
      best = score;
      found = std::move(anchor);
    };
    if (isSaid) {
      auto dealing = fillUp(*problem, candidate, *said, workgroup.waves);
      if (!dealing)
        continue;
      dealing->runs.assign(dealing->waves.size(), 1);
      offer(*dealing);
      continue;
    }
    SmallVector<int64_t> waves(problem->bounds.size(), 1);
    // Deals waves to the parallel dimensions from `index` on.
    std::function<void(size_t, int64_t)> deal = [&](size_t index,
                                                    int64_t left) {
      if (index == problem->parallel.size()) {
        SmallVector<int64_t> ones(waves.size(), 1);
        return offer({waves, getStrides(*problem, waves), ones, ones});
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
  if (found)
    return *found;
  if (anyFits)
    return Error{"the matrix instructions of " + profile.name +
                 " that multiply " + types +
                 " do not take operands of these layouts; say less of them, "
                 "lane_layout and inst_data first"};
  return none;
}

const MatrixInstruction *
matchMatrixInstruction(const MatrixOp &op, StringRef name,
                       const NestedLayout &lhs, const NestedLayout &rhs,
                       const NestedLayout &acc, const TargetProfile &profile) {
  std::optional<Problem> problem = MatrixProblem::get(op);
  if (!problem)
    return nullptr;
  bool isUnsigned = multipliesUnsigned(op, profile);
  auto typeOf = [&](Value value) {
    if (isUnsigned)
      value = getNarrow(value, /*isUnsigned=*/true);
    return nameOf(getElementTypeOrSelf(value.getType()));
  };
  const MatrixInstruction *largest = nullptr;
  for (const MatrixInstruction &candidate : profile.matrixInstructions)
    if ((name.empty() || candidate.name == name) && !candidate.isScaled() &&
        (!largest || candidate.m * candidate.n > largest->m * largest->n) &&
        candidate.a.type == typeOf(op.getLhs()) &&
        candidate.b.type == typeOf(op.getRhs()) &&
        candidate.c.type == typeOf(op.getAcc()) &&
        fitsInstruction(*problem, candidate, {&lhs, &rhs, &acc}))
      largest = &candidate;
  return largest;
}

} // namespace aircc::layout
