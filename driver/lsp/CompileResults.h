//===- CompileResults.h - What a compile says about a document --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_LSP_COMPILERESULTS_H
#define AIRCC_DRIVER_LSP_COMPILERESULTS_H

#include "driver/lsp/Document.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// The severities of the protocol.
enum class EditorSeverity { Error = 1, Warning = 2, Information = 3 };

struct EditorDiagnostic {
  EditorSeverity severity = EditorSeverity::Error;
  size_t offset = 0; ///< The offset of the location.
  EditorRange range;
  std::string message; ///< Includes each note as a line.
  /// The notes about other locations in the document.
  std::vector<std::pair<EditorRange, std::string>> related;
};

struct InlayHint {
  EditorPosition position;
  std::string label, tooltip;
};

/// The results of a compile worker (CompileWorker.h) for a document.
struct CompileResults {
  std::vector<EditorDiagnostic> diagnostics;
  std::vector<InlayHint> hints;
};

/// Converts what a worker wrote. Errors without a location name `projectFile`,
/// because it contains the options.
CompileResults readCompileResults(const Document &document,
                                  llvm::StringRef diagnostics,
                                  llvm::StringRef facts,
                                  llvm::StringRef projectFile);

/// Returns the parameters of textDocument/publishDiagnostics.
llvm::json::Value
makeDiagnosticsParams(const Document &document,
                      const std::vector<EditorDiagnostic> &diagnostics);
/// Returns an element of the result of textDocument/inlayHint.
llvm::json::Value toJSON(const InlayHint &hint);
/// Converts a diagnostic to the form of the protocol.
llvm::json::Value toJSON(const EditorDiagnostic &diagnostic,
                         llvm::StringRef uri);

} // namespace aircc

#endif // AIRCC_DRIVER_LSP_COMPILERESULTS_H
