//===- CreateEntryFunctions.cpp - Functions that callers call -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Creates the structures that the runtime reads, as defined in aircc/runtime.h:
// AirccEntry, and the encoding of `words`.
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/Passes.h"

#include "dialects/air/AIRDialect.h"
#include "dialects/air/EntryNames.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/MathExtras.h"

namespace aircc {
#define GEN_PASS_DEF_CREATEENTRYFUNCTIONS
#include "pipeline/link/Passes.h.inc"
} // namespace aircc

using namespace mlir;
using namespace aircc;

namespace {

/// AIRCC_ENTRY_* of aircc/runtime.h.
constexpr int64_t entryVersion = 3;
constexpr int64_t checkedFlag = 1;
constexpr int64_t sizesNeedElementsFlag = 2;
constexpr int64_t computesOnHostFlag = 4;

/// Returns the number of bytes that an element takes in memory.
int64_t getElementBytes(Type type) {
  if (type.isIndex())
    return 8;
  if (!type.isIntOrFloat())
    return 1;
  return llvm::PowerOf2Ceil(llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
}

/// The description of an entry point, as numbers and texts.
class EntryDescription {
public:
  void describe(air::EntryPointAttr entry, ArrayAttr checks, bool checked) {
    words.push_back((checked ? checkedFlag : 0) |
                    (entry.getSizesNeedElements() ? sizesNeedElementsFlag : 0) |
                    (entry.getComputesOnHost() ? computesOnHostFlag : 0));
    words.push_back(entry.getArguments().size());
    words.push_back(entry.getResults().size());
    unsigned next = 0;
    auto nextUse = [&] {
      return entry.getUses() ? entry.getUses()[next++] : 0;
    };
    for (Type type : entry.getArguments().getAsValueRange<TypeAttr>())
      addType(type, nextUse());
    for (Type type : entry.getResults().getAsValueRange<TypeAttr>())
      addType(isa<MemRefType>(type) ? type : MemRefType::get({}, type),
              nextUse());
    addChecks(checks);
    addDonors(entry.getDonors());
  }

  SmallVector<int64_t> words;
  std::string texts;

private:
  int64_t addText(StringRef text) {
    int64_t offset = texts.size();
    texts += text;
    texts.push_back('\0');
    return offset;
  }

  void addChecks(ArrayAttr checks) {
    words.push_back(checks ? checks.size() : 0);
    if (!checks)
      return;
    for (auto check : checks.getAsRange<air::SizeCheckAttr>())
      words.append({int64_t(check.getRelation()), check.getLeftArgument(),
                    check.getLeftDim(), check.getRightArgument(),
                    check.getRightDim(),
                    addText(check.getRequiredBy().getValue())});
  }

  void addDonors(DenseI64ArrayAttr donors) {
    SmallVector<int64_t> pairs;
    if (donors)
      for (auto [result, argument] : llvm::enumerate(donors.asArrayRef()))
        if (argument >= 0)
          pairs.append({int64_t(result), argument});
    words.push_back(pairs.size() / 2);
    words.append(pairs);
  }

  void addType(Type type, int64_t use) {
    auto memref = dyn_cast<MemRefType>(type);
    Type element = memref ? memref.getElementType() : type;
    std::string text;
    llvm::raw_string_ostream(text) << element;
    words.append({addText(text), getElementBytes(element),
                  memref ? memref.getRank() : -1, use});
    if (memref)
      for (int64_t size : memref.getShape())
        words.push_back(ShapedType::isDynamic(size) ? -1 : size);
  }
};

/// Creates what callers of one function need.
class EntryBuilder {
public:
  EntryBuilder(SymbolTable &symbols, LLVM::LLVMFuncOp function,
               air::EntryPointAttr entry, bool checked)
      : symbols(symbols), function(function), entry(entry), checked(checked),
        callerName(entry.getCallerName() ? entry.getCallerName().getValue()
                                         : function.getSymName()),
        loc(function.getLoc()), b(function.getContext()) {
    b.setInsertionPointAfter(function);
    ptr = LLVM::LLVMPointerType::get(b.getContext());
    i32 = b.getI32Type();
    i64 = b.getI64Type();
  }

  LogicalResult create();

private:
  LLVM::LLVMFuncOp getInterface(StringRef name) {
    return symbols.lookup<LLVM::LLVMFuncOp>(("_mlir_ciface_" + name).str());
  }

  /// Returns a name that no C function has.
  std::string getPrivateName(StringRef part) {
    return (function.getSymName() + ".aircc." + part).str();
  }

  LLVM::GlobalOp createConstant(StringRef part, Attribute value, Type type);
  LLVM::LLVMFuncOp createInternalFunction(StringRef part, Type type);
  /// Returns a function that takes an array of pointers to the arguments of
  /// `callee`.
  LLVM::LLVMFuncOp createUnpackingFunction(StringRef part,
                                           LLVM::LLVMFuncOp callee);
  /// Creates the AirccEntry.
  void createTable(LLVM::GlobalOp words, LLVM::GlobalOp texts,
                   ArrayRef<LLVM::LLVMFuncOp> functions);
  /// Creates the function `name`, which has the first `count` parameters of
  /// `callee`, passes pointers to them to the runtime, and returns a status.
  /// With `passesPointer`, it has another pointer parameter, which it passes
  /// unchanged.
  void createCallingFunction(StringRef name, LLVM::LLVMFuncOp callee,
                             unsigned count, StringRef runtimeFunction,
                             bool passesPointer);
  LLVM::LLVMFuncOp getRuntimeFunction(StringRef name, unsigned pointers);

  SymbolTable &symbols;
  LLVM::LLVMFuncOp function;
  air::EntryPointAttr entry;
  bool checked;
  StringRef callerName;
  Location loc;
  OpBuilder b;
  Type ptr, i32, i64;
  LLVM::GlobalOp table;
};

LLVM::GlobalOp EntryBuilder::createConstant(StringRef part, Attribute value,
                                            Type type) {
  auto global = LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                                       LLVM::Linkage::Internal,
                                       getPrivateName(part), value);
  symbols.insert(global);
  return global;
}

LLVM::LLVMFuncOp EntryBuilder::createInternalFunction(StringRef part,
                                                      Type type) {
  auto created = LLVM::LLVMFuncOp::create(b, loc, getPrivateName(part), type,
                                          LLVM::Linkage::Internal);
  symbols.insert(created);
  return created;
}

LLVM::LLVMFuncOp
EntryBuilder::createUnpackingFunction(StringRef part, LLVM::LLVMFuncOp callee) {
  OpBuilder::InsertionGuard guard(b);
  LLVM::LLVMFuncOp unpack = createInternalFunction(
      part, LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                        {ptr}));
  b.setInsertionPointToStart(unpack.addEntryBlock(b));
  SmallVector<Value> operands;
  for (auto [i, type] : llvm::enumerate(callee.getArgumentTypes())) {
    Value place = LLVM::GEPOp::create(b, loc, ptr, ptr, unpack.getArgument(0),
                                      LLVM::GEPArg(int32_t(i)));
    Value operand = LLVM::LoadOp::create(b, loc, ptr, place);
    // Descriptors are passed as pointers, numbers by value.
    if (type != ptr)
      operand = LLVM::LoadOp::create(b, loc, type, operand);
    operands.push_back(operand);
  }
  LLVM::CallOp::create(b, loc, callee, operands);
  LLVM::ReturnOp::create(b, loc, ValueRange());
  return unpack;
}

