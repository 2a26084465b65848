//===- SimRaceDetectorTest.cpp - Races against a plain definition ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generates random accesses of waves and barriers between them. The test
// determines races access by access and byte by byte. The checker, which uses
// logs, marks and histories instead, must report the first race and nothing
// before it.
//
//===----------------------------------------------------------------------===//

#include "simulator/check/GlobalReads.h"
#include "simulator/check/LdsAccesses.h"
#include "simulator/check/RaceDetector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

using namespace aircc::sim;

namespace {

constexpr unsigned kWaves = 4, kLanes = 8, kBytes = 256;

struct RandomAccess {
  PastAccess access;
  unsigned wave = 0, bytes = 0;
  uint64_t lanes = 0;
  uint64_t addresses[64];

  bool covers(uint64_t byte) const {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if (lanes >> lane & 1 && byte - addresses[lane] < bytes)
        return true;
    return false;
  }
};

class RandomRun {
public:
  RandomRun(unsigned seed, uint64_t bytesOfLds)
      : random(seed), size(bytesOfLds) {
    lds.reset(size, kWaves);
  }
  /// Makes accesses until two of them race. Returns whether they did.
  bool go(unsigned steps) {
    for (unsigned step = 0; step < steps; ++step) {
      if (pick(6) == 0) {
        barrier();
        continue;
      }
      const RandomAccess now = makeAccess();
      const bool races =
          std::any_of(all.begin(), all.end(), [&](const RandomAccess &past) {
            return race(past, now);
          });
      EXPECT_EQ(detect(now), races) << "step " << step;
      if (races || ::testing::Test::HasFailure())
        return races;
      all.push_back(now);
    }
    return false;
  }

private:
  unsigned pick(unsigned count) { return random() % count; }

  bool isKnown(const PastAccess &past) const {
    return known[past.agent - 1][kLdsQueue] >= past.ticket;
  }
  bool race(const RandomAccess &past, const RandomAccess &now) const {
    if (past.wave == now.wave || isKnown(past.access) ||
        !(past.access.writes || now.access.writes) ||
        (past.access.atomic && now.access.atomic))
      return false;
    for (uint64_t byte = 0; byte < size; ++byte)
      if (past.covers(byte) && now.covers(byte))
        return true;
    return false;
  }

  /// Mostly in the wave's own quarter, so that races do not occur too early.
  RandomAccess makeAccess() {
    RandomAccess made;
    made.wave = pick(kWaves);
    made.access.agent = made.wave + 1;
    made.access.ticket = ++issued[made.wave];
    made.access.queue = kLdsQueue;
    const unsigned kind = pick(8);
    made.access.writes = kind < 4;
    made.access.atomic = kind == 0;
    const unsigned widths[] = {4, 4, 4, 8, 16, 2, 1};
    made.bytes = widths[pick(kind == 0 ? 1 : 7)];
    made.lanes = pick(3) ? (1u << kLanes) - 1 : 1 + pick((1u << kLanes) - 1);
    const uint64_t quarter = size / kWaves;
    const bool isOwn = made.access.writes ? pick(12) != 0 : pick(4) != 0;
    const uint64_t begin = isOwn ? made.wave * quarter : 0,
                   room = isOwn ? quarter : size;
    const uint64_t slots = room / made.bytes;
    const unsigned shape = pick(3);
    const uint64_t first = pick(slots);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const uint64_t slot = shape == 0   ? first
                            : shape == 1 ? std::min(first + lane, slots - 1)
                                         : pick(slots);
      made.addresses[lane] = begin + slot * made.bytes;
    }
    return made;
  }

  bool detect(const RandomAccess &now) {
    const AccessFootprint footprint(now.addresses, now.lanes, now.bytes);
    if (lds.record(now.wave, now.access, footprint, /*dropsReads=*/false))
      return false;
    auto isBefore = [&](const PastAccess &past) {
      return past.agent == now.access.agent || isKnown(past);
    };
    bool found = false;
    RaceQuery query{now.access, footprint, isBefore};
    detectRaces(lds.histories(), FlatCells(lds.table()), query,
                [&](unsigned lane, uint64_t address, unsigned bytes,
                    const PastAccess &past) {
                  found = true;
                  EXPECT_LT(address - now.addresses[lane], now.bytes);
                  EXPECT_LE(bytes, 4u);
                  // The lane that the report names has accessed the location.
                  EXPECT_TRUE(std::any_of(
                      all.begin(), all.end(), [&](const RandomAccess &other) {
                        return other.access.agent == past.agent &&
                               other.access.ticket == past.ticket &&
                               other.lanes >> past.lane & 1 &&
                               address - other.addresses[past.lane] <
                                   other.bytes;
                      }));
                  return true;
                });
    return found;
  }

