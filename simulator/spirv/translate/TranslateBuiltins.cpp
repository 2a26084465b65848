//===- TranslateBuiltins.cpp - Calls to imported functions ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/Builtins.h"
#include "simulator/spirv/Convergence.h"
#include "simulator/spirv/Host.h"
#include "simulator/spirv/HostFloats.h"
#include "simulator/spirv/translate/Translator.h"

using namespace aircc::sim::spirv;

namespace {

/// Functions that read a field of LaneState. Those with a dimension read an
/// array of four elements, of which the last is for all dimensions beyond the
/// third.
struct WorkItemRow {
  llvm::StringLiteral name;
  size_t offset;
  bool hasDimension;
  unsigned bits;
};
#define FIELD(NAME) (offsetof(LaneState, ids) + offsetof(LaneIds, NAME))
constexpr WorkItemRow kWorkItems[] = {
    {"get_global_id", FIELD(globalId), true, 64},
    {"get_local_id", FIELD(localId), true, 64},
    {"get_group_id", FIELD(groupId), true, 64},
    {"get_local_size", FIELD(groupSize), true, 64},
    {"get_enqueued_local_size", FIELD(groupSize), true, 64},
    {"get_global_size", FIELD(globalSize), true, 64},
    {"get_num_groups", FIELD(groups), true, 64},
    {"get_global_offset", FIELD(globalOffset), true, 64},
    {"get_local_linear_id", FIELD(localIndex), false, 64},
    {"get_global_linear_id", FIELD(globalIndex), false, 64},
    {"get_work_dim", FIELD(dimensions), false, 32},
    {"get_sub_group_size", FIELD(subgroupSize), false, 32},
    {"get_max_sub_group_size", FIELD(subgroupMaxSize), false, 32},
    {"get_num_sub_groups", FIELD(subgroups), false, 32},
    {"get_enqueued_num_sub_groups", FIELD(subgroups), false, 32},
    {"get_sub_group_id", FIELD(subgroupId), false, 32},
    {"get_sub_group_local_id", FIELD(subgroupLane), false, 32},
};
#undef FIELD

} // namespace

llvm::Value *
FunctionTranslator::workItemCall(const Instruction &i, llvm::StringRef plain,
                                 llvm::ArrayRef<Value *> arguments) {
  Type *t = type(i.type);
  for (const WorkItemRow &row : kWorkItems) {
    if (row.name != plain || arguments.size() != size_t(row.hasDimension) ||
        !t->isIntegerTy(row.bits) ||
        (row.hasDimension && !arguments[0]->getType()->isIntegerTy()))
      continue;
    if (!row.hasDimension)
      return laneField(row.offset, t);
    Value *dimension = b.CreateBinaryIntrinsic(
        llvm::Intrinsic::umin,
        b.CreateZExtOrTrunc(arguments[0], b.getInt64Ty()), b.getInt64(3));
    Value *place = b.CreateGEP(
        b.getInt64Ty(), b.CreateConstGEP1_32(b.getInt8Ty(), lane, row.offset),
        dimension);
    return b.CreateLoad(t, place);
  }
  return nullptr;
}

llvm::Value *FunctionTranslator::blockCall1D(const Instruction &i,
                                             uint32_t pointer, Value *data,
                                             Type *result, std::string what) {
  CollectiveSite &site = collectiveSite(i, std::move(what));
  site.wholeSubgroup = true;
  site.run = runBlockLinear;
  describeValue(site, data ? data->getType() : result);
  outer.place(site.memory, i, name, site.what);
  site.memory.kind = data ? AccessSite::Store : AccessSite::Load;
  site.memory.storage = outer.storage(typeIdOf(pointer));
  llvm::SmallVector<Value *> operands = {
      b.CreatePtrToInt(value(pointer), b.getInt64Ty())};
  if (data)
    operands.push_back(data);
  return converge(site, operands, result);
}

llvm::Value *
FunctionTranslator::block2DCall(const Instruction &i, llvm::StringRef plain,
                                const BlockShape &shape,
                                llvm::ArrayRef<Value *> arguments) {
  CollectiveSite &site = collectiveSite(i, plain.str());
  site.wholeSubgroup = true;
  site.run = runBlock2D;
  site.block = shape;
  outer.place(site.memory, i, name, plain.str());
  const bool isWrite = shape.kind == BlockShape::Write;
  site.memory.kind = isWrite ? AccessSite::Store : AccessSite::Load;
  site.memory.storage = outer.storage(typeIdOf(i.operand(1)));
  // A block read writes the lane's private array, and vice versa.
  if (shape.registerBytes)
    checkAccess(i, {.kind = isWrite ? AccessSite::Load : AccessSite::Store,
                    .pointer = i.operand(6),
                    .bytes = uint64_t(shape.registers()) * shape.registerBytes,
                    .what = plain.str()});
  llvm::SmallVector<Value *> operands;
  for (Value *argument : arguments)
    operands.push_back(argument->getType()->isPointerTy()
                           ? b.CreatePtrToInt(argument, b.getInt64Ty())
                           : argument);
  return converge(site, operands, type(i.type));
}

