//===- Hostcall.h - What kernels ask the host to do -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that prints, and other code that calls the ROCm device libraries'
// __ockl_hostcall_…, finds the address of a buffer in its argument
// hidden_hostcall_buffer. A wave takes a packet from the buffer's stack of free
// ones, fills it, puts it on the stack of ready ones, rings, and polls until
// the host has done what the packet asks. HIP's runtime has a thread for that;
// here it is done when the wave rings.
//
// Every workgroup has a buffer of its own, and so a kernarg segment of its own:
// its waves run on one thread, and what they print is known to be theirs.
//
// Layouts are those of the device libraries (ockl/src/hostcall_impl.cl,
// services.cl) and of HIP's runtime (ROCclr, device/devhostcall.cpp,
// devhcmessages.cpp, devhcprintf.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_HOSTCALL_H
#define AIRCC_SIMULATOR_EXEC_HOSTCALL_H

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

namespace aircc::sim {

class LaunchOutput;

class HostcallBuffer {
public:
  /// A buffer for a workgroup of so many waves, with `extra` bytes, a multiple
  /// of 16, in front of it in the same memory.
  HostcallBuffer(unsigned waves, size_t extra);

  /// As before the first wave has begun.
  void reset();

  /// Does what the ready packets ask for workgroup `group`. Throws Fault for
  /// what nobody does here.
  void serve(uint64_t group, LaunchOutput &output);

  /// What hidden_hostcall_buffer is.
  uint64_t address() const { return begin() + extra; }
  /// The memory that the workgroup's waves may access.
  uint64_t begin() const { return reinterpret_cast<uint64_t>(memory.get()); }
  uint64_t end() const { return begin() + bytes; }

private:
  using Message = std::vector<uint64_t>;
  void serveLane(uint32_t service, uint64_t *payload, uint64_t group,
                 LaunchOutput &output);
  void appendToMessage(uint64_t *payload, uint64_t group, LaunchOutput &output);

  struct Free {
    void operator()(void *p) const { ::free(p); }
  };
  std::unique_ptr<uint8_t, Free> memory;
  size_t extra, bytes;
  uint64_t packets; ///< A power of two.
  /// Messages that have begun and not ended.
  std::map<uint64_t, Message> messages;
  uint64_t begun = 0;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_HOSTCALL_H
