//===- SimMatrixNumericsTest.cpp - Formats, rounding, special values ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimMatrixSupport.h"

#include "simulator/exec/matrix/Matrix.h"
#include "simulator/exec/matrix/MatrixKernels.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

using namespace aircc::sim;
using namespace aircc::simtest;
using enum MatrixType;

namespace {

constexpr unsigned kA = 0, kB = 32, kC = 64, kD = 96, kIndex = 128;

const Chip &chipNamed(const std::string &name, unsigned waveSize) {
  for (const Chip &chip : allChips())
    if (chip.name == name && chip.waveSize == waveSize)
      return chip;
  throw std::runtime_error("no chip " + name);
}

/// Computes D of arbitrary bits with one-block dense instructions that have f32
/// results.
class Product {
public:
  Product(const std::string &mnemonic, const std::string &chip,
          unsigned waveSize = 64)
      : shape(describe(chipNamed(chip, waveSize), mnemonic)),
        op(findMatrixOp(mnemonic, shape.chip.isa, waveSize)),
        file(130, random) {}

  void setA(unsigned i, unsigned k, uint64_t bits) {
    Place place = placeA(shape, aType(), i, k, 0);
    file.write(kA, place, typeBits(aType()), bits);
  }
  void setB(unsigned k, unsigned j, uint64_t bits) {
    file.write(kB, placeB(shape, bType(), k, j, 0), typeBits(bType()), bits);
  }
  void setC(unsigned i, unsigned j, float value) {
    file.write(kC, placeC(shape, i, j, 0), 32, std::bit_cast<uint32_t>(value));
  }
  uint64_t a(unsigned i, unsigned k) const {
    return file.read(kA, placeA(shape, aType(), i, k, 0), typeBits(aType()));
  }
  uint64_t b(unsigned k, unsigned j) const {
    return file.read(kB, placeB(shape, bType(), k, j, 0), typeBits(bType()));
  }
  float c(unsigned i, unsigned j) const {
    return std::bit_cast<float>(
        uint32_t(file.read(kC, placeC(shape, i, j, 0), 32)));
  }
  float d(unsigned i, unsigned j) const {
    return std::bit_cast<float>(
        uint32_t(file.read(kD, placeC(shape, i, j, 0), 32)));
  }
  void run(const MatrixLevel *level = nullptr) {
    MatrixOperands o;
    o.a = file.row(kA);
    o.b = file.row(kB);
    o.c = file.row(kC);
    o.d = file.row(kD);
    o.index = file.row(kIndex);
    if (level)
      executeMatrixOpAt(*level, *op, mods, o);
    else
      executeMatrixOp(*op, mods, o);
  }
  MatrixType aType() const {
    return shape.a == F8F6F4 ? smallType(mods.cbsz) : shape.a;
  }
  MatrixType bType() const {
    return shape.b == F8F6F4 ? smallType(mods.blgp) : shape.b;
  }
  /// All inputs zero.
  void clear() {
    for (unsigned r = 0; r < 96; ++r)
      for (unsigned l = 0; l < 64; ++l)
        file.row(r)[l] = 0;
  }

