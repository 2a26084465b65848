//===- Hostcall.h - What kernels ask the host to do -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A kernel that prints, and other code that calls the ROCm device libraries'
// __ockl_hostcall_…, finds the address of a buffer in its argument
// hidden_hostcall_buffer. A wave pops a packet from the buffer's stack of free
// packets, fills it, pushes it onto the stack of ready packets, sends a message
// to the host, and polls until the host has handled the packet. HIP's runtime
// has a thread for that; the simulator handles packets when the message is
// sent.
//
// Every workgroup has its own buffer and kernarg segment, so packets need no
// synchronization between threads, and each text is attributed to the workgroup
// that printed it.
//
// The layouts are those of the device libraries (ockl/src/hostcall_impl.cl,
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
  /// Creates a buffer for a workgroup of `waves` waves. `extra` bytes, a
  /// multiple of 16, precede it in the same memory.
  HostcallBuffer(unsigned waves, size_t extra);

  /// Restores the state before the first wave starts.
  void reset();

  /// Handles the ready packets of workgroup `group`. Throws Fault for services
  /// that are not simulated.
  void serve(uint64_t group, LaunchOutput &output);

  /// Returns the value of hidden_hostcall_buffer.
  uint64_t address() const { return begin() + extra; }
  /// Returns the range of memory that the workgroup's waves may access.
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
  /// Messages whose last packets have not arrived.
  std::map<uint64_t, Message> messages;
  uint64_t begun = 0;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_HOSTCALL_H
