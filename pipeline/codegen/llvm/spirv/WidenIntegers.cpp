//===- WidenIntegers.cpp - Integers of sizes that SPIR-V lacks ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defect (LLVM 22.1.8; later, llvm/llvm-project#203661 and #191393 fix some
// operations): SPIR-V has integers of 8, 16, 32 and 64 bits. The backend treats
// an integer of another size as the next larger one and does not ignore its
// upper bits. Symptom: wrong signs and garbage in the upper bits:
//
//   %c = icmp slt i4 %x, 0        ; never true
//
// Workaround: such an integer becomes the next larger one, with upper bits that
// are always 0.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/ForeignTypes.h"
#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace {

/// Returns whether the type is an integer of another size, or a vector of them.
bool isOdd(Type *type) {
  if (!type->isIntOrIntVectorTy())
    return false;
  unsigned bits = type->getScalarSizeInBits();
  return bits != 1 && (bits < 8 || bits > 64 || !isPowerOf2_32(bits));
}

Type *widen(Type *type) {
  unsigned bits = PowerOf2Ceil(std::max(type->getScalarSizeInBits(), 8u));
  return type->getWithNewBitWidth(bits);
}

/// Widens the values of one function.
class Widener {
public:
  explicit Widener(Function &function)
      : function(function), b(function.getContext()) {}

  void run() {
    SmallVector<Instruction *> affected =
        aircc::spirv::findForeign(function, isOdd);
    for (Instruction *instruction : affected) {
      b.SetInsertPoint(instruction);
      Value *result = isTooWide(*instruction) ? nullptr : visit(*instruction);
      if (!result) {
        aircc::spirv::reportForeign(*instruction, "integers of this size");
        return;
      }
      if (isOdd(instruction->getType()))
        wide[instruction] = result;
      else if (result != instruction)
        instruction->replaceAllUsesWith(result);
    }
    for (auto [phi, created] : phis)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        created->addIncoming(getWide(phi->getIncomingValue(i)),
                             phi->getIncomingBlock(i));
    // Only replace the condition of a switch.
    erase_if(affected, [](Instruction *instruction) {
      return isa<SwitchInst>(instruction);
    });
    aircc::spirv::eraseReplaced(affected);
  }

private:
  static bool isTooWide(Instruction &instruction) {
    auto isWide = [](Type *type) {
      return type->isIntOrIntVectorTy() && type->getScalarSizeInBits() > 64;
    };
    return isWide(instruction.getType()) ||
           any_of(instruction.operands(),
                  [&](Value *operand) { return isWide(operand->getType()); });
  }

  /// Returns the value with upper bits of 0. A value of another type is
  /// returned unchanged.
  Value *getWide(Value *value) {
    if (!isOdd(value->getType()))
      return value;
    if (auto *constant = dyn_cast<Constant>(value))
      return b.CreateZExt(constant, widen(value->getType()));
    return wide.lookup(value);
  }

  /// Returns the value with upper bits that are copies of its sign.
  Value *getSigned(Value *value) {
    Value *result = getWide(value);
    if (!isOdd(value->getType()))
      return result;
    unsigned unused = result->getType()->getScalarSizeInBits() -
                      value->getType()->getScalarSizeInBits();
    return b.CreateAShr(b.CreateShl(result, unused), unused);
  }

  /// Returns `value` in the wide form of `type`, with upper bits of 0.
  Value *mask(Value *value, Type *type) {
    if (!isOdd(type))
      return value;
    APInt bits = APInt::getLowBitsSet(value->getType()->getScalarSizeInBits(),
                                      type->getScalarSizeInBits());
    return b.CreateAnd(value, ConstantInt::get(value->getType(), bits));
  }

