//===- AIRAsyncOps.cpp - wait_all, execute, custom ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/air/AIRAsm.h"
#include "dialects/air/AIROps.h"

using namespace mlir;
using namespace aircc::air;

//===----------------------------------------------------------------------===//
// WaitAllOp
//===----------------------------------------------------------------------===//

void WaitAllOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  // A join of tokens has no memory effects, but a wait makes the writes of the
  // awaited ops visible, so nothing may be moved across it.
  if (isAsync())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

//===----------------------------------------------------------------------===//
// ExecuteOp
//===----------------------------------------------------------------------===//

LogicalResult ExecuteOp::verify() {
  Operation *terminator = getBody()->getTerminator();
  auto yielded = terminator->getOperandTypes();
  auto expected = getResults().getTypes();
  if (yielded.size() != expected.size())
    return emitOpError("expects its terminator to yield ")
           << expected.size()
           << " values, one for each result besides the token, but got "
           << yielded.size();
  for (auto [index, types] :
       llvm::enumerate(llvm::zip_equal(yielded, expected)))
    if (auto [from, to] = types; from != to)
      return emitOpError("result ")
             << index << " has type " << to
             << ", but the terminator yields a value of type " << from;
  return success();
}

//===----------------------------------------------------------------------===//
// CustomOp
//===----------------------------------------------------------------------===//

ParseResult CustomOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<int32_t> segments;
  if (parseNameAndDependencies(parser, result, segments.emplace_back()))
    return failure();

  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("operands"))) {
    loc = parser.getCurrentLocation();
    if (parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren))
      return failure();
    if (!operands.empty() && parser.parseColonTypeList(types))
      return failure();
  }
  SMLoc attrsLoc = parser.getCurrentLocation();
  if (parser.resolveOperands(operands, types, loc, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      failed(verifyAttributes<CustomOp>(parser, attrsLoc, result)))
    return failure();
  segments.push_back(operands.size());
  result.addAttribute(getOperandSegmentSizeAttr(),
                      parser.getBuilder().getDenseI32ArrayAttr(segments));
  return success();
}

void CustomOp::print(OpAsmPrinter &printer) {
  printNameAndDependencies(printer, *this, getSymNameAttr(), getAsyncToken(),
                           getAsyncDependencies());
  if (!getCustomOperands().empty())
    printer << " operands (" << getCustomOperands()
            << ") : " << getCustomOperands().getTypes();
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getOperandSegmentSizeAttr(), SymbolTable::getSymbolAttrName()});
}
