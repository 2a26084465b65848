//===- TranslateGroup.cpp - Operations of several lanes -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A lane stores its operands in its record and calls host::converge(), which
// returns when all lanes have arrived and the result is in the record.
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/Convergence.h"
#include "simulator/spirv/Host.h"
#include "simulator/spirv/translate/Translator.h"

using namespace aircc::sim::spirv;
using spv::Op;

namespace {

/// Instructions on values of a group. Their operands are the scope, for
/// reductions the GroupOperation, and the operands of `run`.
struct GroupRow {
  Op op;
  void (*run)(Convergence &);
  bool hasOperation; ///< A GroupOperation follows the scope.
  bool partial;      ///< Whether only the lanes that arrive participate.
};
constexpr GroupRow kGroups[] = {
    {Op::OpGroupAll, runVote, false, false},
    {Op::OpGroupAny, runVote, false, false},
    {Op::OpGroupBroadcast, runBroadcast, false, false},
    {Op::OpGroupIAdd, runReduce, true, false},
    {Op::OpGroupFAdd, runReduce, true, false},
    {Op::OpGroupFMin, runReduce, true, false},
    {Op::OpGroupUMin, runReduce, true, false},
    {Op::OpGroupSMin, runReduce, true, false},
    {Op::OpGroupFMax, runReduce, true, false},
    {Op::OpGroupUMax, runReduce, true, false},
    {Op::OpGroupSMax, runReduce, true, false},
    {Op::OpGroupIMulKHR, runReduce, true, false},
    {Op::OpGroupFMulKHR, runReduce, true, false},
    {Op::OpGroupBitwiseAndKHR, runReduce, true, false},
    {Op::OpGroupBitwiseOrKHR, runReduce, true, false},
    {Op::OpGroupBitwiseXorKHR, runReduce, true, false},
    {Op::OpGroupLogicalAndKHR, runReduce, true, false},
    {Op::OpGroupLogicalOrKHR, runReduce, true, false},
    {Op::OpGroupLogicalXorKHR, runReduce, true, false},
    {Op::OpGroupNonUniformElect, runElect, false, true},
    {Op::OpGroupNonUniformAll, runVote, false, true},
    {Op::OpGroupNonUniformAny, runVote, false, true},
    {Op::OpGroupNonUniformAllEqual, runAllEqual, false, true},
    {Op::OpGroupNonUniformBroadcast, runBroadcast, false, true},
    {Op::OpGroupNonUniformBroadcastFirst, runBroadcastFirst, false, true},
    {Op::OpGroupNonUniformBallot, runBallot, false, true},
    {Op::OpGroupNonUniformShuffle, runShuffle, false, true},
    {Op::OpGroupNonUniformShuffleXor, runShuffleXor, false, true},
    {Op::OpGroupNonUniformShuffleUp, runShuffleUp, false, true},
    {Op::OpGroupNonUniformShuffleDown, runShuffleDown, false, true},
    {Op::OpGroupNonUniformQuadBroadcast, runQuad, false, true},
    {Op::OpGroupNonUniformQuadSwap, runQuad, false, true},
    {Op::OpGroupNonUniformIAdd, runReduce, true, true},
    {Op::OpGroupNonUniformFAdd, runReduce, true, true},
    {Op::OpGroupNonUniformIMul, runReduce, true, true},
    {Op::OpGroupNonUniformFMul, runReduce, true, true},
    {Op::OpGroupNonUniformSMin, runReduce, true, true},
    {Op::OpGroupNonUniformUMin, runReduce, true, true},
    {Op::OpGroupNonUniformFMin, runReduce, true, true},
    {Op::OpGroupNonUniformSMax, runReduce, true, true},
    {Op::OpGroupNonUniformUMax, runReduce, true, true},
    {Op::OpGroupNonUniformFMax, runReduce, true, true},
    {Op::OpGroupNonUniformBitwiseAnd, runReduce, true, true},
    {Op::OpGroupNonUniformBitwiseOr, runReduce, true, true},
    {Op::OpGroupNonUniformBitwiseXor, runReduce, true, true},
    {Op::OpGroupNonUniformLogicalAnd, runReduce, true, true},
    {Op::OpGroupNonUniformLogicalOr, runReduce, true, true},
    {Op::OpGroupNonUniformLogicalXor, runReduce, true, true},
};

/// Instructions without a scope operand. Their scope is the subgroup.
struct SubgroupRow {
  Op op;
  void (*run)(Convergence &);
};
constexpr SubgroupRow kSubgroups[] = {
    {Op::OpSubgroupBallotKHR, runBallot},
    {Op::OpSubgroupFirstInvocationKHR, runBroadcastFirst},
    {Op::OpSubgroupReadInvocationKHR, runBroadcast},
    {Op::OpSubgroupAllKHR, runVote},
    {Op::OpSubgroupAnyKHR, runVote},
    {Op::OpSubgroupAllEqualKHR, runAllEqual},
    {Op::OpSubgroupShuffleINTEL, runShuffle},
    {Op::OpSubgroupShuffleXorINTEL, runShuffleXor},
    {Op::OpSubgroupShuffleUpINTEL, runShuffleIntel},
    {Op::OpSubgroupShuffleDownINTEL, runShuffleIntel},
};

/// Variables decorated with BuiltIn: their offset and type in LaneState.
struct BuiltinRow {
  spv::BuiltIn builtin;
  size_t offset;
  unsigned bits, elements;
};
#define FIELD(NAME) (offsetof(LaneState, ids) + offsetof(LaneIds, NAME))
constexpr BuiltinRow kBuiltins[] = {
    {spv::BuiltIn::LocalInvocationId, FIELD(localId), 64, 3},
    {spv::BuiltIn::GlobalInvocationId, FIELD(globalId), 64, 3},
    {spv::BuiltIn::WorkgroupId, FIELD(groupId), 64, 3},
    {spv::BuiltIn::WorkgroupSize, FIELD(groupSize), 64, 3},
    {spv::BuiltIn::EnqueuedWorkgroupSize, FIELD(groupSize), 64, 3},
    {spv::BuiltIn::GlobalSize, FIELD(globalSize), 64, 3},
    {spv::BuiltIn::NumWorkgroups, FIELD(groups), 64, 3},
    {spv::BuiltIn::GlobalOffset, FIELD(globalOffset), 64, 3},
    {spv::BuiltIn::LocalInvocationIndex, FIELD(localIndex), 64, 1},
    {spv::BuiltIn::GlobalLinearId, FIELD(globalIndex), 64, 1},
    {spv::BuiltIn::SubgroupSize, FIELD(subgroupSize), 32, 1},
    {spv::BuiltIn::SubgroupMaxSize, FIELD(subgroupMaxSize), 32, 1},
    {spv::BuiltIn::NumSubgroups, FIELD(subgroups), 32, 1},
    {spv::BuiltIn::NumEnqueuedSubgroups, FIELD(subgroups), 32, 1},
    {spv::BuiltIn::SubgroupId, FIELD(subgroupId), 32, 1},
    {spv::BuiltIn::SubgroupLocalInvocationId, FIELD(subgroupLane), 32, 1},
    {spv::BuiltIn::WorkDim, FIELD(dimensions), 32, 1},
    {spv::BuiltIn::SubgroupEqMask, FIELD(maskEq), 32, 4},
    {spv::BuiltIn::SubgroupGeMask, FIELD(maskGe), 32, 4},
    {spv::BuiltIn::SubgroupGtMask, FIELD(maskGt), 32, 4},
    {spv::BuiltIn::SubgroupLeMask, FIELD(maskLe), 32, 4},
    {spv::BuiltIn::SubgroupLtMask, FIELD(maskLt), 32, 4},
};
#undef FIELD

} // namespace