  Value *visit(Instruction &instruction) {
    if (auto *binary = dyn_cast<BinaryOperator>(&instruction))
      return visitBinary(*binary);
    if (auto *compare = dyn_cast<ICmpInst>(&instruction)) {
      auto get = [&](Value *value) {
        return compare->isSigned() ? getSigned(value) : getWide(value);
      };
      return b.CreateICmp(compare->getPredicate(), get(compare->getOperand(0)),
                          get(compare->getOperand(1)));
    }
    if (auto *cast = dyn_cast<CastInst>(&instruction))
      return visitCast(*cast);
    if (auto *phi = dyn_cast<PHINode>(&instruction)) {
      PHINode *created =
          b.CreatePHI(widen(phi->getType()), phi->getNumIncomingValues());
      phis.push_back({phi, created});
      return created;
    }
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return visitLoad(*load);
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      return visitStore(*store);
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      return visitIntrinsic(*call);
    if (auto *branch = dyn_cast<SwitchInst>(&instruction)) {
      branch->setCondition(getWide(branch->getCondition()));
      for (auto choice : branch->cases())
        choice.setValue(ConstantInt::get(
            b.getContext(),
            choice.getCaseValue()->getValue().zext(
                branch->getCondition()->getType()->getIntegerBitWidth())));
      return branch;
    }
    if (isa<SelectInst, FreezeInst, ExtractElementInst, InsertElementInst,
            ShuffleVectorInst>(instruction)) {
      // These operations only copy values.
      Instruction *moved = instruction.clone();
      for (unsigned i = 0; i < moved->getNumOperands(); ++i)
        moved->setOperand(i, getWide(instruction.getOperand(i)));
      moved->mutateType(isOdd(instruction.getType())
                            ? widen(instruction.getType())
                            : instruction.getType());
      b.Insert(moved);
      return moved;
    }
    return nullptr;
  }

  Value *visitBinary(BinaryOperator &binary) {
    Value *left = binary.getOperand(0), *right = binary.getOperand(1);
    Instruction::BinaryOps opcode = binary.getOpcode();
    bool isSigned = opcode == Instruction::SDiv ||
                    opcode == Instruction::SRem || opcode == Instruction::AShr;
    left = isSigned ? getSigned(left) : getWide(left);
    // Shift distances are unsigned.
    right = isSigned && opcode != Instruction::AShr ? getSigned(right)
                                                    : getWide(right);
    return mask(b.CreateBinOp(opcode, left, right), binary.getType());
  }

  Value *visitCast(CastInst &cast) {
    Value *source = cast.getOperand(0);
    Type *type = cast.getType(), *target = isOdd(type) ? widen(type) : type;
    switch (cast.getOpcode()) {
    case Instruction::Trunc:
      return mask(b.CreateZExtOrTrunc(getWide(source), target), type);
    case Instruction::ZExt:
      return b.CreateZExtOrTrunc(getWide(source), target);
    case Instruction::SExt:
      return mask(b.CreateSExtOrTrunc(getSigned(source), target), type);
    case Instruction::UIToFP:
    case Instruction::SIToFP:
      // Extend according to the known sign.
      return b.CreateCast(cast.getOpcode(),
                          cast.getOpcode() == Instruction::SIToFP
                              ? getSigned(source)
                              : getWide(source),
                          target);
    case Instruction::FPToUI:
    case Instruction::FPToSI:
      return mask(b.CreateCast(cast.getOpcode(), source, target), type);
    default:
      return nullptr;
    }
  }

  /// Calls `access` with the first bit, type, address and alignment of integers
  /// of legal sizes that together cover exactly the bytes of an integer of type
  /// `type`.
  void
  forEachPart(Type *type, Value *pointer, Align alignment,
              function_ref<void(unsigned, Type *, Value *, Align)> access) {
    unsigned bytes = divideCeil(type->getIntegerBitWidth(), 8);
    for (unsigned at = 0; at < bytes;) {
      unsigned size = llvm::bit_floor(bytes - at);
      Value *address =
          at ? b.CreateInBoundsPtrAdd(pointer, b.getInt64(at)) : pointer;
      access(at * 8, b.getIntNTy(size * 8), address,
             commonAlignment(alignment, at));
      at += size;
    }
  }

