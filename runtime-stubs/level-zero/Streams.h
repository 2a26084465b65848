//===- Streams.h - Streams and events on Level Zero -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stream is an immediate command list whose commands run in their order. The
// default stream of a GPU is, as in HIP, in order with all others: its commands
// wait for what the others hold by then, and what comes into them later waits
// for it.
//
// An event of Level Zero must not be reset while a command may still wait for
// it. So whatever is signalled, once, is taken from a pool, and goes back there
// when every command that names it is over.
//
// All of this is guarded by one mutex, the device's, which is let go while the
// host waits.
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

/// An event of Level Zero, and where the time of its signal is written.
struct Signal {
  EventHandle event = nullptr;
  uint64_t *time = nullptr; ///< In memory that the GPUs can write.
  bool used = false;        ///< To be reset before it is used again.
};
using SignalRef = std::shared_ptr<Signal>;

/// The signals of one context.
class SignalPool {
public:
  SignalPool(const Api &api, ContextHandle context)
      : api(api), context(context) {}

  Status take(SignalRef &signal);
  /// Every signal has come back.
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
  /// Commands so far, and how many of them are known to be over.
  uint64_t appended = 0, completed = 0;
  /// Commands so far without those that only make an order.
  uint64_t work = 0;
  /// This stream's work that the default stream waits for, and the default
  /// stream's work that this one waits for.
  uint64_t knownToDefault = 0, knownOfDefault = 0;
  /// What commands up to the given one name.
  std::vector<std::pair<uint64_t, SignalRef>> held;
  unsigned waiters = 0; ///< Threads that wait for the list just now.

  bool idle() const { return appended == completed; }
};

/// The streams of one GPU.
class StreamSet {
public:
  StreamSet(const Api &api, Gpu &gpu) : api(api), gpu(gpu) {}

  /// Makes the default stream.
  Status open();
  Status create(Stream *&stream);
  /// Waits for the stream's commands first.
  Status destroy(Stream *stream, std::unique_lock<std::mutex> &lock);
  /// Waits for everything, and releases all streams.
  Status close(std::unique_lock<std::mutex> &lock);

  /// Whether this is one of the streams, the default one included.
  bool contains(const Stream *stream) const;
  Stream &getDefault() { return *streams.front(); }

  /// To be called before and after a command is put into the stream. Of the
  /// signals, `held` is one that the command names.
  Status begin(Stream &stream);
  Status end(Stream &stream, SignalRef held = nullptr);

  /// Puts a wait for `signal` into the stream.
  Status appendWait(Stream &stream, const SignalRef &signal);

  /// Waits until what is in the stream now is over; for the default stream,
  /// also what is in the others.
  Status wait(Stream &stream, std::unique_lock<std::mutex> &lock);
  /// Waits until what is in any stream now is over.
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