llvm::Value *FunctionTranslator::builtinAddress(const Instruction &variable) {
  const Decoration *decoration =
      outer.spirv.findDecoration(variable.result, spv::Decoration::BuiltIn);
  if (!decoration)
    fail(variable, "an input variable that is not a builtin");
  for (const BuiltinRow &row : kBuiltins) {
    if (row.builtin != static_cast<spv::BuiltIn>(decoration->operand(0)))
      continue;
    Type *t = type(outer.pointee(variable.type));
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(t);
    if (t->getScalarSizeInBits() != row.bits ||
        (vector ? vector->getNumElements() : 1) != row.elements)
      fail(variable, "builtin variable '" + outer.spirv.name(variable.result) +
                         "' must have " + std::to_string(row.elements) +
                         " elements of " + std::to_string(row.bits) + " bits");
    return b.CreateConstGEP1_32(b.getInt8Ty(), lane, row.offset);
  }
  fail(variable, "builtin variable '" + outer.spirv.name(variable.result) +
                     "' is not simulated");
}

//===----------------------------------------------------------------------===//
// Convergence
//===----------------------------------------------------------------------===//

CollectiveSite &FunctionTranslator::collectiveSite(const Instruction &i,
                                                   std::string what) {
  CollectiveSite &made = outer.program.collectiveSites.emplace_back();
  outer.place(made, i, name, std::move(what));
  made.op = i.op;
  return made;
}

