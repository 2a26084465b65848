//===- HoistAddresses.cpp - Compute addresses before loops ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not a workaround: a matrix instruction leaves few issue slots for arithmetic,
// and the optimizer leaves several instructions for each address, since it
// folds sums into disjoint `or`s, which hide the common parts.
//
// In a loop with many matrix instructions, this pass divides each address into
// a part that does not change in the loop, one that does, and a constant. It
// computes the first before the loop; accesses to LDS that differ only in the
// constant share one addition, and accesses to global memory get a uniform base
// in scalar registers.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/AMDGPUPasses.h"
#include "pipeline/codegen/llvm/amdgpu/MatrixProducts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/AMDGPUAddrSpace.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

unsigned getAddressSpace(Value *pointer) {
  return pointer->getType()->getPointerAddressSpace();
}

/// An address as a sum. The bits of `flipped` are inverted in the sum of all
/// parts but the constant.
struct Address {
  const SCEV *base = nullptr; ///< A pointer that does not change in the loop.
  /// The parts that do not change in the loop, and those that do.
  const SCEV *uniform = nullptr, *divergent = nullptr, *variant = nullptr;
  int64_t constant = 0, flipped = 0;
};

/// Rewrites the addresses of one loop.
class AddressHoister {
public:
  AddressHoister(Loop &loop, ScalarEvolution &evolution,
                 const UniformityInfo &uniformity)
      : loop(loop), evolution(evolution), uniformity(uniformity),
        expander(evolution, "address"),
        before(loop.getLoopPreheader()->getTerminator()) {}
  bool run();

private:
  bool divide(Address &address, Value *pointer);
  void addTerms(Address &address, const SCEV *expression,
                const SCEVConstant *scale);
  void lookThroughXor(Address &address, IntegerType *type);
  bool isUniform(const SCEV *expression) const;
  const SCEV *add(const SCEV *sum, const SCEV *term) {
    return sum ? evolution.getAddExpr(sum, term) : term;
  }
  Value *expand(const SCEV *expression, Instruction *at) {
    return expander.expandCodeFor(expression, expression->getType(),
                                  at->getIterator());
  }
  Value *createLDSPointer(const Address &address, Instruction *access);
  Value *createGlobalPointer(const Address &address, Instruction *access);

  Loop &loop;
  ScalarEvolution &evolution;
  const UniformityInfo &uniformity;
  SCEVExpander expander;
  Instruction *before;
  /// The sums of parts that do not change and parts that do.
  DenseMap<std::pair<const SCEV *, const SCEV *>, Value *> sums;
};

bool AddressHoister::isUniform(const SCEV *expression) const {
  return !SCEVExprContains(expression, [&](const SCEV *part) {
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    return unknown && uniformity.isDivergent(unknown->getValue());
  });
}

/// Adds `scale` times `expression`, in arithmetic of the type of `scale`, to
/// the parts of the address. Truncation and multiplication distribute over
/// sums.
void AddressHoister::addTerms(Address &address, const SCEV *expression,
                              const SCEVConstant *scale) {
  if (auto *sum = dyn_cast<SCEVAddExpr>(expression)) {
    for (const SCEV *term : sum->operands())
      addTerms(address, term, scale);
    return;
  }
  if (auto *truncated = dyn_cast<SCEVTruncateExpr>(expression))
    return addTerms(address, truncated->getOperand(), scale);
  if (auto *recurrence = dyn_cast<SCEVAddRecExpr>(expression);
      recurrence && recurrence->isAffine() && recurrence->getLoop() == &loop &&
      !recurrence->getStart()->isZero()) {
    addTerms(address, recurrence->getStart(), scale);
    const SCEV *zero = evolution.getZero(expression->getType());
    return addTerms(
        address,
        evolution.getAddRecExpr(zero, recurrence->getStepRecurrence(evolution),
                                &loop, SCEV::FlagAnyWrap),
        scale);
  }
  Type *type = scale->getType();
  if (auto *product = dyn_cast<SCEVMulExpr>(expression);
      product && product->getNumOperands() == 2)
    if (auto *factor = dyn_cast<SCEVConstant>(product->getOperand(0)))
      return addTerms(address, product->getOperand(1),
                      cast<SCEVConstant>(evolution.getMulExpr(
                          scale, evolution.getTruncateOrNoop(factor, type))));
  const SCEV *term = evolution.getMulExpr(
      scale, evolution.getTruncateOrNoop(expression, type));
  if (auto *constant = dyn_cast<SCEVConstant>(term))
    address.constant += constant->getAPInt().getSExtValue();
  else if (!evolution.isLoopInvariant(term, &loop))
    address.variant = add(address.variant, term);
  else if (isUniform(term))
    address.uniform = add(address.uniform, term);
  else
    address.divergent = add(address.divergent, term);
}

