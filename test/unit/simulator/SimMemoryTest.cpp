//===- SimMemoryTest.cpp - Memory instructions of the simulator -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimTestSupport.h"

#include <bit>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>

using namespace aircc::sim;
using namespace aircc::sim::test;

namespace {

using u32 = uint32_t;
using u64 = uint64_t;
using Rows = std::vector<std::vector<u32>>;

std::vector<u32> iota(u32 start = 0, u32 step = 1) {
  std::vector<u32> v(64);
  for (u32 i = 0; i < 64; ++i)
    v[i] = start + i * step;
  return v;
}

u32 hash(u32 v) { return (v + 1) * 2654435761u ^ v << 7; }
std::vector<u32> noise(u32 seed) {
  std::vector<u32> v(64);
  for (u32 i = 0; i < 64; ++i)
    v[i] = hash(seed * 1000 + i);
  return v;
}

Rows lds(const std::string &body, const Rows &inputs, unsigned count,
         const std::string &chip = "gfx942") {
  LaneTest test;
  test.chip = chip;
  test.count = count;
  test.options.ldsBytes = 4096;
  Rows out = test.run(body, inputs);
  EXPECT_EQ(test.error, "");
  return out;
}

TEST(SimLds, Widths) {
  // v10: byte address 16 * lane, v12..v15 data.
  Rows in = {iota(0, 16), iota(), noise(1), noise(2), noise(3), noise(4)};
  Rows out = lds("ds_write_b128 v10, v[12:15] offset:1024\n"
                 "ds_read_b32 v40, v10 offset:1028\n"
                 "ds_read_b64 v[42:43], v10 offset:1032\n"
                 "ds_read_b96 v[44:46], v10 offset:1024\n"
                 "ds_read_b128 v[48:51], v10 offset:1024\n"
                 "ds_read_u8 v52, v10 offset:1025\n"
                 "ds_read_i8 v53, v10 offset:1027\n"
                 "ds_read_u16 v54, v10 offset:1026\n"
                 "ds_read_i16 v55, v10 offset:1030\n"
                 "v_mov_b32 v56, -1\n"
                 "ds_read_u16_d16 v56, v10 offset:1024\n"
                 "v_mov_b32 v57, -1\n"
                 "ds_read_i8_d16_hi v57, v10 offset:1031\n",
                 in, 18);
  for (u32 i = 0; i < 64; ++i) {
    u32 a = in[2][i], b = in[3][i], c = in[4][i], d = in[5][i];
    EXPECT_EQ(out[0][i], b);
    EXPECT_EQ(out[2][i], c);
    EXPECT_EQ(out[3][i], d);
    EXPECT_EQ(out[4][i], a);
    EXPECT_EQ(out[6][i], c);
    EXPECT_EQ(out[8][i], a);
    EXPECT_EQ(out[11][i], d);
    EXPECT_EQ(out[12][i], a >> 8 & 0xff);
    EXPECT_EQ(out[13][i], u32(int32_t(int8_t(a >> 24))));
    EXPECT_EQ(out[14][i], a >> 16);
    EXPECT_EQ(out[15][i], u32(int32_t(int16_t(b >> 16))));
    EXPECT_EQ(out[16][i], 0xffff0000 | (a & 0xffff));
    EXPECT_EQ(out[17][i], u32(int8_t(b >> 24)) << 16 | 0xffff);
  }
}

TEST(SimLds, TwoPlacesAndSmallWrites) {
  Rows in = {iota(0, 8), noise(5), noise(6)};
  Rows out = lds("ds_write2_b32 v10, v11, v12 offset0:1 offset1:0\n"
                 "ds_read2_b32 v[40:41], v10 offset0:0 offset1:1\n"
                 "ds_write2st64_b32 v10, v12, v11 offset0:4 offset1:6\n"
                 "ds_read_b32 v42, v10 offset:1024\n"
                 "ds_read_b32 v43, v10 offset:1536\n"
                 "ds_read2st64_b32 v[44:45], v10 offset0:4 offset1:6\n"
                 "ds_write_b8 v10, v11 offset:3\n"
                 "ds_write_b16_d16_hi v10, v11\n"
                 "ds_read_b32 v46, v10\n"
                 "ds_read2_b64 v[48:51], v10 offset0:0 offset1:128\n",
                 in, 12);
  for (u32 i = 0; i < 64; ++i) {
    EXPECT_EQ(out[0][i], in[2][i]);
    EXPECT_EQ(out[1][i], in[1][i]);
    EXPECT_EQ(out[2][i], in[2][i]);
    EXPECT_EQ(out[3][i], in[1][i]);
    EXPECT_EQ(out[4][i], in[2][i]);
    EXPECT_EQ(out[5][i], in[1][i]);
    u32 mixed = (in[1][i] >> 16) | (in[2][i] & 0x00ff0000) | in[1][i] << 24;
    EXPECT_EQ(out[6][i], mixed);
    EXPECT_EQ(out[8][i], mixed);
    EXPECT_EQ(out[9][i], in[1][i]);
    EXPECT_EQ(out[10][i], in[2][i]);
  }
}

/// All lanes active, with addresses in several relations to each other.
TEST(SimLds, RowsOfLanes) {
  const std::function<u32(u32)> patterns[] = {
      [](u32) { return 48; },
      [](u32 i) { return 4 * i; },
      [](u32 i) { return 16 * i; },
      [](u32 i) { return i % 16 * 4 + i / 16 * 192; },
      [](u32 i) { return (63 - i) * 16; },
      [](u32 i) { return i * 37 % 60 * 16; },
  };
  for (const auto &pattern : patterns) {
    Rows in = {iota(0, 16), iota(), noise(5), noise(6), noise(7), noise(8)};
    for (u32 i = 0; i < 64; ++i)
      in[1][i] = pattern(i);
    Rows out = lds("ds_write_b128 v10, v[12:15]\n"
                   "ds_read_b32 v40, v11\n"
                   "ds_read_b64 v[42:43], v11\n"
                   "ds_read_b128 v[44:47], v11\n"
                   "v_mov_b32 v48, v11\n"
                   "ds_read2_b32 v[48:49], v48 offset0:1 offset1:0\n"
                   "v_mov_b32 v51, v11\n"
                   "ds_read2_b32 v[50:51], v51 offset0:1 offset1:0\n"
                   "ds_write_b64 v11, v[42:43] offset:2048\n"
                   "ds_read_b64 v[52:53], v11 offset:2048\n",
                   in, 14);
    auto word = [&](u32 address) {
      return in[2 + address / 4 % 4][address / 16];
    };
    for (u32 i = 0; i < 64; ++i) {
      const u32 at = in[1][i];
      EXPECT_EQ(out[0][i], word(at));
      for (u32 k = 0; k < 2; ++k)
        EXPECT_EQ(out[2 + k][i], word(at + 4 * k));
      // There are no expected values beyond the last quadword.
      for (u32 k = 0; k < 4 && at + 4 * k < 1024; ++k)
        EXPECT_EQ(out[4 + k][i], word(at + 4 * k));
      for (u32 first : {8, 10}) {
        EXPECT_EQ(out[first][i], word(at + 4));
        EXPECT_EQ(out[first + 1][i], word(at));
      }
      if (at % 8 == 0 && pattern(1) - pattern(0) != 4)
        for (u32 k = 0; k < 2; ++k)
          EXPECT_EQ(out[12 + k][i], word(at + 4 * k));
    }
  }
}

TEST(SimLds, Atomics) {
  // All lanes on four words.
  Rows in = {iota(), noise(7)};
  Rows out = lds("v_and_b32 v20, 3, v10\n"
                 "v_lshlrev_b32 v20, 3, v20\n"
                 "v_mov_b32 v22, 0\n"
                 "v_mov_b32 v23, 0\n"
                 "ds_write_b64 v20, v[22:23]\n"
                 "ds_write_b64 v20, v[22:23] offset:512\n"
                 "ds_add_rtn_u32 v40, v20, v10\n"
                 "ds_max_u32 v20, v11 offset:4\n"
                 "ds_read_b64 v[42:43], v20\n"
                 "v_mov_b32 v23, 5\n"
                 "v_mov_b32 v24, 9\n"
                 "v_cvt_f32_u32 v25, v10\n"
                 "ds_add_f32 v20, v25 offset:512\n"
                 "ds_read_b32 v44, v20 offset:512\n"
                 "ds_inc_rtn_u32 v45, v20, v24 offset:516\n"
                 "ds_cmpst_rtn_b32 v46, v20, v23, v11 offset:516\n"
                 "ds_read_b32 v47, v20 offset:516\n",
                 in, 8);
  for (u32 w = 0; w < 4; ++w) {
    u32 sum = 0, most = 0;
    for (u32 i = w; i < 64; i += 4) {
      EXPECT_EQ(out[0][i], sum);
      sum += i;
      most = std::max(most, in[1][i]);
    }
    // 16 increments that wrap at 9: 0..9, 0..5, leaves 6; none is 5 … then.
    for (u32 i = w, k = 0; i < 64; i += 4, ++k) {
      EXPECT_EQ(out[2][i], sum);
      EXPECT_EQ(out[3][i], most);
      EXPECT_EQ(out[4][i], std::bit_cast<u32>(float(sum)));
      EXPECT_EQ(out[5][i], k % 10);
      EXPECT_EQ(out[6][i], 6u);
      EXPECT_EQ(out[7][i], 6u);
    }
  }
}

TEST(SimCrossLane, PermuteAndSwizzle) {
  Rows in = {iota(), noise(8)};
  Rows out = lds("v_mul_u32_u24 v20, 5, v10\n"
                 "v_and_b32 v20, 63, v20\n"
                 "v_lshlrev_b32 v20, 2, v20\n"
                 "ds_bpermute_b32 v40, v20, v11\n"
                 "ds_permute_b32 v41, v20, v11\n"
                 "ds_swizzle_b32 v42, v11 offset:swizzle(QUAD_PERM,3,1,0,2)\n"
                 "ds_swizzle_b32 v43, v11 offset:swizzle(BITMASK_PERM,"
                 "\"p0i11\")\n"
                 "ds_swizzle_b32 v44, v11 offset:swizzle(SWAP,16)\n"
                 "ds_swizzle_b32 v45, v11 offset:swizzle(REVERSE,8)\n"
                 "v_readlane_b32 s20, v11, 37\n"
                 "v_mov_b32 v46, s20\n"
                 "v_mov_b32 v47, v11\n"
                 "v_writelane_b32 v47, s20, 3\n"
                 "s_mov_b64 exec, 0xf0\n"
                 "v_readfirstlane_b32 s21, v11\n"
                 "s_mov_b64 exec, -1\n"
                 "v_mov_b32 v48, s21\n",
                 in, 9);
  const u32 quad[4] = {3, 1, 0, 2};
  for (u32 i = 0; i < 64; ++i) {
    EXPECT_EQ(out[0][i], in[1][i * 5 & 63]);
    EXPECT_EQ(out[1][i * 5 & 63], in[1][i]);
    EXPECT_EQ(out[2][i], in[1][(i & ~3u) | quad[i & 3]]);
    // preserve, 0, invert, 1, 1.
    EXPECT_EQ(out[3][i], in[1][(i & 32) | (i & 16) | (~i & 4) | 3]);
    EXPECT_EQ(out[4][i], in[1][i ^ 16]);
    EXPECT_EQ(out[5][i], in[1][i ^ 7]);
    EXPECT_EQ(out[6][i], in[1][37]);
    EXPECT_EQ(out[7][i], in[1][i == 3 ? 37 : i]);
    EXPECT_EQ(out[8][i], in[1][4]);
  }
}

TEST(SimCrossLane, Dpp) {
  Rows in = {iota(), noise(9)};
  struct {
    const char *control;
    int (*from)(int lane); ///< -1: no lane, the old value stays.
  } cases[] = {
      {"quad_perm:[1,0,3,2]", [](int i) { return i ^ 1; }},
      {"row_shl:3", [](int i) { return (i & 15) + 3 < 16 ? i + 3 : -1; }},
      {"row_shr:1", [](int i) { return (i & 15) >= 1 ? i - 1 : -1; }},
      {"row_ror:5", [](int i) { return (i & ~15) | ((i - 5) & 15); }},
      {"row_mirror", [](int i) { return i ^ 15; }},
      {"row_half_mirror", [](int i) { return i ^ 7; }},
      {"wave_shl:1", [](int i) { return i < 63 ? i + 1 : -1; }},
      {"wave_shr:1", [](int i) { return i - 1; }},
      {"wave_rol:1", [](int i) { return (i + 1) & 63; }},
      {"wave_ror:1", [](int i) { return (i - 1) & 63; }},
      {"row_bcast:15", [](int i) { return i < 16 ? -1 : (i & ~15) - 1; }},
      {"row_bcast:31", [](int i) { return i < 32 ? -1 : 31; }},
      {"row_newbcast:6", [](int i) { return (i & ~15) | 6; }},
  };
  std::string body;
  unsigned reg = 40;
  for (auto &c : cases) {
    body += "v_mov_b32 v" + std::to_string(reg) + ", v10\n";
    body += "v_mov_b32_dpp v" + std::to_string(reg++) + ", v11 " + c.control +
            " row_mask:0xf bank_mask:0xf\n";
  }
  // The destination is the source: all lanes read the old values.
  body += "v_mov_b32 v" + std::to_string(reg) + ", v11\nv_add_u32_dpp v" +
          std::to_string(reg) + ", v" + std::to_string(reg) +
          ", v10 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0\n";
  ++reg;
  // Masks, and a disabled source lane.
  body += "v_mov_b32 v" + std::to_string(reg) + ", 7\nv_mov_b32_dpp v" +
          std::to_string(reg) +
          ", v11 quad_perm:[0,1,2,3] row_mask:0xa bank_mask:0x6\n";
  ++reg;
  body += "v_mov_b32 v" + std::to_string(reg) +
          ", 7\ns_mov_b64 exec, 0xfffffffffffffffd\nv_mov_b32_dpp v" +
          std::to_string(reg) +
          ", v11 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf\n"
          "s_mov_b64 exec, -1\n";
  ++reg;
  Rows out = lds(body, in, reg - 40);
  unsigned k = 0;
  for (auto &c : cases) {
    for (int i = 0; i < 64; ++i)
      EXPECT_EQ(out[k][i], c.from(i) < 0 ? u32(i) : in[1][c.from(i)])
          << c.control << " lane " << i;
    ++k;
  }
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(out[k][i], i + ((i & 15) ? in[1][i - 1] : 0));
    bool written = (i / 16 & 1) && (i / 4 % 4 == 1 || i / 4 % 4 == 2);
    EXPECT_EQ(out[k + 1][i], written ? in[1][i] : 7u);
    EXPECT_EQ(out[k + 2][i], i < 4 ? 7u : in[1][(i & ~3) | 1]) << i;
  }
}

