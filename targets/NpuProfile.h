//===- NpuProfile.h - Profiles of NPUs --------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A profile of an NPU describes the DMA engines that transfer data between host
// memory and the array (shim DMAs). It is a JSON file with its own schema,
// targets/npu/npu.schema.json. `aircc --target` does not accept it, because
// aircc generates no code for NPUs.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TARGETS_NPUPROFILE_H
#define AIRCC_TARGETS_NPUPROFILE_H

#include "targets/ProfileLoader.h"

#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// The capabilities of a shim DMA.
struct NpuDma {
  /// The number of dimensions of a descriptor.
  unsigned dims = 0;
  /// The maximum size of a dimension, or 0 for no limit.
  int64_t maxSize = 0;
  /// The maximum stride in 32-bit words, or 0 for no limit.
  int64_t maxStrideWords = 0;
  /// Contiguous elements are transferred in units of this many bits.
  unsigned granuleBits = 32;
  /// The dimension that can have stride 0, which repeats the others, or nullopt
  /// if there is none.
  std::optional<unsigned> repeatDim;
  /// The number of descriptors of a shim tile.
  unsigned descriptors = 0;
  /// The number of channels of a shim tile in each direction.
  unsigned channels = 0;
  /// The number of transfers that a channel can have in flight.
  unsigned queueDepth = 0;
};

struct NpuProfile {
  std::string name;
  std::string description;
  /// The number of shim tiles with DMAs, which is one per column in most NPUs.
  unsigned shimTiles = 0;
  /// Whether the program that controls the DMAs can contain loops. Otherwise,
  /// it is a list of transfers.
  bool controlLoops = false;
  NpuDma dma;
};

/// Reads the profile `nameOrFile`, which is a file if it ends in ".json" or
/// contains a slash, otherwise npu/NAME.json in one of `folders`. Returns
/// nullopt after appending at least one error.
std::optional<NpuProfile>
loadNpuProfile(const std::vector<std::string> &folders,
               llvm::StringRef nameOrFile, std::vector<ProfileError> &errors);

} // namespace aircc

#endif // AIRCC_TARGETS_NPUPROFILE_H
