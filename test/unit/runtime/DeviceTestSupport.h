//===- DeviceTestSupport.h - For tests on libraries that check --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_DEVICETESTSUPPORT_H
#define AIRCC_TEST_UNIT_DEVICETESTSUPPORT_H

#include "runtime-stubs/include/aircc/mgpu.h"

#include <cstdint>
#include <dlfcn.h>
#include <string>
#include <utility>
#include <vector>

namespace aircc::test {

/// An offload bundle with these entries, by their ids.
inline std::string
bundle(const std::vector<std::pair<std::string, std::string>> &code) {
  auto u64 = [](uint64_t value) {
    return std::string(reinterpret_cast<const char *>(&value), 8);
  };
  size_t offset = 24 + 8;
  for (auto &[id, object] : code)
    offset += 24 + id.size();
  std::string table = "__CLANG_OFFLOAD_BUNDLE__" + u64(code.size()), objects;
  for (auto &[id, object] : code) {
    table +=
        u64(offset + objects.size()) + u64(object.size()) + u64(id.size()) + id;
    objects += object;
  }
  return table + objects;
}

inline void *load(const std::string &image) {
  return mgpuModuleLoad(const_cast<char *>(image.c_str()), image.size());
}

/// Returns what the library at `path`, which is loaded already, has logged
/// since the last call.
inline std::string takeLogOf(const std::string &path, const char *function) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (!library)
    return "the library is not loaded";
  auto take = reinterpret_cast<const char *(*)()>(dlsym(library, function));
  std::string log = take();
  dlclose(library);
  return log;
}

/// The descriptor of a ranked memref, as MLIR lowers it.
template <int rank> struct MemRef {
  void *allocated, *aligned;
  int64_t offset, sizes[rank], strides[rank];
};

} // namespace aircc::test

#endif // AIRCC_TEST_UNIT_DEVICETESTSUPPORT_H