TEST(SimCrossLane, Gfx950Swaps) {
  Rows in = {iota(), noise(10)};
  Rows out = lds("v_mov_b32 v40, v10\nv_mov_b32 v41, v11\n"
                 "v_mov_b32 v42, v10\nv_mov_b32 v43, v11\n"
                 "s_nop 1\n"
                 "v_permlane32_swap_b32 v40, v41\n"
                 "v_permlane16_swap_b32 v42, v43\n",
                 in, 4, "gfx950");
  for (u32 i = 0; i < 64; ++i) {
    EXPECT_EQ(out[0][i], i < 32 ? i : in[1][i - 32]);
    EXPECT_EQ(out[1][i], i < 32 ? i + 32 : in[1][i]);
    EXPECT_EQ(out[2][i], i & 16 ? in[1][i - 16] : i);
    EXPECT_EQ(out[3][i], i & 16 ? in[1][i] : i + 16);
  }
}

/// Permlanes of gfx11 in wave32.
TEST(SimCrossLane, Permlane16) {
  LaneTest test;
  test.chip = "gfx1100";
  test.lanes = 32;
  test.count = 2;
  std::vector<u32> in(32);
  for (u32 i = 0; i < 32; ++i)
    in[i] = hash(i);
  Rows out = test.run("s_mov_b32 s10, 0x76543210\ns_mov_b32 s11, 0xfedcba98\n"
                      "v_permlanex16_b32 v40, v10, s10, s11\n"
                      "s_mov_b32 s10, 0x01234567\ns_mov_b32 s11, 0x89abcdef\n"
                      "v_permlane16_b32 v41, v10, s10, s11\n",
                      {in});
  ASSERT_EQ(test.error, "");
  for (u32 i = 0; i < 32; ++i) {
    EXPECT_EQ(out[0][i], in[i ^ 16]);
    EXPECT_EQ(out[1][i], in[(i & 16) | (i & 8) | (7 - (i & 7))]);
  }
}