/// Values have their memory layout in the record, and bools are bytes.
static llvm::Type *inMemory(llvm::Type *t) {
  return t->getScalarType()->isIntegerTy(1) ? t->getWithNewBitWidth(8) : t;
}

void FunctionTranslator::describeValue(CollectiveSite &site, Type *t) {
  Type *scalar = t->getScalarType();
  site.isFloat = scalar->isFloatingPointTy();
  site.isBFloat = scalar->isBFloatTy();
  site.isBool = scalar->isIntegerTy(1);
  site.elementBits = inMemory(scalar)->getPrimitiveSizeInBits();
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(t);
  site.elements = vector ? vector->getNumElements() : 1;
}

llvm::Value *FunctionTranslator::converge(CollectiveSite &site,
                                          llvm::ArrayRef<Value *> operands,
                                          Type *result) {
  uint64_t end = 0;
  auto slot = [&](Type *t) {
    const uint64_t bytes = outer.bytesOf(t);
    CollectiveSite::Slot made{static_cast<uint32_t>(end),
                              static_cast<uint32_t>(bytes)};
    end = llvm::alignTo(end + bytes, 16);
    return made;
  };
  auto at = [&](const CollectiveSite::Slot &slot) {
    return b.CreateConstGEP1_32(b.getInt8Ty(), record, slot.offset);
  };
  for (Value *v : operands) {
    Type *t = inMemory(v->getType());
    site.operands.push_back(slot(t));
    if (t != v->getType())
      v = b.CreateZExt(v, t);
    b.CreateAlignedStore(v, at(site.operands.back()), llvm::Align(16));
  }
  const bool hasResult = result && !result->isVoidTy();
  if (hasResult)
    site.result = slot(inMemory(result));
  recordBytes = std::max(recordBytes, end);
  callHost(reinterpret_cast<const void *>(&host::converge), b.getVoidTy(),
           {lane, pointerTo(&site), record});
  if (!hasResult)
    return llvm::PoisonValue::get(b.getInt1Ty());
  Value *v =
      b.CreateAlignedLoad(inMemory(result), at(site.result), llvm::Align(16));
  return v->getType() == result ? v : b.CreateTrunc(v, result);
}

/// Returns whether the elements are bools or numbers of 8, 16, 32 or 64 bits.
static bool isWholeBytes(llvm::Type *t) {
  const unsigned bits = t->getScalarSizeInBits();
  return bits == 1 || (bits >= 8 && bits <= 64 && llvm::isPowerOf2_32(bits));
}

