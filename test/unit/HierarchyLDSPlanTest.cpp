//===- HierarchyLDSPlanTest.cpp - Tests of planning LDS -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/hierarchy/buffers/LDSPlan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace aircc::hierarchy;

TEST(LDSPlan, NothingNeedsNothing) {
  LDSPlan plan = planLDS({});
  EXPECT_EQ(plan.bytes, 0);
  EXPECT_TRUE(plan.offsets.empty());
}

TEST(LDSPlan, ReusesBytesOfTheDead) {
  LDSPlan plan = planLDS({{4096, 16, 0, 10}, {4096, 16, 11, 20}});
  EXPECT_EQ(plan.bytes, 4096);
  EXPECT_EQ(plan.offsets[0], plan.offsets[1]);
}

TEST(LDSPlan, KeepsApartWhatTouches) {
  // The second buffer's lifetime begins where the first one's ends, so both are
  // live there.
  LDSPlan plan = planLDS({{64, 16, 0, 10}, {64, 16, 10, 20}});
  EXPECT_EQ(plan.bytes, 128);
}

TEST(LDSPlan, FillsGaps) {
  // A short-lived buffer uses the gap between two long-lived buffers.
  LDSPlan plan = planLDS(
      {{100, 4, 0, 30}, {60, 4, 0, 10}, {40, 4, 11, 30}, {20, 4, 11, 30}});
  EXPECT_EQ(plan.bytes, 160);
}

TEST(LDSPlan, Aligns) {
  LDSPlan plan = planLDS({{5, 16, 0, 10}, {5, 16, 0, 10}, {5, 16, 0, 10}});
  for (int64_t offset : plan.offsets)
    EXPECT_EQ(offset % 16, 0);
  EXPECT_EQ(plan.bytes, 37);
}

TEST(LDSPlan, AllocatesByTimeInAnArenaIfThatNeedsFewerBytes) {
  // A chain of which each buffer is live together with the next.
  llvm::SmallVector<LDSRequest> chain = {{1024, 256, 0, 1},
                                         {1024, 256, 1, 2},
                                         {512, 256, 2, 3},
                                         {1024, 256, 3, 4}};
  EXPECT_EQ(planLDS(chain).bytes, 2560);
  LDSPlan plan = planArena(chain);
  EXPECT_EQ(plan.bytes, 2048);
  EXPECT_EQ(plan.offsets, (llvm::SmallVector<int64_t>{0, 1024, 0, 512}));
  // By time, the last buffer would be behind both others.
  llvm::SmallVector<LDSRequest> late = {
      {64, 1, 0, 1}, {64, 1, 0, 3}, {128, 1, 2, 3}};
  EXPECT_EQ(planArena(late).bytes, 192);
}

/// Checks what `make` returns for `requests`, which have `all` bytes.
static void checkPlan(llvm::ArrayRef<LDSRequest> requests, int64_t all,
                      LDSPlan (*make)(llvm::ArrayRef<LDSRequest>)) {
  LDSPlan plan = make(requests);
  int64_t end = 0;
  for (size_t i = 0; i < requests.size(); ++i) {
    EXPECT_GE(plan.offsets[i], 0);
    EXPECT_EQ(plan.offsets[i] % requests[i].alignment, 0);
    end = std::max(end, plan.offsets[i] + requests[i].bytes);
    for (size_t j = 0; j < i; ++j) {
      bool together = requests[i].begin <= requests[j].end &&
                      requests[j].begin <= requests[i].end;
      bool apart = plan.offsets[i] + requests[i].bytes <= plan.offsets[j] ||
                   plan.offsets[j] + requests[j].bytes <= plan.offsets[i];
      EXPECT_TRUE(!together || apart);
    }
  }
  EXPECT_EQ(plan.bytes, end);
  EXPECT_LE(plan.bytes, all);
  EXPECT_EQ(plan.offsets, make(requests).offsets);
}

TEST(LDSPlan, NeverOverlapsTheLiving) {
  std::mt19937 random(7);
  auto below = [&](int64_t n) { return int64_t(random() % n); };
  for (int round = 0; round < 200; ++round) {
    llvm::SmallVector<LDSRequest> requests;
    int64_t all = 0;
    for (int64_t i = 0, n = 1 + below(12); i < n; ++i) {
      int64_t begin = below(50);
      requests.push_back(
          {1 + below(300), int64_t(1) << below(5), begin, begin + below(20)});
      all += requests.back().bytes + 16;
    }
    SCOPED_TRACE(round);
    checkPlan(requests, all, planLDS);
    checkPlan(requests, all, planArena);
    EXPECT_LE(planArena(requests).bytes, planLDS(requests).bytes);
  }
}

TEST(ChooseOutsideLDS, NothingIfAllFit) {
  EXPECT_EQ(chooseOutsideLDS({{64, 16, 0, 10}, {64, 16, 0, 10}}, 128),
            (llvm::SmallVector<bool>{false, false}));
}

TEST(ChooseOutsideLDS, TheSmallestThatSuffices) {
  EXPECT_EQ(
      chooseOutsideLDS({{100, 4, 0, 10}, {40, 4, 0, 10}, {20, 4, 0, 10}}, 125),
      (llvm::SmallVector<bool>{false, true, false}));
}

TEST(ChooseOutsideLDS, LargeOnesFirst) {
  EXPECT_EQ(
      chooseOutsideLDS({{80, 4, 0, 10}, {100, 4, 0, 10}, {70, 4, 0, 10}}, 75),
      (llvm::SmallVector<bool>{true, true, false}));
}

TEST(ChooseOutsideLDS, PreferredOnesLast) {
  // The second range is too small, so the first buffer is placed after it.
  EXPECT_EQ(chooseOutsideLDS({{100, 4, 0, 10, true}, {40, 4, 0, 10}}, 110),
            (llvm::SmallVector<bool>{false, true}));
  EXPECT_EQ(chooseOutsideLDS({{100, 4, 0, 10, true}, {40, 4, 0, 10}}, 90),
            (llvm::SmallVector<bool>{true, false}));
}

TEST(ChooseOutsideLDS, AlwaysFits) {
  std::mt19937 random(11);
  auto below = [&](int64_t n) { return int64_t(random() % n); };
  for (int round = 0; round < 200; ++round) {
    llvm::SmallVector<LDSRequest> requests, inside;
    for (int64_t i = 0, n = 1 + below(12); i < n; ++i) {
      int64_t begin = below(50);
      requests.push_back(
          {1 + below(300), 16, begin, begin + below(20), below(2) == 1});
    }
    int64_t limit = below(900);
    llvm::SmallVector<bool> outside = chooseOutsideLDS(requests, limit);
    for (size_t i = 0; i < requests.size(); ++i)
      if (!outside[i])
        inside.push_back(requests[i]);
    EXPECT_LE(planLDS(inside).bytes, limit);
  }
}