/// A kernel body over one buffer of device memory of 64 lanes * 64 bytes;
/// s[4:5] its address, v2 = 64 * lane.
std::string memory(SimDevice &device, const std::string &body, u32 *data,
                   const std::string &chip = "gfx942") {
  KernelOptions options;
  options.ldsBytes = 4096;
  return run(device,
             assemble(chip, kernelText(chip,
                                       "s_load_dwordx2 s[4:5], s[0:1], 0x0\n"
                                       "s_waitcnt lgkmcnt(0)\n"
                                       "v_and_b32 v0, 0x3ff, v0\n"
                                       "v_lshlrev_b32 v2, 6, v0\n" +
                                           body,
                                       1, options)),
             {data}, {1, 1, 1}, {64, 1, 1});
}

std::vector<u32> pattern() {
  std::vector<u32> v(64 * 16);
  for (u32 i = 0; i < v.size(); ++i)
    v[i] = hash(i);
  return v;
}

TEST(SimGlobal, WidthsAndAlignment) {
  SimDevice device;
  std::vector<u32> host = pattern();
  u32 *data = onDevice(device, host);
  std::string body = "global_load_dwordx3 v[10:12], v2, s[4:5] offset:3\n"
                     "global_load_ushort v13, v2, s[4:5] offset:1\n"
                     "global_load_sbyte v14, v2, s[4:5] offset:7\n"
                     "v_mov_b32 v15, -1\n"
                     "global_load_short_d16_hi v15, v2, s[4:5] offset:5\n"
                     "s_waitcnt vmcnt(0)\n"
                     "global_store_dwordx3 v2, v[10:12], s[4:5] offset:16\n"
                     "global_store_short v2, v13, s[4:5] offset:29\n"
                     "global_store_byte v2, v14, s[4:5] offset:33\n"
                     "global_store_short_d16_hi v2, v15, s[4:5] offset:35\n"
                     "global_store_byte_d16_hi v2, v15, s[4:5] offset:40\n";
  ASSERT_EQ(memory(device, body, data), "");
  for (u32 i = 0; i < 64; ++i) {
    uint8_t want[64];
    std::memcpy(want, &host[16 * i], 64);
    uint8_t before[64];
    std::memcpy(before, want, 64);
    std::memcpy(want + 16, before + 3, 12);
    std::memcpy(want + 29, before + 1, 2);
    want[33] = before[7];
    std::memcpy(want + 35, before + 5, 2);
    want[40] = before[5];
    EXPECT_EQ(std::memcmp(want, data + 16 * i, 64), 0) << i;
  }
}

