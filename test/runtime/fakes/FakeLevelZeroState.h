//===- FakeLevelZeroState.h - State of the fake Level Zero ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Objects by handle, and pending commands.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_RUNTIME_FAKES_FAKELEVELZEROSTATE_H
#define AIRCC_TEST_RUNTIME_FAKES_FAKELEVELZEROSTATE_H

#include "runtime-stubs/level-zero/ZeApi.h"
#include "test/runtime/fakes/FakeLog.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace fakes::levelzero {

namespace ze = aircc::rt::ze;

enum : ze::Result {
  deviceLost = 0x70000001,
  buildFailure = 0x70000004,
  linkFailure = 0x70000005,
  uninitialized = 0x78000001,
  invalidArgument = 0x78000004,
  invalidNullHandle = 0x78000005,
  objectInUse = 0x78000006,
  invalidNullPointer = 0x78000007,
  invalidSize = 0x78000008,
  unsupportedAlignment = 0x7800000a,
  invalidSynchronization = 0x7800000b,
  invalidEnumeration = 0x7800000c,
  invalidKernelName = 0x78000011,
  invalidGroupSize = 0x78000013,
  invalidArgumentIndex = 0x78000015,
  invalidArgumentSize = 0x78000016,
  invalidModuleUnlinked = 0x78000018,
};

/// Argument sizes; `local` for a pointer to shared local memory.
constexpr size_t local = 0;
struct KernelKind {
  std::vector<size_t> arguments;
  uint32_t sharedBytes = 0;
  uint32_t groupSize[3] = {};
};
inline std::map<std::string, KernelKind> kernelKinds = {
    {"scale", {{8, 4, 8}, 0, {}}},
    {"other", {{8}, 0, {}}},
    {"fixed", {{8}, 0, {16, 2, 1}}},
    {"shared", {{8, local}, 1000, {}}},
};

struct Object {
  explicit Object(const char *kind, Object *parent)
      : kind(kind), parent(parent) {
    if (parent)
      ++parent->children;
  }
  virtual ~Object() {
    if (parent)
      --parent->children;
  }
  const char *kind;
  std::string name; ///< Kind and number, for the log.
  Object *parent;
  int children = 0;
};

struct Driver : Object {
  Driver() : Object("driver", nullptr) {}
  std::vector<Object *> devices;
};
struct Gpu : Object {
  Gpu(Object *driver, std::string version)
      : Object("device", driver), version(std::move(version)) {}
  std::string version;
};
struct Context : Object {
  explicit Context(Object *driver) : Object("context", driver) {}
  std::map<uintptr_t, size_t> memory; ///< Start to size.
  std::set<uintptr_t> imported;
  /// Type (ze_memory_type_t) and device of allocations.
  std::map<uintptr_t, std::pair<uint32_t, void *>> kinds;
};
struct Event : Object {
  explicit Event(Object *pool) : Object("event", pool) {}
  bool signaled = false;
};
struct EventPool : Object {
  EventPool(Object *context, uint32_t count)
      : Object("pool", context), count(count) {}
  uint32_t count;
  std::set<uint32_t> indices;
};
struct Command {
  std::function<void()> run;
  Event *signal = nullptr;
  std::vector<Event *> waits;
  bool isBarrier = false;
};
struct List : Object {
  List(Object *context, bool inOrder)
      : Object("list", context), inOrder(inOrder) {}
  bool inOrder;
  std::deque<Command> commands;
};
struct Module : Object {
  explicit Module(Object *context) : Object("module", context) {}
  std::string image;
  bool hasImports = false;
};
struct BuildLog : Object {
  explicit BuildLog(std::string text)
      : Object("log", nullptr), text(std::move(text)) {}
  std::string text;
};
struct Kernel : Object {
  Kernel(Object *module, const KernelKind &type, std::string function)
      : Object("kernel", module), type(type), function(std::move(function)) {}
  const KernelKind &type;
  std::string function;
  std::map<uint32_t, std::string> values;
  uint32_t groupSize[3] = {};
};

