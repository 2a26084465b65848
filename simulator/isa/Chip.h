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

#ifndef AIRCC_SIMULATOR_ISA_CHIP_H
#define AIRCC_SIMULATOR_ISA_CHIP_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace aircc::sim {

/// Figures of the memories of a compute unit, for the counters.
///
/// Sources: the banks of LDS and the order in which lanes are served, from
/// AMD's "Avoiding LDS bank conflicts on AMD GPUs using the CK-Tile framework"
/// (ROCm blogs, 2025) and the CK-Tile documentation, "Understanding AMD GPU LDS
/// and bank conflicts"; for the RDNA chips the ISA guides, "LDS" (two halves of
/// 32 banks, a wave uses one of them). Which lanes gfx950 serves together in a
/// 128-bit read is not published: neighbours are ASSUMED here. Cache lines: the
/// CDNA 2 and CDNA 3 white papers (64 and 128 bytes), the RDNA ISA guides (128
/// bytes; scalar cache 64).
struct MemoryFigures {
  unsigned ldsBanks = 32;      ///< Of four bytes.
  unsigned ldsPhaseLanes = 32; ///< Lanes that are served together at most.
  /// 128-bit reads pair quads of lanes (0-3 with 20-23, …), not neighbours.
  bool pairsReadQuads = false;
  unsigned vectorLineBytes = 128; ///< Of the vector cache next to the CU.
  unsigned scalarLineBytes = 64;
};

/// How long instructions occupy their unit, in cycles, for the estimate of the
/// counters.
///
/// Sources: a SIMD of CDNA has 16 lanes and takes 4 cycles for a wave64, 16 for
/// transcendental functions (CDNA 3 ISA guide and white paper); one of RDNA has
/// 32 lanes, a quarter of that for transcendental functions and a sixteenth for
/// f64 (RDNA 3 ISA guide; AMD's peak rates). Matrix instructions: on CDNA the
/// passes of LLVM's scheduling model, four cycles each; on RDNA from the rate
/// in "How to accelerate AI applications on RDNA 3 using WMMA" (GPUOpen): 256
/// 16-bit multiply-adds a cycle and CU of two SIMDs, twice that on RDNA 4. A
/// cache next to a CU delivers 64 bytes a cycle on CDNA 2, 128 on the others.
struct IssueFigures {
  unsigned simds = 4; ///< Of a compute unit.
  unsigned simdLanes = 16;
  unsigned transcendentalFactor = 4; ///< Times a plain operation.
  unsigned doubleFactor = 1;         ///< f64 arithmetic, likewise.
  unsigned scalarCycles = 4;         ///< Of one scalar instruction.
  unsigned cacheBytesPerCycle = 128;
  /// 16-bit multiply-adds of a WMMA a cycle; 0: matrix instructions have
  /// published passes.
  unsigned matrixMacsPerCycle = 0;
};

struct Chip {
  std::string name;      ///< Processor name without feature suffixes.
  unsigned major = 0;    ///< gfx90a: 9
  unsigned minor = 0;    ///< gfx90a: 0
  unsigned stepping = 0; ///< gfx90a: 10
  uint32_t ldsBytes = 0; ///< LDS that one workgroup can address.
  /// LLVM's features of these names: what code has to work around.
  bool transUseHazard = false;    ///< "valu-trans-use-hazard"
  bool compareExecHazard = false; ///< "vcmpx-permlane-hazard"

  /// The chip of a processor name ("gfx942", "gfx90a:xnack-"), or nothing when
  /// LLVM does not know it or its generation is not simulated.
  static std::optional<Chip> parse(llvm::StringRef processor);

  /// Whether the generation is simulated. Later minor versions of one have
  /// other memories, encodings and instructions.
  bool isSimulated() const {
    return isGfx90aPlus() || (major == 11 && minor <= 5) ||
           (major == 12 && minor == 0);
  }
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
  MemoryFigures memoryFigures() const;
  IssueFigures issueFigures() const;
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

#endif // AIRCC_SIMULATOR_ISA_CHIP_H