  Value *visitLoad(LoadInst &load) {
    if (load.isAtomic() || load.getType()->isVectorTy())
      return nullptr;
    Type *type = widen(load.getType());
    Value *whole = nullptr;
    forEachPart(load.getType(), load.getPointerOperand(), load.getAlign(),
                [&](unsigned bit, Type *part, Value *address, Align alignment) {
                  Value *loaded = b.CreateAlignedLoad(part, address, alignment,
                                                      load.isVolatile());
                  loaded = b.CreateShl(b.CreateZExt(loaded, type), bit);
                  whole = whole ? b.CreateOr(whole, loaded) : loaded;
                });
    return mask(whole, load.getType());
  }

  Value *visitStore(StoreInst &store) {
    Value *value = store.getValueOperand();
    if (store.isAtomic() || value->getType()->isVectorTy())
      return nullptr;
    Value *whole = getWide(value);
    forEachPart(
        value->getType(), store.getPointerOperand(), store.getAlign(),
        [&](unsigned bit, Type *part, Value *address, Align alignment) {
          Value *shifted = b.CreateTrunc(b.CreateLShr(whole, bit), part);
          b.CreateAlignedStore(shifted, address, alignment, store.isVolatile());
        });
    return &store;
  }

  Value *visitIntrinsic(IntrinsicInst &call) {
    switch (call.getIntrinsicID()) {
    case Intrinsic::umin:
    case Intrinsic::umax:
      return b.CreateBinaryIntrinsic(call.getIntrinsicID(),
                                     getWide(call.getArgOperand(0)),
                                     getWide(call.getArgOperand(1)));
    case Intrinsic::smin:
    case Intrinsic::smax:
      return mask(b.CreateBinaryIntrinsic(call.getIntrinsicID(),
                                          getSigned(call.getArgOperand(0)),
                                          getSigned(call.getArgOperand(1))),
                  call.getType());
    case Intrinsic::abs:
      return mask(b.CreateBinaryIntrinsic(Intrinsic::abs,
                                          getSigned(call.getArgOperand(0)),
                                          b.getFalse()),
                  call.getType());
    case Intrinsic::ctpop:
      return b.CreateUnaryIntrinsic(Intrinsic::ctpop,
                                    getWide(call.getArgOperand(0)));
    case Intrinsic::ctlz: {
      // Subtract the upper bits, because the wide operation counts them too.
      Value *value = getWide(call.getArgOperand(0));
      unsigned unused = value->getType()->getScalarSizeInBits() -
                        call.getType()->getScalarSizeInBits();
      Value *count =
          b.CreateBinaryIntrinsic(Intrinsic::ctlz, value, b.getFalse());
      return b.CreateSub(count, ConstantInt::get(count->getType(), unused));
    }
    case Intrinsic::cttz: {
      // For a value of 0, set a bit above it that ends the count.
      Value *value = getWide(call.getArgOperand(0));
      unsigned bits = call.getType()->getScalarSizeInBits();
      APInt above =
          APInt::getOneBitSet(value->getType()->getScalarSizeInBits(), bits);
      value = b.CreateOr(value, ConstantInt::get(value->getType(), above));
      return b.CreateBinaryIntrinsic(Intrinsic::cttz, value, b.getFalse());
    }
    default:
      return nullptr;
    }
  }

  Function &function;
  IRBuilder<> b;
  DenseMap<Value *, Value *> wide;
  SmallVector<std::pair<PHINode *, PHINode *>> phis;
};

} // namespace

PreservedAnalyses
aircc::spirv::WidenIntegersPass::run(Function &function,
                                     FunctionAnalysisManager &) {
  Widener(function).run();
  return PreservedAnalyses::none();
}
