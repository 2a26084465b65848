//===- SpirvSimOpenCLTest.cpp - Functions of OpenCL with pointers ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests functions of OpenCL with pointers, unusual types or rounding modes.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/spirv/SpirvSimCases.h"

#include "llvm/ADT/APFloat.h"

using namespace aircc;
using namespace aircc::sim::test;

namespace {

const std::vector<float> kValues = {0.0f,   -0.0f,  0.25f,  -0.75f, 1.0f,
                                    2.5f,   -2.5f,  100.7f, -1e-3f, 3e5f,
                                    -1e10f, 1e-40f, 7.0f,   -1e-10f};

/// Runs a kernel with a lane for each value: pointers to the values, to floats
/// and to ints that it writes.
void runOver(const std::string &declarations, const std::string &body,
             std::vector<float> &floats, std::vector<int32_t> &ints) {
  SpirvRunner runner(compileSpirv(
      kSpirvPrelude + declarations +
      "\ndefine spir_kernel void @test(ptr addrspace(1) %in, ptr addrspace(1) "
      "%f, ptr addrspace(1) %n) {\n"
      "  %i = call spir_func i64 @_Z13get_global_idj(i32 0)\n"
      "  %pi = getelementptr float, ptr addrspace(1) %in, i64 %i\n"
      "  %x = load float, ptr addrspace(1) %pi\n"
      "  %pf = getelementptr float, ptr addrspace(1) %f, i64 %i\n"
      "  %pn = getelementptr i32, ptr addrspace(1) %n, i64 %i\n" +
      body + "\n  ret void\n}\n"));
  ASSERT_EQ(runner.loadError(), "");
  float *in = runner.upload(kValues),
        *f = runner.allocate<float>(kValues.size());
  int32_t *n = runner.allocate<int32_t>(kValues.size());
  rt::Dim3 grid;
  grid.x = static_cast<uint32_t>(kValues.size());
  ASSERT_EQ(runSpirv(runner, {in, f, n}, {1, 1, 1}, grid), "");
  floats.assign(f, f + kValues.size());
  ints.assign(n, n + kValues.size());
}

struct TwoFloats {
  const char *name; ///< Mangled, of (float, float addrspace(1) *).
  float (*first)(float);
  float (*second)(float);
};

} // namespace

TEST(SpirvSimOpenCL, SecondResults) {
  const TwoFloats cases[] = {
      {"_Z6sincosfPU3AS1f", [](float x) { return float(std::sin(double(x))); },
       [](float x) { return float(std::cos(double(x))); }},
      {"_Z4modffPU3AS1f",
       [](float x) {
         float whole;
         return std::modf(x, &whole);
       },
       [](float x) { return std::trunc(x); }},
      {"_Z5fractfPU3AS1f",
       [](float x) { return std::fmin(x - std::floor(x), 0x1.fffffep-1f); },
       [](float x) { return std::floor(x); }},
  };
  for (const TwoFloats &c : cases) {
    SCOPED_TRACE(c.name);
    std::vector<float> first, second;
    std::vector<int32_t> bits;
    runOver(std::string("declare spir_func float @") + c.name +
                "(float, ptr addrspace(1))",
            std::string("  %r = call spir_func float @") + c.name +
                "(float %x, ptr addrspace(1) %pf)\n  store float %r, ptr "
                "addrspace(1) %pn\n",
            second, bits);
    for (size_t i = 0; i < bits.size(); ++i) {
      float got;
      std::memcpy(&got, &bits[i], 4);
      EXPECT_EQ(got, c.first(kValues[i])) << kValues[i];
      EXPECT_EQ(second[i], c.second(kValues[i])) << kValues[i];
    }
  }
  std::vector<float> floats;
  std::vector<int32_t> ints;
  runOver("declare spir_func float @_Z5frexpfPU3AS1i(float, ptr addrspace(1))",
          "  %r = call spir_func float @_Z5frexpfPU3AS1i(float %x, ptr "
          "addrspace(1) %pn)\n  store float %r, ptr addrspace(1) %pf\n",
          floats, ints);
  for (size_t i = 0; i < ints.size(); ++i) {
    int exponent = 0;
    EXPECT_EQ(floats[i], std::frexp(kValues[i], &exponent));
    EXPECT_EQ(ints[i], exponent) << kValues[i];
  }
}