  /// Orders all earlier operations, except for the last ones of some waves,
  /// which are still in flight.
  void barrier() {
    for (unsigned wave = 0; wave < kWaves; ++wave) {
      const uint32_t open = pick(3) ? 0 : pick(3);
      known[wave][kLdsQueue] = std::max(
          known[wave][kLdsQueue], issued[wave] - std::min(issued[wave], open));
    }
    lds.dropOrdered(known);
  }

  std::mt19937 random;
  uint64_t size;
  LdsAccesses lds;
  std::vector<RandomAccess> all;
  std::vector<Tickets> known = std::vector<Tickets>(kWaves, Tickets{});
  uint32_t issued[kWaves] = {};
};

} // namespace

TEST(SimRaceDetector, FindsTheFirstRaceAndNoneBefore) {
  unsigned raced = 0;
  for (unsigned seed = 0; seed < 2000 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    raced += RandomRun(seed, kBytes << seed % 5).go(60);
  }
  // There must be runs with and without races.
  EXPECT_GT(raced, 200u);
  EXPECT_LT(raced, 1900u);
}

TEST(SimRaceDetector, HistoriesGoAwayWithTheirPieces) {
  // Each wave accesses pages that are far apart, so histories are reused.
  AccessHistories histories;
  PagedCells cells;
  uint64_t addresses[64];
  auto nothing = [](const PastAccess &) { return false; };
  unsigned met = 0;
  for (uint32_t agent = 1; agent <= 1000; ++agent) {
    for (unsigned lane = 0; lane < 64; ++lane)
      addresses[lane] = 0x10000000 + lane * 16388;
    PastAccess access;
    access.agent = agent;
    access.ticket = 1;
    access.writes = agent % 4 == 0;
    const AccessFootprint footprint(addresses, ~uint64_t(0), 4);
    RaceQuery query{access, footprint, nothing};
    detectRaces(
        histories, cells, query,
        [&](unsigned lane, uint64_t address, unsigned, const PastAccess &past) {
          EXPECT_EQ(address, addresses[lane]);
          EXPECT_EQ(past.lane, lane);
          EXPECT_LT(past.agent, agent);
          ++met;
          return true;
        });
  }
  // A read conflicts with the earlier write; a write conflicts with that write
  // and with three reads.
  EXPECT_EQ(met, 64u * (249 * (3 + 4) + 3));
}

TEST(SimRaceDetector, ShapesOfAddresses) {
  // The footprint of a shape equals the footprint of its addresses.
  std::mt19937 random(1);
  AddressShapes shapes;
  const AddressShape *recent[2] = {};
  std::set<const AddressShape *> all;
  for (unsigned i = 0; i < 3000; ++i) {
    const unsigned lanes = random() % 2 ? 64 : 32, bytes = 1u << random() % 5;
    const uint32_t first = 0x10000 + random() % 1000, offset = random() % 64;
    const int stride = static_cast<int>(random() % 5) * 4 - 4;
    const unsigned kind = random() % 3, mask = random() % 16 * 8;
    uint32_t row[64];
    uint64_t addresses[64] = {};
    for (unsigned lane = 0; lane < 64; ++lane) {
      row[lane] = first + (kind == 0   ? lane * stride
                           : kind == 1 ? (lane * 8) ^ mask
                                       : lane / 16 * 128 + lane % 16 * 4);
      if (kind == 2 && i % 10 == 0)
        row[lane] = random() % 0x10000;
      addresses[lane] = row[lane] + offset;
    }
    const AddressShape *shape = shapes.find(row, lanes, recent[lanes / 64]);
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape, recent[lanes / 64]);
    const AddressShape *none = nullptr;
    EXPECT_EQ(shape, shapes.find(row, lanes, none));
    all.insert(shape);
    const AccessFootprint got(LaneAddresses(row, offset),
                              ShapedAccess(*shape, row[0] + offset, bytes)),
        want(addresses, lanes == 64 ? ~uint64_t(0) : 0xffffffff, bytes);
    EXPECT_EQ(got.lanes, want.lanes);
    EXPECT_EQ(got.low, want.low);
    EXPECT_EQ(got.high, want.high);
    EXPECT_EQ(got.addressBits, want.addressBits);
    EXPECT_EQ(got.isStrided, want.isStrided);
    EXPECT_TRUE(!want.isStrided || got.stride == want.stride);
    uint64_t gap = UINT32_MAX;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      EXPECT_EQ(got.addresses[lane], addresses[lane]);
      for (unsigned other = 0; other < lane; ++other)
        gap = std::min(gap, std::max(addresses[lane], addresses[other]) -
                                std::min(addresses[lane], addresses[other]));
    }
    EXPECT_EQ(shape->gap, gap);
  }
  // Addresses with the same distances have the same shape.
  EXPECT_LT(all.size(), 200u);
}

