//===- Staging.h - Arguments of functions on the device ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A compiled function operates on memory that the device can access. Arguments
// and results in such memory are used in place; for others, a call allocates
// memory and copies.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_STAGING_H
#define AIRCC_RUNTIME_MGPU_STAGING_H

#include "runtime-stubs/mgpu/Signature.h"

#include <vector>

namespace aircc::rt {

/// Returns the descriptor of a parameter with other pointers.
std::vector<int64_t> makeDescriptor(const Parameter &parameter, void *memory);

/// The arguments of a function that operates on host memory. Arguments in
/// memory that only the device can access are copied.
class HostArguments {
public:
  HostArguments(const Signature &signature, void *const *arguments);
  void *const *getPointers() const { return pointers.data(); }

private:
  std::vector<void *> pointers;
  std::vector<std::vector<char>> memory;
  std::vector<std::vector<int64_t>> descriptors;
};

/// The arguments of one call. Device functions that fail throw, as do those
/// that compiled code calls.
class Staging {
public:
  /// `signature.takeDescriptors(arguments)` must have been called.
  Staging(const Signature &signature, void *const *arguments)
      : signature(signature),
        pointers(arguments, arguments + signature.arguments.size() +
                                signature.results.size()) {}

  /// Determines where arguments and results are, and copies the arguments that
  /// the function cannot use in place. Fails for memory of another device.
  Status begin();
  /// Returns the arguments to pass to the function.
  void *const *getPointers() const { return pointers.data(); }
  /// Copies results to the caller's memory and frees the memory of the call.
  /// Must be called after the function has finished.
  void finish();

  /// Copies results on `stream` from the donated arguments in whose memory the
  /// function has left them. Returns false if they are all in the memory of the
  /// caller's results.
  bool copyFromDonors(void *stream);

  /// Fails if the function cannot use all arguments and results in place.
  Status checkInPlace();

  /// Returns the number of bytes that this thread has copied.
  static int64_t getCopiedBytes();

private:
  /// Memory of the call that replaces the caller's memory.
  struct Copy {
    void *original, *memory;
    uint64_t bytes;
    bool isResult;
    /// The caller's descriptor with the pointers replaced.
    std::vector<int64_t> descriptor;
  };

  /// Determines whether the function can use the caller's memory in place.
  /// Fails for memory of another device.
  Status decide(const Parameter &parameter, bool &isInPlace);
  Status stage(const Parameter &parameter, bool isResult, void *&pointer);

  const Signature &signature;
  std::vector<void *> pointers;
  std::vector<Copy> copies;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_STAGING_H
