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

#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

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

void Instruments::addSpirv(const std::string &kernel,
                           const spirv::LaneCounts &counts) {
  std::lock_guard<std::mutex> lock(mutex);
  if (counters) {
    SpirvKernel &entry = spirvKernels[kernel];
    ++entry.launches;
    entry.counts += counts;
  }
  if (trace && !saidSo)
    llvm::errs() << "aircc simulator: warning: kernel '" << kernel
                 << "' is SPIR-V: AIRCC_SIM_TRACE is for code of AMD GPUs and "
                    "leaves it out\n";
  saidSo = true;
}

void Instruments::write() {
  if (!counters)
    return;
  std::string problem = counters->write();
  if (!problem.empty())
    llvm::errs() << "aircc simulator: error: " << problem << "\n";
  std::lock_guard<std::mutex> lock(mutex);
  for (const auto &[kernel, entry] : spirvKernels)
    llvm::errs() << "kernel '" << kernel << "' (SPIR-V), " << entry.launches
                 << (entry.launches == 1 ? " launch\n" : " launches\n")
                 << entry.counts.table();
  spirvKernels.clear();
}
