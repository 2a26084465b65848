//===- Device.h - The runtime's interface to devices ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The mgpu entry points that compiled programs call use this interface, which
// hip, level-zero and the simulator implement. It must not depend on LLVM,
// because compiled programs link this code.
//
// Every call that can fail returns a Status. The mgpu layer prints errors with
// the entry point and its arguments, and terminates the program.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_DEVICE_H
#define AIRCC_RUNTIME_DEVICE_H

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace aircc::rt {

/// Success, or a one-line reason for a failure.
class [[nodiscard]] Status {
public:
  static Status success() { return Status(); }
  static Status failure(std::string message) {
    Status s;
    s.failed = true;
    s.text = std::move(message);
    return s;
  }
  bool ok() const { return !failed; }
  const std::string &message() const { return text; }

private:
  bool failed = false;
  std::string text;
};

/// The size of a grid in workgroups, or of a workgroup in lanes, x first.
struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
};

/// Handles belong to the device. The mgpu layer only passes them on.
using ModuleHandle = void *;
using FunctionHandle = void *;
using StreamHandle = void *;
using EventHandle = void *;

class Device {
public:
  virtual ~Device() = default;

  /// Returns "hip", "level-zero" or "sim".
  virtual const char *name() const = 0;

  /// Describes the hardware of the calling thread's current device for
  /// messages: "hip device 0 (gfx942:sramecc+:xnack-)".
  virtual std::string description() { return name(); }

  /// Called once when the process exits normally, before static destructors.
  /// Must wait for outstanding work. The object is never deleted.
  virtual void shutdown() {}

  /// Sets `count` to the number of physical or simulated devices.
  virtual Status getDeviceCount(int &count) = 0;
  /// Makes `index` the current device of the calling thread. Every thread
  /// starts on device 0.
  virtual Status setDevice(int index) = 0;

  /// Returns how well the current device can run code for `target`, a processor
  /// name with optional feature suffixes as in code-object bundles ("gfx942",
  /// "gfx90a:xnack-"). 0 means not at all; larger is better.
  virtual int targetPreference(const char *target) = 0;

  // Memory. A null stream is the default stream.
  virtual Status allocate(size_t bytes, StreamHandle stream, bool hostShared,
                          void *&ptr) = 0;
  virtual Status free(void *ptr, StreamHandle stream) = 0;
  virtual Status copy(void *dst, const void *src, size_t bytes,
                      StreamHandle stream) = 0;
  virtual Status fill(void *dst, uint32_t value, unsigned valueBytes,
                      size_t count, StreamHandle stream) = 0;
  /// Makes host memory accessible to kernels at its host address.
  virtual Status registerHost(void *ptr, size_t bytes) = 0;
  virtual Status unregisterHost(void *ptr) = 0;
  /// Returns the address at which kernels access registered host memory.
  virtual Status getDevicePointer(void *host, void *&device) {
    device = host;
    return Status::success();
  }

  /// Where memory is, as far as this device knows.
  struct MemoryLocation {
    enum Kind {
      Host,     ///< Process memory that kernels may be unable to access.
      OnDevice, ///< Device memory that the host may be unable to access.
      Shared,   ///< Device memory that the host can access as well.
    };
    Kind kind = Host;
    int device = 0; ///< The index of the device, or of any device if it is
                    ///< shared.
  };
  virtual Status locate(const void *ptr, MemoryLocation &location) = 0;

  // Memory that other processes can access, initially zero. createShared rounds
  // the size up; pass the rounded size to the other functions. The caller must
  // close the descriptor, and may do so at any time. Mapping addresses must be
  // in a range reserved for the purpose.
  virtual Status createShared(size_t &bytes, void *&ptr, int &descriptor) {
    return noSharing();
  }
  virtual Status destroyShared(void *ptr) { return noSharing(); }
  virtual Status reserveShared(size_t bytes, void *&range) {
    return noSharing();
  }
  virtual Status mapShared(int descriptor, size_t bytes, void *at) {
    return noSharing();
  }
  virtual Status unmapShared(void *at) { return noSharing(); }
  /// Immediately copies between memory of createShared and the host on behalf
  /// of a rank on another node, because running kernels may be waiting for it.
  /// If `isAllocated`, that rank knows that the memory is allocated.
  virtual Status copyForPeer(void *dst, const void *src, size_t bytes,
                             bool isAllocated) {
    return noSharing();
  }
  /// Releases a range whose mappings have all been removed.
  virtual Status releaseShared(void *range) { return noSharing(); }

  /// Allocates zeros that the host reads while kernels write them. If the host
  /// sees the last word of a 128-byte line that a wave has stored, it must see
  /// the whole line.
  virtual Status allocateMirror(size_t bytes, void *&ptr) {
    return Status::failure("kernels on " + std::string(name()) +
                           " devices cannot exchange messages between nodes; "
                           "use channels and copies outside kernels");
  }
  virtual Status freeMirror(void *ptr) { return Status::success(); }

