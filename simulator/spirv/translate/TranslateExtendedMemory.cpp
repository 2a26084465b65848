//===- TranslateExtendedMemory.cpp - OpenCL.std with pointers -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Functions that store a second result, vectors loaded from and stored to
// arrays of scalars, and halves in memory.
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/HostFloats.h"
#include "simulator/spirv/translate/Translator.h"

#include "llvm/IR/Intrinsics.h"

#include <cmath>
#include <spirv/unified1/OpenCL.std.h>

using namespace aircc::sim::spirv;
namespace CL = OpenCLLIB;

/// A function that accesses a vector as consecutive scalars.
struct aircc::sim::spirv::VectorRow {
  unsigned number;
  bool isStore, isHalf, hasRounding;
  bool isAligned; ///< Vectors of three occupy the memory of four.
};

namespace {

constexpr VectorRow kVectors[] = {
    {CL::Vloadn, false, false, false, false},
    {CL::Vstoren, true, false, false, false},
    {CL::Vload_half, false, true, false, false},
    {CL::Vload_halfn, false, true, false, false},
    {CL::Vstore_half, true, true, false, false},
    {CL::Vstore_half_r, true, true, true, false},
    {CL::Vstore_halfn, true, true, false, false},
    {CL::Vstore_halfn_r, true, true, true, false},
    {CL::Vloada_halfn, false, true, false, true},
    {CL::Vstorea_halfn, true, true, false, true},
    {CL::Vstorea_halfn_r, true, true, true, true},
};

double remainderOf(double x, double y) { return std::remainder(x, y); }
/// Returns the low bits of the quotient, with its sign.
int quotientOf(double x, double y) {
  int quotient = 0;
  (void)std::remquo(x, y, &quotient);
  return quotient < 0 ? -(-quotient & 0x7f) : quotient & 0x7f;
}

} // namespace

/// Returns the type with the shape of `shape` and element type `scalar`.
static llvm::Type *withElement(llvm::Type *scalar, llvm::Type *shape) {
  auto *vector = llvm::dyn_cast<llvm::VectorType>(shape);
  return vector ? llvm::VectorType::get(scalar, vector->getElementCount())
                : scalar;
}

void FunctionTranslator::vectorAccess(const Instruction &i,
                                      const VectorRow &row) {
  // The operands are the data (of a store), the offset, the pointer, and a
  // count or a rounding mode.
  const unsigned first = 2 + unsigned(row.isStore);
  const uint32_t pointer = i.operand(first + 1);
  Type *whole = row.isStore ? operand(i, 2)->getType() : type(i.type);
  Type *moved = row.isHalf ? withElement(b.getHalfTy(), whole) : whole;
  const uint64_t scalarBytes = outer.bytesOf(moved->getScalarType());
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(moved);
  const uint64_t count = vector ? vector->getNumElements() : 1;
  const uint64_t stride = row.isAligned && count == 3 ? 4 : count;
  Value *offset =
      b.CreateMul(b.CreateSExtOrTrunc(operand(i, first), b.getInt64Ty()),
                  b.getInt64(stride * scalarBytes));
  Value *address = b.CreateGEP(b.getInt8Ty(), value(pointer), offset);
  const uint64_t alignment = row.isAligned ? stride * scalarBytes : scalarBytes;
  checkAccess(i, {.kind = row.isStore ? AccessSite::Store : AccessSite::Load,
                  .pointer = pointer,
                  .bytes = count * scalarBytes,
                  .alignment = static_cast<uint32_t>(alignment),
                  .address = address});
  if (!row.isStore) {
    Value *v = b.CreateAlignedLoad(moved, address, llvm::Align(1));
    set(i, row.isHalf && moved != whole ? b.CreateFPExt(v, whole) : v);
    return;
  }
  Value *v = operand(i, 2);
  if (row.isHalf && moved != whole) {
    const unsigned mode = row.hasRounding ? i.operand(first + 2) : 0;
    v = mode ? convertSlowly(v, moved, true, mode) : b.CreateFPTrunc(v, moved);
  }
  b.CreateAlignedStore(v, address, llvm::Align(1));
}

llvm::Value *FunctionTranslator::callDouble(const void *callee, Type *result,
                                            llvm::ArrayRef<Value *> operands) {
  llvm::SmallVector<Value *> given;
  llvm::SmallVector<Type *> types(operands.size(), b.getDoubleTy());
  for (Value *v : operands)
    given.push_back(b.CreateFPExt(v, b.getDoubleTy()));
  return b.CreateCall(llvm::FunctionType::get(result, types, false),
                      pointerTo(callee), given);
}

void FunctionTranslator::remquo(const Instruction &i) {
  Type *t = type(i.type);
  Value *x = operand(i, 2), *y = operand(i, 3);
  set(i, byElement(t, {x, y}, [&](llvm::ArrayRef<Value *> e) -> Value * {
        return b.CreateFPTrunc(
            callDouble(reinterpret_cast<const void *>(&remainderOf),
                       b.getDoubleTy(), e),
            t->getScalarType());
      }));
  Value *quotient =
      byElement(withElement(b.getInt32Ty(), t), {x, y},
                [&](llvm::ArrayRef<Value *> e) -> Value * {
                  return callDouble(reinterpret_cast<const void *>(&quotientOf),
                                    b.getInt32Ty(), e);
                });
  storeTo(i, i.operand(4), operand(i, 4), quotient, 4);
}

/// Handles a function that returns one result and stores another.
void FunctionTranslator::twoResults(const Instruction &i, unsigned number,
                                    const TwoResults &two) {
  Type *t = type(i.type), *wide = b.getDoubleTy();
  Value *x = operand(i, 2);
  Value *first = byElement(t, {x}, [&](llvm::ArrayRef<Value *> e) -> Value * {
    return b.CreateFPTrunc(
        callDouble(reinterpret_cast<const void *>(two.result), wide, e),
        t->getScalarType());
  });
  if (number == CL::Fract) {
    // Values just below 1 must not be rounded up to 1.
    llvm::APFloat below(t->getScalarType()->getFltSemantics(), 1);
    (void)below.next(true);
    first = b.CreateSelect(b.CreateFCmpOEQ(first, llvm::ConstantFP::get(t, 1)),
                           llvm::ConstantFP::get(t, below), first);
  }
  Type *secondType = two.secondIsInteger ? withElement(b.getInt32Ty(), t) : t;
  Value *second =
      byElement(secondType, {x}, [&](llvm::ArrayRef<Value *> e) -> Value * {
        Value *v =
            callDouble(reinterpret_cast<const void *>(two.second), wide, e);
        return two.secondIsInteger ? b.CreateFPToSI(v, b.getInt32Ty())
                                   : b.CreateFPTrunc(v, t->getScalarType());
      });
  storeTo(i, i.operand(3), operand(i, 3), second,
          static_cast<uint32_t>(outer.bytesOf(secondType->getScalarType())));
  set(i, first);
}

bool FunctionTranslator::extendedMemory(const Instruction &i, unsigned number) {
  for (const VectorRow &row : kVectors)
    if (row.number == number) {
      vectorAccess(i, row);
      return true;
    }
  if (number == CL::Prefetch)
    return true; // This is a hint without effect here.
  if (number == CL::Printf) {
    set(i, print(i));
    return true;
  }
  if (number == CL::Remquo) {
    remquo(i);
    return true;
  }
  const TwoResults *two = findTwoResults(number);
  if (!two)
    return false;
  twoResults(i, number, *two);
  return true;
}
