//===- HipApi.cpp - The subset of HIP that the runtime uses ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/hip/HipApi.h"
#include "runtime-stubs/support/LibrarySearch.h"

#include <cstdlib>
#include <cstring>
#include <vector>

using namespace aircc::rt;
using namespace aircc::rt::hip;

Status Api::load() {
  std::vector<std::string> candidates, folders = {""};
  if (const char *rocm = std::getenv("ROCM_PATH"); rocm && *rocm)
    folders.push_back(std::string(rocm) + "/lib/");
  folders.push_back("/opt/rocm/lib/");
  for (const std::string &folder : folders)
    for (const char *name : {"libamdhip64.so.7", "libamdhip64.so.6",
                             "libamdhip64.so.5", "libamdhip64.so"})
      candidates.push_back(folder + name);
  void *library = nullptr;
  std::string path;
  if (Status status = openSystemLibrary("the HIP library", "AIRCC_HIP_LIBRARY",
                                        candidates, library, path);
      !status.ok())
    return status;

  SymbolFinder required(library), memory(library), optional(library);
#define AIRCC_HIP_FIND(NAME, PARAMETERS) required.find(NAME, "hip" #NAME);
  AIRCC_HIP_FUNCTIONS(AIRCC_HIP_FIND)
#undef AIRCC_HIP_FIND
#define AIRCC_HIP_FIND(NAME, PARAMETERS) memory.find(NAME, "hip" #NAME);
  AIRCC_HIP_MEMORY_FUNCTIONS(AIRCC_HIP_FIND)
#undef AIRCC_HIP_FIND
  lacksMemory = memory.getMissing();
  required.find(GetErrorName, "hipGetErrorName");
  required.find(GetErrorString, "hipGetErrorString");
  optional.find(GetDevicePropertiesR0600, "hipGetDevicePropertiesR0600");
  (GetDevicePropertiesR0600 ? optional : required)
      .find(GetDeviceProperties, "hipGetDeviceProperties");
  if (!required.getMissing().empty())
    return Status::failure("the HIP library " + path + " lacks " +
                           required.getMissing());
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
  // In some versions, the text only repeats the name.
  if (text && (!name || std::strcmp(name, text) != 0))
    message += std::string(": ") + text;
  return Status::failure(std::move(message));
}