llvm::Value *FunctionTranslator::barrierCall(const Instruction &i,
                                             llvm::StringRef plain) {
  CollectiveSite &site = collectiveSite(i, plain.str());
  site.scope = plain == "sub_group_barrier" ? spv::Scope::Subgroup
                                            : spv::Scope::Workgroup;
  // CLK_LOCAL_MEM_FENCE is 1, CLK_GLOBAL_MEM_FENCE 2.
  const uint64_t flags = outer.integer(i.operand(1), i);
  uint32_t semantics = uint32_t(spv::MemorySemanticsMask::AcquireRelease);
  if (flags & 1)
    semantics |= uint32_t(spv::MemorySemanticsMask::WorkgroupMemory);
  if (flags & 2)
    semantics |= uint32_t(spv::MemorySemanticsMask::CrossWorkgroupMemory);
  site.semantics = static_cast<spv::MemorySemanticsMask>(semantics);
  site.isBarrier = true;
  site.run = runBarrier;
  return converge(site, {}, nullptr);
}

llvm::Value *FunctionTranslator::builtinCall(const Instruction &i,
                                             const Function &callee) {
  const std::string mangled = outer.spirv.name(i.operand(0));
  const llvm::StringRef plain = unmangledName(mangled);
  Type *result = type(i.type);
  llvm::SmallVector<Value *> arguments;
  for (uint32_t argument : i.operandsFrom(1))
    arguments.push_back(value(argument));
  auto expectTypes = [&](bool fits) {
    if (!fits)
      fail(i,
           "imported function '" + mangled +
               "' is declared with types that differ from those in its name");
  };

  if (std::optional<BlockShape> shape = parseBlockBuiltin(mangled)) {
    const bool hasData = shape->registerBytes != 0;
    expectTypes(arguments.size() == 5 + size_t(hasData) &&
                arguments[0]->getType()->isPointerTy() &&
                arguments[1]->getType()->isIntegerTy(32) &&
                arguments[2]->getType()->isIntegerTy(32) &&
                arguments[3]->getType()->isIntegerTy(32) &&
                arguments[4]->getType() ==
                    llvm::FixedVectorType::get(b.getInt32Ty(), 2) &&
                (!hasData || arguments[5]->getType()->isPointerTy()) &&
                result->isVoidTy());
    return block2DCall(i, plain, *shape, arguments);
  }
  if (std::optional<DpasShape> shape = parseDpasBuiltin(mangled)) {
    expectTypes(arguments.size() == 3 && arguments[2]->getType() == result);
    expectBytes(i, arguments[0], shape->aBytes());
    expectBytes(i, arguments[1], shape->bBytes());
    expectBytes(i, arguments[2], shape->cBytes());
    CollectiveSite &site = collectiveSite(i, plain.str());
    site.wholeSubgroup = true;
    site.run = runDpas;
    site.dpas = *shape;
    return converge(site, arguments, result);
  }
  if (std::optional<LinearBlock> block = parseLinearBlockBuiltin(mangled)) {
    Type *moved = block->isWrite && arguments.size() == 2
                      ? arguments[1]->getType()
                      : result;
    expectTypes(arguments.size() == (block->isWrite ? 2 : 1) &&
                arguments[0]->getType()->isPointerTy() && !moved->isVoidTy() &&
                outer.bytesOf(moved) ==
                    uint64_t(block->elementBytes) * block->elements);
    return blockCall1D(i, i.operand(1), block->isWrite ? arguments[1] : nullptr,
                       result, plain.str());
  }
  if (Value *v = workItemCall(i, plain, arguments))
    return v;
  // A function of Intel's compiler, which rounds to nearest, ties to even.
  if (mangled == "__builtin_IB_ftobf_1") {
    expectTypes(arguments.size() == 1 && arguments[0]->getType()->isFloatTy() &&
                result->isIntegerTy(16));
    return b.CreateBitCast(
        b.CreateFPTrunc(arguments[0], Type::getBFloatTy(outer.context)),
        result);
  }
  if (const MathFunction *math = findMathFunction(std::string_view(plain)))
    if (result->isFPOrFPVectorTy() &&
        arguments.size() == (math->two ? 2u : 1u) &&
        llvm::all_of(arguments,
                     [&](Value *v) { return v->getType() == result; }))
      return mathCall(*math, arguments, result);

  if (plain == "barrier" || plain == "work_group_barrier" ||
      plain == "sub_group_barrier")
    return barrierCall(i, plain);
  std::string similar = similarBuiltin(mangled);
  fail(i, "function '" + mangled +
              "' is imported, but no function with this name is known" +
              (similar.empty() ? "" : " (there is '" + similar + "')"));
}
