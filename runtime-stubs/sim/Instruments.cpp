//===- Instruments.cpp - Observers that the environment asks for ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/Instruments.h"

#include "runtime-stubs/sim/Trace.h"
#include "runtime-stubs/sim/counters/CounterReport.h"
#include "runtime-stubs/sim/spirv/LaneTrace.h"

#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <optional>

using namespace aircc::sim;

Instruments::Instruments() = default;

Instruments::~Instruments() { write(); }

llvm::Expected<std::unique_ptr<Instruments>> Instruments::fromEnvironment() {
  std::unique_ptr<Instruments> made(new Instruments());
  const char *counters = std::getenv("AIRCC_SIM_COUNTERS");
  if (counters && *counters)
    made->counters = std::make_unique<CounterCollection>(counters);
  const char *trace = std::getenv("AIRCC_SIM_TRACE");
  if (trace && *trace) {
    auto options = TraceOptions::parse(trace);
    if (!options)
      return options.takeError();
    auto sink = TraceSink::open(std::move(*options));
    if (!sink)
      return sink.takeError();
    made->trace = std::move(*sink);
  }
  return made;
}

std::vector<std::unique_ptr<LaunchObserver>> Instruments::forLaunch() {
  std::vector<std::unique_ptr<LaunchObserver>> observers;
  if (counters)
    observers.push_back(counters->observe());
  if (trace)
    observers.push_back(trace->observe());
  return observers;
}

bool Instruments::run(spirv::SpirvLaunchRequest request, LaunchOptions options,
                      LaunchResult &result, std::string &error) {
  std::optional<spirv::LaneTrace> lanes;
  if (trace && trace->chooses(request.kernel->name))
    request.trace = &lanes.emplace(*trace);
  // So that the counts are the same in every run.
  if (counters)
    options.threads = 1;
  SpirvCounters counted;
  const bool good =
      spirv::runSpirvLaunch(request, options, counted.counts, result, error);
  if (!counters || !counted.counts.getWorkgroups())
    return good; // A launch that is refused does nothing.
  counted.kernel = request.kernel->name;
  counted.subgroupSize = request.kernel->subgroupSize;
  counted.grid = request.grid;
  counted.block = request.block;
  counted.failed = !good;
  counters->add(counted);
  return good;
}

void Instruments::write() {
  if (!counters)
    return;
  std::string problem = counters->write();
  if (!problem.empty())
    llvm::errs() << "aircc simulator: error: " << problem << "\n";
}
