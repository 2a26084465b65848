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
  uint32_t bytes = 0;     ///< Of a value.
  bool isPointer = false; ///< A value that is an address.
  std::string name;       ///< Empty where the module has none.
};

/// A variable in memory that the workgroup shares.
struct SlmVariable {
  uint32_t offset = 0, bytes = 0, alignment = 1;
  std::string name;
};

/// Alignments that memory has without being asked: compiled kernels claim them
/// for accesses although no variable declares them.
constexpr uint32_t kMinSlmAlignment = 256;
constexpr uint32_t kMinPrivateAlignment = 64;
/// The largest alignment and size that are simulated. Damaged modules ask for
/// anything.
constexpr uint32_t kMaxAlignment = 1u << 16;
constexpr uint32_t kMaxVariableBytes = 1u << 28;

struct SpirvKernel {
  std::string name;
  std::vector<KernelArgument> arguments;
  std::optional<std::array<uint32_t, 3>> workgroupSize;
  uint32_t subgroupSize = 16;
  uint32_t privateBytes = 0; ///< All frames that can be open at once.
  /// That of the kernel's own function, open for as long as it runs; or null.
  const FrameLayout *frame = nullptr;
  const std::deque<AccessSite> *accessSites = nullptr; ///< Of the program.
  bool mayPrint = false; ///< Some function of the module calls printf.
  /// Those that the kernel or what it calls names.
  std::vector<SlmVariable> slm;
  uint32_t slmBytes = 0; ///< With gaps between them.
  /// What the addresses of shared local memory and of frames are multiples of:
  /// the largest alignment that the module declares for a variable there.
  uint32_t slmAlignment = kMinSlmAlignment;
  uint32_t privateAlignment = kMinPrivateAlignment;
  /// The same of the pointer to dynamic shared local memory, which is a
  /// parameter with a declared alignment.
  uint32_t dynamicSlmAlignment = kMinPrivateAlignment;
  /// Where the memory begins whose size the launch gives, in bytes from the
  /// start of shared local memory.
  uint32_t dynamicSlmOffset() const {
    return static_cast<uint32_t>(llvm::alignTo(slmBytes, dynamicSlmAlignment));
  }
  /// The code: one call is one lane. Each argument's bytes by their address.
  using Entry = void (*)(Lane *, const void *const *arguments);
  Entry entry = nullptr;
};

/// A module for the host. What compiled code points to lies here.
class SpirvProgram {
public:
  /// Translates a SPIR-V module. Fails on everything that is not known, with
  /// its name, the function that it is in, and the place. With `traced`, the
  /// code tells the launch's LaneTrace of each instruction.
  static llvm::Expected<std::unique_ptr<SpirvProgram>>
  create(llvm::StringRef bytes, GlobalMemory &memory, bool traced = false);
  ~SpirvProgram();
  /// One without kernels, for a translation that is not compiled.
  static std::unique_ptr<SpirvProgram> createEmpty();

  /// Null when there is none.
  const SpirvKernel *findKernel(llvm::StringRef name) const;
  const std::vector<SpirvKernel> &allKernels() const { return kernels; }

  // What the translator puts here.
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
