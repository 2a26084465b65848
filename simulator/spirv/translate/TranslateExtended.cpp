//===- TranslateExtended.cpp - The instruction set OpenCL.std -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/HostFloats.h"
#include "simulator/spirv/translate/Translator.h"

#include "llvm/IR/Intrinsics.h"

#include <cmath>
#include <spirv/unified1/OpenCL.std.h>

using namespace aircc::sim::spirv;
namespace CL = OpenCLLIB;
using llvm::Intrinsic::ID;

namespace {

/// Instructions with an LLVM intrinsic for all types.
struct IntrinsicRow {
  unsigned number;
  ID llvm;
  unsigned operands;
};
constexpr IntrinsicRow kFloats[] = {
    {CL::Ceil, llvm::Intrinsic::ceil, 1},
    {CL::Copysign, llvm::Intrinsic::copysign, 2},
    {CL::Fabs, llvm::Intrinsic::fabs, 1},
    {CL::Floor, llvm::Intrinsic::floor, 1},
    {CL::Fmax, llvm::Intrinsic::maxnum, 2},
    {CL::FMax_common, llvm::Intrinsic::maxnum, 2},
    {CL::Fmin, llvm::Intrinsic::minnum, 2},
    {CL::FMin_common, llvm::Intrinsic::minnum, 2},
    {CL::Rint, llvm::Intrinsic::rint, 1},
    {CL::Round, llvm::Intrinsic::round, 1},
    {CL::Sqrt, llvm::Intrinsic::sqrt, 1},
    {CL::Trunc, llvm::Intrinsic::trunc, 1},
};
constexpr IntrinsicRow kIntegers[] = {
    {CL::SAdd_sat, llvm::Intrinsic::sadd_sat, 2},
    {CL::UAdd_sat, llvm::Intrinsic::uadd_sat, 2},
    {CL::SSub_sat, llvm::Intrinsic::ssub_sat, 2},
    {CL::USub_sat, llvm::Intrinsic::usub_sat, 2},
    {CL::SMax, llvm::Intrinsic::smax, 2},
    {CL::UMax, llvm::Intrinsic::umax, 2},
    {CL::SMin, llvm::Intrinsic::smin, 2},
    {CL::UMin, llvm::Intrinsic::umin, 2},
    {CL::Popcount, llvm::Intrinsic::ctpop, 1},
};

} // namespace

/// Computes each element in double precision and rounds once.
llvm::Value *FunctionTranslator::mathCall(const MathFunction &math,
                                          llvm::ArrayRef<Value *> arguments,
                                          Type *result) {
  Type *wide = b.getDoubleTy();
  const void *callee = math.one ? reinterpret_cast<const void *>(math.one)
                       : math.two
                           ? reinterpret_cast<const void *>(math.two)
                           : reinterpret_cast<const void *>(math.withInteger);
  return byElement(result, arguments, [&](llvm::ArrayRef<Value *> x) {
    llvm::SmallVector<Value *> given;
    llvm::SmallVector<Type *> types;
    for (Value *v : x) {
      if (v->getType()->isFloatingPointTy())
        v = b.CreateFPExt(v, wide);
      given.push_back(v);
      types.push_back(v->getType());
    }
    llvm::CallInst *call = b.CreateCall(
        llvm::FunctionType::get(wide, types, false), pointerTo(callee), given);
    call->setDoesNotAccessMemory();
    call->addFnAttr(llvm::Attribute::NoUnwind);
    return b.CreateFPTrunc(call, result->getScalarType());
  });
}