TEST(SimGlobal, Atomics) {
  SimDevice device;
  std::vector<u32> host(64 * 16, 0);
  host[4] = 0x3f800000;
  host[8] = 100;
  u32 *data = onDevice(device, host);
  std::string body =
      "v_mov_b32 v3, 0\n"
      "v_add_u32 v4, 1, v0\n"
      "global_atomic_add v10, v3, v4, s[4:5] sc0\n"
      "v_mov_b32 v5, 0\n"
      "global_atomic_add_x2 v3, v[4:5], s[4:5] offset:8\n"
      "v_cvt_f32_u32 v6, v4\n"
      "global_atomic_add_f32 v3, v6, s[4:5] offset:16\n"
      "global_atomic_umax v3, v4, s[4:5] offset:20\n"
      "v_mov_b32 v7, 0x3c003c00\n" // two f16 ones
      "global_atomic_pk_add_f16 v3, v7, s[4:5] offset:24\n"
      "v_mov_b32 v8, 77\nv_mov_b32 v9, 100\n"
      "global_atomic_cmpswap v11, v3, v[8:9], s[4:5] offset:32 sc0\n"
      "v_cvt_f64_u32 v[20:21], v4\n"
      "global_atomic_add_f64 v3, v[20:21], s[4:5] offset:40\n"
      "s_waitcnt vmcnt(0)\n"
      "v_lshlrev_b32 v12, 2, v0\n"
      "global_store_dword v12, v10, s[4:5] offset:1024\n"
      "global_store_dword v12, v11, s[4:5] offset:2048\n";
  ASSERT_EQ(memory(device, body, data), "");
  EXPECT_EQ(data[0], 2080u);
  EXPECT_EQ(data[2], 2080u);
  EXPECT_EQ(std::bit_cast<float>(data[4]), 2081.0f);
  EXPECT_EQ(data[5], 64u);
  EXPECT_EQ(data[6], 0x54005400u); // 64.0
  EXPECT_EQ(data[8], 77u);
  double sum;
  std::memcpy(&sum, data + 10, 8);
  // The buffer began with zero bits.
  EXPECT_EQ(sum, 2080.0);
  for (u32 i = 0; i < 64; ++i) {
    EXPECT_EQ(data[256 + i], i * (i + 1) / 2);
    EXPECT_EQ(data[512 + i], i == 0 ? 100u : 77u);
  }
}

