//===- Contraction.cpp - A contraction on matrix instructions -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/strategy/Contraction.h"

#include "dialects/layout/algebra/MatrixLayout.h"
#include "pipeline/strategy/CostModel.h"
#include "pipeline/strategy/WaveDistribution.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace aircc::layout;

namespace aircc::strategy {

/// Returns the part of iteration dimension `d` in the instruction's layout of
/// operand `number`.
static std::optional<DimTiles>
getInstructionDim(const ContractionShape &shape,
                  const MatrixInstruction &instruction, unsigned number,
                  int64_t d) {
  auto tile = getInstructionLayout(getOperand(instruction, number));
  if (!tile)
    return std::nullopt;
  if (d == (number == 1 ? shape.k : shape.m))
    return tile->dim(0);
  if (d == (number == 0 ? shape.k : shape.n))
    return tile->dim(1);
  return DimTiles();
}

/// Returns the layout of operand `number`: the tile of the instruction in its
/// dimensions, repeated over the others, over waves and within them.
static std::optional<NestedLayout>
getOperandLayout(const ContractionShape &shape,
                 const MatrixInstruction &instruction, unsigned number,
                 const WaveDistribution &distribution) {
  std::vector<DimTiles> dims;
  for (int64_t d : shape.dims[number]) {
    std::optional<DimTiles> dim =
        getInstructionDim(shape, instruction, number, d);
    if (!dim)
      return std::nullopt;
    int64_t contiguous = distribution.contiguous[d];
    int64_t repeated = dim->size() * distribution.cycles[d] *
                       distribution.waves[d] * contiguous;
    if (shape.bounds[d] % repeated != 0 ||
        (contiguous > 1 && dim->values() != dim->element))
      return std::nullopt;
    dim->cycles = distribution.cycles[d];
    dim->subgroup = distribution.waves[d];
    dim->subgroupStride = distribution.strides[d];
    dim->batch *= shape.bounds[d] / repeated;
    dim->element *= contiguous;
    dims.push_back(*dim);
  }
  auto layout = NestedLayout::ofDims(std::move(dims));
  if (!layout)
    return std::nullopt;
  return *layout;
}

bool fitsInstruction(const ContractionShape &shape,
                     const MatrixInstruction &instruction,
                     ArrayRef<const NestedLayout *> layouts) {
  const int64_t roles[3][2] = {
      {shape.m, shape.k}, {shape.k, shape.n}, {shape.m, shape.n}};
  std::vector<InstructionOperand> operands;
  std::vector<std::optional<DimTiles>> known(shape.bounds.size());
  for (unsigned number = 0; number < 3; ++number) {
    auto tile = getInstructionLayout(getOperand(instruction, number));
    if (!tile)
      return false;
    const SmallVector<int64_t> &dims = shape.dims[number];
    operands.push_back({*layouts[number], Ints(dims.begin(), dims.end()), *tile,
                        roles[number][0], roles[number][1]});
    for (auto [i, d] : enumerate(dims)) {
      const DimTiles &dim = layouts[number]->dim(i);
      if (dim.subgroup > 1 && !is_contained(shape.parallel, d))
        return false;
      if (known[d] && (known[d]->cycles != dim.cycles ||
                       known[d]->subgroup != dim.subgroup ||
                       known[d]->subgroupStride != dim.subgroupStride))
        return false;
      known[d] = dim;
    }
  }
  return !checkInstructionOperands(operands);
}

const MatrixInstruction *
matchMatrixInstruction(const ContractionShape &shape, const MatrixTypes &types,
                       StringRef name, ArrayRef<const NestedLayout *> layouts,
                       const TargetProfile &profile) {
  const MatrixInstruction *largest = nullptr;
  for (const MatrixInstruction *candidate :
       findMatrixInstructions(profile, types))
    if ((name.empty() || candidate->name == name) &&
        (!largest || candidate->m * candidate->n > largest->m * largest->n) &&
        fitsInstruction(shape, *candidate, layouts))
      largest = candidate;
  return largest;
}

static std::optional<ContractionStrategy>
getStrategy(const ContractionShape &shape, const MatrixInstruction &instruction,
            const WaveDistribution &distribution) {
  auto a = getOperandLayout(shape, instruction, 0, distribution);
  auto b = getOperandLayout(shape, instruction, 1, distribution);
  auto c = getOperandLayout(shape, instruction, 2, distribution);
  if (!a || !b || !c || !fitsInstruction(shape, instruction, {&*a, &*b, &*c}))
    return std::nullopt;
  return ContractionStrategy{&instruction, *a, *b, *c, distribution.waves};
}

/// Returns the number of repetitions along `d` that may be contiguous in a
/// lane, so that one access transfers their elements of operand `number`.
static int64_t getContiguous(const ContractionRequest &request,
                             const MatrixInstruction &instruction,
                             unsigned number, int64_t d, int64_t waves,
                             int64_t accessBits) {
  const ContractionShape &shape = request.shape;
  std::optional<DimTiles> tile =
      getInstructionDim(shape, instruction, number, d);
  int64_t count = 1;
  while (tile &&
         tile->element * count * 2 * request.bits[number] <= accessBits &&
         shape.bounds[d] % (tile->size() * waves * count * 2) == 0)
    count *= 2;
  return count;
}

/// Returns the strategy with wide accesses along k to both factors, and along n
/// to the result, if lanes access memory separately.
static std::optional<ContractionStrategy>
getWideStrategy(const ContractionRequest &request,
                const MatrixInstruction &instruction,
                const WaveDistribution &distribution, int64_t accessBits) {
  const ContractionShape &shape = request.shape;
  if (!request.blockIO) {
    WaveDistribution wide = distribution;
    wide.contiguous[shape.k] = std::min(
        getContiguous(request, instruction, 0, shape.k, 1, accessBits),
        getContiguous(request, instruction, 1, shape.k, 1, accessBits));
    wide.contiguous[shape.n] =
        getContiguous(request, instruction, 2, shape.n,
                      distribution.waves[shape.n], accessBits);
    if (auto strategy = getStrategy(shape, instruction, wide))
      return strategy;
  }
  return getStrategy(shape, instruction, distribution);
}

/// Returns whether the instruction is at most as large as the inst_data of the
/// constraints.
static bool satisfies(const ContractionShape &shape,
                      const OperandConstraints &constraints,
                      const ContractionStrategy &strategy) {
  const NestedLayout *layouts[] = {&strategy.a, &strategy.b, &strategy.c};
  for (auto [number, constraint] : enumerate(constraints)) {
    if (!constraint)
      continue;
    if (!constraint->allows(*layouts[number]))
      return false;
    for (auto [i, d] : enumerate(shape.dims[number])) {
      auto tile = getInstructionDim(shape, *strategy.instruction, number, d);
      if (!tile || constraint->instData()[i] % tile->size() != 0)
        return false;
    }
  }
  return true;
}

Result<ContractionStrategy> chooseContraction(const ContractionRequest &request,
                                              const TargetProfile &profile) {
  const ContractionShape &shape = request.shape;
  Result<WaveDistribution> user =
      getUserDistribution(shape, request.constraints);
  if (!user)
    return Error{user.message()};
  std::optional<DistributionRank> best;
  std::optional<ContractionStrategy> found;
  bool anyFits = false;
  for (const MatrixInstruction *candidate :
       findMatrixInstructions(profile, request.types)) {
    if (countTiles(shape, *candidate, shape.k) == 0)
      continue;
    auto consider = [&](const WaveDistribution &distribution) {
      DistributionRank rank =
          rankDistribution(*candidate, distribution.waves,
                           request.keepRows ? distribution.waves[shape.n] : 0,
                           getTraffic(shape, distribution.waves));
      if (best && rank <= *best)
        return;
      auto strategy = getWideStrategy(request, *candidate, distribution,
                                      profile.costModel.accessBits);
      anyFits |= strategy.has_value();
      if (!strategy || !satisfies(shape, request.constraints, *strategy))
        return;
      best = rank;
      found = std::move(strategy);
    };
    if (any_of(user->waves, [](int64_t waves) { return waves != 0; })) {
      if (auto distribution =
              completeDistribution(shape, *candidate, *user, request.waves))
        consider(*distribution);
      continue;
    }
    forEachDistribution(shape, *candidate, request.waves, consider);
  }
  if (found)
    return *found;
  if (anyFits)
    return Error{"the matrix instructions of " + profile.name +
                 " that multiply " + request.types.str() +
                 " do not support operands with these layouts; constrain the "
                 "layouts less, starting with lane_layout and inst_data"};
  return Error{"no matrix instruction of " + profile.name + " multiplies " +
               request.types.str() + " in tiles of these sizes"};
}

} // namespace aircc::strategy