  std::mt19937 random{42};
  Shape shape;
  const MatrixOp *op;
  MatrixModifiers mods;
  Registers file;
};

/// The exponent that the matrix unit uses: denormals have that of the smallest
/// normal number.
int exponentOf(MatrixType type, double value) {
  auto smallest = [&] {
    switch (type) {
    case F16:
    case BF8:
      return -14;
    case FP8:
      return -6;
    case FP8FNUZ:
      return -7;
    case BF8FNUZ:
      return -15;
    case FP6:
    case FP4:
      return 0;
    case BF6:
      return -2;
    default:
      return -126;
    }
  }();
  return std::max(std::ilogb(value), smallest);
}

/// One fused step of gfx942, written after the published model with doubles
/// that hold every term exactly: `paired` for the 8-bit formats.
float fusedStep(MatrixType aType, MatrixType bType,
                const std::vector<double> &a, const std::vector<double> &b,
                bool paired, float c) {
  struct Sum {
    double value = 0; // in units of 2^(exponent - 24)
    int exponent = -100000;
  } sums[2];
  unsigned halves = paired ? 2 : 1;
  for (unsigned half = 0; half < halves; ++half) {
    for (size_t n = half; n < a.size(); n += halves)
      if (a[n] * b[n] != 0)
        sums[half].exponent =
            std::max(sums[half].exponent,
                     exponentOf(aType, a[n]) + exponentOf(bType, b[n]));
    for (size_t n = half; n < a.size(); n += halves)
      if (a[n] * b[n] != 0)
        sums[half].value +=
            std::trunc(std::ldexp(a[n] * b[n], 24 - sums[half].exponent));
  }
  auto round = [&](double value) {
    return paired ? std::trunc(value) : std::floor(value);
  };
  int exponent = std::max(sums[0].exponent, sums[1].exponent);
  double sum = 0;
  for (unsigned half = 0; half < halves; ++half)
    if (sums[half].value != 0)
      sum += std::trunc(
          std::ldexp(sums[half].value, sums[half].exponent - exponent));
  int top = exponent;
  if (c != 0)
    top = std::max(top, std::max(std::ilogb(c), -126));
  if (top == -100000)
    return 0;
  double total = round(std::ldexp(sum, exponent - 24 + 31 - top)) +
                 128 * round(std::ldexp(double(c), 24 - top));
  return float(std::ldexp(total, top - 31));
}

using Model = std::function<float(const std::vector<double> &,
                                  const std::vector<double> &, float)>;

/// Compares every element of products, at every level, with a model.
void compare(Product &product, const Model &model,
             const std::function<uint64_t()> &anyA,
             const std::function<uint64_t()> &anyB,
             const std::function<float()> &anyC, unsigned rounds) {
  const Shape &s = product.shape;
  for (unsigned round = 0; round < rounds; ++round) {
    for (unsigned k = 0; k < s.k; ++k) {
      for (unsigned i = 0; i < s.m; ++i)
        product.setA(i, k, anyA());
      for (unsigned j = 0; j < s.n; ++j)
        product.setB(k, j, anyB());
    }
    for (unsigned i = 0; i < s.m; ++i)
      for (unsigned j = 0; j < s.n; ++j)
        product.setC(i, j, anyC());
    std::vector<std::vector<double>> a(s.m), b(s.n);
    for (unsigned k = 0; k < s.k; ++k) {
      for (unsigned i = 0; i < s.m; ++i)
        a[i].push_back(decodeBits(product.aType(), product.a(i, k)));
      for (unsigned j = 0; j < s.n; ++j)
        b[j].push_back(decodeBits(product.bType(), product.b(k, j)));
    }
    for (const char *name : {"base", "v3", "v4"}) {
      const MatrixLevel *level = findMatrixLevel(name);
      if (!level)
        continue;
      product.run(level);
      for (unsigned i = 0; i < s.m; ++i)
        for (unsigned j = 0; j < s.n; ++j) {
          float expected = model(a[i], b[j], product.c(i, j));
          ASSERT_EQ(std::bit_cast<uint32_t>(product.d(i, j)),
                    std::bit_cast<uint32_t>(expected))
              << product.op->mnemonic << " at " << name << ": D(" << i << ", "
              << j << ") is " << product.d(i, j) << ", not " << expected;
        }
    }
  }
}

/// The same with random bits, which are masked.
void compare(Product &product, const Model &model, uint64_t aMask,
             uint64_t bMask, const std::function<float()> &anyC,
             unsigned rounds = 8) {
  compare(
      product, model, [&] { return product.random() & aMask; },
      [&] { return product.random() & bMask; }, anyC, rounds);
}

/// f32 with exponents from -`range` to `range`.
std::function<float()> floats(std::mt19937 &random, int range) {
  return [&random, range] {
    double mantissa = 1 + double(random() & 0x7fffff) / 0x800000;
    int exponent = int(random() % (2 * range + 1)) - range;
    return float(std::ldexp(random() & 1 ? -mantissa : mantissa, exponent));
  };
}

} // namespace

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