bool FunctionTranslator::extended(const Instruction &i) {
  if (i.op != spv::Op::OpExtInst)
    return false;
  const std::string set = outer.spirv.instructionSet(i.operand(0));
  const unsigned number = i.operand(1);
  // Debug information has no effect.
  if (llvm::StringRef(set).starts_with("NonSemantic.") ||
      llvm::StringRef(set).contains("DebugInfo"))
    return true;
  if (set != "OpenCL.std")
    fail(i, "instruction " + std::to_string(number) + " of set '" + set +
                "' is not simulated");
  if (extendedMemory(i, number))
    return true;
  llvm::SmallVector<Value *> arguments;
  for (uint32_t id : i.operandsFrom(2))
    arguments.push_back(value(id));
  Type *result = ModuleTranslator::sized(type(i.type));
  checkExtended(i, number, arguments, result);
  Value *made = nullptr;
  if (!arguments.empty())
    made = result->isFPOrFPVectorTy() ||
                   arguments[0]->getType()->isFPOrFPVectorTy()
               ? extendedFloat(i, number, arguments, result)
               : extendedInteger(i, number, arguments, result);
  if (!made)
    fail(i, "instruction " + std::to_string(number) +
                " of OpenCL.std is not simulated for these types");
  this->set(i, made);
  return true;
}

static llvm::Value *clamped(llvm::IRBuilder<> &b, llvm::Value *v,
                            llvm::Value *low, llvm::Value *high) {
  return b.CreateBinaryIntrinsic(
      llvm::Intrinsic::minnum,
      b.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, v, low), high);
}

static llvm::Value *bitsOf(llvm::IRBuilder<> &b, llvm::Value *v) {
  return b.CreateBitCast(v, b.getIntNTy(v->getType()->getScalarSizeInBits()));
}

static FloatFormat formatOf(llvm::Type *type) {
  return type->isHalfTy()     ? FloatFormat::Half
         : type->isBFloatTy() ? FloatFormat::BFloat
         : type->isFloatTy()  ? FloatFormat::Single
                              : FloatFormat::Double;
}

llvm::Value *FunctionTranslator::extendedFloat(const Instruction &i,
                                               unsigned number,
                                               llvm::ArrayRef<Value *> x,
                                               Type *t) {
  for (const IntrinsicRow &row : kFloats)
    if (row.number == number && row.operands == x.size())
      return b.CreateIntrinsic(row.llvm, {t}, x);
  if (const MathFunction *math = findMathFunction(number)) {
    if (x.size() != (math->one ? 1u : 2u))
      fail(i, std::string(math->name) + " with " + std::to_string(x.size()) +
                  " arguments");
    return mathCall(*math, x, t);
  }
  auto constant = [&](double v) { return llvm::ConstantFP::get(t, v); };
  switch (number) {
  case CL::Fma:
  case CL::Mad:
    if (!t->getScalarType()->isHalfTy())
      return b.CreateIntrinsic(llvm::Intrinsic::fma, {t}, x);
    // A computation in f32 would round twice.
    return byElement(t, x, [&](llvm::ArrayRef<Value *> e) -> Value * {
      Type *s = b.getInt16Ty();
      Value *bits =
          b.CreateCall(llvm::FunctionType::get(s, {s, s, s}, false),
                       pointerTo(reinterpret_cast<const void *>(&fuseHalf)),
                       {bitsOf(b, e[0]), bitsOf(b, e[1]), bitsOf(b, e[2])});
      return b.CreateBitCast(bits, t->getScalarType());
    });
  case CL::FClamp:
    return clamped(b, x[0], x[1], x[2]);
  case CL::Mix:
    return b.CreateFAdd(x[0], b.CreateFMul(b.CreateFSub(x[1], x[0]), x[2]));
  case CL::Step:
    return b.CreateSelect(b.CreateFCmpOLT(x[1], x[0]), constant(0),
                          constant(1));
  case CL::Bitselect: {
    Type *whole = integersLike(t);
    Value *mask = b.CreateBitCast(x[2], whole);
    return b.CreateBitCast(
        b.CreateOr(
            b.CreateAnd(b.CreateBitCast(x[1], whole), mask),
            b.CreateAnd(b.CreateBitCast(x[0], whole), b.CreateNot(mask))),
        t);
  }
  case CL::Select:
  case CL::Shuffle:
  case CL::Shuffle2:
    return extendedInteger(i, number, x, t);
  default:
    if (Value *v = floatByParts(number, x, t))
      return v;
    return geometric(number, x, t);
  }
}

