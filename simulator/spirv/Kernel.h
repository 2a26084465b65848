//===- Kernel.h - Compiled kernels of a module ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_SPIRV_KERNEL_H
#define AIRCC_SIMULATOR_SPIRV_KERNEL_H

#include "simulator/spirv/Lane.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aircc::sim {
class GlobalMemory;
}

namespace aircc::sim::spirv {

struct KernelArgument {
  enum Kind { Value, WorkgroupMemory } kind = Value;
  uint32_t bytes = 0;     ///< The size of a value.
  bool isPointer = false; ///< Whether it is a value that is an address.
  std::string name;       ///< Empty if the module has none.
};

/// A variable in memory that the workgroup shares.
struct SlmVariable {
  uint32_t offset = 0, bytes = 0, alignment = 1;
  std::string name;
};

/// The minimum alignments of memory. Compiled kernels rely on them for accesses
/// even if no variable declares them.
constexpr uint32_t kMinSlmAlignment = 256;
constexpr uint32_t kMinPrivateAlignment = 64;
/// The largest alignment and size that are simulated, because damaged modules
/// can contain any number.
constexpr uint32_t kMaxAlignment = 1u << 16;
constexpr uint32_t kMaxVariableBytes = 1u << 28;

struct SpirvKernel {
  std::string name;
  std::vector<KernelArgument> arguments;
  std::optional<std::array<uint32_t, 3>> workgroupSize;
  uint32_t subgroupSize = 16;
  uint32_t privateBytes = 0; ///< For all frames that can exist at the same
                             ///< time.
  /// The frame of the kernel's entry function, or null.
  const FrameLayout *frame = nullptr;
  const std::deque<AccessSite> *accessSites = nullptr; ///< The program's sites.
  bool mayPrint = false; ///< Whether a function of the module calls printf.
  /// The variables that the kernel or its callees use.
  std::vector<SlmVariable> slm;
  uint32_t slmBytes = 0; ///< Includes gaps between the variables.
  /// The alignments of shared local memory and of frames, which are the largest
  /// that the module declares for a variable there.
  uint32_t slmAlignment = kMinSlmAlignment;
  uint32_t privateAlignment = kMinPrivateAlignment;
  /// The alignment of dynamic shared local memory, as declared by the parameter
  /// that points to it.
  uint32_t dynamicSlmAlignment = kMinPrivateAlignment;
  /// Returns the offset of dynamic shared local memory from the start of shared
  /// local memory, in bytes.
  uint32_t dynamicSlmOffset() const {
    return static_cast<uint32_t>(llvm::alignTo(slmBytes, dynamicSlmAlignment));
  }
  /// The code for one lane. `arguments` points to the bytes of each argument.
  using Entry = void (*)(Lane *, const void *const *arguments);
  Entry entry = nullptr;
};

/// A module compiled for the host. It owns the objects to which the compiled
/// code refers.
class SpirvProgram {
public:
  /// Translates a SPIR-V module. Fails on instructions that are not simulated,
  /// with their name, function and position. If `traced` is set, the code
  /// reports each instruction to the launch's LaneTrace.
  static llvm::Expected<std::unique_ptr<SpirvProgram>>
  create(llvm::StringRef bytes, GlobalMemory &memory, bool traced = false);
  ~SpirvProgram();
  /// Returns a program without kernels, for a translation that is not compiled.
  static std::unique_ptr<SpirvProgram> createEmpty();

  /// Returns the kernel, or null if there is none of this name.
  const SpirvKernel *findKernel(llvm::StringRef name) const;
  const std::vector<SpirvKernel> &allKernels() const { return kernels; }

  // The translator fills these in.
  std::deque<AccessSite> accessSites;
  std::deque<CollectiveSite> collectiveSites;
  std::deque<Site> sites;
  std::deque<LoopSite> loopSites;
  std::deque<TraceSite> traceSites;
  std::deque<PrintSite> printSites;
  std::deque<FrameLayout> frames;
  std::vector<SpirvKernel> kernels;
  struct Global {
    std::string symbol, name;
    uint64_t bytes = 0;
    bool writable = false;
  };
  std::vector<Global> globals;

private:
  SpirvProgram();
  struct Code;
  std::unique_ptr<Code> code;
};

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_KERNEL_H
