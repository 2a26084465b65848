//===- SpirvSimMatrixTest.cpp - 2-D blocks and dpas by brute force --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/observe/LaneCounts.h"
#include "test/unit/simulator/spirv/SpirvSimSupport.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace aircc::sim::test;

namespace {

std::string mangled(const std::string &name, const std::string &types) {
  return "_Z" + std::to_string(name.size()) + name + types;
}

struct BlockCase {
  const char *kind; ///< "read_", "read_transform_", "read_transpose_", "write_"
  unsigned bits, rows, columns, blocks;
  unsigned registerBits, registers; ///< Of the private array.
};

std::string blockName(const BlockCase &c) {
  return std::string("intel_sub_group_2d_block_") + c.kind +
         std::to_string(c.bits) + "b_" + std::to_string(c.rows) + "r" +
         std::to_string(c.columns) + "x" + std::to_string(c.blocks) + "c";
}

/// surface, {width, height, pitch, x, y}, registers[lane][n]
std::string blockKernel(const BlockCase &c) {
  const std::string array = "[" + std::to_string(c.registers) + " x i" +
                            std::to_string(c.registerBits) + "]";
  const std::string element = "i" + std::to_string(c.registerBits);
  const std::string name =
      mangled(blockName(c),
              std::string("PU3AS1viiiDv2_iP") + (c.registerBits == 8    ? "h"
                                                 : c.registerBits == 16 ? "t"
                                                                        : "j"));
  const bool isWrite = std::string(c.kind) == "write_";
  std::string ir = kSpirvPrelude;
  ir += "declare spir_func void @" + name +
        "(ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)\n"
        "define spir_kernel void @test(ptr addrspace(1) %s, ptr addrspace(1) "
        "%p, ptr addrspace(1) %r) !intel_reqd_sub_group_size !{i32 16} {\n"
        "  %l = call spir_func i32 @_Z22get_sub_group_local_id()\n"
        "  %a = alloca " +
        array + "\n  %first = mul i32 %l, " + std::to_string(c.registers) +
        "\n";
  for (unsigned n = 0; n < 5; ++n) {
    const std::string i = std::to_string(n);
    ir += "  %pp" + i + " = getelementptr i32, ptr addrspace(1) %p, i64 " + i +
          "\n  %v" + i + " = load i32, ptr addrspace(1) %pp" + i + "\n";
  }
  ir += "  %c0 = insertelement <2 x i32> poison, i32 %v3, i32 0\n"
        "  %c1 = insertelement <2 x i32> %c0, i32 %v4, i32 1\n";
  auto move = [&](bool toPrivate) {
    for (unsigned n = 0; n < c.registers; ++n) {
      const std::string i = std::to_string(n);
      ir += "  %n" + i + " = add i32 %first, " + i + "\n  %o" + i +
            " = getelementptr " + element + ", ptr addrspace(1) %r, i32 %n" +
            i + "\n  %q" + i + " = getelementptr " + array +
            ", ptr %a, i64 0, i64 " + i + "\n";
      ir += toPrivate ? "  %w" + i + " = load " + element +
                            ", ptr addrspace(1) %o" + i + "\n  store " +
                            element + " %w" + i + ", ptr %q" + i + "\n"
                      : "  %w" + i + " = load " + element + ", ptr %q" + i +
                            "\n  store " + element + " %w" + i +
                            ", ptr addrspace(1) %o" + i + "\n";
    }
  };
  if (isWrite)
    move(true);
  ir += "  call spir_func void @" + name +
        "(ptr addrspace(1) %s, i32 %v0, i32 %v1, i32 %v2, <2 x i32> %c1, ptr "
        "%a)\n";
  if (!isWrite)
    move(false);
  return ir + "  ret void\n}\n";
}

/// The position of an element according to the extension: lane, register, and
/// byte of the register.
struct Home {
  unsigned lane, reg, byte;
};
Home homeOf(const BlockCase &c, unsigned part, unsigned row, unsigned column) {
  const std::string kind = c.kind;
  const unsigned ofPart = part * (c.registers / c.blocks);
  if (kind == "read_transform_") {
    const unsigned inWord = 32 / c.bits;
    return {column, ofPart + row / inWord, row % inWord * (c.bits / 8)};
  }
  if (kind == "read_transpose_")
    return {row % 16, ofPart + column * (c.rows / 16) + row / 16, 0};
  if (c.columns == 32) // Two 8-bit elements a register.
    return {column / 2, ofPart + row, column % 2};
  if (c.columns == 8) // Two rows a register.
    return {row % 2 * 8 + column, ofPart + row / 2, 0};
  return {column, ofPart + row, 0};
}

void checkBlock(const BlockCase &c) {
  SCOPED_TRACE(blockName(c));
  SpirvRunner runner(compileSpirv(blockKernel(c)));
  ASSERT_EQ(runner.loadError(), "");
  const bool isWrite = std::string(c.kind) == "write_";
  const int bytes = c.bits / 8, width = 128, height = 40, pitch = 160;
  const unsigned lanes = 16, registerBytes = c.registerBits / 8;
  std::mt19937 random(c.bits + c.rows);
  std::vector<uint8_t> before(pitch * height),
      given(lanes * c.registers * registerBytes);
  for (uint8_t &v : before)
    v = static_cast<uint8_t>(random());
  for (uint8_t &v : given)
    v = static_cast<uint8_t>(random());
  uint8_t *surface = runner.upload(before);
  int32_t *parameters = runner.allocate<int32_t>(5);
  uint8_t *registers = runner.upload(given);
  // Inside, over each edge, and outside.
  const int step = std::max(1, 4 / bytes);
  for (auto [x, y] :
       std::vector<std::pair<int, int>>{{0, 0},
                                        {2 * step, 3},
                                        {-step, -2},
                                        {width / bytes - step, 37},
                                        {width / bytes + 8, 5},
                                        {0, 200},
                                        {-64, -40}}) {
    std::memcpy(surface, before.data(), before.size());
    std::memcpy(registers, given.data(), given.size());
    const int32_t values[] = {width, height, pitch, x, y};
    std::memcpy(parameters, values, sizeof(values));
    ASSERT_EQ(runSpirv(runner, {surface, parameters, registers}), "");
    std::vector<uint8_t> wantedSurface = before;
    std::vector<uint8_t> wanted(given.size(), 0);
    for (unsigned part = 0; part < c.blocks; ++part)
      for (unsigned row = 0; row < c.rows; ++row)
        for (unsigned column = 0; column < c.columns; ++column) {
          const int ex = x + int(part * c.columns + column), ey = y + int(row);
          const Home home = homeOf(c, part, row, column);
          const size_t at =
              (home.lane * c.registers + home.reg) * registerBytes + home.byte;
          ASSERT_LE(at + bytes, given.size());
          if (ex < 0 || (ex + 1) * bytes > width || ey < 0 || ey >= height)
            continue;
          if (isWrite)
            std::memcpy(&wantedSurface[ey * pitch + ex * bytes], &given[at],
                        bytes);
          else
            std::memcpy(&wanted[at], &before[ey * pitch + ex * bytes], bytes);
        }
    if (!isWrite)
      EXPECT_TRUE(!std::memcmp(registers, wanted.data(), wanted.size()))
          << "x " << x << ", y " << y;
    EXPECT_TRUE(
        !std::memcmp(surface, wantedSurface.data(), wantedSurface.size()))
        << "x " << x << ", y " << y;
  }
}

} // namespace