/// The data of an LDS DMA is written to LDS by the wait for it, not earlier.
TEST(SimGlobal, LdsDma) {
  SimDevice device;
  std::vector<u32> host = pattern();
  u32 *data = onDevice(device, host);
  std::string body = "v_lshlrev_b32 v3, 2, v0\n"
                     "v_mov_b32 v4, 5\n"
                     "ds_write_b32 v3, v4 offset:256\n"
                     "s_mov_b32 m0, 256\n"
                     "global_load_lds_dword v2, s[4:5]\n"
                     "global_load_dword v5, v2, s[4:5] offset:4\n"
                     "ds_read_b32 v6, v3 offset:256\n"
                     "s_waitcnt vmcnt(1) lgkmcnt(0)\n" // covers the DMA only
                     "ds_read_b32 v7, v3 offset:256\n"
                     "s_waitcnt vmcnt(0) lgkmcnt(0)\n"
                     "global_store_dword v2, v6, s[4:5] offset:32\n"
                     "global_store_dword v2, v7, s[4:5] offset:36\n"
                     "global_store_dword v2, v5, s[4:5] offset:40\n";
  ASSERT_EQ(memory(device, body, data), "");
  for (u32 i = 0; i < 64; ++i) {
    EXPECT_EQ(data[16 * i + 8], 5u);
    EXPECT_EQ(data[16 * i + 9], host[16 * i]);
    EXPECT_EQ(data[16 * i + 10], host[16 * i + 1]);
  }
}

