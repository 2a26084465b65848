//===- Constants.h - Constants in files next to a program -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may have its large constants in a safetensors file, which is mapped
// when one of them is first used. A constant is compared with the hash that the
// program contains before anything reads it, and copied to each device that
// uses it once. Mappings and copies are kept until the process ends, because
// several programs may use the same constant.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_CONSTANTS_H
#define AIRCC_RUNTIME_MGPU_CONSTANTS_H

#include "runtime-stubs/Device.h"
#include "runtime-stubs/include/aircc/mgpu.h"

#include <map>
#include <mutex>
#include <string_view>
#include <utility>

namespace aircc::rt {

/// A constant whose bytes are the right ones.
class Constant {
public:
  explicit Constant(std::string_view bytes) : bytes(bytes) {}
  Constant(const Constant &) = delete;

  /// In memory of the host.
  std::string_view getBytes() const { return bytes; }

  /// Returns the copy on device `index`, the calling thread's current device;
  /// with `isShared`, one that the host can access as well. The first request
  /// makes it, and waits for that.
  Status place(Device &device, int index, bool isShared, void *&ptr);

private:
  std::string_view bytes;
  std::mutex mutex; // Guards the map.
  std::map<std::pair<int, bool>, void *> copies;
};

/// Finds a constant of a program in its file.
Status findConstant(const MgpuConstant &described, Constant *&constant);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_CONSTANTS_H
