//===- SpirvSimSupport.h - SPIR-V kernels in tests --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles LLVM IR with LLVM's SPIR-V backend, in process, and runs kernels on
// a simulated device.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_SPIRVSIMSUPPORT_H
#define AIRCC_TEST_UNIT_SPIRVSIMSUPPORT_H

#include "simulator/api/SimDevice.h"

#include <cstring>
#include <string>
#include <vector>

namespace aircc::sim::test {

/// Compiles LLVM IR to a module. Ends the test program if that fails.
std::string compileSpirv(const std::string &ir);

/// A kernel's launch. Arguments are addresses of values.
struct SpirvLaunch {
  std::string kernel = "test";
  rt::Dim3 grid{1, 1, 1}, block{16, 1, 1};
  std::vector<void *> arguments;
  uint32_t dynamicBytes = 0;
};

/// A device with one module.
class SpirvRunner {
public:
  explicit SpirvRunner(const std::string &spirv);
  /// Empty, or the reason why the module cannot be loaded.
  const std::string &loadError() const { return error; }
  /// Returns the error, or "".
  std::string run(const SpirvLaunch &launch);

  template <typename T> T *allocate(size_t count) {
    void *memory = nullptr;
    if (!device.allocate(count * sizeof(T), nullptr, true, memory).ok())
      std::abort();
    return static_cast<T *>(memory);
  }
  template <typename T> T *upload(const std::vector<T> &values) {
    T *memory = allocate<T>(values.size());
    std::memcpy(memory, values.data(), values.size() * sizeof(T));
    return memory;
  }
  SimDevice device;

private:
  rt::ModuleHandle module = nullptr;
  std::string error;
};

/// Runs kernel `test` of LLVM IR with pointers to buffers as its arguments, in
/// one subgroup of 16. Returns the error, or "".
std::string runSpirv(SpirvRunner &runner, const std::vector<void *> &buffers,
                     rt::Dim3 block = {16, 1, 1}, rt::Dim3 grid = {1, 1, 1});

/// Declarations of the functions that kernels in tests call, and a header for a
/// kernel's definition.
extern const char *const kSpirvPrelude;

} // namespace aircc::sim::test

#endif // AIRCC_TEST_UNIT_SPIRVSIMSUPPORT_H