TEST(SimMatrixNumerics, EveryPatternOfTheSmallFormats) {
  for (MatrixType type : {FP8FNUZ, BF8FNUZ, FP8, BF8, FP6, BF6, FP4}) {
    const SmallFormat &format = smallFormat(type);
    for (unsigned bits = 0; bits < 1u << typeBits(type); ++bits) {
      double expected = decodeBits(type, bits);
      SCOPED_TRACE("pattern " + std::to_string(bits) + " of type " +
                   std::to_string(int(type)));
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(format.value[bits]));
        EXPECT_TRUE(std::isnan(format.significand[bits]));
        continue;
      }
      EXPECT_EQ(format.value[bits], expected);
      EXPECT_EQ(std::signbit(format.value[bits]), std::signbit(expected));
      if (expected == 0) {
        EXPECT_EQ(format.exponent[bits], kZeroExponent);
        continue;
      }
      if (std::isinf(expected)) {
        EXPECT_EQ(format.significand[bits], expected);
        continue;
      }
      EXPECT_EQ(std::ldexp(format.significand[bits], format.exponent[bits]),
                expected);
      EXPECT_EQ(format.exponent[bits], exponentOf(type, expected));
    }
  }
}

/// Executes the instructions, which multiply every bit pattern by one, as
/// operand A and as operand B.
TEST(SimMatrixNumerics, EveryPatternTimesOne) {
  struct {
    const char *mnemonic, *chip;
    unsigned waveSize;
    int a, b; // formats of F8F6F4
  } const cases[] = {{"v_mfma_f32_16x16x32_fp8_bf8", "gfx942", 64, -1, -1},
                     {"v_mfma_f32_32x32x16_bf8_fp8", "gfx942", 64, -1, -1},
                     {"v_mfma_f32_16x16x32_fp8_bf8", "gfx950", 64, -1, -1},
                     {"v_mfma_f32_16x16x128_f8f6f4", "gfx950", 64, 0, 1},
                     {"v_mfma_f32_16x16x128_f8f6f4", "gfx950", 64, 2, 3},
                     {"v_mfma_f32_32x32x64_f8f6f4", "gfx950", 64, 4, 4},
                     {"v_wmma_f32_16x16x16_fp8_bf8", "gfx1201", 32, -1, -1},
                     {"v_wmma_f32_16x16x16_bf8_fp8", "gfx1201", 64, -1, -1},
                     {"v_wmma_f32_16x16x16_f16", "gfx1201", 32, -1, -1},
                     {"v_mfma_f32_16x16x16_f16", "gfx942", 64, -1, -1},
                     {"v_mfma_f32_16x16x16_bf16", "gfx942", 64, -1, -1}};
  for (const auto &test : cases) {
    Product product(test.mnemonic, test.chip, test.waveSize);
    SCOPED_TRACE(std::string(test.mnemonic) + " on " + test.chip);
    if (test.a >= 0) {
      product.mods.cbsz = test.a;
      product.mods.blgp = test.b;
    }
    const Shape &s = product.shape;
    for (bool left : {true, false}) {
      MatrixType type = left ? product.aType() : product.bType();
      unsigned count = 1u << std::min(typeBits(type), 16u);
      for (unsigned first = 0; first < count; first += s.m) {
        product.clear();
        unsigned k = first / s.m % s.k;
        for (unsigned x = 0; x < s.m; ++x) {
          unsigned bits = (first + x) % count;
          product.setA(x, k, left ? bits : encodeBits(product.aType(), 1));
          product.setB(k, x, left ? encodeBits(product.bType(), 1) : bits);
        }
        product.run();
        for (unsigned x = 0; x < s.m; ++x) {
          double expected = decodeBits(type, (first + x) % count);
          float got = left ? product.d(x, 0) : product.d(0, x);
          if (std::isnan(expected))
            ASSERT_EQ(std::bit_cast<uint32_t>(got), 0x7fc00000u);
          else
            ASSERT_EQ(got, float(expected)) << "pattern " << first + x;
        }
      }
    }
  }
}

