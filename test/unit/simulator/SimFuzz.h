//===- SimFuzz.h - Random kernels on the simulator and the host -*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_SIMFUZZ_H
#define AIRCC_TEST_UNIT_SIMFUZZ_H

#include "test/unit/simulator/SimKernelGenerator.h"

#include <memory>
#include <string>
#include <vector>

namespace aircc::sim::test {

/// "gfx942", "gfx1100" (wave32), "gfx1100:wave64".
KernelTarget parseKernelTarget(const std::string &name);

/// Compiles kernels with LLVM's AMDGPU backend, runs them on the simulator, and
/// compares the results with the host, which runs a kernel once for all
/// targets.
class KernelFuzzer {
public:
  /// The "difference" of a kernel whose compilation ends the process: LLVM
  /// crashes.
  static constexpr const char *kNotCompiled = "the compiler crashes";

  explicit KernelFuzzer(std::vector<KernelTarget> targets);
  ~KernelFuzzer();

  /// Returns the difference for each target and kernel, or "", for `count`
  /// seeds from `seed` on. All kernels are in one module.
  std::vector<std::vector<std::string>> run(uint32_t seed, unsigned count = 1);

  /// Returns the kernel of a seed whose results differ on a target, reduced to
  /// few statements by a greedy search. Describes the difference in `what`.
  GeneratedKernels reduce(uint32_t seed, size_t target, std::string &what);

  /// Returns the code object of kernels; "" if the compiler crashes.
  std::string compile(uint32_t seed, size_t target,
                      const GeneratedKernels &kernels) const;

private:
  struct Host;
  /// The memory that the lanes of a workgroup have written.
  std::vector<uint8_t> onHost(const KernelTarget &target, unsigned kernel,
                              const std::vector<Exchange> &exchanges,
                              const std::vector<uint8_t> &in);
  std::vector<std::string> onDevice(size_t target, uint32_t seed,
                                    const GeneratedKernels &kernels);
  std::string runOne(uint32_t seed, size_t target,
                     const std::set<unsigned> &without,
                     GeneratedKernels *kernel = nullptr);

  const std::vector<KernelTarget> targets;
  std::unique_ptr<Host> host;
};

} // namespace aircc::sim::test

#endif // AIRCC_TEST_UNIT_SIMFUZZ_H
