//===- ContractionBlock.cpp - Contractions held in registers --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/strategy/ContractionBlock.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace aircc::strategy {

/// Returns the largest multiple of `unit` that divides `size` and is at most
/// `most`; 0 if there is none.
static int64_t getPart(int64_t size, int64_t unit, int64_t most) {
  for (int64_t part = std::min(size, most) / unit * unit; part > 0;
       part -= unit)
    if (size % part == 0)
      return part;
  return 0;
}

/// Returns the largest block made of tiles of the instruction; its m or n is 0
/// if there is none.
static ContractionBlock getBlock(const BufferContraction &contraction,
                                 const MatrixInstruction &instruction,
                                 const TargetProfile &profile) {
  const CostModel &model = profile.costModel;
  auto registers = [&](int64_t elements, unsigned operand) -> int64_t {
    return llvm::divideCeil(elements * contraction.bits[operand],
                            32 * contraction.workers);
  };
  ContractionBlock block{contraction.m, contraction.n, 0};
  while (block.m && block.n &&
         registers(block.m * block.n, 2) >
             profile.limits.vgprs / model.accumulatorVgprShare) {
    if (block.m >= block.n)
      block.m = getPart(contraction.m, instruction.m, block.m - 1);
    else
      block.n = getPart(contraction.n, instruction.n, block.n - 1);
  }
  block.k = contraction.k;
  while (block.k > instruction.k &&
         std::max(registers(block.m * block.k, 0),
                  registers(block.n * block.k, 1)) >
             profile.limits.vgprs / model.operandVgprShare)
    block.k = getPart(contraction.k, instruction.k, block.k - 1);
  return block;
}

std::optional<ContractionBlock>
chooseContractionBlock(const BufferContraction &contraction,
                       const TargetProfile &profile) {
  std::optional<ContractionBlock> best;
  for (const MatrixInstruction *instruction :
       findMatrixInstructions(profile, contraction.types)) {
    if (contraction.m % instruction->m || contraction.n % instruction->n ||
        contraction.k % instruction->k)
      continue;
    ContractionBlock block = getBlock(contraction, *instruction, profile);
    if (!block.m || !block.n)
      continue;
    int64_t size = block.m * block.n, bestSize = best ? best->m * best->n : 0;
    if (!best || size > bestSize || (size == bestSize && block.k > best->k))
      best = block;
  }
  return best;
}

} // namespace aircc::strategy