TEST(SimRaceDetector, WritesFindLoggedReads) {
  // Agents read random words of eight pages, then one writes some of them: it
  // conflicts with the read of each word by another agent.
  constexpr uint64_t kBase = 0x10000000, kWords = 8 * 4096;
  std::mt19937 random(1);
  AccessHistories histories;
  PagedCells cells;
  GlobalReads reads(histories, cells);
  reads.begin(/*newAgentsPerGroup=*/100);
  std::vector<uint32_t> readers(kWords);
  std::vector<bool> isFound(kWords);
  uint64_t addresses[64];
  auto chooseAddresses = [&](uint64_t words) {
    const uint64_t first = random() % (words - 64);
    const bool isRow = random() % 2;
    for (unsigned lane = 0; lane < 64; ++lane)
      addresses[lane] = kBase + 4 * (isRow ? first + lane : random() % words);
  };
  PastAccess access;
  access.ticket = 1;
  for (access.agent = 1; access.agent < 50; ++access.agent) {
    const uint64_t lanes = random() % 2 ? ~uint64_t(0) : random() | 1u;
    chooseAddresses(kWords);
    ASSERT_TRUE(reads.record(access,
                             AccessFootprint(addresses, lanes, /*bytes=*/4),
                             std::make_shared<WaveClock>()));
    for (unsigned lane = 0; lane < 64; ++lane)
      if (lanes >> lane & 1)
        readers[(addresses[lane] - kBase) / 4] = access.agent;
  }
  access.writes = true;
  auto isBefore = [&](const PastAccess &past) {
    return past.agent == access.agent;
  };
  for (unsigned i = 0; i < 1000; ++i) {
    chooseAddresses(kWords);
    const AccessFootprint footprint(addresses, ~uint64_t(0), /*bytes=*/4);
    ASSERT_FALSE(
        reads.record(access, footprint, std::make_shared<WaveClock>()));
    RaceQuery query{access, footprint, isBefore};
    detectRaces(
        histories, cells, query,
        [&](unsigned, uint64_t address, unsigned, const PastAccess &past) {
          const uint64_t word = (address - kBase) / 4;
          EXPECT_NE(readers[word], 0u);
          isFound[word] = isFound[word] || past.agent == readers[word];
          return true;
        });
    for (uint64_t address : addresses)
      EXPECT_TRUE(!readers[(address - kBase) / 4] ||
                  isFound[(address - kBase) / 4]);
  }
  // Pages that were written are not logged again.
  access.writes = false;
  EXPECT_FALSE(reads.record(access, AccessFootprint(addresses, 1, 4),
                            std::make_shared<WaveClock>()));
}

TEST(SimRaceDetector, LoggedReadsKeepTheirOrder) {
  // Each agent reads the same word after all earlier ones, except for one that
  // is ordered with none. A write that happens after the last read races with
  // that one only, although more agents have read than a history keeps.
  constexpr uint32_t kAgents = 20, kUnordered = 12;
  AccessHistories histories;
  PagedCells cells;
  GlobalReads reads(histories, cells);
  reads.begin(/*newAgentsPerGroup=*/1);
  const uint64_t address = 0x10000000;
  const AccessFootprint footprint(&address, /*lanes=*/1, /*bytes=*/4);
  PastAccess access;
  access.ticket = 1;
  access.queue = kLoadQueue;
  ForeignClock earlier;
  for (access.agent = 1; access.agent <= kAgents; ++access.agent) {
    WaveClock clock;
    clock.firstWave = access.agent - 1;
    if (access.agent != kUnordered)
      clock.foreign = std::make_shared<ForeignClock>(earlier);
    ASSERT_TRUE(
        reads.record(access, footprint, std::make_shared<WaveClock>(clock)));
    if (access.agent != kUnordered)
      earlier[access.agent - 1][kLoadQueue] = 1;
  }
  access.writes = true;
  ASSERT_FALSE(reads.record(access, footprint, std::make_shared<WaveClock>()));
  std::vector<uint32_t> found;
  auto isBefore = [&](const PastAccess &past) {
    return earlier.count(past.agent - 1) != 0;
  };
  RaceQuery query{access, footprint, isBefore};
  query.agentsPerGroup = 1;
  detectRaces(histories, cells, query,
              [&](unsigned, uint64_t, unsigned, const PastAccess &past) {
                found.push_back(past.agent);
                return true;
              });
  EXPECT_EQ(found, std::vector<uint32_t>{kUnordered});
}
