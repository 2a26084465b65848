//===- SPIRVWorkarounds.cpp - What the SPIR-V backend cannot take ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVWorkarounds.h"

#include "pipeline/codegen/llvm/spirv/SPIRVVectors.h"
#include "pipeline/codegen/xevm/IntelFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

/// SPIR-V's storage class Generic, in LLVM's numbering.
static constexpr unsigned kGenericAddressSpace = 4;

void aircc::prepareForSPIRV(Module &module) {
  renameIntelFunctions(module);
  // Before the optimizer takes vectors of booleans for integers of their size.
  expandReductions(module);
  auto isKernel = [](const Function *function) {
    return function && function->getCallingConv() == CallingConv::SPIR_KERNEL;
  };
  for (Function &function : module) {
    // Tables would be constants in the address space of the stack.
    function.addFnAttr("no-jump-tables", "true");
    if (!isKernel(&function) && !function.isIntrinsic()) {
      function.setCallingConv(CallingConv::SPIR_FUNC);
      for (User *user : function.users())
        if (auto *call = dyn_cast<CallBase>(user))
          call->setCallingConv(CallingConv::SPIR_FUNC);
    }
  }
  internalizeModule(module, [&](const GlobalValue &value) {
    return isa<Function>(value) ? isKernel(dyn_cast<Function>(&value))
                                : value.hasExternalLinkage();
  });
}

/// True if the loop carries a number of 64 bits that does not change by the
/// same amount in each iteration.
static bool carriesWideSum(const Loop &loop) {
  return any_of(loop.getHeader()->phis(), [&](const PHINode &phi) {
    if (!phi.getType()->isIntegerTy(64))
      return false;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      if (!loop.contains(phi.getIncomingBlock(i)))
        continue;
      auto *update = dyn_cast<BinaryOperator>(phi.getIncomingValue(i));
      bool isLinear =
          update && any_of(update->operands(), [&](const Value *operand) {
            return loop.isLoopInvariant(operand);
          });
      if (!isLinear)
        return true;
    }
    return false;
  });
}

void aircc::skipClosedFormsOfSums(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](StringRef pass, Any ir) {
    auto *loop = any_cast<const Loop *>(&ir);
    return !loop || pass != "IndVarSimplifyPass" || !carriesWideSum(**loop);
  });
}

void aircc::addSPIRVPasses(PassBuilder &builder) {
  auto add = [](FunctionPassManager &passes, OptimizationLevel) {
    passes.addPass(InferAddressSpacesPass(kGenericAddressSpace));
    passes.addPass(InstCombinePass());
  };
  // Early, for what depends on aliasing, and when all is inlined and unrolled.
  builder.registerPeepholeEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) {
        passes.addPass(InferAddressSpacesPass(kGenericAddressSpace));
      });
  builder.registerScalarOptimizerLateEPCallback(add);
  // SPIR-V has no masked accesses to memory: they are branches around each
  // element, which the optimizer may find out more of.
  builder.registerPipelineStartEPCallback(
      [](ModulePassManager &passes, OptimizationLevel) {
        passes.addPass(
            createModuleToFunctionPassAdaptor(ScalarizeMaskedMemIntrinPass()));
      });
}

/// A vector of one element as that, other types as they are.
static Type *withoutUnitVector(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getNumElements() == 1 ? vector->getElementType()
                                                 : type;
}

/// Calls `present`, whose operands and result are elements where those of
/// `call` are vectors of one.
static void callWithScalars(CallInst *call, Function *present) {
  IRBuilder<> b(call);
  SmallVector<Value *> operands;
  for (Value *operand : call->args())
    operands.push_back(withoutUnitVector(operand->getType()) ==
                               operand->getType()
                           ? operand
                           : b.CreateExtractElement(operand, uint64_t(0)));
  CallInst *scalar = b.CreateCall(present, operands);
  scalar->setCallingConv(call->getCallingConv());
  scalar->setAttributes(call->getAttributes());
  Value *result = scalar;
  if (call->getType() != scalar->getType())
    result = b.CreateInsertElement(PoisonValue::get(call->getType()), scalar,
                                   uint64_t(0));
  call->replaceAllUsesWith(result);
  call->eraseFromParent();
}

