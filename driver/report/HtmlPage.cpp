//===- HtmlPage.cpp - Pages that aircc writes -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/report/HtmlPage.h"

#include "llvm/ADT/StringExtras.h"

using namespace aircc;
using namespace llvm;

static constexpr StringLiteral style = R"(<style>
:root { color-scheme: light dark; --back: #fff; --text: #222; --soft: #666; --rule: #ddd; --link: #1a3c6e;
  --chip: #e4ecf7; --mark: #fff1d6; --bar: #f2b98a; }
@media (prefers-color-scheme: dark) {
  :root { --back: #17191d; --text: #e2e2e2; --soft: #9b9b9b; --rule: #3a3d44; --link: #a9c7f5; --chip: #24344d;
    --mark: #40361f; --bar: #80502a; } }
body { font-family: sans-serif; margin: 1.5em; color: var(--text); background: var(--back);
  overflow-wrap: anywhere; }
h1 { font-size: 1.5em; } h2 { font-size: 1.2em; margin-top: 1.6em; } h3 { font-size: 1em; }
a { color: var(--link); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
td, th { padding: 2px 10px; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
td, th { overflow-wrap: normal; }
td.number { text-align: right; white-space: nowrap; }
.code { font-family: monospace; white-space: pre-wrap; overflow-wrap: anywhere; min-width: 8em; }
.place { color: var(--soft); white-space: nowrap; }
.layout { border-radius: 4px; padding: 0 5px; background: var(--chip); text-decoration: none; white-space: nowrap; }
.conversion td, :target, :target summary { background: var(--mark); }
details { margin: 0.6em 0; }
svg:not(.timeline) { max-width: 100%; height: auto; background: #fff; }
svg.timeline { display: block; width: 100%; }
.legend { font-size: 0.85em; } .legend span { margin-right: 1em; white-space: nowrap; }
.legend i { display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.3em; }
.does-M { fill: #c2410c; background: #c2410c; } .does-V { fill: #2563a8; background: #2563a8; }
.does-S { fill: #7b8794; background: #7b8794; } .does-L { fill: #2e8540; background: #2e8540; }
.does-G { fill: #8a3ab9; background: #8a3ab9; } .does-g { fill: #d9b8ee; background: #d9b8ee; }
.does-l { fill: #b5dfbe; background: #b5dfbe; } .does-b { fill: #f0d264; background: #f0d264; }
.does-w { fill: #cfd6dd; background: #cfd6dd; }
.source { font-family: monospace; font-size: 0.85em; }
.source div { display: grid; grid-template-columns: 3em 3.5em 1fr; }
.source span { color: var(--soft); } .source code { white-space: pre-wrap; }
@media (min-width: 1100px) {
  .columns { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 2em; }
  .columns > .source { position: sticky; top: 1em; max-height: 95vh; overflow-y: auto; } }
@media (max-width: 600px) { body { margin: 0.7em; } td, th { padding: 2px 5px; } }
</style>
)";

std::string aircc::escapeHtml(StringRef text) {
  std::string escaped;
  raw_string_ostream os(escaped);
  printHTMLEscaped(text, os);
  return escaped;
}

void aircc::beginHtmlPage(StringRef title, raw_ostream &os) {
  std::string escaped = escapeHtml(title);
  os << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n<title>"
     << escaped << "</title>\n"
     << style << "</head><body>\n<h1>" << escaped << "</h1>\n";
}

void aircc::endHtmlPage(raw_ostream &os) { os << "</body></html>\n"; }

void aircc::beginHtmlTable(StringRef columns, raw_ostream &os) {
  os << "<div class=\"wide\"><table><tr>" << columns << "</tr>\n";
}

void aircc::endHtmlTable(raw_ostream &os) { os << "</table></div>\n"; }

std::string aircc::linkLine(unsigned line) {
  if (!line)
    return "";
  std::string number = utostr(line);
  return "<a href=\"#line-" + number + "\">" + number + "</a>";
}
