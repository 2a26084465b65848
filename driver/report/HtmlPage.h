//===- HtmlPage.h - Pages that aircc writes ---------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_REPORT_HTMLPAGE_H
#define AIRCC_DRIVER_REPORT_HTMLPAGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace aircc {

/// Writes the beginning of a self-contained page in the style of all pages,
/// which is light or dark as the browser prefers and no wider than the screen.
void beginHtmlPage(llvm::StringRef title, llvm::raw_ostream &os);
void endHtmlPage(llvm::raw_ostream &os);

/// Returns `text` with special characters escaped.
std::string escapeHtml(llvm::StringRef text);

/// Write the beginning and the end of a table that scrolls on its own if it is
/// wider than the screen. `columns` is HTML.
void beginHtmlTable(llvm::StringRef columns, llvm::raw_ostream &os);
void endHtmlTable(llvm::raw_ostream &os);

/// Returns a link to a line of the source if the page shows it. Returns "" for
/// line 0.
std::string linkLine(unsigned line);

} // namespace aircc

#endif // AIRCC_DRIVER_REPORT_HTMLPAGE_H
