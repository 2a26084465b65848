//===- EntryPoints.cpp - Entry points of tensor functions -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/functions/EntryPoints.h"
#include "pipeline/dispatch/functions/Donations.h"
#include "pipeline/dispatch/functions/HostAccesses.h"
#include "pipeline/dispatch/functions/InPlace.h"

#include "dialects/air/EntryNames.h"
#include "dialects/air/TensorFunctions.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace aircc;
using namespace aircc::dispatch;

/// Returns a symbol for a part of the function `name`, chosen so that no C or
/// runtime function has such a name.
static StringAttr getFreeSymbol(SymbolTable &symbols, StringAttr name,
                                StringRef suffix) {
  std::string base = air::getEntryName(name) + suffix.str(), free = base;
  for (unsigned i = 0; symbols.lookup(free); ++i)
    free = (base + Twine(i)).str();
  return StringAttr::get(name.getContext(), free);
}

/// Makes `function` private under a new name.
static EntryPoint separate(SymbolTable &symbols, func::FuncOp function,
                           air::EntryPointAttr attribute,
                           llvm::SmallBitVector donated) {
  StringAttr name = function.getSymNameAttr();
  (void)symbols.rename(function, getFreeSymbol(symbols, name, "__device"));
  function.setPrivate();
  StringAttr symbol =
      attribute ? getFreeSymbol(symbols, name, "__entry") : name;
  return {name,
          symbol,
          function.getSymNameAttr(),
          function.getLoc(),
          attribute,
          std::move(donated)};
}

SmallVector<EntryPoint>
aircc::dispatch::separateEntryPoints(ModuleOp module,
                                     ArrayRef<func::FuncOp> functions) {
  SmallVector<EntryPoint> entries;
  SymbolTable symbols(module);
  // Remove the attributes before the functions to which they refer are renamed.
  SmallVector<air::EntryPointAttr> attributes;
  SmallVector<llvm::SmallBitVector> donated;
  for (func::FuncOp function : functions) {
    attributes.push_back(
        dyn_cast_or_null<air::EntryPointAttr>(function->removeAttr(
            air::AIRDialect::EntryPointAttrHelper::getNameStr())));
    donated.push_back(takeDonations(function));
    StringRef why;
    if (!attributes.back() || !canOverwriteArguments(module, function, why))
      donated.back().reset();
  }
  for (unsigned i = 0; i < functions.size(); ++i) {
    func::FuncOp function = functions[i];
    if (function.isDeclaration() || air::isProgramStart(function))
      continue;
    if (!function.isPublic()) {
      (void)symbols.rename(
          function,
          getFreeSymbol(symbols, function.getSymNameAttr(), "__device"));
      continue;
    }
    entries.push_back(
        separate(symbols, function, attributes[i], std::move(donated[i])));
  }
  return entries;
}

/// Allocates memory that kernels can access, with the type and sizes of
/// `memref`.
static Value allocateLike(OpBuilder &b, Location loc, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(b, loc, memref, dim));
  return memref::AllocOp::create(b, loc, type, sizes);
}

/// Describes a type of a signature: {"type": "f32", "shape": [4, null]}, where
/// null is a dynamic size. A scalar has no shape.
static llvm::json::Object describe(Type type) {
  llvm::json::Object object;
  auto memref = dyn_cast<MemRefType>(type);
  std::string element;
  llvm::raw_string_ostream(element)
      << (memref ? memref.getElementType() : type);
  object["type"] = element;
  if (!memref)
    return object;
  llvm::json::Array shape;
  for (int64_t size : memref.getShape())
    shape.push_back(ShapedType::isDynamic(size) ? llvm::json::Value(nullptr)
                                                : llvm::json::Value(size));
  object["shape"] = std::move(shape);
  return object;
}