TEST(SimBuffer, RawAndStructured) {
  SimDevice device;
  std::vector<u32> host = pattern();
  u32 *data = onDevice(device, host);
  // s[8:11]: raw, 2048 bytes; s[12:15]: stride 64, 40 records.
  std::string body = "s_mov_b32 s8, s4\n"
                     "s_and_b32 s9, s5, 0xffff\n"
                     "s_movk_i32 s10, 2048\n"
                     "s_mov_b32 s11, 0x00020000\n"
                     "s_mov_b32 s12, s4\n"
                     "s_or_b32 s13, s9, 0x00400000\n"
                     "s_mov_b32 s14, 40\n"
                     "s_mov_b32 s15, 0x00020000\n"
                     "s_movk_i32 s16, 16\n"
                     "buffer_load_dwordx2 v[10:11], v2, s[8:11], 0 offen "
                     "offset:4\n"
                     "buffer_load_dword v12, v0, s[12:15], s16 idxen offset:4\n"
                     "buffer_load_ubyte v13, v2, s[8:11], s16 offen offset:1\n"
                     "s_waitcnt vmcnt(0)\n"
                     "buffer_store_dword v10, v0, s[12:15], 0 idxen offset:32\n"
                     "buffer_store_dwordx4 v[10:13], v2, s[8:11], 0 offen "
                     "offset:48\n";
  ASSERT_EQ(memory(device, body, data), "");
  for (u32 i = 0; i < 64; ++i) {
    bool raw = i < 32, record = i < 40;
    u32 v10 = raw ? host[16 * i + 1] : 0, v11 = raw ? host[16 * i + 2] : 0;
    u32 v12 = record ? host[16 * i + 5] : 0;
    u32 v13 = raw ? host[16 * i + 4] >> 8 & 0xff : 0;
    EXPECT_EQ(data[16 * i + 8], record ? v10 : host[16 * i + 8]) << i;
    EXPECT_EQ(data[16 * i + 12], raw ? v10 : host[16 * i + 12]) << i;
    EXPECT_EQ(data[16 * i + 13], raw ? v11 : host[16 * i + 13]) << i;
    EXPECT_EQ(data[16 * i + 14], raw ? v12 : host[16 * i + 14]) << i;
    EXPECT_EQ(data[16 * i + 15], raw ? v13 : host[16 * i + 15]) << i;
  }
}

