//===- InPlace.cpp - Functions that work on memory of callers -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/functions/InPlace.h"

#include "dialects/air/AIRDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace aircc;

/// Returns the type of the argument that receives a result.
static MemRefType getOutputType(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref ? memref : MemRefType::get({}, type);
}

/// Returns the allocation in the outermost block that is used only for this
/// result, or of which the result is a reshaped view; null if there is none.
static memref::AllocOp findAllocation(Value result, func::ReturnOp end) {
  if (llvm::count(end.getOperands(), result) != 1)
    return nullptr;
  Operation *view = result.getDefiningOp();
  if (view && isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(view)) {
    result = view->getOperand(0);
    if (llvm::is_contained(end.getOperands(), result))
      return nullptr;
  }
  auto alloc = result.getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != end->getBlock())
    return nullptr;
  bool isFreed = llvm::any_of(alloc->getUsers(), [](Operation *user) {
    return isa<memref::DeallocOp, memref::ExtractStridedMetadataOp>(user);
  });
  return isFreed ? nullptr : alloc;
}

/// Replaces an allocation with `output`, which has the shape of `result`, a
/// view of the allocation.
static void replaceAllocation(memref::AllocOp alloc, Value result,
                              Value output) {
  OpBuilder b(alloc);
  Location loc = alloc.getLoc();
  if (auto view = result.getDefiningOp<memref::ExpandShapeOp>())
    output = memref::CollapseShapeOp::create(b, loc, alloc.getType(), output,
                                             view.getReassociationIndices());
  else if (auto view = result.getDefiningOp<memref::CollapseShapeOp>())
    output = memref::ExpandShapeOp::create(
        b, loc, alloc.getType().getShape(), output,
        view.getReassociationIndices(), alloc.getMixedSizes());
  alloc.replaceAllUsesWith(output);
  alloc.erase();
}

/// Copies `result` to `output`, on the device if it `offloads`, and frees
/// `result`.
static void moveResult(OpBuilder &b, Location loc, Value result, Value output,
                       bool offloads) {
  auto copy = linalg::CopyOp::create(b, loc, result, output);
  if (offloads)
    copy->setAttr(air::AIRDialect::OffloadAttrHelper::getNameStr(),
                  b.getUnitAttr());
  memref::DeallocOp::create(b, loc, result);
}

/// Adds an argument to `function` for each result of `types`.
static SmallVector<Value> addOutputs(func::FuncOp function, TypeRange types) {
  OpBuilder b(function);
  auto separate = b.getDictionaryAttr(b.getNamedAttr(
      air::AIRDialect::SeparateAttrHelper::getNameStr(), b.getUnitAttr()));
  SmallVector<Value> outputs;
  for (Type type : types) {
    unsigned index = function.getNumArguments();
    (void)function.insertArgument(index, getOutputType(type), separate,
                                  function.getLoc());
    outputs.push_back(function.getArgument(index));
  }
  return outputs;
}

/// Makes a function that is never called write its results to arguments.
static void replaceResults(func::FuncOp function, TypeRange types,
                           ArrayRef<int64_t> donors, bool offloads) {
  SmallVector<Value> outputs;
  for (auto [output, donor] :
       llvm::zip_equal(addOutputs(function, types), donors))
    if (donor < 0)
      outputs.push_back(output);
  auto end = cast<func::ReturnOp>(function.front().getTerminator());
  OpBuilder b(end);
  Location loc = end.getLoc();
  for (auto [result, output] : llvm::zip_equal(end.getOperands(), outputs)) {
    if (!isa<MemRefType>(result.getType())) {
      memref::StoreOp::create(b, loc, result, output, ValueRange());
    } else if (memref::AllocOp alloc = findAllocation(result, end)) {
      replaceAllocation(alloc, result, output);
    } else {
      moveResult(b, loc, result, output, offloads);
    }
  }
  func::ReturnOp::create(b, loc);
  end.erase();
  function.setType(b.getFunctionType(function.getArgumentTypes(), TypeRange()));
  function.removeResAttrsAttr();
}

/// Creates a function that calls `device` and copies its results.
static func::FuncOp createCaller(ModuleOp module, func::FuncOp device,
                                 bool offloads) {
  SymbolTable symbols(module);
  OpBuilder b(device);
  Location loc = device.getLoc();
  auto function = func::FuncOp::create(
      b, loc, (device.getSymName() + "_in_place").str(),
      b.getFunctionType(device.getArgumentTypes(), TypeRange()));
  function.setPrivate();
  symbols.insert(function, device->getIterator());
  b.setInsertionPointToStart(function.addEntryBlock());
  auto call = func::CallOp::create(b, loc, device, function.getArguments());
  auto end = func::ReturnOp::create(b, loc);
  SmallVector<Value> outputs = addOutputs(function, device.getResultTypes());
  b.setInsertionPoint(end);
  for (auto [result, output] : llvm::zip_equal(call.getResults(), outputs)) {
    if (isa<MemRefType>(result.getType()))
      moveResult(b, loc, result, output, offloads);
    else
      memref::StoreOp::create(b, loc, result, output, ValueRange());
  }
  return function;
}

func::FuncOp aircc::dispatch::createInPlaceFunction(ModuleOp module,
                                                    func::FuncOp device,
                                                    TypeRange results,
                                                    ArrayRef<int64_t> donors,
                                                    bool offloads) {
  bool isCalled =
      !SymbolTable::symbolKnownUseEmpty(device, &module.getBodyRegion());
  // With several return ops, a result could be in several allocations.
  if (isCalled || !llvm::hasSingleElement(device.getBody()))
    return createCaller(module, device, offloads);
  replaceResults(device, results, donors, offloads);
  return device;
}
