//===- SimModel.h - A second opinion on each instruction --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model of vector and scalar instructions in plain C++, one line per
// operation. It is written from the descriptions in AMD's ISA guides and shares
// no code with the simulator. SimModelTest runs every encoding that LLVM's
// tables have of such an operation, with every modifier, over edge values.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_SIMMODEL_H
#define AIRCC_TEST_UNIT_SIMMODEL_H

#include "test/unit/simulator/SimLaneCases.h"

#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace aircc::sim::test {

using i128 = __int128;

/// The type of an operand. An operation gets integers of the same width, floats
/// as float (f32) or double, and pairs of halves as u32.
enum class Kind : uint8_t {
  None,
  U16,
  I16,
  F16,
  BF16,
  U32, ///< Also plain bits.
  I32,
  F32,
  B32, ///< Bits that take the sign modifiers of an f32.
  U64,
  I64,
  F64,
  Pair,  ///< Two 16-bit integers; op_sel chooses each.
  PairF, ///< Two halves or bfloats: the sign modifiers too.
  Mix,   ///< An f32, or the half that op_sel chooses.
  Mask,  ///< A bit of each lane.
};

/// Other inputs of an operation.
struct Context {
  unsigned lane = 0;
  unsigned immediate = 0; ///< bitop3
  unsigned isSigned = 0;  ///< neg_lo of integer dot products: A 1, B 2
  bool ocp = false;       ///< The chip's 8-bit floats: OCP's, or FNUZ.
};

struct Model {
  std::string names; ///< Separated by '|': generations rename.
  Kind dst = Kind::None;
  Kind src[3] = {};
  unsigned count = 0;
  /// The result: the bits of a float, or an integer before it is wrapped or,
  /// with clamp, saturated.
  std::function<i128(const u64 *, const Context &)> run;
  bool tied = false;          ///< The last source is the destination.
  bool keepsHigh = false;     ///< gfx9: a 16-bit result leaves the high half.
  bool packed = false;        ///< Once for each half (dword) of its operands.
  bool carry = false;         ///< A mask says where the integer does not fit.
  bool saturates = false;     ///< clamp means something for its integers.
  bool inexact = false;       ///< May differ by one in the last place.
  bool alwaysFlushes = false; ///< f32: as without denormals.

  Model tieLast() const { return with(&Model::tied); }
  Model keep() const { return with(&Model::keepsHigh); }
  Model halves() const { return with(&Model::packed); }
  Model carries() const { return with(&Model::carry); }
  Model clamps() const { return with(&Model::saturates); }
  Model near() const { return with(&Model::inexact); }
  Model flush() const { return with(&Model::alwaysFlushes); }

private:
  Model with(bool Model::*flag) const {
    Model m = *this;
    m.*flag = true;
    return m;
  }
};

template <Kind K> auto fromBits(u64 v) {
  if constexpr (K == Kind::U16)
    return static_cast<u16>(v);
  else if constexpr (K == Kind::I16)
    return static_cast<i16>(v);
  else if constexpr (K == Kind::F16)
    return static_cast<double>(f16(static_cast<u32>(v)));
  else if constexpr (K == Kind::BF16)
    return static_cast<double>(f32(static_cast<u32>(v) << 16));
  else if constexpr (K == Kind::F32 || K == Kind::Mix)
    return f32(static_cast<u32>(v));
  else if constexpr (K == Kind::F64)
    return f64(v);
  else if constexpr (K == Kind::I32)
    return static_cast<i32>(v);
  else if constexpr (K == Kind::I64)
    return static_cast<i64>(v);
  else if constexpr (K == Kind::U64)
    return v;
  else if constexpr (K == Kind::Mask)
    return static_cast<bool>(v & 1);
  else if constexpr (K == Kind::None)
    return 0;
  else
    return static_cast<u32>(v);
}

/// To nearest even.
u32 bitsBf16(double v);

template <Kind K, class T> i128 toBits(T v) {
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (K == Kind::F16)
      return bits16(v);
    else if constexpr (K == Kind::BF16)
      return bitsBf16(v);
    else if constexpr (K == Kind::F64)
      return bits(static_cast<double>(v));
    else
      return bits(static_cast<float>(v));
  } else {
    return v;
  }
}

template <Kind D, Kind A, Kind B, Kind C, class F>
Model makeModel(const char *names, F f) {
  Model m;
  m.names = names;
  m.dst = D;
  m.src[0] = A;
  m.src[1] = B;
  m.src[2] = C;
  m.count = (A != Kind::None) + (B != Kind::None) + (C != Kind::None);
  m.run = [f](const u64 *s, const Context &x) -> i128 {
    return toBits<D>(
        f(fromBits<A>(s[0]), fromBits<B>(s[1]), fromBits<C>(s[2]), x));
  };
  return m;
}

/// MODEL("names", result, a, b, c, expression of a, b, c and the context x).
#define MODEL(NAMES, D, A, B, C, ...)                                          \
  makeModel<Kind::D, Kind::A, Kind::B, Kind::C>(                               \
      NAMES, []([[maybe_unused]] auto a, [[maybe_unused]] auto b,              \
                [[maybe_unused]] auto c,                                       \
                [[maybe_unused]] const Context &x) { return __VA_ARGS__; })

/// Operations of the vector unit, by name.
const std::map<std::string, Model> &vectorModels();

/// One operation of the scalar unit. `x.immediate` contains SCC.
struct ScalarModel {
  std::string names;
  Kind dst = Kind::None;
  Kind src[2] = {};
  std::function<i128(const u64 *, const Context &)> run;
  enum Scc {
    Keep,
    NotZero,    ///< The result.
    OutOfRange, ///< The exact result, of the destination's range.
    IsFirst,    ///< The result is the first source and not the second.
    Is,         ///< The result is SCC; there is no destination.
  } scc = Keep;
  bool reads = false; ///< The destination is the first source (SOPK, bitset).
};
const std::map<std::string, ScalarModel> &scalarModels();

/// Finds an operation by any of its names.
template <class M> std::map<std::string, M> byName(const std::vector<M> &list) {
  std::map<std::string, M> models;
  for (const M &m : list)
    for (size_t at = 0; at <= m.names.size();) {
      size_t end = std::min(m.names.find('|', at), m.names.size());
      models.insert({m.names.substr(at, end - at), m});
      at = end + 1;
    }
  return models;
}

} // namespace aircc::sim::test

#endif // AIRCC_TEST_UNIT_SIMMODEL_H
