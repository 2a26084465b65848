//===- LibrarySearch.cpp - Loading the system's libraries -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/support/LibrarySearch.h"

#include <cstdlib>

using namespace aircc::rt;

Status aircc::rt::openSystemLibrary(const std::string &what,
                                    const char *variable,
                                    const std::vector<std::string> &candidates,
                                    void *&library, std::string &path,
                                    bool global) {
  const int mode = RTLD_NOW | (global ? RTLD_GLOBAL : RTLD_LOCAL);
  if (const char *named = std::getenv(variable); named && *named) {
    path = named;
    library = dlopen(named, mode);
    if (library)
      return Status::success();
    const char *reason = dlerror();
    return Status::failure("cannot load " + what + " that " + variable +
                           " names: " + (reason ? reason : named));
  }

  std::string looked, reasons;
  for (const std::string &candidate : candidates) {
    library = dlopen(candidate.c_str(), mode);
    if (library) {
      path = candidate;
      return Status::success();
    }
    std::string reason = dlerror();
    looked += (looked.empty() ? "" : ", ") + candidate;
    // "NAME: cannot open shared object file" only means that the file does not
    // exist. Report other reasons, such as a missing dependency.
    if (reason.rfind(candidate + ": cannot open shared object file", 0) != 0)
      reasons += "; " + reason;
  }
  return Status::failure("cannot load " + what + "; looked for " + looked +
                         reasons);
}
