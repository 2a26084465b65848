//===- TranslateComposite.cpp - Vectors, structures, arrays ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/translate/Translator.h"

using namespace aircc::sim::spirv;
using spv::Op;

/// Handles a vector element at a variable index.
void FunctionTranslator::dynamicElement(const Instruction &i) {
  Value *vector = operand(i, 0);
  const bool isInsert = i.op == Op::OpVectorInsertDynamic;
  Value *index = operand(i, isInsert ? 2 : 1);
  unsigned count =
      llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  // Elements out of range are undefined, but not a fault.
  index = b.CreateURem(b.CreateZExtOrTrunc(index, b.getInt64Ty()),
                       b.getInt64(count));
  set(i, isInsert ? b.CreateInsertElement(vector, operand(i, 1), index)
                  : b.CreateExtractElement(vector, index));
}

/// Creates a vector of selected elements of two vectors.
void FunctionTranslator::shuffle(const Instruction &i) {
  llvm::SmallVector<int> mask;
  for (uint32_t n : i.operandsFrom(2))
    mask.push_back(n == 0xffffffff ? 0 : static_cast<int>(n));
  Value *x = operand(i, 0), *y = operand(i, 1);
  auto *made = llvm::cast<llvm::FixedVectorType>(type(i.type));
  if (made->getNumElements() != mask.size() ||
      made->getElementType() != x->getType()->getScalarType() ||
      made->getElementType() != y->getType()->getScalarType())
    fail(i, "vectors whose element type is not the result's");
  unsigned
      nx = llvm::cast<llvm::FixedVectorType>(x->getType())->getNumElements(),
      ny = llvm::cast<llvm::FixedVectorType>(y->getType())->getNumElements();
  Value *all = llvm::PoisonValue::get(type(i.type));
  for (auto [n, from] : llvm::enumerate(mask)) {
    const unsigned place = static_cast<unsigned>(from);
    if (place >= nx + ny)
      fail(i, "element " + std::to_string(place) +
                  " of two vectors that have " + std::to_string(nx + ny) +
                  " in total");
    all = b.CreateInsertElement(all,
                                place < nx
                                    ? b.CreateExtractElement(x, place)
                                    : b.CreateExtractElement(y, place - nx),
                                n);
  }
  set(i, all);
}

/// Builds a vector, array or structure from its parts.
void FunctionTranslator::construct(const Instruction &i) {
  Type *t = type(i.type);
  Value *all = llvm::PoisonValue::get(t);
  unsigned next = 0;
  const unsigned wanted =
      t->isVectorTy()  ? llvm::cast<llvm::FixedVectorType>(t)->getNumElements()
      : t->isArrayTy() ? t->getArrayNumElements()
                       : t->getStructNumElements();
  for (uint32_t id : i.operands) {
    Value *part = value(id);
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(part->getType());
    const unsigned count =
        t->isVectorTy() && vector ? vector->getNumElements() : 1;
    Type *taken =
        t->isVectorTy() ? part->getType()->getScalarType() : part->getType();
    if (next + count > wanted ||
        taken != llvm::GetElementPtrInst::getTypeAtIndex(t, uint64_t(next)))
      fail(i, "the parts do not match the result's type");
    if (!t->isVectorTy())
      all = b.CreateInsertValue(all, part, next++);
    else if (!vector)
      all = b.CreateInsertElement(all, part, next++);
    else // Parts of vectors can be smaller vectors.
      for (unsigned n = 0; n < vector->getNumElements(); ++n)
        all =
            b.CreateInsertElement(all, b.CreateExtractElement(part, n), next++);
  }
  if (next != wanted)
    fail(i, "a value of " + std::to_string(wanted) +
                " elements is composed of " + std::to_string(next));
  set(i, all);
}

/// Reads or replaces a part at constant indices. The last index may select an
/// element of a vector within arrays and structures.
void FunctionTranslator::element(const Instruction &i) {
  const bool isInsert = i.op == Op::OpCompositeInsert;
  Value *whole = operand(i, isInsert ? 1 : 0);
  llvm::SmallVector<unsigned> path(i.operandsFrom(isInsert ? 2 : 1));
  Type *inner = whole->getType();
  for (auto [n, index] : llvm::enumerate(path)) {
    if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(inner)) {
      if (index >= vector->getNumElements())
        fail(i, "element " + std::to_string(index) + " of a vector of " +
                    std::to_string(vector->getNumElements()));
      if (n + 1 != path.size())
        fail(i, "an element of a number");
      break;
    }
    Type *next =
        inner->isArrayTy() && index >= inner->getArrayNumElements()
            ? nullptr
            : llvm::GetElementPtrInst::getTypeAtIndex(inner, uint64_t(index));
    if (!next)
      fail(i, "there is no member " + std::to_string(index));
    inner = next;
  }
  const bool inVector =
      inner->isVectorTy() && !path.empty() &&
      type(isInsert ? typeIdOf(i.operand(0)) : i.type) != inner;
  unsigned element = 0;
  if (inVector) {
    element = path.back();
    path.pop_back();
  }
  Value *place = path.empty() ? whole : b.CreateExtractValue(whole, path);
  if (!isInsert) {
    set(i, inVector ? b.CreateExtractElement(place, element) : place);
    return;
  }
  Value *part = operand(i, 0);
  if (part->getType() != (inVector ? inner->getScalarType() : inner))
    fail(i, "the inserted value does not have the type of the part that it "
            "replaces");
  if (inVector)
    part = b.CreateInsertElement(place, part, element);
  set(i, path.empty() ? part : b.CreateInsertValue(whole, part, path));
}

bool FunctionTranslator::composite(const Instruction &i) {
  switch (i.op) {
  case Op::OpCopyObject:
  case Op::OpCopyLogical:
  case Op::OpExpectKHR:
    set(i, operand(i, 0));
    return true;
  case Op::OpUndef:
    set(i, outer.findConstant(i.result));
    return true;
  case Op::OpAssumeTrueKHR:
    return true;
  case Op::OpVectorExtractDynamic:
  case Op::OpVectorInsertDynamic:
    dynamicElement(i);
    return true;
  case Op::OpVectorShuffle:
    shuffle(i);
    return true;
  case Op::OpCompositeConstruct:
    construct(i);
    return true;
  case Op::OpCompositeExtract:
  case Op::OpCompositeInsert:
    element(i);
    return true;
  default:
    return false;
  }
}
