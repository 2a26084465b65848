//===- EnvironmentObservers.cpp - Observers set by variables --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/api/EnvironmentObservers.h"

#include "simulator/observe/CounterReport.h"
#include "simulator/observe/Trace.h"
#include "simulator/spirv/LaneTrace.h"
#include "simulator/timing/TimingCollection.h"

#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <optional>

using namespace aircc::sim;

EnvironmentObservers::EnvironmentObservers() = default;

EnvironmentObservers::~EnvironmentObservers() { write(); }

/// Fails if a variable is set to neither of two words.
static llvm::Error checkWord(const char *name, llvm::StringRef usual,
                             llvm::StringRef other) {
  const char *text = std::getenv(name);
  if (!text || !*text || text == usual || text == other)
    return llvm::Error::success();
  return llvm::createStringError(std::string(name) + " is '" + text +
                                 "'; it must be " + usual.str() + " or " +
                                 other.str());
}

llvm::Expected<std::unique_ptr<EnvironmentObservers>>
EnvironmentObservers::fromEnvironment() {
  if (llvm::Error error = LaunchOptions::checkEnvironment())
    return error;
  std::unique_ptr<EnvironmentObservers> made(new EnvironmentObservers());
  if (llvm::Error error =
          checkWord("AIRCC_SIM_SCHEDULE", "adversarial", "in-step"))
    return error;
  if (llvm::Error error = checkWord("AIRCC_SIM_SURFACES", "strict", "lenient"))
    return error;
  const char *slack = std::getenv("AIRCC_SIM_SLACK");
  uint64_t bytes;
  if (slack && *slack && llvm::StringRef(slack).getAsInteger(0, bytes))
    return llvm::createStringError("AIRCC_SIM_SLACK is '" + std::string(slack) +
                                   "'; it must be a number of bytes");
  const char *counters = std::getenv("AIRCC_SIM_COUNTERS");
  if (counters && *counters)
    made->counters = std::make_unique<CounterCollection>(counters);
  const char *timing = std::getenv("AIRCC_SIM_TIMING");
  if (timing && *timing) {
    auto request = TimingRequest::parse(timing);
    if (!request)
      return request.takeError();
    made->timing = std::make_unique<TimingCollection>(std::move(*request));
  }
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

std::vector<std::unique_ptr<LaunchObserver>> EnvironmentObservers::forLaunch() {
  std::vector<std::unique_ptr<LaunchObserver>> observers;
  if (counters)
    observers.push_back(counters->observe());
  if (timing)
    observers.push_back(timing->observe());
  if (trace)
    observers.push_back(trace->observe());
  return observers;
}

llvm::Error EnvironmentObservers::run(spirv::SpirvLaunchRequest request,
                                      LaunchOptions options,
                                      LaunchResult &result) {
  std::optional<spirv::LaneTrace> lanes;
  if (trace && trace->selects(request.kernel->name))
    request.trace = &lanes.emplace(*trace);
  // With one thread, the counts are the same in every execution.
  if (counters)
    options.threads = 1;
  SpirvCounters counted;
  llvm::Error error =
      spirv::runSpirvLaunch(request, options, counted.counts, result);
  if (timing)
    result.warnings.push_back(
        "kernel '" + request.kernel->name +
        "': no timing: the timing model is for code objects of AMD GPUs");
  if (!counters || !counted.counts.getWorkgroups())
    return error; // The launch was rejected.
  counted.kernel = request.kernel->name;
  counted.subgroupSize = request.kernel->subgroupSize;
  counted.grid = request.grid;
  counted.block = request.block;
  counted.failed = bool(error);
  counters->add(counted);
  return error;
}

static void printError(llvm::Error error) {
  if (error)
    llvm::errs() << "aircc simulator: error: "
                 << llvm::toString(std::move(error)) << "\n";
}

void EnvironmentObservers::write() {
  if (counters)
    printError(counters->write());
  if (timing)
    printError(timing->write());
}
