//===- OptionTable.cpp - Declarations of command-line options -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/commands/OptionTable.h"

#include "driver/commands/HelpFormatter.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <type_traits>

using namespace aircc;

static CLI::Option *addFlag(CLI::App &app, const OptionDeclaration &flag) {
  if (auto *const *set = std::get_if<bool *>(&flag.storage))
    return app.add_flag(flag.names, **set, flag.description);
  return app
      .add_flag(flag.names, *std::get<std::string *>(flag.storage),
                flag.description)
      ->type_name(flag.valueName);
}

static CLI::Option *addOption(CLI::App &app, const OptionDeclaration &option) {
  // The value of a flag is optional if its name has a default in braces.
  if (option.valueName.empty() || option.names.find('{') != std::string::npos)
    return addFlag(app, option);
  auto add = [&](auto *value) {
    CLI::Option *added =
        app.add_option(option.names, *value, option.description);
    using Value = std::remove_pointer_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      // `--list a b` gives the list one element; b is another argument.
      if (!added->get_positional())
        added->allow_extra_args(false);
    }
    return added->type_name(option.valueName);
  };
  return std::visit(add, option.storage);
}

void aircc::addOptions(CLI::App &app, const std::vector<OptionGroup> &groups,
                       bool showRare) {
  auto formatter = std::make_shared<HelpFormatter>();
  formatter->column_width(28);
  app.formatter(formatter);
  for (const OptionGroup &group : groups) {
    if (!group.enabled)
      continue;
    for (const OptionDeclaration &declaration : group.options) {
      CLI::Option *option = addOption(app, declaration);
      option->required(declaration.required);
      if (declaration.hidden || (declaration.rare && !showRare))
        option->group(""); // CLI11 omits this group from the help.
      else if (!group.title.empty())
        option->group(group.title);
    }
  }
}

OptionDeclaration
aircc::makeTargetsDirOption(std::vector<std::string> &folders) {
  return {"--targets-dir", "FOLDER", "Folder to search for profiles first",
          &folders};
}

OptionDeclaration aircc::makeWaveSizeOption(std::optional<unsigned> &lanes) {
  return {"--wave-size", "LANES",
          "Lanes of a wave, 32 or 64; overrides the profile", &lanes};
}

OptionDeclaration aircc::makeRocmPathOption(std::string &path) {
  return {"--rocm-path", "FOLDER",
          "ROCm installation that provides the device libraries", &path};
}

OptionDeclaration aircc::makeDiagnosticsFormatOption(std::string &format) {
  return {"--diagnostics-format", "FORMAT", "text (default) or json", &format};
}
