//===- StoreBooleansAsBytes.cpp - Types in memory -------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Booleans of SPIR-V have no size, and the backend (LLVM 22.1.8) emits invalid
// modules for booleans in memory:
//
//   store i1 %b, ptr addrspace(1) %p
//   %q = getelementptr [4 x i1], ptr addrspace(1) %p, i64 0, i64 %i
//
// This pass makes an i1 in memory a byte, and addresses types that contain one
// in bytes. The same applies to integers of odd sizes and vectors that SPIR-V
// does not have; values of these types are rewritten later (WidenIntegers.cpp,
// SplitVectors.cpp).
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"
#include "pipeline/codegen/llvm/spirv/VectorPieces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

/// Returns whether SPIR-V cannot describe memory of this type.
static bool isForeign(Type *type) {
  if (auto *integer = dyn_cast<IntegerType>(type)) {
    unsigned bits = integer->getBitWidth();
    return bits < 8 || !isPowerOf2_32(bits);
  }
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return !aircc::spirv::isSPIRVVector(vector) ||
           isForeign(vector->getElementType());
  if (auto *array = dyn_cast<ArrayType>(type))
    return isForeign(array->getElementType());
  if (auto *structure = dyn_cast<StructType>(type))
    return any_of(structure->elements(), isForeign);
  return false;
}

/// Returns a type that SPIR-V has, with everything at the same offsets.
static Type *getStorage(Type *type, const DataLayout &layout) {
  uint64_t size = layout.getTypeAllocSize(type);
  Type *bytes = ArrayType::get(Type::getInt8Ty(type->getContext()), size);
  if (!isForeign(type))
    return type;
  if (auto *array = dyn_cast<ArrayType>(type))
    return ArrayType::get(getStorage(array->getElementType(), layout),
                          array->getNumElements());
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    Type *element = vector->getElementType();
    uint64_t each = layout.getTypeAllocSize(element);
    if (isForeign(element) || each * vector->getNumElements() != size)
      return bytes;
    return ArrayType::get(element, vector->getNumElements());
  }
  if (isa<IntegerType>(type))
    return IntegerType::get(type->getContext(), size * 8);
  return bytes;
}

/// Returns a constant in the storage type; null if there is none.
static Constant *store(Constant *constant, Type *storage) {
  Type *type = constant->getType();
  if (type == storage)
    return constant;
  if (isa<PoisonValue>(constant))
    return PoisonValue::get(storage);
  if (isa<UndefValue>(constant))
    return UndefValue::get(storage);
  if (constant->isNullValue())
    return Constant::getNullValue(storage);
  if (auto *integer = dyn_cast<ConstantInt>(constant))
    return ConstantInt::get(
        storage, integer->getValue().zext(storage->getIntegerBitWidth()));
  auto *array = dyn_cast<ArrayType>(storage);
  if (!array || !isa<ArrayType, FixedVectorType>(type))
    return nullptr;
  SmallVector<Constant *> elements;
  for (uint64_t i = 0; i < array->getNumElements(); ++i) {
    Constant *element = constant->getAggregateElement(i);
    element = element ? store(element, array->getElementType()) : nullptr;
    if (!element)
      return nullptr;
    elements.push_back(element);
  }
  return ConstantArray::get(array, elements);
}

/// Returns whether anything was replaced.
static bool replaceStorage(Module &module) {
  bool changed = false;
  const DataLayout &layout = module.getDataLayout();
  for (GlobalVariable &global : make_early_inc_range(module.globals())) {
    Type *storage = getStorage(global.getValueType(), layout);
    if (storage == global.getValueType())
      continue;
    Constant *value = nullptr;
    if (global.hasInitializer()) {
      value = store(global.getInitializer(), storage);
      if (!value)
        continue;
    }
    auto *replaced = new GlobalVariable(
        module, storage, global.isConstant(), global.getLinkage(), value, "",
        &global, global.getThreadLocalMode(), global.getAddressSpace());
    replaced->copyAttributesFrom(&global);
    replaced->setAlignment(layout.getValueOrABITypeAlignment(
        global.getAlign(), global.getValueType()));
    replaced->takeName(&global);
    global.replaceAllUsesWith(replaced);
    global.eraseFromParent();
    changed = true;
  }
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *alloca = dyn_cast<AllocaInst>(&instruction)) {
        Type *storage = getStorage(alloca->getAllocatedType(), layout);
        changed |= storage != alloca->getAllocatedType();
        alloca->setAllocatedType(storage);
      }
  return changed;
}