/// OOB_SELECT of gfx11 and gfx12: RDNA4 ISA guide, table 56.
TEST(SimBuffer, OutOfBoundsSelect) {
  constexpr u32 kSoffset = 8, kStride = 16;
  for (const char *chip : {"gfx1100", "gfx1201"})
    for (u32 select = 0; select < 4; ++select)
      for (u32 records : {0u, 7u, 60u}) {
        const bool isGfx12 = std::string(chip) == "gfx1201";
        const std::string load = "buffer_load_b32";
        const std::string wait =
            isGfx12 ? "s_wait_loadcnt 0x0\n" : "s_waitcnt vmcnt(0)\n";
        const std::string body =
            "s_load_b64 s[4:5], s[0:1], 0x0\n" +
            std::string(isGfx12 ? "s_wait_kmcnt 0x0\n"
                                : "s_waitcnt lgkmcnt(0)\n") +
            "v_and_b32 v0, 31, v0\n"
            "s_mov_b32 s8, s4\n"
            "s_or_b32 s9, s5, " +
            std::to_string(kStride << 16) + "\ns_mov_b32 s10, " +
            std::to_string(records) + "\ns_mov_b32 s11, " +
            std::to_string(select << 28 | 22u << 12) + "\ns_mov_b32 s12, " +
            std::to_string(kSoffset) +
            "\nv_mov_b32 v2, v0\n"
            "v_lshlrev_b32 v3, 2, v0\n" +
            load + " v4, v3, s[8:11], s12 offen\n" + load +
            " v5, v[2:3], s[8:11], " + (isGfx12 ? "null" : "0") +
            " idxen offen\n" + wait +
            "v_lshlrev_b32 v6, 3, v0\n"
            "global_store_b64 v6, v[4:5], s[4:5] offset:2048\ns_endpgm\n";
        SimDevice device;
        std::vector<u32> host(1024);
        for (u32 i = 0; i < host.size(); ++i)
          host[i] = 1000 + i;
        u32 *data = onDevice(device, host);
        ASSERT_EQ(run(device, assemble(chip, kernelText(chip, body)), {data},
                      {1, 1, 1}, {32, 1, 1}),
                  "");
        auto inRange = [&](u32 index, u32 offset, u32 soffset) {
          switch (select) {
          case 0:
            return index < records && offset + 4 <= kStride;
          case 1:
            return index < records;
          case 2:
            return records != 0;
          default:
            return offset + soffset + 4 <= records;
          }
        };
        for (u32 i = 0; i < 32; ++i) {
          const u32 raw = inRange(0, 4 * i, kSoffset) ? host[i + 2] : 0;
          const u32 record =
              inRange(i, 4 * i, 0) ? host[i * kStride / 4 + i] : 0;
          EXPECT_EQ(data[512 + 2 * i], raw)
              << chip << " " << select << " " << records << " " << i;
          EXPECT_EQ(data[513 + 2 * i], record)
              << chip << " " << select << " " << records << " " << i;
        }
      }
}