TEST(SpirvSimBlock, Reads) {
  for (unsigned rows : {1u, 2u, 4u, 8u, 16u, 32u})
    for (unsigned blocks : {1u, 2u}) {
      checkBlock({"read_", 8, rows, 32, blocks, 16, rows * blocks});
      checkBlock({"read_", 16, rows, 16, blocks, 16, rows * blocks});
      checkBlock(
          {"read_", 32, rows, 8, blocks, 32, std::max(1u, rows / 2) * blocks});
      if (blocks == 1)
        checkBlock({"read_", 32, rows, 16, 1, 32, rows});
    }
}

TEST(SpirvSimBlock, Transforms) {
  for (unsigned blocks : {1u, 2u, 4u})
    checkBlock({"read_transform_", 8, 32, 16, blocks, 32, 8 * blocks});
  for (unsigned rows : {16u, 32u})
    for (unsigned blocks : {1u, 2u})
      checkBlock(
          {"read_transform_", 16, rows, 16, blocks, 32, rows / 2 * blocks});
  for (unsigned rows : {16u, 32u})
    checkBlock({"read_transpose_", 32, rows, 8, 1, 32, rows / 2});
}

TEST(SpirvSimBlock, Writes) {
  for (unsigned rows : {1u, 2u, 4u, 8u}) {
    checkBlock({"write_", 8, rows, 32, 1, 16, rows});
    checkBlock({"write_", 8, rows, 16, 1, 8, rows});
    checkBlock({"write_", 16, rows, 16, 1, 16, rows});
    checkBlock({"write_", 32, rows, 16, 1, 32, rows});
  }
}

