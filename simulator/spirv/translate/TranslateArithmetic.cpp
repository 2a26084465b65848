//===- TranslateArithmetic.cpp - Arithmetic, comparisons, bits ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Results that SPIR-V leaves undefined are those of Intel's hardware if
// compilers produce such operations legitimately (shift amounts are taken
// modulo the width, overflowing quotients wrap around). Otherwise, they are
// faults (division by zero).
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/translate/Translator.h"

#include "llvm/IR/Intrinsics.h"

using namespace aircc::sim::spirv;
using Binary = llvm::Instruction::BinaryOps;
using Compare = llvm::CmpInst::Predicate;
using spv::Op;

namespace {

/// Instructions with an equivalent in LLVM IR.
struct BinaryRow {
  Op op;
  Binary llvm;
};
constexpr BinaryRow kBinaries[] = {
    {Op::OpIAdd, Binary::Add},       {Op::OpISub, Binary::Sub},
    {Op::OpIMul, Binary::Mul},       {Op::OpFAdd, Binary::FAdd},
    {Op::OpFSub, Binary::FSub},      {Op::OpFMul, Binary::FMul},
    {Op::OpFDiv, Binary::FDiv},      {Op::OpFRem, Binary::FRem},
    {Op::OpBitwiseOr, Binary::Or},   {Op::OpBitwiseXor, Binary::Xor},
    {Op::OpBitwiseAnd, Binary::And}, {Op::OpLogicalOr, Binary::Or},
    {Op::OpLogicalAnd, Binary::And},
};

struct CompareRow {
  Op op;
  Compare llvm;
};
constexpr CompareRow kCompares[] = {
    {Op::OpIEqual, Compare::ICMP_EQ},
    {Op::OpINotEqual, Compare::ICMP_NE},
    {Op::OpPtrEqual, Compare::ICMP_EQ},
    {Op::OpPtrNotEqual, Compare::ICMP_NE},
    {Op::OpLogicalEqual, Compare::ICMP_EQ},
    {Op::OpLogicalNotEqual, Compare::ICMP_NE},
    {Op::OpUGreaterThan, Compare::ICMP_UGT},
    {Op::OpSGreaterThan, Compare::ICMP_SGT},
    {Op::OpUGreaterThanEqual, Compare::ICMP_UGE},
    {Op::OpSGreaterThanEqual, Compare::ICMP_SGE},
    {Op::OpULessThan, Compare::ICMP_ULT},
    {Op::OpSLessThan, Compare::ICMP_SLT},
    {Op::OpULessThanEqual, Compare::ICMP_ULE},
    {Op::OpSLessThanEqual, Compare::ICMP_SLE},
    {Op::OpFOrdEqual, Compare::FCMP_OEQ},
    {Op::OpFUnordEqual, Compare::FCMP_UEQ},
    {Op::OpFOrdNotEqual, Compare::FCMP_ONE},
    {Op::OpLessOrGreater, Compare::FCMP_ONE},
    {Op::OpFUnordNotEqual, Compare::FCMP_UNE},
    {Op::OpFOrdLessThan, Compare::FCMP_OLT},
    {Op::OpFUnordLessThan, Compare::FCMP_ULT},
    {Op::OpFOrdGreaterThan, Compare::FCMP_OGT},
    {Op::OpFUnordGreaterThan, Compare::FCMP_UGT},
    {Op::OpFOrdLessThanEqual, Compare::FCMP_OLE},
    {Op::OpFUnordLessThanEqual, Compare::FCMP_ULE},
    {Op::OpFOrdGreaterThanEqual, Compare::FCMP_OGE},
    {Op::OpFUnordGreaterThanEqual, Compare::FCMP_UGE},
    {Op::OpOrdered, Compare::FCMP_ORD},
    {Op::OpUnordered, Compare::FCMP_UNO},
};

/// Classification instructions, with the masks of llvm.is.fpclass.
struct ClassRow {
  Op op;
  llvm::FPClassTest classes;
};
constexpr ClassRow kClasses[] = {
    {Op::OpIsNan, llvm::fcNan},
    {Op::OpIsInf, llvm::fcInf},
    {Op::OpIsFinite, llvm::fcFinite},
    {Op::OpIsNormal, llvm::fcNormal},
};

} // namespace

