//===- TranslateComposite.cpp - Vectors, structures, arrays ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/spirv/Translator.h"

using namespace aircc::sim::spirv;
using spv::Op;

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
  case Op::OpVectorInsertDynamic: {
    Value *vector = operand(i, 0);
    const bool isInsert = i.op == Op::OpVectorInsertDynamic;
    Value *index = operand(i, isInsert ? 2 : 1);
    unsigned count =
        llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
    // Elements that are not there: undefined, and no reason to stop.
    index = b.CreateURem(b.CreateZExtOrTrunc(index, b.getInt64Ty()),
                         b.getInt64(count));
    set(i, isInsert ? b.CreateInsertElement(vector, operand(i, 1), index)
                    : b.CreateExtractElement(vector, index));
    return true;
  }
  case Op::OpVectorShuffle: {
    llvm::SmallVector<int> mask;
    for (uint32_t n : i.operands.drop_front(2))
      mask.push_back(n == 0xffffffff ? 0 : static_cast<int>(n));
    Value *x = operand(i, 0), *y = operand(i, 1);
    unsigned
        nx = llvm::cast<llvm::FixedVectorType>(x->getType())->getNumElements(),
        ny = llvm::cast<llvm::FixedVectorType>(y->getType())->getNumElements();
    Value *all = llvm::PoisonValue::get(type(i.type));
    for (auto [n, from] : llvm::enumerate(mask)) {
      const unsigned place = static_cast<unsigned>(from);
      if (place >= nx + ny)
        fail(i, "element " + std::to_string(place) + " of two vectors with " +
                    std::to_string(nx + ny) + " together");
      all = b.CreateInsertElement(all,
                                  place < nx
                                      ? b.CreateExtractElement(x, place)
                                      : b.CreateExtractElement(y, place - nx),
                                  n);
    }
    set(i, all);
    return true;
  }
  case Op::OpCompositeConstruct: {
    Type *t = type(i.type);
    Value *all = llvm::PoisonValue::get(t);
    unsigned next = 0;
    for (uint32_t id : i.operands) {
      Value *part = value(id);
      auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(part->getType());
      if (!t->isVectorTy())
        all = b.CreateInsertValue(all, part, next++);
      else if (!vector)
        all = b.CreateInsertElement(all, part, next++);
      else // Vectors are made of smaller ones, too.
        for (unsigned n = 0; n < vector->getNumElements(); ++n)
          all = b.CreateInsertElement(all, b.CreateExtractElement(part, n),
                                      next++);
    }
    set(i, all);
    return true;
  }
  case Op::OpCompositeExtract:
  case Op::OpCompositeInsert: {
    // The last index may be one of a vector within arrays and structures.
    const bool isInsert = i.op == Op::OpCompositeInsert;
    Value *whole = operand(i, isInsert ? 1 : 0);
    llvm::SmallVector<unsigned> path(i.operands.drop_front(isInsert ? 2 : 1));
    Type *inner = whole->getType();
    for (unsigned index : path) {
      if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(inner)) {
        if (index >= vector->getNumElements())
          fail(i, "element " + std::to_string(index) + " of a vector of " +
                      std::to_string(vector->getNumElements()));
        break;
      }
      Type *next =
          llvm::isa<llvm::ArrayType>(inner)
              ? inner->getArrayElementType()
              : llvm::GetElementPtrInst::getTypeAtIndex(inner, uint64_t(index));
      if (!next)
        fail(i, "member " + std::to_string(index) + " is not there");
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
      return true;
    }
    Value *part = operand(i, 0);
    if (inVector)
      part = b.CreateInsertElement(place, part, element);
    set(i, path.empty() ? part : b.CreateInsertValue(whole, part, path));
    return true;
  }
  default:
    return false;
  }
}
