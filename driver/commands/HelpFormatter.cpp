//===- HelpFormatter.cpp - How --help is printed --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/commands/HelpFormatter.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

using namespace aircc;
using namespace llvm;

static constexpr size_t kColumns = 80;

/// Returns the column where the continuation of a line begins. In an indented
/// table row, this is the column after the first; otherwise, it is the column
/// of the first word.
static size_t findHang(StringRef line) {
  size_t first = line.find_first_not_of(' ');
  if (first == 0 || first == StringRef::npos)
    return 0;
  size_t gap = line.find("  ", first);
  return gap == StringRef::npos ? first : line.find_first_not_of(' ', gap);
}

/// Appends `line` to `text`, whose current line has `indent` columns, and wraps
/// it between words.
static void appendWrapped(std::string &text, StringRef line, size_t indent) {
  const size_t hang = findHang(line);
  size_t column = indent;
  for (bool first = true; !line.empty(); first = false) {
    // Take a word and the blanks before it.
    size_t end = line.find(' ', line.find_first_not_of(' '));
    StringRef word = line.take_front(end);
    line = line.drop_front(word.size());
    if (!first && column + word.size() > kColumns) {
      text.append("\n").append(indent + hang, ' ');
      column = indent + hang;
      word = word.ltrim();
    }
    text += word;
    column += word.size();
  }
}

std::string HelpFormatter::make_help(const CLI::App *app, std::string name,
                                     CLI::AppFormatMode mode) const {
  std::string text = Formatter::make_help(app, name, mode);
  for (size_t at; (at = text.find("\n\n\n")) != std::string::npos;)
    text.erase(at, 1);
  return text;
}

std::string HelpFormatter::make_description(const CLI::App *app) const {
  std::string text;
  appendWrapped(text, StringRef(Formatter::make_description(app)).rtrim(), 0);
  return text + "\n";
}

/// CLI11 shows the value of a flag that is given without one: "--check{all}".
std::string HelpFormatter::make_option_name(const CLI::Option *option,
                                            bool positional) const {
  std::string name = Formatter::make_option_name(option, positional);
  size_t brace = name.find('{');
  if (brace == std::string::npos)
    return name;
  return name.substr(0, brace) + "[=" + option->get_type_name() + "]";
}

std::string HelpFormatter::make_option_opts(const CLI::Option *option) const {
  return option->get_items_expected_max() == 0 || option->get_type_size() == 0
             ? ""
             : Formatter::make_option_opts(option);
}

std::string HelpFormatter::make_option(const CLI::Option *option,
                                       bool positional) const {
  const size_t column = get_column_width();
  std::string text =
      "  " + make_option_name(option, positional) + make_option_opts(option);
  if (text.size() + 2 > column)
    text += "\n" + std::string(column, ' ');
  else
    text.append(column - text.size(), ' ');
  std::string description = make_option_desc(option);
  SmallVector<StringRef> lines;
  StringRef(description).split(lines, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i != 0)
      text += "\n" + std::string(column, ' ');
    appendWrapped(text, lines[i], column);
  }
  return text + "\n";
}
