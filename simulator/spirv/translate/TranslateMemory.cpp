//===- TranslateMemory.cpp - Variables, loads, stores, addresses ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The host checks each access before it is executed. The exception is a
// variable of a function if all uses of its address are known and in range: it
// is an alloca, which the compiler can keep in registers. Other variables of a
// function are in a frame of the lane's private memory, with gaps between them.
// Variables are aligned to 64 bytes, because compiled kernels rely on
// alignments that the module does not declare.
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/Builtins.h"
#include "simulator/spirv/Host.h"
#include "simulator/spirv/translate/Translator.h"

#include "llvm/IR/MDBuilder.h"

using namespace aircc::sim::spirv;
using spv::Op;

namespace {
/// Variables that exceed this size, alone or in total, are not allocas.
constexpr uint64_t kStackVariable = 8192, kStackVariables = 65536;
} // namespace

//===----------------------------------------------------------------------===//
// Variables of the function
//===----------------------------------------------------------------------===//

static bool isChain(Op op) {
  return op == Op::OpAccessChain || op == Op::OpInBoundsAccessChain ||
         op == Op::OpPtrAccessChain || op == Op::OpInBoundsPtrAccessChain;
}

/// Returns the number of bytes that a builtin accesses through its private
/// pointer, or 0 for other calls.
uint64_t FunctionTranslator::blockBytes(const Instruction &call) const {
  const Function *callee =
      call.operands.empty() ? nullptr : outer.source(call.operand(0));
  if (!callee || !callee->body.empty())
    return 0;
  std::optional<BlockShape> shape =
      parseBlockBuiltin(outer.spirv.name(call.operand(0)));
  return shape ? shape->registers() * shape->registerBytes : 0;
}

/// Returns the offset of an access chain with constant indices. Empty if an
/// index is not constant or is out of range for the type.
std::optional<int64_t>
FunctionTranslator::constantOffset(const Instruction &chain) {
  const llvm::DataLayout &layout = outer.module.getDataLayout();
  Type *inner = type(outer.pointee(typeIdOf(chain.operand(0))));
  bool isFirst = chain.op == Op::OpPtrAccessChain ||
                 chain.op == Op::OpInBoundsPtrAccessChain;
  // This wraps around, as addresses do.
  uint64_t offset = 0;
  for (uint32_t id : chain.operandsFrom(1)) {
    auto *constant =
        llvm::dyn_cast_or_null<llvm::ConstantInt>(outer.findConstant(id));
    if (!constant)
      return std::nullopt;
    const int64_t index = constant->getSExtValue();
    if (auto *structure =
            isFirst ? nullptr : llvm::dyn_cast<llvm::StructType>(inner)) {
      if (index < 0 || index >= int64_t(structure->getNumElements()))
        return std::nullopt;
      offset += layout.getStructLayout(structure)->getElementOffset(index);
      inner = structure->getElementType(index);
      continue;
    }
    if (!isFirst) {
      if (!inner->isArrayTy() && !inner->isVectorTy())
        return std::nullopt;
      inner = inner->getContainedType(0);
    }
    isFirst = false;
    offset += uint64_t(index) * outer.allocBytesOf(inner);
  }
  return static_cast<int64_t>(offset);
}

void FunctionTranslator::findLocalVariables() {
  std::map<uint32_t, uint64_t> sizes;
  for (const Instruction &i : source.body) {
    if (i.op == Op::OpVariable) {
      places[i.result] = {i.result, 0};
      sizes[i.result] = outer.allocBytesOf(type(outer.pointee(i.type)));
      followed.insert(i.result);
    } else if (i.op == Op::OpBitcast && places.count(i.operand(0)) &&
               outer.isPointer(i.type)) {
      places[i.result] = places.at(i.operand(0));
    } else if (isChain(i.op) && places.count(i.operand(0))) {
      if (std::optional<int64_t> offset = constantOffset(i)) {
        Place place = places.at(i.operand(0));
        place.offset += *offset;
        places[i.result] = place;
      }
    }
  }
  // All uses must be known instructions with accesses in range.
  for (const Instruction &i : source.body) {
    for (auto [n, id] : llvm::enumerate(i.operands)) {
      // Literals among the operands may not be valid ids.
      auto it = outer.spirv.find(id) ? places.find(id) : places.end();
      if (it == places.end())
        continue;
      const Place place = it->second;
      uint64_t bytes = 0;
      bool understood = false;
      if (i.op == Op::OpLoad && n == 0) {
        bytes = outer.bytesOf(type(i.type));
        understood = true;
      } else if (i.op == Op::OpStore && n == 0) {
        bytes = outer.bytesOf(type(typeIdOf(i.operand(1))));
        understood = true;
      } else if (i.op == Op::OpFunctionCall && n > 0) {
        bytes = blockBytes(i);
        understood = bytes != 0;
      } else {
        understood = i.op == Op::OpLifetimeStart ||
                     i.op == Op::OpLifetimeStop || places.count(i.result) != 0;
      }
      // The further operands of OpLoad are literals rather than ids.
      if ((i.op == Op::OpLoad && n > 0) || (i.op == Op::OpStore && n > 1))
        continue;
      if (!understood || place.offset < 0 ||
          uint64_t(place.offset) + bytes > sizes[place.variable])
        followed.erase(place.variable);
    }
  }
  uint64_t together = 0;
  for (const Instruction &i : source.body)
    if (i.op == Op::OpVariable && followed.count(i.result)) {
      const uint64_t bytes = sizes[i.result];
      if (bytes > kStackVariable || together + bytes > kStackVariables)
        followed.erase(i.result);
      else
        together += bytes;
    }
  outer.stackBytes[source.definition->result] = together;
}