  // The symmetric heap, for a device that checks kernel accesses to it. The
  // heap is in shared memory. Offsets are relative to its base and equal on all
  // ranks.

  /// The space for a heap: `bytes` of shared memory, and `spread` times as many
  /// addresses, so that allocations are not adjacent.
  struct HeapRoom {
    uint64_t spread = 1, bytes = 0;
  };
  virtual HeapRoom heapRoom(uint64_t bytes, int32_t ranks) {
    return {1, bytes};
  }
  /// The heap of a rank in this process. If the rank is on another node, its
  /// heap is not mapped, and its addresses are only reserved.
  struct HeapOfRank {
    char *base = nullptr;
    bool isMapped = true;
  };
  /// Called after the heaps of all ranks, each with `addresses` addresses, have
  /// been mapped.
  virtual void beginHeap(int32_t rank, const std::vector<HeapOfRank> &heaps,
                         uint64_t addresses) {}
  /// Reports errors that are detectable only after all ranks have finished.
  virtual Status checkHeap() { return Status::success(); }
  virtual void endHeap() {}
  virtual void heapAllocated(uint64_t offset, uint64_t bytes) {}
  virtual void heapFreed(uint64_t offset) {}

  // Events that order accesses of different ranks: the first `ranks` ranks
  // synchronize; this rank sends a message; a message has arrived from another
  // rank (nullopt for any rank).
  virtual void beforeCollective(int32_t ranks) {}
  virtual void afterCollective(int32_t ranks) {}
  virtual void beforeMessage() {}
  virtual void afterMessage(std::optional<int32_t> from) {}

  /// Terminates launches that wait longer than `limit` for something that does
  /// not happen. `describe` names an address that a kernel reads ("channel @C
  /// …"), or returns "". Returns false if the device cannot detect waiting, in
  /// which case the caller measures the duration of its calls.
  // NOLINTBEGIN(performance-unnecessary-value-param): overrides keep it
  virtual bool
  setWaitLimit(std::optional<std::chrono::milliseconds> limit,
               std::function<std::string(uint64_t address)> describe) {
    return false;
  }
  // NOLINTEND(performance-unnecessary-value-param)

  // Code. `image` is a single code object (ELF or SPIR-V), not a bundle. It
  // stays valid until the module is unloaded.
  virtual Status loadModule(const void *image, size_t bytes,
                            ModuleHandle &module) = 0;
  virtual Status unloadModule(ModuleHandle module) = 0;
  virtual Status getFunction(ModuleHandle module, const char *kernel,
                             FunctionHandle &function) = 0;
  /// `params` points to `paramCount` pointers, one to the bytes of each
  /// argument. The sizes are in the metadata of the code object.
  virtual Status launch(FunctionHandle function, Dim3 grid, Dim3 block,
                        uint32_t dynamicSharedBytes, StreamHandle stream,
                        void **params, size_t paramCount) = 0;

  // Ordering
  virtual Status createStream(StreamHandle &stream) = 0;
  virtual Status destroyStream(StreamHandle stream) = 0;
  virtual Status synchronizeStream(StreamHandle stream) = 0;
  /// Replaces a stream of the device's native interface with one that the other
  /// functions accept, unless it is already known.
  virtual Status adoptStream(StreamHandle &stream) { return Status::success(); }
  /// Forgets a stream that was adopted.
  virtual Status forgetStream(StreamHandle stream) { return Status::success(); }
  virtual Status createEvent(EventHandle &event) = 0;
  virtual Status destroyEvent(EventHandle event) = 0;
  virtual Status recordEvent(EventHandle event, StreamHandle stream) = 0;
  virtual Status synchronizeEvent(EventHandle event) = 0;
  virtual Status waitEvent(StreamHandle stream, EventHandle event) = 0;
  virtual Status elapsedMilliseconds(EventHandle start, EventHandle stop,
                                     float &ms) = 0;

private:
  Status noSharing() {
    return Status::failure(std::string(name()) +
                           " devices cannot share memory between processes");
  }
};

/// The entry point of a device plug-in, which dlsym looks up under this name.
/// If the device cannot be used, it returns null and sets `*error` (a static or
/// leaked string).
#define AIRCC_DEVICE_PLUGIN_ENTRY "airccCreateDevice"
using CreateDeviceFn = Device *(*)(const char **error);

/// The version of the Device class. Increment it when members change. A program
/// contains the runtime that it was linked with but may load a plug-in from
/// another build, and both must have the same class.
constexpr int deviceAbiVersion = 5;
#define AIRCC_DEVICE_PLUGIN_ABI "airccDeviceAbiVersion"

/// Every plug-in defines this function by including this header.
extern "C" __attribute__((used, visibility("default"))) inline int
airccDeviceAbiVersion() {
  return deviceAbiVersion;
}

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_DEVICE_H