llvm::Value *FunctionTranslator::floatByParts(unsigned number,
                                              llvm::ArrayRef<Value *> x,
                                              Type *t) {
  auto constant = [&](double v) { return llvm::ConstantFP::get(t, v); };
  switch (number) {
  case CL::Smoothstep: {
    Value *place = clamped(
        b, b.CreateFDiv(b.CreateFSub(x[2], x[0]), b.CreateFSub(x[1], x[0])),
        constant(0), constant(1));
    return b.CreateFMul(
        b.CreateFMul(place, place),
        b.CreateFSub(constant(3), b.CreateFMul(constant(2), place)));
  }
  case CL::Nextafter:
    return byElement(t, x, [&](llvm::ArrayRef<Value *> e) -> Value * {
      Type *s = b.getInt64Ty();
      Value *bits = b.CreateCall(
          llvm::FunctionType::get(s, {s, s, b.getInt32Ty()}, false),
          pointerTo(reinterpret_cast<const void *>(&nextAfter)),
          {b.CreateZExt(bitsOf(b, e[0]), s), b.CreateZExt(bitsOf(b, e[1]), s),
           b.getInt32(unsigned(formatOf(t->getScalarType())))});
      Value *narrow = b.CreateTrunc(bits, bitsOf(b, e[0])->getType());
      return b.CreateBitCast(narrow, t->getScalarType());
    });
  case CL::Nan: {
    // This is a quiet NaN with the operand as its payload.
    const llvm::APFloat quiet =
        llvm::APFloat::getQNaN(t->getScalarType()->getFltSemantics());
    Value *bits = b.CreateOr(
        x[0], llvm::ConstantInt::get(x[0]->getType(), quiet.bitcastToAPInt()));
    return b.CreateBitCast(bits, t);
  }
  case CL::Ilogb:
    return byElement(t, x, [&](llvm::ArrayRef<Value *> e) -> Value * {
      return b.CreateCall(
          llvm::FunctionType::get(b.getInt32Ty(), {b.getDoubleTy()}, false),
          pointerTo(reinterpret_cast<const void *>(
              static_cast<int (*)(double)>(&std::ilogb))),
          {b.CreateFPExt(e[0], b.getDoubleTy())});
    });
  default:
    return nullptr;
  }
}

llvm::Value *FunctionTranslator::geometric(unsigned number,
                                           llvm::ArrayRef<Value *> x, Type *t) {
  if (number == CL::Cross) {
    Value *all = llvm::Constant::getNullValue(t);
    for (unsigned n = 0; n < 3; ++n) {
      const unsigned p = (n + 1) % 3, q = (n + 2) % 3;
      auto at = [&](unsigned v, unsigned e) {
        return b.CreateExtractElement(x[v], e);
      };
      all =
          b.CreateInsertElement(all,
                                b.CreateFSub(b.CreateFMul(at(0, p), at(1, q)),
                                             b.CreateFMul(at(0, q), at(1, p))),
                                n);
    }
    return all;
  }
  const bool isDistance = number == CL::Distance || number == CL::Fast_distance;
  const bool isNormal = number == CL::Normalize || number == CL::Fast_normalize;
  if (!isDistance && !isNormal && number != CL::Length &&
      number != CL::Fast_length)
    return nullptr;
  // Compute in double precision and round once.
  Type *wide =
      x[0]->getType()->isVectorTy()
          ? llvm::VectorType::get(b.getDoubleTy(),
                                  llvm::cast<llvm::VectorType>(x[0]->getType())
                                      ->getElementCount())
          : b.getDoubleTy();
  Value *v = b.CreateFPExt(x[0], wide);
  if (isDistance)
    v = b.CreateFSub(v, b.CreateFPExt(x[1], wide));
  Value *squares = b.CreateFMul(v, v);
  Value *sum = squares;
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(wide)) {
    sum = b.CreateExtractElement(squares, uint64_t(0));
    for (unsigned n = 1; n < vector->getNumElements(); ++n)
      sum = b.CreateFAdd(sum, b.CreateExtractElement(squares, n));
  }
  Value *length = b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, sum);
  if (!isNormal)
    return b.CreateFPTrunc(length, t);
  Value *isZero =
      b.CreateFCmpOEQ(length, llvm::ConstantFP::get(b.getDoubleTy(), 0));
  length =
      b.CreateSelect(isZero, llvm::ConstantFP::get(b.getDoubleTy(), 1), length);
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(wide))
    length = b.CreateVectorSplat(vector->getNumElements(), length);
  return b.CreateFPTrunc(b.CreateFDiv(v, length), t);
}

