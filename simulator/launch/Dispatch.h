//===- Dispatch.h - What a kernel finds when it starts ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernarg segment with its hidden arguments, the AQL packet, and the
// initial registers of a wave: LLVM's AMDGPUUsage, "Kernel Dispatch", "Initial
// Kernel Execution State" and "Kernel Descriptor".
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_LAUNCH_DISPATCH_H
#define AIRCC_SIMULATOR_LAUNCH_DISPATCH_H

#include "simulator/exec/Hostcall.h"
#include "simulator/exec/Wave.h"
#include "simulator/launch/Launch.h"

namespace aircc::sim {

/// Memory of one launch that its kernels can see.
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

/// A workgroup with the memory of its waves, used again and again.
struct GroupStorage {
  Workgroup group;
  struct Free {
    void operator()(void *p) const { ::free(p); }
  };
  std::vector<std::unique_ptr<uint32_t, Free>> rows;
  std::unique_ptr<uint8_t, Free> scratch;
  size_t scratchBytes = 0;
  /// With a copy of the kernarg segment in front of it.
  std::unique_ptr<HostcallBuffer> hostcalls;
};

/// Checks the request against kernel and chip, and lays out kernarg segment and
/// packet. Fails when it cannot be run.
llvm::Error prepareLaunch(const LaunchRequest &request, LaunchState &state,
                          DispatchMemory &memory);

/// Where waves start.
uint64_t entryAddress(const LaunchState &state);

/// Makes the workgroup with linear number `number` ready to run; `seed` orders
/// its waves.
void startGroup(const LaunchState &state, uint64_t number, uint64_t seed,
                GroupStorage &storage);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_LAUNCH_DISPATCH_H