/// f16 and bf16 results round to nearest even, with subnormals and overflow.
TEST(SimMatrixNumerics, HalfResultsAreRoundedOnce) {
  for (const char *name :
       {"v_wmma_f16_16x16x16_f16", "v_wmma_bf16_16x16x16_bf16"}) {
    Product product(name, "gfx1201", 32);
    MatrixType type = product.shape.c;
    for (unsigned round = 0; round < 200; ++round) {
      product.clear();
      std::vector<double> sums;
      for (unsigned i = 0; i < 16; ++i) {
        // Two products far enough apart that their sum needs rounding.
        uint64_t patterns[4];
        for (uint64_t &pattern : patterns)
          pattern = product.random() & (type == F16 ? 0xbfff : 0xbfff);
        if (type == BF16) // keep products in range
          for (uint64_t &pattern : patterns)
            pattern = (pattern & 0x807f) | (0x3000 + product.random() % 0x0f80);
        product.setA(i, 0, patterns[0]);
        product.setA(i, 1, patterns[1]);
        if (i == 0) {
          product.setB(0, 0, patterns[2]);
          product.setB(1, 0, patterns[3]);
        }
      }
      for (unsigned i = 0; i < 16; ++i) {
        auto value = [&](uint64_t bits) {
          return float(decodeBits(type, bits));
        };
        float sum = 0;
        for (unsigned k = 0; k < 2; ++k)
          sum = std::fma(value(product.a(i, k)), value(product.b(k, 0)), sum);
        sums.push_back(sum);
      }
      product.run();
      for (unsigned i = 0; i < 16; ++i) {
        uint64_t got =
            product.file.read(kD, placeC(product.shape, i, 0, 0), 16);
        ASSERT_EQ(got, encodeBits(type, sums[i])) << sums[i];
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

TEST(SimMatrixNumerics, ChainOfFusedMultiplyAdds) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"})
    for (unsigned big : {0u, 1u}) {
      bool old = std::string(chip) == "gfx90a";
      Product product(
          big ? (old ? "v_mfma_f32_32x32x2f32" : "v_mfma_f32_32x32x2_f32")
              : (old ? "v_mfma_f32_16x16x4f32" : "v_mfma_f32_16x16x4_f32"),
          chip);
      // Exponents around that of one, and small ones whose products are
      // denormal.
      for (uint64_t mask : {0xbfffffffull, 0xa1ffffffull})
        compare(
            product,
            [](const std::vector<double> &a, const std::vector<double> &b,
               float c) {
              for (size_t k = 0; k < a.size(); ++k)
                c = std::fma(float(a[k]), float(b[k]), c);
              return c;
            },
            mask, mask, floats(product.random, 100));
    }
  Product wmma("v_wmma_f32_16x16x16_fp8_bf8", "gfx1201", 32);
  compare(
      wmma,
      [](const std::vector<double> &a, const std::vector<double> &b, float c) {
        for (size_t k = 0; k < a.size(); ++k)
          c = std::fma(float(a[k]), float(b[k]), c);
        return c;
      },
      0xbf, 0xbf, floats(wmma.random, 30));
}

TEST(SimMatrixNumerics, Gfx90aFlushesAndAddsInTrees) {
  auto flush = [](float x, bool keepSign) {
    if (std::fabs(x) >= std::numeric_limits<float>::min() || std::isnan(x))
      return x;
    return keepSign ? std::copysign(0.f, x) : 0.f;
  };
  struct {
    const char *mnemonic;
    unsigned tree;
    MatrixType type;
  } const cases[] = {{"v_mfma_f32_32x32x8f16", 4, F16},
                     {"v_mfma_f32_16x16x16f16", 4, F16},
                     {"v_mfma_f32_16x16x16bf16_1k", 4, BF16},
                     {"v_mfma_f32_32x32x8bf16_1k", 4, BF16},
                     {"v_mfma_f32_16x16x8bf16", 2, BF16},
                     {"v_mfma_f32_32x32x4bf16", 2, BF16}};
  for (const auto &test : cases) {
    Product product(test.mnemonic, "gfx90a");
    float smallest = test.type == F16 ? 0x1p-14f : 0x1p-126f;
    Model model = [&](const std::vector<double> &a,
                      const std::vector<double> &b, float c) {
      std::vector<float> products;
      for (size_t k = 0; k < a.size(); ++k) {
        float left = std::fabs(a[k]) < smallest ? 0 : float(a[k]);
        float right = std::fabs(b[k]) < smallest ? 0 : float(b[k]);
        products.push_back(flush(left * right, true));
      }
      c = flush(c, false);
      for (size_t k = 0; k < a.size(); k += test.tree) {
        float sum = flush(products[k] + products[k + 1], true);
        if (test.tree == 4)
          sum =
              flush(sum + flush(products[k + 2] + products[k + 3], true), true);
        c = flush(c + sum, true);
      }
      return c;
    };
    compare(product, model, 0xbfff, 0xbfff, floats(product.random, 20));
    // Denormal inputs and results.
    compare(product, model, 0x8fff, 0xbfff, floats(product.random, 126));
    if (test.type == BF16)
      compare(product, model, 0x9fff, 0x9fff, floats(product.random, 126));
  }
}

TEST(SimMatrixNumerics, Gfx942FusedSums) {
  struct {
    const char *mnemonic, *chip;
    unsigned group;
    bool paired;
    uint64_t mask;
    int a = -1, b = -1;
  } const cases[] = {
      {"v_mfma_f32_16x16x16_f16", "gfx942", 8, false, 0xbfff},
      {"v_mfma_f32_32x32x8_f16", "gfx942", 8, false, 0xbfff},
      {"v_mfma_f32_16x16x16_bf16", "gfx942", 8, false, 0xbfff},
      {"v_mfma_f32_32x32x8_bf16", "gfx942", 8, false, 0x9fff},
      {"v_mfma_f32_16x16x8_xf32", "gfx942", 4, false, 0xbfffe000},
      {"v_mfma_f32_32x32x4_xf32", "gfx942", 4, false, 0x9fffe000},
      {"v_mfma_f32_16x16x32_fp8_fp8", "gfx942", 16, true, 0x7f},
      {"v_mfma_f32_16x16x32_fp8_bf8", "gfx942", 16, true, 0xbf},
      {"v_mfma_f32_32x32x16_bf8_fp8", "gfx942", 16, true, 0xbf},
      {"v_mfma_f32_32x32x16_bf8_bf8", "gfx942", 16, true, 0x7f},
      {"v_mfma_f32_16x16x32_f16", "gfx950", 8, false, 0xbfff},
      {"v_mfma_f32_32x32x16_bf16", "gfx950", 8, false, 0xbfff},
      {"v_mfma_f32_16x16x32_bf8_bf8", "gfx950", 16, true, 0xbf},
      {"v_mfma_f32_16x16x128_f8f6f4", "gfx950", 16, true, 0xbf, 0, 1},
      {"v_mfma_f32_16x16x128_f8f6f4", "gfx950", 16, true, 0x3f, 2, 3},
      {"v_mfma_f32_32x32x64_f8f6f4", "gfx950", 16, true, 0xf, 4, 4},
      {"v_mfma_f32_32x32x64_f8f6f4", "gfx950", 16, true, 0xbf, 0, 4}};
  for (const auto &test : cases) {
    Product product(test.mnemonic, test.chip);
    if (test.a >= 0) {
      product.mods.cbsz = test.a;
      product.mods.blgp = test.b;
    }
    Model model = [&](const std::vector<double> &a,
                      const std::vector<double> &b, float c) {
      for (size_t k = 0; k < a.size(); k += test.group)
        c = fusedStep(product.aType(), product.bType(),
                      {a.begin() + k, a.begin() + k + test.group},
                      {b.begin() + k, b.begin() + k + test.group}, test.paired,
                      c);
      return c;
    };
    uint64_t aMask = test.mask, bMask = test.mask;
    for (int range : {2, 12, 40})
      compare(product, model, aMask, bMask, floats(product.random, range), 3);
    // A C that is far smaller than the products, and a C of zero.
    compare(product, model, aMask, bMask, [] { return 0x1p-140f; }, 1);
    compare(product, model, aMask, bMask, [] { return -0x1p-140f; }, 1);
    compare(product, model, aMask, bMask, [] { return 0.f; }, 1);
  }
}

/// The extra bits of an f32 input do not reach the multiplier.
TEST(SimMatrixNumerics, Xf32InputsAreTruncated) {
  Product product("v_mfma_f32_16x16x8_xf32", "gfx942");
  product.clear();
  product.setA(0, 0, 0x3f801fff);
  product.setB(0, 0, 0x3f800000);
  product.run();
  EXPECT_EQ(product.d(0, 0), 1.0f);
}

//===----------------------------------------------------------------------===//
// Special values
//===----------------------------------------------------------------------===//

TEST(SimMatrixNumerics, InfinitiesAndNaNs) {
  const float infinity = std::numeric_limits<float>::infinity();
  struct {
    const char *mnemonic, *chip;
    unsigned waveSize;
  } const cases[] = {{"v_mfma_f32_16x16x16f16", "gfx90a", 64},
                     {"v_mfma_f32_16x16x16_f16", "gfx942", 64},
                     {"v_mfma_f32_16x16x16_bf16", "gfx942", 64},
                     {"v_mfma_f32_16x16x8_xf32", "gfx942", 64},
                     {"v_mfma_f32_16x16x4_f32", "gfx942", 64},
                     {"v_mfma_f32_16x16x32_bf8_bf8", "gfx950", 64},
                     {"v_mfma_f32_16x16x32_f16", "gfx950", 64},
                     {"v_wmma_f32_16x16x16_bf16", "gfx1100", 32},
                     {"v_wmma_f32_16x16x16_bf8_bf8", "gfx1201", 32}};
  for (const auto &test : cases) {
    Product product(test.mnemonic, test.chip, test.waveSize);
    SCOPED_TRACE(std::string(test.mnemonic) + " on " + test.chip);
    auto a = [&](double value) { return encodeBits(product.aType(), value); };
    auto b = [&](double value) { return encodeBits(product.bType(), value); };
    product.clear();
    for (unsigned j = 0; j < 16; ++j) {
      product.setB(0, j, b(j == 1 ? 0 : j == 2 ? -1 : 1));
      product.setB(1, j, b(1));
    }
    product.setA(0, 0, a(infinity));
    product.setA(1, 0, a(infinity)); // and the other one
    product.setA(1, 1, a(-infinity));
    product.setA(2, 0, a(1));
    product.setC(2, 0, infinity);
    product.setC(2, 2, -infinity);
    product.setA(3, 0, a(infinity));
    product.setC(3, 0, -infinity);
    product.setA(4, 0, a(std::numeric_limits<double>::quiet_NaN()));
    product.setC(5, 0, std::bit_cast<float>(0xffc12345u));
    product.setA(6, 0, a(1)); // rows without special values
    product.run();
    auto bits = [&](unsigned i, unsigned j) {
      return std::bit_cast<uint32_t>(product.d(i, j));
    };
    EXPECT_EQ(product.d(0, 0), infinity);
    EXPECT_EQ(bits(0, 1), 0x7fc00000u); // infinity times zero
    EXPECT_EQ(product.d(0, 2), -infinity);
    EXPECT_EQ(bits(1, 0), 0x7fc00000u); // infinity less infinity
    EXPECT_EQ(product.d(2, 0), infinity);
    EXPECT_EQ(product.d(2, 2), -infinity);
    EXPECT_EQ(bits(3, 0), 0x7fc00000u);
    EXPECT_EQ(bits(4, 0), 0x7fc00000u);
    EXPECT_EQ(bits(4, 1), 0x7fc00000u);
    EXPECT_EQ(bits(5, 0), 0x7fc00000u);
    EXPECT_EQ(product.d(6, 0), 1.0f);
    EXPECT_EQ(product.d(6, 1), 0.0f);
    EXPECT_EQ(product.d(6, 2), -1.0f);
  }
}

/// The largest bf16 numbers: sums beyond f32's range are infinite, and stay so.
TEST(SimMatrixNumerics, OverflowOfF32) {
  const float infinity = std::numeric_limits<float>::infinity();
  Product product("v_mfma_f32_16x16x16_bf16", "gfx942");
  product.clear();
  auto bits = [](double value) { return encodeBits(BF16, value); };
  for (unsigned j = 0; j < 16; ++j) {
    product.setB(0, j, bits(0x1p64));
    product.setB(8, j, bits(-0x1p60));
    product.setB(9, j, bits(1));
  }
  product.setA(0, 0, bits(0x1p64));  // 2^128
  product.setA(0, 8, bits(0x1p60));  // less 2^120, in the next group
  product.setA(1, 0, bits(-0x1p64)); // -2^128
  product.setA(2, 0, bits(0x1p63));  // 2^127, twice
  product.setC(2, 0, 0x1p127f);
  product.setA(2, 9, bits(-0x1p100));
  product.setA(3, 0, bits(0x1p63));
  product.run();
  EXPECT_EQ(product.d(0, 0), infinity);
  EXPECT_EQ(product.d(1, 0), -infinity);
  EXPECT_EQ(product.d(2, 0), infinity);
  EXPECT_EQ(product.d(3, 0), 0x1p127f);
}

/// A scale of 255 is NaN; other scales reach from 2^-127 to 2^127.
TEST(SimMatrixNumerics, ExtremeScales) {
  Shape s =
      describe(chipNamed("gfx950", 64), "v_mfma_scale_f32_16x16x128_f8f6f4");
  const MatrixOp *op =
      findMatrixOp("v_mfma_scale_f32_16x16x128_f8f6f4", s.chip.isa, 64);
  ASSERT_NE(op, nullptr);
  std::mt19937 random(3);
  struct {
    unsigned aScale, bScale;
    float expected;
  } const cases[] = {{127, 127, 1},
                     {0, 254, 1},
                     {0, 0, 0},           // 2^-254
                     {0, 127, 0x1p-127f}, // a denormal
                     {254, 127, 0x1p127f},
                     {254, 254, std::numeric_limits<float>::infinity()},
                     {255, 127, std::numeric_limits<float>::quiet_NaN()},
                     {127, 255, std::numeric_limits<float>::quiet_NaN()}};
  for (const auto &test : cases) {
    Registers file(130, random);
    for (unsigned r = 0; r < 96; ++r)
      std::fill_n(file.row(r), 64, 0);
    file.write(kA, placeA(s, FP8, 3, 77, 0), 8, encodeBits(FP8, 1));
    file.write(kB, placeB(s, FP8, 77, 5, 0), 8, encodeBits(FP8, 1));
    MatrixOperands o;
    o.a = file.row(kA);
    o.b = file.row(kB);
    o.d = file.row(kD); // C is the constant 0
    o.aScaleConstant = test.aScale;
    o.bScaleConstant = test.bScale;
    executeMatrixOp(*op, {}, o);
    float got =
        std::bit_cast<float>(uint32_t(file.read(kD, placeC(s, 3, 5, 0), 32)));
    if (std::isnan(test.expected))
      EXPECT_TRUE(std::isnan(got));
    else
      EXPECT_EQ(got, test.expected);
  }
}

/// Values as in common data: full significands with a few exponents, and values
/// with so few bits that all sums are exact.
TEST(SimMatrixNumerics, FusedSumsOfCommonData) {
  for (auto [mnemonic, bits] : {std::pair{"v_mfma_f32_32x32x8_f16", 10},
                                std::pair{"v_mfma_f32_16x16x16_bf16", 7},
                                std::pair{"v_mfma_f32_32x32x4_2b_bf16", 7},
                                std::pair{"v_mfma_f32_16x16x8_xf32", 10}}) {
    Product product(mnemonic, "gfx942");
    const unsigned group =
        product.shape.k == 16 || product.shape.a == F16 ? 8 : 4;
    Model model = [&](const std::vector<double> &a,
                      const std::vector<double> &b, float c) {
      for (size_t k = 0; k < a.size(); k += group)
        c = fusedStep(product.aType(), product.bType(),
                      {a.begin() + k, a.begin() + k + group},
                      {b.begin() + k, b.begin() + k + group}, false, c);
      return c;
    };
    std::mt19937 &random = product.random;
    auto encoded = [&](double value) {
      return encodeBits(product.aType(), random() & 1 ? -value : value);
    };
    for (int exponents : {1, 4, 12})
      for (bool zeros : {false, true}) {
        auto any = [&] {
          double significand = 1 + std::ldexp(random() >> (32 - bits), -bits);
          bool isZero = zeros && random() % 3 == 0;
          return encoded(
              isZero ? 0 : std::ldexp(significand, -int(random() % exponents)));
        };
        compare(product, model, any, any, floats(random, 9), 2);
        // C far larger and far smaller than the products.
        compare(product, model, any, any, floats(random, 40), 1);
      }
    for (float unit : {1.0f, 0.25f, 1.0f / (1 << 20)}) {
      auto few = [&] { return encoded(random() % 9 * 0.5); };
      auto c = [&] { return (int(random() % 4096) - 2048) * unit; };
      compare(product, model, few, few, c, 3);
      compare(product, model, few, few, [] { return -0.0f; }, 1);
    }
  }
}
