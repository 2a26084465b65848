//===- MoveConstants.cpp - Constants in a file next to the program --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The variables are of type MgpuConstant, as defined in aircc/mgpu.h.
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/Passes.h"
#include "pipeline/link/constants/ConstantBytes.h"
#include "pipeline/link/constants/FileConstants.h"

#include "runtime-stubs/support/ConstantHash.h"

#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

namespace aircc {
#define GEN_PASS_DEF_MOVECONSTANTS
#include "pipeline/link/Passes.h.inc"
} // namespace aircc

using namespace mlir;
using namespace aircc;

namespace {

/// MGPU_CONSTANT_* of aircc/mgpu.h.
enum class Access : int32_t { Host = 0, Device = 1, Shared = 2 };

/// Determines which side accesses a constant. Returns Shared if a use does not
/// show it.
Access findAccess(Value memref) {
  bool host = false, device = false, unknown = false;
  SmallVector<Value> views = {memref};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (isa<ViewLikeOpInterface>(user) && user->getNumResults() == 1)
        views.push_back(user->getResult(0));
      else if (isa<gpu::LaunchFuncOp>(user))
        device = true;
      else if (isa<memref::LoadOp>(user))
        host = true;
      else if (!isa<memref::DimOp>(user))
        unknown = true;
    }
  if (unknown || (host && device))
    return Access::Shared;
  return device ? Access::Device : Access::Host;
}

/// Returns the value of a global that the pass can move; null for others.
ElementsAttr getMovableValue(memref::GlobalOp global, uint64_t threshold) {
  if (!global || !global.getConstant() || !global.isPrivate() ||
      !global.getType().getLayout().isIdentity())
    return nullptr;
  auto value = dyn_cast_or_null<ElementsAttr>(global.getInitialValueAttr());
  uint64_t bytes = value ? getByteCount(value) : 0;
  return bytes != 0 && bytes >= threshold ? value : nullptr;
}

class Mover {
public:
  Mover(ModuleOp module, StringRef file)
      : symbols(module), file(file), b(module.getContext()),
        converter(module.getContext()) {
    pointer = LLVM::LLVMPointerType::get(b.getContext());
  }

  LogicalResult move(memref::GlobalOp global, ElementsAttr value,
                     ArrayRef<memref::GetGlobalOp> uses);

private:
  /// Returns the variable `name`, which contains `text` and a terminating zero.
  LLVM::GlobalOp getText(Location loc, StringRef name, StringRef text);
  FailureOr<LLVM::GlobalOp> createVariable(memref::GlobalOp global,
                                           ElementsAttr value);
  void replace(memref::GetGlobalOp use, LLVM::GlobalOp variable);

  SymbolTable symbols;
  StringRef file;
  OpBuilder b;
  LLVMTypeConverter converter;
  Type pointer;
};

LLVM::GlobalOp Mover::getText(Location loc, StringRef name, StringRef text) {
  if (auto known = symbols.lookup<LLVM::GlobalOp>(name))
    return known;
  std::string bytes = text.str() + '\0';
  auto global = LLVM::GlobalOp::create(
      b, loc, LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size()),
      /*isConstant=*/true, LLVM::Linkage::Internal, name,
      b.getStringAttr(bytes));
  symbols.insert(global);
  return global;
}

/// Constants with equal bytes may share a tensor. The keys of resources are
/// names that the user knows.
std::string getTensorName(ElementsAttr value, uint64_t hash) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return resource.getRawHandle().getKey().str();
  return "constant_" + llvm::utohexstr(hash, /*LowerCase=*/true, /*Width=*/16);
}