/// If the address but for a constant is a multiple of an xor with a constant,
/// as in swizzled buffers, divides the other operand of the xor.
void AddressHoister::lookThroughXor(Address &address, IntegerType *type) {
  if (!address.variant || address.uniform || address.divergent)
    return;
  const SCEV *expression = address.variant;
  APInt factor(type->getBitWidth(), 1);
  if (auto *product = dyn_cast<SCEVMulExpr>(expression)) {
    auto *constant = dyn_cast<SCEVConstant>(product->getOperand(0));
    if (!constant || product->getNumOperands() != 2 ||
        !constant->getAPInt().isPowerOf2())
      return;
    factor = constant->getAPInt();
    expression = product->getOperand(1);
  }
  if (auto *truncated = dyn_cast<SCEVTruncateExpr>(expression))
    expression = truncated->getOperand();
  auto *unknown = dyn_cast<SCEVUnknown>(expression);
  Value *operand = nullptr;
  const APInt *constant = nullptr;
  if (!unknown ||
      !match(unknown->getValue(), m_Xor(m_Value(operand), m_APInt(constant))))
    return;
  Address inner;
  addTerms(inner, evolution.getSCEV(operand),
           cast<SCEVConstant>(evolution.getConstant(factor)));
  int64_t flipped =
      (constant->sextOrTrunc(type->getBitWidth()) * factor).getSExtValue();
  // The constant can be added last if it does not reach the inverted bits.
  if (flipped <= 0 ||
      inner.constant % static_cast<int64_t>(NextPowerOf2(flipped)))
    return;
  inner.base = address.base;
  inner.constant += address.constant;
  inner.flipped = flipped;
  address = inner;
}

/// Divides the address into its parts. Fails if the base changes in the loop,
/// or the address is computed in a way that expanding it could not repeat.
bool AddressHoister::divide(Address &address, Value *pointer) {
  const SCEV *sum = evolution.getSCEV(pointer);
  if (!expander.isSafeToExpand(sum))
    return false;
  address.base = evolution.getPointerBase(sum);
  if (!evolution.isLoopInvariant(address.base, &loop))
    return false;
  const SCEV *offset = evolution.removePointerBase(sum);
  addTerms(address, offset,
           cast<SCEVConstant>(evolution.getOne(offset->getType())));
  if (getAddressSpace(pointer) == AMDGPUAS::LOCAL_ADDRESS)
    lookThroughXor(address, cast<IntegerType>(offset->getType()));
  return true;
}

Value *AddressHoister::createLDSPointer(const Address &address,
                                        Instruction *access) {
  const SCEV *invariant = address.divergent;
  if (address.uniform)
    invariant = add(invariant, address.uniform);
  Value *&sum = sums[{invariant, address.variant}];
  IRBuilder<> b(access);
  if (!sum) {
    Value *hoisted = invariant ? expand(invariant, before) : nullptr;
    Value *changing =
        address.variant ? expand(address.variant, access) : nullptr;
    sum = !hoisted    ? changing
          : !changing ? hoisted
                      : b.CreateAdd(hoisted, changing, "lds");
  }
  Value *pointer = expand(address.base, before);
  Value *offset = sum;
  if (address.flipped)
    offset = b.CreateXor(sum, address.flipped);
  if (offset)
    pointer = b.CreatePtrAdd(pointer, offset);
  return b.CreatePtrAdd(
      pointer, ConstantInt::getSigned(b.getInt32Ty(), address.constant));
}

Value *AddressHoister::createGlobalPointer(const Address &address,
                                           Instruction *access) {
  IRBuilder<> b(access);
  // What is uniform is added in scalar registers.
  const SCEV *base = evolution.getAddExpr(
      address.base,
      evolution.getConstant(b.getInt64Ty(), address.constant, true));
  if (address.uniform)
    base = evolution.getAddExpr(base, address.uniform);
  Value *pointer = expand(base, before);
  if (address.variant)
    pointer = b.CreatePtrAdd(pointer, expand(address.variant, access), "base");
  if (address.divergent)
    pointer = b.CreatePtrAdd(pointer, expand(address.divergent, before));
  return pointer;
}

bool AddressHoister::run() {
  SmallVector<std::pair<Instruction *, Address>> accesses;
  for (Instruction &inst : *loop.getHeader()) {
    Value *pointer = getLoadStorePointerOperand(&inst);
    Address address;
    if (pointer && isa<Instruction>(pointer) && divide(address, pointer))
      accesses.push_back({&inst, address});
  }
  for (auto &[inst, address] : accesses) {
    unsigned space = getLoadStoreAddressSpace(inst);
    Value *pointer = nullptr;
    if (space == AMDGPUAS::LOCAL_ADDRESS)
      pointer = createLDSPointer(address, inst);
    else if (space == AMDGPUAS::GLOBAL_ADDRESS)
      pointer = createGlobalPointer(address, inst);
    else
      continue;
    unsigned operand = isa<LoadInst>(inst)
                           ? LoadInst::getPointerOperandIndex()
                           : StoreInst::getPointerOperandIndex();
    Value *old = inst->getOperand(operand);
    inst->setOperand(operand, pointer);
    RecursivelyDeleteTriviallyDeadInstructions(old);
  }
  return !accesses.empty();
}

} // namespace

PreservedAnalyses
aircc::amdgpu::HoistAddressesPass::run(Function &function,
                                       FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  SmallVector<Loop *> some;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->getNumBlocks() == 1 && loop->getLoopPreheader() &&
        hasManyProducts(*loop->getHeader()))
      some.push_back(loop);
  if (some.empty())
    return PreservedAnalyses::all();
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto &uniformity = analyses.getResult<UniformityInfoAnalysis>(function);
  bool changed = false;
  for (Loop *loop : some)
    changed |= AddressHoister(*loop, evolution, uniformity).run();
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}
