//===- RuntimeSupportTest.cpp - Printing, copying and 16-bit floats -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The printed forms are those of MLIR's runner libraries. If these are
// installed, the tests make the same calls to them and compare the outputs.
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/support/Float16.h"
#include "runtime-stubs/support/Support.h"

#include <bit>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

using namespace aircc::rt;

extern "C" {
void printI64(int64_t);
void printU64(uint64_t);
void printF16(uint32_t);
void printBF16(uint32_t);
void printF32(float);
void printF64(double);
void printString(const char *);
void printOpen();
void printClose();
void printComma();
void printNewline();
void memrefCopy(int64_t, UnrankedMemRef *, UnrankedMemRef *);
double rtclock();
void *rtsrand(uint64_t);
uint64_t rtrand(void *, uint64_t);
void rtdrand(void *);
void *_mlir_memref_to_llvm_aligned_alloc(uint64_t, uint64_t);
void _mlir_memref_to_llvm_free(void *);
void _mlir_ciface_fillResource1DF16(UnrankedMemRef *, float);
void _mlir_ciface_fillResource1DRandomBF16(UnrankedMemRef *, float, float,
                                           bool);
void _mlir_ciface_fillResource1DRandomF32(UnrankedMemRef *, float, float, bool);
bool _mlir_ciface_allcloseF32(UnrankedMemRef *, UnrankedMemRef *);
void _mlir_ciface_printAllcloseF16(UnrankedMemRef *, UnrankedMemRef *);
void _mlir_ciface_printMaxErrorF32(UnrankedMemRef *, UnrankedMemRef *);
void _mlir_ciface_gemmF16F16F32(UnrankedMemRef *, UnrankedMemRef *,
                                UnrankedMemRef *);
void _mlir_ciface_gemmF16F16F16(UnrankedMemRef *, UnrankedMemRef *,
                                UnrankedMemRef *);
float __truncsfbf2(float);
float __truncdfbf2(double);
float __gnu_h2f_ieee(uint16_t);
uint16_t __gnu_f2h_ieee(float);
}

