//===- OptionChecks.h - Checks of the options of a compile ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_OPTIONCHECKS_H
#define AIRCC_DRIVER_OPTIONCHECKS_H

#include "driver/Options.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// The values of options that need a check or a conversion after parsing.
struct RawOptionValues {
  std::vector<std::string> inputs;
  std::vector<std::string> stageOptions;
  std::string emit;
  std::string optLevel;
  std::string saveTemps;
  std::string diagnosticsFormat;
  std::string cache;
  std::string fuse;
  std::string offload;
  std::optional<unsigned> jobs;
  bool onlyCompile = false;
  bool onlyAssemble = false;
};

/// Completes `options` from the raw values and checks them as far as possible
/// without reading a file.
llvm::Error finishOptions(CompileOptions &options, RawOptionValues &raw);

} // namespace aircc

#endif // AIRCC_DRIVER_OPTIONCHECKS_H
