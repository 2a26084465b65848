//===- EntryNames.h - Symbols of entry points -------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_AIR_ENTRYNAMES_H
#define AIRCC_DIALECTS_AIR_ENTRYNAMES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace aircc::air {

/// The part of symbols, such as `aircc_NAME`, that stands for a function of
/// this name. Letters, digits and underscores stand for themselves; another
/// byte becomes an underscore and its two hexadecimal digits: `f@x` is `f_40x`.
std::string getEntryName(llvm::StringRef functionName);

} // namespace aircc::air

#endif // AIRCC_DIALECTS_AIR_ENTRYNAMES_H
