//===- Chip.h - Properties of an AMD GPU ------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The differences between the simulated chips: named properties of each
// generation (Chip.cpp), and properties that LLVM's subtarget features
// determine for a processor. Only isa/ tests for a generation; all other code
// tests for properties. There is no list of chips: every processor that LLVM
// knows is accepted if its generation is simulated.
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

/// Parameters of the memories of a compute unit, for the counters.
///
/// Sources: the banks of LDS and the order in which lanes are served are from
/// AMD's "Avoiding LDS bank conflicts on AMD GPUs using the CK-Tile framework"
/// (ROCm blogs, 2025) and the CK-Tile documentation, "Understanding AMD GPU LDS
/// and bank conflicts"; for the RDNA chips, they are from the ISA guides, "LDS"
/// (two halves of 32 banks, a wave uses one of them). AMD does not publish
/// which lanes gfx950 serves together in a 128-bit read: the simulator ASSUMES
/// neighbors. Cache lines are from the CDNA 2 and CDNA 3 white papers (64 and
/// 128 bytes) and the RDNA ISA guides (128 bytes; scalar cache 64).
struct MemoryFigures {
  unsigned ldsBanks = 32;      ///< Banks of four bytes.
  unsigned ldsPhaseLanes = 32; ///< The maximum number of lanes that are served
                               ///< together.
  /// Whether 128-bit reads pair quads of lanes (0-3 with 20-23, …) rather than
  /// neighbors.
  bool pairsReadQuads = false;
  unsigned vectorLineBytes = 128; ///< For the vector cache next to the CU.
  unsigned scalarLineBytes = 64;
};

/// How many cycles instructions occupy their unit, for the counters' estimate.
///
/// Sources: a SIMD of CDNA has 16 lanes and takes 4 cycles for a wave64, or 16
/// for transcendental functions (CDNA 3 ISA guide and white paper). A SIMD of
/// RDNA has 32 lanes, a quarter of them for transcendental functions and a
/// sixteenth for f64 (RDNA 3 ISA guide; AMD's peak rates). Matrix instructions
/// take four cycles for each pass of LLVM's scheduling model on CDNA. On RDNA,
/// their rate is 256 16-bit multiply-adds per cycle and CU of two SIMDs ("How
/// to accelerate AI applications on RDNA 3 using WMMA", GPUOpen), and twice
/// that on RDNA 4. The cache next to a CU delivers 64 bytes per cycle on CDNA 2
/// and 128 on the others.
struct IssueFigures {
  unsigned simds = 4; ///< Per compute unit.
  unsigned simdLanes = 16;
  unsigned transcendentalFactor = 4; ///< Relative to a plain operation.
  unsigned doubleFactor = 1;         ///< Of f64, relative to a plain operation.
  unsigned scalarCycles = 4;         ///< Per scalar instruction.
  unsigned cacheBytesPerCycle = 128;
  /// The 16-bit multiply-adds of a WMMA per cycle, or 0 if LLVM's scheduling
  /// model has the passes of matrix instructions.
  unsigned matrixMacsPerCycle = 0;
};

/// How S_WAITCNT packs its fields.
enum class WaitEncoding : uint8_t {
  SplitLoads, ///< gfx9: the load counter has two bit fields.
  Contiguous, ///< gfx11
  None,       ///< gfx12, which has one wait instruction per counter instead.
};

/// How instructions encode the memory scope of an access.
enum class ScopeEncoding : uint8_t {
  Glc,   ///< One bit, glc: beyond the compute unit.
  Sc,    ///< Two bits, sc0 and sc1.
  Scope, ///< The field "scope".
};

/// Wait states that code must insert on chips without interlocks
/// (check/hazards/HazardRules.cpp).
struct HazardFigures {
  uint8_t wideStoreStates = 0; ///< Until a wide store has read its data.
  /// Whether a wide buffer store with a scalar offset needs a wait state too.
  bool readsOffsetStoresLate = false;
  /// gfx940: more wait states between vector instructions, and fewer after
  /// matrix instructions.
  bool waitsLess = false;
  bool hasPermlaneStates = false; ///< v_permlane of gfx950.
  /// Whether an f64 matrix instruction hides writes from memory instructions.
  bool doubleHidesWrites = false;
  bool f32OnMatrixUnit = false;  ///< Whether f32 MFMAs have the states of f16.
  uint8_t longMatrixStates = 0;  ///< Extra, after all but the shortest MFMA.
  uint8_t shortSameCStates = 0;  ///< D of the shortest MFMA as C of another.
  uint8_t doubleCStates = 0;     ///< D of an f64 MFMA as C of another.
  uint8_t doubleInputStates = 0; ///< D of an f64 MFMA as A or B of another.
};