inline std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    parts.push_back(part);
  return parts;
}
inline std::string environment(const char *name, const char *otherwise) {
  const char *value = std::getenv(name);
  return value ? value : otherwise;
}

constexpr unsigned clockBits = 36;
constexpr uint64_t clockRate = 19200000, clockStep = clockRate / 800;

struct State {
  Log log{"FAKE_ZE_FAIL", "FAKE_ZE_LOG"};
  std::map<void *, std::unique_ptr<Object>> objects;
  std::map<std::string, int> counts;
  std::vector<List *> lists;
  std::vector<Driver *> drivers;
  bool initialized = false;
  uint64_t clock = (uint64_t(1) << clockBits) - 2 * clockStep;

  template <typename T, typename... Args> T *make(Args &&...args) {
    auto made = std::make_unique<T>(std::forward<Args>(args)...);
    T *object = made.get();
    object->name = object->kind + std::to_string(counts[object->kind]++);
    objects[object] = std::move(made);
    return object;
  }
  template <typename T> T *find(void *handle) {
    auto it = objects.find(handle);
    return it == objects.end() ? nullptr : dynamic_cast<T *>(it->second.get());
  }

  State() {
    for (const std::string &gpus :
         split(environment("FAKE_ZE_GPUS", "20.1.4"), '/')) {
      auto *driver = make<Driver>();
      drivers.push_back(driver);
      for (const std::string &version : split(gpus, ','))
        driver->devices.push_back(make<Gpu>(driver, version));
    }
    std::istringstream kernel(environment("FAKE_ZE_KERNEL", ""));
    if (std::string name; kernel >> name)
      for (size_t size; kernel >> size;)
        kernelKinds[name].arguments.push_back(size);
  }
};

inline State &state() {
  static State *state = new State;
  return *state;
}

struct Call : fakes::Call {
  explicit Call(const char *name) : fakes::Call(state().log, name) {}
  Call &handle(void *value) {
    auto it = state().objects.find(value);
    return static_cast<Call &>(arg(it != state().objects.end()
                                       ? it->second->name
                                   : value ? "?"
                                           : "null"));
  }
  ze::Result done(ze::Result result = ze::success) { return finish(result); }
};

/// Whether the context has pending commands.
inline bool isBusy(const Object *context) {
  return std::any_of(
      state().lists.begin(), state().lists.end(), [&](List *list) {
        return list->parent == context && !list->commands.empty();
      });
}

/// Whether a pending command refers to the event.
inline bool isNamed(const Event *event) {
  for (List *list : state().lists)
    for (const Command &command : list->commands)
      if (command.signal == event ||
          std::count(command.waits.begin(), command.waits.end(), event))
        return true;
  return false;
}

template <typename T> ze::Result destroy(Call &call, void *handle) {
  T *object = state().find<T>(handle);
  call.handle(handle);
  if (!object)
    return call.done(invalidNullHandle);
  if (object->children)
    return call.done(objectInUse);
  if (!call.failing())
    state().objects.erase(handle);
  return call.done();
}

/// Whether the context has allocated this much memory at `ptr`.
inline bool isAllocated(const Context &context, const void *ptr, size_t bytes) {
  auto address = reinterpret_cast<uintptr_t>(ptr);
  auto it = context.memory.upper_bound(address);
  return it != context.memory.begin() &&
         address + bytes <= std::prev(it)->first + std::prev(it)->second;
}

/// Checks the type number of a structure that the runtime passes.
template <typename T> bool hasType(const T *structure, uint32_t type) {
  return structure && structure->stype == type;
}

} // namespace fakes::levelzero

// Declares the functions with the types that the runtime uses.
#define DECLARE(NAME, PARAMETERS)                                              \
  extern "C" aircc::rt::ze::Result ze##NAME PARAMETERS;
namespace aircc::rt::ze {
AIRCC_ZE_FUNCTIONS(DECLARE)
AIRCC_ZE_OPTIONAL_FUNCTIONS(DECLARE)
} // namespace aircc::rt::ze
#undef DECLARE

#endif // AIRCC_TEST_RUNTIME_FAKES_FAKELEVELZEROSTATE_H