void EntryBuilder::createTable(LLVM::GlobalOp words, LLVM::GlobalOp texts,
                               ArrayRef<LLVM::LLVMFuncOp> functions) {
  LLVM::GlobalOp name = createConstant(
      "name", b.getStringAttr(callerName + Twine('\0')),
      LLVM::LLVMArrayType::get(b.getI8Type(), callerName.size() + 1));
  OpBuilder::InsertionGuard guard(b);
  auto type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), {i64, ptr, ptr, ptr, ptr, ptr, ptr});
  table = LLVM::GlobalOp::create(
      b, loc, type, /*isConstant=*/true, LLVM::Linkage::External,
      "aircc_entry_" + air::getEntryName(callerName), Attribute());
  symbols.insert(table);
  b.createBlock(&table.getInitializerRegion());
  Value value = LLVM::UndefOp::create(b, loc, type);
  unsigned next = 0;
  auto add = [&](Value field) {
    value = LLVM::InsertValueOp::create(b, loc, value, field, next++);
  };
  add(LLVM::ConstantOp::create(b, loc, i64, b.getI64IntegerAttr(entryVersion)));
  for (LLVM::GlobalOp global : {name, words, texts})
    add(LLVM::AddressOfOp::create(b, loc, global));
  for (LLVM::LLVMFuncOp callee : functions)
    add(callee ? LLVM::AddressOfOp::create(b, loc, callee).getResult()
               : LLVM::ZeroOp::create(b, loc, ptr).getResult());
  LLVM::ReturnOp::create(b, loc, value);
}

