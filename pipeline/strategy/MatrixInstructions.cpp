//===- MatrixInstructions.cpp - Matrix instructions of a target -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/strategy/MatrixInstructions.h"

#include "llvm/ADT/STLExtras.h"

#include <set>
#include <tuple>

using namespace aircc::layout;

namespace aircc::strategy {

static bool hasTypes(const MatrixInstruction &instruction,
                     const MatrixTypes &types) {
  return instruction.a.type == types.a && instruction.b.type == types.b &&
         instruction.c.type == types.c;
}

llvm::SmallVector<const MatrixInstruction *>
findMatrixInstructions(const TargetProfile &profile, const MatrixTypes &types,
                       int64_t scaleBlock) {
  llvm::SmallVector<const MatrixInstruction *> found;
  for (const MatrixInstruction &instruction : profile.matrixInstructions)
    if (hasTypes(instruction, types) &&
        instruction.isScaled() == (scaleBlock > 0) &&
        (!scaleBlock || instruction.getScaleBlock() == scaleBlock))
      found.push_back(&instruction);
  return found;
}

const MatrixInstruction *findMatrixInstruction(const TargetProfile &profile,
                                               llvm::StringRef name) {
  for (const MatrixInstruction &instruction : profile.matrixInstructions)
    if (instruction.name == name)
      return &instruction;
  return nullptr;
}

bool hasMatrixInstruction(const TargetProfile &profile,
                          const MatrixTypes &types) {
  return llvm::any_of(profile.matrixInstructions,
                      [&](const MatrixInstruction &instruction) {
                        return hasTypes(instruction, types);
                      });
}

llvm::SmallVector<int64_t> getScaleBlocks(const TargetProfile &profile) {
  llvm::SmallVector<int64_t> blocks;
  for (const MatrixInstruction &instruction : profile.matrixInstructions)
    if (instruction.isScaled() &&
        !llvm::is_contained(blocks, instruction.getScaleBlock()))
      blocks.push_back(instruction.getScaleBlock());
  return blocks;
}

std::vector<std::string> getAccumulatorTypes(const TargetProfile &profile,
                                             llvm::StringRef a,
                                             llvm::StringRef b) {
  std::set<std::string> types;
  for (const MatrixInstruction &instruction : profile.matrixInstructions)
    if (!instruction.isScaled() && instruction.a.type == a &&
        instruction.b.type == b)
      types.insert(instruction.c.type);
  return {types.begin(), types.end()};
}

Result<NestedLayout> getInstructionLayout(const OperandLayout &operand) {
  return NestedLayout::get(
      NestedParams::ofInstruction(operand.outerTile, operand.threadTile,
                                  operand.elementTile, operand.threadStrides));
}

bool isPreferred(const MatrixInstruction &candidate,
                 const MatrixInstruction *best,
                 InstructionPreference preference) {
  if (!best)
    return true;
  auto rank = [&](const MatrixInstruction &instruction) {
    int64_t size = instruction.m * instruction.n;
    return std::pair(preference == InstructionPreference::Large ? size : -size,
                     instruction.k);
  };
  return rank(candidate) > rank(*best);
}

const MatrixInstruction *
chooseMatrixInstruction(const TargetProfile &profile, const MatrixTypes &types,
                        int64_t m, int64_t n, int64_t k,
                        InstructionPreference preference) {
  const MatrixInstruction *best = nullptr;
  for (const MatrixInstruction *candidate :
       findMatrixInstructions(profile, types))
    if (m % candidate->m == 0 && n % candidate->n == 0 &&
        k % candidate->k == 0 && isPreferred(*candidate, best, preference))
      best = candidate;
  return best;
}

} // namespace aircc::strategy
