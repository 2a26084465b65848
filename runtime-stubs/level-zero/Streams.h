//===- Streams.h - Streams and events on Level Zero -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A stream is an immediate in-order command list. As in HIP, the default stream
// of a GPU is ordered with all others: its commands wait for all earlier
// commands of the other streams, and later commands of the other streams wait
// for them.
//
// A Level Zero event must not be reset while a command may still wait for it.
// Therefore, each signal uses an event from a pool, which returns to the pool
// after all commands that refer to it have completed.
//
// One mutex of the device guards all of this. It is released while the host
// waits.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_LEVELZERO_STREAMS_H
#define AIRCC_RUNTIME_LEVELZERO_STREAMS_H

#include "runtime-stubs/level-zero/ZeApi.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace aircc::rt::ze {

struct Gpu;

/// A Level Zero event and the address of its timestamp.
struct Signal {
  EventHandle event = nullptr;
  uint64_t *time = nullptr; ///< In memory that the GPUs can write.
  bool used = false;        ///< Must be reset before reuse.
};
using SignalRef = std::shared_ptr<Signal>;

/// The signals of one context.
class SignalPool {
public:
  SignalPool(const Api &api, ContextHandle context)
      : api(api), context(context) {}

  Status take(SignalRef &signal);
  /// Destroys the pool. Must be called after all signals have been returned.
  Status destroy();

private:
  Status grow();

  const Api &api;
  ContextHandle context;
  std::vector<EventPoolHandle> pools;
  std::vector<void *> times;
  std::vector<std::unique_ptr<Signal>> signals;
  std::vector<Signal *> unused;
};

struct Stream {
  Gpu *gpu = nullptr;
  CommandListHandle list = nullptr;
  bool isOwned = true; ///< If false, the program destroys the list.
  /// The number of commands so far, and how many of them are known to have
  /// completed.
  uint64_t appended = 0, completed = 0;
  /// The number of commands so far, without those that only enforce an order.
  uint64_t work = 0;
  /// The work of this stream that the default stream waits for, and the work
  /// of the default stream that this one waits for.
  uint64_t knownToDefault = 0, knownOfDefault = 0;
  /// The signals that commands refer to, with the last command that does.
  std::vector<std::pair<uint64_t, SignalRef>> held;
  unsigned waiters = 0; ///< The number of threads that are waiting for the
                        ///< list.

  bool idle() const { return appended == completed; }
};

/// The streams of one GPU.
class StreamSet {
public:
  StreamSet(const Api &api, Gpu &gpu) : api(api), gpu(gpu) {}

  /// Creates the default stream.
  Status open();
  Status create(Stream *&stream);
  /// Returns the stream for a command list that the program created, which must
  /// be immediate and in order.
  Stream *adopt(CommandListHandle list);
  /// Destroys a stream after waiting for its commands. A list of the program is
  /// only forgotten.
  Status destroy(Stream *stream, std::unique_lock<std::mutex> &lock);
  /// Waits for all commands and releases all streams.
  Status close(std::unique_lock<std::mutex> &lock);

  /// Returns whether `stream` is one of the streams, including the default one.
  bool contains(const Stream *stream) const;
  Stream &getDefault() { return *streams.front(); }

  /// Must be called before and after appending a command to the stream. `held`
  /// is a signal that the command refers to.
  Status begin(Stream &stream);
  Status end(Stream &stream, SignalRef held = nullptr);

  /// Appends a wait for `signal` to the stream.
  Status appendWait(Stream &stream, const SignalRef &signal);

  /// Waits until the current commands of the stream have completed. For the
  /// default stream, also waits for those of all other streams.
  Status wait(Stream &stream, std::unique_lock<std::mutex> &lock);
  /// Waits until the current commands of all streams have completed.
  Status waitForAll(std::unique_lock<std::mutex> &lock);

private:
  Status orderAfter(Stream &later, Stream &earlier);
  Status finishCommand(Stream &stream, SignalRef held);
  Status waitForOne(const std::shared_ptr<Stream> &stream,
                    std::unique_lock<std::mutex> &lock);
  std::shared_ptr<Stream> find(const Stream &stream) const;
  static void dropHeld(Stream &stream);

  const Api &api;
  Gpu &gpu;
  std::vector<std::shared_ptr<Stream>> streams; // The first is the default.
  unsigned nextQueue = 0;
  std::condition_variable waitersGone;
};

} // namespace aircc::rt::ze

#endif // AIRCC_RUNTIME_LEVELZERO_STREAMS_H
