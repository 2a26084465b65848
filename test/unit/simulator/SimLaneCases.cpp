//===- SimLaneCases.cpp - Tables of vector instructions -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimLaneCases.h"

#include <cctype>
#include <gtest/gtest.h>

using namespace aircc::sim::test;

const std::vector<u32> aircc::sim::test::kEdges = {
    0x00000000, 0x80000000, 0x00000001, 0xffffffff, 0x7fffffff, 0x3f800000,
    0xbf800000, 0x3f7fffff, 0x40490fdb, 0xc0490fdb, 0x7f800000, 0xff800000,
    0x7fc00000, 0x00800000, 0x007fffff, 0x80000001, 0x7f7fffff, 0x4b000000,
    0x4effffff, 0x4f000000, 0x4f800000, 0xcf000001, 0x00ff00ff, 0x12345678,
    0x0000ffff, 0xffff0000, 0x00007fff, 0x00008000, 0x3c003c00, 0x7bff0400,
    0x00010002, 0xfc007c00, 0x3f000000, 0x477fe000, 0x477ff000, 0x33000000,
    0x33000001, 0x387fc000, 0x0000001f, 0x00000020, 0x00ffffff, 0x01000000,
    0x800000ff, 0x42280000, 0xc2280001, 0x40200000, 0x40600000, 0xc0200000,
};

namespace {

/// A NaN is a NaN: payloads are not compared.
bool same(const Case &c, u64 got, u64 want) {
  switch (c.compare) {
  case Case::Float:
    return got == want || (isNan32(got) && isNan32(want));
  case Case::Half:
    return got == want || (isNan16(got) && isNan16(want));
  case Case::TwoFloats:
    for (int k = 0; k < 64; k += 32)
      if (u32(got >> k) != u32(want >> k) &&
          !(isNan32(got >> k) && isNan32(want >> k)))
        return false;
    return true;
  case Case::TwoHalves:
    for (int k = 0; k < 32; k += 16)
      if (u16(got >> k) != u16(want >> k) &&
          !(isNan16(got >> k) && isNan16(want >> k)))
        return false;
    return true;
  case Case::Double:
    return got == want || (isNan64(got) && isNan64(want));
  default:
    return got == want;
  }
}

/// Replaces the words D, A, B, C, DD, AA, BB, CC in `text` by registers.
std::string instantiate(const std::string &text, unsigned dst, bool halves) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) ||
            text[end] == '_'))
      ++end;
    if (end == i) {
      out += text[i++];
      continue;
    }
    std::string word = text.substr(i, end - i);
    i = end;
    const std::string letters = "DABC";
    size_t which = letters.find(word[0]);
    bool pair = word.size() == 2 && word[0] == word[1];
    bool half = word.size() == 2 && word[1] == 'h';
    if (which == std::string::npos || (word.size() != 1 && !pair && !half)) {
      out += word;
      continue;
    }
    unsigned reg = which == 0 ? dst : 8 + 2 * which;
    out +=
        pair ? "v[" + std::to_string(reg) + ":" + std::to_string(reg + 1) + "]"
             : "v" + std::to_string(reg) + (half && halves ? ".l" : "");
  }
  return out;
}

} // namespace

void aircc::sim::test::checkCases(const std::string &chip,
                                  const std::vector<Case> &cases,
                                  const std::string &prologue) {
  const size_t n = kEdges.size();
  const bool gfx9 = chip.substr(0, 4) == "gfx9";
  const size_t lanes = gfx9 ? 64 : 32;
  for (size_t batch = 0; batch < cases.size(); batch += 24) {
    size_t count = std::min<size_t>(24, cases.size() - batch);
    std::string body = prologue;
    for (size_t k = 0; k < count; ++k)
      body += instantiate(cases[batch + k].text, 40 + 2 * k,
                          chip.substr(0, 5) == "gfx11") +
              "\n";
    for (unsigned round = 0; round < (gfx9 ? 6u : 10u); ++round) {
      // a0 a1 b0 b1 c0 c1.
      std::vector<std::vector<u32>> inputs(6, std::vector<u32>(lanes));
      for (size_t lane = 0; lane < lanes; ++lane) {
        size_t i = (lane + (gfx9 ? 0 : lanes * round)) % n;
        inputs[0][lane] = kEdges[i];
        inputs[1][lane] = kEdges[(i * 5 + round) % n];
        inputs[2][lane] = kEdges[(i * 7 + round * 11 + lane / n * 3) % n];
        inputs[3][lane] = kEdges[(i * 3 + round * 7 + 1) % n];
        inputs[4][lane] = kEdges[(i * 13 + round * 5 + 2) % n];
        inputs[5][lane] = kEdges[(i * 17 + round + 3) % n];
      }
      LaneTest test;
      test.chip = chip;
      test.lanes = lanes;
      test.count = 2 * count;
      // The old values of destinations are zero.
      std::string zero;
      for (size_t k = 0; k < 2 * count; ++k)
        zero += "v_mov_b32 v" + std::to_string(40 + k) + ", 0\n";
      auto out = test.run(zero + body, inputs);
      ASSERT_EQ(test.error, "");
      for (size_t k = 0; k < count; ++k)
        for (size_t lane = 0; lane < lanes; ++lane) {
          auto value = [&](unsigned i) {
            return inputs[2 * i][lane] | u64(inputs[2 * i + 1][lane]) << 32;
          };
          const Case &c = cases[batch + k];
          u64 got = out[2 * k][lane];
          if (c.wide)
            got |= u64(out[2 * k + 1][lane]) << 32;
          u64 want = c.expect(value(0), value(1), value(2));
          if (!c.wide)
            want &= 0xffffffff;
          ASSERT_TRUE(same(c, got, want))
              << chip << ": " << c.text << std::hex << " a=" << value(0)
              << " b=" << value(1) << " c=" << value(2) << " got " << got
              << " want " << want << " (lane " << std::dec << lane << ")";
        }
    }
  }
}