bool FunctionTranslator::arithmetic(const Instruction &i) {
  for (const BinaryRow &row : kBinaries)
    if (row.op == i.op) {
      set(i, b.CreateBinOp(row.llvm, operand(i, 0), operand(i, 1)));
      return true;
    }
  switch (i.op) {
  case Op::OpUDiv:
    set(i, divide(i, Binary::UDiv));
    return true;
  case Op::OpSDiv:
    set(i, divide(i, Binary::SDiv));
    return true;
  case Op::OpUMod:
    set(i, divide(i, Binary::URem));
    return true;
  case Op::OpSRem:
    set(i, divide(i, Binary::SRem));
    return true;
  case Op::OpSMod: {
    // The result has the divisor's sign, so add the divisor if the signs
    // differ.
    Value *divisor = operand(i, 1);
    Value *rest = divide(i, Binary::SRem);
    Value *zero = llvm::Constant::getNullValue(rest->getType());
    Value *apart =
        b.CreateAnd(b.CreateICmpNE(rest, zero),
                    b.CreateICmpSLT(b.CreateXor(rest, divisor), zero));
    set(i, b.CreateSelect(apart, b.CreateAdd(rest, divisor), rest));
    return true;
  }
  case Op::OpFMod: {
    Value *divisor = operand(i, 1);
    Value *rest = b.CreateFRem(operand(i, 0), divisor);
    Value *zero = llvm::Constant::getNullValue(rest->getType());
    Value *apart = b.CreateAnd(b.CreateFCmpUNE(rest, zero),
                               b.CreateXor(b.CreateFCmpOLT(rest, zero),
                                           b.CreateFCmpOLT(divisor, zero)));
    set(i, b.CreateSelect(apart, b.CreateFAdd(rest, divisor), rest));
    return true;
  }
  case Op::OpShiftLeftLogical:
    set(i, shift(i, Binary::Shl));
    return true;
  case Op::OpShiftRightLogical:
    set(i, shift(i, Binary::LShr));
    return true;
  case Op::OpShiftRightArithmetic:
    set(i, shift(i, Binary::AShr));
    return true;
  case Op::OpSNegate:
    set(i, b.CreateNeg(operand(i, 0)));
    return true;
  case Op::OpFNegate:
    set(i, b.CreateFNeg(operand(i, 0)));
    return true;
  case Op::OpNot:
  case Op::OpLogicalNot:
    set(i, b.CreateNot(operand(i, 0)));
    return true;
  case Op::OpIAddCarry:
  case Op::OpISubBorrow:
  case Op::OpUMulExtended:
  case Op::OpSMulExtended:
    set(i, carry(i));
    return true;
  case Op::OpVectorTimesScalar: {
    Value *vector = operand(i, 0);
    unsigned count =
        llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
    set(i, b.CreateFMul(vector, b.CreateVectorSplat(count, operand(i, 1))));
    return true;
  }
  case Op::OpDot: {
    // Compute in order, rounding each product and sum.
    Value *products = b.CreateFMul(operand(i, 0), operand(i, 1));
    unsigned count = llvm::cast<llvm::FixedVectorType>(products->getType())
                         ->getNumElements();
    Value *sum = b.CreateExtractElement(products, uint64_t(0));
    for (unsigned n = 1; n < count; ++n)
      sum = b.CreateFAdd(sum, b.CreateExtractElement(products, n));
    set(i, sum);
    return true;
  }
  default:
    return false;
  }
}

llvm::Value *FunctionTranslator::divide(const Instruction &i, Binary op) {
  Value *dividend = operand(i, 0), *divisor = operand(i, 1);
  Type *t = divisor->getType();
  Value *zero = llvm::Constant::getNullValue(t);
  Value *one = llvm::ConstantInt::get(t, 1);
  Value *bad = b.CreateICmpEQ(divisor, zero);
  if (!llvm::isa<llvm::Constant>(divisor) ||
      !llvm::cast<llvm::Constant>(bad)->isNullValue()) {
    faultIf(i, t->isVectorTy() ? b.CreateOrReduce(bad) : bad,
            "an integer is divided by zero");
    divisor = b.CreateSelect(bad, one, divisor);
  }
  if (op == Binary::SDiv || op == Binary::SRem) {
    // Dividing the lowest number by -1 traps on the host.
    Value *lowest = llvm::ConstantInt::get(
        t, llvm::APInt::getSignedMinValue(t->getScalarSizeInBits()));
    Value *minus = llvm::Constant::getAllOnesValue(t);
    Value *overflows = b.CreateAnd(b.CreateICmpEQ(dividend, lowest),
                                   b.CreateICmpEQ(divisor, minus));
    divisor = b.CreateSelect(overflows, one, divisor);
  }
  return b.CreateBinOp(op, dividend, divisor);
}

llvm::Value *FunctionTranslator::shift(const Instruction &i, Binary op) {
  Value *base = operand(i, 0);
  Value *amount = b.CreateZExtOrTrunc(operand(i, 1), base->getType());
  uint64_t width = base->getType()->getScalarSizeInBits();
  amount = llvm::isPowerOf2_64(width)
               ? b.CreateAnd(amount, splat(base->getType(), width - 1))
               : b.CreateURem(amount, splat(base->getType(), width));
  return b.CreateBinOp(op, base, amount);
}

