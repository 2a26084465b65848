//===- VectorPieces.cpp - Pieces of vectors -------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/VectorPieces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace aircc::spirv;

bool aircc::spirv::isSPIRVVector(const FixedVectorType *type) {
  return is_contained({2u, 4u, 8u, 16u}, type->getNumElements()) &&
         !type->getElementType()->isPointerTy();
}

bool aircc::spirv::isSplit(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && !isSPIRVVector(vector);
}

SmallVector<unsigned, 4> aircc::spirv::getSizes(FixedVectorType *type) {
  SmallVector<unsigned, 4> sizes;
  unsigned left = type->getNumElements();
  if (type->getElementType()->isPointerTy())
    return SmallVector<unsigned, 4>(left, 1);
  for (unsigned size : {16u, 8u, 4u, 2u, 1u})
    for (; left >= size; left -= size)
      sizes.push_back(size);
  return sizes;
}

Type *aircc::spirv::getPieceType(Type *element, unsigned size) {
  return size == 1 ? element : FixedVectorType::get(element, size);
}

unsigned aircc::spirv::getCount(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

namespace {
/// An element of a part. If `part` is null, the element is poison.
struct Element {
  Value *part = nullptr;
  unsigned index = 0;
};
} // namespace

static Element findElement(ArrayRef<Value *> parts, int number) {
  if (number < 0)
    return {};
  unsigned left = number;
  for (Value *part : parts) {
    unsigned count = getCount(part->getType());
    if (left < count)
      return {part, left};
    left -= count;
  }
  return {};
}

/// Returns a shufflevector of the one or two vectors that have the elements.
static Value *shuffleVectors(IRBuilderBase &b, ArrayRef<Value *> used,
                             ArrayRef<Element> elements) {
  SmallVector<int> mask;
  for (Element element : elements) {
    unsigned first = element.part == used[0] || !element.part
                         ? 0
                         : getCount(element.part->getType());
    mask.push_back(element.part ? int(first + element.index) : -1);
  }
  Value *second =
      used.size() == 2 ? used[1] : PoisonValue::get(used[0]->getType());
  return b.CreateShuffleVector(used[0], second, mask);
}

Value *aircc::spirv::shufflePieces(IRBuilderBase &b, ArrayRef<Value *> parts,
                                   ArrayRef<int> mask) {
  SmallVector<Element> elements = map_to_vector(
      mask, [&](int number) { return findElement(parts, number); });
  Values used;
  for (Element element : elements)
    if (element.part && !is_contained(used, element.part))
      used.push_back(element.part);
  Type *type = getPieceType(parts[0]->getType()->getScalarType(), mask.size());
  if (used.empty())
    return PoisonValue::get(type);
  bool isWhole = used.size() == 1 &&
                 getCount(used[0]->getType()) == mask.size() &&
                 all_of(enumerate(elements), [](auto element) {
                   return !element.value().part ||
                          element.value().index == element.index();
                 });
  if (isWhole)
    return used[0];
  bool areVectors = all_of(used, [&](Value *part) {
    return isa<FixedVectorType>(part->getType()) &&
           part->getType() == used[0]->getType();
  });
  if (mask.size() > 1 && used.size() <= 2 && areVectors)
    return shuffleVectors(b, used, elements);
  Value *result = PoisonValue::get(type);
  for (auto [place, element] : enumerate(elements)) {
    if (!element.part)
      continue;
    Value *scalar = isa<FixedVectorType>(element.part->getType())
                        ? b.CreateExtractElement(element.part, element.index)
                        : element.part;
    result = mask.size() == 1 ? scalar
                              : b.CreateInsertElement(result, scalar, place);
  }
  return result;
}
