//===- HelpFormatter.h - How --help is printed ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMMANDS_HELPFORMATTER_H
#define AIRCC_DRIVER_COMMANDS_HELPFORMATTER_H

#include <CLI/CLI.hpp>

#include <string>

namespace aircc {

/// CLI11's help, with descriptions wrapped to 80 columns, one blank line
/// between groups, and optional values of flags written as [=VALUE].
class HelpFormatter : public CLI::Formatter {
public:
  std::string make_help(const CLI::App *app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_description(const CLI::App *app) const override;
  std::string make_option_name(const CLI::Option *option,
                               bool positional) const override;
  std::string make_option_opts(const CLI::Option *option) const override;
  std::string make_option(const CLI::Option *option,
                          bool positional) const override;
};

} // namespace aircc

#endif // AIRCC_DRIVER_COMMANDS_HELPFORMATTER_H
