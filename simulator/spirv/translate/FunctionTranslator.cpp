//===- FunctionTranslator.cpp - The body of a function --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Values, calls to the host, and control flow.
//
//===----------------------------------------------------------------------===//

#include "simulator/launch/CoverageReport.h"
#include "simulator/spirv/Host.h"
#include "simulator/spirv/translate/Translator.h"

#include "llvm/IR/CFG.h"

using namespace aircc::sim::spirv;

FunctionTranslator::FunctionTranslator(ModuleTranslator &outer,
                                       const Function &source,
                                       llvm::Function &function)
    : outer(outer), source(source), function(function),
      name(outer.spirv.name(source.definition->result)), b(outer.context) {}

const FrameLayout *FunctionTranslator::run() {
  lane = function.getArg(0);
  for (auto [n, parameter] : llvm::enumerate(source.parameters))
    values[parameter->result] = function.getArg(n + 1);
  // Allocas and values that are computed once are in a block before all others.
  entry = llvm::BasicBlock::Create(outer.context, "entry", &function);
  for (const Instruction &i : source.body)
    if (i.op == spv::Op::OpLabel) {
      blockOrder[i.result] = blockOrder.size();
      blocks[i.result] = llvm::BasicBlock::Create(
          outer.context, "b" + std::to_string(i.result), &function);
    }
  b.SetInsertPoint(entry);
  record = b.CreateAlloca(b.getInt8Ty(), b.getInt32(0), "record");
  record->setAlignment(llvm::Align(64));
  if (outer.traced) {
    traceRecord = b.CreateAlloca(b.getInt8Ty(), b.getInt32(0), "trace");
    traceRecord->setAlignment(llvm::Align(64));
  }
  findLocalVariables();
  makeVariables();
  if (outer.coverage) {
    for (const Instruction &i : source.body)
      countInstruction(i);
    return nullptr;
  }
  for (const Instruction &i : source.body) {
    TraceSite *traced = outer.traced ? traceBegin(i) : nullptr;
    instruction(i);
    if (traced)
      traceEnd(i, *traced);
  }
  finishPhis();
  outer.stackBytes[source.definition->result] += recordBytes + traceRecordBytes;
  record->setOperand(0, b.getInt32(static_cast<uint32_t>(recordBytes)));
  if (traceRecord)
    traceRecord->setOperand(
        0, b.getInt32(static_cast<uint32_t>(traceRecordBytes)));
  b.SetInsertPoint(entry);
  b.CreateBr(block(source.body.front(), source.body.front().result));
  return frame;
}

void FunctionTranslator::countInstruction(const Instruction &i) {
  simulator::Coverage &coverage = *outer.coverage;
  ++coverage.instructions;
  try {
    instruction(i);
    ++coverage.simulated;
    return;
  } catch (const Unsupported &error) {
    addGap(coverage, nameOf(i.op), error.what(),
           "word " + std::to_string(i.word) + " of the module, in '" + name +
               "'");
  }
  // Still count users of the result.
  if (i.result && i.type)
    if (llvm::Type *t = type(i.type); !t->isVoidTy())
      values[i.result] = llvm::PoisonValue::get(t);
}

