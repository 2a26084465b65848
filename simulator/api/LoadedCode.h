//===- LoadedCode.h - Code that the simulator has loaded --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_API_LOADEDCODE_H
#define AIRCC_SIMULATOR_API_LOADEDCODE_H

#include "simulator/api/EnvironmentObservers.h"
#include "simulator/api/Simulator.h"
#include "simulator/exec/memory/GlobalMemory.h"
#include "simulator/launch/Launch.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace aircc::sim {

/// The code for one processor, which consists of one or more modules.
class LoadedCode : public simulator::Code {
public:
  using Status = simulator::Status;

  const std::string &processor() const override { return name; }
  const std::vector<simulator::Kernel> &kernels() const override {
    return described;
  }
  /// Executes one of kernels(), as does Simulator::launch.
  virtual Status launch(const simulator::Launch &launch,
                        const LaunchOptions &options,
                        simulator::LaunchReport *report) = 0;

protected:
  using Clock = std::chrono::steady_clock;

  /// Fills in `report`, unless null, for a launch that began at `start`, and
  /// returns its status.
  static Status finishLaunch(llvm::Error error, LaunchResult result,
                             Clock::time_point start,
                             simulator::LaunchReport *report) {
    if (report) {
      report->timedOut = result.timedOut;
      report->warnings = std::move(result.warnings);
      report->instructions = result.instructions;
      report->completed = result.completed;
      report->seconds =
          std::chrono::duration<double>(Clock::now() - start).count();
    }
    return error ? Status::failure(llvm::toString(std::move(error)))
                 : Status::success();
  }

  std::string name;
  std::vector<simulator::Kernel> described; ///< Sorted by name.
};

/// Loads linked code objects for AMD GPUs.
simulator::Status loadCodeObjects(llvm::ArrayRef<llvm::StringRef> images,
                                  GlobalMemory &memory,
                                  EnvironmentObservers &environmentObservers,
                                  std::unique_ptr<LoadedCode> &code);

/// Loads SPIR-V modules for `processor`.
simulator::Status loadSpirv(llvm::ArrayRef<llvm::StringRef> images,
                            const std::string &processor, GlobalMemory &memory,
                            EnvironmentObservers &environmentObservers,
                            std::unique_ptr<LoadedCode> &code);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_API_LOADEDCODE_H
