//===- Hazards.h - Detection of missing wait states -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Tracks the instructions that each wave has issued, and reports instructions
// that come too early after another one. On gfx9, the required distance is
// counted in wait states (HazardRules.h). On gfx11 and gfx12, the hardware
// resolves dependences except for a few cases, which require other instructions
// in between or a wait with s_waitcnt_depctr (s_wait_alu); see HazardsRdna.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_CHECK_HAZARDS_HAZARDS_H
#define AIRCC_SIMULATOR_CHECK_HAZARDS_HAZARDS_H

#include "simulator/check/Reports.h"
#include "simulator/check/Shadow.h"
#include "simulator/check/hazards/HazardRules.h"

#include <memory>

namespace aircc::sim {

class Hazards {
public:
  explicit Hazards(Reports &reports) : reports(reports) {}
  void begin(const LaunchState &state);
  void beginWave(WaveShadow &shadow) { shadow.issue.reset(); }
  /// Returns the facts of an operation of the launch. References remain valid.
  const HazardFacts &factsOf(const Op &op);
  void before(Wave &wave, WaveShadow &shadow, const Op &op,
              const HazardFacts &facts) {
    IssueHistory &issued = shadow.issue;
    if (countsStates)
      return checkCdna(wave, issued, op, facts);
    switch (facts.rdna) {
    case RdnaHazards::None:
      issued.dsNops = 0;
      return;
    case RdnaHazards::Vector:
      if (issued.vectorsSinceTrans <= kTransDistance)
        break;
      issued.dsNops = 0;
      issued.addVector(op, facts);
      return;
    case RdnaHazards::Memory:
      issued.dsNops = 0;
      issued.addMemory(op);
      return;
    case RdnaHazards::Any:
      break;
    }
    checkRdna(wave, issued, op, facts);
  }

private:
  /// The result of a transcendental instruction is ready after this many vector
  /// instructions.
  static constexpr unsigned kTransDistance = 5;
  // For gfx9.
  void checkCdna(Wave &wave, IssueHistory &issued, const Op &op,
                 const HazardFacts &facts);
  void checkWaitStates(Wave &wave, IssueHistory &issued, const Op &op,
                       const HazardFacts &facts);
  void checkRule(Wave &wave, IssueHistory &issued, const Op &op,
                 const HazardFacts &facts, unsigned index);
  void addMatrix(IssueHistory &issued, const Op &op, const HazardFacts &facts);
  bool dependsOn(const Op &first, const HazardFacts &firstFacts,
                 const Op &second, const HazardFacts &secondFacts,
                 HazardDependence dependence, std::string &what) const;
  void checkMatrix(Wave &wave, IssueHistory &issued, const Op &op,
                   const HazardFacts &facts);
  void checkMatrixUse(Wave &wave, IssueHistory &issued, const Op &op,
                      const HazardFacts &facts, const RegRange &range,
                      MatrixUse use);
  void report(Wave &wave, const Op &op, const Op &first,
              const std::string &what, unsigned states, unsigned needed);
  // For gfx11 and gfx12.
  RdnaHazards rdnaHazards(const Op &op, const HazardFacts &facts) const;
  void checkTransUse(Wave &wave, IssueHistory &issued, const Op &op);
  void checkPartialForwarding(Wave &wave, IssueHistory &issued, const Op &op);
  void checkMatrixInput(Wave &wave, IssueHistory &issued, const Op &op,
                        const HazardFacts &facts);
  void checkLdsDirect(Wave &wave, IssueHistory &issued, const Op &op);
  void checkPermlane(Wave &wave, IssueHistory &issued, const Op &op);
  void checkScalars(Wave &wave, IssueHistory &issued, const Op &op,
                    const HazardFacts &facts);
  void checkScalarReads(Wave &wave, IssueHistory &issued, const Op &op,
                        bool isVector);
  void recordScalarWrites(IssueHistory &issued, const Op &op, bool isVector);
  void reportScalarRead(Wave &wave, const IssueHistory &issued, const Op &op,
                        unsigned reg, bool isWrittenByScalar);
  void checkRdna(Wave &wave, IssueHistory &issued, const Op &op,
                 const HazardFacts &facts);

  Reports &reports;
  const LaunchState *state = nullptr;
  bool wave32 = false, countsStates = false;
  std::vector<HazardRule> rules;
  std::vector<std::unique_ptr<HazardFacts>> facts; ///< By OpInfo::index.
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_CHECK_HAZARDS_HAZARDS_H
