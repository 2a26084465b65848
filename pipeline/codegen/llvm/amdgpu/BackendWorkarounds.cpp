//===- BackendWorkarounds.cpp - What LLVM 22's AMDGPU gets wrong ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/amdgpu/BackendWorkarounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/CodeGen/AtomicExpand.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace aircc {

void expandAtomics(Module &module, TargetMachine &machine) {
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (any_of(instructions(function), [](const Instruction &inst) {
          return isa<AtomicRMWInst, AtomicCmpXchgInst>(inst);
        }))
      functions.push_back(&function);
  if (functions.empty())
    return;
  FunctionAnalysisManager analyses;
  PassBuilder(&machine).registerFunctionAnalyses(analyses);
  AtomicExpandPass expand(machine);
  for (Function *function : functions)
    analyses.invalidate(*function, expand.run(*function, analyses));
}

static bool isNarrowDivision(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return inst.getType()->getScalarSizeInBits() < 32;
  default:
    return false;
  }
}

void widenDivisions(Module &module) {
  SmallVector<BinaryOperator *> divisions;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (isNarrowDivision(inst))
        divisions.push_back(cast<BinaryOperator>(&inst));
  for (BinaryOperator *division : divisions) {
    IRBuilder<> b(division);
    Type *narrow = division->getType();
    Type *wide = narrow->getWithNewBitWidth(32);
    bool isSigned = division->getOpcode() == Instruction::SDiv ||
                    division->getOpcode() == Instruction::SRem;
    Value *result =
        b.CreateBinOp(division->getOpcode(),
                      b.CreateIntCast(division->getOperand(0), wide, isSigned),
                      b.CreateIntCast(division->getOperand(1), wide, isSigned));
    division->replaceAllUsesWith(b.CreateTrunc(result, narrow));
    division->eraseFromParent();
  }
}

/// True if so much is known of the upper bits of `value` that instruction
/// selection may take it for a number of 24 bits, and they are not known to be
/// zeros.
static bool looksShort(Value *value, const DataLayout &layout) {
  constexpr unsigned kUpperBits = 9;
  return ComputeNumSignBits(value, layout) >= kUpperBits &&
         computeKnownBits(value, layout).countMinLeadingZeros() <
             kUpperBits - 1;
}

/// `value`, an i32, as one of which nothing is known.
static Value *hide(IRBuilder<> &b, Value *value) {
  auto *type = FunctionType::get(value->getType(), {value->getType()}, false);
  return b.CreateCall(type, InlineAsm::get(type, "", "=v,0", false), {value});
}

void keepUnsignedQuotients(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  SmallVector<BinaryOperator *> divisions;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (is_contained({Instruction::UDiv, Instruction::URem},
                       inst.getOpcode()) &&
          inst.getType()->getScalarSizeInBits() == 32 &&
          looksShort(inst.getOperand(0), layout))
        divisions.push_back(cast<BinaryOperator>(&inst));
  for (BinaryOperator *division : divisions) {
    IRBuilder<> b(division);
    Value *dividend = division->getOperand(0);
    auto *vector = dyn_cast<FixedVectorType>(dividend->getType());
    if (!vector) {
      division->setOperand(0, hide(b, dividend));
      continue;
    }
    Value *hidden = PoisonValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      hidden = b.CreateInsertElement(
          hidden, hide(b, b.CreateExtractElement(dividend, i)), i);
    division->setOperand(0, hidden);
  }
}

/// True if instruction selection may find a comparison of floats in how `value`
/// is made, and join it with others.
static bool hidesFloatComparison(Value *value, unsigned depth = 0) {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || !inst->getType()->isIntegerTy(1))
    return false;
  if (isa<FCmpInst>(inst))
    return true;
  // Deeper than any pattern that makes one comparison of several.
  if (depth == 8 ||
      !(isa<FreezeInst, SelectInst>(inst) || inst->isBitwiseLogicOp()))
    return false;
  return any_of(inst->operands(), [&](Value *operand) {
    return hidesFloatComparison(operand, depth + 1);
  });
}

