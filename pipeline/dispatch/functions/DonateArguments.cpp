//===- DonateArguments.cpp - Results in the memory of arguments -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/Passes.h"
#include "pipeline/dispatch/TensorFunctions.h"
#include "pipeline/dispatch/functions/Donations.h"

#include "dialects/air/AIRDialect.h"
#include "dialects/air/TensorFunctions.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

namespace aircc::dispatch {
#define GEN_PASS_DEF_DONATEARGUMENTS
#include "pipeline/dispatch/Passes.h.inc"
} // namespace aircc::dispatch

using namespace mlir;
using namespace aircc;

namespace {

/// Returns the operand in whose memory `result` is if its op computes in place.
OpOperand *getDestination(OpResult result) {
  Operation *op = result.getOwner();
  if (auto structured = dyn_cast<DestinationStyleOpInterface>(op))
    return structured.getTiedOpOperand(result);
  if (isa<scf::ForOp, scf::ForallOp>(op))
    return cast<LoopLikeOpInterface>(op).getTiedLoopInit(result);
  return nullptr;
}

/// Returns whether `op` computes each element of its result from the element of
/// `argument` at the same position, so that it can overwrite that element.
bool isElementwiseOn(linalg::LinalgOp op, Value argument, OpOperand &init) {
  if (op.getNumParallelLoops() != op.getNumLoops())
    return false;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return operand.get() != argument || op.getMatchingIndexingMap(&operand) ==
                                            op.getMatchingIndexingMap(&init);
  });
}

/// Returns whether `op`, which does not read the destination `init`, can write
/// its result to the memory of `argument`. This requires that nothing else
/// reads the argument at the same time or later.
bool canWriteTo(Value argument, OpOperand &init) {
  Operation *op = init.getOwner();
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (structured && structured.payloadUsesValueFromOperand(&init))
    return false;
  SmallVector<Value> worklist = {argument};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *user = op->getBlock()->findAncestorOpInBlock(*use.getOwner());
      if (!user || op->isBeforeInBlock(user))
        return false;
      if (user == op &&
          (value != argument || !structured || use.getOwner() != op ||
           !isElementwiseOn(structured, argument, init)))
        return false;
      if (isa<tensor::ExtractSliceOp, tensor::CastOp, tensor::ExpandShapeOp,
              tensor::CollapseShapeOp>(use.getOwner())) {
        worklist.push_back(use.getOwner()->getResult(0));
        continue;
      }
      // The result may be in the memory of the argument, and be used later.
      auto destination = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
      bool isWritten = (destination && destination.isDpsInit(&use)) ||
                       isa<LoopLikeOpInterface>(use.getOwner());
      if (user != op && isWritten)
        return false;
    }
  }
  return true;
}

/// Returns whether two tensors have the same type, and dynamic sizes that are
/// known to be equal.
bool haveSameSizes(Value a, Value b) {
  auto type = dyn_cast<RankedTensorType>(a.getType());
  if (!type || type != b.getType())
    return false;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    FailureOr<bool> equal =
        ValueBoundsConstraintSet::areEqual({a, dim}, {b, dim});
    if (failed(equal) || !*equal)
      return false;
  }
  return true;
}

/// Makes ops compute `value`, which the terminator `end` returns, in the memory
/// of `argument` if no copy is needed.
bool computeIn(Value value, Operation *end, BlockArgument argument) {
  OpOperand *first = nullptr;
  while (auto result = dyn_cast<OpResult>(value)) {
    OpOperand *next = getDestination(result);
    if (!next)
      break;
    // A loop computes in place if its iterations do.
    unsigned number = result.getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(result.getOwner());
        loop && !computeIn(loop.getYieldedValues()[number],
                           loop.getBody()->getTerminator(),
                           loop.getRegionIterArg(number)))
      return false;
    first = next;
    value = next->get();
  }
  if (value == argument)
    return true;
  if (!first || !value.getDefiningOp<tensor::EmptyOp>() ||
      first->getOwner()->getBlock() != end->getBlock() ||
      !haveSameSizes(value, argument) || !canWriteTo(argument, *first))
    return false;
  first->set(argument);
  return true;
}

class DonateArguments
    : public dispatch::impl::DonateArgumentsBase<DonateArguments> {
public:
  void runOnOperation() final {
    for (func::FuncOp function : dispatch::getTensorFunctions(getOperation()))
      if (failed(donate(function)))
        return signalPassFailure();
  }

private:
  LogicalResult donate(func::FuncOp function);
  FailureOr<std::optional<unsigned>> takeAliasingOutput(func::FuncOp function,
                                                        unsigned argument);
};

/// Removes the attribute that names the result of a donated argument, and
/// returns its number.
FailureOr<std::optional<unsigned>>
DonateArguments::takeAliasingOutput(func::FuncOp function, unsigned argument) {
  Attribute attribute =
      function.removeArgAttr(argument, air::kAliasingOutputName);
  if (!attribute)
    return std::optional<unsigned>();
  auto number = dyn_cast<IntegerAttr>(attribute);
  if (!number || number.getValue().isNegative() ||
      number.getValue().uge(function.getNumResults()))
    return function.emitOpError("expects '")
           << air::kAliasingOutputName << "' of argument " << argument
           << " to be a result number, but got " << attribute;
  unsigned result = number.getInt();
  Type type = function.getArgumentTypes()[argument];
  if (type != function.getResultTypes()[result])
    return function.emitOpError("cannot compute result ")
           << result << " of type " << function.getResultTypes()[result]
           << " in the memory of argument " << argument << ", whose type is "
           << type;
  return std::optional<unsigned>(result);
}

LogicalResult DonateArguments::donate(func::FuncOp function) {
  StringRef name = air::AIRDialect::DonatedAttrHelper::getNameStr();
  StringRef why;
  bool canDonate =
      dispatch::canOverwriteArguments(getOperation(), function, why);
  SmallVector<std::pair<unsigned, std::optional<unsigned>>> donations;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    if (!air::isDonated(function, i))
      continue;
    FailureOr<std::optional<unsigned>> result = takeAliasingOutput(function, i);
    if (failed(result))
      return failure();
    function.removeArgAttr(i, air::kBufferDonorName);
    function.removeArgAttr(i, name);
    if (canDonate && isa<RankedTensorType>(function.getArgumentTypes()[i])) {
      function.setArgAttr(i, name, UnitAttr::get(&getContext()));
      donations.push_back({i, *result});
    } else {
      emitRemark(function.isDeclaration() ? function.getLoc()
                                          : function.getArgument(i).getLoc())
          << "argument " << i << " of '" << function.getSymName()
          << "' is donated, but its memory is not overwritten: "
          << (canDonate ? "it is a scalar" : why);
    }
  }
  if (donations.empty())
    return success();
  auto end = cast<func::ReturnOp>(function.front().getTerminator());
  llvm::SmallBitVector taken(function.getNumResults());
  for (auto [number, result] : donations) {
    BlockArgument argument = function.getArgument(number);
    for (unsigned i = 0; i < function.getNumResults(); ++i) {
      if (taken.test(i) || (result && *result != i) ||
          !computeIn(end.getOperand(i), end, argument))
        continue;
      taken.set(i);
      break;
    }
    // The caller requires it, so a copy is acceptable.
    if (result && end.getOperand(*result) != argument &&
        haveSameSizes(end.getOperand(*result), argument)) {
      OpBuilder b(end);
      auto copy = linalg::CopyOp::create(b, end.getLoc(),
                                         end.getOperand(*result), argument);
      end.setOperand(*result, copy.getResult(0));
      taken.set(*result);
    }
  }
  return success();
}

} // namespace