/// Casts the bits of an integer to booleans, or vice versa.
static Value *castBits(IRBuilder<> &b, Value *value, Type *type) {
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    Value *result = PoisonValue::get(type);
    Type *integer = b.getIntNTy(vector->getNumElements());
    value = b.CreateBitCast(value, integer);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = b.CreateInsertElement(
          result, b.CreateTrunc(b.CreateLShr(value, i), b.getInt1Ty()), i);
    return result;
  }
  auto *vector = cast<FixedVectorType>(value->getType());
  Type *integer = b.getIntNTy(vector->getNumElements());
  Value *result = ConstantInt::get(integer, 0);
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    Value *bit = b.CreateZExt(b.CreateExtractElement(value, i), integer);
    result = b.CreateOr(result, b.CreateShl(bit, i));
  }
  return b.CreateBitCast(result, type);
}

/// In memory, the booleans of a vector are packed into bytes, lowest bit first.
static Value *loadBooleans(IRBuilder<> &b, LoadInst &load) {
  auto *type = cast<FixedVectorType>(load.getType());
  Value *result = PoisonValue::get(type);
  Value *byte = nullptr;
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    if (i % 8 == 0)
      byte = b.CreateAlignedLoad(
          b.getInt8Ty(),
          b.CreateInBoundsPtrAdd(load.getPointerOperand(), b.getInt64(i / 8)),
          commonAlignment(load.getAlign(), i / 8), load.isVolatile());
    Value *bit = b.CreateTrunc(b.CreateLShr(byte, i % 8), b.getInt1Ty());
    result = b.CreateInsertElement(result, bit, i);
  }
  return result;
}

static void storeBooleans(IRBuilder<> &b, StoreInst &store) {
  Value *value = store.getValueOperand();
  unsigned count = cast<FixedVectorType>(value->getType())->getNumElements();
  Value *byte = nullptr;
  for (unsigned i = 0; i < count; ++i) {
    Value *bit = b.CreateZExt(b.CreateExtractElement(value, i), b.getInt8Ty());
    byte = i % 8 == 0 ? bit : b.CreateOr(byte, b.CreateShl(bit, i % 8));
    if (i % 8 == 7 || i + 1 == count)
      b.CreateAlignedStore(
          byte,
          b.CreateInBoundsPtrAdd(store.getPointerOperand(), b.getInt64(i / 8)),
          commonAlignment(store.getAlign(), i / 8), store.isVolatile());
  }
}

static bool isBooleans(Type *type) {
  return isa<FixedVectorType>(type) && type->getScalarType()->isIntegerTy(1);
}

static void replace(StoreInst &store) {
  IRBuilder<> b(&store);
  Value *value = store.getValueOperand();
  if (value->getType()->isVectorTy())
    storeBooleans(b, store);
  else
    b.CreateAlignedStore(b.CreateZExt(value, b.getInt8Ty()),
                         store.getPointerOperand(), store.getAlign(),
                         store.isVolatile());
  store.eraseFromParent();
}

/// Returns the replacement of `instruction`, or null.
static Value *replace(Instruction &instruction, const DataLayout &layout) {
  IRBuilder<> b(&instruction);
  if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction);
      gep && !gep->getType()->isVectorTy() &&
      isForeign(gep->getSourceElementType())) {
    Value *offset = emitGEPOffset(&b, layout, gep);
    return b.CreatePtrAdd(gep->getPointerOperand(), offset, "",
                          gep->getNoWrapFlags());
  }
  if (auto *load = dyn_cast<LoadInst>(&instruction);
      load && !load->isAtomic() &&
      load->getType()->getScalarType()->isIntegerTy(1)) {
    if (load->getType()->isVectorTy())
      return loadBooleans(b, *load);
    Value *loaded =
        b.CreateAlignedLoad(b.getInt8Ty(), load->getPointerOperand(),
                            load->getAlign(), load->isVolatile());
    return b.CreateTrunc(loaded, load->getType());
  }
  if (auto *cast = dyn_cast<BitCastInst>(&instruction);
      cast && isBooleans(cast->getType()) != isBooleans(cast->getSrcTy()))
    return castBits(b, cast->getOperand(0), cast->getType());
  return nullptr;
}

static bool replaceAccesses(Function &function, const DataLayout &layout) {
  bool changed = false;
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (store && !store->isAtomic() &&
        store->getValueOperand()->getType()->getScalarType()->isIntegerTy(1)) {
      replace(*store);
      changed = true;
    } else if (Value *replaced = replace(instruction, layout)) {
      instruction.replaceAllUsesWith(replaced);
      instruction.eraseFromParent();
      changed = true;
    }
  }
  return changed;
}

PreservedAnalyses
aircc::spirv::StoreBooleansAsBytesPass::run(Module &module,
                                            ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : module)
    changed |= replaceAccesses(function, module.getDataLayout());
  changed |= replaceStorage(module);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
