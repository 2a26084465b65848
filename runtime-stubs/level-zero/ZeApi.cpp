//===- ZeApi.cpp - The subset of Level Zero in use ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/level-zero/ZeApi.h"
#include "runtime-stubs/support/LibrarySearch.h"

#include <cstdio>

using namespace aircc::rt;
using namespace aircc::rt::ze;

Status Api::load() {
  void *library = nullptr;
  std::string path;
  if (Status status = openSystemLibrary(
          "the Level Zero loader", "AIRCC_LEVEL_ZERO_LIBRARY",
          {"libze_loader.so.1", "libze_loader.so"}, library, path);
      !status.ok())
    return status;

  SymbolFinder required(library), optional(library);
#define AIRCC_ZE_FIND(NAME, PARAMETERS) required.find(NAME, "ze" #NAME);
  AIRCC_ZE_FUNCTIONS(AIRCC_ZE_FIND)
#undef AIRCC_ZE_FIND
#define AIRCC_ZE_FIND(NAME, PARAMETERS) optional.find(NAME, "ze" #NAME);
  AIRCC_ZE_OPTIONAL_FUNCTIONS(AIRCC_ZE_FIND)
#undef AIRCC_ZE_FIND
  if (!InitDrivers && (!Init || !DriverGet))
    required.find(InitDrivers, "zeInitDrivers");
  if (!required.getMissing().empty())
    return Status::failure("the Level Zero loader " + path + " lacks " +
                           required.getMissing() +
                           "; a newer one, of version 1.6 or later, has them");
  return Status::success();
}

/// Returns the name of a result, with the specification's explanation if that
/// adds information.
static const char *nameOf(Result result) {
  switch (result) {
  case 1:
    return "ZE_RESULT_NOT_READY";
  case 0x70000001:
    return "ZE_RESULT_ERROR_DEVICE_LOST: the device hung, was reset or removed";
  case 0x70000002:
    return "ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY";
  case 0x70000003:
    return "ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY";
  case 0x70000004:
    return "ZE_RESULT_ERROR_MODULE_BUILD_FAILURE";
  case 0x70000005:
    return "ZE_RESULT_ERROR_MODULE_LINK_FAILURE";
  case 0x70000006:
    return "ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET";
  case 0x70000007:
    return "ZE_RESULT_ERROR_DEVICE_IN_LOW_POWER_STATE";
  case 0x70010000:
    return "ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS";
  case 0x70010001:
    return "ZE_RESULT_ERROR_NOT_AVAILABLE";
  case 0x70020000:
    return "ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE: the driver lacks a library "
           "that it needs";
  case 0x78000001:
    return "ZE_RESULT_ERROR_UNINITIALIZED: there is no driver";
  case 0x78000002:
    return "ZE_RESULT_ERROR_UNSUPPORTED_VERSION";
  case 0x78000003:
    return "ZE_RESULT_ERROR_UNSUPPORTED_FEATURE";
  case 0x78000004:
    return "ZE_RESULT_ERROR_INVALID_ARGUMENT";
  case 0x78000005:
    return "ZE_RESULT_ERROR_INVALID_NULL_HANDLE";
  case 0x78000006:
    return "ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE";
  case 0x78000007:
    return "ZE_RESULT_ERROR_INVALID_NULL_POINTER";
  case 0x78000008:
    return "ZE_RESULT_ERROR_INVALID_SIZE";
  case 0x78000009:
    return "ZE_RESULT_ERROR_UNSUPPORTED_SIZE: the device has no place for it";
  case 0x7800000a:
    return "ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT";
  case 0x7800000b:
    return "ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT";
  case 0x7800000c:
    return "ZE_RESULT_ERROR_INVALID_ENUMERATION";
  case 0x7800000d:
    return "ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION";
  case 0x7800000e:
    return "ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT";
  case 0x7800000f:
    return "ZE_RESULT_ERROR_INVALID_NATIVE_BINARY: the code is for another "
           "device";
  case 0x78000010:
    return "ZE_RESULT_ERROR_INVALID_GLOBAL_NAME";
  case 0x78000011:
    return "ZE_RESULT_ERROR_INVALID_KERNEL_NAME: the module has no such kernel";
  case 0x78000012:
    return "ZE_RESULT_ERROR_INVALID_FUNCTION_NAME";
  case 0x78000013:
    return "ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION";
  case 0x78000014:
    return "ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION";
  case 0x78000015:
    return "ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX";
  case 0x78000016:
    return "ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE";
  case 0x78000017:
    return "ZE_RESULT_ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE";
  case 0x78000018:
    return "ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED";
  case 0x78000019:
    return "ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE";
  case 0x7800001a:
    return "ZE_RESULT_ERROR_OVERLAPPING_REGIONS: source and destination of the "
           "copy overlap";
  case 0x7ffffffe:
    return "ZE_RESULT_ERROR_UNKNOWN";
  default:
    return "unknown error";
  }
}

Status Api::failure(const char *function, const std::string &arguments,
                    Result result) const {
  char number[sizeof("0x00000000")];
  std::snprintf(number, sizeof(number), "0x%x", result);
  // NAME (NUMBER): TEXT
  std::string text = nameOf(result);
  size_t end = text.find(':');
  text.insert(end == std::string::npos ? text.size() : end,
              std::string(" (") + number + ")");
  return Status::failure(std::string(function) + "(" + arguments +
                         ") failed: " + text);
}
