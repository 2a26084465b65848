//===- FileNames.cpp - Names of the files that a launch writes ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/observe/FileNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <unistd.h>

using namespace llvm;

static std::string environment(ArrayRef<const char *> names,
                               const char *otherwise) {
  for (const char *name : names)
    if (const char *value = std::getenv(name); value && *value)
      return value;
  return otherwise;
}

std::string aircc::sim::expandFileName(const std::string &name) {
  std::string pattern = name;
  const std::string rank = environment(
      {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}, "0");
  const std::string ranks = environment(
      {"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}, "1");
  if (ranks != "1" && pattern.find("%p") == std::string::npos &&
      pattern.find("%r") == std::string::npos)
    pattern.insert(pattern.size() - sys::path::extension(pattern).size(),
                   "-r%r");
  std::string expanded;
  for (size_t i = 0; i < pattern.size(); ++i) {
    StringRef rest = StringRef(pattern).drop_front(i);
    if (rest.starts_with("%p"))
      expanded += utostr(static_cast<uint64_t>(::getpid())), ++i;
    else if (rest.starts_with("%r"))
      expanded += rank, ++i;
    else
      expanded += pattern[i];
  }
  return expanded;
}