llvm::Value *FunctionTranslator::initialValue(const Instruction &variable) {
  Value *initial = value(variable.operand(1));
  if (initial->getType() != type(outer.pointee(variable.type)))
    fail(variable, "an initializer that is not of the variable's type");
  return initial;
}

/// Creates all variables at the start of the function, because SPIR-V variables
/// exist once per call, even if they are declared in a loop.
void FunctionTranslator::makeVariables() {
  llvm::SmallVector<const Instruction *> framed;
  for (const Instruction &i : source.body) {
    if (i.op != Op::OpVariable)
      continue;
    if (i.operand(0) != uint32_t(spv::StorageClass::Function))
      fail(i, "a function-level variable in storage class " +
                  std::to_string(i.operand(0)));
    Type *t = type(outer.pointee(i.type));
    if (followed.count(i.result)) {
      llvm::AllocaInst *made = b.CreateAlloca(t, nullptr, "v");
      made->setAlignment(
          llvm::Align(outer.declaredAlignment(i, kMinPrivateAlignment)));
      set(i, made);
      continue;
    }
    if (!frame) {
      frame = &outer.program.frames.emplace_back();
      frame->function = name;
      frame->bytes = kMinPrivateAlignment;
    }
    const uint32_t bytes = outer.variableBytes(i, t);
    const uint32_t alignment = outer.declaredAlignment(i, kMinPrivateAlignment);
    const uint32_t offset = llvm::alignTo(frame->bytes, alignment);
    frame->variables.push_back({offset, bytes, outer.spirv.name(i.result)});
    frame->alignment = std::max(frame->alignment, alignment);
    const uint64_t end =
        llvm::alignTo(uint64_t(offset) + bytes, kMinPrivateAlignment) +
        kMinPrivateAlignment;
    if (end > kMaxVariableBytes)
      fail(i, "the variables of a function have more than " +
                  std::to_string(kMaxVariableBytes) + " bytes in total");
    frame->bytes = static_cast<uint32_t>(end);
    framed.push_back(&i);
  }
  if (frame) {
    Value *base = callHost(reinterpret_cast<const void *>(&host::enter),
                           b.getPtrTy(), {lane, pointerTo(frame)});
    for (auto [n, i] : llvm::enumerate(framed))
      set(*i, b.CreateConstGEP1_32(b.getInt8Ty(), base,
                                   frame->variables[n].offset));
  }
  for (const Instruction &i : source.body)
    if (i.op == Op::OpVariable && i.operands.size() > 1)
      b.CreateStore(initialValue(i), values[i.result]);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

void FunctionTranslator::checkAccess(const Instruction &i, Access access) {
  const uint32_t pointer = access.pointer;
  const spv::StorageClass where = outer.storage(typeIdOf(pointer));
  if (where == spv::StorageClass::Input) {
    if (access.kind != AccessSite::Load)
      fail(i, "a builtin variable is written");
    // Accesses through access chains are checked like other memory.
    const Instruction &variable = outer.definition(pointer);
    if (variable.op == Op::OpVariable &&
        access.bytes <= outer.bytesOf(type(outer.pointee(variable.type))))
      return;
    access.alignment = 1;
  }
  if (where == spv::StorageClass::UniformConstant &&
      access.kind != AccessSite::Load)
    fail(i, "constant memory is written");
  if (where == spv::StorageClass::Function) {
    auto it = places.find(pointer);
    if (it != places.end() && followed.count(it->second.variable))
      return;
    // Compilers claim alignments of private memory that nothing guarantees.
    access.alignment = 1;
  }
  AccessSite &site = outer.program.accessSites.emplace_back();
  site.number = static_cast<uint32_t>(outer.program.accessSites.size() - 1);
  outer.place(site, i, name, std::move(access.what));
  site.kind = access.kind;
  site.bytes = static_cast<uint32_t>(access.bytes);
  site.alignment = access.alignment;
  site.storage = where;
  site.isShared = access.kind == AccessSite::Atomic || access.isVolatile;
  if (access.kind == AccessSite::Atomic) {
    site.scope = scopeOf(i, 1);
    site.semantics =
        static_cast<spv::MemorySemanticsMask>(outer.integer(i.operand(2), i));
  }
  Value *address = b.CreatePtrToInt(
      access.address ? access.address : value(pointer), b.getInt64Ty());
  if (access.dynamicBytes)
    callHost(reinterpret_cast<const void *>(&host::accessBytes), b.getVoidTy(),
             {lane, pointerTo(&site), address,
              b.CreateZExtOrTrunc(access.dynamicBytes, b.getInt64Ty())});
  else if (site.isShared || !llvm::isPowerOf2_32(access.alignment))
    callHost(reinterpret_cast<const void *>(&host::access), b.getVoidTy(),
             {lane, pointerTo(&site), address});
  else
    checkByWindow(site, address);
}

/// Checks accesses that are to the same variable or buffer as the previous one,
/// as most accesses of a site are, in compiled code without a call
/// (AccessWindow).
void FunctionTranslator::checkByWindow(const AccessSite &site, Value *address) {
  Type *word = b.getInt64Ty();
  Value *window = b.CreateConstGEP1_64(
      b.getInt8Ty(), laneField(offsetof(LaneState, windows), b.getPtrTy()),
      site.number * sizeof(AccessWindow));
  auto at = [&](Value *base, size_t offset) {
    return b.CreateConstGEP1_64(b.getInt8Ty(), base, offset);
  };
  auto addOne = [&](Value *place) {
    b.CreateStore(b.CreateAdd(b.CreateLoad(word, place), b.getInt64(1)), place);
  };
  Value *offset = address;
  if (site.storage == spv::StorageClass::Function)
    offset = b.CreateSub(offset,
                         laneField(offsetof(LaneState, privateMemory), word));
  offset = b.CreateSub(
      offset, b.CreateLoad(word, at(window, offsetof(AccessWindow, begin))));
  Value *inside = b.CreateICmpULT(
      offset, b.CreateLoad(word, at(window, offsetof(AccessWindow, count))));
  if (site.alignment > 1)
    inside = b.CreateAnd(
        inside, b.CreateICmpEQ(b.CreateAnd(address, site.alignment - 1),
                               b.getInt64(0)));
  auto block = [&](const char *name) {
    return llvm::BasicBlock::Create(outer.context, name, &function);
  };
  llvm::BasicBlock *known = block("known"), *ask = block("ask"),
                   *on = block("on");
  b.CreateCondBr(inside, known, ask,
                 llvm::MDBuilder(outer.context).createLikelyBranchWeights());
  b.SetInsertPoint(ask);
  callHost(reinterpret_cast<const void *>(&host::access), b.getVoidTy(),
           {lane, pointerTo(&site), address});
  b.CreateBr(on);
  b.SetInsertPoint(known);
  addOne(at(window, offsetof(AccessWindow, hits)));
  if (site.kind == AccessSite::Store)
    addOne(at(lane, offsetof(LaneState, work)));
  b.CreateBr(on);
  b.SetInsertPoint(on);
}

/// Returns the alignment in the memory operands or, by default, that of the
/// scalar type (OpenCL C, 6.1.5).
uint32_t FunctionTranslator::alignmentOf(const Instruction &i,
                                         unsigned firstOperand,
                                         uint32_t pointer, Type *accessed,
                                         bool &isVolatile) {
  isVolatile = false;
  if (i.operands.size() > firstOperand) {
    const uint32_t mask = i.operand(firstOperand);
    isVolatile = mask & uint32_t(spv::MemoryAccessMask::Volatile);
    if ((mask & uint32_t(spv::MemoryAccessMask::Aligned)) &&
        i.operands.size() > firstOperand + 1)
      return std::max<uint32_t>(1, i.operand(firstOperand + 1));
  }
  if (accessed->isAggregateType())
    return 1;
  Type *scalar = accessed->getScalarType();
  return std::max<uint64_t>(1, outer.allocBytesOf(scalar));
}

llvm::Value *FunctionTranslator::loadFrom(const Instruction &i,
                                          uint32_t pointer, Value *address,
                                          Type *t, uint32_t alignment,
                                          bool isVolatile) {
  checkAccess(i, {.kind = AccessSite::Load,
                  .pointer = pointer,
                  .bytes = outer.bytesOf(t),
                  .alignment = alignment,
                  .isVolatile = isVolatile});
  return b.CreateAlignedLoad(t, address, llvm::Align(1), isVolatile);
}

void FunctionTranslator::storeTo(const Instruction &i, uint32_t pointer,
                                 Value *address, Value *v, uint32_t alignment,
                                 bool isVolatile) {
  checkAccess(i, {.kind = AccessSite::Store,
                  .pointer = pointer,
                  .bytes = outer.bytesOf(v->getType()),
                  .alignment = alignment});
  b.CreateAlignedStore(v, address, llvm::Align(1), isVolatile);
}

bool FunctionTranslator::memory(const Instruction &i) {
  bool isVolatile = false;
  switch (i.op) {
  case Op::OpVariable:
  case Op::OpLifetimeStart:
  case Op::OpLifetimeStop:
    return true; // makeVariables() has created them.
  case Op::OpLoad: {
    Type *t = type(i.type);
    const uint32_t alignment = alignmentOf(i, 1, i.operand(0), t, isVolatile);
    set(i, loadFrom(i, i.operand(0), operand(i, 0), t, alignment, isVolatile));
    return true;
  }
  case Op::OpStore: {
    Value *v = operand(i, 1);
    const uint32_t alignment =
        alignmentOf(i, 2, i.operand(0), v->getType(), isVolatile);
    storeTo(i, i.operand(0), operand(i, 0), v, alignment, isVolatile);
    return true;
  }
  case Op::OpCopyMemory:
  case Op::OpCopyMemorySized: {
    const bool isSized = i.op == Op::OpCopyMemorySized;
    Type *t = isSized ? nullptr : type(outer.pointee(typeIdOf(i.operand(0))));
    Value *bytes = isSized ? b.CreateZExtOrTrunc(operand(i, 2), b.getInt64Ty())
                           : b.getInt64(outer.allocBytesOf(t));
    const uint32_t alignment = alignmentOf(i, isSized ? 3 : 2, i.operand(0),
                                           t ? t : b.getInt8Ty(), isVolatile);
    checkAccess(i, {.kind = AccessSite::Load,
                    .pointer = i.operand(1),
                    .alignment = alignment,
                    .dynamicBytes = bytes});
    checkAccess(i, {.kind = AccessSite::Store,
                    .pointer = i.operand(0),
                    .alignment = alignment,
                    .dynamicBytes = bytes});
    // The source and the target may be the same.
    b.CreateMemMove(operand(i, 0), llvm::Align(1), operand(i, 1),
                    llvm::Align(1), bytes, isVolatile);
    return true;
  }
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

llvm::Value *FunctionTranslator::accessChain(const Instruction &i,
                                             bool isPointerChain) {
  Type *t = type(outer.pointee(typeIdOf(i.operand(0))));
  llvm::SmallVector<Value *> indices;
  if (!isPointerChain)
    indices.push_back(b.getInt64(0));
  Type *inner = isPointerChain ? nullptr : t;
  for (uint32_t id : i.operandsFrom(1)) {
    Value *index = value(id);
    if (auto *structure = llvm::dyn_cast_or_null<llvm::StructType>(inner)) {
      const uint64_t member = outer.integer(id, i);
      if (member >= structure->getNumElements())
        fail(i, "there is no member " + std::to_string(member));
      indices.push_back(b.getInt32(static_cast<uint32_t>(member)));
      inner = structure->getElementType(member);
      continue;
    }
    indices.push_back(b.CreateSExtOrTrunc(index, b.getInt64Ty()));
    if (!inner)
      inner = t;
    else if (auto *array = llvm::dyn_cast<llvm::ArrayType>(inner))
      inner = array->getElementType();
    else if (auto *vector = llvm::dyn_cast<llvm::VectorType>(inner))
      inner = vector->getElementType();
    else
      fail(i, "an index into something that has no elements");
  }
  return b.CreateGEP(t, operand(i, 0), indices);
}

bool FunctionTranslator::pointers(const Instruction &i) {
  switch (i.op) {
  case Op::OpAccessChain:
  case Op::OpInBoundsAccessChain:
    set(i, accessChain(i, false));
    return true;
  case Op::OpPtrAccessChain:
  case Op::OpInBoundsPtrAccessChain:
    set(i, accessChain(i, true));
    return true;
  case Op::OpPtrDiff: {
    const uint64_t bytes =
        outer.allocBytesOf(type(outer.pointee(typeIdOf(i.operand(0)))));
    Value *difference =
        b.CreateSub(b.CreatePtrToInt(operand(i, 0), b.getInt64Ty()),
                    b.CreatePtrToInt(operand(i, 1), b.getInt64Ty()));
    set(i, b.CreateSExtOrTrunc(b.CreateSDiv(difference, b.getInt64(bytes)),
                               type(i.type)));
    return true;
  }
  default:
    return false;
  }
}
