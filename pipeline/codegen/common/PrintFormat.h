//===- PrintFormat.h - Format strings for the types of values ---*- C++ -*-===//
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

/// What a conversion of a format string takes.
enum class PrintKind { Signed, Unsigned, Character, Pointer, Float };

/// A format string of C taken apart for the types of its arguments.
///
/// A value's type says how wide it is, so lengths of the format (`l`, `ll`, `z`
/// and the like) do not matter; `h` and `hh` cut as in C. `text` is the format
/// for values as widenForPrint makes them.
struct PrintFormat {
  std::string text;
  /// One for each argument. A width or precision that is an argument (`*`) is
  /// signed.
  llvm::SmallVector<PrintKind> kinds;
};

/// Fails, after an error, for a format that is none of C's (of OpenCL's, on
/// Intel GPUs), for a conversion that no value of MLIR has (`%s`, `%n`), and
/// where numbers or kinds of arguments do not fit.
mlir::FailureOr<PrintFormat>
parsePrintFormat(llvm::StringRef format, mlir::TypeRange arguments,
                 Backend backend,
                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// `text` as a part of a format.
std::string escapeForFormat(llvm::StringRef text);

/// How `vector.print` prints a value of the type, as a conversion; nothing for
/// types that it does not print.
std::optional<llvm::StringRef> getPrintConversion(mlir::Type type);

/// The value as a format takes it: an integer of i64, a float of f64. On Intel
/// GPUs characters are i32, and floats but those of f64 are f32.
mlir::Value widenForPrint(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value value, PrintKind kind, Backend backend);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_COMMON_PRINTFORMAT_H
