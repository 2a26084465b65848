//===- OpenDevice.cpp - Selects and loads a device ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/mgpu/OpenDevice.h"
#include "runtime-stubs/hip/HipDevice.h"
#include "runtime-stubs/level-zero/LevelZeroDevice.h"
#include "runtime-stubs/mgpu/Modules.h"

#include <cstdlib>
#include <dlfcn.h>
#include <string_view>
#include <unistd.h>
#include <vector>

using namespace aircc::rt;

static constexpr const char *simulatorLibrary = "libaircc_sim.so";

/// Returns the directory of `path`, or "." if it has none.
static std::string parentFolder(std::string_view path) {
  size_t slash = path.rfind('/');
  if (slash == std::string_view::npos)
    return ".";
  return std::string(path.substr(0, slash ? slash : 1));
}

/// Returns the directory of the shared library or executable that contains this
/// code.
static std::string ownFolder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&openSimulator), &info) ||
      !info.dli_fname)
    return {};
  return parentFolder(info.dli_fname);
}

static std::string executableFolder() {
  std::string path(4096, '\0');
  ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  if (length <= 0 || static_cast<size_t>(length) == path.size())
    return {};
  path.resize(length);
  return parentFolder(path);
}

/// Returns the paths to search for the plug-in. The dynamic linker resolves a
/// name without a slash.
static std::vector<std::string> simulatorCandidates() {
  std::vector<std::string> candidates;
  auto add = [&](const std::string &folder) {
    if (folder.empty())
      return;
    std::string path = folder + '/' + simulatorLibrary;
    for (const std::string &known : candidates)
      if (known == path)
        return;
    candidates.push_back(path);
  };
  if (const char *folders = std::getenv("AIRCC_RUNTIME_PATH")) {
    std::string_view rest = folders;
    while (!rest.empty()) {
      size_t colon = rest.find(':');
      add(std::string(rest.substr(0, colon)));
      rest = colon == std::string_view::npos ? "" : rest.substr(colon + 1);
    }
  }
  add(ownFolder());
  candidates.push_back(simulatorLibrary);
  add(executableFolder());
  return candidates;
}

Status aircc::rt::openSimulator(Device *&device) {
  std::string looked;
  for (const std::string &path : simulatorCandidates()) {
    bool byName = path.find('/') == std::string::npos;
    looked += looked.empty() ? "" : ", ";
    looked += byName ? "the dynamic linker's search path" : path;
    if (!byName && access(path.c_str(), F_OK) != 0)
      continue;
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      const char *reason = dlerror();
      // Only the search by name may silently find nothing. A file that exists
      // but cannot be loaded must be reported.
      if (byName && reason &&
          std::string_view(reason).find("cannot open shared object file") !=
              std::string_view::npos &&
          std::string_view(reason).rfind(simulatorLibrary, 0) == 0)
        continue;
      return Status::failure("cannot load the simulated device: " +
                             std::string(reason ? reason : path.c_str()));
    }
    auto version =
        reinterpret_cast<int (*)()>(dlsym(library, AIRCC_DEVICE_PLUGIN_ABI));
    auto create = reinterpret_cast<CreateDeviceFn>(
        dlsym(library, AIRCC_DEVICE_PLUGIN_ENTRY));
    if (!create || !version)
      return Status::failure(path + " is not a device plug-in: it has no " +
                             AIRCC_DEVICE_PLUGIN_ENTRY);
    if (version() != deviceAbiVersion)
      return Status::failure(
          path +
          " belongs to a different version of aircc than this program: it has "
          "version " +
          std::to_string(version()) + " of the device interface, not " +
          std::to_string(deviceAbiVersion) + "; compile the program again");
    const char *error = nullptr;
    device = create(&error);
    if (!device)
      return Status::failure("the simulated device does not start: " +
                             std::string(error ? error : "no reason given"));
    return Status::success();
  }
  return Status::failure(std::string("cannot find ") + simulatorLibrary +
                         ", the simulated device; looked for " + looked +
                         "; AIRCC_RUNTIME_PATH can name its folder");
}

Status aircc::rt::openDevice(Device *&device) {
  struct Kind {
    const char *name;
    Status (*open)(Device *&);
    const char *architecture; // The architecture of its code, or null for any.
  };
  static constexpr Kind kinds[] = {
      {"hip", openHipDevice, "amdgcn"},
      {"level-zero", openLevelZeroDevice, "spirv64"},
      {"sim", openSimulator, nullptr}};

  const char *asked = std::getenv("AIRCC_DEVICE");
  if (asked && *asked) {
    for (const Kind &kind : kinds) {
      if (kind.name != std::string_view(asked))
        continue;
      Status status = kind.open(device);
      if (status.ok())
        return status;
      return Status::failure(status.message() + " (AIRCC_DEVICE=" + asked +
                             ")");
    }
    return Status::failure(
        "AIRCC_DEVICE=" + std::string(asked) +
        " names no device; it can be hip, level-zero or sim");
  }

  std::string reasons;
  for (const Kind &kind : kinds) {
    // A GPU that cannot run the program must not prevent the use of other
    // devices.
    Status status =
        kind.architecture && !mayHaveCodeFor(kind.architecture)
            ? Status::failure("the program has no code for such devices")
            : kind.open(device);
    if (status.ok())
      return status;
    reasons += std::string("\n  ") + kind.name + ": " + status.message();
  }
  return Status::failure("there is no device to run on:" + reasons);
}
