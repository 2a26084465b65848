//===- LayoutAlgebraBanksTest.cpp - Tests of conflicts in LDS banks -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/algebra/LdsBanks.h"

#include <gtest/gtest.h>

using namespace aircc::layout;

namespace {

/// The addresses of 64 lanes at a fixed distance.
std::vector<int64_t> getAddresses(int64_t distance) {
  std::vector<int64_t> addresses;
  for (int64_t lane = 0; lane < 64; ++lane)
    addresses.push_back(lane * distance);
  return addresses;
}

TEST(LdsBanks, AdjacentLanesHaveNoConflicts) {
  // 64 lanes read 256, 512 and 1,024 bytes, at most 128 in a cycle.
  EXPECT_EQ(countBankCycles(getAddresses(4), 4, 32), 2);
  EXPECT_EQ(countBankCycles(getAddresses(8), 8, 32), 4);
  EXPECT_EQ(countBankCycles(getAddresses(16), 16, 32), 8);
}

TEST(LdsBanks, MoreBanksServeMoreLanesOfWideAccesses) {
  EXPECT_EQ(countBankCycles(getAddresses(8), 8, 64), 2);
  EXPECT_EQ(countBankCycles(getAddresses(16), 16, 64), 4);
  // A phase has 32 lanes at most.
  EXPECT_EQ(countBankCycles(getAddresses(4), 4, 64), 2);
}

TEST(LdsBanks, LanesInOneBankWaitForEachOther) {
  EXPECT_EQ(countBankCycles(getAddresses(8), 4, 32), 2 * 2);
  EXPECT_EQ(countBankCycles(getAddresses(128), 4, 32), 2 * 32);
  // A row of 132 bytes puts rows into different banks.
  EXPECT_EQ(countBankCycles(getAddresses(132), 4, 32), 2);
}

TEST(LdsBanks, LanesShareAWord) {
  EXPECT_EQ(countBankCycles(getAddresses(0), 4, 32), 2);
  EXPECT_EQ(countBankCycles(getAddresses(1), 1, 32), 2);
  EXPECT_EQ(countBankCycles(getAddresses(2), 2, 32), 2);
}

TEST(LdsBanks, AccessesThatAreNotAlignedTakeTwoWords) {
  // Bytes 2 to 5 of rows of 64 bytes: two rows per line, in banks 0 and 1, and
  // 16 and 17.
  std::vector<int64_t> addresses = getAddresses(64);
  for (int64_t &address : addresses)
    address += 2;
  EXPECT_EQ(countBankCycles(addresses, 4, 32), 2 * 16);
}

TEST(LdsBanks, PairedQuads) {
  // Lanes 0 to 3 and 20 to 23 read one bank line; served together, they do not
  // wait for each other, but lanes 4 to 7 would.
  std::vector<int64_t> addresses(64);
  for (int64_t lane = 0; lane < 64; ++lane) {
    int64_t quad = lane / 4 % 8;
    int64_t half = quad >= 4;
    int64_t phase = lane / 32 * 4 + (half ? (quad ^ 1) & 3 : quad);
    addresses[lane] = phase * 128 + half * 64 + lane % 4 * 16;
  }
  EXPECT_EQ(countBankCycles(addresses, 16, 32, LdsPhases::PairedQuads), 8);
  EXPECT_EQ(countBankCycles(addresses, 16, 32, LdsPhases::Adjacent), 8 * 2);
}

} // namespace
