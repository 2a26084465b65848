//===- TranslateConversion.cpp - Conversions between types ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Floats that are out of range of an integer type saturate, and NaN becomes 0,
// as on Intel's hardware; SPIR-V leaves this undefined. Rounding modes that
// LLVM IR does not have use LLVM's software floats.
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/HostFloats.h"
#include "simulator/spirv/translate/Translator.h"

#include "llvm/IR/Intrinsics.h"

using namespace aircc::sim::spirv;
using spv::Op;

std::optional<unsigned>
FunctionTranslator::rounding(const Instruction &i) const {
  if (const Decoration *mode =
          outer.spirv.findDecoration(i.result, spv::Decoration::FPRoundingMode))
    return mode->operand(0);
  return std::nullopt;
}

bool FunctionTranslator::conversion(const Instruction &i) {
  Type *to = i.type ? type(i.type) : nullptr;
  const bool saturates =
      i.result &&
      outer.spirv.has(i.result, spv::Decoration::SaturatedConversion);
  switch (i.op) {
  case Op::OpConvertFToU:
  case Op::OpConvertFToS:
    set(i, toInteger(i, operand(i, 0), to, i.op == Op::OpConvertFToS));
    return true;
  case Op::OpConvertSToF:
  case Op::OpConvertUToF:
    set(i, toFloat(i, operand(i, 0), to, i.op == Op::OpConvertSToF));
    return true;
  case Op::OpFConvert:
    set(i, convertFloat(i, operand(i, 0), to));
    return true;
  case Op::OpUConvert:
    if (saturates)
      fail(i,
           "OpUConvert cannot have SaturatedConversion; OpSatConvertSToU does");
    set(i, b.CreateZExtOrTrunc(operand(i, 0), to));
    return true;
  case Op::OpSConvert:
    set(i, b.CreateSExtOrTrunc(operand(i, 0), to));
    return true;
  case Op::OpQuantizeToF16: {
    Type *half = llvm::Type::getHalfTy(outer.context);
    if (auto *vector = llvm::dyn_cast<llvm::VectorType>(to))
      half = llvm::VectorType::get(half, vector->getElementCount());
    set(i, b.CreateFPExt(b.CreateFPTrunc(operand(i, 0), half), to));
    return true;
  }
  case Op::OpSatConvertSToU:
  case Op::OpSatConvertUToS: {
    // Saturate to the range of the result's type, which has the other
    // signedness.
    const bool fromSigned = i.op == Op::OpSatConvertSToU;
    Value *v = operand(i, 0);
    const unsigned from = v->getType()->getScalarSizeInBits();
    const unsigned bits = to->getScalarSizeInBits();
    const unsigned wide = std::max(from, bits) + 1;
    Type *wideType = v->getType()->getWithNewBitWidth(wide);
    Value *exact =
        fromSigned ? b.CreateSExt(v, wideType) : b.CreateZExt(v, wideType);
    llvm::APInt low = fromSigned
                          ? llvm::APInt(wide, 0)
                          : llvm::APInt::getSignedMinValue(bits).sext(wide);
    llvm::APInt high = fromSigned
                           ? llvm::APInt::getMaxValue(bits).zext(wide)
                           : llvm::APInt::getSignedMaxValue(bits).sext(wide);
    exact = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, exact,
                                    llvm::ConstantInt::get(wideType, low));
    exact = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, exact,
                                    llvm::ConstantInt::get(wideType, high));
    set(i, b.CreateTrunc(exact, to));
    return true;
  }
  case Op::OpConvertPtrToU:
    set(i, b.CreatePtrToInt(operand(i, 0), to));
    return true;
  case Op::OpConvertUToPtr:
    set(i, b.CreateIntToPtr(operand(i, 0), to));
    return true;
  case Op::OpPtrCastToGeneric:
  case Op::OpGenericCastToPtr:
    set(i, operand(i, 0));
    return true;
  case Op::OpBitcast: {
    Value *v = operand(i, 0);
    if (v->getType()->isPointerTy() && to->isIntegerTy())
      set(i, b.CreatePtrToInt(v, to));
    else if (v->getType()->isIntegerTy() && to->isPointerTy())
      set(i, b.CreateIntToPtr(v, to));
    else if (v->getType()->getPrimitiveSizeInBits() !=
             to->getPrimitiveSizeInBits())
      fail(i, "OpBitcast between types of different sizes");
    else
      set(i, b.CreateBitCast(v, to));
    return true;
  }
  default:
    return false;
  }
}