void aircc::renameIntelFunctions(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic())
      continue;
    std::string name = getIntelName(function.getName());
    if (name == function.getName())
      continue;
    SmallVector<Type *> parameters =
        map_to_vector(function.getFunctionType()->params(), withoutUnitVector);
    auto *type = FunctionType::get(withoutUnitVector(function.getReturnType()),
                                   parameters, /*isVarArg=*/false);
    if (type == function.getFunctionType() && !module.getFunction(name)) {
      function.setName(name);
      continue;
    }
    auto *present =
        cast<Function>(module.getOrInsertFunction(name, type).getCallee());
    present->setAttributes(function.getAttributes());
    for (User *user : make_early_inc_range(function.users()))
      callWithScalars(cast<CallInst>(user), present);
    function.eraseFromParent();
  }
}

void aircc::maskTruncatedValues(Module &module) {
  using namespace PatternMatch;
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      Value *wide;
      if (!match(&instruction, m_ZExt(m_Trunc(m_Value(wide)))))
        continue;
      Type *type = instruction.getType();
      unsigned kept =
          instruction.getOperand(0)->getType()->getScalarSizeInBits();
      IRBuilder<> b(&instruction);
      Value *resized = b.CreateZExtOrTrunc(wide, type);
      APInt mask = APInt::getLowBitsSet(type->getScalarSizeInBits(), kept);
      Value *masked = b.CreateAnd(resized, ConstantInt::get(type, mask));
      instruction.replaceAllUsesWith(masked);
      instruction.eraseFromParent();
    }
}

/// All calls of one kind of intrinsic.
template <typename Call> static SmallVector<Call *> collect(Module &module) {
  SmallVector<Call *> calls;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<Call>(&instruction))
        calls.push_back(call);
  return calls;
}

void aircc::expandOverflowChecks(Module &module) {
  for (WithOverflowInst *call : collect<WithOverflowInst>(module)) {
    if (!call->getLHS()->getType()->isVectorTy() || call->isSigned() ||
        call->getBinaryOp() == Instruction::Mul)
      continue;
    IRBuilder<> b(call);
    Value *value =
        b.CreateBinOp(call->getBinaryOp(), call->getLHS(), call->getRHS());
    // A sum that is too large is less than each of its parts, a difference more
    // than what it was taken from.
    bool isSum = call->getBinaryOp() == Instruction::Add;
    Value *overflow = isSum ? b.CreateICmpULT(value, call->getLHS())
                            : b.CreateICmpULT(call->getLHS(), call->getRHS());
    for (User *user : make_early_inc_range(call->users()))
      if (auto *extract = dyn_cast<ExtractValueInst>(user)) {
        extract->replaceAllUsesWith(extract->getIndices()[0] ? overflow
                                                             : value);
        extract->eraseFromParent();
      }
    if (call->use_empty())
      call->eraseFromParent();
  }
}

/// The operation on two elements that a reduction does again and again.
static Value *reduceTwo(IRBuilder<> &b, Intrinsic::ID reduction, Value *left,
                        Value *right) {
  switch (reduction) {
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_mul:
  case Intrinsic::vector_reduce_and:
  case Intrinsic::vector_reduce_or:
  case Intrinsic::vector_reduce_xor:
  case Intrinsic::vector_reduce_fadd:
  case Intrinsic::vector_reduce_fmul:
    return b.CreateBinOp(static_cast<Instruction::BinaryOps>(
                             getArithmeticReductionInstruction(reduction)),
                         left, right);
  case Intrinsic::vector_reduce_smin:
  case Intrinsic::vector_reduce_smax:
  case Intrinsic::vector_reduce_umin:
  case Intrinsic::vector_reduce_umax:
  case Intrinsic::vector_reduce_fmin:
  case Intrinsic::vector_reduce_fmax:
  case Intrinsic::vector_reduce_fminimum:
  case Intrinsic::vector_reduce_fmaximum:
    return b.CreateBinaryIntrinsic(getMinMaxReductionIntrinsicOp(reduction),
                                   left, right);
  default:
    return nullptr;
  }
}

static bool isReduction(const IntrinsicInst *call) {
  return call->getCalledFunction()->getName().starts_with(
      "llvm.vector.reduce.");
}

