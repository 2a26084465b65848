//===- TranslateTrace.cpp - Reports of executed instructions --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// In a traced program, each instruction stores its operands in a record and
// calls the host, executes, stores its result and calls the host again.
// Addresses of a lane's private variables are omitted, because they are host
// addresses that differ between executions.
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/Host.h"
#include "simulator/spirv/translate/Translator.h"

#include <spirv/unified1/OpenCL.std.h>

using namespace aircc::sim::spirv;
using spv::Op;
namespace CL = OpenCLLIB;

namespace {

/// The kinds of an instruction's operands.
enum class OperandKind { Value, Id, Literal };

/// Returns whether the instruction is neither executed nor traced.
bool isSilent(Op op) {
  switch (op) {
  case Op::OpNop:
  case Op::OpLine:
  case Op::OpNoLine:
  case Op::OpLabel:
  case Op::OpLoopMerge:
  case Op::OpSelectionMerge:
  case Op::OpFunctionEnd:
  case Op::OpVariable:
  case Op::OpLifetimeStart:
  case Op::OpLifetimeStop:
    return true;
  default:
    return false;
  }
}

bool isAtomic(Op op) {
  return (op >= Op::OpAtomicLoad && op <= Op::OpAtomicXor) ||
         op == Op::OpAtomicFlagTestAndSet || op == Op::OpAtomicFlagClear ||
         op == Op::OpAtomicFAddEXT || op == Op::OpAtomicFMinEXT ||
         op == Op::OpAtomicFMaxEXT;
}

bool isGroup(Op op) {
  return (op >= Op::OpGroupAll && op <= Op::OpGroupSMax) ||
         (op >= Op::OpGroupNonUniformElect &&
          op <= Op::OpGroupNonUniformQuadSwap) ||
         (op >= Op::OpGroupIMulKHR && op <= Op::OpGroupLogicalXorKHR);
}

/// Returns whether the scope of the group instruction is followed by a
/// GroupOperation, as in reductions and counts.
bool hasGroupOperation(Op op) {
  return (op >= Op::OpGroupIAdd && op <= Op::OpGroupSMax) ||
         (op >= Op::OpGroupNonUniformIAdd &&
          op <= Op::OpGroupNonUniformLogicalXor) ||
         op == Op::OpGroupNonUniformBallotBitCount ||
         (op >= Op::OpGroupIMulKHR && op <= Op::OpGroupLogicalXorKHR);
}

/// Returns the operand of an OpenCL.std instruction that is a literal (a number
/// of elements or a rounding mode), or 0.
unsigned literalOf(uint32_t extended) {
  switch (extended) {
  case CL::Vloadn:
  case CL::Vload_halfn:
  case CL::Vloada_halfn:
    return 4;
  case CL::Vstore_half_r:
  case CL::Vstore_halfn_r:
  case CL::Vstorea_halfn_r:
    return 5;
  default:
    return 0;
  }
}

/// Returns the kind of an operand according to the SPIR-V specification,
/// "Instructions".
OperandKind kindOf(const Instruction &i, unsigned n) {
  auto values = [&](unsigned count, OperandKind then) {
    return n < count ? OperandKind::Value : then;
  };
  switch (i.op) {
  case Op::OpLoad:
  case Op::OpCompositeExtract:
  case Op::OpGenericCastToPtrExplicit:
    return values(1, OperandKind::Literal);
  case Op::OpStore:
  case Op::OpCopyMemory:
  case Op::OpCompositeInsert:
  case Op::OpVectorShuffle:
    return values(2, OperandKind::Literal);
  case Op::OpCopyMemorySized:
    return values(3, OperandKind::Literal);
  case Op::OpExtInst:
    return n == 0                                   ? OperandKind::Id
           : n == 1 || n == literalOf(i.operand(1)) ? OperandKind::Literal
                                                    : OperandKind::Value;
  case Op::OpFunctionCall:
    return n ? OperandKind::Value : OperandKind::Id;
  case Op::OpBranchConditional:
    return n == 0  ? OperandKind::Value
           : n < 3 ? OperandKind::Id
                   : OperandKind::Literal;
  case Op::OpSwitch:
    return n == 0   ? OperandKind::Value
           : n == 1 ? OperandKind::Id
                    : OperandKind::Literal;
  case Op::OpBranch:
  case Op::OpPhi:
  case Op::OpControlBarrier:
  case Op::OpMemoryBarrier:
    return OperandKind::Id;
  default:
    break;
  }
  if (isAtomic(i.op)) {
    // The operands are the address, the scope and the semantics; exchanges also
    // have the semantics on failure.
    const bool exchanges = i.op == Op::OpAtomicCompareExchange ||
                           i.op == Op::OpAtomicCompareExchangeWeak;
    return n == 0 || n > (exchanges ? 3u : 2u) ? OperandKind::Value
                                               : OperandKind::Id;
  }
  if (isGroup(i.op)) {
    if (n == 0)
      return OperandKind::Id;
    return n == 1 && hasGroupOperation(i.op) ? OperandKind::Literal
                                             : OperandKind::Value;
  }
  return OperandKind::Value;
}

void addParts(const llvm::DataLayout &layout, llvm::Type *t, uint32_t at,
              std::vector<TraceSite::Value::Part> &parts) {
  auto bytes = [&](llvm::Type *of) {
    return static_cast<uint32_t>(layout.getTypeAllocSize(of));
  };
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(t)) {
    const llvm::StructLayout *places = layout.getStructLayout(structure);
    for (unsigned n = 0; n < structure->getNumElements(); ++n)
      addParts(layout, structure->getElementType(n),
               at + static_cast<uint32_t>(places->getElementOffset(n)), parts);
    return;
  }
  if (auto *array = llvm::dyn_cast<llvm::ArrayType>(t)) {
    for (uint32_t n = 0; n < array->getNumElements(); ++n)
      addParts(layout, array->getElementType(),
               at + n * bytes(array->getElementType()), parts);
    return;
  }
  const uint32_t size = bytes(t->getScalarType());
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(t);
  for (unsigned n = 0; n < (vector ? vector->getNumElements() : 1); ++n)
    parts.push_back({at + n * size, size});
}

} // namespace

