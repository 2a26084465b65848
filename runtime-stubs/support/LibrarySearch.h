//===- LibrarySearch.h - Loading the system's libraries ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The libraries of a GPU's vendor are loaded when a program first uses a
// device: neither building aircc nor starting a compiled program needs them.
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

/// Loads `what` ("the HIP library"): the file that the environment variable
/// `variable` names, else the first of `candidates` that is there. Sets `path`
/// to what it was found as.
Status openSystemLibrary(const std::string &what, const char *variable,
                         const std::vector<std::string> &candidates,
                         void *&library, std::string &path);

/// Looks functions up, and lists those that are not there.
class SymbolFinder {
public:
  explicit SymbolFinder(void *library) : library(library) {}

  /// Sets `function` to the address of `symbol`, or to null.
  template <typename T> void find(T &function, const char *symbol) {
    function = reinterpret_cast<T>(dlsym(library, symbol));
    if (!function)
      missing += (missing.empty() ? "" : ", ") + std::string(symbol);
  }

  /// The names of what was not found, separated by commas.
  const std::string &getMissing() const { return missing; }

private:
  void *library;
  std::string missing;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_SUPPORT_LIBRARYSEARCH_H
