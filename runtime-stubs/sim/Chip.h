//===- Chip.h - Which AMD GPU a code object is for --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What differs between the chips that the simulator runs, as predicates on the
// ISA version ("gfx" major minor stepping, LLVM's AMDGPUUsage, "Processors")
// and on LLVM's subtarget features. There is no list of chips: a processor that
// LLVM knows and whose ISA generation is simulated is accepted.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIM_CHIP_H
#define AIRCC_SIM_CHIP_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace aircc::sim {

struct Chip {
  std::string name;      ///< Processor name without feature suffixes.
  unsigned major = 0;    ///< gfx90a: 9
  unsigned minor = 0;    ///< gfx90a: 0
  unsigned stepping = 0; ///< gfx90a: 10
  uint32_t ldsBytes = 0; ///< LDS that one workgroup can address.

  /// The chip of a processor name ("gfx942", "gfx90a:xnack-"), or nothing when
  /// LLVM does not know it or its generation is not simulated.
  static std::optional<Chip> parse(llvm::StringRef processor);

  unsigned version() const { return major * 10000 + minor * 100 + stepping; }
  bool isGfx9() const { return major == 9; }
  bool isGfx90aPlus() const { return isGfx9() && version() >= 90010; }
  bool isGfx940Plus() const { return isGfx9() && version() >= 90400; }
  bool isGfx950Plus() const { return isGfx9() && version() >= 90500; }
  bool isGfx10Plus() const { return major >= 10; }
  bool isGfx11Plus() const { return major >= 11; }
  bool isGfx12Plus() const { return major >= 12; }

  /// Work-item ids come packed, ten bits each, in VGPR 0.
  bool hasPackedWorkItemIds() const { return isGfx90aPlus() || isGfx11Plus(); }
  /// The base of scratch is not in SGPRs.
  bool hasArchitectedFlatScratch() const {
    return isGfx940Plus() || isGfx11Plus();
  }
  /// The workgroup ids come in trap-handler registers.
  bool hasArchitectedSgprs() const { return isGfx12Plus(); }
  /// The vector and the accumulation registers are one file.
  bool hasUnifiedRegisterFile() const { return isGfx90aPlus(); }
  /// 16-bit results leave the upper half of the register alone.
  bool preservesHigh16() const { return isGfx10Plus(); }
  /// Bytes that one unit of a granulated LDS or VGPR count stands for.
  unsigned vgprGranule(bool wave32) const {
    if (isGfx90aPlus())
      return 8;
    if (isGfx10Plus())
      return wave32 ? 8 : 4;
    return 4;
  }
};

} // namespace aircc::sim

#endif // AIRCC_SIM_CHIP_H
