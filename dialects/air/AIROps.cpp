//===- AIROps.cpp - Generated definitions and shared assembly formats -----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/air/AIROps.h"
#include "dialects/air/AIRAsm.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace aircc::air;

ParseResult aircc::air::parseAsyncDependencies(
    OpAsmParser &parser, Type &tokenType,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &dependencies) {
  if (succeeded(parser.parseOptionalKeyword("async")))
    tokenType = parser.getBuilder().getType<AsyncTokenType>();
  return parser.parseOperandList(dependencies,
                                 OpAsmParser::Delimiter::OptionalSquare);
}

void aircc::air::printAsyncDependencies(OpAsmPrinter &printer, Operation *op,
                                        Type tokenType,
                                        OperandRange dependencies) {
  if (tokenType)
    printer << " async";
  if (!dependencies.empty())
    printer << " [" << dependencies << ']';
}

ParseResult aircc::air::parseNameAndDependencies(OpAsmParser &parser,
                                                 OperationState &result,
                                                 int32_t &numDependencies) {
  StringAttr name;
  (void)parser.parseOptionalSymbolName(name, SymbolTable::getSymbolAttrName(),
                                       result.attributes);
  Type tokenType;
  SmallVector<OpAsmParser::UnresolvedOperand> dependencies;
  if (parseAsyncDependencies(parser, tokenType, dependencies))
    return failure();
  if (tokenType)
    result.addTypes(tokenType);
  numDependencies = dependencies.size();
  return parser.resolveOperands(dependencies,
                                parser.getBuilder().getType<AsyncTokenType>(),
                                result.operands);
}

void aircc::air::printNameAndDependencies(OpAsmPrinter &printer, Operation *op,
                                          StringAttr name, Value token,
                                          OperandRange dependencies) {
  if (name) {
    printer << ' ';
    printer.printSymbolName(name);
  }
  printAsyncDependencies(printer, op, token ? token.getType() : Type(),
                         dependencies);
}

ParseResult aircc::air::parseIndexList(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
    DenseI64ArrayAttr &integers) {
  // The upstream directive also parses the brackets, but expects a value if
  // they are missing.
  if (parser.parseLSquare())
    return failure();
  if (succeeded(parser.parseOptionalRSquare())) {
    integers = parser.getBuilder().getDenseI64ArrayAttr({});
    return success();
  }
  return failure(parseDynamicIndexList(parser, values, integers,
                                       /*valueTypes=*/nullptr,
                                       AsmParser::Delimiter::None) ||
                 parser.parseRSquare());
}

void aircc::air::printIndexList(OpAsmPrinter &printer, Operation *op,
                                OperandRange values,
                                DenseI64ArrayAttr integers) {
  printDynamicIndexList(printer, op, values, integers.asArrayRef());
}

ParseResult aircc::air::parseChannelSizes(OpAsmParser &parser,
                                          ArrayAttr &sizes) {
  // As in any array attribute, an element may have a type: `[4 : i64]`.
  SmallVector<int64_t> values;
  if (parser.parseCommaSeparatedList(
          OpAsmParser::Delimiter::OptionalSquare, [&]() -> ParseResult {
            SMLoc loc = parser.getCurrentLocation();
            Type type = parser.getBuilder().getI64Type();
            if (parser.parseInteger(values.emplace_back()) ||
                (succeeded(parser.parseOptionalColon()) &&
                 parser.parseType(type)))
              return failure();
            if (!type.isSignlessInteger(64))
              return parser.emitError(loc)
                     << "expected a size of type i64, but got " << type;
            return success();
          }))
    return failure();
  sizes = parser.getBuilder().getI64ArrayAttr(values);
  return success();
}

void aircc::air::printChannelSizes(OpAsmPrinter &printer, Operation *op,
                                   ArrayAttr sizes) {
  printer << '[';
  llvm::interleaveComma(sizes.getAsValueRange<IntegerAttr>(), printer);
  printer << ']';
}

ParseResult aircc::air::parseChannelIndices(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices) {
  return parser.parseOperandList(indices,
                                 OpAsmParser::Delimiter::OptionalSquare);
}

void aircc::air::printChannelIndices(OpAsmPrinter &printer, Operation *op,
                                     OperandRange indices) {
  printer << '[' << indices << "] ";
}

#define GET_OP_CLASSES
#include "dialects/air/AIROps.cpp.inc"
