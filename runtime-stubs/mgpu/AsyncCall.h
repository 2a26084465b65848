//===- AsyncCall.h - Calls on the stream of a caller ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// While a thread calls a compiled function with `airccCallAsync`, the functions
// that the compiled code calls use the caller's stream in place of their own,
// do not wait, and take memory from a pool that is kept for later calls. All
// uses of memory are in stream order. Memory that the code has freed can
// therefore be reused immediately, even by later calls on the stream.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_ASYNCCALL_H
#define AIRCC_RUNTIME_MGPU_ASYNCCALL_H

#include "runtime-stubs/Device.h"

#include <mutex>
#include <vector>

namespace aircc::rt {

/// The device memory of one function on one stream.
class StreamPool {
public:
  /// Returns the smallest free block that is large enough, or allocates one if
  /// there is none.
  Status allocate(Device &device, size_t bytes, StreamHandle stream,
                  void *&ptr);
  /// Returns memory to the pool. Returns false for memory that is not from this
  /// pool.
  bool release(void *ptr);
  Status freeAll(Device &device, StreamHandle stream);

private:
  struct Block {
    void *ptr;
    size_t bytes;
    bool isUsed;
  };

  std::mutex mutex; // Guards the list.
  std::vector<Block> blocks;
};

/// The calling thread's asynchronous call, from construction to destruction.
class AsyncCall {
public:
  /// `function` identifies the function.
  AsyncCall(const void *function, StreamHandle stream);
  ~AsyncCall();
  AsyncCall(const AsyncCall &) = delete;

  /// Returns the innermost call of this thread, or null.
  static AsyncCall *current();
  /// Returns the stream to use if code on this thread asks for `stream`.
  static StreamHandle redirect(StreamHandle stream) {
    return current() ? current()->stream : stream;
  }

  StreamHandle getStream() const { return stream; }
  Status allocate(Device &device, size_t bytes, void *&ptr);
  void release(void *ptr);
  /// Returns the memory that a failed call has not freed to the pool.
  void releaseAll();

private:
  StreamHandle stream;
  StreamPool &pool;
  std::vector<void *> taken;
  AsyncCall *outer;
};

/// Frees the memory that calls on `stream` of the thread's device have kept.
/// The work of these calls must be complete.
Status freePools(Device &device, StreamHandle stream);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_ASYNCCALL_H