TEST(SpirvSimOpenCL, WithIntegers) {
  struct Case {
    const char *name;
    float (*expected)(float, int);
  };
  const Case cases[] = {
      {"_Z5ldexpfi", [](float x, int n) { return std::ldexp(x, n); }},
      {"_Z4pownfi",
       [](float x, int n) { return float(std::pow(double(x), n)); }},
  };
  for (const Case &c : cases)
    for (int n : {0, 3, -2, 40}) {
      SCOPED_TRACE(c.name + std::string(" ") + std::to_string(n));
      std::vector<float> floats;
      std::vector<int32_t> ints;
      runOver(std::string("declare spir_func float @") + c.name +
                  "(float, i32)\ndeclare spir_func i32 @_Z5ilogbf(float)",
              std::string("  %r = call spir_func float @") + c.name +
                  "(float %x, i32 " + std::to_string(n) +
                  ")\n  store float %r, ptr addrspace(1) %pf\n  %g = call "
                  "spir_func i32 @_Z5ilogbf(float %x)\n  store i32 %g, ptr "
                  "addrspace(1) %pn\n",
              floats, ints);
      for (size_t i = 0; i < floats.size(); ++i) {
        EXPECT_EQ(floats[i], c.expected(kValues[i], n)) << kValues[i];
        EXPECT_EQ(ints[i], std::ilogb(kValues[i])) << kValues[i];
      }
    }
}

/// Conversions with a rounding mode, and saturating ones.
TEST(SpirvSimOpenCL, Conversions) {
  struct Case {
    const char *name;
    double (*rounded)(double);
  };
  const Case cases[] = {
      {"_Z15convert_int_rtef", [](double x) { return std::nearbyint(x); }},
      {"_Z15convert_int_rtzf", [](double x) { return std::trunc(x); }},
      {"_Z15convert_int_rtpf", [](double x) { return std::ceil(x); }},
      {"_Z15convert_int_rtnf", [](double x) { return std::floor(x); }},
      {"_Z19convert_int_sat_rtef", [](double x) { return std::nearbyint(x); }},
  };
  for (const Case &c : cases) {
    SCOPED_TRACE(c.name);
    std::vector<float> floats;
    std::vector<int32_t> ints;
    runOver(std::string("declare spir_func i32 @") + c.name + "(float)",
            std::string("  %r = call spir_func i32 @") + c.name +
                "(float %x)\n  store i32 %r, ptr addrspace(1) %pn\n",
            floats, ints);
    for (size_t i = 0; i < ints.size(); ++i) {
      const double wanted = std::fmin(
          std::fmax(c.rounded(kValues[i]), -2147483648.0), 2147483647.0);
      EXPECT_EQ(ints[i], static_cast<int32_t>(wanted)) << kValues[i];
    }
  }
  struct Narrow {
    const char *name;
    llvm::RoundingMode mode;
  };
  const Narrow narrows[] = {
      {"_Z26__spirv_FConvert_Rhalf_rtef",
       llvm::RoundingMode::NearestTiesToEven},
      {"_Z26__spirv_FConvert_Rhalf_rtzf", llvm::RoundingMode::TowardZero},
      {"_Z26__spirv_FConvert_Rhalf_rtpf", llvm::RoundingMode::TowardPositive},
      {"_Z26__spirv_FConvert_Rhalf_rtnf", llvm::RoundingMode::TowardNegative},
  };
  for (const Narrow &c : narrows) {
    SCOPED_TRACE(c.name);
    std::vector<float> floats;
    std::vector<int32_t> ints;
    runOver(std::string("declare spir_func half @") + c.name + "(float)",
            std::string("  %r = call spir_func half @") + c.name +
                "(float %x)\n  %b = bitcast half %r to i16\n  %z = zext i16 %b "
                "to i32\n  store i32 %z, ptr addrspace(1) %pn\n",
            floats, ints);
    for (size_t i = 0; i < ints.size(); ++i) {
      llvm::APFloat wanted(kValues[i]);
      bool loses = false;
      (void)wanted.convert(llvm::APFloat::IEEEhalf(), c.mode, &loses);
      EXPECT_EQ(uint64_t(ints[i]), wanted.bitcastToAPInt().getZExtValue())
          << kValues[i];
    }
  }
}

