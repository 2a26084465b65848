//===- ExpandAtomics.cpp - Atomics that SPIR-V lacks ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Intel GPUs have atomic operations on integers of 32 and 64 bits and the
// atomic addition of f32. All others become a compare-exchange loop; those of 8
// and 16 bits use the 32-bit word that contains the value.
//
// Defect (LLVM 22.1.8, fixed later by llvm/llvm-project#185696): the SPIR-V
// backend selects OpLoad and OpStore for atomic loads and stores. Symptom:
// Intel's compiler may cache, combine or drop them:
//
//   %v = load atomic i32, ptr addrspace(1) %p syncscope("device") acquire
//
// Workaround: call the functions that the backend maps to the instructions
// (__spirv_AtomicLoad).
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace {

/// The position of a value smaller than a word within a 32-bit word.
struct Field {
  Value *word;  ///< The address of the word.
  Value *shift; ///< The first bit of the field.
  Value *mask;  ///< The bits of the field.
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

/// The results of one iteration of a loop around a word.
struct Iteration {
  Value *found;  ///< The previous value of the word.
  Value *isDone; ///< Whether the loop ends.
};

/// Creates a loop before `instruction`, an atomic operation. `makeIteration`
/// creates an iteration from the last known value of the word.
template <typename Atomic, typename MakeIteration>
void makeLoop(Atomic *instruction, IRBuilder<> &b, IntegerType *wordType,
              Value *word, MakeIteration makeIteration) {
  // Load the word atomically, because other lanes change it at the same time.
  LoadInst *first =
      b.CreateAlignedLoad(wordType, word, Align(wordType->getBitWidth() / 8));
  first->setAtomic(AtomicOrdering::Monotonic, instruction->getSyncScopeID());
  BasicBlock *before = instruction->getParent();
  BasicBlock *after = before->splitBasicBlock(instruction->getIterator());
  BasicBlock *loop =
      BasicBlock::Create(b.getContext(), "", before->getParent(), after);
  before->getTerminator()->setSuccessor(0, loop);
  b.SetInsertPoint(loop);
  PHINode *seen = b.CreatePHI(wordType, 2);
  seen->addIncoming(first, before);
  Iteration iteration = makeIteration(seen);
  seen->addIncoming(iteration.found, loop);
  b.CreateCondBr(iteration.isDone, after, loop);
  b.SetInsertPoint(instruction);
}

/// Returns a compare-exchange of the word: the previous value and whether it
/// matched.
Iteration exchangeWord(IRBuilder<> &b, Value *word, Value *expected,
                       Value *desired, AtomicOrdering ordering,
                       SyncScope::ID scope) {
  Value *pair = b.CreateAtomicCmpXchg(
      word, expected, desired,
      Align(expected->getType()->getIntegerBitWidth() / 8), ordering,
      AtomicCmpXchgInst::getStrongestFailureOrdering(ordering), scope);
  return {b.CreateExtractValue(pair, 0), b.CreateExtractValue(pair, 1)};
}

/// Expands an atomic operation on a whole word to a loop.
void expandWord(AtomicRMWInst *rmw) {
  Type *type = rmw->getType();
  IRBuilder<> b(rmw);
  IntegerType *wordType = b.getIntNTy(type->getPrimitiveSizeInBits());
  Value *word = rmw->getPointerOperand(), *old = nullptr;
  makeLoop(rmw, b, wordType, word, [&](Value *seen) {
    old = b.CreateBitCast(seen, type);
    Value *changed =
        buildAtomicRMWValue(rmw->getOperation(), b, old, rmw->getValOperand());
    return exchangeWord(b, word, seen, b.CreateBitCast(changed, wordType),
                        rmw->getOrdering(), rmw->getSyncScopeID());
  });
  rmw->replaceAllUsesWith(old);
  rmw->eraseFromParent();
}

/// Expands an atomic operation on a field to a loop, and returns the previous
/// value.
void expandInWord(AtomicRMWInst *rmw) {
  Type *type = rmw->getType();
  IRBuilder<> b(rmw);
  Field field =
      findField(b, rmw->getPointerOperand(), type->getPrimitiveSizeInBits());
  Value *old = nullptr;
  makeLoop(rmw, b, b.getInt32Ty(), field.word, [&](Value *seen) {
    old = b.CreateBitCast(getField(b, field, seen), type);
    Value *changed =
        buildAtomicRMWValue(rmw->getOperation(), b, old, rmw->getValOperand());
    Value *desired =
        setField(b, field, seen, b.CreateBitCast(changed, field.type));
    return exchangeWord(b, field.word, seen, desired, rmw->getOrdering(),
                        rmw->getSyncScopeID());
  });
  rmw->replaceAllUsesWith(old);
  rmw->eraseFromParent();
}

/// Expands a compare-exchange of a field to a compare-exchange of its word in a
/// loop, because it must not fail only because another lane changed the rest of
/// the word.
void expandInWord(AtomicCmpXchgInst *exchange) {
  IRBuilder<> b(exchange);
  Value *compared = exchange->getCompareOperand();
  Field field = findField(b, exchange->getPointerOperand(),
                          compared->getType()->getIntegerBitWidth());
  Value *old = nullptr, *success = nullptr;
  makeLoop(exchange, b, b.getInt32Ty(), field.word, [&](Value *seen) {
    Value *expected = setField(b, field, seen, compared);
    Value *desired = setField(b, field, seen, exchange->getNewValOperand());
    Iteration iteration = exchangeWord(b, field.word, expected, desired,
                                       exchange->getSuccessOrdering(),
                                       exchange->getSyncScopeID());
    old = getField(b, field, iteration.found);
    success = iteration.isDone;
    return Iteration{iteration.found,
                     b.CreateOr(success, b.CreateICmpNE(old, compared))};
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

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// Returns the SPIR-V Scope for a synchronization scope of LLVM.
uint32_t getScope(const LLVMContext &context, SyncScope::ID id) {
  constexpr uint32_t kCrossDevice = 0, kInvocation = 4;
  if (id == SyncScope::SingleThread)
    return kInvocation;
  return StringSwitch<uint32_t>(context.getSyncScopeName(id).value_or(""))
      .Case("device", 1)
      .Case("workgroup", 2)
      .Case("subgroup", 3)
      .Default(kCrossDevice);
}

/// Returns the SPIR-V Memory Semantics of an access to memory of an address
/// space.
uint32_t getSemantics(AtomicOrdering ordering, unsigned addressSpace) {
  constexpr uint32_t kAcquire = 2, kRelease = 4, kSequential = 16,
                     kWorkgroup = 0x100, kGlobal = 0x200;
  uint32_t memory = addressSpace == 1   ? kGlobal
                    : addressSpace == 3 ? kWorkgroup
                                        : kGlobal | kWorkgroup;
  switch (ordering) {
  case AtomicOrdering::Acquire:
    return kAcquire | memory;
  case AtomicOrdering::Release:
    return kRelease | memory;
  case AtomicOrdering::SequentiallyConsistent:
    return kSequential | memory;
  default:
    return 0;
  }
}

/// Calls a function that the backend maps to an instruction. The arguments are
/// a pointer, scope, semantics, and the stored value.
Value *callAtomic(IRBuilder<> &b, StringRef name, Value *pointer,
                  SyncScope::ID scope, AtomicOrdering ordering,
                  IntegerType *type, Value *stored) {
  unsigned space = pointer->getType()->getPointerAddressSpace();
  StringRef letter = type->getBitWidth() == 64 ? "l" : "i";
  std::string mangled = ("_Z" + Twine(name.size()) + name + "PU3AS" +
                         Twine(space) + letter + "ii" + (stored ? letter : ""))
                            .str();
  SmallVector<Value *> operands = {pointer,
                                   b.getInt32(getScope(b.getContext(), scope)),
                                   b.getInt32(getSemantics(ordering, space))};
  if (stored)
    operands.push_back(stored);
  SmallVector<Type *> types =
      map_to_vector(operands, [](Value *value) { return value->getType(); });
  FunctionCallee callee = b.GetInsertBlock()->getModule()->getOrInsertFunction(
      mangled, FunctionType::get(stored ? b.getVoidTy() : type, types,
                                 /*isVarArg=*/false));
  CallInst *call = b.CreateCall(callee, operands);
  auto *function = cast<Function>(callee.getCallee());
  function->setCallingConv(CallingConv::SPIR_FUNC);
  call->setCallingConv(CallingConv::SPIR_FUNC);
  return call;
}

void expandLoad(LoadInst *load) {
  IRBuilder<> b(load);
  Type *type = load->getType();
  unsigned bits = load->getDataLayout().getTypeSizeInBits(type);
  Value *pointer = load->getPointerOperand();
  Field field;
  if (bits < 32) {
    field = findField(b, pointer, bits);
    pointer = field.word;
  }
  Value *value = callAtomic(b, "__spirv_AtomicLoad", pointer,
                            load->getSyncScopeID(), load->getOrdering(),
                            b.getIntNTy(std::max(bits, 32u)), nullptr);
  if (bits < 32)
    value = getField(b, field, value);
  load->replaceAllUsesWith(b.CreateBitOrPointerCast(value, type));
  load->eraseFromParent();
}

void expandStore(StoreInst *store) {
  IRBuilder<> b(store);
  Value *value = store->getValueOperand();
  unsigned bits = store->getDataLayout().getTypeSizeInBits(value->getType());
  IntegerType *type = b.getIntNTy(bits);
  callAtomic(b, "__spirv_AtomicStore", store->getPointerOperand(),
             store->getSyncScopeID(), store->getOrdering(), type,
             b.CreateBitOrPointerCast(value, type));
  store->eraseFromParent();
}

/// Replaces a store of less than a word, which modifies a part of the word,
/// with an exchange.
void exchangeInsteadOfStore(StoreInst *store) {
  IRBuilder<> b(store);
  Value *value = store->getValueOperand();
  IntegerType *type =
      b.getIntNTy(store->getDataLayout().getTypeSizeInBits(value->getType()));
  b.CreateAtomicRMW(AtomicRMWInst::Xchg, store->getPointerOperand(),
                    b.CreateBitOrPointerCast(value, type), store->getAlign(),
                    store->getOrdering(), store->getSyncScopeID());
  store->eraseFromParent();
}

/// Returns all atomic accesses of one kind to memory that is visible to other
/// lanes.
template <typename Access> SmallVector<Access *> collect(Module &module) {
  SmallVector<Access *> accesses;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *access = dyn_cast<Access>(&instruction);
          access && access->isAtomic() && access->getPointerAddressSpace() != 0)
        accesses.push_back(access);
  return accesses;
}

} // namespace

/// Expands operations that Intel GPUs have no instruction for. Returns whether
/// there were any.
static bool expandOperations(Module &module) {
  SmallVector<AtomicRMWInst *> operations;
  SmallVector<AtomicCmpXchgInst *> exchanges;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *rmw = dyn_cast<AtomicRMWInst>(&instruction);
      auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
      if (rmw && !isNative(rmw))
        operations.push_back(rmw);
      else if (exchange && exchange->getCompareOperand()
                                   ->getType()
                                   ->getPrimitiveSizeInBits() < 32)
        exchanges.push_back(exchange);
    }
  for (AtomicRMWInst *rmw : operations) {
    if (rmw->getType()->getPrimitiveSizeInBits() < 32)
      expandInWord(rmw);
    else
      expandWord(rmw);
  }
  for (AtomicCmpXchgInst *exchange : exchanges)
    expandInWord(exchange);
  return !operations.empty() || !exchanges.empty();
}

PreservedAnalyses
aircc::spirv::ExpandAtomicsPass::run(Module &module, ModuleAnalysisManager &) {
  for (StoreInst *store : collect<StoreInst>(module))
    if (store->getDataLayout().getTypeSizeInBits(
            store->getValueOperand()->getType()) < 32)
      exchangeInsteadOfStore(store);
  bool changed = expandOperations(module);
  auto loads = collect<LoadInst>(module);
  auto stores = collect<StoreInst>(module);
  for (LoadInst *load : loads)
    expandLoad(load);
  for (StoreInst *store : stores)
    expandStore(store);
  changed |= !loads.empty() || !stores.empty();
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
