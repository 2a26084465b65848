//===- CandidateRun.h - Times a product with a candidate ------ -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_TUNE_CANDIDATERUN_H
#define AIRCC_DRIVER_TUNE_CANDIDATERUN_H

#include "pipeline/strategy/MatmulTiling.h"
#include "targets/TargetProfile.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// How candidates are compiled and timed.
struct CandidateSettings {
  std::string aircc;                ///< The path of this program.
  std::vector<std::string> options; ///< The options of the compile: target and
                                    ///< directories.
  std::string profile;              ///< The file with the numbers for the
                                    ///< estimate.
};

/// Returns the entry for a tuning file.
llvm::json::Object toJson(const TunedProduct &product);

/// Returns the contents of a tuning file.
std::string writeTuning(llvm::json::Array products);

/// Compiles the product with the choices of `candidate`, or with the compiler's
/// own, runs it on the simulated device in another process, and returns the
/// estimated time in nanoseconds. `folder` is for its files.
llvm::Expected<double>
timeCandidate(const strategy::MatmulProblem &product,
              const std::optional<TunedProduct> &candidate,
              const CandidateSettings &settings, llvm::StringRef folder);

} // namespace aircc

#endif // AIRCC_DRIVER_TUNE_CANDIDATERUN_H
