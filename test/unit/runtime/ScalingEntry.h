//===- ScalingEntry.h - An entry point made by hand -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function as the compiler describes it: the result is twice the argument,
// both of type tensor<?xf32>. Memory of fake devices is memory of the process,
// so it needs no kernel.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_RUNTIME_SCALINGENTRY_H
#define AIRCC_TEST_UNIT_RUNTIME_SCALINGENTRY_H

#include "runtime-stubs/include/aircc/runtime.h"
#include "test/unit/runtime/DeviceTestSupport.h"

namespace aircc::test {

class ScalingEntry {
public:
  /// `uses` describes how the function uses the argument and the result.
  explicit ScalingEntry(int64_t uses)
      : words{AIRCC_ENTRY_CHECKED,
              1,
              1,
              0,
              4,
              1,
              uses,
              -1,
              0,
              4,
              1,
              uses,
              -1,
              0,
              0} {
    entry = {
        AIRCC_ENTRY_VERSION, "twice", words, "f32", call, nullptr, nullptr};
  }

  /// Calls it for `count` numbers.
  int32_t operator()(float *x, float *y, int64_t count) {
    MemRef<1> in = {x, x, 0, {count}, {1}}, out = {y, y, 0, {count}, {1}};
    void *arguments[] = {&in, &out};
    return airccCall(&entry, arguments);
  }

  int32_t callAsync(float *x, float *y, int64_t count, void *stream) {
    MemRef<1> in = {x, x, 0, {count}, {1}}, out = {y, y, 0, {count}, {1}};
    void *arguments[] = {&in, &out};
    return airccCallAsync(&entry, arguments, stream);
  }

  /// The memory that was last passed to the function.
  static inline float *argument = nullptr, *result = nullptr;

private:
  static void call(void *const *arguments) {
    auto *in = static_cast<MemRef<1> *>(arguments[0]);
    auto *out = static_cast<MemRef<1> *>(arguments[1]);
    argument = static_cast<float *>(in->aligned);
    result = static_cast<float *>(out->aligned);
    for (int64_t i = 0; i < in->sizes[0]; ++i)
      result[i] = 2 * argument[i];
  }

  int64_t words[15];
  AirccEntry entry;
};

} // namespace aircc::test

#endif // AIRCC_TEST_UNIT_RUNTIME_SCALINGENTRY_H
