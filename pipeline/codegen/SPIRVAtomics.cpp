//===- SPIRVAtomics.cpp - Atomic operations that SPIR-V does not have -----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Intel GPUs have atomic operations on 32 and 64 bit integers and the addition
// of f32. All others become a loop around a compare and exchange, those of 8
// and 16 bits one of the 32 bits around.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/SPIRVWorkarounds.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/AtomicExpandUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace {

/// Where in a word of 32 bits something smaller lies.
struct Field {
  Value *word;  ///< The word's address.
  Value *shift; ///< The field's first bit.
  Value *mask;  ///< The field's bits.
  IntegerType *type;
};

Field findField(IRBuilder<> &b, Value *pointer, unsigned bits) {
  Field field;
  Type *i64 = b.getInt64Ty();
  Value *address = b.CreatePtrToInt(pointer, i64);
  Value *inWord = b.CreateAnd(address, 3);
  field.word =
      b.CreateIntToPtr(b.CreateAnd(address, ~uint64_t(3)), pointer->getType());
  field.shift = b.CreateShl(b.CreateTrunc(inWord, b.getInt32Ty()), 3);
  field.mask = b.CreateShl(b.getInt32((uint64_t(1) << bits) - 1), field.shift);
  field.type = b.getIntNTy(bits);
  return field;
}

Value *getField(IRBuilder<> &b, const Field &field, Value *word) {
  return b.CreateTrunc(b.CreateLShr(word, field.shift), field.type);
}

Value *setField(IRBuilder<> &b, const Field &field, Value *word, Value *value) {
  Value *moved = b.CreateShl(b.CreateZExt(value, b.getInt32Ty()), field.shift);
  return b.CreateOr(b.CreateAnd(word, b.CreateNot(field.mask)), moved);
}

/// What one turn of a loop around a word knows at its end.
struct Turn {
  Value *found;  ///< The word that was there.
  Value *isDone; ///< Whether the loop ends.
};

/// A loop before `instruction`, whose turns `makeTurn` makes of the word that
/// was seen last.
template <typename MakeTurn>
void makeLoop(Instruction *instruction, IRBuilder<> &b, const Field &field,
              MakeTurn makeTurn) {
  Value *first = b.CreateAlignedLoad(b.getInt32Ty(), field.word, Align(4));
  BasicBlock *before = instruction->getParent();
  BasicBlock *after = before->splitBasicBlock(instruction->getIterator());
  BasicBlock *loop =
      BasicBlock::Create(b.getContext(), "", before->getParent(), after);
  before->getTerminator()->setSuccessor(0, loop);
  b.SetInsertPoint(loop);
  PHINode *seen = b.CreatePHI(b.getInt32Ty(), 2);
  seen->addIncoming(first, before);
  Turn turn = makeTurn(seen);
  seen->addIncoming(turn.found, loop);
  b.CreateCondBr(turn.isDone, after, loop);
  b.SetInsertPoint(instruction);
}

/// A compare and exchange of the word: what was there and whether it was.
Turn exchangeWord(IRBuilder<> &b, const Field &field, Value *expected,
                  Value *desired, AtomicOrdering ordering,
                  SyncScope::ID scope) {
  Value *pair = b.CreateAtomicCmpXchg(
      field.word, expected, desired, Align(4), ordering,
      AtomicCmpXchgInst::getStrongestFailureOrdering(ordering), scope);
  return {b.CreateExtractValue(pair, 0), b.CreateExtractValue(pair, 1)};
}

/// The loop of an atomic operation on a field. Gives what was there before.
void expandInWord(AtomicRMWInst *rmw) {
  Type *type = rmw->getType();
  IRBuilder<> b(rmw);
  Field field =
      findField(b, rmw->getPointerOperand(), type->getPrimitiveSizeInBits());
  Value *old = nullptr;
  makeLoop(rmw, b, field, [&](Value *seen) {
    old = b.CreateBitCast(getField(b, field, seen), type);
    Value *changed =
        buildAtomicRMWValue(rmw->getOperation(), b, old, rmw->getValOperand());
    Value *desired =
        setField(b, field, seen, b.CreateBitCast(changed, field.type));
    return exchangeWord(b, field, seen, desired, rmw->getOrdering(),
                        rmw->getSyncScopeID());
  });
  rmw->replaceAllUsesWith(old);
  rmw->eraseFromParent();
}

/// The loop of a compare and exchange of a field: another that changed the rest
/// of the word is no reason to fail.
void expandInWord(AtomicCmpXchgInst *exchange) {
  IRBuilder<> b(exchange);
  Value *compared = exchange->getCompareOperand();
  Field field = findField(b, exchange->getPointerOperand(),
                          compared->getType()->getIntegerBitWidth());
  Value *old = nullptr, *success = nullptr;
  makeLoop(exchange, b, field, [&](Value *seen) {
    Value *expected = setField(b, field, seen, compared);
    Value *desired = setField(b, field, seen, exchange->getNewValOperand());
    Turn turn = exchangeWord(b, field, expected, desired,
                             exchange->getSuccessOrdering(),
                             exchange->getSyncScopeID());
    old = getField(b, field, turn.found);
    success = turn.isDone;
    return Turn{turn.found, b.CreateOr(success, b.CreateICmpNE(old, compared))};
  });
  Value *result =
      b.CreateInsertValue(PoisonValue::get(exchange->getType()), old, 0);
  result = b.CreateInsertValue(result, success, 1);
  exchange->replaceAllUsesWith(result);
  exchange->eraseFromParent();
}

bool isNative(AtomicRMWInst *rmw) {
  Type *type = rmw->getType();
  switch (rmw->getOperation()) {
  case AtomicRMWInst::Xchg:
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::UMax:
    return type->isIntegerTy(32) || type->isIntegerTy(64);
  case AtomicRMWInst::FAdd:
    return type->isFloatTy();
  default:
    return false;
  }
}

/// An exchange of floats as one of integers.
void exchangeIntegers(IRBuilderBase &b, Value *pointer, Value *expected,
                      Value *desired, Align alignment, AtomicOrdering ordering,
                      SyncScope::ID scope, Value *&success, Value *&found,
                      Instruction *) {
  Type *type = expected->getType();
  Type *bits = b.getIntNTy(type->getPrimitiveSizeInBits());
  Value *pair = b.CreateAtomicCmpXchg(
      pointer, b.CreateBitCast(expected, bits), b.CreateBitCast(desired, bits),
      alignment, ordering,
      AtomicCmpXchgInst::getStrongestFailureOrdering(ordering), scope);
  success = b.CreateExtractValue(pair, 1);
  found = b.CreateBitCast(b.CreateExtractValue(pair, 0), type);
}

} // namespace

void aircc::expandSPIRVAtomics(Module &module) {
  SmallVector<AtomicRMWInst *> operations;
  SmallVector<AtomicCmpXchgInst *> exchanges;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      if (auto *rmw = dyn_cast<AtomicRMWInst>(&instruction))
        operations.push_back(rmw);
      else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        exchanges.push_back(exchange);
    }
  for (AtomicRMWInst *rmw : operations) {
    if (isNative(rmw))
      continue;
    if (rmw->getType()->getPrimitiveSizeInBits() < 32)
      expandInWord(rmw);
    else
      expandAtomicRMWToCmpXchg(rmw, exchangeIntegers);
  }
  for (AtomicCmpXchgInst *exchange : exchanges)
    if (exchange->getCompareOperand()->getType()->getPrimitiveSizeInBits() < 32)
      expandInWord(exchange);
}
