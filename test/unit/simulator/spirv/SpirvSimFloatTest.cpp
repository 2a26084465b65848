//===- SpirvSimFloatTest.cpp - Floats of SPIR-V ---------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/spirv/SpirvSimCases.h"

using namespace aircc::sim::test;

namespace {

template <typename T> std::vector<T> edges() {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<T> values;
  for (double v :
       {0.0, -0.0, 1.0,   -1.0,  0.5,      1.5,       2.5,         -2.5,
        3.0, 7.25, -0.3,  1e-3,  1e-7,     6e-8,      65504.0,     -1e10,
        3e9, 1e38, 1e-40, 255.5, infinity, -infinity, std::nan("")})
    values.push_back(static_cast<T>(v));
  return values;
}

using Half = _Float16;

template <typename T> std::string typeName() {
  return sizeof(T) == 8 ? "double" : "float";
}
template <typename T> char code() { return sizeof(T) == 8 ? 'd' : 'f'; }

template <typename T> class SpirvSimFloat : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(SpirvSimFloat, Types);

} // namespace

TYPED_TEST(SpirvSimFloat, Arithmetic) {
  using T = TypeParam;
  const std::string t = typeName<T>();
  auto plain = [&](const std::string &op) {
    return "%r = " + op + " " + t + " %x, %y";
  };
  std::vector<ExpressionCase<T, T, T>> cases = {
      {plain("fadd"), [](T x, T y) { return x + y; }},
      {plain("fsub"), [](T x, T y) { return x - y; }},
      {plain("fmul"), [](T x, T y) { return x * y; }},
      {plain("fdiv"), [](T x, T y) { return x / y; }},
      {plain("frem"), [](T x, T y) { return std::fmod(x, y); }},
      {"%r = fneg " + t + " %x", [](T x, T) { return -x; }},
  };
  struct Comparison {
    const char *name;
    bool (*holds)(T, T);
  };
  const Comparison comparisons[] = {
      {"oeq", [](T x, T y) { return x == y; }},
      {"one", [](T x, T y) { return x < y || x > y; }},
      {"olt", [](T x, T y) { return x < y; }},
      {"ole", [](T x, T y) { return x <= y; }},
      {"ogt", [](T x, T y) { return x > y; }},
      {"oge", [](T x, T y) { return x >= y; }},
      {"ord", [](T x, T y) { return x == x && y == y; }},
      {"ueq", [](T x, T y) { return !(x < y || x > y); }},
      {"une", [](T x, T y) { return !(x == y); }},
      {"ult", [](T x, T y) { return !(x >= y); }},
      {"ule", [](T x, T y) { return !(x > y); }},
      {"ugt", [](T x, T y) { return !(x <= y); }},
      {"uge", [](T x, T y) { return !(x < y); }},
      {"uno", [](T x, T y) { return x != x || y != y; }},
  };
  for (const Comparison &c : comparisons)
    cases.push_back({std::string("%s = fcmp ") + c.name + " " + t +
                         " %x, %y\n  %r = select i1 %s, " + t + " 1.0, " + t +
                         " 0.0",
                     [c](T x, T y) { return T(c.holds(x, y)); }});
  checkCases<T, T, T>(t, t, t, "", cases, edges<T>(), edges<T>());
}

