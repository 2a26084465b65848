//===- CacheableOptions.h - Options of LLVM that only change code -*- C++ -*-=//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_CACHE_CACHEABLEOPTIONS_H
#define AIRCC_DRIVER_CACHE_CACHEABLEOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace aircc {

/// Returns the sorted names of the LLVM options that affect nothing but the
/// generated code. Other options may print something, read or write files, or
/// make compiles differ from each other.
llvm::ArrayRef<llvm::StringLiteral> getCacheableOptions();

/// Returns the first of the options, given as for `-mllvm`, that is not listed.
/// Returns "" if a cached result can replace a compile with all of them.
llvm::StringRef findUncacheableOption(llvm::ArrayRef<std::string> options);

} // namespace aircc

#endif // AIRCC_DRIVER_CACHE_CACHEABLEOPTIONS_H