/// The properties of a generation.
struct GenerationTraits {
  // Registers and launches
  bool hasWave32 = false;
  /// Whether VGPR 0 contains all work-item ids, ten bits each.
  bool hasPackedWorkItemIds = false;
  /// Whether a hardware register, rather than SGPRs, contains the base of
  /// scratch.
  bool hasArchitectedFlatScratch = false;
  /// Whether trap-handler registers contain the workgroup ids.
  bool hasArchitectedSgprs = false;
  /// Whether VGPRs and AGPRs share one register file.
  bool hasUnifiedRegisterFile = false;
  /// Whether a workgroup can occupy both compute units of a WGP.
  bool hasWgpMode = false;
  /// The number of VGPRs per unit of a granulated count.
  uint8_t vgprGranules[2] = {8, 8}; ///< In wave64, wave32.
  /// The position of VGPR_SIZE in the hardware register GPR_ALLOC.
  uint8_t vgprSizeBit = 12;
  /// Whether hardware register 20 is XCC_ID; otherwise, it is part of scratch's
  /// base.
  bool hasXccId = false;

  // MODE
  bool hasIndexingMode = false; ///< GPR_IDX_EN and VSKIP
  bool hasIeeeMode = false;     ///< IEEE and DX10_CLAMP

  // Vector arithmetic
  /// Whether 16-bit results preserve the upper half of the register.
  bool preservesHigh16 = false;
  /// Whether v_cmpx writes a mask in addition to EXEC.
  bool compareExecWritesMask = false;

  // Memory
  WaitEncoding waits = WaitEncoding::None;
  bool hasStoreCounter = false;  ///< vscnt or storecnt, else vmcnt.
  bool hasScalarCounter = false; ///< kmcnt, else lgkmcnt.
  bool countsCaches = false;     ///< Whether cache operations increment a wait
                                 ///< counter.
  ScopeEncoding scopes = ScopeEncoding::Glc;
  bool cachesReachSystem = false; ///< Whether cache operations have no scope.
  /// Whether two caches have an invalidation instruction each.
  bool hasTwoInvalidations = false;
  /// Whether stores encode a scope; otherwise, all but wave-private ones are
  /// written through.
  bool storesHaveScope = false;
  bool needsWriteBack = false;
  /// Buffers: range checks and swizzles of the RDNA3 ISA guide.
  bool hasChosenRangeCheck = false;
  bool hasUnifiedFormats = false; ///< One number for data and number format.
  bool permutesHalves = false;    ///< Whether ds_permute stays within 32 lanes.

  // Hazards
  bool countsWaitStates = false;
  HazardFigures hazards;
  /// Whether wave64 has hazards on scalars that were used as masks, and on
  /// registers that are written before and after a change of EXEC (gfx11).
  bool hasMaskHazards = false;
  /// Whether there are hazards on pairs of scalars that vector instructions
  /// have read (gfx12).
  bool hasScalarReadHazards = false;
  /// Whether lds_direct_load can wait for memory instructions.
  bool directLoadWaits = false;

  MemoryFigures memory;
  IssueFigures issue;
};

struct Chip : GenerationTraits {
  std::string name;      ///< The processor name without feature suffixes.
  unsigned major = 0;    ///< gfx90a: 9
  unsigned minor = 0;    ///< gfx90a: 0
  unsigned stepping = 0; ///< gfx90a: 10
  Generation generation = Generation::Gfx90a;
  uint32_t ldsBytes = 0; ///< The LDS that a workgroup can address.
  /// LLVM's subtarget features with these names: hazards that code must avoid.
  bool transUseHazard = false;    ///< "valu-trans-use-hazard"
  bool compareExecHazard = false; ///< "vcmpx-permlane-hazard"

  /// Returns the chip of a processor name ("gfx942", "gfx90a:xnack-"), or
  /// nothing if LLVM does not know it or its generation is not simulated.
  static std::optional<Chip> parse(llvm::StringRef processor);

  /// Only for isa/, because other code tests for properties.
  bool isIn(Generations set) const {
    return set & generations::setOf(generation);
  }
  const MemoryFigures &memoryFigures() const { return memory; }
  const IssueFigures &issueFigures() const { return issue; }
  /// The fields of S_WAITCNT's immediate.
  struct WaitFields {
    uint8_t loads, lds, exports;
  };
  WaitFields waitFields(uint32_t immediate) const;
  unsigned vgprGranule(bool wave32) const { return vgprGranules[wave32]; }
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_CHIP_H
