//===- LibrarySearch.h - Loading the system's libraries ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// GPU vendor libraries are loaded when a program first uses a device, so that
// neither building aircc nor starting a compiled program requires them.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_SUPPORT_LIBRARYSEARCH_H
#define AIRCC_RUNTIME_SUPPORT_LIBRARYSEARCH_H

#include "runtime-stubs/Device.h"

#include <dlfcn.h>
#include <string>
#include <type_traits>
#include <vector>

namespace aircc::rt {

/// Loads `what` ("the HIP library"): the file named by the environment variable
/// `variable`, or the first of `candidates` that exists. Sets `path` to the
/// name that was found. If `global` is set, libraries that are loaded later can
/// use its symbols.
Status openSystemLibrary(const std::string &what, const char *variable,
                         const std::vector<std::string> &candidates,
                         void *&library, std::string &path,
                         bool global = false);

/// Looks up functions and collects the names of missing ones.
class SymbolFinder {
public:
  explicit SymbolFinder(void *library) : library(library) {}

  /// Sets `function` to the address of `symbol`, or to null.
  template <typename T> void find(T &function, const char *symbol) {
    function = reinterpret_cast<T>(dlsym(library, symbol));
    if (!function)
      missing += (missing.empty() ? "" : ", ") + std::string(symbol);
  }

  /// Returns the names of missing functions, separated by commas.
  const std::string &getMissing() const { return missing; }

private:
  void *library;
  std::string missing;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_SUPPORT_LIBRARYSEARCH_H