static void mendBallot(IntrinsicInst &ballot) {
  IRBuilder<> b(&ballot);
  auto lessOrGreater = [&](auto take) {
    Value *less = take(CmpInst::FCMP_OLT);
    Value *greater = take(CmpInst::FCMP_OGT);
    ballot.replaceAllUsesWith(b.CreateOr(less, greater));
    ballot.eraseFromParent();
  };
  if (ballot.getIntrinsicID() == Intrinsic::amdgcn_fcmp) {
    Value *predicate = ballot.getArgOperand(2);
    if (cast<ConstantInt>(predicate)->equalsInt(CmpInst::FCMP_ONE))
      lessOrGreater([&](CmpInst::Predicate part) {
        Instruction *call = b.Insert(ballot.clone());
        call->setOperand(2, ConstantInt::get(predicate->getType(), part));
        return call;
      });
    return;
  }
  Value *condition = ballot.getArgOperand(0);
  if (auto *compare = dyn_cast<FCmpInst>(condition)) {
    if (compare->getPredicate() == CmpInst::FCMP_ONE)
      lessOrGreater([&](CmpInst::Predicate part) {
        Value *ordered = b.CreateFCmpFMF(part, compare->getOperand(0),
                                         compare->getOperand(1), compare);
        Instruction *call = b.Insert(ballot.clone());
        call->setOperand(0, ordered);
        return call;
      });
    return;
  }
  if (!hidesFloatComparison(condition))
    return;
  Type *type = b.getFloatTy();
  Value *number = b.CreateSelect(condition, ConstantFP::get(type, 1),
                                 ConstantFP::get(type, 0));
  number = b.CreateIntrinsic(Intrinsic::arithmetic_fence, {type}, {number});
  ballot.setArgOperand(0, b.CreateFCmpUNE(number, ConstantFP::get(type, 0)));
}

void mendBallots(Module &module) {
  SmallVector<IntrinsicInst *> ballots;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&inst);
          call && (call->getIntrinsicID() == Intrinsic::amdgcn_ballot ||
                   call->getIntrinsicID() == Intrinsic::amdgcn_fcmp))
        ballots.push_back(call);
  for (IntrinsicInst *ballot : ballots)
    mendBallot(*ballot);
}

void keepSignsOfProducts(Module &module) {
  SmallVector<FPTruncInst *> truncations;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *truncation = dyn_cast<FPTruncInst>(&inst);
          truncation && truncation->getType()->getScalarType()->isHalfTy() &&
          truncation->getSrcTy()->getScalarType()->isFloatTy())
        truncations.push_back(truncation);
  for (FPTruncInst *truncation : truncations) {
    Value *product = truncation->getOperand(0);
    Value *lhs, *rhs;
    // Instruction selection takes a negation into the product.
    bool isNegated = match(product, m_FNeg(m_FMul(m_Value(lhs), m_Value(rhs))));
    if ((!isNegated && !match(product, m_FMul(m_Value(lhs), m_Value(rhs)))) ||
        cast<Instruction>(product)->hasNoSignedZeros())
      continue;
    IRBuilder<> b(truncation);
    Type *type = product->getType();
    if (isNegated)
      lhs = b.CreateFNeg(lhs);
    truncation->setOperand(
        0, b.CreateIntrinsic(Intrinsic::fma, {type},
                             {lhs, rhs, ConstantFP::getNegativeZero(type)}));
  }
}

static bool isPositiveZero(const Constant *constant) {
  auto *number = dyn_cast_or_null<ConstantFP>(constant);
  return number && number->isZero() && !number->isNegative();
}

/// Whether `value`, or an element of it, is the constant +0.
static bool hasPositiveZero(const Value *value) {
  auto *constant = dyn_cast<Constant>(value);
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  if (!constant || !vector)
    return constant && isPositiveZero(constant);
  return any_of(seq(vector->getNumElements()), [&](unsigned i) {
    return isPositiveZero(constant->getAggregateElement(i));
  });
}

