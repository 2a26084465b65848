//===- Dependencies.cpp - Dependency files for make and ninja -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/files/Dependencies.h"

#include "driver/diagnostics/Failure.h"
#include "driver/input/InputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace aircc;
using namespace llvm;

/// Returns whether GNU make and ninja can both spell the name, and in the same
/// way.
static bool isWritable(StringRef name) {
  return !name.contains('\n') && !name.contains("\\:") && !name.ends_with(":");
}

static void writeName(raw_ostream &os, StringRef name) {
  for (size_t i = 0; i < name.size(); ++i) {
    char c = name[i];
    // Make unescapes backslashes only before a blank or a hash.
    if (c == ' ' || c == '\t' || c == '#') {
      for (size_t j = i; j > 0 && name[j - 1] == '\\'; --j)
        os << '\\';
      os << '\\';
    }
    // A second colon would turn the rule into a static pattern rule.
    if (c == ':')
      os << '\\';
    if (c == '$')
      os << '$';
    os << c;
  }
}

Error aircc::writeDependencies(raw_ostream &os, ArrayRef<std::string> targets,
                               ArrayRef<std::string> files) {
  for (ArrayRef<std::string> names : {targets, files})
    for (const std::string &name : names)
      if (!isWritable(name))
        return fail(ExitCode::BadUsage,
                    "-MD: a rule for make and ninja cannot contain the name '" +
                        escapeName(name) + "'",
                    {"line breaks, and colons at the end or after a "
                     "backslash, have no spelling that both accept"});
  ListSeparator blank(" ");
  for (const std::string &target : targets) {
    os << blank;
    writeName(os, target);
  }
  os << ':';
  StringSet<> seen;
  for (const std::string &file : files) {
    if (!seen.insert(file).second)
      continue;
    os << " \\\n  ";
    writeName(os, file);
  }
  os << '\n';
  return Error::success();
}
