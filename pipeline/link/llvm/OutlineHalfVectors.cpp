//===- OutlineHalfVectors.cpp - Vectors of f16 on hosts without them ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Defect (LLVM 22.1.8): if the processor has no f16 conversions (x86-64 without
// F16C), the backend calls a function for each element of an f16 vector, one
// after another in the same block. Symptom: compile time is superlinear in the
// number of elements: 64 x 64 elements take minutes.
//
// Workaround: arithmetic on long f16 vectors is done in f32, which gives the
// same bits, and conversions of such vectors become calls to a loop.
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/HostPipeline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace {

/// Shorter vectors are left to LLVM.
constexpr unsigned minElements = 8;

/// Returns the number of elements in a long f16 vector, or 0 for another type.
unsigned getHalves(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector || !vector->getElementType()->isHalfTy() ||
      vector->getNumElements() < minElements)
    return 0;
  return vector->getNumElements();
}

/// Returns a function of the module that loops over `count` elements. `body`
/// receives the index of the element and the function.
Function *getLoop(Module &module, const Twine &name, FunctionType *type,
                  unsigned count,
                  function_ref<void(IRBuilder<> &, Function *, Value *)> body) {
  std::string symbol = name.str();
  if (Function *function = module.getFunction(symbol))
    return function;
  LLVMContext &context = module.getContext();
  auto *function =
      Function::Create(type, GlobalValue::InternalLinkage, symbol, module);
  // Inlining it would defeat its purpose.
  function->addFnAttr(Attribute::NoInline);
  function->addFnAttr(Attribute::NoUnwind);
  auto *entry = BasicBlock::Create(context, "entry", function);
  auto *loop = BasicBlock::Create(context, "loop", function);
  auto *exit = BasicBlock::Create(context, "exit", function);
  IRBuilder<> b(entry);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  PHINode *index = b.CreatePHI(b.getInt64Ty(), 2, "i");
  index->addIncoming(b.getInt64(0), entry);
  body(b, function, index);
  Value *next = b.CreateAdd(index, b.getInt64(1));
  index->addIncoming(next, loop);
  b.CreateCondBr(b.CreateICmpEQ(next, b.getInt64(count)), exit, loop);
  ReturnInst::Create(context, exit);
  return function;
}

/// Rewrites one function.
class Rewriter {
public:
  explicit Rewriter(Function &function)
      : module(*function.getParent()), context(function.getContext()),
        b(context), function(function), halfTy(Type::getHalfTy(context)),
        floatTy(Type::getFloatTy(context)) {}