/// Creates the constant `aircc_signature_NAME`, a C string from which callers
/// learn the types of the function: {"arguments": […], "results": […]}.
static void createSignature(OpBuilder &b, const EntryPoint &entry,
                            TypeRange argumentTypes) {
  llvm::json::Array arguments, results;
  for (auto [i, type] : llvm::enumerate(argumentTypes)) {
    llvm::json::Object argument = describe(type);
    if (entry.donated.test(i))
      argument["donated"] = true;
    arguments.push_back(std::move(argument));
  }
  for (auto [type, donor] : llvm::zip_equal(entry.results, entry.donors)) {
    llvm::json::Object result = describe(type);
    if (donor >= 0)
      result["argument"] = donor;
    results.push_back(std::move(result));
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(llvm::json::Object{
      {"arguments", std::move(arguments)}, {"results", std::move(results)}});
  text.push_back('\0');
  auto type = RankedTensorType::get(int64_t(text.size()), b.getI8Type());
  auto value = DenseElementsAttr::getFromRawBuffer(
      type, ArrayRef<char>(text.data(), text.size()));
  memref::GlobalOp::create(
      b, entry.loc, "aircc_signature_" + air::getEntryName(entry.name),
      /*sym_visibility=*/StringAttr(),
      MemRefType::get(type.getShape(), b.getI8Type()), value,
      /*constant=*/true, /*alignment=*/IntegerAttr());
}

/// Returns whether a function uses more than the sizes of a memref.
static bool isAccessed(Value memref) {
  return llvm::any_of(memref.getUsers(), [](Operation *user) {
    return !isa<memref::DimOp>(user);
  });
}

/// Returns whether the elements of an argument of the private function are
/// used. They are those of a result if the result is in the argument's memory.
static bool isUsed(const EntryPoint &entry, BlockArgument argument) {
  unsigned index = argument.getArgNumber();
  return isa<MemRefType>(argument.getType()) &&
         (index >= entry.donated.size() || isAccessed(argument) ||
          llvm::is_contained(entry.donors, index));
}

/// Describes for `air.entry_point` how `inPlace` uses its arguments, the last
/// of which are for the results.
static SmallVector<int64_t> getUses(const EntryPoint &entry,
                                    func::FuncOp inPlace,
                                    const HostAccesses &accesses) {
  SmallVector<int64_t> uses;
  for (BlockArgument argument : inPlace.getArguments()) {
    unsigned index = argument.getArgNumber();
    int64_t use = !isUsed(entry, argument)         ? 0
                  : accesses.arguments.test(index) ? 3
                                                   : 1;
    if (index < entry.donated.size() && entry.donated.test(index))
      use |= 4;
    uses.push_back(use);
  }
  return uses;
}

/// Completes the attribute of an entry point.
static air::EntryPointAttr completeAttribute(const EntryPoint &entry,
                                             TypeRange arguments,
                                             func::FuncOp inPlace) {
  air::EntryPointAttr attribute = entry.attribute;
  Builder b(attribute.getContext());
  HostAccessAnalysis analysis;
  const HostAccesses &accesses = analysis.get(inPlace);
  return air::EntryPointAttr::get(
      b.getContext(), b.getTypeArrayAttr(llvm::to_vector(arguments)),
      b.getTypeArrayAttr(entry.results), attribute.getResultSizes(),
      attribute.getSizeChecks(), attribute.getSizesNeedElements(),
      FlatSymbolRefAttr::get(inPlace),
      b.getDenseI64ArrayAttr(getUses(entry, inPlace, accesses)),
      llvm::all_of(entry.donors, [](int64_t donor) { return donor < 0; })
          ? nullptr
          : b.getDenseI64ArrayAttr(entry.donors),
      accesses.any, entry.name);
}

/// Creates the body of `function`, which copies its arguments, calls `inPlace`,
/// and copies the results back.
static void createBody(const EntryPoint &entry, func::FuncOp function,
                       func::FuncOp inPlace) {
  Location loc = function.getLoc();
  Block *body = function.addEntryBlock();
  OpBuilder b = OpBuilder::atBlockBegin(body);
  SmallVector<Value> operands, copies;
  SmallVector<std::pair<Value, Value>> results;
  for (auto [argument, parameter] :
       llvm::zip(body->getArguments(), inPlace.getArguments())) {
    Value operand = argument;
    unsigned first = entry.donated.size(), index = argument.getArgNumber();
    bool isResult = index >= first;
    if (isResult && entry.donors[index - first] >= 0) {
      results.push_back({operands[entry.donors[index - first]], argument});
    } else if (isUsed(entry, parameter)) {
      operand = allocateLike(b, loc, argument);
      copies.push_back(operand);
      if (isResult)
        results.push_back({operand, argument});
      else
        memref::CopyOp::create(b, loc, argument, operand);
    }
    operands.push_back(operand);
  }
  func::CallOp::create(b, loc, inPlace, operands);
  for (auto [result, output] : results)
    memref::CopyOp::create(b, loc, result, output);
  for (Value copy : copies)
    memref::DeallocOp::create(b, loc, copy);
  func::ReturnOp::create(b, loc);
}

void aircc::dispatch::createEntryPoint(ModuleOp module, const EntryPoint &entry,
                                       bool offloads) {
  auto device = SymbolTable(module).lookup<func::FuncOp>(entry.device);
  SmallVector<Type> arguments(device.getArgumentTypes());
  OpBuilder b(device);
  if (entry.attribute)
    createSignature(b, entry, arguments);
  func::FuncOp inPlace = createInPlaceFunction(module, device, entry.results,
                                               entry.donors, offloads);
  auto function = func::FuncOp::create(
      b, entry.loc, entry.symbol,
      b.getFunctionType(inPlace.getArgumentTypes(), TypeRange()));
  if (entry.attribute)
    function->setAttr(air::AIRDialect::EntryPointAttrHelper::getNameStr(),
                      completeAttribute(entry, arguments, inPlace));
  createBody(entry, function, inPlace);
}
