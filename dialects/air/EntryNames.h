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

/// Returns the part of symbols such as `aircc_NAME` that encodes the name of a
/// function. Letters, digits and underscores represent themselves; any other
/// byte becomes an underscore and two hexadecimal digits: `f@x` becomes
/// `f_40x`.
std::string getEntryName(llvm::StringRef functionName);

} // namespace aircc::air

#endif // AIRCC_DIALECTS_AIR_ENTRYNAMES_H
