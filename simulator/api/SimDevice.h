//===- SimDevice.h - The simulated device -----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The runtime's Device that executes AMD GPU code objects, and SPIR-V modules
// for Intel GPUs, on the host. Memory, streams and events are the same for
// both.
//
// AIRCC_SIM_CHIP restricts the device to one processor; by default, it accepts
// code for all processors that are simulated. AIRCC_SIM_DEVICES is the number
// of devices, which share memory (default 1). Launch.h describes
// AIRCC_SIM_THREADS and AIRCC_SIM_SEED. All calls are synchronous, so streams
// and events need no queue.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_API_SIMDEVICE_H
#define AIRCC_SIMULATOR_API_SIMDEVICE_H

#include "runtime-stubs/Device.h"
#include "simulator/exec/memory/GlobalMemory.h"
#include "simulator/launch/Launch.h"

#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace aircc::sim {

class EnvironmentObservers;
class LaunchObserver;

class SimDevice : public rt::Device {
public:
  SimDevice();
  ~SimDevice() override;

  const char *name() const override { return "sim"; }
  void shutdown() override;
  rt::Status getDeviceCount(int &count) override;
  rt::Status setDevice(int index) override;
  int targetPreference(const char *target) override;

  rt::Status allocate(size_t bytes, rt::StreamHandle stream, bool hostShared,
                      void *&ptr) override;
  rt::Status free(void *ptr, rt::StreamHandle stream) override;
  rt::Status copy(void *dst, const void *src, size_t bytes,
                  rt::StreamHandle stream) override;
  rt::Status fill(void *dst, uint32_t value, unsigned valueBytes, size_t count,
                  rt::StreamHandle stream) override;
  rt::Status locate(const void *ptr, MemoryLocation &location) override;
  rt::Status registerHost(void *ptr, size_t bytes) override;
  rt::Status unregisterHost(void *ptr) override;

  rt::Status createShared(size_t &bytes, void *&ptr, int &descriptor) override;
  rt::Status destroyShared(void *ptr) override;
  rt::Status reserveShared(size_t bytes, void *&range) override;
  rt::Status mapShared(int descriptor, size_t bytes, void *at) override;
  rt::Status unmapShared(void *at) override;
  rt::Status copyForPeer(void *dst, const void *src, size_t bytes,
                         bool isAllocated) override;
  rt::Status releaseShared(void *range) override;
  rt::Status allocateMirror(size_t bytes, void *&ptr) override;
  rt::Status freeMirror(void *ptr) override;
  HeapRoom heapRoom(uint64_t bytes, int32_t ranks) override;
  void beginHeap(int32_t rank, const std::vector<HeapOfRank> &heaps,
                 uint64_t addresses) override;
  rt::Status checkHeap() override;
  void endHeap() override;
  void heapAllocated(uint64_t offset, uint64_t bytes) override;
  void heapFreed(uint64_t offset) override;
  void beforeCollective(int32_t ranks) override;
  void afterCollective(int32_t ranks) override;
  void beforeMessage() override;
  void afterMessage(std::optional<int32_t> from) override;
  bool setWaitLimit(std::optional<std::chrono::milliseconds> limit,
                    std::function<std::string(uint64_t)> describe) override;

  rt::Status loadModule(const void *image, size_t bytes,
                        rt::ModuleHandle &module) override;
  rt::Status unloadModule(rt::ModuleHandle module) override;
  rt::Status getFunction(rt::ModuleHandle module, const char *kernel,
                         rt::FunctionHandle &function) override;
  rt::Status launch(rt::FunctionHandle function, rt::Dim3 grid, rt::Dim3 block,
                    uint32_t dynamicSharedBytes, rt::StreamHandle stream,
                    void **params, size_t paramCount) override;

  rt::Status createStream(rt::StreamHandle &stream) override;
  rt::Status destroyStream(rt::StreamHandle stream) override;
  rt::Status synchronizeStream(rt::StreamHandle stream) override;
  rt::Status createEvent(rt::EventHandle &event) override;
  rt::Status destroyEvent(rt::EventHandle event) override;
  rt::Status recordEvent(rt::EventHandle event,
                         rt::StreamHandle stream) override;
  rt::Status synchronizeEvent(rt::EventHandle event) override;
  rt::Status waitEvent(rt::StreamHandle stream, rt::EventHandle event) override;
  rt::Status elapsedMilliseconds(rt::EventHandle start, rt::EventHandle stop,
                                 float &ms) override;

  /// Returns whether the code for a bundle's target is SPIR-V, which is true
  /// for all names that are not AMD or NVIDIA processors.
  static bool isSpirvTarget(llvm::StringRef target);
  /// Returns the memory of the device. For tests.
  GlobalMemory &globalMemory() { return memory; }
  /// Sets the observers that environment variables enable for later launches.
  void setObservers(std::unique_ptr<EnvironmentObservers> wanted);
  /// Adds an observer (Observe.h) to all later launches. Does not own it.
  void addObserver(LaunchObserver &observer) { observers.push_back(&observer); }

private:
  /// Prints the warnings that have not been printed before.
  void printWarnings(const LaunchResult &result);
  /// Prints the warnings and converts the outcome of a launch.
  rt::Status finishLaunch(llvm::Error error, const LaunchResult &result);

  struct Module;
  struct Stream {};
  struct Event {
    bool recorded = false;
    std::chrono::steady_clock::time_point time;
  };

  /// Memory is zero-filled, as on a device, unless the checker is enabled.
  GlobalMemory memory{LaunchOptions::fromEnvironment().check.any()
                          ? GlobalMemory::Fill::NaN
                          : GlobalMemory::Fill::Zero};
  std::string chip; ///< AIRCC_SIM_CHIP, or empty.
  int devices = 1;
  std::vector<LaunchObserver *> observers;
  std::unique_ptr<EnvironmentObservers> environmentObservers;
  std::mutex mutex;
  std::set<Module *> modules;
  /// Warnings that have been printed, because repeated launches have the same
  /// ones.
  std::set<std::string> warnings;
  std::set<Stream *> streams;
  std::set<Event *> events;
  std::optional<std::chrono::milliseconds> waitLimit;
  std::function<std::string(uint64_t)> describeAddress;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_API_SIMDEVICE_H