/// Functions of f32 are the host's functions of f64, rounded once.
TYPED_TEST(SpirvSimFloat, OpenCLFunctions) {
  using T = TypeParam;
  const std::string t = typeName<T>();
  std::string declarations;
  auto call = [&](const std::string &name, unsigned count) {
    std::string mangled = "_Z" + std::to_string(name.size()) + name +
                          std::string(count, code<T>());
    declarations += "declare spir_func " + t + " @" + mangled + "(" + t +
                    (count > 1 ? ", " + t : "") + (count > 2 ? ", " + t : "") +
                    ")\n";
    return "%r = call spir_func " + t + " @" + mangled + "(" + t + " %x" +
           (count > 1 ? ", " + t + " %y" : "") +
           (count > 2 ? ", " + t + " %x" : "") + ")";
  };
  std::vector<ExpressionCase<T, T, T>> cases;
  struct One {
    const char *name;
    double (*function)(double);
  };
  const One ones[] = {
      {"acos", std::acos},
      {"asin", std::asin},
      {"atan", std::atan},
      {"acosh", std::acosh},
      {"asinh", std::asinh},
      {"atanh", std::atanh},
      {"cbrt", std::cbrt},
      {"ceil", std::ceil},
      {"cos", std::cos},
      {"cosh", std::cosh},
      {"erf", std::erf},
      {"erfc", std::erfc},
      {"exp", std::exp},
      {"exp2", std::exp2},
      {"expm1", std::expm1},
      {"fabs", std::fabs},
      {"floor", std::floor},
      {"lgamma", std::lgamma},
      {"log", std::log},
      {"log2", std::log2},
      {"log10", std::log10},
      {"log1p", std::log1p},
      {"logb", std::logb},
      {"rint", std::rint},
      {"round", std::round},
      {"sin", std::sin},
      {"sinh", std::sinh},
      {"sqrt", std::sqrt},
      {"tan", std::tan},
      {"tanh", std::tanh},
      {"tgamma", std::tgamma},
      {"trunc", std::trunc},
      {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
      {"exp10", [](double x) { return std::pow(10.0, x); }},
  };
  for (const One &one : ones)
    cases.push_back({call(one.name, 1), [one](T x, T) {
                       return static_cast<T>(one.function(x));
                     }});
  for (const One &one : ones)
    for (const char *native : {"sin", "cos", "exp", "log", "sqrt", "tan"})
      if (!std::strcmp(one.name, native) && sizeof(T) == 4)
        cases.push_back(
            {call(std::string("native_") + native, 1),
             [one](T x, T) { return static_cast<T>(one.function(x)); }});
  struct Two {
    const char *name;
    double (*function)(double, double);
  };
  const Two twos[] = {
      {"atan2", std::atan2},         {"copysign", std::copysign},
      {"fdim", std::fdim},           {"fmod", std::fmod},
      {"hypot", std::hypot},         {"pow", std::pow},
      {"remainder", std::remainder},
  };
  for (const Two &two : twos)
    cases.push_back({call(two.name, 2), [two](T x, T y) {
                       return static_cast<T>(two.function(x, y));
                     }});
  // The order of the two zeros is unspecified.
  auto isClear = [](T x, T y) { return x != y; };
  cases.push_back(
      {call("fmax", 2), [](T x, T y) { return std::fmax(x, y); }, isClear});
  cases.push_back(
      {call("fmin", 2), [](T x, T y) { return std::fmin(x, y); }, isClear});
  cases.push_back({call("fma", 3), [](T x, T y) { return std::fma(x, y, x); }});
  cases.push_back(
      {call("nextafter", 2), [](T x, T y) { return std::nextafter(x, y); }});
  checkCases<T, T, T>(t, t, t, declarations, cases, edges<T>(), edges<T>());
}

TYPED_TEST(SpirvSimFloat, ToIntegers) {
  using T = TypeParam;
  const std::string t = typeName<T>();
  // Saturating, with 0 for NaN, like the hardware.
  auto saturate = [](T x, double low, double high) {
    if (x != x)
      return int64_t(0);
    if (x <= low)
      return static_cast<int64_t>(low);
    if (x >= high)
      return high > 9.3e18   ? int64_t(-1)
             : high > 9.2e18 ? std::numeric_limits<int64_t>::max()
                             : static_cast<int64_t>(high);
    return high > 9.3e18 ? static_cast<int64_t>(static_cast<uint64_t>(x))
                         : static_cast<int64_t>(x);
  };
  auto to = [&](const std::string &op, const std::string &type,
                const std::string &widen) {
    return type == "i64" ? "%r = " + op + " " + t + " %x to i64"
                         : "%s = " + op + " " + t + " %x to " + type +
                               "\n  %r = " + widen + " " + type + " %s to i64";
  };
  checkCases<int64_t, T, T>(
      "i64", t, t, "",
      {
          {to("fptosi", "i8", "sext"),
           [=](T x, T) { return saturate(x, -128, 127); }},
          {to("fptoui", "i8", "zext"),
           [=](T x, T) { return saturate(x, 0, 255); }},
          {to("fptosi", "i16", "sext"),
           [=](T x, T) { return saturate(x, -32768, 32767); }},
          {to("fptosi", "i32", "sext"),
           [=](T x, T) { return saturate(x, -2147483648.0, 2147483647.0); }},
          {to("fptoui", "i32", "zext"),
           [=](T x, T) { return saturate(x, 0, 4294967295.0); }},
          {to("fptosi", "i64", ""),
           [=](T x, T) { return saturate(x, -0x1p63, 0x1p63); }},
          {to("fptoui", "i64", ""),
           [=](T x, T) { return saturate(x, 0, 0x1p64); }},
      },
      edges<T>(), {T(0)});
}

TYPED_TEST(SpirvSimFloat, FromIntegers) {
  using T = TypeParam;
  const std::string t = typeName<T>();
  checkCases<T, int64_t, int64_t>(
      t, "i64", "i64", "",
      {
          {"%r = sitofp i64 %x to " + t,
           [](int64_t x, int64_t) { return T(x); }},
          {"%r = uitofp i64 %x to " + t,
           [](int64_t x, int64_t) { return T(uint64_t(x)); }},
          {"%s = trunc i64 %x to i32\n  %r = sitofp i32 %s to " + t,
           [](int64_t x, int64_t) { return T(int32_t(x)); }},
          {"%s = trunc i64 %x to i8\n  %r = uitofp i8 %s to " + t,
           [](int64_t x, int64_t) { return T(uint8_t(x)); }},
      },
      {0, 1, -1, 255, 16777217, (int64_t(1) << 53) + 1,
       std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(),
       0x7fffff4000000001},
      {0});
}

/// All 65536 halves: to f32 and back, and arithmetic rounded once.
TEST(SpirvSimHalf, EveryValue) {
  SpirvRunner runner(compileSpirv(std::string(kSpirvPrelude) + R"(
declare half @llvm.fma.f16(half, half, half)
define spir_kernel void @test(ptr addrspace(1) %in, ptr addrspace(1) %wide, ptr addrspace(1) %out, ptr addrspace(1) %fused) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr half, ptr addrspace(1) %in, i64 %i
  %x = load half, ptr addrspace(1) %p
  %w = fpext half %x to float
  %pw = getelementptr float, ptr addrspace(1) %wide, i64 %i
  store float %w, ptr addrspace(1) %pw
  %n = fptrunc float %w to half
  %y = fmul half %n, 0xH3555
  %z = fadd half %y, 0xH2E66
  %po = getelementptr half, ptr addrspace(1) %out, i64 %i
  store half %z, ptr addrspace(1) %po
  %f = call half @llvm.fma.f16(half %x, half 0xH3555, half 0xH0001)
  %pf = getelementptr half, ptr addrspace(1) %fused, i64 %i
  store half %f, ptr addrspace(1) %pf
  ret void
})"));
  ASSERT_EQ(runner.loadError(), "");
  constexpr unsigned count = 65536;
  std::vector<uint16_t> in(count);
  for (unsigned i = 0; i < count; ++i)
    in[i] = static_cast<uint16_t>(i);
  uint16_t *pin = runner.upload(in), *out = runner.allocate<uint16_t>(count),
           *fused = runner.allocate<uint16_t>(count);
  float *wide = runner.allocate<float>(count);
  ASSERT_EQ(runSpirv(runner, {pin, wide, out, fused}, {256, 1, 1},
                     {count / 256, 1, 1}),
            "");
  auto half = [](uint16_t bits) {
    Half v;
    std::memcpy(&v, &bits, 2);
    return v;
  };
  for (unsigned i = 0; i < count; ++i) {
    const Half x = half(in[i]);
    ASSERT_TRUE(sameValue<float>(wide[i], x)) << i;
    const Half wanted = Half(Half(x * half(0x3555)) + half(0x2e66));
    ASSERT_TRUE(sameValue<float>(half(out[i]), wanted)) << i;
    // The product has 22 bits and the sum is exact in double.
    const Half once =
        static_cast<Half>(double(x) * double(half(0x3555)) + double(half(1)));
    ASSERT_TRUE(sameValue<float>(half(fused[i]), once)) << i;
  }
}

/// The function of Intel's compiler rounds to nearest, ties to even, as APFloat
/// does, and keeps NaNs.
TEST(SpirvSimFloats, RoundsToBF16) {
  std::vector<float> values = edges<float>();
  // 1 and a half, one and a half, and almost a half of the last bit.
  for (uint32_t bits : {0x3F808000u, 0x3F818000u, 0x3F808001u, 0x3F807FFFu,
                        0x7F7FFFFFu, 0x00008000u, 0x80018000u, 0x7F800001u}) {
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    values.push_back(value);
  }
  while (values.size() % 16)
    values.push_back(0);
  std::string ir = std::string(kSpirvPrelude) +
                   "declare spir_func i16 @__builtin_IB_ftobf_1(float)\n"
                   "define spir_kernel void @test(ptr addrspace(1) %x, "
                   "ptr addrspace(1) %r) !intel_reqd_sub_group_size !{i32 16} "
                   "{\n"
                   "  %i = call spir_func i64 @_Z13get_global_idj(i32 0)\n"
                   "  %px = getelementptr float, ptr addrspace(1) %x, i64 %i\n"
                   "  %v = load float, ptr addrspace(1) %px\n"
                   "  %b = call spir_func i16 @__builtin_IB_ftobf_1(float %v)\n"
                   "  %pr = getelementptr i16, ptr addrspace(1) %r, i64 %i\n"
                   "  store i16 %b, ptr addrspace(1) %pr\n"
                   "  ret void\n}\n";
  SpirvRunner runner(compileSpirv(ir));
  ASSERT_EQ(runner.loadError(), "");
  auto *result = runner.allocate<uint16_t>(values.size());
  const auto groups = static_cast<uint32_t>(values.size() / 16);
  ASSERT_EQ(runSpirv(runner, {runner.upload(values), result}, {16, 1, 1},
                     {groups, 1, 1}),
            "");
  for (size_t i = 0; i < values.size(); ++i) {
    uint32_t bits;
    std::memcpy(&bits, &values[i], sizeof(bits));
    const uint32_t low = bits & 0xFFFF, high = bits >> 16;
    if (std::isnan(values[i])) {
      EXPECT_EQ(result[i] & 0x7FC0, 0x7FC0) << std::hex << bits;
      continue;
    }
    const bool isUp = low > 0x8000 || (low == 0x8000 && high % 2 == 1);
    EXPECT_EQ(result[i], high + isUp) << std::hex << bits;
  }
}