void FunctionTranslator::instruction(const Instruction &i) {
  checkOperands(i);
  if (!(arithmetic(i) || comparison(i) || bits(i) || conversion(i) ||
        composite(i) || memory(i) || pointers(i) || atomic(i) || control(i) ||
        group(i) || extended(i)))
    fail(i, nameOf(i.op) + " is not simulated");
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

llvm::Value *FunctionTranslator::value(uint32_t id) {
  auto it = values.find(id);
  if (it != values.end())
    return it->second;
  if (llvm::Constant *constant = outer.findConstant(id))
    return constant;
  const Instruction &i = outer.definition(id);
  llvm::IRBuilder<>::InsertPointGuard guard(b);
  b.SetInsertPoint(entry);
  if (const SlmVariable *variable = outer.findSlm(id)) {
    Value *slm = laneField(offsetof(LaneState, slm), b.getPtrTy());
    return values[id] =
               b.CreateConstGEP1_32(b.getInt8Ty(), slm, variable->offset);
  }
  if (i.op == spv::Op::OpVariable &&
      outer.storage(i.type) == spv::StorageClass::Input)
    return values[id] = builtinAddress(i);
  // This is an instruction on constants.
  if (i.op == spv::Op::OpSpecConstantOp) {
    if (underConstruction.size() > kMaxNesting ||
        !underConstruction.insert(id).second)
      fail(i, "a constant that is part of itself");
    Instruction inner = i;
    inner.op = static_cast<spv::Op>(i.operand(0));
    inner.operands = i.operandsFrom(1);
    instruction(inner);
    underConstruction.erase(id);
    if (auto made = values.find(id); made != values.end())
      return made->second;
  }
  fail(i, "%" + std::to_string(id) + " is used before it is defined");
}

void FunctionTranslator::set(const Instruction &i, Value *v) {
  if (v->getType() != type(i.type))
    fail(i, "the operands do not suit the type of the result");
  values[i.result] = v;
}

llvm::BasicBlock *FunctionTranslator::block(const Instruction &i,
                                            uint32_t label) {
  auto it = blocks.find(label);
  if (it == blocks.end())
    fail(i, "%" + std::to_string(label) + " is not a block of the function");
  return it->second;
}

llvm::Value *FunctionTranslator::byElement(
    Type *result, llvm::ArrayRef<Value *> operands,
    llvm::function_ref<Value *(llvm::ArrayRef<Value *>)> make) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(result);
  if (!vector)
    return make(operands);
  Value *all = llvm::PoisonValue::get(result);
  for (unsigned n = 0; n < vector->getNumElements(); ++n) {
    llvm::SmallVector<Value *> parts;
    for (Value *v : operands)
      parts.push_back(v->getType()->isVectorTy() ? b.CreateExtractElement(v, n)
                                                 : v);
    all = b.CreateInsertElement(all, make(parts), n);
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Calls to the host
//===----------------------------------------------------------------------===//

llvm::Value *FunctionTranslator::pointerTo(const void *object) {
  return llvm::ConstantExpr::getIntToPtr(
      b.getInt64(reinterpret_cast<uint64_t>(object)), b.getPtrTy());
}

llvm::Value *FunctionTranslator::callHost(const void *callee, Type *result,
                                          llvm::ArrayRef<Value *> arguments) {
  llvm::SmallVector<Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  llvm::CallInst *made =
      b.CreateCall(llvm::FunctionType::get(result, types, false),
                   pointerTo(callee), arguments);
  made->addFnAttr(llvm::Attribute::Convergent);
  made->addFnAttr(llvm::Attribute::NoMerge);
  made->addFnAttr(llvm::Attribute::NoUnwind);
  return made;
}

const Site *FunctionTranslator::site(const Instruction &i, std::string what) {
  Site &made = outer.program.sites.emplace_back();
  outer.place(made, i, name, std::move(what));
  return &made;
}

void FunctionTranslator::faultIf(const Instruction &i, Value *bad,
                                 const char *why) {
  callHost(reinterpret_cast<const void *>(&host::check), b.getVoidTy(),
           {lane, pointerTo(site(i)), bad, pointerTo(why)});
}

llvm::Value *FunctionTranslator::laneField(size_t offset, Type *type) {
  return b.CreateAlignedLoad(
      type, b.CreateConstGEP1_32(b.getInt8Ty(), lane, offset), llvm::Align(8));
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Lanes yield after a number of backward jumps, because they may wait for
/// other lanes.
void FunctionTranslator::spendBudget(const Instruction &i,
                                     llvm::ArrayRef<uint32_t> targets) {
  // Take the jump with the most distant target, because its loop contains all
  // others.
  const unsigned here = blockOrder[currentLabel];
  const Instruction *begin = nullptr;
  for (uint32_t target : targets)
    if (auto it = blockOrder.find(target);
        it != blockOrder.end() && it->second <= here)
      if (const Instruction *label = outer.spirv.find(target);
          label && (!begin || label < begin))
        begin = label;
  if (!begin)
    return;
  LoopSite &site = outer.program.loopSites.emplace_back();
  outer.place(site, i, name);
  site.targetWord = begin->word;
  auto field = [&](size_t offset) {
    return b.CreateConstGEP1_32(b.getInt8Ty(), lane, offset);
  };
  Value *executed = field(offsetof(LaneState, executed));
  b.CreateStore(b.CreateAdd(b.CreateLoad(b.getInt64Ty(), executed),
                            b.getInt64(&i - begin + 1)),
                executed);
  Value *place = field(offsetof(LaneState, budget));
  Value *left = b.CreateSub(b.CreateLoad(b.getInt64Ty(), place), b.getInt64(1));
  b.CreateStore(left, place);
  auto *spent = llvm::BasicBlock::Create(outer.context, "spent", &function);
  auto *on = llvm::BasicBlock::Create(outer.context, "on", &function);
  b.CreateCondBr(b.CreateICmpSLE(left, b.getInt64(0)), spent, on);
  b.SetInsertPoint(spent);
  callHost(reinterpret_cast<const void *>(&host::yield), b.getVoidTy(),
           {lane, pointerTo(&site)});
  b.CreateBr(on);
  b.SetInsertPoint(on);
}

void FunctionTranslator::leaveFrame() {
  if (frame)
    callHost(reinterpret_cast<const void *>(&host::leave), b.getVoidTy(),
             {lane});
}

bool FunctionTranslator::control(const Instruction &i) {
  switch (i.op) {
  case spv::Op::OpNop:
  case spv::Op::OpLine:
  case spv::Op::OpNoLine:
  case spv::Op::OpLoopMerge:
  case spv::Op::OpSelectionMerge:
  case spv::Op::OpFunctionEnd:
    return true;
  case spv::Op::OpLabel:
    currentLabel = i.result;
    b.SetInsertPoint(block(i, i.result));
    return true;
  case spv::Op::OpPhi: {
    auto *phi = b.CreatePHI(type(i.type), i.operands.size() / 2);
    phis.push_back({&i, phi});
    set(i, phi);
    return true;
  }
  case spv::Op::OpBranch:
    spendBudget(i, i.operand(0));
    labelOfEnd[b.GetInsertBlock()] = currentLabel;
    b.CreateBr(block(i, i.operand(0)));
    return true;
  case spv::Op::OpBranchConditional: {
    Value *condition = operand(i, 0);
    spendBudget(i, {i.operand(1), i.operand(2)});
    labelOfEnd[b.GetInsertBlock()] = currentLabel;
    b.CreateCondBr(condition, block(i, i.operand(1)), block(i, i.operand(2)));
    return true;
  }
  case spv::Op::OpSwitch: {
    Value *selector = operand(i, 0);
    const unsigned bits = selector->getType()->getIntegerBitWidth();
    const unsigned wordsOfCase = bits > 32 ? 2 : 1;
    llvm::SmallVector<std::pair<uint64_t, uint32_t>> cases;
    llvm::SmallVector<uint32_t> targets = {i.operand(1)};
    for (size_t n = 2; n + wordsOfCase < i.operands.size();
         n += wordsOfCase + 1) {
      uint64_t literal = i.operand(n);
      if (wordsOfCase == 2)
        literal |= uint64_t(i.operand(n + 1)) << 32;
      cases.push_back({literal, i.operand(n + wordsOfCase)});
      targets.push_back(i.operand(n + wordsOfCase));
    }
    spendBudget(i, targets);
    labelOfEnd[b.GetInsertBlock()] = currentLabel;
    llvm::SwitchInst *made =
        b.CreateSwitch(selector, block(i, i.operand(1)), cases.size());
    for (auto [literal, target] : cases)
      made->addCase(llvm::ConstantInt::get(
                        outer.context, llvm::APInt(64, literal).trunc(bits)),
                    block(i, target));
    return true;
  }
  case spv::Op::OpReturn:
    leaveFrame();
    b.CreateRetVoid();
    return true;
  case spv::Op::OpReturnValue: {
    Value *result = operand(i, 0);
    leaveFrame();
    b.CreateRet(result);
    return true;
  }
  case spv::Op::OpUnreachable:
    faultIf(i, b.getTrue(),
            "execution reached code that the compiler marked as unreachable "
            "(OpUnreachable)");
    b.CreateUnreachable();
    return true;
  case spv::Op::OpFunctionCall: {
    Value *result = call(i);
    if (!type(i.type)->isVoidTy())
      set(i, result);
    return true;
  }
  default:
    return false;
  }
}

llvm::Value *FunctionTranslator::call(const Instruction &i) {
  const Function *callee = outer.source(i.operand(0));
  if (!callee)
    fail(i, "a call to something that is not a function");
  if (callee->parameters.size() + 1 != i.operands.size())
    fail(i, "a call with " + std::to_string(i.operands.size() - 1) +
                " arguments to a function with " +
                std::to_string(callee->parameters.size()) + " parameters");
  if (callee->body.empty())
    return builtinCall(i, *callee);
  llvm::SmallVector<Value *> arguments = {lane};
  llvm::Function *made = outer.function(i.operand(0));
  for (uint32_t argument : i.operandsFrom(1)) {
    arguments.push_back(value(argument));
    if (arguments.back()->getType() !=
        made->getArg(arguments.size() - 1)->getType())
      fail(i, "argument " + std::to_string(arguments.size() - 2) +
                  " is not of the parameter's type");
  }
  return b.CreateCall(made, arguments);
}

void FunctionTranslator::finishPhis() {
  for (auto &[i, phi] : phis)
    for (llvm::BasicBlock *from : llvm::predecessors(phi->getParent())) {
      const uint32_t label = labelOfEnd.lookup(from);
      Value *given = nullptr;
      for (size_t n = 0; n + 1 < i->operands.size(); n += 2)
        if (i->operand(n + 1) == label)
          given = value(i->operand(n));
      if (!given)
        fail(*i, "OpPhi has no value for block %" + std::to_string(label));
      phi->addIncoming(given, from);
    }
}