/// Puts a value of which nothing is known in the place of every +0.
static Value *hideZeros(IRBuilder<> &b, Value *zeros) {
  Type *type = zeros->getType()->getScalarType();
  auto *kind = FunctionType::get(type, {type}, /*isVarArg=*/false);
  Value *hidden = b.CreateCall(InlineAsm::get(kind, "", "=s,0",
                                              /*hasSideEffects=*/false),
                               {ConstantFP::getZero(type)});
  auto *vector = dyn_cast<FixedVectorType>(zeros->getType());
  if (!vector)
    return hidden;
  Value *result = zeros;
  for (unsigned i : seq(vector->getNumElements()))
    if (isPositiveZero(cast<Constant>(zeros)->getAggregateElement(i)))
      result = b.CreateInsertElement(result, hidden, i);
  return result;
}

void keepZerosOfDifferences(Module &module) {
  // The operand that is the zero of what may become 0 - x.
  SmallVector<Use *> zeros;
  auto isNegation = [](Value *value) {
    return match(value, m_FNeg(m_Value())) ||
           match(value, m_FMul(m_Value(), m_SpecificFP(-1)));
  };
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      Type *type = inst.getType()->getScalarType();
      if (!(type->isFloatTy() || type->isHalfTy()) ||
          !isa<FPMathOperator>(inst) || inst.hasNoSignedZeros())
        continue;
      auto *call = dyn_cast<IntrinsicInst>(&inst);
      const bool isFma = call && (call->getIntrinsicID() == Intrinsic::fma ||
                                  call->getIntrinsicID() == Intrinsic::fmuladd);
      Use *zero = nullptr;
      if (inst.getOpcode() == Instruction::FSub) {
        zero = &inst.getOperandUse(0);
      } else if (inst.getOpcode() == Instruction::FAdd) {
        if (isNegation(inst.getOperand(0)))
          zero = &inst.getOperandUse(1);
        else if (isNegation(inst.getOperand(1)))
          zero = &inst.getOperandUse(0);
      } else if (isFma && (match(inst.getOperand(0), m_SpecificFP(-1)) ||
                           match(inst.getOperand(1), m_SpecificFP(-1)))) {
        zero = &inst.getOperandUse(2);
      }
      if (zero && hasPositiveZero(*zero))
        zeros.push_back(zero);
    }
  for (Use *zero : zeros) {
    IRBuilder<> b(cast<Instruction>(zero->getUser()));
    zero->set(hideZeros(b, *zero));
  }
}

/// Collects the moves by DPP that `value` is made of, as far as instruction
/// selection may look.
static void collectDPPMoves(Value *value, SetVector<Instruction *> &moves,
                            unsigned depth = 0) {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || depth > 8)
    return;
  if (auto *call = dyn_cast<IntrinsicInst>(inst)) {
    Intrinsic::ID id = call->getIntrinsicID();
    unsigned bits = inst->getType()->getPrimitiveSizeInBits();
    if ((id == Intrinsic::amdgcn_update_dpp ||
         id == Intrinsic::amdgcn_mov_dpp) &&
        (bits == 32 || bits == 64))
      moves.insert(inst);
    return;
  }
  if (isa<CastInst, FreezeInst, InsertElementInst, ExtractElementInst>(inst) ||
      inst->isBitwiseLogicOp() || inst->isShift())
    for (Value *operand : inst->operands())
      collectDPPMoves(operand, moves, depth + 1);
}

void keepProductsFromDPP(Module &module) {
  SetVector<Instruction *> moves;
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      // Addresses are products with the sizes of elements.
      bool multiplies = inst.getOpcode() == Instruction::Mul ||
                        isa<GetElementPtrInst, WithOverflowInst>(inst);
      if (multiplies)
        for (Value *operand : inst.operands())
          collectDPPMoves(operand, moves);
    }
  for (Instruction *move : moves) {
    IRBuilder<> b(move->getNextNode());
    Type *type = move->getType();
    auto *kind = FunctionType::get(type, {type}, /*isVarArg=*/false);
    Value *hidden = b.CreateCall(
        InlineAsm::get(kind, "", "=v,0", /*hasSideEffects=*/false), {move});
    move->replaceUsesWithIf(hidden,
                            [&](Use &use) { return use.getUser() != hidden; });
  }
}

