//===- SimFormatTest.cpp - Small float formats of the simulator -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions to and from formats of 4, 6, 8 and 16 bits, with scales and with
// stochastic rounding, against LLVM's APFloat.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimTestSupport.h"

#include "llvm/ADT/APFloat.h"
#include <bit>
#include <cmath>
#include <gtest/gtest.h>

using namespace aircc::sim::test;
using llvm::APFloat;

namespace {

using u32 = uint32_t;
using u64 = uint64_t;

/// Returns the format with the name that mnemonics use.
struct Format {
  const llvm::fltSemantics *semantics;
  unsigned bits;
  bool finite; ///< No infinity and no NaN: saturates.
  bool unsignedZero = false;
};
Format formatOf(const std::string &name, bool fnuz = false) {
  if (name == "f32")
    return {&APFloat::IEEEsingle(), 32, false};
  if (name == "f16")
    return {&APFloat::IEEEhalf(), 16, false};
  if (name == "bf16")
    return {&APFloat::BFloat(), 16, false};
  if (name == "fp8")
    return {fnuz ? &APFloat::Float8E4M3FNUZ() : &APFloat::Float8E4M3FN(), 8,
            false, fnuz};
  if (name == "bf8")
    return {fnuz ? &APFloat::Float8E5M2FNUZ() : &APFloat::Float8E5M2(), 8,
            false, fnuz};
  if (name == "fp6")
    return {&APFloat::Float6E2M3FN(), 6, true};
  if (name == "bf6")
    return {&APFloat::Float6E3M2FN(), 6, true};
  return {&APFloat::Float4E2M1FN(), 4, true};
}

double decode(const Format &f, u32 bits) {
  APFloat v(*f.semantics, llvm::APInt(f.bits, bits));
  bool loses;
  v.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return v.convertToDouble();
}

u32 encode(const Format &f, double value,
           llvm::RoundingMode mode = APFloat::rmNearestTiesToEven) {
  if (f.finite) {
    double most = APFloat::getLargest(*f.semantics).convertToDouble();
    value = std::fmin(std::fmax(value, -most), most);
  }
  APFloat v(value);
  bool loses;
  v.convert(*f.semantics, mode, &loses);
  return static_cast<u32>(v.bitcastToAPInt().getZExtValue());
}

/// Stochastic rounding: adds `random` / 2^32 units in the last place to the
/// magnitude, then truncates.
u32 encodeStochastic(const Format &f, double value, u32 random) {
  if (!std::isfinite(value))
    return encode(f, value);
  double most = APFloat::getLargest(*f.semantics).convertToDouble();
  double magnitude = std::fabs(value);
  u32 sign = std::signbit(value) ? 1u << (f.bits - 1) : 0;
  u32 low = encode(f, std::fmin(magnitude, most), APFloat::rmTowardZero);
  double below = decode(f, low);
  // The distance of values in the binade, also beyond the largest number.
  double step =
      below < most ? decode(f, low + 1) - below : most - decode(f, low - 1);
  bool up = (magnitude - below) / step + random / 4294967296.0 >= 1;
  if (!up)
    return low || !f.unsignedZero ? sign | low : 0;
  if (below >= most)
    return f.finite ? sign | low : encode(f, std::copysign(INFINITY, value));
  return sign | (low + 1);
}

const std::vector<double> kValues = {
    0.0,       -0.0,   1.0,      -1.0,     0.5,     1.0625,  -1.1875,
    1.25,      1.3125, 1.75,     2.5,      -3.5,    5.0,     6.0,
    7.0,       7.5,    -28.0,    30.0,     240.0,   247.0,   -248.0,
    448.0,     464.0,  465.0,    -500.0,   57344.0, 61439.0, 61440.0,
    65504.0,   -1e30,  0.125,    0.0625,   0.03,    0.0156,  -0.00195,
    0.000976,  0.0009, 1.5e-5,   -7.6e-6,  3.1e-5,  1e-8,    -1e-20,
    1e-40,     0.0117, 0.009766, 0.013672, 100.0,   -77.0,   INFINITY,
    -INFINITY,
};

/// Lanes of f32 values, with a NaN if `nan`.
std::vector<u32> lanes(unsigned shift, unsigned count, bool nan) {
  std::vector<u32> row(count);
  for (unsigned i = 0; i < count; ++i)
    row[i] = std::bit_cast<u32>(
        static_cast<float>(kValues[(i * 7 + shift) % kValues.size()]));
  if (nan)
    row[count - 1] = 0x7fc12345;
  return row;
}
float f32(u32 v) { return std::bit_cast<float>(v); }

bool isNan(const Format &f, u32 bits) { return std::isnan(decode(f, bits)); }

struct Chip {
  const char *name;
  bool fnuz;
};

class SimFloat8 : public ::testing::TestWithParam<Chip> {};

TEST_P(SimFloat8, EveryByteToFloat) {
  auto [chip, fnuz] = GetParam();
  bool gfx12 = std::string(chip) == "gfx1201";
  for (const char *name : {"fp8", "bf8"})
    for (u32 first = 0; first < 256; first += gfx12 ? 32 : 64) {
      LaneTest test;
      test.chip = chip;
      test.lanes = gfx12 ? 32 : 64;
      test.count = 4;
      std::vector<u32> bytes(test.lanes), pairs(test.lanes);
      for (unsigned i = 0; i < test.lanes; ++i) {
        bytes[i] = (first + i) << 16 | 0x1100ff;
        pairs[i] = (first + i) << 16 | (first + i ^ 0x55) << 24;
      }
      std::string n = name;
      auto out = test.run(
          (gfx12 ? "v_cvt_f32_" + n + "_e64 v40, v10 byte_sel:2\n"
                 : "v_cvt_f32_" + n + "_sdwa v40, v10 src0_sel:BYTE_2\n") +
              (gfx12 ? "v_cvt_pk_f32_" + n + "_e64 v[42:43], v11 op_sel:[1,0]\n"
                     : "v_cvt_pk_f32_" + n +
                           "_sdwa v[42:43], v11 src0_sel:WORD_1\n"),
          {bytes, pairs});
      ASSERT_EQ(test.error, "");
      Format f = formatOf(n, fnuz);
      for (unsigned i = 0; i < test.lanes; ++i) {
        auto same = [&](u32 got, u32 byte) {
          float want = static_cast<float>(decode(f, byte));
          EXPECT_TRUE(got == std::bit_cast<u32>(want) ||
                      (std::isnan(want) && std::isnan(f32(got))))
              << chip << " " << n << " " << std::hex << byte << ": " << got;
        };
        same(out[0][i], bytes[i] >> 16 & 255);
        same(out[2][i], pairs[i] >> 16 & 255);
        same(out[3][i], pairs[i] >> 24);
      }
    }
}

TEST_P(SimFloat8, FloatToBytes) {
  auto [chip, fnuz] = GetParam();
  bool gfx12 = std::string(chip) == "gfx1201";
  for (const char *name : {"fp8", "bf8"})
    for (unsigned round = 0; round < 3; ++round) {
      LaneTest test;
      test.chip = chip;
      test.lanes = gfx12 ? 32 : 64;
      test.count = 4;
      auto a = lanes(round * 3, test.lanes, true),
           b = lanes(round * 5 + 11, test.lanes, false);
      std::vector<u32> random(test.lanes);
      for (unsigned i = 0; i < test.lanes; ++i)
        random[i] = i % 5 == 0   ? 0
                    : i % 5 == 1 ? 0xffffffff
                                 : 0x9e3779b9u * (i + 7 * round);
      std::string n = name;
      // The instruction writes the low half, the high half or a single byte;
      // the other bits are kept.
      auto out =
          test.run("v_mov_b32 v40, 0x12345678\nv_mov_b32 v41, 0x12345678\n"
                   "v_mov_b32 v42, 0x12345678\nv_mov_b32 v43, 0x12345678\n"
                   "v_cvt_pk_" +
                       n + "_f32 v40, v10, v11\nv_cvt_pk_" + n +
                       "_f32 v41, v10, -v11 op_sel:[0,0,1]\nv_cvt_sr_" + n +
                       "_f32 v42, v10, v12 " +
                       (gfx12 ? "byte_sel:1" : "op_sel:[0,0,1,0]") +
                       "\nv_cvt_sr_" + n + "_f32 v43, |v10|, v12 " +
                       (gfx12 ? "byte_sel:2" : "op_sel:[0,0,0,1]") + "\n",
                   {a, b, random});
      ASSERT_EQ(test.error, "");
      Format f = formatOf(n, fnuz);
      for (unsigned i = 0; i < test.lanes; ++i) {
        double x = f32(a[i]), y = f32(b[i]);
        auto same = [&](u32 got, u32 want, const char *what) {
          EXPECT_TRUE(got == want || (isNan(f, got) && isNan(f, want)))
              << chip << " " << n << " " << what << " x=" << x << " y=" << y
              << std::hex << " random=" << random[i] << " got " << got
              << " want " << want;
        };
        same(out[0][i] & 255, encode(f, x), "low");
        same(out[0][i] >> 8 & 255, encode(f, y), "low");
        EXPECT_EQ(out[0][i] >> 16, 0x1234u);
        same(out[1][i] >> 16 & 255, encode(f, x), "high");
        same(out[1][i] >> 24, encode(f, -y), "high");
        EXPECT_EQ(out[1][i] & 0xffff, 0x5678u);
        same(out[2][i] >> 8 & 255, encodeStochastic(f, x, random[i]), "sr 1");
        EXPECT_EQ(out[2][i] & 0xffff00ff, 0x12340078u);
        same(out[3][i] >> 16 & 255,
             encodeStochastic(f, std::fabs(x), random[i]), "sr 2");
        EXPECT_EQ(out[3][i] & 0xff00ffff, 0x12005678u);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Chips, SimFloat8,
                         ::testing::Values(Chip{"gfx942", true},
                                           Chip{"gfx950", false},
                                           Chip{"gfx1201", false}),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

/// V_CVT_SR_F16_F32 and V_CVT_SR_BF16_F32.
TEST(SimFormats, StochasticHalves) {
  for (const char *name : {"f16", "bf16"}) {
    LaneTest test;
    test.chip = "gfx950";
    test.count = 2;
    auto a = lanes(5, 64, true);
    std::vector<u32> random(64);
    for (unsigned i = 0; i < 64; ++i)
      random[i] = 0x9e3779b9u * i;
    std::string n = name;
    auto out = test.run("v_mov_b32 v40, 0x12345678\nv_mov_b32 v41, v40\n"
                        "v_cvt_sr_" +
                            n + "_f32 v40, v10, v11\nv_cvt_sr_" + n +
                            "_f32 v41, v10, v11 op_sel:[0,0,1]\n",
                        {a, random});
    ASSERT_EQ(test.error, "");
    Format f = formatOf(n);
    for (unsigned i = 0; i < 64; ++i) {
      u32 want = encodeStochastic(f, f32(a[i]), random[i]);
      u32 low = out[0][i] & 0xffff, high = out[1][i] >> 16;
      EXPECT_TRUE(low == want || (isNan(f, low) && isNan(f, want)))
          << n << " " << f32(a[i]) << std::hex << " " << random[i] << " got "
          << low << " want " << want;
      EXPECT_EQ(low, high);
      EXPECT_EQ(out[0][i] >> 16, 0x1234u);
      EXPECT_EQ(out[1][i] & 0xffff, 0x5678u);
    }
  }
}

/// One mnemonic of gfx950's scaled conversions, with its properties.
struct Scaled {
  const char *mnemonic, *to, *from;
  unsigned count;
  enum Shape { Plain, TwoSources, Interleaved } shape = Plain;
  bool stochastic = false;
};
// clang-format off
const Scaled kScaled[] = {
    {"v_cvt_scalef32_f32_fp8", "f32", "fp8", 1},
    {"v_cvt_scalef32_f32_bf8", "f32", "bf8", 1},
    {"v_cvt_scalef32_f16_fp8", "f16", "fp8", 1},
    {"v_cvt_scalef32_f16_bf8", "f16", "bf8", 1},
    {"v_cvt_scalef32_pk_f32_fp8", "f32", "fp8", 2},
    {"v_cvt_scalef32_pk_f32_bf8", "f32", "bf8", 2},
    {"v_cvt_scalef32_pk_f16_fp8", "f16", "fp8", 2},
    {"v_cvt_scalef32_pk_f16_bf8", "f16", "bf8", 2},
    {"v_cvt_scalef32_pk_bf16_fp8", "bf16", "fp8", 2},
    {"v_cvt_scalef32_pk_bf16_bf8", "bf16", "bf8", 2},
    {"v_cvt_scalef32_pk_f32_fp4", "f32", "fp4", 2},
    {"v_cvt_scalef32_pk_f16_fp4", "f16", "fp4", 2},
    {"v_cvt_scalef32_pk_bf16_fp4", "bf16", "fp4", 2},
    {"v_cvt_scalef32_pk_fp8_f32", "fp8", "f32", 2, Scaled::TwoSources},
    {"v_cvt_scalef32_pk_bf8_f32", "bf8", "f32", 2, Scaled::TwoSources},
    {"v_cvt_scalef32_pk_fp4_f32", "fp4", "f32", 2, Scaled::TwoSources},
    {"v_cvt_scalef32_pk_fp8_f16", "fp8", "f16", 2},
    {"v_cvt_scalef32_pk_bf8_f16", "bf8", "f16", 2},
    {"v_cvt_scalef32_pk_fp8_bf16", "fp8", "bf16", 2},
    {"v_cvt_scalef32_pk_bf8_bf16", "bf8", "bf16", 2},
    {"v_cvt_scalef32_pk_fp4_f16", "fp4", "f16", 2},
    {"v_cvt_scalef32_pk_fp4_bf16", "fp4", "bf16", 2},
    {"v_cvt_scalef32_sr_fp8_f32", "fp8", "f32", 1, Scaled::Plain, true},
    {"v_cvt_scalef32_sr_bf8_f32", "bf8", "f32", 1, Scaled::Plain, true},
    {"v_cvt_scalef32_sr_fp8_f16", "fp8", "f16", 1, Scaled::Plain, true},
    {"v_cvt_scalef32_sr_bf8_f16", "bf8", "f16", 1, Scaled::Plain, true},
    {"v_cvt_scalef32_sr_fp8_bf16", "fp8", "bf16", 1, Scaled::Plain, true},
    {"v_cvt_scalef32_sr_bf8_bf16", "bf8", "bf16", 1, Scaled::Plain, true},
    {"v_cvt_scalef32_sr_pk_fp4_f32", "fp4", "f32", 2, Scaled::Plain, true},
    {"v_cvt_scalef32_sr_pk_fp4_f16", "fp4", "f16", 2, Scaled::Plain, true},
    {"v_cvt_scalef32_sr_pk_fp4_bf16", "fp4", "bf16", 2, Scaled::Plain, true},
    {"v_cvt_scalef32_pk32_f32_fp6", "f32", "fp6", 32},
    {"v_cvt_scalef32_pk32_f32_bf6", "f32", "bf6", 32},
    {"v_cvt_scalef32_pk32_f16_fp6", "f16", "fp6", 32},
    {"v_cvt_scalef32_pk32_f16_bf6", "f16", "bf6", 32},
    {"v_cvt_scalef32_pk32_bf16_fp6", "bf16", "fp6", 32},
    {"v_cvt_scalef32_pk32_bf16_bf6", "bf16", "bf6", 32},
    {"v_cvt_scalef32_pk32_fp6_f16", "fp6", "f16", 32},
    {"v_cvt_scalef32_pk32_bf6_f16", "bf6", "f16", 32},
    {"v_cvt_scalef32_pk32_fp6_bf16", "fp6", "bf16", 32},
    {"v_cvt_scalef32_pk32_bf6_bf16", "bf6", "bf16", 32},
    {"v_cvt_scalef32_2xpk16_fp6_f32", "fp6", "f32", 32, Scaled::Interleaved},
    {"v_cvt_scalef32_2xpk16_bf6_f32", "bf6", "f32", 32, Scaled::Interleaved},
    {"v_cvt_scalef32_sr_pk32_fp6_f32", "fp6", "f32", 32, Scaled::Plain, true},
    {"v_cvt_scalef32_sr_pk32_bf6_f32", "bf6", "f32", 32, Scaled::Plain, true},
    {"v_cvt_scalef32_sr_pk32_fp6_f16", "fp6", "f16", 32, Scaled::Plain, true},
    {"v_cvt_scalef32_sr_pk32_bf6_f16", "bf6", "f16", 32, Scaled::Plain, true},
    {"v_cvt_scalef32_sr_pk32_fp6_bf16", "fp6", "bf16", 32, Scaled::Plain, true},
    {"v_cvt_scalef32_sr_pk32_bf6_bf16", "bf6", "bf16", 32, Scaled::Plain, true},
};
// clang-format on

std::string range(unsigned first, unsigned count) {
  return count == 1 ? "v" + std::to_string(first)
                    : "v[" + std::to_string(first) + ":" +
                          std::to_string(first + count - 1) + "]";
}
u32 fieldOf(const std::vector<u32> &words, unsigned at, unsigned bits) {
  u32 value = 0;
  for (unsigned b = 0; b < bits; ++b)
    value |= (words[(at + b) / 32] >> (at + b) % 32 & 1) << b;
  return value;
}

/// A scaled conversion that reads and writes certain parts of registers. Its
/// sources are from v10 on, random bits in v42, the scale in v43, and the
/// results from v44 on.
struct ScaledRun {
  explicit ScaledRun(const Scaled &row)
      : row(row), to(formatOf(row.to)), from(formatOf(row.from)),
        fromBits(from.bits * row.count), toBits(to.bits * row.count),
        // Two bits of op_sel select bytes, one bit selects halves.
        fromParts(fromBits <= 8                      ? 4
                  : fromBits == 16 && from.bits == 8 ? 2
                                                     : 1),
        toParts(toBits <= 8    ? 4
                : toBits == 16 ? 2
                               : 1) {}

  void select(unsigned part) {
    fromPart = part % fromParts;
    toPart = part % toParts;
  }
  unsigned sourceDwords() const { return (fromBits + 31) / 32; }
  unsigned resultDwords() const { return (toBits + 31) / 32; }
  /// The bit of the results at which the selected part starts.
  unsigned resultBit() const { return toPart * (toParts == 4 ? 8 : 16); }
  std::string opSel() const;
  std::string text() const;
  std::vector<std::vector<u32>> inputs(unsigned seed) const;
  void check(const std::vector<u32> &in, const std::vector<u32> &result) const;

  const Scaled &row;
  const Format to, from;
  const unsigned fromBits, toBits, fromParts, toParts;
  unsigned fromPart = 0, toPart = 0;
};

std::string ScaledRun::opSel() const {
  const unsigned operands =
      (row.shape == Scaled::Plain ? 1 : 2) + row.stochastic + 1;
  std::vector<int> bits(operands < 3 ? operands + 1 : 4, 0);
  if (fromParts > 1)
    bits[0] = fromParts == 4 ? fromPart & 1 : fromPart;
  if (fromParts == 4)
    bits[1] = fromPart >> 1;
  if (toParts == 2)
    bits.back() = toPart;
  if (toParts == 4) {
    bits.resize(4, 0);
    bits[2] = toPart & 1;
    bits[3] = toPart >> 1;
  }
  bool any = false;
  std::string list;
  for (int bit : bits) {
    list += (list.empty() ? "" : ",") + std::to_string(bit);
    any |= bit;
  }
  return any ? " op_sel:[" + list + "]" : "";
}

std::string ScaledRun::text() const {
  std::string sources = range(10, sourceDwords());
  if (row.shape == Scaled::TwoSources)
    sources = "v10, v11";
  else if (row.shape == Scaled::Interleaved)
    sources = "v[10:25], v[26:41]";
  return std::string(row.mnemonic) + " " + range(44, resultDwords()) + ", " +
         sources + (row.stochastic ? ", v42" : "") + ", v43" + opSel();
}

/// Returns v10 to v43, by lane.
std::vector<std::vector<u32>> ScaledRun::inputs(unsigned seed) const {
  std::vector<std::vector<u32>> in(34, std::vector<u32>(64, 0));
  for (unsigned lane = 0; lane < 64; ++lane) {
    u32 state = 0x1234567 * (lane + 1) + seed;
    for (unsigned k = 0; k < std::max(sourceDwords(), 1u); ++k) {
      u32 word = 0;
      for (unsigned at = 0; at < 32; at += 16) {
        state = state * 1664525 + 1013904223;
        double v = kValues[(state >> 8) % kValues.size()];
        if (from.bits == 32)
          word = encode(from, v);
        else if (from.bits == 16)
          word |= (encode(from, v) & 0xffff) << at;
        else
          word |= (state >> 12 & 0xffff) << at;
      }
      in[k][lane] = word;
    }
    in[32][lane] = lane % 4 ? state * 747796405u : 0;
    // Scales with exponents around zero; the conversion ignores their
    // mantissas.
    in[33][lane] = std::bit_cast<u32>(std::ldexp(1.3f, int(lane % 9) - 4));
  }
  return in;
}

/// Checks the results of a lane.
void ScaledRun::check(const std::vector<u32> &in,
                      const std::vector<u32> &result) const {
  const u32 random = in[32];
  const int exponent = int(in[33] >> 23 & 255) - 127;
  for (unsigned i = 0; i < row.count; ++i) {
    unsigned at = row.shape == Scaled::Interleaved ? (i % 2 * 16 + i / 2) * 32
                                                   : i * from.bits;
    at += fromPart * (fromParts == 4 ? 8 : 16);
    double x = decode(from, fieldOf(in, at, from.bits));
    if (std::isnan(x) && to.finite)
      continue;
    bool up = from.bits < 16;
    double y = std::ldexp(x, up ? exponent : -exponent);
    u32 want = row.stochastic ? encodeStochastic(to, y, random) : encode(to, y);
    u32 got = fieldOf(result, i * to.bits + resultBit(), to.bits);
    ASSERT_TRUE(got == want ||
                (!to.finite && isNan(to, got) && isNan(to, want)))
        << text() << " element " << i << ": " << x << " by 2^" << exponent
        << std::hex << " random " << random << " got " << got << " want "
        << want;
  }
  // The instruction keeps the bits that it does not write.
  if (toBits >= 32)
    return;
  for (unsigned first = 0; first < 32; first += 8)
    if (first < resultBit() || first >= resultBit() + std::max(toBits, 8u))
      EXPECT_EQ(result[0] >> first & 255, 0x5au) << text();
}

TEST(SimFormats, ScaledConversions) {
  for (const Scaled &row : kScaled) {
    ScaledRun run(row);
    const unsigned results = run.resultDwords();
    for (unsigned part = 0; part < std::max(run.fromParts, run.toParts);
         ++part) {
      run.select(part);
      std::vector<std::vector<u32>> in = run.inputs(/*seed=*/part);
      LaneTest test;
      test.chip = "gfx950";
      test.out = 44;
      test.count = results;
      test.options.vgprs = 256;
      test.options.agprs = 0;
      auto out =
          test.run("v_mov_b32 v44, 0x5a5a5a5a\n" + run.text() + "\n", in);
      ASSERT_EQ(test.error, "") << run.text();
      for (unsigned lane = 0; lane < 64; ++lane) {
        std::vector<u32> inputs, result;
        for (const std::vector<u32> &reg : in)
          inputs.push_back(reg[lane]);
        for (unsigned k = 0; k < results; ++k)
          result.push_back(out[k][lane]);
        SCOPED_TRACE("lane " + std::to_string(lane));
        run.check(inputs, result);
        if (testing::Test::HasFatalFailure())
          return;
      }
    }
  }
}

} // namespace