TEST(SpirvSimOpenCL, VectorsInMemory) {
  SpirvRunner runner(compileSpirv(R"(
declare spir_func <3 x float> @_Z6vload3mPU3AS1Kf(i64, ptr addrspace(1))
declare spir_func void @_Z7vstore3Dv3_fmPU3AS1f(<3 x float>, i64, ptr addrspace(1))
declare spir_func <4 x float> @_Z11vload_half4mPU3AS1KDh(i64, ptr addrspace(1))
declare spir_func void @_Z12vstore_half4Dv4_fmPU3AS1Dh(<4 x float>, i64, ptr addrspace(1))
define spir_kernel void @test(ptr addrspace(1) %a, ptr addrspace(1) %h) {
  %v = call spir_func <3 x float> @_Z6vload3mPU3AS1Kf(i64 1, ptr addrspace(1) %a)
  %w = fadd <3 x float> %v, %v
  call spir_func void @_Z7vstore3Dv3_fmPU3AS1f(<3 x float> %w, i64 2, ptr addrspace(1) %a)
  %x = call spir_func <4 x float> @_Z11vload_half4mPU3AS1KDh(i64 0, ptr addrspace(1) %h)
  %y = fmul <4 x float> %x, <float 0.5, float 0.5, float 0.5, float 0.5>
  call spir_func void @_Z12vstore_half4Dv4_fmPU3AS1Dh(<4 x float> %y, i64 1, ptr addrspace(1) %h)
  ret void
})"));
  ASSERT_EQ(runner.loadError(), "");
  std::vector<float> in;
  for (int i = 0; i < 9; ++i)
    in.push_back(float(i + 1));
  float *a = runner.upload(in);
  _Float16 *h = runner.upload<_Float16>({1, 3, 5, 7, 0, 0, 0, 0});
  ASSERT_EQ(runSpirv(runner, {a, h}, {1, 1, 1}), "");
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(a[6 + i], 2 * in[3 + i]);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(float(h[4 + i]), (2 * i + 1) * 0.5f);
  // One past the end.
  float *small = runner.allocate<float>(8);
  EXPECT_NE(runSpirv(runner, {small, h}, {1, 1, 1}).find("a write of 12 bytes"),
            std::string::npos);
}

/// Arithmetic of bfloat: as f32, rounded once.
TEST(SpirvSimOpenCL, BFloat) {
  SpirvRunner runner(compileSpirv(std::string(kSpirvPrelude) + R"(
define spir_kernel void @test(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %a = getelementptr bfloat, ptr addrspace(1) %p, i64 %i
  %x = load bfloat, ptr addrspace(1) %a
  %w = fpext bfloat %x to float
  %t = fmul float %w, 0x3FF5555560000000
  %n = fptrunc float %t to bfloat
  %b = getelementptr bfloat, ptr addrspace(1) %q, i64 %i
  store bfloat %n, ptr addrspace(1) %b
  ret void
})"));
  ASSERT_EQ(runner.loadError(), "");
  constexpr unsigned count = 65536;
  std::vector<uint16_t> in(count);
  for (unsigned i = 0; i < count; ++i)
    in[i] = static_cast<uint16_t>(i);
  uint16_t *p = runner.upload(in), *q = runner.allocate<uint16_t>(count);
  ASSERT_EQ(runSpirv(runner, {p, q}, {256, 1, 1}, {count / 256, 1, 1}), "");
  for (unsigned i = 0; i < count; ++i) {
    const uint32_t wide = i << 16;
    float x;
    std::memcpy(&x, &wide, 4);
    llvm::APFloat wanted(x * 0x1.555556p+0f);
    bool loses = false;
    (void)wanted.convert(llvm::APFloat::BFloat(),
                         llvm::RoundingMode::NearestTiesToEven, &loses);
    if (wanted.isNaN())
      EXPECT_GT(q[i] & 0x7fff, 0x7f80) << i;
    else
      ASSERT_EQ(q[i], wanted.bitcastToAPInt().getZExtValue()) << i;
  }
}

TEST(SpirvSimOpenCL, SelectAndShuffle) {
  SpirvRunner runner(compileSpirv(R"(
declare spir_func <4 x i32> @_Z6selectDv4_iS_S_(<4 x i32>, <4 x i32>, <4 x i32>)
declare spir_func <4 x i32> @_Z9bitselectDv4_iS_S_(<4 x i32>, <4 x i32>, <4 x i32>)
declare spir_func <4 x i32> @_Z7shuffleDv4_iDv4_j(<4 x i32>, <4 x i32>)
define spir_kernel void @test(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = load <4 x i32>, ptr addrspace(1) %p
  %y = add <4 x i32> %x, <i32 100, i32 100, i32 100, i32 100>
  %s = call spir_func <4 x i32> @_Z6selectDv4_iS_S_(<4 x i32> %x, <4 x i32> %y, <4 x i32> <i32 -1, i32 0, i32 1, i32 -2147483648>)
  store <4 x i32> %s, ptr addrspace(1) %q
  %b = call spir_func <4 x i32> @_Z9bitselectDv4_iS_S_(<4 x i32> %x, <4 x i32> %y, <4 x i32> <i32 -1, i32 0, i32 15, i32 240>)
  %q1 = getelementptr <4 x i32>, ptr addrspace(1) %q, i64 1
  store <4 x i32> %b, ptr addrspace(1) %q1
  %t = call spir_func <4 x i32> @_Z7shuffleDv4_iDv4_j(<4 x i32> %x, <4 x i32> <i32 3, i32 2, i32 5, i32 0>)
  %q2 = getelementptr <4 x i32>, ptr addrspace(1) %q, i64 2
  store <4 x i32> %t, ptr addrspace(1) %q2
  ret void
})"));
  ASSERT_EQ(runner.loadError(), "");
  int32_t *p = runner.upload<int32_t>({1, 2, 3, 4}),
          *q = runner.allocate<int32_t>(12);
  ASSERT_EQ(runSpirv(runner, {p, q}, {1, 1, 1}), "");
  const int32_t wanted[] = {
      101, 2, 3, 104, 101, 2, (3 & ~15) | (103 & 15), (4 & ~240) | (104 & 240),
      4,   3, 2, 1};
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(q[i], wanted[i]) << i;
}
