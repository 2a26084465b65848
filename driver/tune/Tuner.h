//===- Tuner.h - Compares candidates for products ------------- -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_TUNE_TUNER_H
#define AIRCC_DRIVER_TUNE_TUNER_H

#include "driver/tune/CandidateRun.h"
#include "targets/TimingFigures.h"

#include <functional>

namespace aircc {

/// The best choices for a product.
struct TunedResult {
  TunedProduct product;
  double nanoseconds = 0, nanosecondsBefore = 0;
  size_t timed = 0; ///< The number of candidates that could be compiled.
  /// Returns whether the compiler's own choices are as fast.
  bool isUnchanged() const { return nanoseconds >= nanosecondsBefore; }
};

/// A candidate, where nothing stands for the compiler's own choices.
struct Candidate {
  std::optional<TunedProduct> product;
  double estimate = 0; ///< The estimate in closed form, in nanoseconds.

  std::string describe() const;
};

/// Compares candidates on the simulated device. The closed-form estimate
/// selects the candidates to run.
class Tuner {
public:
  Tuner(const TargetProfile &profile, const TimingFigures &figures,
        CandidateSettings settings, size_t candidates, unsigned threads)
      : profile(profile), figures(figures), settings(std::move(settings)),
        candidates(candidates), threads(threads) {}

  /// Returns the compiler's choices, followed by candidates in the order of
  /// their estimated times, without those for which `candidates` others are
  /// estimated to be faster.
  std::vector<Candidate>
  listCandidates(const strategy::MatmulProblem &product) const;

  /// Tunes a product, with files in `folder`. `log` receives the time of each
  /// candidate, or why there is none.
  llvm::Expected<TunedResult>
  tune(const strategy::MatmulProblem &product, llvm::StringRef folder,
       const std::function<void(const std::string &)> &log) const;

private:
  Candidate makeOwnChoice(const strategy::MatmulProblem &product) const;

  const TargetProfile &profile;
  const TimingFigures &figures;
  CandidateSettings settings;
  size_t candidates;
  unsigned threads;
};

} // namespace aircc

#endif // AIRCC_DRIVER_TUNE_TUNER_H
