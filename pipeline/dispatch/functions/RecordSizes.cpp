//===- RecordSizes.cpp - Sizes that callers must know ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"
#include "pipeline/dispatch/functions/SizeRequirements.h"

#include "dialects/air/AIRDialect.h"
#include "dialects/air/EntryNames.h"
#include "dialects/air/TensorFunctions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/Path.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_RECORDSIZES
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// Returns the position of `loc` in the program, such as "model.mlir:3:5", or
/// "".
std::string describeLocation(Location loc) {
  auto line = loc->findInstanceOf<FileLineColLoc>();
  if (!line)
    return "";
  return (llvm::sys::path::filename(line.getFilename().getValue()) + ":" +
          Twine(line.getLine()) + ":" + Twine(line.getColumn()))
      .str();
}

/// Describes a check. The indices of the sizes are -1 until it is known how
/// they are computed.
air::SizeCheckAttr describeCheck(Operation *op, air::SizeRelation relation) {
  std::string name = ("'" + op->getName().getStringRef() + "'").str();
  if (std::string line = describeLocation(op->getLoc()); !line.empty())
    name += " at " + line;
  return air::SizeCheckAttr::get(op->getContext(), relation, -1, -1, -1, -1,
                                 StringAttr::get(op->getContext(), name));
}

class RecordSizes : public dispatch::impl::RecordSizesBase<RecordSizes> {
public:
  using Base::Base;

  void runOnOperation() final {
    SymbolTable symbols(getOperation());
    for (func::FuncOp function : dispatch::getTensorFunctions(getOperation()))
      if (function.isPublic() && !function.isDeclaration() &&
          !air::isProgramStart(function) &&
          llvm::hasSingleElement(function.getBody()))
        record(function, symbols);
  }

private:
  void record(func::FuncOp function, SymbolTable &symbols);
  FlatSymbolRefAttr createResultSizes(func::FuncOp function,
                                      SymbolTable &symbols);
  FlatSymbolRefAttr createSizeChecks(func::FuncOp function,
                                     SymbolTable &symbols);
};

/// Returns a copy of `function` that returns `sizes`, which `compute` computes
/// at the end.
template <typename Fn>
FlatSymbolRefAttr cloneForSizes(func::FuncOp function, SymbolTable &symbols,
                                StringRef suffix, Fn &&compute) {
  func::FuncOp clone = function.clone();
  Operation *terminator = clone.front().getTerminator();
  OpBuilder b(terminator);
  SmallVector<Value> sizes = compute(b, clone);
  if (sizes.empty()) {
    clone.erase();
    return nullptr;
  }
  terminator->setOperands(sizes);
  clone.setName(air::getEntryName(function.getSymName()) + suffix.str());
  clone.removeArgAttrsAttr();
  clone.removeResAttrsAttr();
  clone.setFunctionType(
      b.getFunctionType(clone.getArgumentTypes(), TypeRange(sizes)));
  symbols.insert(clone, function->getIterator());
  return FlatSymbolRefAttr::get(clone.getSymNameAttr());
}

FlatSymbolRefAttr RecordSizes::createResultSizes(func::FuncOp function,
                                                 SymbolTable &symbols) {
  auto compute = [](OpBuilder &b, func::FuncOp clone) {
    Operation *terminator = clone.front().getTerminator();
    SmallVector<Value> sizes;
    for (Value result : terminator->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
        if (type.isDynamicDim(dim))
          sizes.push_back(
              tensor::DimOp::create(b, terminator->getLoc(), result, dim));
    }
    return sizes;
  };
  return cloneForSizes(function, symbols, "__result_sizes", compute);
}

FlatSymbolRefAttr RecordSizes::createSizeChecks(func::FuncOp function,
                                                SymbolTable &symbols) {
  auto isDynamic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  };
  auto isScalar = [](Type type) { return type.isIndex(); };
  if (llvm::none_of(function.getArgumentTypes(), isDynamic) &&
      llvm::none_of(function.getArgumentTypes(), isScalar))
    return nullptr;
  auto compute = [](OpBuilder &b, func::FuncOp clone) {
    SmallVector<Value> sizes;
    SmallVector<Attribute> checks;
    // Skip ops in loops and branches, which may never be executed.
    for (Operation &op : llvm::make_early_inc_range(clone.front())) {
      if (op.hasTrait<OpTrait::IsTerminator>())
        break;
      for (dispatch::SizeRequirement &requirement :
           dispatch::getSizeRequirements(b, &op)) {
        for (OpFoldResult size : {requirement.left, requirement.right})
          sizes.push_back(
              getValueOrCreateConstantIndexOp(b, op.getLoc(), size));
        checks.push_back(describeCheck(&op, requirement.relation));
      }
    }
    clone->setAttr(air::AIRDialect::SizeChecksAttrHelper::getNameStr(),
                   b.getArrayAttr(checks));
    return sizes;
  };
  return cloneForSizes(function, symbols, "__size_checks", compute);
}

void RecordSizes::record(func::FuncOp function, SymbolTable &symbols) {
  FlatSymbolRefAttr checks;
  if (sizeChecks)
    checks = createSizeChecks(function, symbols);
  FlatSymbolRefAttr sizes = createResultSizes(function, symbols);
  function->setAttr(air::AIRDialect::EntryPointAttrHelper::getNameStr(),
                    air::EntryPointAttr::get(&getContext(), nullptr, nullptr,
                                             sizes, checks,
                                             /*sizesNeedElements=*/false,
                                             /*inPlace=*/nullptr,
                                             /*uses=*/nullptr,
                                             /*donors=*/nullptr,
                                             /*computesOnHost=*/true,
                                             /*callerName=*/nullptr));
}

} // namespace