bool FunctionTranslator::group(const Instruction &i) {
  auto checkScope = [&](spv::Scope scope) {
    if (scope != spv::Scope::Subgroup && scope != spv::Scope::Workgroup)
      fail(i, "scope " + std::to_string(unsigned(scope)) +
                  "; only the scopes subgroup and workgroup are simulated");
    return scope;
  };
  for (const GroupRow &row : kGroups) {
    if (row.op != i.op)
      continue;
    CollectiveSite &site = collectiveSite(i);
    site.scope = checkScope(scopeOf(i, 0));
    if (row.partial && site.scope != spv::Scope::Subgroup)
      fail(i, "a scope other than the subgroup");
    site.partial = row.partial;
    site.run = row.run;
    if (row.hasOperation && !isWholeBytes(type(i.type)))
      fail(i, "numbers whose size is not 8, 16, 32 or 64 bits");
    unsigned n = 1;
    if (row.hasOperation) {
      site.group = static_cast<spv::GroupOperation>(i.operand(n++));
      if (site.group > spv::GroupOperation::ClusteredReduce)
        fail(i, "group operation " + std::to_string(unsigned(site.group)));
      if (site.group == spv::GroupOperation::ClusteredReduce)
        site.clusterSize = outer.integer(i.operands.back(), i);
    }
    llvm::SmallVector<Value *> operands;
    for (; n < i.operands.size(); ++n)
      operands.push_back(operand(i, n));
    if (!operands.empty())
      describeValue(site, operands[0]->getType());
    set(i, converge(site, operands, type(i.type)));
    return true;
  }
  for (const SubgroupRow &row : kSubgroups) {
    if (row.op != i.op)
      continue;
    CollectiveSite &site = collectiveSite(i);
    site.partial = true;
    site.run = row.run;
    llvm::SmallVector<Value *> operands;
    for (unsigned n = 0; n < i.operands.size(); ++n)
      operands.push_back(operand(i, n));
    describeValue(site, operands[0]->getType());
    set(i, converge(site, operands, type(i.type)));
    return true;
  }
  switch (i.op) {
  case Op::OpControlBarrier: {
    CollectiveSite &site = collectiveSite(i);
    site.scope = checkScope(scopeOf(i, 0));
    site.semantics =
        static_cast<spv::MemorySemanticsMask>(outer.integer(i.operand(2), i));
    site.isBarrier = true;
    site.run = runBarrier;
    converge(site, {}, nullptr);
    return true;
  }
  case Op::OpSubgroupBlockReadINTEL:
    set(i, blockCall1D(i, i.operand(0), nullptr, type(i.type), nameOf(i.op)));
    return true;
  case Op::OpSubgroupBlockWriteINTEL:
    blockCall1D(i, i.operand(0), operand(i, 1), nullptr, nameOf(i.op));
    return true;
  case Op::OpGroupNonUniformInverseBallot:
  case Op::OpGroupNonUniformBallotBitExtract:
  case Op::OpGroupNonUniformBallotBitCount:
  case Op::OpGroupNonUniformBallotFindLSB:
  case Op::OpGroupNonUniformBallotFindMSB:
    set(i, ballotBits(i));
    return true;
  default:
    return false;
  }
}

/// Handles instructions that read the result of a ballot. Subgroups have at
/// most 32 lanes, so only the first of the four words matters.
llvm::Value *FunctionTranslator::ballotBits(const Instruction &i) {
  const bool hasOperation = i.op == Op::OpGroupNonUniformBallotBitCount;
  Type *t = type(i.type);
  Value *own =
      laneField(offsetof(LaneState, ids) + offsetof(LaneIds, subgroupLane),
                b.getInt32Ty());
  Value *size =
      laneField(offsetof(LaneState, ids) + offsetof(LaneIds, subgroupSize),
                b.getInt32Ty());
  Value *bits =
      b.CreateExtractElement(operand(i, hasOperation ? 2 : 1), uint64_t(0));
  auto below = [&](Value *n) { // n may be 32.
    Value *wide = b.CreateShl(b.getInt64(1), b.CreateZExt(n, b.getInt64Ty()));
    return b.CreateTrunc(b.CreateSub(wide, b.getInt64(1)), b.getInt32Ty());
  };
  bits = b.CreateAnd(bits, below(size));
  switch (i.op) {
  case Op::OpGroupNonUniformInverseBallot:
    return b.CreateTrunc(b.CreateLShr(bits, own), t);
  case Op::OpGroupNonUniformBallotBitExtract:
    return b.CreateTrunc(
        b.CreateLShr(bits, b.CreateAnd(operand(i, 2), b.getInt32(31))), t);
  case Op::OpGroupNonUniformBallotFindLSB:
    return b.CreateZExtOrTrunc(
        b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, b.getFalse()), t);
  case Op::OpGroupNonUniformBallotFindMSB:
    return b.CreateZExtOrTrunc(
        b.CreateSub(
            b.getInt32(31),
            b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, bits, b.getFalse())),
        t);
  default:
    break;
  }
  auto operation = static_cast<spv::GroupOperation>(i.operand(1));
  if (operation == spv::GroupOperation::InclusiveScan)
    bits = b.CreateAnd(bits, below(b.CreateAdd(own, b.getInt32(1))));
  else if (operation == spv::GroupOperation::ExclusiveScan)
    bits = b.CreateAnd(bits, below(own));
  else if (operation != spv::GroupOperation::Reduce)
    fail(i, "group operation " + std::to_string(i.operand(1)));
  return b.CreateZExtOrTrunc(
      b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits), t);
}