/// Creates structures of two results: the low half, sum or difference, then the
/// high half, carry or borrow.
llvm::Value *FunctionTranslator::carry(const Instruction &i) {
  Value *x = operand(i, 0), *y = operand(i, 1);
  Type *t = x->getType();
  Value *low = nullptr, *high = nullptr;
  if (i.op == Op::OpIAddCarry) {
    low = b.CreateAdd(x, y);
    high = b.CreateZExt(b.CreateICmpULT(low, x), t);
  } else if (i.op == Op::OpISubBorrow) {
    low = b.CreateSub(x, y);
    high = b.CreateZExt(b.CreateICmpULT(x, y), t);
  } else {
    const bool isSigned = i.op == Op::OpSMulExtended;
    Type *wide = t->getWithNewBitWidth(2 * t->getScalarSizeInBits());
    Value *product =
        isSigned ? b.CreateMul(b.CreateSExt(x, wide), b.CreateSExt(y, wide))
                 : b.CreateMul(b.CreateZExt(x, wide), b.CreateZExt(y, wide));
    low = b.CreateTrunc(product, t);
    high = b.CreateTrunc(
        b.CreateLShr(product, splat(wide, t->getScalarSizeInBits())), t);
  }
  Value *pair = llvm::PoisonValue::get(type(i.type));
  return b.CreateInsertValue(b.CreateInsertValue(pair, low, 0), high, 1);
}

bool FunctionTranslator::comparison(const Instruction &i) {
  for (const CompareRow &row : kCompares)
    if (row.op == i.op) {
      set(i, b.CreateCmp(row.llvm, operand(i, 0), operand(i, 1)));
      return true;
    }
  for (const ClassRow &row : kClasses)
    if (row.op == i.op) {
      set(i, b.createIsFPClass(operand(i, 0), row.classes));
      return true;
    }
  switch (i.op) {
  case Op::OpSignBitSet: {
    Value *x = operand(i, 0);
    Type *t = x->getType();
    Type *whole = integersLike(t);
    set(i, b.CreateICmpSLT(b.CreateBitCast(x, whole),
                           llvm::Constant::getNullValue(whole)));
    return true;
  }
  case Op::OpAny:
    set(i, b.CreateOrReduce(operand(i, 0)));
    return true;
  case Op::OpAll:
    set(i, b.CreateAndReduce(operand(i, 0)));
    return true;
  case Op::OpSelect:
    set(i, b.CreateSelect(operand(i, 0), operand(i, 1), operand(i, 2)));
    return true;
  default:
    return false;
  }
}

bool FunctionTranslator::bits(const Instruction &i) {
  switch (i.op) {
  case Op::OpBitCount: {
    Value *count =
        b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, operand(i, 0));
    set(i, b.CreateZExtOrTrunc(count, type(i.type)));
    return true;
  }
  case Op::OpBitReverse:
    set(i, b.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, operand(i, 0)));
    return true;
  case Op::OpBitFieldInsert:
  case Op::OpBitFieldSExtract:
  case Op::OpBitFieldUExtract:
    set(i, bitField(i));
    return true;
  default:
    return false;
  }
}

llvm::Value *FunctionTranslator::bitField(const Instruction &i) {
  const bool isInsert = i.op == Op::OpBitFieldInsert;
  Value *base = operand(i, 0);
  Type *t = base->getType();
  const unsigned width = t->getScalarSizeInBits();
  const unsigned first = isInsert ? 2 : 1;
  Value *offset = b.CreateZExtOrTrunc(operand(i, first), t->getScalarType());
  Value *count = b.CreateZExtOrTrunc(operand(i, first + 1), t->getScalarType());
  Type *s = t->getScalarType();
  // Fields with no bits and with all bits would need a shift by the width.
  Value *isEmpty = b.CreateICmpEQ(count, llvm::ConstantInt::get(s, 0));
  Value *above = b.CreateSub(llvm::ConstantInt::get(s, width), count);
  Value *safeAbove =
      b.CreateSelect(isEmpty, llvm::ConstantInt::get(s, 0), above);
  Value *inRange = b.CreateURem(offset, llvm::ConstantInt::get(s, width));
  Value *mask = b.CreateSelect(
      isEmpty, llvm::ConstantInt::get(s, 0),
      b.CreateLShr(llvm::Constant::getAllOnesValue(s), safeAbove));
  llvm::SmallVector<Value *> operands = {base};
  if (isInsert)
    operands.push_back(operand(i, 1));
  return byElement(t, operands, [&](llvm::ArrayRef<Value *> x) -> Value * {
    if (isInsert) {
      Value *field = b.CreateShl(mask, inRange);
      return b.CreateOr(b.CreateAnd(x[0], b.CreateNot(field)),
                        b.CreateAnd(b.CreateShl(x[1], inRange), field));
    }
    Value *low = b.CreateAnd(b.CreateLShr(x[0], inRange), mask);
    if (i.op == Op::OpBitFieldUExtract)
      return low;
    return b.CreateAShr(b.CreateShl(low, safeAbove), safeAbove);
  });
}
