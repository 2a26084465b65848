//===- WaveActivity.cpp - What waves do over time -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/timing/WaveActivity.h"

#include <algorithm>

using namespace aircc::sim;

char aircc::sim::activityLetter(Activity activity) {
  return "MVSLGglbw"[static_cast<unsigned>(activity)];
}

const char *aircc::sim::activityName(Activity activity) {
  constexpr const char *names[kActivities] = {"matrix",
                                              "vector",
                                              "scalar",
                                              "LDS",
                                              "memory",
                                              "waits for memory",
                                              "waits for LDS",
                                              "waits at a barrier",
                                              "waits for a result or a unit"};
  return names[static_cast<unsigned>(activity)];
}

static Activity getActivity(const OpTiming &op) {
  if (op.isMatrix)
    return Activity::Matrix;
  switch (op.issueClass) {
  case IssueClass::Vector:
    return Activity::Vector;
  case IssueClass::VectorMemory:
    return Activity::Memory;
  case IssueClass::Lds:
    return Activity::Lds;
  case IssueClass::Scalar:
  case IssueClass::Branch:
  case IssueClass::Internal:
    break;
  }
  return Activity::Scalar;
}

static Activity getActivity(StallReason reason) {
  switch (reason) {
  case StallReason::Load:
  case StallReason::Store:
  case StallReason::Scalar:
    return Activity::WaitsMemory;
  case StallReason::Lds:
  case StallReason::LdsPort:
    return Activity::WaitsLds;
  case StallReason::Barrier:
    return Activity::WaitsBarrier;
  default:
    return Activity::WaitsOtherwise;
  }
}

void WaveActivity::add(const TimedWave &timed, const OpTiming &op,
                       double issued, double busy, StallReason reason) {
  auto it = waves.find(timed.age);
  if (it == waves.end()) {
    if (waves.size() == maxWaves)
      return;
    it = waves.try_emplace(timed.age).first;
    it->second.simd = timed.simd;
  }
  Wave &wave = it->second;
  if (wave.isRunning) {
    const double worked = std::min(wave.end, issued);
    fill(wave, wave.last, wave.issued, worked);
    fill(wave, getActivity(reason), worked, issued);
  }
  wave.isRunning = true;
  wave.last = getActivity(op);
  wave.issued = issued;
  wave.end = issued + std::max(busy, 1.0);
}

void WaveActivity::makeRoom(double end) {
  while (end > width * double(maxColumns)) {
    for (auto &[age, wave] : waves) {
      std::vector<Column> &columns = wave.columns;
      for (size_t i = 0; i < columns.size(); ++i) {
        if (i % 2 == 0)
          columns[i / 2] = columns[i];
        else
          for (unsigned k = 0; k < kActivities; ++k)
            columns[i / 2][k] += columns[i][k];
      }
      columns.resize((columns.size() + 1) / 2);
    }
    width *= 2;
  }
}

void WaveActivity::fill(Wave &wave, Activity activity, double begin,
                        double end) {
  if (begin >= end)
    return;
  makeRoom(end);
  const size_t last =
      std::min(static_cast<size_t>(end / width), maxColumns - 1);
  if (wave.columns.size() <= last)
    wave.columns.resize(last + 1);
  for (auto i = static_cast<size_t>(begin / width); i <= last; ++i) {
    const double from = std::max(begin, double(i) * width),
                 to = std::min(end, double(i + 1) * width);
    if (from < to)
      wave.columns[i][static_cast<unsigned>(activity)] += float(to - from);
  }
}

std::vector<WaveActivity::Row> WaveActivity::rows() {
  std::vector<Row> result;
  for (auto &[age, wave] : waves) {
    if (wave.isRunning)
      fill(wave, wave.last, wave.issued, wave.end);
    wave.isRunning = false;
  }
  for (const auto &[age, wave] : waves) {
    Row row{age, wave.simd, {}};
    for (const Column &column : wave.columns) {
      auto most = std::max_element(column.begin(), column.end());
      row.columns +=
          *most > 0
              ? activityLetter(static_cast<Activity>(most - column.begin()))
              : '.';
    }
    while (!row.columns.empty() && row.columns.back() == '.')
      row.columns.pop_back();
    result.push_back(std::move(row));
  }
  return result;
}
