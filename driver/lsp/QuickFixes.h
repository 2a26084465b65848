//===- QuickFixes.h - Edits for the hints in messages -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_LSP_QUICKFIXES_H
#define AIRCC_DRIVER_LSP_QUICKFIXES_H

#include "driver/lsp/CompileResults.h"
#include "driver/lsp/OpDocumentation.h"

#include <string>
#include <utility>
#include <vector>

namespace aircc {

/// A change to a document that a message suggests.
struct QuickFix {
  std::string title;
  std::vector<std::pair<EditorRange, std::string>> edits;
};

/// Returns the changes that the message of `diagnostic` suggests and that are
/// known to be valid without the compiler: spellings, op names, attributes.
std::vector<QuickFix> findQuickFixes(const Document &document,
                                     const EditorDiagnostic &diagnostic,
                                     const OpDocumentation &ops);

/// Returns the code action for a change.
llvm::json::Value toJSON(const QuickFix &fix, const Document &document,
                         const EditorDiagnostic &diagnostic);

} // namespace aircc

#endif // AIRCC_DRIVER_LSP_QUICKFIXES_H
