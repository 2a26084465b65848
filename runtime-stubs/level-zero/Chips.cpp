//===- Chips.cpp - Identifies the Xe chip of a device ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/level-zero/Chips.h"

using namespace aircc::rt;

namespace {
struct Chip {
  std::string_view name;
  uint32_t architecture, release;
  std::string_view runs;
};
constexpr Chip chips[] = {
#define AIRCC_XE_CHIP(NAME, ARCHITECTURE, RELEASE, RUNS)                       \
  {NAME, ARCHITECTURE, RELEASE, RUNS},
#include "runtime-stubs/level-zero/Chips.def"
};
} // namespace

static uint32_t architectureOf(uint32_t ipVersion) { return ipVersion >> 22; }
static uint32_t releaseOf(uint32_t ipVersion) { return ipVersion >> 14 & 0xff; }

std::string ze::formatIpVersion(uint32_t ipVersion) {
  return std::to_string(architectureOf(ipVersion)) + "." +
         std::to_string(releaseOf(ipVersion)) + "." +
         std::to_string(ipVersion & 0x3f);
}

std::string_view ze::chipOfIpVersion(uint32_t ipVersion) {
  for (const Chip &chip : chips)
    if (chip.architecture == architectureOf(ipVersion) &&
        chip.release == releaseOf(ipVersion))
      return chip.name;
  return {};
}

int ze::matchChip(std::string_view name, std::string_view target) {
  if (!name.empty() && target == name)
    return 3;
  for (const Chip &chip : chips)
    if (chip.name == name && !chip.runs.empty() && target == chip.runs)
      return 2;
  return target == "spirv64" ? 1 : 0;
}
