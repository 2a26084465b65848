//===- Call.h - A call to a compiled function -------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// While a thread calls a compiled function with `airccCall`, a runtime function
// that fails ends the call instead of the process: it throws CallFailure
// through the compiled code, which has unwind tables but no cleanups.
// Therefore, the call records what has to be released.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_CALL_H
#define AIRCC_RUNTIME_MGPU_CALL_H

#include <string>
#include <utility>
#include <vector>

namespace aircc::rt {

/// Thrown by `fail` during a call.
struct CallFailure {
  std::string message;
};

/// The calling thread's call of a compiled function, from construction to
/// destruction. Calls may be nested.
class Call {
public:
  Call();
  ~Call();
  Call(const Call &) = delete;

  /// Returns the innermost call of this thread, or null.
  static Call *current();

  void addMemory(void *ptr) { memory.push_back(ptr); }
  void removeMemory(void *ptr) { remove(memory, ptr); }
  void addStream(void *stream) { streams.push_back(stream); }
  void removeStream(void *stream) { remove(streams, stream); }
  void addEvent(void *event) { events.push_back(event); }
  void removeEvent(void *event) { remove(events, event); }

  /// Releases what a failed call has not released. Ignores further failures.
  void release();

private:
  static void remove(std::vector<void *> &list, void *entry);

  std::vector<void *> memory, streams, events;
  Call *outer;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_CALL_H
