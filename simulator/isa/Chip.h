//===- Chip.h - Which AMD GPU a code object is for --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What differs between the chips that the simulator runs: a column of named
// properties for each generation (Chip.cpp), and what LLVM's subtarget features
// say of a processor. Only isa/ knows the generations by name. There is no list
// of chips: a processor that LLVM knows and whose generation is simulated is
// accepted.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_CHIP_H
#define AIRCC_SIMULATOR_ISA_CHIP_H

#include "simulator/isa/Generation.h"

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

/// How S_WAITCNT packs its fields.
enum class WaitEncoding : uint8_t {
  SplitLoads, ///< gfx9: the load counter is in two parts.
  Contiguous, ///< gfx11
  None,       ///< gfx12: a wait for each counter instead.
};

/// How instructions say how far an access reaches.
enum class ScopeEncoding : uint8_t {
  Glc,   ///< glc: past the compute unit.
  Sc,    ///< sc0 and sc1: two bits.
  Scope, ///< scope:
};

/// Wait states that code has to keep on chips that do not wait by themselves
/// (check/HazardRules.cpp).
struct HazardFigures {
  uint8_t wideStoreStates = 0; ///< Until a wide store has read its data.
  /// Hardware waits less between vector instructions (gfx940).
  bool waitsLess = false;
  bool hasPermlaneStates = false; ///< v_permlane of gfx950.
  /// A matrix instruction of f64 hides writes from memory instructions.
  bool doubleHidesWrites = false;
  bool f32OnMatrixUnit = false; ///< MFMA of f32 count as those of f16.
  uint8_t longMatrixStates = 0; ///< More behind all but the shortest.
  uint8_t shortSameCStates = 0; ///< C of the shortest, again as C.
  uint8_t doubleCStates = 0;    ///< D of f64 as C, as another input.
  uint8_t doubleInputStates = 0;
};

/// What differs between generations.
struct GenerationTraits {
  // Registers and launches.
  bool hasWave32 = false;
  /// Work-item ids come packed, ten bits each, in VGPR 0.
  bool hasPackedWorkItemIds = false;
  /// The base of scratch is not in SGPRs.
  bool hasArchitectedFlatScratch = false;
  /// The workgroup ids come in trap-handler registers.
  bool hasArchitectedSgprs = false;
  /// The vector and the accumulation registers are one file.
  bool hasUnifiedRegisterFile = false;
  /// Workgroups on two compute units, or split between them.
  bool hasWgpMode = false;
  /// VGPRs that one unit of a granulated count stands for.
  uint8_t vgprGranules[2] = {8, 8}; ///< In wave64, wave32.
  uint8_t vgprSizeBit = 12;         ///< Of the hardware register GPR_ALLOC.
  bool hasXccId = false; ///< Hardware register 20; else of scratch's base.

  // MODE.
  bool hasIndexingMode = false; ///< GPR_IDX_EN and VSKIP
  bool hasIeeeMode = false;     ///< IEEE and DX10_CLAMP

  // Vector arithmetic.
  /// 16-bit results leave the upper half of the register alone.
  bool preservesHigh16 = false;
  /// v_cmpx writes a mask beside EXEC.
  bool compareExecWritesMask = false;

  // Memory.
  WaitEncoding waits = WaitEncoding::None;
  bool hasStoreCounter = false;  ///< vscnt, storecnt: else vmcnt.
  bool hasScalarCounter = false; ///< kmcnt: else lgkmcnt.
  bool countsCaches = false;     ///< Cache operations, like accesses.
  ScopeEncoding scopes = ScopeEncoding::Glc;
  bool cachesReachSystem = false; ///< Cache operations have no scope.
  /// Two caches are invalidated by an instruction each.
  bool hasTwoInvalidations = false;
  bool storesHaveScope = false; ///< Else all but wave-private ones go through.
  bool needsWriteBack = false;
  /// Buffers: range checks and swizzles of the RDNA3 ISA guide.
  bool hasChosenRangeCheck = false;
  bool hasUnifiedFormats = false; ///< One number for data and number format.
  bool permutesHalves = false;    ///< ds_permute within 32 lanes.

  // Hazards.
  bool countsWaitStates = false;
  HazardFigures hazards;
  /// In wave64 scalars that served as masks are followed, and registers that
  /// are written around a change of EXEC (gfx11).
  bool hasMaskHazards = false;
  /// Scalars that vector instructions have read are followed, in pairs (gfx12).
  bool hasScalarReadHazards = false;
  /// lds_direct_load can wait for memory instructions.
  bool directLoadWaits = false;

  MemoryFigures memory;
  IssueFigures issue;
};

struct Chip : GenerationTraits {
  std::string name;      ///< Processor name without feature suffixes.
  unsigned major = 0;    ///< gfx90a: 9
  unsigned minor = 0;    ///< gfx90a: 0
  unsigned stepping = 0; ///< gfx90a: 10
  Generation generation = Generation::Gfx90a;
  uint32_t ldsBytes = 0; ///< LDS that one workgroup can address.
  /// LLVM's features of these names: what code has to work around.
  bool transUseHazard = false;    ///< "valu-trans-use-hazard"
  bool compareExecHazard = false; ///< "vcmpx-permlane-hazard"

  /// The chip of a processor name ("gfx942", "gfx90a:xnack-"), or nothing when
  /// LLVM does not know it or its generation is not simulated.
  static std::optional<Chip> parse(llvm::StringRef processor);

  /// For isa/ alone: others ask for properties.
  bool isIn(Generations set) const {
    return set & generations::setOf(generation);
  }
  const MemoryFigures &memoryFigures() const { return memory; }
  const IssueFigures &issueFigures() const { return issue; }
  /// The immediate of S_WAITCNT, taken apart.
  struct WaitFields {
    uint8_t loads, lds, exports;
  };
  WaitFields waitFields(uint32_t immediate) const;
  unsigned vgprGranule(bool wave32) const { return vgprGranules[wave32]; }
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_CHIP_H
