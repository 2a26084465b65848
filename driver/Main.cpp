//===- Main.cpp - The aircc binary: which subcommand is meant -------------===//
//
// Part of the aircc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/OptMain.h"
#include "driver/Version.h"

#include "llvm/ADT/StringRef.h"

#include <cstdio>

using llvm::StringRef;

int main(int argc, char **argv) {
  StringRef first = argc > 1 ? argv[1] : "";

  // Before anything else: nobody waits for a registry to see a version.
  if (argc == 2 && first == "--version") {
    std::puts("aircc " AIRCC_VERSION " (LLVM " AIRCC_LLVM_VERSION ")");
    return 0;
  }

  if (first == "opt")
    return aircc::optMain(argc - 1, argv + 1);
  if (first == "lsp")
    return aircc::lspMain(argc - 1, argv + 1);

  std::fputs("aircc: error: expected a subcommand: opt, lsp, or --version\n",
             stderr);
  return 2;
}
