//===- DistributionTarget.h - Target properties -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISTRIBUTION_DISTRIBUTIONTARGET_H
#define AIRCC_PIPELINE_DISTRIBUTION_DISTRIBUTIONTARGET_H

#include "targets/TargetProfile.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace aircc::distribution {

/// The properties of a target profile that distribution needs.
struct DistributionTarget {
  Backend backend = Backend::ROCDL;
  int64_t waveSize = 0;
  int64_t ldsBytes = 0;
  /// The number of four-byte banks; 0 if bank conflicts do not matter.
  int64_t ldsBanks = 0;
  std::vector<MatrixInstruction> instructions;
  /// The widths in bits of the elements that reads from LDS can transpose.
  std::vector<unsigned> ldsTransposeBits;

  explicit DistributionTarget(const TargetProfile &profile)
      : backend(profile.backend), waveSize(profile.waveSize),
        ldsBytes(profile.limits.ldsBytes),
        ldsBanks(isXe() ? 0 : profile.limits.ldsBanks),
        instructions(profile.matrixInstructions),
        ldsTransposeBits(profile.ldsTransposeBits) {}

  bool isXe() const { return backend == Backend::XeVM; }

  /// Returns null if there is no instruction with this name.
  const MatrixInstruction *findInstruction(llvm::StringRef name) const {
    for (const MatrixInstruction &instruction : instructions)
      if (instruction.name == name)
        return &instruction;
    return nullptr;
  }
};

} // namespace aircc::distribution

#endif // AIRCC_PIPELINE_DISTRIBUTION_DISTRIBUTIONTARGET_H
