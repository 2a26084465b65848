//===- MatrixCheck.h - Checks a profile's matrix instructions ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix instruction must be one that the backend and the chip have, of the
// shape and the types that the profile gives, and its layouts must fill the
// registers that it takes.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TARGETS_MATRIXCHECK_H
#define AIRCC_TARGETS_MATRIXCHECK_H

#include "targets/ChipCheck.h"

#include <optional>

namespace aircc {

/// What is wrong with the layouts of `instruction` by themselves. Pointers are
/// relative to the instruction.
std::vector<ProfileProblem>
checkMatrixLayouts(const MatrixInstruction &instruction, unsigned waveSize);

/// The feature of LLVM that the AMD instruction needs and the chip does not
/// have ("-name": one that the chip has and the instruction excludes), or "".
std::string findMissingFeature(const MatrixInstruction &instruction,
                               const ChipFeatures &features);

/// What contradicts LLVM's definition of an instruction that the chip has.
/// The pointer is relative to the instruction.
std::optional<ProfileProblem>
checkAMDGPUMatrixInstruction(const MatrixInstruction &instruction,
                             const ChipFeatures &features, unsigned waveSize);

/// What contradicts the definition of dpas, Intel's one matrix instruction.
std::optional<ProfileProblem>
checkXeMatrixInstruction(const MatrixInstruction &instruction,
                         unsigned waveSize);

} // namespace aircc

#endif // AIRCC_TARGETS_MATRIXCHECK_H
