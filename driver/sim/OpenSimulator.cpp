//===- OpenSimulator.cpp - Loads the simulated device ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sim/OpenSimulator.h"

#include "driver/diagnostics/Failure.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

using namespace aircc;
using namespace llvm;

Expected<simulator::Simulator *>
aircc::openSimulator(const Installation &installation) {
  SmallVector<std::string> folders;
  if (auto path = sys::Process::GetEnv("AIRCC_RUNTIME_PATH")) {
    SmallVector<StringRef> parts;
    StringRef(*path).split(parts, ':', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      folders.push_back(part.str());
  }
  folders.push_back(installation.getRuntimeFolder());
  for (const std::string &folder : folders) {
    std::string path = folder + "/libaircc_sim.so";
    if (!sys::fs::exists(path))
      continue;
    simulator::Simulator *simulator = nullptr;
    if (simulator::Status status = simulator::openSimulator(path, simulator);
        !status.ok())
      return fail(ExitCode::Environment,
                  "cannot load the simulator: " + status.message());
    return simulator;
  }
  return fail(ExitCode::Environment,
              "there is no libaircc_sim.so in " + join(folders, ", "),
              {"reinstall aircc, or build the target aircc_sim"});
}
