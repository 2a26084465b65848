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

std::string chooseAccumulator(const TargetProfile &profile,
                              const std::string &a, const std::string &b,
                              const std::string &c, int64_t bits) {
  if (bits >= 32)
    return c;
  std::string wider = llvm::StringRef(c).starts_with("i") ? "i32" : "f32";
  return llvm::is_contained(getAccumulatorTypes(profile, a, b), wider) ? wider
                                                                       : c;
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

const MatrixInstruction *chooseMatrixInstruction(
    const TargetProfile &profile, const ProductTypes &product, int64_t m,
    int64_t n, int64_t k, int64_t parts, InstructionPreference preference) {
  llvm::SmallVector<const MatrixInstruction *> all =
      findMatrixInstructions(profile, product.types, product.scaleBlock);
  // Later generations multiply longer rows in the same time.
  auto isLatest = [&](const MatrixInstruction &one) {
    return llvm::none_of(all, [&](const MatrixInstruction *other) {
      return other->m == one.m && other->n == one.n && other->k > one.k;
    });
  };
  auto rank = [&](const MatrixInstruction &instruction) {
    return std::pair(isLatest(instruction), k % (instruction.k * parts) == 0);
  };
  const MatrixInstruction *best = nullptr;
  for (const MatrixInstruction *candidate : all) {
    if (m % candidate->m || n % candidate->n || k % candidate->k)
      continue;
    bool isBetter = !best || rank(*candidate) > rank(*best);
    bool isEqual = best && rank(*candidate) == rank(*best);
    if (isBetter || (isEqual && isPreferred(*candidate, best, preference)))
      best = candidate;
  }
  return best;
}

} // namespace aircc::strategy
