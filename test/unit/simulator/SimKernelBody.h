//===- SimKernelBody.h - Random bodies of kernels -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates the statements of a random kernel or function in LLVM IR. The values
// are in SimKernelValues.cpp, memory, exchanges and control flow in
// SimKernelBody.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_SIMULATOR_SIMKERNELBODY_H
#define AIRCC_TEST_UNIT_SIMULATOR_SIMKERNELBODY_H

#include "test/unit/simulator/SimKernelGenerator.h"

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace aircc::sim::test::generator {

enum Type {
  kI8,
  kI16,
  kI32,
  kI64,
  kHalf,
  kFloat,
  kDouble,
  kBFloat,
  kI1,
  // Vectors are only intermediate values, and neither inputs nor outputs.
  kV4I8,
  kV2I16,
  kV2I32,
  kV4I32,
  kV2Half,
  kV2Float,
  kTypeCount
};
inline constexpr const char *kNames[] = {
    "i8",        "i16",       "i32",       "i64",        "half",
    "float",     "double",    "bfloat",    "i1",         "<4 x i8>",
    "<2 x i16>", "<2 x i32>", "<4 x i32>", "<2 x half>", "<2 x float>"};
inline constexpr const char *kSuffixes[] = {
    "i8", "i16",  "i32",   "i64",   "f16",   "f32",   "f64",  "bf16",
    "i1", "v4i8", "v2i16", "v2i32", "v4i32", "v2f16", "v2f32"};
inline constexpr unsigned kBytes[] = {1, 2, 4, 8, 2,  4, 8, 2,
                                      1, 4, 4, 8, 16, 4, 8};

inline bool isInteger(unsigned t) { return t <= kI64; }
inline bool isVector(unsigned t) { return t >= kV4I8; }
inline unsigned elementOf(unsigned t) {
  switch (t) {
  case kV4I8:
    return kI8;
  case kV2I16:
    return kI16;
  case kV2Half:
    return kHalf;
  case kV2Float:
    return kFloat;
  default:
    return kI32;
  }
}
inline unsigned lengthOf(unsigned t) {
  return t == kV4I8 || t == kV4I32 ? 4 : 2;
}

/// The arenas: 64 bytes per lane in each memory space. Flat pointers may point
/// into any of them.
enum Arena {
  kPrivate,
  kShared,
  kGlobal,
  kFlatPrivate,
  kFlatShared,
  kFlatGlobal,
  kArenas
};

/// The number of i32 arguments of the function with many arguments.
inline constexpr unsigned kManyArguments = 36;

/// One body, for the device or for the host.
class Body {
public:
  Body(const KernelTarget &target, bool device, uint32_t seed)
      : target(target), device(device), seed(seed), random(seed) {}

  std::string text;
  std::vector<Exchange> exchanges;

  void kernel(unsigned statements, const std::set<unsigned> &without);
  void function(unsigned number);

private:
  unsigned pick(unsigned n) { return random() % n; }
  std::string fresh() { return "%v" + std::to_string(next++); }
  std::string label() { return "b" + std::to_string(nextLabel++); }
  void line(const std::string &s) { text += "  " + s + "\n"; }
  void begin(const std::string &name) {
    text += name + ":\n";
    block = name;
  }
  void define(unsigned type, const std::string &expression) {
    std::string name = fresh();
    line(name + " = " + expression);
    pool[type].push_back(name);
  }
  std::string value(const std::string &expression) {
    std::string name = fresh();
    line(name + " = " + expression);
    return name;
  }
  std::string use(unsigned type) {
    auto &values = pool[type];
    if (values.empty())
      make(type);
    size_t back = std::min<size_t>(values.size(), 6);
    return pick(3) ? values[values.size() - 1 - pick(back)]
                   : values[pick(values.size())];
  }
  std::string typed(unsigned type) {
    return std::string(kNames[type]) + " " + use(type);
  }
  std::string call(unsigned result, const std::string &name,
                   const std::vector<unsigned> &args,
                   const std::string &extra = "") {
    std::string s =
        "call " + std::string(kNames[result]) + " @llvm." + name + "(";
    for (size_t i = 0; i < args.size(); ++i)
      s += (i ? ", " : "") + typed(args[i]);
    return s + extra + ")";
  }

  void make(unsigned type);
  void statement(unsigned depth);
  void integer(unsigned t);
  void floating(unsigned t);
  void bit();
  void vector(unsigned t);
  void memory();
  void atomic();
  void floatAtomic();
  void callFunction();
  void ifElse(unsigned depth);
  void loop(unsigned depth);
  void switchOn(unsigned depth);
  void exchange(bool diverged);
  void drawParameters(Exchange &e, std::string &y);
  void hostExchange(const Exchange &e, unsigned number, const std::string &name,
                    std::string x, const std::string &y);
  void deviceExchange(const Exchange &e, const std::string &name,
                      const std::string &x, const std::string &y);
  std::string quietOnHost(unsigned type);
  std::string clean(unsigned type);
  std::string pointer(unsigned arena, unsigned bytes, unsigned align);
  std::string spaceNumber(unsigned arena) const;
  std::string space(unsigned arena) const;

  const KernelTarget &target;
  const bool device;
  const uint32_t seed;
  std::mt19937 random;
  unsigned next = 0, nextLabel = 0;
  std::string block = "entry";
  bool hasMemory = false, hasCalls = false, inLoop = false;
  std::vector<std::string> pool[kTypeCount];
  std::set<std::string> madeScalar;
};

} // namespace aircc::sim::test::generator

#endif // AIRCC_TEST_UNIT_SIMULATOR_SIMKERNELBODY_H
