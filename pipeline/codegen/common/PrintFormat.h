//===- PrintFormat.h - Parse format strings ---------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_COMMON_PRINTFORMAT_H
#define AIRCC_PIPELINE_CODEGEN_COMMON_PRINTFORMAT_H

#include "targets/TargetProfile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

#include <optional>
#include <string>

namespace aircc {

/// The argument of a conversion in a format string.
enum class PrintKind { Signed, Unsigned, Character, Pointer, Float };

/// A parsed C format string.
///
/// The width of a value is determined by its type, so length modifiers (`l`,
/// `ll`, `z`, …) are ignored, except that `h` and `hh` truncate as in C. `text`
/// is the format for values converted by widenForPrint.
struct PrintFormat {
  std::string text;
  /// The kind of each argument. A width or precision given as an argument (`*`)
  /// is signed.
  llvm::SmallVector<PrintKind> kinds;
};

/// Parses a format. Emits an error and fails if it is not a C format (on Intel
/// GPUs, an OpenCL format), if it has a conversion that takes no MLIR type
/// (`%s`, `%n`), or if it does not match the number or types of the arguments.
mlir::FailureOr<PrintFormat>
parsePrintFormat(llvm::StringRef format, mlir::TypeRange arguments,
                 Backend backend,
                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Escapes `text` for use in a format.
std::string escapeForFormat(llvm::StringRef text);

/// Returns the conversion with which `vector.print` prints values of the type;
/// nullopt if it does not print them.
std::optional<llvm::StringRef> getPrintConversion(mlir::Type type);

/// Converts a value for the format: integers to i64, floats to f64. On Intel
/// GPUs, characters become i32, and floats other than f64 become f32.
mlir::Value widenForPrint(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value value, PrintKind kind, Backend backend);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_COMMON_PRINTFORMAT_H
