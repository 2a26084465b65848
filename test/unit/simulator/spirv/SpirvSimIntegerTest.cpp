//===- SpirvSimIntegerTest.cpp - Integer instructions of SPIR-V -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/spirv/SpirvSimCases.h"

#include <algorithm>

using namespace aircc::sim::test;

namespace {

template <typename T> std::vector<T> edges() {
  using L = std::numeric_limits<T>;
  std::vector<T> values = {0,
                           1,
                           2,
                           3,
                           5,
                           7,
                           31,
                           64,
                           T(-1),
                           T(-2),
                           T(-7),
                           T(0x55),
                           T(0xa5),
                           L::min(),
                           L::max(),
                           T(L::max() - 1),
                           T(L::min() + 1)};
  return values;
}

template <typename T> std::string typeName() {
  return "i" + std::to_string(8 * sizeof(T));
}

/// OpenCL's code for a type in mangled names.
template <typename T> char code() {
  return std::is_same_v<T, int8_t>     ? 'c'
         : std::is_same_v<T, uint8_t>  ? 'h'
         : std::is_same_v<T, int16_t>  ? 's'
         : std::is_same_v<T, uint16_t> ? 't'
         : std::is_same_v<T, int32_t>  ? 'i'
         : std::is_same_v<T, uint32_t> ? 'j'
         : std::is_same_v<T, int64_t>  ? 'l'
                                       : 'm';
}

template <typename T> class SpirvSimInteger : public testing::Test {};
using Types = testing::Types<int8_t, int16_t, int32_t, int64_t>;
TYPED_TEST_SUITE(SpirvSimInteger, Types);

/// A quotient that the host can compute, and that is defined.
template <typename T> bool divides(T x, T y) {
  return y != 0 && !(x == std::numeric_limits<T>::min() && y == -1);
}

} // namespace

TYPED_TEST(SpirvSimInteger, Arithmetic) {
  using S = TypeParam;
  using U = std::make_unsigned_t<S>;
  const std::string t = typeName<S>();
  const unsigned bits = 8 * sizeof(S);
  auto intrinsic = [&](const std::string &name) {
    return "%r = call " + t + " @llvm." + name + "." + t + "(" + t + " %x, " +
           t + " %y)";
  };
  std::string declarations;
  for (const char *name : {"smax", "smin", "umax", "umin", "sadd.sat",
                           "uadd.sat", "ssub.sat", "usub.sat"})
    declarations += "declare " + t + " @llvm." + name + "." + t + "(" + t +
                    ", " + t + ")\n";
  for (const char *name : {"ctpop", "bitreverse"})
    declarations +=
        "declare " + t + " @llvm." + name + "." + t + "(" + t + ")\n";
  auto plain = [&](const std::string &op) {
    return "%r = " + op + " " + t + " %x, %y";
  };
  auto amount = [&](const std::string &op) {
    return "%s = and " + t + " %y, " + std::to_string(bits - 1) +
           "\n  %r = " + op + " " + t + " %x, %s";
  };
  const U mask = bits - 1;
  auto clampWide = [](__int128 v) {
    return S(std::clamp<__int128>(v, std::numeric_limits<S>::min(),
                                  std::numeric_limits<S>::max()));
  };
  auto clampUnsigned = [](__int128 v) {
    return S(U(std::clamp<__int128>(v, 0, std::numeric_limits<U>::max())));
  };
  std::vector<ExpressionCase<S, S, S>> cases = {
      {plain("add"), [](S x, S y) { return S(U(x) + U(y)); }},
      {plain("sub"), [](S x, S y) { return S(U(x) - U(y)); }},
      {plain("mul"), [](S x, S y) { return S(uint64_t(x) * uint64_t(y)); }},
      {plain("and"), [](S x, S y) { return S(x & y); }},
      {plain("or"), [](S x, S y) { return S(x | y); }},
      {plain("xor"), [](S x, S y) { return S(x ^ y); }},
      {amount("shl"),
       [=](S x, S y) { return S(uint64_t(U(x)) << (U(y) & mask)); }},
      {amount("lshr"), [=](S x, S y) { return S(U(x) >> (U(y) & mask)); }},
      {amount("ashr"), [=](S x, S y) { return S(x >> (U(y) & mask)); }},
      {intrinsic("smax"), [](S x, S y) { return std::max(x, y); }},
      {intrinsic("smin"), [](S x, S y) { return std::min(x, y); }},
      {intrinsic("umax"), [](S x, S y) { return S(std::max(U(x), U(y))); }},
      {intrinsic("umin"), [](S x, S y) { return S(std::min(U(x), U(y))); }},
      {intrinsic("sadd.sat"),
       [=](S x, S y) { return clampWide(__int128(x) + y); }},
      {intrinsic("ssub.sat"),
       [=](S x, S y) { return clampWide(__int128(x) - y); }},
      {intrinsic("uadd.sat"),
       [=](S x, S y) { return clampUnsigned(__int128(U(x)) + U(y)); }},
      {intrinsic("usub.sat"),
       [=](S x, S y) { return clampUnsigned(__int128(U(x)) - U(y)); }},
      {"%r = call " + t + " @llvm.ctpop." + t + "(" + t + " %x)",
       [](S x, S) { return S(__builtin_popcountll(U(x))); }},
  };
  struct Comparison {
    const char *name;
    bool (*holds)(S, S);
  };
  const Comparison comparisons[] = {
      {"eq", [](S x, S y) { return x == y; }},
      {"ne", [](S x, S y) { return x != y; }},
      {"slt", [](S x, S y) { return x < y; }},
      {"sle", [](S x, S y) { return x <= y; }},
      {"sgt", [](S x, S y) { return x > y; }},
      {"sge", [](S x, S y) { return x >= y; }},
      {"ult", [](S x, S y) { return U(x) < U(y); }},
      {"ule", [](S x, S y) { return U(x) <= U(y); }},
      {"ugt", [](S x, S y) { return U(x) > U(y); }},
      {"uge", [](S x, S y) { return U(x) >= U(y); }},
  };
  for (const Comparison &c : comparisons)
    cases.push_back({std::string("%s = icmp ") + c.name + " " + t +
                         " %x, %y\n  %r = select i1 %s, " + t + " %x, " + t +
                         " %y",
                     [c](S x, S y) { return c.holds(x, y) ? x : y; }});
  checkCases<S, S, S>(t, t, t, declarations, cases, edges<S>(), edges<S>());
}