/// True for a store of what was loaded from the same private array.
static bool isStoredLoad(const Instruction &inst) {
  auto *store = dyn_cast<StoreInst>(&inst);
  auto *load = store ? dyn_cast<LoadInst>(store->getValueOperand()) : nullptr;
  if (!load)
    return false;
  const Value *array = getUnderlyingObject(store->getPointerOperand());
  return isa<AllocaInst>(array) &&
         array == getUnderlyingObject(load->getPointerOperand());
}

void skipPromotionOfStoredLoads(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](StringRef pass, Any ir) {
    auto *function = any_cast<const Function *>(&ir);
    return !function || !pass.starts_with("AMDGPUPromoteAlloca") ||
           none_of(instructions(**function), isStoredLoad);
  });
}

void freezeStoredLoads(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (isStoredLoad(inst)) {
        IRBuilder<> b(&inst);
        inst.setOperand(0, b.CreateFreeze(inst.getOperand(0)));
      }
}

/// A call of a function may be anything once it is inlined.
static bool needsLanesTogether(const Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call && (call->isConvergent() || !isa<IntrinsicInst>(call));
}

static bool isInLoopOfLanesTogether(BasicBlock *block, const LoopInfo &loops,
                                    DenseMap<Loop *, bool> &known) {
  for (Loop *loop = loops.getLoopFor(block); loop;
       loop = loop->getParentLoop()) {
    auto [place, isNew] = known.try_emplace(loop, false);
    if (isNew)
      place->second = any_of(loop->blocks(), [](const BasicBlock *inside) {
        return any_of(*inside, needsLanesTogether);
      });
    if (place->second)
      return true;
  }
  return false;
}

static SetVector<BasicBlock *> findJoins(Function &function,
                                         FunctionAnalysisManager &analyses) {
  SetVector<BasicBlock *> joins;
  const auto &loops = analyses.getResult<LoopAnalysis>(function);
  // A function that is not a kernel may be called in a loop.
  bool isKernel = function.getCallingConv() == CallingConv::AMDGPU_KERNEL;
  if (isKernel && loops.empty())
    return joins;
  auto &uniformity = analyses.getResult<UniformityInfoAnalysis>(function);
  auto &joinTree = analyses.getResult<PostDominatorTreeAnalysis>(function);
  DenseMap<Loop *, bool> known;
  for (BasicBlock &block : function) {
    if (!uniformity.hasDivergentTerminator(block))
      continue;
    DomTreeNode *node = joinTree.getNode(&block);
    BasicBlock *join =
        node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (join && (!isKernel || isInLoopOfLanesTogether(join, loops, known)))
      joins.insert(join);
  }
  return joins;
}

void markJoins(Module &module, TargetMachine &machine) {
  FunctionAnalysisManager analyses;
  PassBuilder(&machine).registerFunctionAnalyses(analyses);
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    for (BasicBlock *join : findJoins(function, analyses)) {
      IRBuilder<> b(join, join->getFirstInsertionPt());
      CallInst *mark = b.CreateIntrinsic(Intrinsic::amdgcn_wave_barrier, {});
      // Loads and stores may move past it. This tells it from one of the
      // program.
      mark->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    }
    analyses.clear(function, function.getName());
  }
}

void removeJoinMarks(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<IntrinsicInst>(&inst);
          call && call->getIntrinsicID() == Intrinsic::amdgcn_wave_barrier &&
          call->getMemoryEffects() == MemoryEffects::inaccessibleMemOnly())
        call->eraseFromParent();
}

} // namespace aircc
