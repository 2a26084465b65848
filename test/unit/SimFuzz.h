//===- SimFuzz.h - Random kernels on the simulator and the host -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_SIMFUZZ_H
#define AIRCC_TEST_UNIT_SIMFUZZ_H

#include "test/unit/SimKernelGenerator.h"

#include <memory>
#include <string>

namespace aircc::sim::test {

/// "gfx942", "gfx1100" (wave32), "gfx1100:wave64".
KernelTarget parseKernelTarget(const std::string &name);

/// Compiles kernels with LLVM's AMDGPU backend, runs them on the simulator, and
/// compares with the host.
class KernelFuzzer {
public:
  explicit KernelFuzzer(const KernelTarget &target);
  ~KernelFuzzer();

  /// What differs for the kernel of a seed, or "".
  std::string run(uint32_t seed);

  /// The kernel of a seed that differs, with as few statements as a greedy
  /// search finds; the difference in `what`.
  GeneratedKernel reduce(uint32_t seed, std::string &what);

private:
  struct Host;
  std::string runOne(uint32_t seed, const std::set<unsigned> &without,
                     GeneratedKernel *kernel = nullptr);

  const KernelTarget target;
  std::unique_ptr<Host> host;
};

} // namespace aircc::sim::test

#endif // AIRCC_TEST_UNIT_SIMFUZZ_H
