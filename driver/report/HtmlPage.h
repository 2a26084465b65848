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

/// Writes the beginning of a self-contained page, with the style of all pages:
/// light or dark as the browser prefers, and no wider than the screen.
void beginHtmlPage(llvm::StringRef title, llvm::raw_ostream &os);
void endHtmlPage(llvm::raw_ostream &os);

/// `text` with escaped special characters.
std::string escapeHtml(llvm::StringRef text);

/// The beginning and the end of a table that scrolls by itself if it is wider
/// than the screen. `columns` is HTML.
void beginHtmlTable(llvm::StringRef columns, llvm::raw_ostream &os);
void endHtmlTable(llvm::raw_ostream &os);

/// A link to a line of the source, if the page shows it; "" for line 0.
std::string linkLine(unsigned line);

} // namespace aircc

#endif // AIRCC_DRIVER_REPORT_HTMLPAGE_H
