//===- SimTypedMemoryTest.cpp - Rarer memory instructions -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Typed buffers, scalar stores and atomics, transposing loads, blocks of
// registers, LDS exchanges, append and consume.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimTestSupport.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>

using namespace aircc::sim;
using namespace aircc::sim::test;

namespace {

using u32 = uint32_t;
using u64 = uint64_t;

/// Fields of a buffer resource.
struct Resource {
  u32 records; ///< In bytes, or with a stride in strides.
  u32 stride = 0;
  u32 word3 = 0;
};

/// Runs `body` in one wave. s[4:5] is the address of `data`, v0 the lane, v1 is
/// 4 * lane, and s[8:11] the resource of `data`.
std::string runOnBuffer(SimDevice &device, const std::string &chip,
                        const std::string &body, void *data,
                        const Resource &resource,
                        const KernelOptions &options = KernelOptions()) {
  bool gfx9 = chip.substr(0, 4) == "gfx9", gfx12 = chip == "gfx1201";
  u32 word3 = resource.word3;
  if (!gfx9 && !resource.stride)
    word3 |= 3u << 28; // OOB_SELECT: raw.
  std::string text = std::string(gfx9 ? "s_load_dwordx2" : "s_load_b64") +
                     " s[4:5], s[0:1], 0x0\n" +
                     (gfx12 ? "s_wait_kmcnt 0x0\n" : "s_waitcnt lgkmcnt(0)\n") +
                     "v_and_b32 v0, 0x3ff, v0\nv_lshlrev_b32 v1, 2, v0\n"
                     "s_mov_b32 s8, s4\ns_and_b32 s9, s5, 0xffff\n"
                     "s_or_b32 s9, s9, " +
                     std::to_string(resource.stride << 16) +
                     "\ns_mov_b32 s10, " + std::to_string(resource.records) +
                     "\ns_mov_b32 s11, " + std::to_string(word3) + "\n" + body;
  u32 lanes = gfx9 || options.wave64 ? 64 : 32;
  return run(device,
             assemble(chip, kernelText(chip, text, 1, options),
                      options.wave64 ? "+wavefrontsize64" : ""),
             {data}, {1, 1, 1}, {lanes, 1, 1});
}
const char *waitFor(const std::string &chip) {
  return chip == "gfx1201" ? "s_wait_loadcnt 0x0\n" : "s_waitcnt vmcnt(0)\n";
}

float f32(u32 v) { return std::bit_cast<float>(v); }

/// A format, an element of it, and the contents of registers after loading it.
struct Typed {
  const char *format; ///< of gfx11; gfx9's two names are made from it
  u32 memory[4];
  unsigned bytes;
  double x, y, z, w; ///< integers for UINT and SINT
};
// clang-format off
const Typed kTyped[] = {
    {"8_UNORM", {0xff}, 1, 1, 0, 0, 1},
    {"8_SNORM", {0x81}, 1, -1, 0, 0, 1},
    {"8_SNORM", {0x80}, 1, -1, 0, 0, 1},
    {"8_USCALED", {200}, 1, 200, 0, 0, 1},
    {"8_SSCALED", {0xfe}, 1, -2, 0, 0, 1},
    {"8_UINT", {0xfe}, 1, 254, 0, 0, 1},
    {"8_SINT", {0xfe}, 1, -2, 0, 0, 1},
    {"16_FLOAT", {0xc500}, 2, -5, 0, 0, 1},
    {"16_UNORM", {0x8000}, 2, 32768 / 65535.0, 0, 0, 1},
    {"8_8_SINT", {0x80ff}, 2, -1, -128, 0, 1},
    {"32_UINT", {0x12345678}, 4, 0x12345678, 0, 0, 1},
    {"32_FLOAT", {0xc0490fdb}, 4, -3.1415927410125732, 0, 0, 1},
    {"16_16_FLOAT", {0x4200c000}, 4, -2, 3, 0, 1},
    {"10_11_11_FLOAT", {0x3c0u | 0x3c0u << 11 | 0x200u << 22}, 4, 1, 1, 2, 1},
    {"11_11_10_FLOAT", {0x200u | 0x400u << 10 | 0x3c0u << 21}, 4, 2, 2, 1, 1},
    {"10_10_10_2_UINT", {1u | 5u << 2 | 6u << 12 | 1023u << 22}, 4, 1, 5, 6, 1023},
    {"2_10_10_10_UNORM", {1023u | 0u << 10 | 511u << 20 | 2u << 30}, 4, 1, 0, 511 / 1023.0, 2 / 3.0},
    {"2_10_10_10_SINT", {1023u | 512u << 10 | 511u << 20 | 1u << 30}, 4, -1, -512, 511, 1},
    {"8_8_8_8_UNORM", {0x00ff3380}, 4, 128 / 255.0, 51 / 255.0, 1, 0},
    {"32_32_SINT", {7, 0xffffffff}, 8, 7, -1, 0, 1},
    {"16_16_16_16_SNORM", {0x80007fff, 0xc0010001}, 8, 1, -1, 1 / 32767.0, -16383 / 32767.0},
    {"32_32_32_FLOAT", {0x3f800000, 0x40000000, 0xbf000000}, 12, 1, 2, -0.5, 1},
    {"32_32_32_32_UINT", {1, 2, 3, 0xffffffff}, 16, 1, 2, 3, 4294967295.0},
};
// clang-format on

std::string formatText(const std::string &chip, const std::string &format) {
  if (chip.substr(0, 4) != "gfx9")
    return "format:[BUF_FMT_" + format + "]";
  size_t at = format.rfind('_');
  return "format:[BUF_DATA_FORMAT_" + format.substr(0, at) +
         ",BUF_NUM_FORMAT_" + format.substr(at + 1) + "]";
}

class SimTyped : public ::testing::TestWithParam<const char *> {};

/// Loads four components and stores them again, which must result in the same
/// memory.
TEST_P(SimTyped, LoadAndStore) {
  const std::string chip = GetParam();
  for (const Typed &row : kTyped) {
    SimDevice device;
    const std::string name = row.format;
    bool integer = name.ends_with("INT");
    // 0: the element; 64: what is loaded; 128: what is stored back.
    std::vector<u32> host(64, 0);
    std::memcpy(host.data(), row.memory, row.bytes);
    u32 *data = onDevice(device, host);
    std::string format = formatText(chip, name);
    bool gfx9 = chip.substr(0, 4) == "gfx9", gfx12 = chip == "gfx1201";
    std::string zero = gfx12 ? "null" : "0";
    std::string body =
        (gfx9 ? "s_mov_b64 exec, 1\n" : "s_mov_b32 exec_lo, 1\n") +
        std::string("v_mov_b32 v2, 0\nv_mov_b32 v3, 0\n") +
        "tbuffer_load_format_xyzw v[4:7], v2, s[8:11], " + zero + " " + format +
        " offen\n" + waitFor(chip) +
        "tbuffer_store_format_xyzw v[4:7], v2, s[8:11], " + zero + " " +
        format + " offen offset:128\n" +
        (gfx9 ? "global_store_dwordx4" : "global_store_b128") +
        " v3, v[4:7], s[4:5] offset:64\n";
    ASSERT_EQ(runOnBuffer(device, chip, body, data, {256}), "") << name;
    const double want[] = {row.x, row.y, row.z, row.w};
    for (unsigned k = 0; k < 4; ++k) {
      if (integer)
        EXPECT_EQ(data[16 + k], static_cast<u32>(static_cast<int64_t>(want[k])))
            << chip << " " << name << " " << k;
      else
        EXPECT_EQ(f32(data[16 + k]), static_cast<float>(want[k]))
            << chip << " " << name << " " << k;
    }
    u32 back[4] = {0, 0, 0, 0};
    std::memcpy(back, &data[32], row.bytes);
    // -1 has two encodings; the smaller one is not written.
    if (!(name == "8_SNORM" && row.memory[0] == 0x80) &&
        name != "16_16_16_16_SNORM")
      for (unsigned k = 0; k < 4; ++k)
        EXPECT_EQ(back[k], row.memory[k]) << chip << " " << name;
  }
}

/// The format of the resource, its selection of components, halves, and
/// accesses outside the records.
TEST_P(SimTyped, ResourceFormats) {
  const std::string chip = GetParam();
  bool gfx9 = chip.substr(0, 4) == "gfx9", gfx12 = chip == "gfx1201";
  // 16_16_FLOAT with components y, x, 0, 1.
  u32 select = 5 | 4 << 3 | 0 << 6 | 1 << 9;
  u32 word3 = select | (gfx9 ? 7u << 12 | 5u << 15 : 29u << 12);
  SimDevice device;
  std::vector<u32> host(512, 0x5a5a5a5a);
  // Elements of 8 bytes.
  for (u32 i = 0; i < 8; ++i)
    host[2 * i] = 0x3c004000 + i; // 1.0, 2.0 and a little
  u32 *data = onDevice(device, host);
  std::string zero = gfx12 ? "null" : "0";
  std::string d16 =
      gfx9 ? "buffer_load_format_d16_xyzw" : "buffer_load_d16_format_xyzw";
  std::string d16Hi =
      gfx9 ? "buffer_load_format_d16_hi_x" : "buffer_load_d16_hi_format_x";
  std::string store = gfx9 ? "global_store_dword" : "global_store_b32";
  std::string text = "buffer_load_format_xyzw v[4:7], v0, s[8:11], " + zero +
                     " idxen\n" + d16 + " v[8:9], v0, s[8:11], " + zero +
                     " idxen\nv_mov_b32 v10, 0x1234\n" + d16Hi +
                     " v10, v0, s[8:11], " + zero + " idxen\n" + waitFor(chip);
  u32 lanes = gfx9 ? 64 : 32;
  for (u32 k = 0; k < 7; ++k)
    text += store + " v1, v" + std::to_string(4 + k) +
            ", s[4:5] offset:" + std::to_string(128 + 256 * k) + "\n";
  ASSERT_EQ(runOnBuffer(device, chip, text, data, {8, 8, word3}), "");
  auto at = [&](u32 k, u32 lane) { return data[32 + 64 * k + lane]; };
  for (u32 lane = 0; lane < lanes; ++lane) {
    bool in = lane < 8;
    u32 lowHalf = 0x4000 + lane;
    EXPECT_EQ(f32(at(0, lane)), in ? 1.0f : 0.0f) << chip << lane;
    EXPECT_EQ(f32(at(1, lane)), in ? 2.0f * (1 + lane / 1024.0f) : 0.0f);
    EXPECT_EQ(at(2, lane), 0u);
    EXPECT_EQ(f32(at(3, lane)), in ? 1.0f : 0.0f);
    EXPECT_EQ(at(4, lane), in ? 0x3c00 | lowHalf << 16 : 0u);
    EXPECT_EQ(at(5, lane), in ? 0x3c000000u : 0u);
    EXPECT_EQ(at(6, lane), in ? 0x3c001234u : 0x1234u);
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, SimTyped,
                         ::testing::Values("gfx90a", "gfx942", "gfx1100",
                                           "gfx1201"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

/// S_STORE, S_ATOMIC, S_BUFFER_*: the wave's own accesses.
TEST(SimScalarMemory, StoresAndAtomics) {
  SimDevice device;
  std::vector<u32> host = {10, 20, 30, 40, 0xffffffff, 0, 7, 8,
                           1,  2,  3,  4,  5,          6, 7, 8};
  u32 *data = onDevice(device, host);
  ASSERT_EQ(runOnBuffer(device, "gfx90a",
                        "s_mov_b32 s20, 5\ns_mov_b32 s21, 6\n"
                        "s_store_dword s20, s[4:5], 0x0\n" // [0] = 5
                        "s_mov_b32 s22, 36\n"
                        "s_store_dwordx2 s[20:21], s[4:5], s22\n" // [9,10]
                        "s_mov_b32 s24, 3\n"
                        "s_atomic_add s24, s[4:5], 0x4 glc\n" // 20 -> 23
                        "s_mov_b32 s26, 99\ns_mov_b32 s27, 30\n"
                        "s_atomic_cmpswap s[26:27], s[4:5], 0x8 glc\n"
                        "s_mov_b32 s28, 1\ns_mov_b32 s29, 0\n"
                        "s_atomic_add_x2 s[28:29], s[4:5], 0x10 glc\n"
                        // Outside the records, an access has no effect.
                        "s_mov_b32 s30, 77\n"
                        "s_buffer_store_dword s30, s[8:11], 0x18\n"
                        "s_buffer_store_dword s30, s[8:11], 0x1c\n"
                        "s_buffer_atomic_umax s30, s[8:11], 0xc glc\n"
                        "s_waitcnt lgkmcnt(0)\n"
                        "s_store_dword s24, s[4:5], 0x2c\n"
                        "s_store_dword s26, s[4:5], 0x30\n"
                        "s_store_dword s28, s[4:5], 0x34\n"
                        "s_store_dword s30, s[4:5], 0x38\n",
                        data, {28}),
            "");
  const u32 want[] = {5, 23, 99, 77, 0,  1,          77, 8,
                      1, 5,  6,  20, 30, 0xffffffff, 40, 8};
  for (unsigned i = 0; i < 16; ++i)
    EXPECT_EQ(data[i], want[i]) << i;
  std::string error = runOnBuffer(
      device, "gfx90a", "s_store_dword s20, s[4:5], 0x40\n", data, {0});
  EXPECT_NE(error.find("write of 4 bytes"), std::string::npos) << error;
}

/// Exchanges at two addresses, conditional and wrapping operations,
/// compare-and-swap of floats, append and consume.
TEST(SimLdsMore, Exchanges) {
  LaneTest test;
  test.count = 11;
  test.options.ldsBytes = 4096;
  std::vector<std::vector<u32>> in(4, std::vector<u32>(64));
  for (u32 i = 0; i < 64; ++i) {
    in[0][i] = 1000 + i;
    in[1][i] = 0x80000000 | i;
    in[2][i] = i % 2 ? 0x80000000 : 0; // -0 or 0
    in[3][i] = i;
  }
  auto out = test.run(
      "v_lshlrev_b32 v2, 4, v0\n"
      "ds_write_b64 v2, v[10:11]\n"
      "ds_write_b64 v2, v[12:13] offset:8\n"
      // The old values at both addresses; the new ones are v13 and v10.
      "ds_wrxchg2_rtn_b32 v[40:41], v2, v13, v10 offset0:0 offset1:1\n"
      "s_waitcnt lgkmcnt(0)\n"
      "ds_read_b64 v[42:43], v2\n"
      // As floats, -0 equals 0, so v10 is stored.
      "v_mov_b32 v20, 0\n"
      "ds_cmpst_f32 v2, v20, v10 offset:8\n"
      "s_waitcnt lgkmcnt(0)\n"
      "ds_read_b32 v44, v2 offset:8\n"
      // Only dwords whose data has the top bit change.
      "v_mov_b32 v20, 7\nv_mov_b32 v21, 0x80000009\n"
      "ds_condxchg32_rtn_b64 v[22:23], v2, v[20:21]\n"
      "s_waitcnt lgkmcnt(0)\n"
      "ds_read_b64 v[46:47], v2\n"
      // A ring: subtracts 10 if the value is at least 10, otherwise adds 100.
      "v_mov_b32 v20, 10\nv_mov_b32 v21, 0x64\n"
      "ds_write_b32 v2, v0 offset:12\n"
      "ds_wrap_rtn_b32 v48, v2, v20, v21 offset:12\n"
      "s_waitcnt lgkmcnt(0)\n"
      "ds_read_b32 v49, v2 offset:12\n"
      "s_waitcnt lgkmcnt(0)\n"
      // Counters, by active lanes.
      "s_mov_b32 m0, 0x800\nv_mov_b32 v3, 0x800\nv_mov_b32 v4, 5\n"
      "ds_write_b32 v3, v4 offset:16\n"
      "s_mov_b64 s[20:21], exec\ns_mov_b64 exec, 0xff\n"
      "ds_append v50 offset:16\n"
      "s_mov_b64 exec, 3\n"
      "ds_consume v50 offset:16\n"
      "s_mov_b64 exec, s[20:21]\ns_waitcnt lgkmcnt(0)\n",
      in);
  ASSERT_EQ(test.error, "");
  for (u32 i = 0; i < 64; ++i) {
    EXPECT_EQ(out[0][i], 1000 + i);
    EXPECT_EQ(out[1][i], 0x80000000u | i);
    EXPECT_EQ(out[2][i], i);
    EXPECT_EQ(out[3][i], 1000 + i);
    EXPECT_EQ(out[4][i], 1000 + i);
    EXPECT_EQ(out[6][i], i);
    EXPECT_EQ(out[7][i], 9u);
    EXPECT_EQ(out[8][i], i);
    EXPECT_EQ(out[9][i], i >= 10 ? i - 10 : i + 100);
  }
  EXPECT_EQ(out[10][0], 13u); // 5 + 8, before two are taken
  EXPECT_EQ(out[10][1], 13u);
  EXPECT_EQ(out[10][2], 5u);
}

/// gfx950: within 16 lanes, rows become columns. Element i of a lane is element
/// 16 * i + lane of the 16 lanes' data in the order of lanes.
TEST(SimLdsMore, TransposingReads) {
  struct {
    const char *name;
    unsigned bits, bytes;
  } rows[] = {{"ds_read_b64_tr_b4", 4, 8},
              {"ds_read_b64_tr_b8", 8, 8},
              {"ds_read_b64_tr_b16", 16, 8},
              {"ds_read_b96_tr_b6", 6, 12}};
  for (auto &row : rows) {
    LaneTest test;
    test.chip = "gfx950";
    test.count = row.bytes / 4;
    test.options.ldsBytes = 64 * 12;
    std::vector<std::vector<u32>> in(3, std::vector<u32>(64));
    for (u32 k = 0; k < 3; ++k)
      for (u32 i = 0; i < 64; ++i)
        in[k][i] = (i * 3 + k + 1) * 2654435761u;
    std::string store = row.bytes == 8 ? "ds_write_b64 v2, v[10:11]\n"
                                       : "ds_write_b96 v2, v[10:12]\n";
    std::string to = row.bytes == 8 ? "v[40:41]" : "v[40:42]";
    auto out =
        test.run("v_mul_u32_u24 v2, " + std::to_string(row.bytes) + ", v0\n" +
                     store + "s_waitcnt lgkmcnt(0)\n" + row.name + " " + to +
                     ", v2\n"
                     "s_waitcnt lgkmcnt(0)\n",
                 in);
    ASSERT_EQ(test.error, "") << row.name;
    unsigned count = row.bytes * 8 / row.bits;
    auto element = [&](const std::vector<std::vector<u32>> &words, u32 lane,
                       u32 index) {
      u32 value = 0;
      for (u32 b = 0; b < row.bits; ++b) {
        u32 at = index * row.bits + b;
        value |= (words[at / 32][lane] >> at % 32 & 1) << b;
      }
      return value;
    };
    for (u32 lane = 0; lane < 64; ++lane)
      for (u32 i = 0; i < count; ++i) {
        u32 flat = 16 * i + lane % 16;
        ASSERT_EQ(element(out, lane, i),
                  element(in, lane / 16 * 16 + flat / count, flat % count))
            << row.name << " lane " << lane << " element " << i;
      }
  }
}

/// gfx12: loads a 16x16 matrix that is stored by columns into rows, as WMMA
/// requires.
TEST(SimGlobalMore, TransposingLoads) {
  for (bool wave64 : {false, true})
    for (unsigned bytes : {1u, 2u}) {
      SimDevice device;
      // Column c, row r at 16 * c + r; the results follow.
      std::vector<uint8_t> host(4096, 0);
      for (unsigned c = 0; c < 16; ++c)
        for (unsigned r = 0; r < 16; ++r) {
          uint16_t v = bytes == 1 ? c * 16 + r : 1000 * c + r;
          std::memcpy(&host[(16 * c + r) * bytes], &v, bytes);
        }
      uint8_t *data = onDevice(device, host);
      KernelOptions options;
      options.wave64 = wave64;
      const unsigned lanes = wave64 ? 64 : 32, count = wave64 ? 4 : 8;
      const unsigned dwords = count * bytes / 4;
      // Lane l: the first eight rows of column l, or the last of l - 16.
      std::string body = "v_and_b32 v2, 15, v0\nv_lshrrev_b32 v3, 4, v0\n"
                         "v_and_b32 v3, 1, v3\n"
                         "v_lshlrev_b32 v2, " +
                         std::string(bytes == 1 ? "4" : "5") +
                         ", v2\nv_lshlrev_b32 v3, " + (bytes == 1 ? "3" : "4") +
                         ", v3\nv_add_nc_u32 v2, v2, v3\n";
      std::string to =
          dwords == 1 ? "v8" : "v[8:" + std::to_string(7 + dwords) + "]";
      body += "global_load_tr_b" + std::string(bytes == 1 ? "64 " : "128 ") +
              to +
              ", v2, s[4:5]\ns_wait_loadcnt 0x0\n"
              "v_mul_u32_u24 v4, " +
              std::to_string(4 * dwords) + ", v0\n";
      for (unsigned k = 0; k < dwords; ++k)
        body += "global_store_b32 v4, v" + std::to_string(8 + k) +
                ", s[4:5] offset:" + std::to_string(2048 + 4 * k) + "\n";
      ASSERT_EQ(runOnBuffer(device, "gfx1201", body, data, {0, 0, 0}, options),
                "");
      for (unsigned lane = 0; lane < lanes; ++lane)
        for (unsigned i = 0; i < count; ++i) {
          unsigned row = lane % 16;
          unsigned column = lane / 16 % 2 * 8 + lane / 32 * 4 + i;
          uint16_t got = 0;
          std::memcpy(&got, data + 2048 + (lane * count + i) * bytes, bytes);
          ASSERT_EQ(got, bytes == 1 ? column * 16 + row : 1000 * column + row)
              << wave64 << " lane " << lane << " element " << i;
        }
    }
}

/// gfx12: registers that M0 names, each at its own dword.
TEST(SimGlobalMore, Blocks) {
  SimDevice device;
  std::vector<u32> host(32 * 64, 0);
  for (u32 i = 0; i < 32 * 32; ++i)
    host[i] = i;
  u32 *data = onDevice(device, host);
  ASSERT_EQ(runOnBuffer(device, "gfx1201",
                        "v_lshlrev_b32 v2, 7, v0\nv_mov_b32 v3, s4\n"
                        "v_mov_b32 v4, s5\n"
                        "v_add_co_u32 v2, vcc_lo, v2, v3\n"
                        "v_add_co_ci_u32 v3, vcc_lo, 0, v4, vcc_lo\n"
                        "v_mov_b32 v41, -1\n"
                        "s_mov_b32 m0, 0x80000005\n"
                        "global_load_block v[40:71], v[2:3], off\n"
                        "s_wait_loadcnt 0x0\n"
                        "v_mov_b32 v43, v41\n"
                        "s_mov_b32 m0, 0x8000000d\n"
                        "v_add_co_u32 v2, vcc_lo, 0x1000, v2\n"
                        "v_add_co_ci_u32 v3, vcc_lo, 0, v3, vcc_lo\n"
                        "global_store_block v[2:3], v[40:71], off\n",
                        data, {0}),
            "");
  for (u32 lane = 0; lane < 32; ++lane)
    for (u32 k = 0; k < 32; ++k) {
      u32 got = data[1024 + 32 * lane + k];
      u32 want = k == 3                        ? 0xffffffff
                 : k == 0 || k == 2 || k == 31 ? 32 * lane + k
                                               : 0;
      ASSERT_EQ(got, want) << lane << " " << k;
    }
}

/// A load and a store by the number of the lane; LDS_DIRECT_LOAD.
TEST(SimGlobalMore, ByLane) {
  for (const char *chip : {"gfx1100", "gfx1201"}) {
    SimDevice device;
    std::vector<u32> host(128, 0);
    for (u32 i = 0; i < 64; ++i)
      host[i] = 3 * i;
    u32 *data = onDevice(device, host);
    KernelOptions options;
    options.ldsBytes = 64;
    bool gfx12 = std::string(chip) == "gfx1201";
    std::string wait = gfx12 ? "s_wait_dscnt 0x0\n" : "s_waitcnt lgkmcnt(0)\n";
    ASSERT_EQ(runOnBuffer(device, chip,
                          "global_load_addtid_b32 v3, s[4:5] offset:4\n" +
                              std::string(waitFor(chip)) +
                              "v_mov_b32 v4, 8\nv_mov_b32 v5, 0x1234f7\n"
                              "ds_store_b32 v4, v5\n" +
                              wait +
                              "s_mov_b32 m0, 0x40008\n" + // a signed byte at 8
                              (gfx12 ? "ds_direct_load v6 wait_va_vdst:0 "
                                       "wait_vm_vsrc:0\n"
                                     : "lds_direct_load v6 wait_vdst:0\n") +
                              "v_add_nc_u32 v3, v3, v6\n"
                              "global_store_addtid_b32 v3, s[4:5] offset:256\n",
                          data, {0, 0, 0}, options),
              "")
        << chip;
    for (u32 i = 0; i < 32; ++i)
      EXPECT_EQ(data[64 + i], 3 * (i + 1) - 9) << chip;
  }
}

/// From LDS to memory, and from scratch to LDS.
TEST(SimGlobalMore, LdsTransfers) {
  SimDevice device;
  u32 *data = onDevice(device, std::vector<u32>(128, 0));
  KernelOptions options;
  options.ldsBytes = 512;
  ASSERT_EQ(runOnBuffer(device, "gfx90a",
                        "v_mul_u32_u24 v2, 3, v0\nds_write_b32 v1, v2 "
                        "offset:16\ns_waitcnt lgkmcnt(0)\n"
                        "s_or_b32 s9, s9, 0x40000\n"
                        "s_mov_b32 m0, 0\n"
                        "s_mov_b32 s11, 0x800000\n" // by lane
                        "buffer_store_lds_dword s[8:11], 0 offset:16 lds\n"
                        "s_waitcnt vmcnt(0)\n",
                        data, {4096, 0, 0}, options),
            "");
  for (u32 i = 0; i < 64; ++i)
    EXPECT_EQ(data[4 + i], 3 * i);

  LaneTest test;
  test.chip = "gfx942";
  test.options.ldsBytes = 256;
  test.options.privateBytes = 16;
  auto out = test.run("v_mul_u32_u24 v2, 5, v0\n"
                      "scratch_store_dword off, v2, off offset:8\n"
                      "s_waitcnt vmcnt(0)\ns_mov_b32 m0, 0\n"
                      "v_mov_b32 v3, 8\n"
                      "scratch_load_lds_dword v3, off\n"
                      "s_waitcnt vmcnt(0)\n"
                      "v_lshlrev_b32 v4, 2, v0\nds_read_b32 v40, v4\n"
                      "s_waitcnt lgkmcnt(0)\n",
                      {});
  ASSERT_EQ(test.error, "");
  for (u32 i = 0; i < 64; ++i)
    EXPECT_EQ(out[0][i], 5 * i);
}

} // namespace
