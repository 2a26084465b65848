//===- Device.h - What the runtime needs of a device ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mgpu entry points that compiled programs call are written against this
// interface; hip, level-zero and the simulator implement it. Nothing here may
// depend on LLVM: a compiled program links this code.
//
// Errors: every call that can fail returns a Status. The mgpu layer adds which
// entry point was called with what arguments, prints it, and ends the program.
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

/// Success, or the reason of a failure in one line.
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

/// Grid in workgroups and workgroup in lanes, x first.
struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
};

/// Handles are the device's own; the mgpu layer only passes them around.
using ModuleHandle = void *;
using FunctionHandle = void *;
using StreamHandle = void *;
using EventHandle = void *;

class Device {
public:
  virtual ~Device() = default;

  /// "hip", "level-zero" or "sim".
  virtual const char *name() const = 0;

  /// Which hardware the calling thread's current device is, for messages, such
  /// as "hip device 0 (gfx942:sramecc+:xnack-)".
  virtual std::string description() { return name(); }

  /// Called once when the process ends normally, before static destructors:
  /// wait for what still runs. The object is never deleted.
  virtual void shutdown() {}

  /// How many physical (or simulated) devices there are.
  virtual Status getDeviceCount(int &count) = 0;
  /// Makes `index` the current device of the calling thread. Every thread
  /// starts on device 0.
  virtual Status setDevice(int index) = 0;

  /// How well the current device runs code for `target`, a processor name with
  /// optional feature suffixes as code-object bundles spell it
  /// ("gfx942", "gfx90a:xnack-"): 0 not at all, larger is better.
  virtual int targetPreference(const char *target) = 0;

  // Memory. A null stream is the default stream.
  virtual Status allocate(size_t bytes, StreamHandle stream, bool hostShared,
                          void *&ptr) = 0;
  virtual Status free(void *ptr, StreamHandle stream) = 0;
  virtual Status copy(void *dst, const void *src, size_t bytes,
                      StreamHandle stream) = 0;
  virtual Status fill(void *dst, uint32_t value, unsigned valueBytes,
                      size_t count, StreamHandle stream) = 0;
  /// Makes host memory accessible to kernels under its host address.
  virtual Status registerHost(void *ptr, size_t bytes) = 0;
  virtual Status unregisterHost(void *ptr) = 0;
  /// The address under which kernels reach registered host memory.
  virtual Status getDevicePointer(void *host, void *&device) {
    device = host;
    return Status::success();
  }

  // Memory that other processes can reach, zero at first. Sizes are rounded up
  // by createShared; the others give the size that it came to. A descriptor is
  // the caller's to close, and does not have to stay open. Addresses to map at
  // lie in a range that was reserved for that.
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
  /// What was mapped in the range has been unmapped.
  virtual Status releaseShared(void *range) { return noSharing(); }

  // The symmetric heap, for a device that checks what kernels access in it. The
  // heap lies in shared memory; offsets count from its base, the same on all
  // ranks.

  /// What a heap of some size takes up: `spread` times as many addresses, so
  /// that allocations lie apart, in `bytes` of shared memory.
  struct HeapRoom {
    uint64_t spread = 1, bytes = 0;
  };
  virtual HeapRoom heapRoom(uint64_t bytes, int32_t ranks) {
    return {1, bytes};
  }
  /// The heaps of all ranks, of `addresses` each, have been mapped at `bases`.
  virtual void beginHeap(int32_t rank, const std::vector<char *> &bases,
                         uint64_t addresses) {}
  /// When all ranks have ended their work: what is found wrong only then.
  virtual Status checkHeap() { return Status::success(); }
  virtual void endHeap() {}
  virtual void heapAllocated(uint64_t offset, uint64_t bytes) {}
  virtual void heapFreed(uint64_t offset) {}

  // What orders accesses of ranks: the first `ranks` of them meet; this one
  // sends a message; the message of another has come, or of any where that is
  // not known (nullopt).
  virtual void beforeMeeting(int32_t ranks) {}
  virtual void afterMeeting(int32_t ranks) {}
  virtual void beforeMessage() {}
  virtual void afterMessage(std::optional<int32_t> from) {}

  /// Ends launches that wait for longer than `limit` for something that does
  /// not come. `describe` names an address that a kernel reads ("channel @C
  /// …"), or gives "". False where the device cannot tell: the caller then
  /// watches the time that its own calls take.
  virtual bool
  setWaitLimit(std::optional<std::chrono::milliseconds> limit,
               std::function<std::string(uint64_t address)> describe) {
    return false;
  }

  // Code. `image` is one code object (an ELF, or SPIR-V), not a bundle; it
  // stays valid until the module is unloaded.
  virtual Status loadModule(const void *image, size_t bytes,
                            ModuleHandle &module) = 0;
  virtual Status unloadModule(ModuleHandle module) = 0;
  virtual Status getFunction(ModuleHandle module, const char *kernel,
                             FunctionHandle &function) = 0;
  /// `params` points to `paramCount` pointers, one to each argument's bytes,
  /// whose sizes the code object's metadata knows.
  virtual Status launch(FunctionHandle function, Dim3 grid, Dim3 block,
                        uint32_t dynamicSharedBytes, StreamHandle stream,
                        void **params, size_t paramCount) = 0;

  // Order.
  virtual Status createStream(StreamHandle &stream) = 0;
  virtual Status destroyStream(StreamHandle stream) = 0;
  virtual Status synchronizeStream(StreamHandle stream) = 0;
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

/// The entry point of a device plug-in, found by dlsym under this name. Returns
/// null and sets `*error` (a static or leaked string) when the device is not
/// usable here.
#define AIRCC_DEVICE_PLUGIN_ENTRY "airccCreateDevice"
using CreateDeviceFn = Device *(*)(const char **error);

/// The version of the Device class: to be raised when its members change. A
/// program holds the runtime it was linked with and may meet a plug-in of
/// another build; the two must have the same class.
constexpr int deviceAbiVersion = 3;
#define AIRCC_DEVICE_PLUGIN_ABI "airccDeviceAbiVersion"

/// In every plug-in, as a plug-in includes this header.
extern "C" __attribute__((used, visibility("default"))) inline int
airccDeviceAbiVersion() {
  return deviceAbiVersion;
}

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_DEVICE_H
