//===- OptionTable.h - Declarations of command-line options -----*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMMANDS_OPTIONTABLE_H
#define AIRCC_DRIVER_COMMANDS_OPTIONTABLE_H

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace aircc {

/// The variable that receives an option's value. A list receives one element
/// each time the option is given.
using OptionStorage =
    std::variant<bool *, std::string *, uint32_t *, int64_t *,
                 std::optional<unsigned> *, std::optional<uint64_t> *,
                 std::optional<double> *, std::vector<std::string> *>;

struct OptionDeclaration {
  /// The names in CLI11's syntax. A flag that stores a string names its default
  /// in braces: "--check{all}". A positional argument has no leading dash.
  std::string names;
  /// Shown in the help. Empty for a flag without a value.
  std::string valueName;
  std::string description;
  OptionStorage storage;
  bool required = false;
  bool hidden = false; ///< Omitted from the help.
  bool rare = false;   ///< Shown only by --help-all, if the command has it.
};

/// Options that the help lists under one title.
struct OptionGroup {
  std::string title; ///< Empty for CLI11's default group.
  std::vector<OptionDeclaration> options;
  bool enabled = true; ///< False if the command does not have these options.
};

/// Adds the options of all enabled groups to `app`, in order. The help shows
/// rare ones if `showRare` is set.
void addOptions(CLI::App &app, const std::vector<OptionGroup> &groups,
                bool showRare = true);

/// Marks an option as one that only --help-all shows.
inline OptionDeclaration rare(OptionDeclaration declaration) {
  declaration.rare = true;
  return declaration;
}

/// Options that several commands have
OptionDeclaration makeTargetsDirOption(std::vector<std::string> &folders);
OptionDeclaration makeWaveSizeOption(std::optional<unsigned> &lanes);
OptionDeclaration makeRocmPathOption(std::string &path);
OptionDeclaration makeDiagnosticsFormatOption(std::string &format);

} // namespace aircc

#endif // AIRCC_DRIVER_COMMANDS_OPTIONTABLE_H