namespace {

std::string capture(const std::function<void()> &run) {
  testing::internal::CaptureStdout();
  run();
  std::fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

/// A function of aircc's runtime or of MLIR's libraries, by name.
void *ours(const char *name) { return dlsym(RTLD_DEFAULT, name); }
void *mlirs(const char *name) {
  for (const char *library :
       {"libmlir_runner_utils.so", "libmlir_c_runner_utils.so",
        "libmlir_float16_utils.so"}) {
    std::string path = std::string(AIRCC_LLVM_LIBRARY_DIR "/") + library;
    if (void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
      if (void *address = dlsym(handle, name))
        return address;
  }
  return nullptr;
}

/// The descriptor of a ranked memref.
template <int rank> struct MemRef {
  void *allocated, *aligned;
  int64_t offset, sizes[rank ? rank : 1], strides[rank ? rank : 1];

  UnrankedMemRef unranked() { return {rank, this}; }
};

//===----------------------------------------------------------------------===//
// vector.print
//===----------------------------------------------------------------------===//

TEST(Print, Elements) {
  EXPECT_EQ(capture([] {
              printOpen();
              printI64(INT64_MIN);
              printComma();
              printU64(UINT64_MAX);
              printClose();
              printNewline();
            }),
            "( -9223372036854775808, 18446744073709551615 )\n");
  EXPECT_EQ(capture([] {
              for (float value : {0.0f, -1.5f, 1e10f, 1.0f / 3, INFINITY}) {
                printF32(value);
                printString(" ");
                printF64(value);
                printString(" ");
              }
            }),
            "0 0 -1.5 -1.5 1e+10 1e+10 0.333333 0.333333 inf inf ");
  EXPECT_EQ(capture([] {
              // Only the low 16 bits count.
              printF16(0xffff3e00);
              printComma();
              printBF16(0xabcd3fc0);
            }),
            "1.5, 1.5");
}

TEST(Print, ElementsAsMLIRDoes) {
  auto theirs = reinterpret_cast<void (*)(float)>(mlirs("printF32"));
  auto theirs16 = reinterpret_cast<void (*)(uint16_t)>(mlirs("printF16"));
  if (!theirs || !theirs16)
    GTEST_SKIP() << "MLIR's runner libraries are not installed";
  for (float value : {1e-40f, 123456.0f, 1234567.0f, 0.1f, -0.0f, 3e38f})
    EXPECT_EQ(capture([&] { printF32(value); }),
              capture([&] { theirs(value); }));
  for (unsigned bits :
       {0u, 1u, 0x3ffu, 0x400u, 0x7bffu, 0x7c00u, 0xfc00u, 0xb555u})
    EXPECT_EQ(capture([&] { printF16(bits); }),
              capture([&] { theirs16(bits); }));
}

//===----------------------------------------------------------------------===//
// printMemref
//===----------------------------------------------------------------------===//

/// Prints with aircc's function and, if possible, compares with MLIR's.
std::string printMemRef(const char *name, UnrankedMemRef memref) {
  std::string text;
  auto print = [&](void *address) {
    return capture([&] {
      if (std::string(name).rfind("_mlir_ciface_", 0) == 0)
        reinterpret_cast<void (*)(UnrankedMemRef *)>(address)(&memref);
      else
        reinterpret_cast<void (*)(int64_t, void *)>(address)(memref.rank,
                                                             memref.descriptor);
    });
  };
  text = print(ours(name));
  if (void *theirs = mlirs(name)) {
    EXPECT_EQ(text, print(theirs)) << name;
  }
  return text;
}

/// Removes the address, which differs from run to run, from the output.
std::string withoutBase(const std::string &text) {
  size_t begin = text.find("0x"), end = text.find(" rank");
  return text.substr(0, begin) + "BASE" + text.substr(end);
}

TEST(PrintMemRef, Matrix) {
  float data[] = {9, 1, 2, 3, 4, 5, 6.5};
  MemRef<2> memref = {data, data, 1, {2, 3}, {3, 1}};
  std::string expected =
      "Unranked Memref base@ = BASE rank = 2 offset = 1 sizes = "
      "[2, 3] strides = [3, 1] data = \n"
      "[[1,   2,   3], \n"
      " [4,   5,   6.5]]\n";
  EXPECT_EQ(withoutBase(printMemRef("printMemrefF32", memref.unranked())),
            expected);
  EXPECT_EQ(withoutBase(
                printMemRef("_mlir_ciface_printMemrefF32", memref.unranked())),
            expected);
  EXPECT_EQ(withoutBase(printMemRef("_mlir_ciface_printMemrefShapeF32",
                                    memref.unranked())),
            "Unranked Memref base@ = BASE rank = 2 offset = 1 sizes = [2, 3] "
            "strides = [3, 1]\n");
}

TEST(PrintMemRef, RanksAndStrides) {
  int32_t data[64];
  for (int i = 0; i < 64; ++i)
    data[i] = i * i;
  MemRef<0> scalar = {data, data, 3, {}, {}};
  EXPECT_EQ(withoutBase(printMemRef("printMemrefI32", scalar.unranked())),
            "Unranked Memref base@ = BASE rank = 0 offset = 3 sizes = [] "
            "strides = [] data = \n[9]\n");
  MemRef<1> backwards = {data, data, 8, {4}, {-2}};
  EXPECT_EQ(withoutBase(printMemRef("printMemrefI32", backwards.unranked())),
            "Unranked Memref base@ = BASE rank = 1 offset = 8 sizes = [4] "
            "strides = [-2] data = \n[64,  36,  16,  4]\n");
  MemRef<3> cube = {data, data, 0, {2, 2, 3}, {1, 6, 2}};
  printMemRef("printMemrefI32", cube.unranked());
  MemRef<4> thin = {data, data, 0, {1, 3, 1, 2}, {6, 2, 2, 1}};
  printMemRef("printMemrefI32", thin.unranked());
  // MLIR's library reads out of bounds for an empty memref.
  MemRef<2> empty = {data, data, 0, {2, 0}, {1, 1}};
  testing::internal::CaptureStdout();
  reinterpret_cast<void (*)(int64_t, void *)>(ours("printMemrefI32"))(2,
                                                                      &empty);
  EXPECT_EQ(withoutBase(testing::internal::GetCapturedStdout()),
            "Unranked Memref base@ = BASE rank = 2 offset = 0 sizes = [2, 0] "
            "strides = [1, 1] data = \n[[], \n []]\n");
}

TEST(PrintMemRef, EveryType) {
  std::vector<double> storage(16);
  auto *bytes = reinterpret_cast<unsigned char *>(storage.data());
  // Bit patterns that are printable characters and not NaN in any type.
  for (size_t i = 0; i < 128; ++i)
    bytes[i] = static_cast<unsigned char>(0x20 + i % 0x50);
  MemRef<1> memref = {bytes, bytes, 0, {4}, {1}};
  for (const char *type : {"I8", "I16", "I32", "I64", "Ind", "F16", "BF16",
                           "F32", "F64", "C32", "C64"}) {
    std::string name = std::string("_mlir_ciface_printMemref") + type;
    EXPECT_NE(printMemRef(name.c_str(), memref.unranked()), "") << name;
  }
}

TEST(PrintMemRef, Ranked) {
  float data[] = {1, 2, 3, 4};
  MemRef<2> memref = {data, data, 0, {2, 2}, {2, 1}};
  auto print = [&](void *address) {
    return capture(
        [&] { reinterpret_cast<void (*)(void *)>(address)(&memref); });
  };
  const char *name = "_mlir_ciface_printMemref2dF32";
  std::string text = print(ours(name));
  EXPECT_EQ(withoutBase(text),
            "Memref base@ = BASE rank = 2 offset = 0 sizes = "
            "[2, 2] strides = [2, 1] data = \n"
            "[[1,   2], \n [3,   4]]\n");
  if (void *theirs = mlirs(name)) {
    EXPECT_EQ(text, print(theirs));
  }
}

TEST(VerifyMemRef, CountsErrors) {
  float a[] = {1, 2, 3, 4}, b[] = {1, 2.00001f, 3, INFINITY};
  MemRef<2> first = {a, a, 0, {2, 2}, {2, 1}},
            second = {b, b, 0, {2, 2}, {2, 1}};
  MemRef<2> other = {b, b, 0, {2, 2}, {1, 2}};
  using Verify = int64_t (*)(UnrankedMemRef *, UnrankedMemRef *);
  const char *name = "_mlir_ciface_verifyMemRefF32";
  auto run = [&](void *address, MemRef<2> &x, MemRef<2> &y) {
    UnrankedMemRef left = x.unranked(), right = y.unranked();
    testing::internal::CaptureStderr();
    int64_t errors = reinterpret_cast<Verify>(address)(&left, &right);
    std::fflush(stderr);
    return std::to_string(errors) + ": " +
           testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(run(ours(name), first, first), "0: ");
  EXPECT_EQ(run(ours(name), first, second),
            "2: 2 != 2.00001 offset = 1\n4 != inf offset = 3\n");
  EXPECT_EQ(run(ours(name), first, other).substr(0, 4), "-1: ");
  if (void *theirs = mlirs(name)) {
    EXPECT_EQ(run(ours(name), first, second), run(theirs, first, second));
    EXPECT_EQ(run(ours(name), first, other), run(theirs, first, other));
  }
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

TEST(MemRefCopy, Transposes) {
  int16_t from[] = {-1, 1, 2, 3, 4, 5, 6}, to[8] = {};
  MemRef<2> src = {from, from, 1, {2, 3}, {3, 1}};
  MemRef<2> dst = {to, to, 2, {2, 3}, {1, 2}};
  UnrankedMemRef source = src.unranked(), target = dst.unranked();
  memrefCopy(2, &source, &target);
  EXPECT_EQ(std::vector<int16_t>(to, to + 8),
            (std::vector<int16_t>{0, 0, 1, 4, 2, 5, 3, 6}));
}

TEST(MemRefCopy, EmptyAndScalar) {
  int64_t from = 7, to = 0;
  MemRef<0> src = {&from, &from, 0, {}, {}}, dst = {&to, &to, 0, {}, {}};
  UnrankedMemRef source = src.unranked(), target = dst.unranked();
  memrefCopy(8, &source, &target);
  EXPECT_EQ(to, 7);
  MemRef<2> none = {nullptr, nullptr, 0, {4, 0}, {1, 1}};
  source = target = none.unranked();
  memrefCopy(8, &source, &target);
}

TEST(Random, IsMLIRs) {
  void *generator = rtsrand(42);
  std::vector<uint64_t> drawn;
  for (int i = 0; i < 100; ++i) {
    drawn.push_back(rtrand(generator, 9));
    EXPECT_LE(drawn.back(), 9u);
  }
  rtdrand(generator);
  auto seed = reinterpret_cast<void *(*)(uint64_t)>(mlirs("rtsrand"));
  auto draw = reinterpret_cast<uint64_t (*)(void *, uint64_t)>(mlirs("rtrand"));
  auto drop = reinterpret_cast<void (*)(void *)>(mlirs("rtdrand"));
  if (!seed || !draw || !drop)
    GTEST_SKIP() << "MLIR's runner libraries are not installed";
  generator = seed(42);
  for (uint64_t value : drawn)
    EXPECT_EQ(value, draw(generator, 9));
  drop(generator);
}

TEST(Memory, IsAligned) {
  void *ptr = _mlir_memref_to_llvm_aligned_alloc(4096, 8192);
  ASSERT_NE(ptr, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(ptr) % 4096, 0u);
  _mlir_memref_to_llvm_free(ptr);
}

TEST(Clock, GoesForward) {
  double first = rtclock();
  EXPECT_GT(first, 1.6e9);
  EXPECT_GE(rtclock(), first);
}

//===----------------------------------------------------------------------===//
// 16-bit floats
//===----------------------------------------------------------------------===//

/// Checks rounding against the values of the format: every double between two
/// neighbors is rounded to the closer one, and the middle to the even one.
void checkRounding(float (*widen)(uint16_t), uint16_t (*round)(double),
                   uint16_t infinity) {
  for (unsigned bits = 0; bits < infinity; ++bits) {
    double value = widen(bits);
    ASSERT_EQ(round(value), bits);
    ASSERT_EQ(round(-value), bits | 0x8000u);
    // The bound above the largest finite value is the next value that the
    // format would have.
    double next = bits + 1 < infinity ? widen(bits + 1)
                                      : value + (value - widen(bits - 1));
    ASSERT_GT(next, value);
    double middle = (value + next) / 2;
    ASSERT_EQ(round(middle), bits + (bits & 1)) << bits;
    ASSERT_EQ(round(std::nextafter(middle, 0.0)), bits) << bits;
    ASSERT_EQ(round(std::nextafter(middle, INFINITY)), bits + 1) << bits;
  }
  EXPECT_EQ(round(INFINITY), infinity);
  EXPECT_EQ(round(-INFINITY), infinity | 0x8000);
  EXPECT_EQ(round(1e300), infinity);
  EXPECT_EQ(round(5e-324), 0);
  EXPECT_EQ(round(-5e-324), 0x8000);
  EXPECT_TRUE(std::isnan(widen(round(NAN))));
  // A NaN whose payload is only in the bits that the conversion drops.
  EXPECT_TRUE(
      std::isnan(widen(round(std::bit_cast<double>(0x7ff0000000000001)))));
  EXPECT_TRUE(std::isinf(widen(infinity)));
  EXPECT_TRUE(std::isnan(widen(infinity + 1)));
}

TEST(Float16, BFloat) {
  EXPECT_EQ(bfloatToFloat(0x3f80), 1.0f);
  EXPECT_EQ(bfloatToFloat(0x0001), std::ldexp(1.0f, -133));
  checkRounding(bfloatToFloat, doubleToBFloat, 0x7f80);
}

TEST(Float16, Half) {
  EXPECT_EQ(halfToFloat(0x3c00), 1.0f);
  EXPECT_EQ(halfToFloat(0x0001), std::ldexp(1.0f, -24));
  EXPECT_EQ(halfToFloat(0x7bff), 65504.0f);
  EXPECT_EQ(halfToFloat(0xc500), -5.0f);
  // All halves and the middles between them are exact in float; the neighbors
  // of a middle are floats next to it.
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    float value = halfToFloat(bits);
    ASSERT_EQ(floatToHalf(value), bits);
    float next = bits < 0x7bff ? halfToFloat(bits + 1) : 65536.0f;
    float middle = (value + next) / 2;
    ASSERT_EQ(floatToHalf(middle), bits + (bits & 1)) << bits;
    ASSERT_EQ(floatToHalf(std::nextafter(middle, 0.0f)), bits) << bits;
    ASSERT_EQ(floatToHalf(std::nextafter(middle, INFINITY)), bits + 1) << bits;
  }
  EXPECT_EQ(floatToHalf(-INFINITY), 0xfc00);
  EXPECT_TRUE(std::isnan(halfToFloat(floatToHalf(NAN))));
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

template <typename T> MemRef<2> matrix(std::vector<T> &data, int64_t columns) {
  return {data.data(),
          data.data(),
          0,
          {int64_t(data.size()) / columns, columns},
          {columns, 1}};
}

TEST(Matrices, FillLeavesWhatIsNotTheMemrefs) {
  std::vector<uint16_t> data(12, 7);
  // The middle two columns of each row of four.
  MemRef<2> part{data.data(), data.data(), 1, {3, 2}, {4, 1}};
  UnrankedMemRef memref = part.unranked();
  _mlir_ciface_fillResource1DF16(&memref, -1.5f);
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(data[i], i % 4 == 1 || i % 4 == 2 ? 0xbe00 : 7) << i;
}

TEST(Matrices, RandomNumbersAreInRangeAndDiffer) {
  std::vector<float> a(64), b(64);
  MemRef<2> ma = matrix(a, 8), mb = matrix(b, 8);
  UnrankedMemRef ra = ma.unranked(), rb = mb.unranked();
  _mlir_ciface_fillResource1DRandomF32(&ra, -0.5f, 0.5f, false);
  _mlir_ciface_fillResource1DRandomF32(&rb, -0.5f, 0.5f, false);
  EXPECT_NE(a, b);
  for (float value : a)
    EXPECT_LE(std::fabs(value), 0.5f);
  std::vector<uint16_t> c(64);
  MemRef<2> mc = matrix(c, 8);
  UnrankedMemRef rc = mc.unranked();
  _mlir_ciface_fillResource1DRandomBF16(&rc, 0, 5, true);
  for (uint16_t bits : c) {
    float value = bfloatToFloat(bits);
    EXPECT_EQ(value, std::trunc(value));
    EXPECT_TRUE(value >= 0 && value <= 5) << value;
  }
}

TEST(Matrices, Compare) {
  std::vector<float> a(6, 1.0f), b(6, 1.0f), fewer(4, 1.0f);
  MemRef<2> ma = matrix(a, 3), mb = matrix(b, 2), mf = matrix(fewer, 2);
  UnrankedMemRef ra = ma.unranked(), rb = mb.unranked(), rf = mf.unranked();
  EXPECT_TRUE(_mlir_ciface_allcloseF32(&ra, &rb));
  EXPECT_FALSE(_mlir_ciface_allcloseF32(&ra, &rf));
  a[5] = 1.0009f;
  EXPECT_TRUE(_mlir_ciface_allcloseF32(&ra, &rb));
  a[5] = 1.0625f;
  EXPECT_FALSE(_mlir_ciface_allcloseF32(&ra, &rb));
  EXPECT_EQ(capture([&] { _mlir_ciface_printMaxErrorF32(&ra, &rb); }),
            "Max absolute error 0.0625 at idx=5 (i=1.0625, j=1)\n"
            "Max relative error 0.0588235 at idx=5 (i=1.0625, j=1)\n");
  a[5] = NAN;
  EXPECT_FALSE(_mlir_ciface_allcloseF32(&ra, &rb));
  EXPECT_FALSE(_mlir_ciface_allcloseF32(&ra, &ra));
}

TEST(Matrices, Multiply) {
  // The product of a 2x3 and a 3x2 matrix with elements from 1 on; f16 cannot
  // represent 2049.
  std::vector<uint16_t> a, b;
  for (int i = 1; i <= 6; ++i) {
    a.push_back(floatToHalf(float(i)));
    b.push_back(floatToHalf(float(i)));
  }
  std::vector<float> c(4, 2000.0f);
  MemRef<2> ma = matrix(a, 3), mb = matrix(b, 2), mc = matrix(c, 2);
  UnrankedMemRef ra = ma.unranked(), rb = mb.unranked(), rc = mc.unranked();
  _mlir_ciface_gemmF16F16F32(&ra, &rb, &rc);
  EXPECT_EQ(c, (std::vector<float>{2022, 2028, 2049, 2064}));
  c.assign(4, 2000.0f);
  _mlir_ciface_gemmF16F16F16(&ra, &rb, &rc);
  EXPECT_EQ(c, (std::vector<float>{2022, 2028, 2048, 2064}));
  EXPECT_EXIT(_mlir_ciface_gemmF16F16F32(&ra, &ra, &rc),
              testing::ExitedWithCode(1), "do not fit each other");
  EXPECT_EQ(capture([&] { _mlir_ciface_printAllcloseF16(&ra, &rc); }),
            "[ALLCLOSE: FALSE]\n");
}

TEST(Float16, CompilerHelpers) {
  auto bits = [](float reg) { return std::bit_cast<uint32_t>(reg) & 0xffff; };
  EXPECT_EQ(bits(__truncsfbf2(1.0f)), 0x3f80u);
  // A number slightly above the middle between two bfloats; rounding it to
  // float first gives the middle.
  double above = 1.0 + std::ldexp(1.0, -8) + std::ldexp(1.0, -40);
  EXPECT_EQ(bits(__truncdfbf2(above)), 0x3f81u);
  EXPECT_EQ(bits(__truncsfbf2(static_cast<float>(above))), 0x3f80u);
  EXPECT_EQ(__gnu_h2f_ieee(0x3c00), 1.0f);
  EXPECT_EQ(__gnu_f2h_ieee(1.0f), 0x3c00);
}

} // namespace
