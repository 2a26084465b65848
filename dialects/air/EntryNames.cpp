//===- EntryNames.cpp - Symbols of entry points ---------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/air/EntryNames.h"

#include "llvm/ADT/StringExtras.h"

std::string aircc::air::getEntryName(llvm::StringRef functionName) {
  std::string name;
  for (char c : functionName)
    if (llvm::isAlnum(c) || c == '_')
      name += c;
    else
      name += "_" + llvm::utohexstr(static_cast<unsigned char>(c),
                                    /*LowerCase=*/false, /*Width=*/2);
  return name;
}
