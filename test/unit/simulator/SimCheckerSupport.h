//===- SimCheckerSupport.h - Kernels under the checker --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs kernels under the checker, and compares its reports.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_SIMULATOR_SIMCHECKERSUPPORT_H
#define AIRCC_TEST_UNIT_SIMULATOR_SIMCHECKERSUPPORT_H

#include "test/unit/simulator/SimTestSupport.h"

#include "simulator/check/Checker.h"
#include "simulator/launch/Launch.h"

#include <gtest/gtest.h>

namespace aircc::sim::test {

/// Runs a kernel with its settings and memory under the checker.
struct CheckedRun {
  std::string chip = "gfx942";
  KernelOptions options;
  unsigned pointers = 1;
  rt::Dim3 grid{1, 1, 1}, block{128, 1, 1};
  std::vector<uint32_t> memory = std::vector<uint32_t>(4096, 0);

  explicit CheckedRun(std::string chip = "gfx942") : chip(std::move(chip)) {
    options.ldsBytes = 4096;
  }

  CheckSelection selection = CheckSelection::allAsFaults();
  std::string warnings; ///< The reports of the last launch.

  /// The error text of the launch; empty if the checker found nothing.
  std::string operator()(const std::string &body) {
    SimDevice device;
    Checker checker(10, selection);
    device.addObserver(checker);
    std::vector<void *> args;
    for (unsigned i = 0; i < pointers; ++i)
      args.push_back(onDevice<uint32_t>(device, memory));
    std::string error =
        run(device, assemble(chip, kernelText(chip, body, pointers, options)),
            args, grid, block);
    warnings = checker.warnings();
    return error;
  }
};

/// Returns `text` with `what`, which it contains, replaced by `with`.
inline std::string replaced(std::string text, const std::string &what,
                            const std::string &with = "") {
  size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

/// Succeeds if `text` contains all of `parts`.
inline ::testing::AssertionResult
has(const std::string &text, std::initializer_list<const char *> parts) {
  for (const char *part : parts)
    if (text.find(part) == std::string::npos)
      return ::testing::AssertionFailure() << "no '" << part << "' in:\n"
                                           << text;
  return ::testing::AssertionSuccess();
}

} // namespace aircc::sim::test

#endif // AIRCC_TEST_UNIT_SIMULATOR_SIMCHECKERSUPPORT_H