LLVM::LLVMFuncOp EntryBuilder::getRuntimeFunction(StringRef name,
                                                  unsigned pointers) {
  if (auto known = symbols.lookup<LLVM::LLVMFuncOp>(name))
    return known;
  auto type =
      LLVM::LLVMFunctionType::get(i32, SmallVector<Type>(pointers, ptr));
  auto declared = LLVM::LLVMFuncOp::create(b, loc, name, type);
  symbols.insert(declared);
  return declared;
}

void EntryBuilder::createCallingFunction(StringRef name,
                                         LLVM::LLVMFuncOp callee,
                                         unsigned count,
                                         StringRef runtimeFunction,
                                         bool passesPointer) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> types(callee.getArgumentTypes().take_front(count));
  if (passesPointer)
    types.push_back(ptr);
  auto caller = LLVM::LLVMFuncOp::create(
      b, loc, name, LLVM::LLVMFunctionType::get(i32, types));
  symbols.insert(caller);
  // C extends narrow integers.
  for (unsigned i = 0; i < count; ++i)
    if (DictionaryAttr attributes = callee.getArgAttrDict(i))
      caller.setArgAttrs(i, attributes);
  LLVM::LLVMFuncOp runtime =
      getRuntimeFunction(runtimeFunction, passesPointer ? 3 : 2);
  b.setInsertionPointToStart(caller.addEntryBlock(b));
  auto allocate = [&](Type type, int64_t number) -> Value {
    Value size =
        LLVM::ConstantOp::create(b, loc, i64, b.getI64IntegerAttr(number));
    return LLVM::AllocaOp::create(b, loc, ptr, type, size);
  };
  Value pointers = allocate(ptr, std::max(1u, count));
  for (unsigned i = 0; i < count; ++i) {
    Value argument = caller.getArgument(i);
    if (types[i] != ptr) {
      Value copy = allocate(types[i], 1);
      LLVM::StoreOp::create(b, loc, argument, copy);
      argument = copy;
    }
    Value place = LLVM::GEPOp::create(b, loc, ptr, ptr, pointers,
                                      LLVM::GEPArg(int32_t(i)));
    LLVM::StoreOp::create(b, loc, argument, place);
  }
  SmallVector<Value> operands = {LLVM::AddressOfOp::create(b, loc, table),
                                 pointers};
  if (passesPointer)
    operands.push_back(caller.getArguments().back());
  auto call = LLVM::CallOp::create(b, loc, runtime, operands);
  LLVM::ReturnOp::create(b, loc, call.getResult());
}