TYPED_TEST(SpirvSimInteger, Division) {
  using S = TypeParam;
  using U = std::make_unsigned_t<S>;
  const std::string t = typeName<S>();
  std::vector<S> divisors;
  for (S v : edges<S>())
    if (v)
      divisors.push_back(v);
  auto plain = [&](const std::string &op) {
    return "%r = " + op + " " + t + " %x, %y";
  };
  checkCases<S, S, S>(
      t, t, t, "",
      {
          {plain("udiv"), [](S x, S y) { return S(U(x) / U(y)); }},
          {plain("urem"), [](S x, S y) { return S(U(x) % U(y)); }},
          {plain("sdiv"), [](S x, S y) { return S(x / y); }, divides<S>},
          {plain("srem"), [](S x, S y) { return S(x % y); }, divides<S>},
      },
      edges<S>(), divisors);
}

TYPED_TEST(SpirvSimInteger, OpenCLFunctions) {
  using S = TypeParam;
  using U = std::make_unsigned_t<S>;
  const std::string t = typeName<S>();
  const unsigned bits = 8 * sizeof(S);
  std::string declarations;
  auto call = [&](const std::string &name, char type, unsigned count = 2) {
    std::string mangled =
        "_Z" + std::to_string(name.size()) + name + std::string(count, type);
    std::string parameters, arguments;
    for (unsigned n = 0; n < count; ++n) {
      parameters += (n ? ", " : "") + t;
      arguments += (n ? ", " : "") + t + (n == 1 ? " %y" : " %x");
    }
    declarations +=
        "declare spir_func " + t + " @" + mangled + "(" + parameters + ")\n";
    return "%r = call spir_func " + t + " @" + mangled + "(" + arguments + ")";
  };
  const char s = code<S>(), u = code<U>();
  using W = __int128;
  auto clampTo = [](W v, W low, W high) { return std::clamp(v, low, high); };
  const W uMax = std::numeric_limits<U>::max(), sMax = uMax / 2,
          sMin = -sMax - 1;
  std::vector<ExpressionCase<S, S, S>> cases = {
      {call("hadd", s), [](S x, S y) { return S((W(x) + y) >> 1); }},
      {call("hadd", u), [](S x, S y) { return S((W(U(x)) + U(y)) >> 1); }},
      {call("rhadd", s), [](S x, S y) { return S((W(x) + y + 1) >> 1); }},
      {call("rhadd", u), [](S x, S y) { return S((W(U(x)) + U(y) + 1) >> 1); }},
      {call("mul_hi", s), [=](S x, S y) { return S((W(x) * y) >> bits); }},
      {call("mul_hi", u),
       [=](S x, S y) { return S(((unsigned __int128)U(x) * U(y)) >> bits); }},
      {call("mad_sat", s, 3),
       [=](S x, S y) { return S(clampTo(W(x) * y + x, sMin, sMax)); }},
      {call("mad_sat", u, 3),
       [=](S x, S y) {
         const unsigned __int128 v = (unsigned __int128)U(x) * U(y) + U(x);
         return S(v > (unsigned __int128)uMax ? U(uMax) : U(v));
       }},
      {call("mad_hi", s, 3),
       [=](S x, S y) { return S(U((W(x) * y) >> bits) + U(x)); }},
      {call("abs_diff", s),
       [](S x, S y) { return S(x > y ? W(x) - y : W(y) - x); }},
      {call("abs_diff", u),
       [](S x, S y) { return S(U(x) > U(y) ? U(x) - U(y) : U(y) - U(x)); }},
      {call("rotate", s),
       [=](S x, S y) {
         const unsigned n = U(y) % bits;
         return S(n ? uint64_t(U(x)) << n | U(x) >> (bits - n) : U(x));
       }},
      {call("clz", s, 1),
       [=](S x, S) {
         return S(x ? __builtin_clzll(U(x)) - (64 - bits) : bits);
       }},
      {call("ctz", s, 1),
       [=](S x, S) { return S(x ? __builtin_ctzll(U(x)) : bits); }},
      {call("popcount", s, 1),
       [](S x, S) { return S(__builtin_popcountll(U(x))); }},
      {call("clamp", s, 3),
       [](S x, S y) { return std::min(std::max(x, y), x); },
       [](S x, S y) { return y <= x; }},
  };
  checkCases<S, S, S>(t, t, t, declarations, cases, edges<S>(), edges<S>());
}

