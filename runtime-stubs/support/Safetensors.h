//===- Safetensors.h - Files of named tensors -------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A safetensors file consists of the length of the header (64 bits,
// little-endian), the header, and the bytes of the tensors, each in row-major
// order, without gaps. The header is a JSON object
//
//     {"NAME": {"dtype": "F32", "shape": [4, 8], "data_offsets": [0, 128]}, …}
//
// whose offsets count from the end of the header. `__metadata__` is not a
// tensor. The compiler and the runtime read and write such files.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_SUPPORT_SAFETENSORS_H
#define AIRCC_RUNTIME_SUPPORT_SAFETENSORS_H

#include "runtime-stubs/Device.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aircc::rt {

struct SafetensorsEntry {
  std::string name;
  std::string type; ///< Such as "F32" or "BOOL".
  std::vector<uint64_t> shape;
  std::string_view bytes;
};

/// Finds the tensors in the contents of a file. The entries point into
/// `contents`. Fails if the file is not a complete safetensors file.
Status readSafetensors(std::string_view contents,
                       std::vector<SafetensorsEntry> &entries);

/// Sorts the entries as in a file, so that the bytes of each are aligned, and
/// returns what precedes their bytes in the file.
std::string makeSafetensorsHeader(std::vector<SafetensorsEntry> &entries);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_SUPPORT_SAFETENSORS_H