namespace {

struct DpasCase {
  const char *types;
  unsigned depth, rows;
  const char *aType, *bType, *cType; ///< LLVM IR, of one element.
  const char *codes;                 ///< Of the parameters, mangled.
  unsigned aElements, aBits, bBits;
  char kind; ///< 'h' f16, 'b' bf16, 't' tf32, 's', 'u': signedness of A
  bool bIsSigned;
};

std::string vectorType(unsigned n, const std::string &element) {
  return n == 1 ? element : "<" + std::to_string(n) + " x " + element + ">";
}

double decode(char kind, uint32_t bits) {
  if (kind == 'h') {
    _Float16 v;
    uint16_t narrow = static_cast<uint16_t>(bits);
    std::memcpy(&v, &narrow, 2);
    return static_cast<double>(v);
  }
  if (kind == 'b')
    bits <<= 16;
  if (kind == 't')
    bits &= ~0x1fffu;
  float v;
  std::memcpy(&v, &bits, 4);
  return v;
}

uint16_t encode(char kind, float v) {
  if (kind == 'h') {
    _Float16 narrow = static_cast<_Float16>(v);
    uint16_t bits;
    std::memcpy(&bits, &narrow, 2);
    return bits;
  }
  uint32_t bits;
  std::memcpy(&bits, &v, 4);
  if (v != v)
    return 0x7fc0;
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// A kernel that computes C += A * B; each lane passes its parts of the
/// matrices.
std::string dpasKernel(const DpasCase &c) {
  const std::string a = vectorType(c.aElements, c.aType),
                    b = vectorType(8, c.bType), d = vectorType(c.rows, c.cType);
  const std::string name =
      mangled(std::string("intel_sub_group_") + c.types + "_matrix_mad_k" +
                  std::to_string(c.depth),
              c.codes);
  return kSpirvPrelude +
         ("declare spir_func " + d + " @" + name + "(" + a + ", " + b + ", " +
          d + ")\n") +
         "define spir_kernel void @test(ptr addrspace(1) %a, ptr addrspace(1) "
         "%b, "
         "ptr addrspace(1) %c) !intel_reqd_sub_group_size !{i32 16} {\n"
         "  %l = call spir_func i32 @_Z22get_sub_group_local_id()\n"
         "  %pa = getelementptr " +
         a +
         ", ptr addrspace(1) %a, i32 %l\n"
         "  %pb = getelementptr " +
         b +
         ", ptr addrspace(1) %b, i32 %l\n"
         "  %pc = getelementptr " +
         d +
         ", ptr addrspace(1) %c, i32 %l\n"
         "  %va = load " +
         a +
         ", ptr addrspace(1) %pa\n"
         "  %vb = load " +
         b +
         ", ptr addrspace(1) %pb\n"
         "  %vc = load " +
         d +
         ", ptr addrspace(1) %pc\n"
         "  %vd = call spir_func " +
         d + " @" + name + "(" + a + " %va, " + b + " %vb, " + d +
         " %vc)\n  store " + d + " %vd, ptr addrspace(1) %pc\n  ret void\n}\n";
}

/// The matrices in memory, as the extension lays them out, and how to read
/// them.
class DpasMatrices {
public:
  explicit DpasMatrices(const DpasCase &c)
      : c(c), isInteger(c.kind == 's' || c.kind == 'u'),
        isNarrow(!isInteger && std::string(c.cType) != "float"),
        cBytes(isNarrow ? 2 : 4), aBytes(c.aElements * c.aBits / 8),
        random(c.rows * 7 + c.depth), a(filled(16 * aBytes)),
        b(filled(16 * 32)), d(filled(16 * c.rows * cBytes)) {
    if (isInteger || isNarrow)
      return;
    for (size_t i = 0; i < d.size(); i += 4) {
      float v = float(int(random() % 2001) - 1000) / 8;
      std::memcpy(&d[i], &v, 4);
    }
  }

  void check(const uint8_t *result, unsigned row, unsigned column) const;

private:
  uint32_t number();
  std::vector<uint8_t> filled(size_t bytes);
  static uint32_t bitsAt(const std::vector<uint8_t> &v, size_t at,
                         unsigned bits) {
    uint32_t raw = 0;
    std::memcpy(&raw, &v[at], bits / 8);
    return raw;
  }
  uint32_t elementOfA(unsigned row, unsigned k) const;
  uint32_t elementOfB(unsigned k, unsigned column) const {
    return bitsAt(b, column * 32 + k * c.bBits / 8, c.bBits);
  }
  int32_t integerSum(unsigned row, unsigned column, size_t at) const;

  const DpasCase &c;
  const bool isInteger, isNarrow;
  const unsigned cBytes, aBytes;
  std::mt19937 random;

public:
  std::vector<uint8_t> a, b, d; ///< D is C before the kernel.
};

uint32_t DpasMatrices::number() {
  if (isInteger)
    return random();
  float v = std::ldexp(float(int(random() % 4001) - 2000) / 64,
                       int(random() % 7) - 3);
  if (c.kind == 'h' || c.kind == 'b')
    return encode(c.kind, v) | uint32_t(encode(c.kind, v * 0.7f)) << 16;
  uint32_t bits;
  std::memcpy(&bits, &v, 4);
  return bits | (random() & 0xffff); // TF32 ignores the low bits.
}

std::vector<uint8_t> DpasMatrices::filled(size_t bytes) {
  std::vector<uint8_t> out(bytes + 4);
  for (size_t i = 0; i < bytes; i += 4) {
    uint32_t v = number();
    std::memcpy(&out[i], &v, 4);
  }
  out.resize(bytes);
  return out;
}

uint32_t DpasMatrices::elementOfA(unsigned row, unsigned k) const {
  if (c.kind == 't') {
    const unsigned n = row * 8 + k;
    return bitsAt(a, n % 16 * aBytes + n / 16 * 4, 32);
  }
  const unsigned inLane = 16 / (isInteger ? 8 : 16);
  return bitsAt(
      a, k / inLane * aBytes + row * 2 + k % inLane * (isInteger ? 1 : 2),
      isInteger ? 8 : 16);
}

int32_t DpasMatrices::integerSum(unsigned row, unsigned column,
                                 size_t at) const {
  int64_t sum = static_cast<int32_t>(bitsAt(d, at, 32));
  for (unsigned k = 0; k < c.depth; ++k) {
    const uint8_t x = static_cast<uint8_t>(elementOfA(row, k)),
                  y = static_cast<uint8_t>(elementOfB(k, column));
    sum += int64_t(c.kind == 's' ? int8_t(x) : int(x)) *
           (c.bIsSigned ? int8_t(y) : int(y));
  }
  return static_cast<int32_t>(sum);
}

/// Compares an element of what the kernel wrote.
void DpasMatrices::check(const uint8_t *result, unsigned row,
                         unsigned column) const {
  const size_t at = (column * c.rows + row) * cBytes;
  if (isInteger) {
    int32_t got;
    std::memcpy(&got, result + at, 4);
    ASSERT_EQ(got, integerSum(row, column, at)) << row << "," << column;
    return;
  }
  float sum = isNarrow ? decode(c.kind, bitsAt(d, at, 16))
                       : decode(0, bitsAt(d, at, 32));
  for (unsigned k = 0; k < c.depth; ++k)
    sum = std::fma(static_cast<float>(decode(c.kind, elementOfA(row, k))),
                   static_cast<float>(decode(c.kind, elementOfB(k, column))),
                   sum);
  if (isNarrow) {
    uint16_t got;
    std::memcpy(&got, result + at, 2);
    ASSERT_EQ(got, encode(c.kind, sum)) << row << "," << column;
  } else {
    ASSERT_TRUE(!std::memcmp(result + at, &sum, 4)) << row << "," << column;
  }
}

void checkDpas(const DpasCase &c) {
  SCOPED_TRACE(std::string(c.types) + " x" + std::to_string(c.rows) + " " +
               c.cType);
  SpirvRunner runner(compileSpirv(dpasKernel(c)));
  ASSERT_EQ(runner.loadError(), "");
  const DpasMatrices matrices(c);
  uint8_t *a = runner.upload(matrices.a), *b = runner.upload(matrices.b),
          *d = runner.upload(matrices.d);
  ASSERT_EQ(runSpirv(runner, {a, b, d}), "");
  for (unsigned row = 0; row < c.rows; ++row)
    for (unsigned column = 0; column < 16; ++column) {
      matrices.check(d, row, column);
      if (testing::Test::HasFatalFailure())
        return;
    }
}

} // namespace

TEST(SpirvSimDpas, Floats) {
  checkDpas({"f16_f16", 16, 8, "i16", "i32", "float", "Dv8_sDv8_iDv8_f", 8, 16,
             16, 'h', false});
  checkDpas({"f16_f16", 16, 4, "i16", "i32", "float", "Dv4_sDv8_iDv4_f", 4, 16,
             16, 'h', false});
  checkDpas({"f16_f16", 16, 1, "i16", "i32", "float", "sDv8_if", 1, 16, 16, 'h',
             false});
  checkDpas({"f16_f16", 16, 8, "i16", "i32", "half", "Dv8_sDv8_iDv8_Dh", 8, 16,
             16, 'h', false});
  checkDpas({"bf16_bf16", 16, 8, "i16", "i32", "float", "Dv8_sDv8_iDv8_f", 8,
             16, 16, 'b', false});
  checkDpas({"bf16_bf16", 16, 2, "i16", "i32", "float", "Dv2_sDv8_iDv2_f", 2,
             16, 16, 'b', false});
  checkDpas({"bf16_bf16", 16, 8, "i16", "i32", "i16", "Dv8_sDv8_iS_", 8, 16, 16,
             'b', false});
  checkDpas({"tf32_tf32", 8, 8, "float", "float", "float", "Dv4_fDv8_fS0_", 4,
             32, 32, 't', false});
  checkDpas({"tf32_tf32", 8, 4, "float", "float", "float", "Dv2_fDv8_fDv4_f", 2,
             32, 32, 't', false});
  checkDpas({"tf32_tf32", 8, 1, "float", "float", "float", "fDv8_ff", 1, 32, 32,
             't', false});
}

TEST(SpirvSimDpas, Integers) {
  checkDpas({"i8_i8", 32, 8, "i16", "i32", "i32", "Dv8_sDv8_iS0_", 8, 16, 8,
             's', true});
  checkDpas({"i8_i8", 32, 2, "i16", "i32", "i32", "Dv2_sDv8_iDv2_i", 2, 16, 8,
             's', true});
  checkDpas({"u8_u8", 32, 8, "i16", "i32", "i32", "Dv8_tDv8_jDv8_i", 8, 16, 8,
             'u', false});
  checkDpas({"i8_u8", 32, 8, "i16", "i32", "i32", "Dv8_sDv8_jDv8_i", 8, 16, 8,
             's', false});
  checkDpas({"u8_i8", 32, 4, "i16", "i32", "i32", "Dv4_tDv8_iDv4_i", 4, 16, 8,
             'u', true});
}

/// 2-D block accesses and dpas are counted.
TEST(SpirvSimCounts, Table) {
  using aircc::sim::spirv::LaneCounts;
  LaneCounts one, all;
  one.add(LaneCounts::Dpas, 2048);
  one.add(LaneCounts::BlockReads);
  one.addAmount(LaneCounts::BlockReads, 256);
  all += one;
  all += one;
  EXPECT_EQ(all.times(LaneCounts::Dpas), 2u);
  EXPECT_EQ(all.amount(LaneCounts::BlockReads), 512u);
  EXPECT_NE(all.table().find("4096 multiply-adds"), std::string::npos);
  EXPECT_EQ(all.table().find("barriers"), std::string::npos);
}
