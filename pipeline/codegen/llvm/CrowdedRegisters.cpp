//===- CrowdedRegisters.cpp - Register allocation if many values spill ----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8): the greedy register allocator assigns the values of a
// block in the order of their instructions. If there are more values than
// registers, nearly each value searches all registers for cheaper values to
// evict, searches all registers again for a new place for each of those, and
// evicts some, which then do the same. Symptom: a kernel with 5,000 i32 ops
// whose operands are far apart takes 1.6 seconds to compile, 1.2 of them in the
// allocator.
//
// Workaround: in functions with many more values than registers, the allocator
// takes the values in the order of their spill costs. Values without a register
// then have nothing cheaper to evict, so only values that cannot be spilled
// evict others. Fewer values are spilled than with LLVM's order.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/CrowdedRegisters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/RegAllocEvictionAdvisor.h"
#include "llvm/CodeGen/RegAllocPriorityAdvisor.h"
#include "llvm/CodeGen/RegisterClassInfo.h"
#include "llvm/CodeGen/SlotIndexes.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"

#include <utility>
#include <vector>

using namespace llvm;

/// The number of crowded instructions from which LLVM's order is slow. Shorter
/// functions are not examined.
static constexpr int kManyInstructions = 512;

namespace {

/// The values in registers of some kind.
struct Pressure {
  /// The points where values start or end, and the numbers of their registers.
  std::vector<std::pair<SlotIndex, int>> changes;
  int numRegisters = 0;
};

} // namespace

static std::vector<Pressure> collectPressure(const MachineFunction &function,
                                             const LiveIntervals &intervals,
                                             const RegisterClassInfo &classes) {
  const MachineRegisterInfo &registers = function.getRegInfo();
  std::vector<Pressure> pressures(
      registers.getTargetRegisterInfo()->getNumRegPressureSets());
  for (unsigned i = 0; i != registers.getNumVirtRegs(); ++i) {
    Register value = Register::index2VirtReg(i);
    if (registers.reg_nodbg_empty(value) || !intervals.hasInterval(value))
      continue;
    // RegisterClassInfo subtracts reserved registers of AMDGPU twice from the
    // limits of its sets.
    int available = classes.getNumAllocatableRegs(registers.getRegClass(value));
    PSetIterator set = registers.getPressureSets(VirtRegOrUnit(value));
    for (int weight = set.getWeight(); set.isValid(); ++set) {
      Pressure &pressure = pressures[*set];
      pressure.numRegisters = std::max(pressure.numRegisters, available);
      for (const LiveRange::Segment &segment : intervals.getInterval(value)) {
        pressure.changes.push_back({segment.start, weight});
        pressure.changes.push_back({segment.end, -weight});
      }
    }
  }
  return pressures;
}

/// Returns whether, at many instructions, the live values need more than twice
/// the registers of some kind. On some chips they fit in fewer, because there
/// are as many accumulation registers as other ones.
static bool isCrowded(const MachineFunction &function,
                      const LiveIntervals &intervals,
                      const RegisterClassInfo &classes) {
  if (function.getInstructionCount() < kManyInstructions)
    return false;
  for (auto &[changes, numRegisters] :
       collectPressure(function, intervals, classes)) {
    llvm::sort(changes, less_first());
    int live = 0, distance = 0;
    SlotIndex last;
    for (auto [where, registers] : changes) {
      if (live > 2 * numRegisters)
        distance += last.distance(where);
      live += registers;
      last = where;
    }
    if (distance >= kManyInstructions * SlotIndex::InstrDist)
      return true;
  }
  return false;
}

namespace {

class PriorityAdvisor final : public RegAllocPriorityAdvisor {
public:
  PriorityAdvisor(const MachineFunction &function, const RAGreedy &allocator,
                  SlotIndexes *indexes)
      : RegAllocPriorityAdvisor(function, allocator, indexes),
        fallback(function, allocator, indexes),
        crowded(isCrowded(function, *LIS, RegClassInfo)) {}

private:
  unsigned getPriority(const LiveInterval &range) const override {
    const RegAllocPriorityAdvisor &other = fallback;
    // Non-negative floats are in the order of their bits.
    return crowded ? bit_cast<unsigned>(range.weight())
                   : other.getPriority(range);
  }

  DefaultPriorityAdvisor fallback;
  const bool crowded;
};

class EvictionAdvisor final : public RegAllocEvictionAdvisor {
public:
  EvictionAdvisor(const MachineFunction &function, const RAGreedy &allocator)
      : RegAllocEvictionAdvisor(function, allocator),
        fallback(function, allocator),
        crowded(isCrowded(function, *LIS, RegClassInfo)) {}

private:
  MCRegister
  tryFindEvictionCandidate(const LiveInterval &range,
                           const AllocationOrder &order, uint8_t costLimit,
                           const SmallVirtRegSet &fixed) const override {
    if (crowded && range.isSpillable())
      return MCRegister();
    const RegAllocEvictionAdvisor &other = fallback;
    return other.tryFindEvictionCandidate(range, order, costLimit, fixed);
  }

  bool canEvictHintInterference(const LiveInterval &range, MCRegister hint,
                                const SmallVirtRegSet &fixed) const override {
    const RegAllocEvictionAdvisor &other = fallback;
    return !crowded && other.canEvictHintInterference(range, hint, fixed);
  }

  DefaultEvictionAdvisor fallback;
  const bool crowded;
};

class PriorityProvider final : public RegAllocPriorityAdvisorProvider {
public:
  PriorityProvider() : RegAllocPriorityAdvisorProvider(AdvisorMode::Default) {}

  std::unique_ptr<RegAllocPriorityAdvisor>
  getAdvisor(const MachineFunction &function, const RAGreedy &allocator,
             SlotIndexes &indexes) override {
    return std::make_unique<PriorityAdvisor>(function, allocator, &indexes);
  }
};

class EvictionProvider final : public RegAllocEvictionAdvisorProvider {
public:
  explicit EvictionProvider(LLVMContext &context)
      : RegAllocEvictionAdvisorProvider(AdvisorMode::Default, context) {}

  std::unique_ptr<RegAllocEvictionAdvisor>
  getAdvisor(const MachineFunction &function, const RAGreedy &allocator,
             MachineBlockFrequencyInfo *, MachineLoopInfo *) override {
    return std::make_unique<EvictionAdvisor>(function, allocator);
  }
};

class PriorityAnalysis final : public RegAllocPriorityAdvisorAnalysisLegacy {
public:
  PriorityAnalysis()
      : RegAllocPriorityAdvisorAnalysisLegacy(AdvisorMode::Default) {
    Provider = std::make_unique<PriorityProvider>();
  }
};

class EvictionAnalysis final : public RegAllocEvictionAdvisorAnalysisLegacy {
public:
  EvictionAnalysis()
      : RegAllocEvictionAdvisorAnalysisLegacy(AdvisorMode::Default) {}

  bool doInitialization(Module &module) override {
    Provider = std::make_unique<EvictionProvider>(module.getContext());
    return false;
  }
};

} // namespace

void aircc::addCrowdedRegisterAdvisors(legacy::PassManagerBase &passes) {
  passes.add(new PriorityAnalysis);
  passes.add(new EvictionAnalysis);
}
