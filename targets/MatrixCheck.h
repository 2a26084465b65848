//===- MatrixCheck.h - Checks a profile's matrix instructions ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The backend and the chip must have each matrix instruction with the shape and
// types that the profile specifies. The layouts must fill the registers of the
// instruction.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TARGETS_MATRIXCHECK_H
#define AIRCC_TARGETS_MATRIXCHECK_H

#include "targets/ChipCheck.h"

#include <optional>

namespace aircc {

/// Checks that the layouts of `instruction` are valid on their own. Pointers
/// are relative to the instruction.
std::vector<ProfileProblem>
checkMatrixLayouts(const MatrixInstruction &instruction, unsigned waveSize);

/// Returns the LLVM feature that the AMD instruction requires but the chip
/// lacks, or "-name" for a feature that the chip has but the instruction
/// excludes. Returns "" if there is none.
std::string findMissingFeature(const MatrixInstruction &instruction,
                               const ChipFeatures &features);

/// Compares an instruction that the chip has with its definition in LLVM. The
/// pointer is relative to the instruction.
std::optional<ProfileProblem>
checkAMDGPUMatrixInstruction(const MatrixInstruction &instruction,
                             const ChipFeatures &features, unsigned waveSize);

/// Compares an instruction with the definition of dpas, Intel's only matrix
/// instruction.
std::optional<ProfileProblem>
checkXeMatrixInstruction(const MatrixInstruction &instruction,
                         unsigned waveSize);

} // namespace aircc

#endif // AIRCC_TARGETS_MATRIXCHECK_H