/// Atomics on bytes and shorts are loops over their dword, which may end after
/// the memory.
TEST(SimGlobal, AtomicsOnTheLastBytes) {
  const std::string ir = R"(
@short = internal addrspace(3) global half poison
define amdgpu_kernel void @test(ptr addrspace(1) %p) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %init, label %join
init:
  store half 1.0, ptr addrspace(3) @short
  br label %join
join:
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %a = atomicrmw fadd ptr addrspace(3) @short, half 1.0 syncscope("workgroup") monotonic
  %b = atomicrmw fadd ptr addrspace(1) %p, half 2.0 syncscope("agent") monotonic
  %q = getelementptr i8, ptr addrspace(1) %p, i32 2
  %c = atomicrmw or ptr addrspace(1) %q, i8 9 syncscope("agent") monotonic
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %v = load half, ptr addrspace(3) @short
  %r = getelementptr half, ptr addrspace(1) %p, i32 2
  br i1 %first, label %last, label %done
last:
  store half %v, ptr addrspace(1) %r
  br label %done
done:
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
attributes #0 = { "amdgpu-flat-work-group-size"="1,64" "uniform-work-group-size"="true" }
)";
  for (const char *chip :
       {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    SimDevice device;
    // f16, two bytes, f16.
    std::vector<uint16_t> host = {0x3c00, 0x4002, 0};
    uint16_t *data = onDevice(device, host);
    ASSERT_EQ(run(device, compile(chip, ir), {data}, {1, 1, 1}, {64, 1, 1}), "")
        << chip;
    EXPECT_EQ(data[0], 0x5808) << chip; // 129
    EXPECT_EQ(data[1], 0x400b) << chip;
    EXPECT_EQ(data[2], 0x5410) << chip; // 65
  }
}

/// The bytes after an allocation in its last dword may be read, not changed.
TEST(SimGlobal, LastDword) {
  SimDevice device;
  std::vector<uint16_t> host = {1, 2, 3};
  auto *data = reinterpret_cast<u32 *>(onDevice(device, host));
  auto go = [&](const std::string &body) {
    return memory(device,
                  "s_mov_b64 exec, 1\nv_mov_b32 v3, 4\n"
                  "v_mov_b32 v6, 0x10007\n" +
                      body + "\ns_waitcnt vmcnt(0)\n",
                  data);
  };
  const std::string load = "global_load_dword v5, v3, s[4:5]\n"
                           "s_waitcnt vmcnt(0)\n";
  EXPECT_EQ(go(load + "v_and_b32 v4, 0xffff0000, v5\nv_or_b32 v4, 8, v4\n"
                      "global_atomic_cmpswap v3, v[4:5], s[4:5]"),
            "");
  uint16_t now[3];
  std::memcpy(now, data, 6);
  EXPECT_EQ(now[2], 8);
  EXPECT_EQ(go("s_load_dword s6, s[4:5], 0x4\ns_waitcnt lgkmcnt(0)"), "");
  for (const char *bad :
       {"global_store_dword v3, v6, s[4:5]", "global_atomic_add v3, v6, s[4:5]",
        "global_atomic_or v3, v6, s[4:5]", "global_atomic_swap v3, v6, s[4:5]"})
    EXPECT_NE(go(bad).find("write of 4 bytes"), std::string::npos) << bad;
  EXPECT_NE(go(load + "v_xor_b32 v4, v6, v5\n"
                      "global_atomic_cmpswap v3, v[4:5], s[4:5]")
                .find("write of 4 bytes"),
            std::string::npos);
  for (const char *bad : {"global_load_dwordx2 v[4:5], v3, s[4:5]",
                          "global_load_dword v5, v3, s[4:5] offset:1",
                          "global_load_dword v5, v3, s[4:5] offset:4",
                          "global_load_ushort v5, v3, s[4:5] offset:2"})
    EXPECT_NE(go(bad).find("read of "), std::string::npos) << bad;
  std::memcpy(now, data, 6);
  EXPECT_EQ(now[2], 8);
}

TEST(SimFault, Messages) {
  SimDevice device;
  std::vector<u32> host = pattern();
  u32 *data = onDevice(device, host);
  std::string error =
      memory(device, "global_load_dword v3, v2, s[4:5] offset:-4", data);
  EXPECT_NE(error.find("lane 0: read of 4 bytes at 0x"), std::string::npos)
      << error;
  EXPECT_NE(error.find("4 bytes before the start of a buffer"),
            std::string::npos)
      << error;
  error = memory(device,
                 "v_add_u32 v2, 2, v2\n"
                 "global_atomic_add v2, v0, s[4:5]",
                 data);
  EXPECT_NE(error.find("atomic on the misaligned address"), std::string::npos)
      << error;
  error = memory(device, "s_trap 2", data);
  EXPECT_NE(error.find("the kernel trapped"), std::string::npos) << error;
  error = memory(device, "s_load_dword s6, s[4:5], 0x1000", data);
  EXPECT_NE(error.find("read of 4 bytes"), std::string::npos) << error;
}

} // namespace