  void run() {
    SmallVector<Instruction *> all = map_to_vector(
        instructions(function), [](Instruction &i) { return &i; });
    for (Instruction *i : all) {
      b.SetInsertPoint(i);
      Value *replacement = rewrite(i);
      if (!replacement)
        continue;
      if (auto *made = dyn_cast<Instruction>(replacement))
        made->takeName(i);
      i->replaceAllUsesWith(replacement);
      i->eraseFromParent();
    }
  }

private:
  /// Returns the replacement of the instruction; null if it is kept.
  Value *rewrite(Instruction *i) {
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(i))
      return rewriteIntrinsic(intrinsic);
    if (auto *op = dyn_cast<BinaryOperator>(i)) {
      // frem calls a function for each element in any case.
      if (!getHalves(op->getType()) || op->getOpcode() == Instruction::FRem)
        return nullptr;
      return binary(op->getOpcode(), op->getOperand(0), op->getOperand(1), op);
    }
    if (auto *compare = dyn_cast<FCmpInst>(i)) {
      if (!getHalves(compare->getOperand(0)->getType()))
        return nullptr;
      return b.CreateFCmp(compare->getPredicate(),
                          extend(compare->getOperand(0)),
                          extend(compare->getOperand(1)));
    }
    auto *cast = dyn_cast<CastInst>(i);
    if (!cast)
      return nullptr;
    Value *in = cast->getOperand(0);
    Type *type = cast->getType();
    switch (cast->getOpcode()) {
    case Instruction::FPExt: // f32 and f64 can represent every f16.
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      if (!getHalves(in->getType()))
        return nullptr;
      in = extend(in);
      return in->getType() == type ? in
                                   : b.CreateCast(cast->getOpcode(), in, type);
    case Instruction::FPTrunc: // f64 would be rounded twice.
      if (!getHalves(type) || !in->getType()->getScalarType()->isFloatTy())
        return nullptr;
      return truncate(in);
    case Instruction::SIToFP: // Values that f32 rounds are infinite in f16.
    case Instruction::UIToFP:
      if (unsigned count = getHalves(type))
        return truncate(b.CreateCast(cast->getOpcode(), in,
                                     FixedVectorType::get(floatTy, count)));
      return nullptr;
    default:
      return nullptr;
    }
  }

  Value *rewriteIntrinsic(IntrinsicInst *i) {
    Intrinsic::ID id = i->getIntrinsicID();
    switch (id) {
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
    case Intrinsic::minimum:
    case Intrinsic::maximum:
    case Intrinsic::minimumnum:
    case Intrinsic::maximumnum:
      if (!getHalves(i->getType()))
        return nullptr;
      return truncate(b.CreateBinaryIntrinsic(id, extend(i->getArgOperand(0)),
                                              extend(i->getArgOperand(1)), i));
    case Intrinsic::fmuladd: { // The processor has no fused one.
      if (!getHalves(i->getType()))
        return nullptr;
      Value *product = binary(Instruction::FMul, i->getArgOperand(0),
                              i->getArgOperand(1), i);
      return binary(Instruction::FAdd, product, i->getArgOperand(2), i);
    }
    case Intrinsic::vector_reduce_fmin:
    case Intrinsic::vector_reduce_fmax:
    case Intrinsic::vector_reduce_fminimum:
    case Intrinsic::vector_reduce_fmaximum: {
      Value *in = i->getArgOperand(0);
      if (!getHalves(in->getType()))
        return nullptr;
      in = extend(in);
      return b.CreateFPTrunc(b.CreateIntrinsic(floatTy, id, {in}, FMFSource(i)),
                             halfTy);
    }
    case Intrinsic::vector_reduce_fadd:
      return reduce(i, Instruction::FAdd, "aircc.half.add.");
    case Intrinsic::vector_reduce_fmul:
      return reduce(i, Instruction::FMul, "aircc.half.mul.");
    default:
      return nullptr;
    }
  }

  /// f32 has more than twice the bits of f16, so rounding its result is
  /// equivalent to rounding the exact result.
  Value *binary(Instruction::BinaryOps opcode, Value *x, Value *y,
                Instruction *like) {
    Value *result = b.CreateBinOp(opcode, extend(x), extend(y));
    if (auto *made = dyn_cast<Instruction>(result))
      made->copyFastMathFlags(like);
    return truncate(result);
  }

  Value *extend(Value *in) {
    return convert(in, halfTy, floatTy, "aircc.half.extend.",
                   [](IRBuilder<> &b, Value *x, Type *to) {
                     return b.CreateFPExt(x, to);
                   });
  }
  Value *truncate(Value *in) {
    return convert(in, floatTy, halfTy, "aircc.half.truncate.",
                   [](IRBuilder<> &b, Value *x, Type *to) {
                     return b.CreateFPTrunc(x, to);
                   });
  }

  Value *
  convert(Value *in, Type *from, Type *to, StringRef name,
          function_ref<Value *(IRBuilder<> &, Value *, Type *)> element) {
    unsigned count = cast<FixedVectorType>(in->getType())->getNumElements();
    Type *ptr = b.getPtrTy();
    Function *loop = getLoop(
        module, name + Twine(count),
        FunctionType::get(b.getVoidTy(), {ptr, ptr}, false), count,
        [&](IRBuilder<> &b, Function *f, Value *index) {
          Value *x = b.CreateLoad(from, b.CreateGEP(from, f->getArg(1), index));
          b.CreateStore(element(b, x, to),
                        b.CreateGEP(to, f->getArg(0), index));
        });
    Value *source = store(in);
    Value *result = getSlot(to, count);
    b.CreateCall(loop, {result, source});
    return b.CreateAlignedLoad(FixedVectorType::get(to, count), result,
                               slotAlign);
  }

  /// Creates an in-order fadd or fmul reduction.
  Value *reduce(IntrinsicInst *i, Instruction::BinaryOps opcode,
                StringRef name) {
    Value *in = i->getArgOperand(1);
    unsigned count = getHalves(in->getType());
    if (!count)
      return nullptr;
    Type *ptr = b.getPtrTy();
    Function *loop =
        getLoop(module, name + Twine(count),
                FunctionType::get(b.getVoidTy(), {ptr, ptr}, false), count,
                [&](IRBuilder<> &b, Function *f, Value *index) {
                  Value *x = b.CreateLoad(
                      halfTy, b.CreateGEP(halfTy, f->getArg(1), index));
                  Value *sum = b.CreateLoad(halfTy, f->getArg(0));
                  b.CreateStore(b.CreateBinOp(opcode, sum, x), f->getArg(0));
                });
    Value *source = store(in);
    Value *result = getSlot(floatTy, count);
    b.CreateAlignedStore(i->getArgOperand(0), result, slotAlign);
    b.CreateCall(loop, {result, source});
    return b.CreateAlignedLoad(halfTy, result, slotAlign);
  }

  Value *store(Value *in) {
    auto *type = cast<FixedVectorType>(in->getType());
    // Halves and floats have separate slots, because one is read while the
    // other is written.
    Value *slot = getSlot(type->getElementType(), type->getNumElements());
    b.CreateAlignedStore(in, slot, slotAlign);
    return slot;
  }

  /// Returns function memory for this many elements, shared by all vectors of
  /// the type. It is free again when the result has been loaded.
  Value *getSlot(Type *element, unsigned count) {
    AllocaInst *&slot = slots[{element, count}];
    if (!slot) {
      BasicBlock &entry = function.getEntryBlock();
      IRBuilder<> start(&entry, entry.begin());
      slot = start.CreateAlloca(ArrayType::get(element, count));
      slot->setAlignment(slotAlign);
    }
    return slot;
  }

  static constexpr Align slotAlign = Align::Constant<16>();
  Module &module;
  LLVMContext &context;
  IRBuilder<> b;
  Function &function;
  Type *halfTy, *floatTy;
  DenseMap<std::pair<Type *, unsigned>, AllocaInst *> slots;
};

} // namespace

PreservedAnalyses aircc::OutlineHalfVectorsPass::run(Module &module,
                                                     ModuleAnalysisManager &) {
  if (!module.getTargetTriple().isX86())
    return PreservedAnalyses::all();
  SmallVector<Function *> functions;
  for (Function &function : module)
    // A function for a processor other than the module's may have f16
    // conversions.
    if (!function.isDeclaration() && !function.hasFnAttribute("target-cpu") &&
        !function.hasFnAttribute("target-features"))
      functions.push_back(&function);
  for (Function *function : functions)
    Rewriter(*function).run();
  return PreservedAnalyses::none();
}