llvm::Value *FunctionTranslator::integerByWidening(unsigned number,
                                                   llvm::ArrayRef<Value *> x,
                                                   Type *t) {
  const unsigned bits = t->getScalarSizeInBits();
  auto wide = [&](Value *v, bool isSigned, unsigned more) {
    Type *w = t->getWithNewBitWidth(more);
    return isSigned ? b.CreateSExt(v, w) : b.CreateZExt(v, w);
  };
  auto choose = [&](ID id, Value *p, Value *q) {
    return b.CreateBinaryIntrinsic(id, p, q);
  };
  switch (number) {
  case CL::SHadd:
  case CL::UHadd:
  case CL::SRhadd:
  case CL::URhadd: {
    const bool isSigned = number == CL::SHadd || number == CL::SRhadd;
    const bool isRounded = number == CL::SRhadd || number == CL::URhadd;
    // The rounding adds 1, which may need one more bit.
    const unsigned more = bits + (isRounded ? 2 : 1);
    Value *sum =
        b.CreateAdd(wide(x[0], isSigned, more), wide(x[1], isSigned, more));
    if (isRounded)
      sum = b.CreateAdd(sum, splat(sum->getType(), 1));
    return b.CreateTrunc(b.CreateAShr(sum, splat(sum->getType(), 1)), t);
  }
  case CL::SMad_sat:
  case CL::UMad_sat: {
    // The sum is exact in twice the bits plus two.
    const bool isSigned = number == CL::SMad_sat;
    const unsigned more = 2 * bits + 2;
    Value *sum = b.CreateAdd(
        b.CreateMul(wide(x[0], isSigned, more), wide(x[1], isSigned, more)),
        wide(x[2], isSigned, more));
    auto bound = [&](const llvm::APInt &v) {
      return llvm::ConstantInt::get(sum->getType(),
                                    isSigned ? v.sext(more) : v.zext(more));
    };
    sum = choose(llvm::Intrinsic::smin, sum,
                 bound(isSigned ? llvm::APInt::getSignedMaxValue(bits)
                                : llvm::APInt::getMaxValue(bits)));
    if (isSigned)
      sum = choose(llvm::Intrinsic::smax, sum,
                   bound(llvm::APInt::getSignedMinValue(bits)));
    return b.CreateTrunc(sum, t);
  }
  default:
    return nullptr;
  }
}

/// Selects an element of x[0] or, with Shuffle2, of x[0] and x[1], by the low
/// bits of each element of the mask.
llvm::Value *FunctionTranslator::shuffleElements(unsigned number,
                                                 llvm::ArrayRef<Value *> x,
                                                 Type *t) {
  Value *mask = x.back();
  auto count = [](Value *v) {
    return llvm::cast<llvm::FixedVectorType>(v->getType())->getNumElements();
  };
  const unsigned n = count(x[0]);
  Value *all = llvm::PoisonValue::get(t);
  for (unsigned e = 0; e < count(mask); ++e) {
    Value *from = b.CreateZExt(b.CreateExtractElement(mask, e), b.getInt64Ty());
    Value *within = b.CreateAnd(from, b.getInt64(n - 1));
    Value *v = b.CreateExtractElement(x[0], within);
    if (number == CL::Shuffle2)
      v = b.CreateSelect(
          b.CreateICmpNE(b.CreateAnd(from, b.getInt64(n)), b.getInt64(0)),
          b.CreateExtractElement(x[1], within), v);
    all = b.CreateInsertElement(all, v, e);
  }
  return all;
}

