//===- TranslateChecks.cpp - What operands instructions take --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// IRBuilder requires valid types, and a damaged module must not crash the
// simulator. Therefore, the types of operands are checked before an instruction
// is translated. The type of the result is checked when the result is set, and
// LLVM's verifier checks properties of whole functions (dominance, blocks and
// their terminators).
//
// Each instruction has a pattern: a letter for the result, then one for each
// operand.
//
//   a   anything with a size             i f b p  integer, float, bool, pointer
//   n   number: integer or float         (or vectors of them)
//   m   number or pointer                v  a vector
//   =   the type of the result           0  the type of operand 0
//   J F B N  as i f b n, with as many elements as the result
//   q   a bool, or a vector of bools with as many elements as the result
//   c   a vector of bools                e  an element of the result
//   w   a vector whose elements have the type of the result
//   I   a scalar integer                 s  a constant scalar integer
//   -   no result                        #  a literal
//   *   any number of further operands, which are not checked
//   R   any number of scalar integers
//   ?   the rest is optional
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/translate/Translator.h"

#include <spirv/unified1/OpenCL.std.h>

using namespace aircc::sim::spirv;
namespace CL = OpenCLLIB;
using llvm::Type;
using spv::Op;

namespace {

struct Pattern {
  Op op;
  const char *text;
};
// clang-format off
constexpr Pattern kPatterns[] = {
    {Op::OpIAdd, "i=="}, {Op::OpISub, "i=="}, {Op::OpIMul, "i=="},
    {Op::OpFAdd, "f=="}, {Op::OpFSub, "f=="}, {Op::OpFMul, "f=="},
    {Op::OpFDiv, "f=="}, {Op::OpFRem, "f=="}, {Op::OpFMod, "f=="},
    {Op::OpUDiv, "i=="}, {Op::OpSDiv, "i=="}, {Op::OpUMod, "i=="},
    {Op::OpSRem, "i=="}, {Op::OpSMod, "i=="},
    {Op::OpBitwiseOr, "i=="}, {Op::OpBitwiseXor, "i=="},
    {Op::OpBitwiseAnd, "i=="}, {Op::OpNot, "i="},
    {Op::OpLogicalOr, "b=="}, {Op::OpLogicalAnd, "b=="},
    {Op::OpLogicalNot, "b="},
    {Op::OpShiftLeftLogical, "i=J"}, {Op::OpShiftRightLogical, "i=J"},
    {Op::OpShiftRightArithmetic, "i=J"},
    {Op::OpSNegate, "i="}, {Op::OpFNegate, "f="},
    {Op::OpIAddCarry, "ai0"}, {Op::OpISubBorrow, "ai0"},
    {Op::OpUMulExtended, "ai0"}, {Op::OpSMulExtended, "ai0"},
    {Op::OpVectorTimesScalar, "v=e"}, {Op::OpDot, "fw0"},

    {Op::OpIEqual, "bJ0"}, {Op::OpINotEqual, "bJ0"},
    {Op::OpPtrEqual, "bp0"}, {Op::OpPtrNotEqual, "bp0"},
    {Op::OpLogicalEqual, "bB0"}, {Op::OpLogicalNotEqual, "bB0"},
    {Op::OpUGreaterThan, "bJ0"}, {Op::OpSGreaterThan, "bJ0"},
    {Op::OpUGreaterThanEqual, "bJ0"}, {Op::OpSGreaterThanEqual, "bJ0"},
    {Op::OpULessThan, "bJ0"}, {Op::OpSLessThan, "bJ0"},
    {Op::OpULessThanEqual, "bJ0"}, {Op::OpSLessThanEqual, "bJ0"},
    {Op::OpFOrdEqual, "bF0"}, {Op::OpFUnordEqual, "bF0"},
    {Op::OpFOrdNotEqual, "bF0"}, {Op::OpLessOrGreater, "bF0"},
    {Op::OpFUnordNotEqual, "bF0"}, {Op::OpFOrdLessThan, "bF0"},
    {Op::OpFUnordLessThan, "bF0"}, {Op::OpFOrdGreaterThan, "bF0"},
    {Op::OpFUnordGreaterThan, "bF0"}, {Op::OpFOrdLessThanEqual, "bF0"},
    {Op::OpFUnordLessThanEqual, "bF0"}, {Op::OpFOrdGreaterThanEqual, "bF0"},
    {Op::OpFUnordGreaterThanEqual, "bF0"}, {Op::OpOrdered, "bF0"},
    {Op::OpUnordered, "bF0"},
    {Op::OpIsNan, "bF"}, {Op::OpIsInf, "bF"}, {Op::OpIsFinite, "bF"},
    {Op::OpIsNormal, "bF"}, {Op::OpSignBitSet, "bF"},
    {Op::OpAny, "bc"}, {Op::OpAll, "bc"}, {Op::OpSelect, "aq=="},

    {Op::OpBitCount, "iJ"}, {Op::OpBitReverse, "i="},
    {Op::OpBitFieldInsert, "i==II"}, {Op::OpBitFieldSExtract, "i=II"},
    {Op::OpBitFieldUExtract, "i=II"},

    {Op::OpConvertFToU, "iF"}, {Op::OpConvertFToS, "iF"},
    {Op::OpConvertSToF, "fJ"}, {Op::OpConvertUToF, "fJ"},
    {Op::OpFConvert, "fF"}, {Op::OpUConvert, "iJ"}, {Op::OpSConvert, "iJ"},
    {Op::OpQuantizeToF16, "f="}, {Op::OpSatConvertSToU, "iJ"},
    {Op::OpSatConvertUToS, "iJ"}, {Op::OpConvertPtrToU, "ip"},
    {Op::OpConvertUToPtr, "pI"}, {Op::OpPtrCastToGeneric, "pp"},
    {Op::OpGenericCastToPtr, "pp"}, {Op::OpBitcast, "mm"},

    {Op::OpCopyObject, "a="}, {Op::OpCopyLogical, "a="},
    {Op::OpExpectKHR, "a=="}, {Op::OpAssumeTrueKHR, "-b"},
    {Op::OpVectorExtractDynamic, "avI"}, {Op::OpVectorInsertDynamic, "v=eI"},
    {Op::OpVectorShuffle, "vvv*"}, {Op::OpCompositeExtract, "aa*"},
    {Op::OpCompositeInsert, "aa=*"},

    {Op::OpLoad, "ap*"}, {Op::OpStore, "-pa*"}, {Op::OpCopyMemory, "-pp*"},
    {Op::OpCopyMemorySized, "-ppI*"},
    {Op::OpAccessChain, "ppR"}, {Op::OpInBoundsAccessChain, "ppR"},
    {Op::OpPtrAccessChain, "ppIR"}, {Op::OpInBoundsPtrAccessChain, "ppIR"},
    {Op::OpPtrDiff, "ip0"},

    {Op::OpAtomicExchange, "npss="}, {Op::OpAtomicIIncrement, "ipss"},
    {Op::OpAtomicIDecrement, "ipss"}, {Op::OpAtomicIAdd, "ipss="},
    {Op::OpAtomicISub, "ipss="}, {Op::OpAtomicSMin, "ipss="},
    {Op::OpAtomicUMin, "ipss="}, {Op::OpAtomicSMax, "ipss="},
    {Op::OpAtomicUMax, "ipss="}, {Op::OpAtomicAnd, "ipss="},
    {Op::OpAtomicOr, "ipss="}, {Op::OpAtomicXor, "ipss="},
    {Op::OpAtomicFAddEXT, "fpss="}, {Op::OpAtomicFMinEXT, "fpss="},
    {Op::OpAtomicFMaxEXT, "fpss="}, {Op::OpAtomicLoad, "npss"},
    {Op::OpAtomicStore, "-pssn"}, {Op::OpAtomicCompareExchange, "ipsss=="},
    {Op::OpAtomicCompareExchangeWeak, "ipsss=="},
    {Op::OpAtomicFlagTestAndSet, "bpss"}, {Op::OpAtomicFlagClear, "-pss"},
    {Op::OpMemoryBarrier, "-II"}, {Op::OpControlBarrier, "-sss"},

    {Op::OpBranchConditional, "-b##*"}, {Op::OpSwitch, "-I#*"},
    {Op::OpReturnValue, "-a"},

    {Op::OpGroupAll, "bsb"}, {Op::OpGroupAny, "bsb"},
    {Op::OpGroupBroadcast, "as=i"}, {Op::OpGroupIAdd, "is#="},
    {Op::OpGroupFAdd, "fs#="}, {Op::OpGroupFMin, "fs#="},
    {Op::OpGroupUMin, "is#="}, {Op::OpGroupSMin, "is#="},
    {Op::OpGroupFMax, "fs#="}, {Op::OpGroupUMax, "is#="},
    {Op::OpGroupSMax, "is#="}, {Op::OpGroupIMulKHR, "is#="},
    {Op::OpGroupFMulKHR, "fs#="}, {Op::OpGroupBitwiseAndKHR, "is#="},
    {Op::OpGroupBitwiseOrKHR, "is#="}, {Op::OpGroupBitwiseXorKHR, "is#="},
    {Op::OpGroupLogicalAndKHR, "bs#="}, {Op::OpGroupLogicalOrKHR, "bs#="},
    {Op::OpGroupLogicalXorKHR, "bs#="},
    {Op::OpGroupNonUniformElect, "bs"}, {Op::OpGroupNonUniformAll, "bsb"},
    {Op::OpGroupNonUniformAny, "bsb"}, {Op::OpGroupNonUniformAllEqual, "bsa"},
    {Op::OpGroupNonUniformBroadcast, "as=I"},
    {Op::OpGroupNonUniformBroadcastFirst, "as="},
    {Op::OpGroupNonUniformBallot, "isb"},
    {Op::OpGroupNonUniformInverseBallot, "bsv"},
    {Op::OpGroupNonUniformBallotBitExtract, "bsvI"},
    {Op::OpGroupNonUniformBallotBitCount, "is#v"},
    {Op::OpGroupNonUniformBallotFindLSB, "isv"},
    {Op::OpGroupNonUniformBallotFindMSB, "isv"},
    {Op::OpGroupNonUniformShuffle, "as=I"},
    {Op::OpGroupNonUniformShuffleXor, "as=I"},
    {Op::OpGroupNonUniformShuffleUp, "as=I"},
    {Op::OpGroupNonUniformShuffleDown, "as=I"},
    {Op::OpGroupNonUniformQuadBroadcast, "as=I"},
    {Op::OpGroupNonUniformQuadSwap, "as=I"},
    {Op::OpGroupNonUniformIAdd, "is#=?s"}, {Op::OpGroupNonUniformFAdd, "fs#=?s"},
    {Op::OpGroupNonUniformIMul, "is#=?s"}, {Op::OpGroupNonUniformFMul, "fs#=?s"},
    {Op::OpGroupNonUniformSMin, "is#=?s"}, {Op::OpGroupNonUniformUMin, "is#=?s"},
    {Op::OpGroupNonUniformFMin, "fs#=?s"}, {Op::OpGroupNonUniformSMax, "is#=?s"},
    {Op::OpGroupNonUniformUMax, "is#=?s"}, {Op::OpGroupNonUniformFMax, "fs#=?s"},
    {Op::OpGroupNonUniformBitwiseAnd, "is#=?s"},
    {Op::OpGroupNonUniformBitwiseOr, "is#=?s"},
    {Op::OpGroupNonUniformBitwiseXor, "is#=?s"},
    {Op::OpGroupNonUniformLogicalAnd, "bs#=?s"},
    {Op::OpGroupNonUniformLogicalOr, "bs#=?s"},
    {Op::OpGroupNonUniformLogicalXor, "bs#=?s"},
    {Op::OpSubgroupBallotKHR, "ib"}, {Op::OpSubgroupFirstInvocationKHR, "a="},
    {Op::OpSubgroupReadInvocationKHR, "a=I"}, {Op::OpSubgroupAllKHR, "bb"},
    {Op::OpSubgroupAnyKHR, "bb"}, {Op::OpSubgroupAllEqualKHR, "ba"},
    {Op::OpSubgroupShuffleINTEL, "a=I"}, {Op::OpSubgroupShuffleXorINTEL, "a=I"},
    {Op::OpSubgroupShuffleUpINTEL, "a==I"},
    {Op::OpSubgroupShuffleDownINTEL, "a==I"},
    {Op::OpSubgroupBlockReadINTEL, "ap"}, {Op::OpSubgroupBlockWriteINTEL, "-pa"},
};
// clang-format on

const char *findPattern(Op op) {
  static const std::map<Op, const char *> patterns = [] {
    std::map<Op, const char *> made;
    for (const Pattern &pattern : kPatterns)
      made[pattern.op] = pattern.text;
    return made;
  }();
  auto it = patterns.find(op);
  return it == patterns.end() ? nullptr : it->second;
}

unsigned elementsOf(Type *type) {
  auto *vector = llvm::dyn_cast_or_null<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// Whether a type matches a letter of a pattern. `result` and `first` are the
/// types of the result and of operand 0, or null.
bool fits(char letter, Type *type, Type *result, Type *first) {
  Type *scalar = type->getScalarType();
  const bool isBool = scalar->isIntegerTy(1);
  const bool isInteger = scalar->isIntegerTy() && !isBool;
  const bool isFloat = scalar->isFloatingPointTy();
  const bool isLikeResult = elementsOf(type) == elementsOf(result);
  switch (letter) {
  case 'a':
    return type->isSized();
  case 'i':
    return isInteger;
  case 'f':
    return isFloat;
  case 'n':
    return isInteger || isFloat;
  case 'b':
    return isBool;
  case 'p':
    return type->isPointerTy();
  case 'm':
    return isInteger || isFloat || scalar->isPointerTy();
  case 'v':
    return type->isVectorTy();
  case '=':
    return type == result;
  case '0':
    return type == first;
  case 'J':
    return isInteger && isLikeResult;
  case 'F':
    return isFloat && isLikeResult;
  case 'B':
    return isBool && isLikeResult;
  case 'N':
    return (isInteger || isFloat) && isLikeResult;
  case 'q':
    return isBool && (!type->isVectorTy() || isLikeResult);
  case 'c':
    return isBool && type->isVectorTy();
  case 'e':
    return result && type == result->getScalarType();
  case 'w':
    return type->isVectorTy() && scalar == result;
  case 'I':
  case 'R':
  case 's':
    return isInteger && !type->isVectorTy();
  default:
    return false;
  }
}

} // namespace

void FunctionTranslator::checkOperands(const Instruction &i) {
  if (i.type && i.op != Op::OpFunctionCall && i.op != Op::OpExtInst &&
      i.op != Op::OpVariable)
    outer.checkValueSize(i, ModuleTranslator::sized(type(i.type)));
  if (i.op == Op::OpCompositeConstruct && !type(i.type)->isVectorTy() &&
      !type(i.type)->isAggregateType())
    fail(i, "a composite whose type has no parts");
  const char *pattern = findPattern(i.op);
  if (!pattern)
    return;
  Type *result = i.type ? type(i.type) : nullptr, *first = nullptr;
  if (result ? !fits(*pattern, result, result, nullptr) : *pattern != '-')
    fail(i, "the result has a type that the instruction does not produce");
  bool isOptional = false;
  for (unsigned n = 0; char letter = *++pattern;) {
    if (letter == '*')
      return;
    if (letter == '?') {
      isOptional = true;
      continue;
    }
    if (n == i.operands.size() && (isOptional || letter == 'R'))
      return;
    const uint32_t id = i.operand(n++);
    if (letter == '#')
      continue;
    Type *t = value(id)->getType();
    if (n == 1)
      first = t;
    if (!fits(letter, t, result, first))
      fail(i, "operand " + std::to_string(n - 1) +
                  " has a type that the instruction does not take");
    if (letter == 's')
      (void)outer.integer(id, i);
    if (letter == 'R')
      --pattern; // It applies to the next operand, too.
  }
}

//===----------------------------------------------------------------------===//
// OpenCL.std
//===----------------------------------------------------------------------===//

namespace {

struct ExtendedPattern {
  unsigned number;
  const char *text;
};
/// Instructions whose arguments do not all have the result's type, and the
/// number of arguments of those that are in no other table.
constexpr ExtendedPattern kExtended[] = {
    {CL::Fma, "f==="},       {CL::Mad, "f==="},
    {CL::FClamp, "f==="},    {CL::Mix, "f==="},
    {CL::Step, "f=="},       {CL::Smoothstep, "f==="},
    {CL::Nextafter, "f=="},  {CL::Nan, "fJ"},
    {CL::Ilogb, "iF"},       {CL::Bitselect, "n==="},
    {CL::Select, "n==J"},    {CL::Shuffle, "vvv"},
    {CL::Shuffle2, "vv0v"},  {CL::Length, "ff"},
    {CL::Fast_length, "ff"}, {CL::Distance, "ff0"},
    {CL::Normalize, "f="},   {CL::Fast_distance, "ff0"},
    {CL::Cross, "v=="},      {CL::Fast_normalize, "f="},
    {CL::SAbs, "i="},        {CL::UAbs, "i="},
    {CL::SAbs_diff, "i=="},  {CL::UAbs_diff, "i=="},
    {CL::SHadd, "i=="},      {CL::UHadd, "i=="},
    {CL::SRhadd, "i=="},     {CL::URhadd, "i=="},
    {CL::SClamp, "i==="},    {CL::UClamp, "i==="},
    {CL::Clz, "i="},         {CL::Ctz, "i="},
    {CL::SMul_hi, "i=="},    {CL::UMul_hi, "i=="},
    {CL::SMad_hi, "i==="},   {CL::UMad_hi, "i==="},
    {CL::SMad_sat, "i==="},  {CL::UMad_sat, "i==="},
    {CL::Rotate, "i=="},     {CL::U_Upsample, "iJ0"},
    {CL::S_Upsample, "iJJ"}, {CL::SMul24, "i=="},
    {CL::UMul24, "i=="},     {CL::SMad24, "i==="},
    {CL::UMad24, "i==="},    {CL::Remquo, "f==p"},
    {CL::Fract, "f=p"},      {CL::Modf, "f=p"},
    {CL::Frexp, "f=p"},      {CL::Lgamma_r, "f=p"},
    {CL::Sincos, "f=p"},
};

} // namespace

void FunctionTranslator::checkExtended(const Instruction &i, unsigned number,
                                       llvm::ArrayRef<Value *> x,
                                       Type *result) {
  auto complain = [&] {
    fail(i, "OpenCL.std's " + nameOfExtended(number) +
                " does not take these operands");
  };
  for (const ExtendedPattern &row : kExtended) {
    if (row.number != number)
      continue;
    const llvm::StringRef letters(row.text + 1);
    if (x.size() != letters.size() ||
        !fits(row.text[0], result, result, nullptr))
      complain();
    for (auto [n, letter] : llvm::enumerate(letters))
      if (!fits(letter, x[n]->getType(), result, x[0]->getType()))
        complain();
    return;
  }
  // The remaining instructions work element by element; exponents are integers.
  for (Value *v : x)
    if (v->getType() != result && !fits('J', v->getType(), result, nullptr))
      complain();
  if (!fits('n', result, result, nullptr) || x.empty() ||
      x[0]->getType() != result)
    complain();
}

void FunctionTranslator::expectBytes(const Instruction &i, Value *v,
                                     uint64_t bytes) {
  if (outer.bytesOf(v->getType()) != bytes)
    fail(i, "an argument of " + std::to_string(outer.bytesOf(v->getType())) +
                " bytes where the function takes " + std::to_string(bytes));
}
