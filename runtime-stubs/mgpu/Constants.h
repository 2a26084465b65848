//===- Constants.h - Constants in files next to a program -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A program can have its large constants in a safetensors file, which is mapped
// when one of them is first used. Before anything reads a constant, it is
// checked against the hash that the program contains. It is copied once to each
// device that uses it. Mappings and copies are kept until the process exits,
// because several programs may use the same constant.
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

/// A constant whose bytes have been checked.
class Constant {
public:
  explicit Constant(std::string_view bytes) : bytes(bytes) {}
  Constant(const Constant &) = delete;

  /// Returns the bytes in host memory.
  std::string_view getBytes() const { return bytes; }

  /// Returns the copy on device `index`, the calling thread's current device.
  /// With `isShared`, the host can access the copy as well. The first request
  /// makes the copy and waits for it.
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
