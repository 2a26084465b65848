//===- KernelArgumentTest.cpp - Tests of kernel arguments as text ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sim/KernelArgument.h"
#include "driver/sim/ElementType.h"
#include "driver/sim/NpyFile.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace aircc;

namespace {

/// Parses `text` as a number of the type and returns its bits; nullopt if it is
/// not a number.
std::optional<uint64_t> bits(const char *type, llvm::StringRef text) {
  uint64_t value = 0;
  if (!parseElement(*findElementType(type), text, &value))
    return std::nullopt;
  return value;
}

/// Returns `bits` as text, as a number of the type.
std::string printed(const char *type, uint64_t bits) {
  return printElement(*findElementType(type), &bits);
}

TEST(ElementType, Integers) {
  EXPECT_EQ(bits("i8", "-128"), 0x80u);
  EXPECT_EQ(bits("i8", "128"), std::nullopt);
  EXPECT_EQ(bits("i8", "0xff"), 0xffu);
  EXPECT_EQ(bits("u8", "255"), 0xffu);
  EXPECT_EQ(bits("u8", "-1"), std::nullopt);
  EXPECT_EQ(bits("i32", "0xffffffff"), 0xffffffffu);
  EXPECT_EQ(bits("i64", "-1"), ~uint64_t(0));
  EXPECT_EQ(bits("u64", "18446744073709551615"), ~uint64_t(0));
  EXPECT_EQ(bits("i32", "1.5"), std::nullopt);
  EXPECT_EQ(bits("i32", ""), std::nullopt);
  EXPECT_EQ(printed("i16", 0xfffe), "-2");
  EXPECT_EQ(printed("u16", 0xfffe), "65534");
}

TEST(ElementType, FloatsRoundOnce) {
  EXPECT_EQ(bits("f32", "1.5"), 0x3fc00000u);
  EXPECT_EQ(bits("f32", "inf"), 0x7f800000u);
  EXPECT_EQ(bits("f32", "0x1p-3"), 0x3e000000u);
  EXPECT_EQ(bits("f16", "65504"), 0x7bffu);
  EXPECT_EQ(bits("f16", "x"), std::nullopt);
  // The number is slightly above the middle between two f16 values; the
  // difference is below the precision of f32. Rounding to f32 first would give
  // the even neighbor below.
  EXPECT_EQ(bits("f16", "1.00048828126"), 0x3c01u);
  EXPECT_EQ(bits("f16", "1.00048828125"), 0x3c00u);
  EXPECT_EQ(bits("bf16", "1.00390625"), 0x3f80u);
  EXPECT_EQ(bits("bf16", "1.01171875"), 0x3f82u);
  // The two kinds of 8-bit floats have different biases.
  EXPECT_EQ(bits("f8E4M3FN", "1"), 0x38u);
  EXPECT_EQ(bits("f8E4M3FNUZ", "1"), 0x40u);
  EXPECT_EQ(bits("f8E5M2", "-2"), 0xc0u);
  EXPECT_EQ(printed("f16", 0x3555), "0.33325195");
  EXPECT_EQ(printed("f32", 0x3dcccccd), "0.1");
  EXPECT_EQ(printed("f64", 0x3fb999999999999a), "0.1");
  EXPECT_EQ(printed("bf16", 0xffc0), "nan");
  EXPECT_EQ(printed("f8E4M3FNUZ", 0x80), "nan");
  EXPECT_EQ(printed("f8E5M2", 0x7c), "inf");
}

TEST(ElementType, NumbersOfPatternsWrapAround) {
  uint8_t byte = 0;
  storeInteger(*findElementType("u8"), 257, &byte);
  EXPECT_EQ(byte, 1);
  float number = 0;
  storeInteger(*findElementType("f32"), (int64_t(1) << 24) + 1, &number);
  EXPECT_EQ(number, 16777216.0f);
}

std::string file(const std::string &dictionary, size_t dataBytes,
                 char version = 1) {
  std::string text = "\x93NUMPY";
  text += version;
  text += '\0';
  text += static_cast<char>(dictionary.size());
  text += '\0';
  if (version > 1)
    text += std::string(2, '\0');
  return text + dictionary + std::string(dataBytes, 'x');
}

std::string problem(const std::string &bytes) {
  auto array = readNpy(bytes);
  return array ? "" : llvm::toString(array.takeError());
}

TEST(NpyFile, ReadsWhatNumpyWrites) {
  std::string bytes =
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", 24);
  auto array = readNpy(bytes);
  ASSERT_TRUE(bool(array)) << llvm::toString(array.takeError());
  EXPECT_STREQ(array->type->name, "f32");
  EXPECT_EQ(array->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(array->data.size(), 24u);
  // Arrays with one element, without dimensions, in versions 2 and 3 of the
  // format, and with a tuple of one size.
  EXPECT_EQ(problem(file(
                "{'descr': '|b1', 'fortran_order': False, 'shape': (), }", 1)),
            "");
  EXPECT_EQ(problem(file("{'descr': '<i8', 'fortran_order': False, "
                         "'shape': (5,), }",
                         40, 3)),
            "");
  // Arrays that are written can be read.
  const ElementType &type = *findElementType("i16");
  std::string header = npyHeader(type, {7});
  EXPECT_EQ(header.size() % 64, 0u);
  bytes = header + std::string(14, 'x');
  array = readNpy(bytes);
  ASSERT_TRUE(bool(array)) << llvm::toString(array.takeError());
  EXPECT_STREQ(array->type->name, "i16");
  EXPECT_EQ(array->shape, std::vector<int64_t>{7});
}

TEST(NpyFile, RefusesTheRest) {
  EXPECT_EQ(problem("PK"), "it is not a .npy file");
  EXPECT_EQ(problem(file("", 0, 9)),
            "it has version 9 of the format; versions 1 to 3 are supported");
  EXPECT_EQ(problem(file("{'descr': '>f4', 'fortran_order': False, 'shape': "
                         "(1,), }",
                         4)),
            "it is big-endian (>f4)");
  EXPECT_EQ(problem(file("{'descr': '<f4', 'fortran_order': True, 'shape': "
                         "(1, 1), }",
                         4)),
            "it is in Fortran order; save numpy.ascontiguousarray of it");
  EXPECT_EQ(problem(file("{'descr': '<c8', 'fortran_order': False, 'shape': "
                         "(1,), }",
                         8)),
            "its element type is <c8; only integers and floats are "
            "supported");
  EXPECT_EQ(problem(file("{'descr': '<f4', 'fortran_order': False, 'shape': "
                         "(2,), }",
                         4)),
            "its shape requires 8 bytes of elements, but it has 4");
  EXPECT_EQ(problem(file("{'descr': [('a', '<f4')], 'fortran_order': False, "
                         "'shape': (1,), }",
                         4)),
            "its element type is structured or missing");
  EXPECT_EQ(problem(file("{'descr': '<f8', 'fortran_order': False, 'shape': "
                         "(4294967296, 4294967296), }",
                         8)),
            "its shape is too large");
  EXPECT_EQ(problem(std::string("\x93NUMPY\x01\x00\xff\x00{", 11)),
            "it ends within its header");
}

TEST(KernelArgument, BytesOfValues) {
  auto bytes = [](const char *text) {
    auto argument = KernelArgument::parse(text, 3, "--arg");
    EXPECT_TRUE(bool(argument));
    uint32_t ldsOffset = 0;
    llvm::Error error = argument->resolve(
        [](llvm::StringRef) -> const KernelBuffer * { return nullptr; },
        ldsOffset);
    EXPECT_FALSE(bool(error));
    return argument->getParameters().at(0);
  };
  EXPECT_EQ(bytes("i32=1,-1"),
            (std::vector<uint8_t>{1, 0, 0, 0, 255, 255, 255, 255}));
  EXPECT_EQ(bytes("f16=1"), (std::vector<uint8_t>{0, 0x3c}));
  EXPECT_EQ(bytes("bytes=00ff7A"), (std::vector<uint8_t>{0, 255, 0x7a}));
  EXPECT_EQ(bytes("null"), std::vector<uint8_t>(8, 0));
}

} // namespace
