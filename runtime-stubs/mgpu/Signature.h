//===- Signature.h - Types of arguments and results -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The decoded description of an entry point (AirccEntry).
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_SIGNATURE_H
#define AIRCC_RUNTIME_MGPU_SIGNATURE_H

#include "runtime-stubs/Device.h"

#include "runtime-stubs/include/aircc/runtime.h"

#include <string>
#include <vector>

namespace aircc::rt {

/// The descriptor of a ranked memref, followed by `rank` sizes and `rank`
/// strides.
struct Descriptor {
  char *allocated;
  char *aligned;
  int64_t offset;

  const int64_t *sizes() const {
    return reinterpret_cast<const int64_t *>(this + 1);
  }
  const int64_t *strides(int64_t rank) const { return sizes() + rank; }
  char *data(int64_t elementBytes) const {
    return aligned + offset * elementBytes;
  }
};

/// An argument or a result as described by the compiler.
struct Parameter {
  std::string name; ///< "argument 0"
  const char *elementType;
  int64_t elementBytes;
  int64_t rank; ///< -1 for a number.
  const int64_t *sizes;
  bool isUsed;       ///< Whether the function uses the elements.
  bool isUsedByHost; ///< Whether host code uses them.
  bool isDonated;    ///< Whether the function may overwrite them.
  /// For a result, the argument in whose memory the function leaves it, or -1.
  int64_t donor = -1;
  const Descriptor *descriptor = nullptr;

  bool isNumber() const { return rank < 0; }

  uint64_t countElements() const {
    uint64_t count = 1;
    for (int64_t dim = 0; dim < rank; ++dim)
      count *= static_cast<uint64_t>(descriptor->sizes()[dim]);
    return count;
  }
  uint64_t countBytes() const {
    return countElements() * static_cast<uint64_t>(elementBytes);
  }
};

struct SizeCheck {
  enum Relation : int64_t { Equal, AtLeast, Broadcast };
  int64_t relation;
  int64_t leftArgument, leftDim, rightArgument, rightDim;
  const char *requiredBy;

  bool holds(int64_t left, int64_t right) const {
    switch (relation) {
    case Equal:
      return left == right;
    case AtLeast:
      return left >= right;
    default:
      return left == right || left == 1 || right == 1;
    }
  }
};

/// The decoded description of an entry point.
struct Signature {
  const char *entry;
  bool checked, sizesNeedElements, computesOnHost;
  std::vector<Parameter> arguments, results;
  std::vector<SizeCheck> checks;

  explicit Signature(const AirccEntry &entry);

  /// Takes the descriptors of the arguments and of the results after them.
  void takeDescriptors(void *const *pointers, bool hasResults = true);

  Status failure(const std::string &message) const {
    return Status::failure(std::string(entry) + ": " + message);
  }
  /// Returns the number of dynamic sizes of all results.
  int64_t countResultSizes() const;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_SIGNATURE_H