llvm::Value *FunctionTranslator::extendedInteger(const Instruction &i,
                                                 unsigned number,
                                                 llvm::ArrayRef<Value *> x,
                                                 Type *t) {
  for (const IntrinsicRow &row : kIntegers)
    if (row.number == number && row.operands == x.size())
      return b.CreateIntrinsic(row.llvm, {t}, x);
  const unsigned bits = t->getScalarSizeInBits();
  auto wide = [&](Value *v, bool isSigned, unsigned more) {
    Type *w = t->getWithNewBitWidth(more);
    return isSigned ? b.CreateSExt(v, w) : b.CreateZExt(v, w);
  };
  auto highOf = [&](bool isSigned) {
    Value *product = b.CreateMul(wide(x[0], isSigned, 2 * bits),
                                 wide(x[1], isSigned, 2 * bits));
    return b.CreateTrunc(b.CreateLShr(product, splat(product->getType(), bits)),
                         t);
  };
  auto low24 = [&](Value *v, bool isSigned) {
    if (!isSigned)
      return b.CreateAnd(v, splat(t, 0xffffff));
    return b.CreateAShr(b.CreateShl(v, splat(t, 8)), splat(t, 8));
  };
  auto choose = [&](ID id, Value *p, Value *q) {
    return b.CreateBinaryIntrinsic(id, p, q);
  };
  switch (number) {
  case CL::SAbs:
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x[0], b.getFalse());
  case CL::UAbs:
    return x[0];
  case CL::SAbs_diff:
    return b.CreateSub(choose(llvm::Intrinsic::smax, x[0], x[1]),
                       choose(llvm::Intrinsic::smin, x[0], x[1]));
  case CL::UAbs_diff:
    return b.CreateSub(choose(llvm::Intrinsic::umax, x[0], x[1]),
                       choose(llvm::Intrinsic::umin, x[0], x[1]));
  case CL::SClamp:
    return choose(llvm::Intrinsic::smin,
                  choose(llvm::Intrinsic::smax, x[0], x[1]), x[2]);
  case CL::UClamp:
    return choose(llvm::Intrinsic::umin,
                  choose(llvm::Intrinsic::umax, x[0], x[1]), x[2]);
  case CL::Clz:
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x[0], b.getFalse());
  case CL::Ctz:
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, x[0], b.getFalse());
  case CL::SMul_hi:
    return highOf(true);
  case CL::UMul_hi:
    return highOf(false);
  case CL::SMad_hi:
    return b.CreateAdd(highOf(true), x[2]);
  case CL::UMad_hi:
    return b.CreateAdd(highOf(false), x[2]);
  case CL::Rotate:
    return b.CreateIntrinsic(llvm::Intrinsic::fshl, {t}, {x[0], x[0], x[1]});
  case CL::U_Upsample:
  case CL::S_Upsample: {
    Value *high = b.CreateZExt(x[0], t), *low = b.CreateZExt(x[1], t);
    return b.CreateOr(b.CreateShl(high, splat(t, bits / 2)), low);
  }
  case CL::SMul24:
    return b.CreateMul(low24(x[0], true), low24(x[1], true));
  case CL::UMul24:
    return b.CreateMul(low24(x[0], false), low24(x[1], false));
  case CL::SMad24:
    return b.CreateAdd(b.CreateMul(low24(x[0], true), low24(x[1], true)), x[2]);
  case CL::UMad24:
    return b.CreateAdd(b.CreateMul(low24(x[0], false), low24(x[1], false)),
                       x[2]);
  case CL::Bitselect:
    return b.CreateOr(b.CreateAnd(x[1], x[2]),
                      b.CreateAnd(x[0], b.CreateNot(x[2])));
  case CL::Select: {
    // Vectors test the highest bit of each element, scalars all bits.
    Type *c = x[2]->getType();
    Value *zero = llvm::Constant::getNullValue(c);
    return b.CreateSelect(c->isVectorTy() ? b.CreateICmpSLT(x[2], zero)
                                          : b.CreateICmpNE(x[2], zero),
                          x[1], x[0]);
  }
  case CL::Shuffle:
  case CL::Shuffle2:
    return shuffleElements(number, x, t);
  default:
    return integerByWidening(number, x, t);
  }
}