llvm::Value *FunctionTranslator::toInteger(const Instruction &i, Value *v,
                                           Type *to, bool isSigned) {
  if (std::optional<unsigned> mode = rounding(i)) {
    using llvm::Intrinsic::ID;
    const ID roundings[] = {llvm::Intrinsic::roundeven, llvm::Intrinsic::trunc,
                            llvm::Intrinsic::ceil, llvm::Intrinsic::floor};
    if (*mode >= std::size(roundings))
      fail(i, "rounding mode " + std::to_string(*mode));
    v = b.CreateUnaryIntrinsic(roundings[*mode], v);
  }
  return b.CreateIntrinsic(isSigned ? llvm::Intrinsic::fptosi_sat
                                    : llvm::Intrinsic::fptoui_sat,
                           {to, v->getType()}, {v});
}

llvm::Value *FunctionTranslator::toFloat(const Instruction &i, Value *v,
                                         Type *to, bool isSigned) {
  std::optional<unsigned> mode = rounding(i);
  // LLVM rounds twice when it converts integers to small floats.
  const bool isSmall = to->getScalarSizeInBits() == 16 &&
                       v->getType()->getScalarSizeInBits() > 16;
  if ((mode && *mode != unsigned(spv::FPRoundingMode::RTE)) || isSmall)
    return convertSlowly(v, to, isSigned, mode.value_or(0));
  return isSigned ? b.CreateSIToFP(v, to) : b.CreateUIToFP(v, to);
}

llvm::Value *FunctionTranslator::convertFloat(const Instruction &i, Value *v,
                                              Type *to) {
  std::optional<unsigned> mode = rounding(i);
  Type *from = v->getType();
  if (from == to)
    return v;
  const unsigned fromBits = from->getScalarSizeInBits(),
                 toBits = to->getScalarSizeInBits();
  if (toBits > fromBits)
    return b.CreateFPExt(v, to);
  if ((mode && *mode != unsigned(spv::FPRoundingMode::RTE)) ||
      toBits == fromBits)
    return convertSlowly(v, to, true, mode.value_or(0));
  return b.CreateFPTrunc(v, to);
}

llvm::Value *FunctionTranslator::convertSlowly(Value *v, Type *to,
                                               bool isSigned,
                                               unsigned rounding) {
  auto format = [](Type *t) {
    return t->isHalfTy()     ? FloatFormat::Half
           : t->isBFloatTy() ? FloatFormat::BFloat
           : t->isFloatTy()  ? FloatFormat::Single
           : t->isDoubleTy() ? FloatFormat::Double
                             : FloatFormat::None;
  };
  return byElement(to, {v}, [&](llvm::ArrayRef<Value *> x) -> Value * {
    Type *s = x[0]->getType(), *d = to->getScalarType();
    Value *given = x[0];
    FloatFormat from = format(s);
    if (from != FloatFormat::None)
      given = b.CreateBitCast(given, b.getIntNTy(s->getPrimitiveSizeInBits()));
    given = isSigned && from == FloatFormat::None
                ? b.CreateSExt(given, b.getInt64Ty())
                : b.CreateZExt(given, b.getInt64Ty());
    Value *bits = b.CreateCall(
        llvm::FunctionType::get(b.getInt64Ty(),
                                {b.getInt64Ty(), b.getInt32Ty(), b.getInt32Ty(),
                                 b.getInt1Ty(), b.getInt32Ty()},
                                false),
        pointerTo(reinterpret_cast<const void *>(&convertToFloat)),
        {given, b.getInt32(unsigned(from)), b.getInt32(unsigned(format(d))),
         b.getInt1(isSigned), b.getInt32(rounding)});
    return b.CreateBitCast(
        b.CreateTrunc(bits, b.getIntNTy(d->getPrimitiveSizeInBits())), d);
  });
}