FailureOr<LLVM::GlobalOp> Mover::createVariable(memref::GlobalOp global,
                                                ElementsAttr value) {
  std::string storage;
  FailureOr<StringRef> bytes = getBytes(value, storage);
  if (failed(bytes))
    return global.emitOpError(
        "has a value that cannot be written to the constants file; compile "
        "without --constants-out");
  uint64_t hash = rt::hashConstant(std::string_view(*bytes));
  std::string name = getTensorName(value, hash);
  Location loc = global.getLoc();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(global);
  std::string symbol = (global.getSymName() + ".file_constant").str();
  LLVM::GlobalOp texts[] = {getText(loc, "aircc.constants_file", file),
                            getText(loc, symbol + ".name", name)};
  Type i64 = b.getI64Type();
  auto type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), {pointer, pointer, i64, i64, pointer});
  // The runtime writes the last field.
  auto variable =
      LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/false,
                             LLVM::Linkage::Internal, symbol, Attribute());
  symbols.insert(variable);
  variable->setAttr(
      kFileConstantAttr,
      b.getDictionaryAttr({b.getNamedAttr("name", b.getStringAttr(name)),
                           b.getNamedAttr("value", value)}));
  b.createBlock(&variable.getInitializerRegion());
  SmallVector<Value> fields;
  for (LLVM::GlobalOp text : texts)
    fields.push_back(LLVM::AddressOfOp::create(b, loc, text));
  for (uint64_t number : {uint64_t(bytes->size()), hash})
    fields.push_back(
        LLVM::ConstantOp::create(b, loc, i64, b.getI64IntegerAttr(number)));
  fields.push_back(LLVM::ZeroOp::create(b, loc, pointer));
  Value all = LLVM::UndefOp::create(b, loc, type);
  for (auto [i, field] : llvm::enumerate(fields))
    all = LLVM::InsertValueOp::create(b, loc, all, field, int64_t(i));
  LLVM::ReturnOp::create(b, loc, all);
  return variable;
}

void Mover::replace(memref::GetGlobalOp use, LLVM::GlobalOp variable) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(use);
  Location loc = use.getLoc();
  MemRefType type = use.getType();
  FunctionCallBuilder call("mgpuGetConstant", pointer,
                           {pointer, b.getI32Type()});
  Value address = LLVM::AddressOfOp::create(b, loc, variable);
  Value access = LLVM::ConstantOp::create(
      b, loc, b.getI32Type(),
      b.getI32IntegerAttr(static_cast<int32_t>(findAccess(use.getResult()))));
  Value memory = call.create(loc, b, {address, access}).getResult();
  auto plain = MemRefType::get(type.getShape(), type.getElementType());
  Value descriptor =
      MemRefDescriptor::fromStaticShape(b, loc, converter, plain, memory);
  use.replaceAllUsesWith(
      UnrealizedConversionCastOp::create(b, loc, type, descriptor)
          .getResult(0));
  use.erase();
}

LogicalResult Mover::move(memref::GlobalOp global, ElementsAttr value,
                          ArrayRef<memref::GetGlobalOp> uses) {
  FailureOr<LLVM::GlobalOp> variable = createVariable(global, value);
  if (failed(variable))
    return failure();
  for (memref::GetGlobalOp use : uses)
    replace(use, *variable);
  symbols.erase(global);
  return success();
}

struct MoveConstants : aircc::impl::MoveConstantsBase<MoveConstants> {
  using Base::Base;

  void runOnOperation() override {
    if (file.empty())
      return;
    ModuleOp module = getOperation();
    SymbolTableCollection tables;
    llvm::MapVector<memref::GlobalOp, SmallVector<memref::GetGlobalOp>> uses;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      // Kernels contain their own constants.
      if (isa<gpu::GPUModuleOp>(op))
        return WalkResult::skip();
      if (auto get = dyn_cast<memref::GetGlobalOp>(op))
        if (auto global = tables.lookupNearestSymbolFrom<memref::GlobalOp>(
                op, get.getNameAttr()))
          uses[global].push_back(get);
      return WalkResult::advance();
    });
    Mover mover(module, file);
    for (auto &[global, gets] : uses)
      if (ElementsAttr value = getMovableValue(global, threshold))
        if (failed(mover.move(global, value, gets)))
          return signalPassFailure();
  }
};

} // namespace

FailureOr<std::vector<FileConstant>>
aircc::collectFileConstants(ModuleOp module) {
  std::vector<FileConstant> constants;
  llvm::StringMap<size_t> known;
  for (auto variable : module.getOps<LLVM::GlobalOp>()) {
    auto attribute = variable->getAttrOfType<DictionaryAttr>(kFileConstantAttr);
    if (!attribute)
      continue;
    auto value = cast<ElementsAttr>(attribute.get("value"));
    FileConstant constant = {cast<StringAttr>(attribute.get("name")).getValue(),
                             cast<ShapedType>(value.getType()),
                             {},
                             std::make_unique<std::string>()};
    FailureOr<StringRef> bytes = getBytes(value, *constant.storage);
    if (failed(bytes))
      return variable.emitOpError("has a value without data");
    constant.bytes = *bytes;
    auto [place, isNew] = known.try_emplace(constant.name, constants.size());
    if (!isNew && constants[place->second].bytes != constant.bytes)
      return variable.emitOpError("has the name '")
             << constant.name << "' of another constant with different values";
    if (isNew)
      constants.push_back(std::move(constant));
  }
  return constants;
}
