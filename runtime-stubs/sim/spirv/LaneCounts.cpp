//===- LaneCounts.cpp - What a SPIR-V kernel does, counted ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/spirv/LaneCounts.h"

#include <cstdio>

using namespace aircc::sim::spirv;

std::string LaneCounts::table() const {
  struct RowText {
    const char *name, *unit;
  };
  static constexpr RowText texts[Rows] = {
      {"global reads", "bytes"},
      {"global writes", "bytes"},
      {"SLM reads", "bytes"},
      {"SLM writes", "bytes"},
      {"atomics", "bytes"},
      {"2-D block reads", "bytes"},
      {"2-D block writes", "bytes"},
      {"2-D block prefetches", nullptr},
      {"linear block reads", "bytes"},
      {"linear block writes", "bytes"},
      {"dpas", "multiply-adds"},
      {"group operations", nullptr},
      {"barriers", nullptr},
  };
  std::string text;
  for (size_t i = 0; i < Rows; ++i) {
    if (!counts[i].times)
      continue;
    char line[128];
    std::snprintf(line, sizeof(line), "  %-22s %14llu", texts[i].name,
                  static_cast<unsigned long long>(counts[i].times));
    text += line;
    if (texts[i].unit) {
      std::snprintf(line, sizeof(line), " %16llu %s",
                    static_cast<unsigned long long>(counts[i].amount),
                    texts[i].unit);
      text += line;
    }
    text += "\n";
  }
  return text;
}
