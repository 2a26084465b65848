//===- HipApi.cpp - The part of HIP that the runtime uses -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/hip/HipApi.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <vector>

using namespace aircc::rt;
using namespace aircc::rt::hip;

/// Opens the library, and sets `path` to what it was found as.
static Status openLibrary(void *&library, std::string &path) {
  if (const char *named = std::getenv("AIRCC_HIP_LIBRARY"); named && *named) {
    path = named;
    library = dlopen(named, RTLD_NOW | RTLD_LOCAL);
    if (library)
      return Status::success();
    const char *reason = dlerror();
    return Status::failure("cannot load the HIP library that AIRCC_HIP_LIBRARY "
                           "names: " +
                           std::string(reason ? reason : named));
  }

  std::vector<std::string> candidates;
  std::vector<std::string> folders = {""};
  if (const char *rocm = std::getenv("ROCM_PATH"); rocm && *rocm)
    folders.push_back(std::string(rocm) + "/lib/");
  folders.push_back("/opt/rocm/lib/");
  for (const std::string &folder : folders)
    for (const char *name : {"libamdhip64.so.7", "libamdhip64.so.6",
                             "libamdhip64.so.5", "libamdhip64.so"})
      candidates.push_back(folder + name);

  std::string looked, reasons;
  for (const std::string &candidate : candidates) {
    library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library) {
      path = candidate;
      return Status::success();
    }
    std::string reason = dlerror();
    looked += (looked.empty() ? "" : ", ") + candidate;
    // "NAME: cannot open shared object file" is no more than: not here. Other
    // reasons, such as a library that it needs, are worth telling.
    if (reason.rfind(candidate + ": cannot open shared object file", 0) != 0)
      reasons += "; " + reason;
  }
  return Status::failure("cannot load the HIP library; looked for " + looked +
                         reasons);
}

Status Api::load() {
  void *library = nullptr;
  std::string path;
  if (Status status = openLibrary(library, path); !status.ok())
    return status;

  std::string missing;
  auto find = [&](auto &function, const char *symbol, bool required) {
    void *address = dlsym(library, symbol);
    function =
        reinterpret_cast<std::remove_reference_t<decltype(function)>>(address);
    if (!address && required)
      missing += (missing.empty() ? "" : ", ") + std::string(symbol);
  };
#define AIRCC_HIP_FIND(NAME, PARAMETERS) find(NAME, "hip" #NAME, true);
  AIRCC_HIP_FUNCTIONS(AIRCC_HIP_FIND)
#undef AIRCC_HIP_FIND
#define AIRCC_HIP_FIND(NAME, PARAMETERS)                                       \
  find(NAME, "hip" #NAME, false);                                              \
  if (!NAME)                                                                   \
    lacksMemory += (lacksMemory.empty() ? "hip" : ", hip") + std::string(#NAME);
  AIRCC_HIP_MEMORY_FUNCTIONS(AIRCC_HIP_FIND)
#undef AIRCC_HIP_FIND
  find(GetErrorName, "hipGetErrorName", true);
  find(GetErrorString, "hipGetErrorString", true);
  find(GetDevicePropertiesR0600, "hipGetDevicePropertiesR0600", false);
  find(GetDeviceProperties, "hipGetDeviceProperties",
       !GetDevicePropertiesR0600);
  if (!missing.empty())
    return Status::failure("the HIP library " + path + " lacks " + missing);
  return Status::success();
}

Status Api::check(const char *function, Error error) const {
  if (error == success)
    return Status::success();
  const char *name = GetErrorName(error);
  const char *text = GetErrorString(error);
  std::string message = std::string(function) +
                        " failed: " + (name ? name : "unknown error") + " (" +
                        std::to_string(error) + ")";
  // Some versions have no more to say than the name.
  if (text && (!name || std::strcmp(name, text) != 0))
    message += std::string(": ") + text;
  return Status::failure(std::move(message));
}
