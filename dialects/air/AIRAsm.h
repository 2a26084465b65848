//===- AIRAsm.h - Assembly formats that AIR ops share -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parsers and printers for `custom<…>` directives and for the ops with a custom
// assembly format. Private to the dialect.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_AIR_AIRASM_H
#define AIRCC_DIALECTS_AIR_AIRASM_H

#include "dialects/air/AIRDialect.h"

#include "mlir/IR/OpImplementation.h"

namespace aircc::air {

/// `[async] [ [%dep, …] ]`, printed with a space before each part.
mlir::ParseResult parseAsyncDependencies(
    mlir::OpAsmParser &parser, mlir::Type &tokenType,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &dependencies);
void printAsyncDependencies(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                            mlir::Type tokenType,
                            mlir::OperandRange dependencies);

/// Parses the sizes of a channel: `[4, 4]`, `[]` or nothing.
mlir::ParseResult parseChannelSizes(mlir::OpAsmParser &parser,
                                    mlir::ArrayAttr &sizes);
void printChannelSizes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                       mlir::ArrayAttr sizes);

/// Parses the indices into an array of channels: `[%i, %j]`, `[]` or nothing.
mlir::ParseResult parseChannelIndices(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &indices);
void printChannelIndices(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                         mlir::OperandRange indices);

/// Parses a list of an access pattern, in which values and integers are mixed:
/// `[%i, 4]` or `[]`. `integers` has ShapedType::kDynamic for each value.
mlir::ParseResult parseIndexList(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &values,
    mlir::DenseI64ArrayAttr &integers);
void printIndexList(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                    mlir::OperandRange values,
                    mlir::DenseI64ArrayAttr integers);

/// `[@name] [async] [ [%dep, …] ]`: adds the name, the token's type and the
/// dependencies (as operands) to `result`.
mlir::ParseResult parseNameAndDependencies(mlir::OpAsmParser &parser,
                                           mlir::OperationState &result,
                                           int32_t &numDependencies);
/// Prints the same, with a space before each part.
void printNameAndDependencies(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                              mlir::StringAttr name, mlir::Value token,
                              mlir::OperandRange dependencies);

/// Checks the types of inherent attributes, which can also be written in an
/// attribute dictionary. Without this check, attributes of other types would be
/// silently dropped.
template <typename OpTy>
mlir::LogicalResult verifyAttributes(mlir::OpAsmParser &parser, llvm::SMLoc loc,
                                     mlir::OperationState &result) {
  return OpTy::verifyInherentAttrs(result.name, result.attributes,
                                   [&] { return parser.emitError(loc); });
}

} // namespace aircc::air

#endif // AIRCC_DIALECTS_AIR_AIRASM_H
