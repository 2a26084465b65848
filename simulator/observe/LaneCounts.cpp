//===- LaneCounts.cpp - What a SPIR-V kernel does, counted ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/observe/LaneCounts.h"

#include <cstdio>

using namespace aircc::sim::spirv;

const LaneCounts::RowText &LaneCounts::text(Row row) {
  static constexpr RowText texts[Rows] = {
      {"global reads", "global_reads", "bytes", "bytes"},
      {"global writes", "global_writes", "bytes", "bytes"},
      {"SLM reads", "slm_reads", "bytes", "bytes"},
      {"SLM writes", "slm_writes", "bytes", "bytes"},
      {"atomics", "atomics", "bytes", "bytes"},
      {"2-D block reads", "block_reads", "bytes", "bytes"},
      {"2-D block writes", "block_writes", "bytes", "bytes"},
      {"2-D block prefetches", "block_prefetches", nullptr, nullptr},
      {"linear block reads", "linear_reads", "bytes", "bytes"},
      {"linear block writes", "linear_writes", "bytes", "bytes"},
      {"dpas", "dpas", "multiply-adds", "multiply_adds"},
      {"group operations", "group_operations", nullptr, nullptr},
      {"barriers", "barriers", nullptr, nullptr},
  };
  return texts[row];
}

std::string LaneCounts::table() const {
  std::string result;
  for (size_t i = 0; i < Rows; ++i) {
    if (!counts[i].times)
      continue;
    const RowText &row = text(static_cast<Row>(i));
    char line[128];
    std::snprintf(line, sizeof(line), "  %-22s %14llu", row.name,
                  static_cast<unsigned long long>(counts[i].times));
    result += line;
    if (row.unit) {
      std::snprintf(line, sizeof(line), " %16llu %s",
                    static_cast<unsigned long long>(counts[i].amount),
                    row.unit);
      result += line;
    }
    result += "\n";
  }
  return result;
}
