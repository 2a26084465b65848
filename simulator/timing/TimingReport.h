//===- TimingReport.h - The time of launches as text and JSON ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_TIMING_TIMINGREPORT_H
#define AIRCC_SIMULATOR_TIMING_TIMINGREPORT_H

#include "simulator/timing/TimingModel.h"

#include "llvm/Support/raw_ostream.h"

#include <vector>

namespace aircc::sim {

/// Prints the time of a launch, what bounds it, and its loops.
void printTiming(const KernelTiming &timing, llvm::raw_ostream &os);

/// Prints each instruction with its share of the waves' time, its cycles, the
/// main reason of its stalls, and its line in the source.
void printTimingProfile(const KernelTiming &timing, llvm::raw_ostream &os);

/// Writes the launches as JSON, in the format that docs/simulator-reference.md
/// describes.
void writeTimingJson(const std::vector<KernelTiming> &launches,
                     llvm::raw_ostream &os);

/// Writes the waves of the first unit as a trace that Perfetto and Chrome show
/// (the JSON format of Chrome's trace viewer). Microseconds represent cycles.
void writeTimeline(const std::vector<KernelTiming> &launches,
                   llvm::raw_ostream &os);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_TIMING_TIMINGREPORT_H
