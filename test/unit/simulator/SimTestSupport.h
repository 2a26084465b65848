//===- SimTestSupport.h - Code objects in tests -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assembles or compiles kernels in process (LLVM's AMDGPU backend, lld) and
// runs them on a simulated device.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_SIMTESTSUPPORT_H
#define AIRCC_TEST_UNIT_SIMTESTSUPPORT_H

#include "simulator/api/SimDevice.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace aircc::sim::test {

/// The module of LLVM IR; ends the test program when it does not parse.
std::unique_ptr<llvm::Module> parseIR(const std::string &ir,
                                      llvm::LLVMContext &context);

/// A code object of assembly text; ends the test program when it does not
/// assemble or link.
std::string assemble(const std::string &chip, const std::string &text,
                     const std::string &features = "");

/// A code object of LLVM IR (triple and data layout are set here).
std::string compile(const std::string &chip, const std::string &ir,
                    unsigned optLevel = 2, const std::string &features = "");

/// The assembly of LLVM IR.
std::string compileToText(const std::string &chip, const std::string &ir,
                          unsigned optLevel = 2);

/// How `kernelText` declares its kernel.
struct KernelOptions {
  unsigned vgprs = 128, agprs = 128, sgprs = 96;
  unsigned ldsBytes = 0;
  unsigned privateBytes = 0;
  bool wave64 = false; ///< On gfx11 and gfx12.
  std::string extra;   ///< Further .amdhsa_ directives.
};

/// Assembly of one kernel "test" around `body`, which finds the address of the
/// pointer argument in s[0:1] (kernarg), the workgroup id x in s2, and the
/// work-item id x in v0. The kernel takes `pointers` pointers.
std::string kernelText(const std::string &chip, const std::string &body,
                       unsigned pointers = 1,
                       const KernelOptions &options = KernelOptions());

/// A code object on a device, while this lives.
class LoadedKernels {
public:
  LoadedKernels(SimDevice &device, const std::string &image);
  ~LoadedKernels();
  LoadedKernels(const LoadedKernels &) = delete;

  /// Runs a kernel with pointers as arguments; returns the error of the first
  /// failing call, that of loading too, or "".
  std::string run(const std::string &kernel, std::vector<void *> pointers,
                  rt::Dim3 grid, rt::Dim3 block, uint32_t dynamicLds = 0);

private:
  SimDevice &device;
  rt::ModuleHandle module{};
  std::string error;
};

/// Runs kernel "test" of a code object once.
std::string run(SimDevice &device, const std::string &image,
                std::vector<void *> pointers, rt::Dim3 grid, rt::Dim3 block,
                uint32_t dynamicLds = 0);

/// Device memory with a copy of `values`.
template <class T>
T *onDevice(SimDevice &device, const std::vector<T> &values) {
  void *ptr = nullptr;
  if (!device.allocate(values.size() * sizeof(T), nullptr, false, ptr).ok())
    abort();
  std::copy(values.begin(), values.end(), static_cast<T *>(ptr));
  return static_cast<T *>(ptr);
}

/// Runs `body` once on one wave and returns registers. Input i is in v[first +
/// i] of each lane; the result is v[out] … v[out + count - 1] after `body`,
/// indexed by register and lane.
struct LaneTest {
  std::string chip = "gfx942";
  unsigned first = 10;
  unsigned out = 40;
  unsigned count = 1;
  unsigned lanes = 64;
  KernelOptions options;
  std::string error; ///< Of the last run.
  /// `inputs[i][lane]`.
  std::vector<std::vector<uint32_t>>
  run(const std::string &body,
      const std::vector<std::vector<uint32_t>> &inputs);
};

} // namespace aircc::sim::test

#endif // AIRCC_TEST_UNIT_SIMTESTSUPPORT_H
