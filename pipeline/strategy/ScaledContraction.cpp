//===- ScaledContraction.cpp - Contractions with block scales -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/strategy/ScaledContraction.h"

#include "dialects/layout/algebra/MatrixLayout.h"
#include "dialects/layout/algebra/Transforms.h"
#include "pipeline/strategy/CostModel.h"
#include "pipeline/strategy/WaveDistribution.h"

using namespace aircc::layout;

namespace aircc::strategy {

Result<ScaledLayouts> getScaledLayouts(int64_t m, int64_t n, int64_t k,
                                       const ScaledStrategy &strategy) {
  const MatrixInstruction &instruction = *strategy.instruction;
  auto a = getInstructionLayout(instruction.a),
       b = getInstructionLayout(instruction.b),
       c = getInstructionLayout(instruction.c),
       scalesA = getInstructionLayout(*instruction.scaleA),
       scalesB = getInstructionLayout(*instruction.scaleB);
  for (const Result<NestedLayout> *tile : {&a, &b, &c, &scalesA, &scalesB})
    if (!*tile)
      return Error{tile->message()};
  auto values =
      contractLayouts({*a, *b, *c}, m, n, k, strategy.wavesM, strategy.wavesN);
  if (!values)
    return Error{values.message()};
  auto scales = contractLayouts({*scalesA, *scalesB, *c}, m, n,
                                k / instruction.getScaleBlock(),
                                strategy.wavesM, strategy.wavesN);
  if (!scales)
    return Error{scales.message()};
  auto transpose = [](const NestedLayout &layout) {
    return *permute(layout, Ints{1, 0});
  };
  return ScaledLayouts{values->a, transpose(values->b), values->c, scales->a,
                       transpose(scales->b)};
}

std::optional<ScaledStrategy>
chooseScaledContraction(const ScaledContraction &contraction, int64_t waves,
                        const TargetProfile &profile) {
  ContractionShape shape{{contraction.m, contraction.n, contraction.k},
                         0,
                         1,
                         2,
                         {0, 1},
                         {{{0, 2}, {1, 2}, {0, 1}}}};
  std::optional<DistributionRank> best;
  ScaledStrategy found{};
  for (const MatrixInstruction *candidate :
       findMatrixInstructions(profile, contraction.types, contraction.block)) {
    if (countTiles(shape, *candidate, shape.k) == 0)
      continue;
    forEachDistribution(
        shape, *candidate, waves, [&](const WaveDistribution &distribution) {
          DistributionRank rank = rankDistribution(
              *candidate, distribution.waves,
              /*sharingRows=*/0, getTraffic(shape, distribution.waves));
          if (best && rank <= *best)
            return;
          best = rank;
          found = {candidate, distribution.waves[shape.m],
                   distribution.waves[shape.n]};
        });
  }
  if (!best)
    return std::nullopt;
  return found;
}

} // namespace aircc::strategy