static std::string textOf(const Instruction &i, const SpirvModule &spirv) {
  std::string text;
  if (i.result)
    text = "%" + std::to_string(i.result) + " = ";
  text += nameOf(i.op);
  for (auto [n, operand] : llvm::enumerate(i.operands)) {
    text += " ";
    if (i.op == Op::OpFunctionCall && n == 0)
      text += spirv.name(operand);
    else if (i.op == Op::OpExtInst && n == 0)
      text += spirv.instructionSet(operand);
    else if (i.op == Op::OpExtInst && n == 1)
      text += nameOfExtended(operand);
    else if (kindOf(i, n) == OperandKind::Literal)
      text += std::to_string(operand);
    else
      text += "%" + std::to_string(operand);
  }
  return text;
}

TraceSite::Value FunctionTranslator::traceValue(uint32_t id, Value *v,
                                                uint32_t &end) {
  Type *t = v->getType();
  if (t->getScalarType()->isIntegerTy(1))
    v = b.CreateZExt(v, t->getWithNewBitWidth(8));
  TraceSite::Value made;
  made.id = id;
  const uint32_t bytes = static_cast<uint32_t>(outer.bytesOf(v->getType()));
  addParts(outer.module.getDataLayout(), v->getType(), end, made.parts);
  b.CreateAlignedStore(v, b.CreateConstGEP1_32(b.getInt8Ty(), traceRecord, end),
                       llvm::Align(16));
  end = llvm::alignTo(end + bytes, 16);
  traceRecordBytes = std::max<uint64_t>(traceRecordBytes, end);
  return made;
}

void FunctionTranslator::tracePhis() {
  for (const Instruction *i : untracedPhis) {
    TraceSite &site = outer.program.traceSites.emplace_back();
    outer.place(site, *i, name);
    site.text = textOf(*i, outer.spirv);
    traceEnd(*i, site);
  }
  untracedPhis.clear();
}

TraceSite *FunctionTranslator::traceBegin(const Instruction &i) {
  if (i.op == Op::OpPhi)
    untracedPhis.push_back(&i);
  if (isSilent(i.op) || i.op == Op::OpPhi ||
      (i.op == Op::OpExtInst &&
       outer.spirv.instructionSet(i.operand(0)) != "OpenCL.std"))
    return nullptr;
  tracePhis();
  TraceSite &site = outer.program.traceSites.emplace_back();
  outer.place(site, i, name);
  site.text = textOf(i, outer.spirv);
  if (i.op == Op::OpFunctionCall)
    if (const Function *callee = outer.source(i.operand(0)))
      site.isCall = !callee->body.empty();
  auto isOwnAddress = [&](uint32_t id) {
    const Instruction &type = outer.definition(typeIdOf(id));
    if (type.op != Op::OpTypePointer)
      return false;
    const auto where = static_cast<spv::StorageClass>(type.operand(0));
    return where == spv::StorageClass::Function ||
           where == spv::StorageClass::Input;
  };
  uint32_t end = 0;
  for (auto [n, id] : llvm::enumerate(i.operands))
    if (kindOf(i, n) == OperandKind::Value && !isOwnAddress(id))
      site.reads.push_back(traceValue(id, value(id), end));
  site.readBytes = end;
  callHost(reinterpret_cast<const void *>(&host::traceOperands), b.getVoidTy(),
           {lane, pointerTo(&site), traceRecord});
  return &site;
}

void FunctionTranslator::traceEnd(const Instruction &i, TraceSite &site) {
  // No instruction can follow the end of a block.
  auto it = values.find(i.result);
  if (!i.result || it == values.end())
    return;
  site.write = traceValue(i.result, it->second, site.writeBytes);
  callHost(reinterpret_cast<const void *>(&host::traceResult), b.getVoidTy(),
           {lane, pointerTo(&site), traceRecord});
}
