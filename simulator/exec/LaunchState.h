//===- LaunchState.h - What all waves of a launch see -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_LAUNCHSTATE_H
#define AIRCC_SIMULATOR_EXEC_LAUNCHSTATE_H

#include "simulator/exec/CodeObject.h"
#include "simulator/exec/Program.h"
#include "simulator/exec/memory/GlobalMemory.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace aircc::sim {

class LaunchOutput;
class LaunchWarnings;
class Observers;

/// The parameters of a launch, with the grid in workgroups and the block in
/// lanes.
struct LaunchRequest {
  const CodeObject *object = nullptr;
  Program *program = nullptr;
  const Kernel *kernel = nullptr;
  GlobalMemory *memory = nullptr;
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t dynamicLdsBytes = 0;
  /// A pointer to the bytes of each explicit argument.
  std::vector<const void *> args;
  /// The whole kernarg segment, which replaces `args` unless it is empty.
  llvm::ArrayRef<uint8_t> kernarg;
};

/// The state that all waves of a launch share. It is read-only while the launch
/// executes.
struct LaunchState {
  const LaunchRequest *request = nullptr;
  const Kernel *kernel = nullptr;
  const Chip *chip = nullptr;
  Program *program = nullptr;
  GlobalMemory *memory = nullptr;
  std::shared_ptr<const MemorySnapshot> ranges;
  MemoryRange
      shared; ///< The range of memory that processes share. May be empty.
  uint64_t kernarg = 0;        ///< The address of the kernarg segment.
  uint64_t dispatchPacket = 0; ///< The address of the AQL packet.
  uint64_t queue = 0;          ///< The address of the queue structure.
  uint32_t ldsBytes = 0;
  uint32_t scratchBytes = 0; ///< For one lane.
  uint32_t wavesPerGroup = 1;
  const Op *entry = nullptr;
  Observers *observers = nullptr; ///< Null if the launch is not observed.
  /// The hidden_hostcall_buffer argument, or null if the kernel has none, and
  /// the output of its workgroups.
  const KernelArg *hostcallArg = nullptr;
  LaunchOutput *output = nullptr;
  LaunchWarnings *warnings = nullptr;
  /// Whether waves advance in step and LDS DMA completes immediately.
  bool inStep = false;
};

/// Returns a text such as "at 0x7f… (kernel+0x40): s_endpgm [line]".
std::string describePlace(const LaunchState &state, const Op &op);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_LAUNCHSTATE_H