void aircc::expandReductions(Module &module) {
  for (IntrinsicInst *call : collect<IntrinsicInst>(module)) {
    if (!isReduction(call))
      continue;
    IRBuilder<> b(call);
    if (isa<FPMathOperator>(call))
      b.setFastMathFlags(call->getFastMathFlags());
    // Sums and products of floats start with an operand.
    bool hasStart = call->arg_size() == 2;
    Value *vector = call->getArgOperand(hasStart);
    Value *result = hasStart ? call->getArgOperand(0) : nullptr;
    auto *type = cast<FixedVectorType>(vector->getType());
    for (unsigned i = 0; i < type->getNumElements(); ++i) {
      Value *element = b.CreateExtractElement(vector, i);
      result = result ? reduceTwo(b, call->getIntrinsicID(), result, element)
                      : element;
    }
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
  }
}

/// Swaps neighbours, pairs of neighbours, and so on.
static Value *reverseBits(IRBuilder<> &b, Value *value) {
  Type *type = value->getType();
  unsigned bits = type->getScalarSizeInBits();
  for (unsigned distance = 1; distance < bits; distance *= 2) {
    APInt low =
        APInt::getSplat(bits, APInt::getLowBitsSet(distance * 2, distance));
    Value *mask = ConstantInt::get(type, low);
    Value *up = b.CreateShl(b.CreateAnd(value, mask), distance);
    Value *down = b.CreateAnd(b.CreateLShr(value, distance), mask);
    value = b.CreateOr(up, down);
  }
  return value;
}

void aircc::expandBitReversals(Module &module) {
  for (IntrinsicInst *call : collect<IntrinsicInst>(module)) {
    if (call->getIntrinsicID() != Intrinsic::bitreverse)
      continue;
    IRBuilder<> b(call);
    Type *type = call->getType();
    unsigned bits = type->getScalarSizeInBits(),
             wide = PowerOf2Ceil(std::max(bits, 8u));
    Value *value =
        b.CreateZExt(call->getArgOperand(0), type->getWithNewBitWidth(wide));
    value = b.CreateLShr(reverseBits(b, value), wide - bits);
    call->replaceAllUsesWith(b.CreateTrunc(value, type));
    call->eraseFromParent();
  }
}

void aircc::expandSignedBooleans(Module &module) {
  for (SIToFPInst *cast : collect<SIToFPInst>(module)) {
    Value *boolean = cast->getOperand(0);
    if (!boolean->getType()->isIntOrIntVectorTy(1))
      continue;
    IRBuilder<> b(cast);
    Type *type = cast->getType();
    cast->replaceAllUsesWith(b.CreateSelect(boolean, ConstantFP::get(type, -1),
                                            ConstantFP::getZero(type)));
    cast->eraseFromParent();
  }
}

void aircc::expandFunnelShifts(Module &module) {
  for (IntrinsicInst *call : collect<IntrinsicInst>(module)) {
    bool isLeft = call->getIntrinsicID() == Intrinsic::fshl;
    if (!isLeft && call->getIntrinsicID() != Intrinsic::fshr)
      continue;
    IRBuilder<> b(call);
    Type *type = call->getType();
    unsigned bits = type->getScalarSizeInBits();
    Value *high = call->getArgOperand(0), *low = call->getArgOperand(1);
    Value *distance =
        b.CreateURem(call->getArgOperand(2), ConstantInt::get(type, bits));
    // The other part by one less, and one: no shift is by the whole width.
    Value *rest = b.CreateSub(ConstantInt::get(type, bits - 1), distance);
    Value *result = isLeft
                        ? b.CreateOr(b.CreateShl(high, distance),
                                     b.CreateLShr(b.CreateLShr(low, 1), rest))
                        : b.CreateOr(b.CreateLShr(low, distance),
                                     b.CreateShl(b.CreateShl(high, 1), rest));
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
  }
}

void aircc::dropPrefetches(Module &module) {
  for (IntrinsicInst *call : collect<IntrinsicInst>(module))
    if (call->getIntrinsicID() == Intrinsic::prefetch)
      call->eraseFromParent();
}

bool aircc::legalizeForSPIRV(Module &module) {
  dropPrefetches(module);
  expandReductions(module);
  expandBitReversals(module);
  expandFunnelShifts(module);
  expandSignedBooleans(module);
  expandOverflowChecks(module);
  expandSPIRVAtomics(module);
  // Booleans and memory before the values that are left are of other types.
  storeBooleansAsBytes(module);
  if (!splitVectors(module) || !widenOddIntegers(module))
    return false;
  maskTruncatedValues(module);
  return true;
}
