//===- LaneLevel.cpp - Choosing the host level ----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/vector/LaneLevel.h"

#include "simulator/isa/InstructionRecord.h"

#include <cstdlib>
#include <cstring>

namespace aircc::sim {
#define AIRCC_SIM_DECLARE_LEVEL(NAME)                                          \
  namespace NAME {                                                             \
  const LaneLevel &laneLevel();                                                \
  }
AIRCC_SIM_DECLARE_LEVEL(base)
#if defined(AIRCC_SIM_HAS_X86_LEVELS)
AIRCC_SIM_DECLARE_LEVEL(v3)
AIRCC_SIM_DECLARE_LEVEL(v4)
#endif
} // namespace aircc::sim

using namespace aircc::sim;

static const LaneLevel &chooseLevel() {
#if defined(AIRCC_SIM_HAS_X86_LEVELS)
  const char *wanted = std::getenv("AIRCC_SIM_LEVEL");
  bool allowV3 = !wanted || std::strcmp(wanted, "base") != 0;
  bool allowV4 = allowV3 && (!wanted || std::strcmp(wanted, "v3") != 0);
  if (allowV4 && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return v4::laneLevel();
  if (allowV3 && __builtin_cpu_supports("avx2") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
      __builtin_cpu_supports("fma"))
    return v3::laneLevel();
#endif
  return base::laneLevel();
}

const LaneLevel &aircc::sim::selectLaneLevel() {
  static const LaneLevel &level = chooseLevel();
  return level;
}

LaneKernel aircc::sim::laneKernel(const LaneLevel &level,
                                  const InstructionRecord &record) {
  const auto table = static_cast<size_t>(record.table);
  return table < level.tableCount ? level.tables[table].kernels[record.index]
                                  : nullptr;
}
