//===- AsyncRuntime.cpp - Runtime of the async dialect --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The functions called by MLIR's lowering of the async dialect
// (mlir/ExecutionEngine/AsyncRuntime.h has the signatures). A task runs
// immediately, on the thread that starts it, until it has to wait. It then
// continues on the thread that completes the awaited object. Therefore, the
// tasks of a program always run in the same order, on the thread's current
// device. Work on the device is asynchronous anyway.
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/mgpu/Failure.h"
#include "runtime-stubs/support/Support.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

using namespace aircc::rt;

namespace {

/// A reference-counted object that becomes ready, or fails, once.
class Awaitable {
public:
  explicit Awaitable(int64_t references) : references(references) {}
  virtual ~Awaitable() = default;

  void addReferences(int64_t count) { references += count; }
  void dropReferences(int64_t count) {
    int64_t left = references -= count;
    if (left == 0)
      delete this;
  }

  /// Marks the object as ready, wakes waiting threads and runs the
  /// continuations.
  void complete(bool withError) {
    std::vector<std::function<void()>> run;
    {
      std::lock_guard<std::mutex> lock(mutex);
      ready = true;
      error = withError;
      run.swap(continuations);
      changed.notify_all();
    }
    for (const std::function<void()> &continuation : run)
      continuation();
  }

  /// Runs `continuation` when this object is ready, which may be immediately.
  void whenReady(std::function<void()> continuation) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!ready) {
        continuations.push_back(std::move(continuation));
        return;
      }
    }
    continuation();
  }

  void await() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return ready; });
  }

  bool hasError() {
    std::lock_guard<std::mutex> lock(mutex);
    return error;
  }

private:
  std::atomic<int64_t> references;
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false, error = false;
  std::vector<std::function<void()>> continuations;
};

/// The creator and the producer of a token or value hold one reference each.
constexpr int64_t creatorAndProducer = 2;

class Token final : public Awaitable {
public:
  Token() : Awaitable(creatorAndProducer) {}
};

class Value final : public Awaitable {
public:
  explicit Value(int64_t bytes)
      : Awaitable(creatorAndProducer),
        storage(::operator new(bytes, alignment)) {}
  ~Value() override { ::operator delete(storage, alignment); }

  /// This is sufficient for the widest vectors.
  static constexpr std::align_val_t alignment{64};
  void *const storage;
};

/// Becomes ready when the specified number of tokens have been added and are
/// ready.
class Group final : public Awaitable {
public:
  explicit Group(int64_t size) : Awaitable(1), pending(size) {
    if (size == 0)
      complete(false);
  }

  /// Adds a token. Returns the number of tokens that had been added before.
  int64_t add(Token &token) {
    int64_t rank = added++;
    addReferences(1);
    token.whenReady([this, &token] {
      if (token.hasError())
        failed = true;
      if (--pending == 0)
        complete(failed);
      dropReferences(1);
    });
    return rank;
  }

  bool hasFailed() const { return failed; }

private:
  std::atomic<int64_t> pending, added{0};
  std::atomic<bool> failed{false};
};

using Resume = void (*)(void *coroutine);

} // namespace

/// Completes the result of a task and drops the task's reference.
static void finish(Awaitable *result, bool error) {
  result->complete(error);
  result->dropReferences(1);
}

AIRCC_SUPPORT void mlirAsyncRuntimeAddRef(void *object, int64_t count) {
  static_cast<Awaitable *>(object)->addReferences(count);
}
AIRCC_SUPPORT void mlirAsyncRuntimeDropRef(void *object, int64_t count) {
  static_cast<Awaitable *>(object)->dropReferences(count);
}

// Handles are pointers to the common base class.
AIRCC_SUPPORT void *mlirAsyncRuntimeCreateToken() {
  return static_cast<Awaitable *>(new Token);
}
AIRCC_SUPPORT void *mlirAsyncRuntimeCreateValue(int64_t bytes) {
  return static_cast<Awaitable *>(new Value(bytes));
}
AIRCC_SUPPORT void *mlirAsyncRuntimeCreateGroup(int64_t size) {
  return static_cast<Awaitable *>(new Group(size));
}

static Value *asValue(void *value) {
  return static_cast<Value *>(static_cast<Awaitable *>(value));
}
static Group *asGroup(void *group) {
  return static_cast<Group *>(static_cast<Awaitable *>(group));
}

AIRCC_SUPPORT int64_t mlirAsyncRuntimeAddTokenToGroup(void *token,
                                                      void *group) {
  return asGroup(group)->add(
      *static_cast<Token *>(static_cast<Awaitable *>(token)));
}

AIRCC_SUPPORT void mlirAsyncRuntimeEmplaceToken(void *token) {
  finish(static_cast<Awaitable *>(token), /*error=*/false);
}
AIRCC_SUPPORT void mlirAsyncRuntimeEmplaceValue(void *value) {
  finish(static_cast<Awaitable *>(value), /*error=*/false);
}
AIRCC_SUPPORT void mlirAsyncRuntimeSetTokenError(void *token) {
  finish(static_cast<Awaitable *>(token), /*error=*/true);
}
AIRCC_SUPPORT void mlirAsyncRuntimeSetValueError(void *value) {
  finish(static_cast<Awaitable *>(value), /*error=*/true);
}

AIRCC_SUPPORT bool mlirAsyncRuntimeIsTokenError(void *token) {
  return static_cast<Awaitable *>(token)->hasError();
}
AIRCC_SUPPORT bool mlirAsyncRuntimeIsValueError(void *value) {
  return static_cast<Awaitable *>(value)->hasError();
}
AIRCC_SUPPORT bool mlirAsyncRuntimeIsGroupError(void *group) {
  return asGroup(group)->hasFailed();
}

AIRCC_SUPPORT void mlirAsyncRuntimeAwaitToken(void *token) {
  static_cast<Awaitable *>(token)->await();
}
AIRCC_SUPPORT void mlirAsyncRuntimeAwaitValue(void *value) {
  static_cast<Awaitable *>(value)->await();
}
AIRCC_SUPPORT void mlirAsyncRuntimeAwaitAllInGroup(void *group) {
  static_cast<Awaitable *>(group)->await();
}

AIRCC_SUPPORT void *mlirAsyncRuntimeGetValueStorage(void *value) {
  if (asValue(value)->hasError())
    fail(__func__, formatArguments(arg("value", value)),
         "the task that computes this value has failed");
  return asValue(value)->storage;
}

AIRCC_SUPPORT void mlirAsyncRuntimeExecute(void *coroutine, Resume resume) {
  resume(coroutine);
}

static void resumeWhenReady(void *object, void *coroutine, Resume resume) {
  static_cast<Awaitable *>(object)->whenReady(
      [coroutine, resume] { resume(coroutine); });
}
AIRCC_SUPPORT void mlirAsyncRuntimeAwaitTokenAndExecute(void *token,
                                                        void *coroutine,
                                                        Resume resume) {
  resumeWhenReady(token, coroutine, resume);
}
AIRCC_SUPPORT void mlirAsyncRuntimeAwaitValueAndExecute(void *value,
                                                        void *coroutine,
                                                        Resume resume) {
  resumeWhenReady(value, coroutine, resume);
}
AIRCC_SUPPORT void mlirAsyncRuntimeAwaitAllInGroupAndExecute(void *group,
                                                             void *coroutine,
                                                             Resume resume) {
  resumeWhenReady(group, coroutine, resume);
}

/// MLIR's lowering misspells this name.
AIRCC_SUPPORT int64_t mlirAsyncRuntimGetNumWorkerThreads() { return 1; }
