//===- Dispatch.h - Initial state of a kernel -------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The kernarg segment with its hidden arguments, the AQL packet, and the
// initial registers of a wave. LLVM's AMDGPUUsage describes them in "Kernel
// Dispatch", "Initial Kernel Execution State" and "Kernel Descriptor".
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_LAUNCH_DISPATCH_H
#define AIRCC_SIMULATOR_LAUNCH_DISPATCH_H

#include "simulator/exec/Hostcall.h"
#include "simulator/exec/Wave.h"
#include "simulator/launch/Launch.h"

namespace aircc::sim {

/// Memory that is allocated for one launch and visible to its kernel.
class DispatchMemory {
public:
  explicit DispatchMemory(GlobalMemory &memory) : memory(memory) {}
  ~DispatchMemory();
  DispatchMemory(const DispatchMemory &) = delete;
  void *allocate(size_t bytes);

private:
  GlobalMemory &memory;
  std::vector<void *> blocks;
};

/// A workgroup with the memory of its waves. It is reused for further
/// workgroups.
struct GroupStorage {
  Workgroup group;
  struct Free {
    void operator()(void *p) const { ::free(p); }
  };
  std::vector<std::unique_ptr<uint32_t, Free>> rows;
  std::unique_ptr<uint8_t, Free> scratch;
  size_t scratchBytes = 0;
  /// A copy of the kernarg segment precedes it.
  std::unique_ptr<HostcallBuffer> hostcalls;
};

/// Checks the request against the kernel and the chip, and writes the kernarg
/// segment and the packet. Fails if the request is invalid.
llvm::Error prepareLaunch(const LaunchRequest &request, LaunchState &state,
                          DispatchMemory &memory);

/// Returns the address of a wave's first instruction.
uint64_t entryAddress(const LaunchState &state);

/// Initializes the workgroup with linear number `number`. `seed` determines the
/// order of its waves.
void startGroup(const LaunchState &state, uint64_t number, uint64_t seed,
                GroupStorage &storage);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_LAUNCH_DISPATCH_H