LogicalResult EntryBuilder::create() {
  if (!function.isExternal())
    function.setLinkage(LLVM::Linkage::Internal);
  LLVM::LLVMFuncOp callee = getInterface(function.getSymName());
  if (!callee)
    return success();
  auto getName = [&](StringRef prefix) {
    return prefix.str() + air::getEntryName(callerName);
  };
  std::string name = getName("aircc_");
  std::string asyncName = name + "_async";
  std::string sizesName = getName("aircc_result_sizes_");
  std::string interfaceName = getName("_mlir_ciface_");
  for (const std::string &symbol :
       {name, asyncName, sizesName, getName("aircc_entry_"), interfaceName})
    if (Operation *other = symbols.lookup(symbol); other && other != callee)
      return other->emitError("'")
             << symbol << "' is also the symbol through which programs call '"
             << callerName << "'; rename one of the functions";

  // Only the runtime calls these.
  auto unpackSizes = [&](StringRef part, FlatSymbolRefAttr symbol) {
    LLVM::LLVMFuncOp sizes = symbol ? getInterface(symbol.getValue()) : nullptr;
    if (!sizes)
      return LLVM::LLVMFuncOp();
    sizes.setLinkage(LLVM::Linkage::Internal);
    return createUnpackingFunction(part, sizes);
  };
  ArrayAttr checks;
  if (FlatSymbolRefAttr symbol = entry.getSizeChecks())
    checks = symbols.lookup(symbol.getAttr())
                 ->getAttrOfType<ArrayAttr>(
                     air::AIRDialect::SizeChecksAttrHelper::getNameStr());
  EntryDescription description;
  description.describe(entry, checks, checked);
  if (description.texts.empty())
    description.texts.push_back('\0');
  LLVM::GlobalOp words =
      createConstant("words", b.getI64TensorAttr(description.words),
                     LLVM::LLVMArrayType::get(i64, description.words.size()));
  LLVM::GlobalOp texts = createConstant(
      "texts", b.getStringAttr(description.texts),
      LLVM::LLVMArrayType::get(b.getI8Type(), description.texts.size()));
  LLVM::LLVMFuncOp resultSizes =
      unpackSizes("result_sizes", entry.getResultSizes());
  LLVM::LLVMFuncOp called = callee;
  if (FlatSymbolRefAttr symbol = entry.getInPlace()) {
    called = getInterface(symbol.getValue());
    called.setLinkage(LLVM::Linkage::Internal);
  }
  createTable(words, texts,
              {createUnpackingFunction("call", called), resultSizes,
               unpackSizes("size_checks", entry.getSizeChecks())});
  createCallingFunction(name, callee, callee.getNumArguments(), "airccCall",
                        /*passesPointer=*/false);
  createCallingFunction(asyncName, callee, callee.getNumArguments(),
                        "airccCallAsync", /*passesPointer=*/true);
  if (resultSizes)
    createCallingFunction(sizesName, callee, entry.getArguments().size(),
                          "airccGetResultSizes", /*passesPointer=*/true);
  if (callee.getSymName() != interfaceName &&
      failed(symbols.rename(callee, interfaceName)))
    return failure();
  return success();
}

class CreateEntryFunctions
    : public aircc::impl::CreateEntryFunctionsBase<CreateEntryFunctions> {
public:
  using Base::Base;

  void runOnOperation() final {
    SymbolTable symbols(getOperation());
    StringRef name = air::AIRDialect::EntryPointAttrHelper::getNameStr();
    for (auto function : llvm::make_early_inc_range(
             getOperation().getOps<LLVM::LLVMFuncOp>())) {
      auto entry = dyn_cast_or_null<air::EntryPointAttr>(
          function->removeDiscardableAttr(name));
      // The lowering copies the attribute to the C interface.
      if (!entry || function.getSymName().starts_with("_mlir_ciface_"))
        continue;
      if (failed(
              EntryBuilder(symbols, function, entry, checkArguments).create()))
        return signalPassFailure();
    }
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      function->removeDiscardableAttr(
          air::AIRDialect::SizeChecksAttrHelper::getNameStr());
  }
};

} // namespace