TEST(SpirvSimConvert, Integers) {
  using S = int64_t;
  auto through = [](const std::string &type, const std::string &widen) {
    return "%s = trunc i64 %x to " + type + "\n  %r = " + widen + " " + type +
           " %s to i64";
  };
  checkCases<S, S, S>(
      "i64", "i64", "i64", "",
      {
          {through("i8", "sext"), [](S x, S) { return S(int8_t(x)); }},
          {through("i8", "zext"), [](S x, S) { return S(uint8_t(x)); }},
          {through("i16", "sext"), [](S x, S) { return S(int16_t(x)); }},
          {through("i16", "zext"), [](S x, S) { return S(uint16_t(x)); }},
          {through("i32", "sext"), [](S x, S) { return S(int32_t(x)); }},
          {through("i32", "zext"), [](S x, S) { return S(uint32_t(x)); }},
      },
      edges<S>(), {0});
}

TEST(SpirvSimInteger, DivisionByZeroIsAFault) {
  for (const char *op : {"udiv", "sdiv", "urem", "srem"}) {
    SpirvRunner runner(compileSpirv(
        std::string("define spir_kernel void @test(ptr addrspace(1) %p) {\n"
                    "  %x = load i32, ptr addrspace(1) %p\n  %y = ") +
        op +
        " i32 7, %x\n  store i32 %y, ptr addrspace(1) %p\n  ret void\n}\n"));
    int32_t *p = runner.upload<int32_t>({0});
    const std::string error = runSpirv(runner, {p});
    EXPECT_NE(error.find("an integer is divided by zero"), std::string::npos)
        << error;
  }
}

/// Vectors of every supported length, compared element by element.
TEST(SpirvSimInteger, Vectors) {
  for (unsigned n : {2u, 3u, 4u, 8u, 16u}) {
    const std::string v = "<" + std::to_string(n) + " x i32>";
    SpirvRunner runner(compileSpirv(
        "define spir_kernel void @test(ptr addrspace(1) %p, ptr addrspace(1) "
        "%q) {\n  %x = load " +
        v + ", ptr addrspace(1) %p, align 4\n  %m = mul " + v + " %x, %x\n" +
        "  %e = extractelement " + v + " %m, i32 1\n  %f = insertelement " + v +
        " %m, i32 %e, i32 0\n  %g = shufflevector " + v + " %f, " + v +
        " %x, <2 x i32> <i32 " + std::to_string(n - 1) + ", i32 " +
        std::to_string(n) + ">\n  store " + v +
        " %f, ptr addrspace(1) %q, align 4\n  %b = getelementptr i32, ptr "
        "addrspace(1) %q, i64 " +
        std::to_string(n) +
        "\n  store <2 x i32> %g, ptr addrspace(1) %b, align 4\n  ret void\n}"));
    ASSERT_EQ(runner.loadError(), "");
    std::vector<int32_t> in;
    for (unsigned i = 0; i < n; ++i)
      in.push_back(10 + i);
    int32_t *p = runner.upload(in), *q = runner.allocate<int32_t>(n + 2);
    ASSERT_EQ(runSpirv(runner, {p, q}), "");
    EXPECT_EQ(q[0], 121);
    for (unsigned i = 1; i < n; ++i)
      EXPECT_EQ(q[i], in[i] * in[i]);
    EXPECT_EQ(q[n], in[n - 1] * in[n - 1]);
    EXPECT_EQ(q[n + 1], in[0]);
  }
}
