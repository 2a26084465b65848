//===- Staging.h - Arguments of functions on the device ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled function works on memory that the device can access. Arguments and
// results in such memory are used in place; for others, a call allocates memory
// and copies.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_MGPU_STAGING_H
#define AIRCC_RUNTIME_MGPU_STAGING_H

#include "runtime-stubs/mgpu/Signature.h"

#include <vector>

namespace aircc::rt {

/// The descriptor of a parameter with other pointers.
std::vector<int64_t> makeDescriptor(const Parameter &parameter, void *memory);

/// The arguments of a function that works on host memory. Arguments in memory
/// that only the device can access are copied.
class HostArguments {
public:
  HostArguments(const Signature &signature, void *const *arguments);
  void *const *getPointers() const { return pointers.data(); }

private:
  std::vector<void *> pointers;
  std::vector<std::vector<char>> memory;
  std::vector<std::vector<int64_t>> descriptors;
};

/// The arguments of one call. Functions of the device that fail throw, like
/// those that compiled code calls.
class Staging {
public:
  /// `signature` has the descriptors of `arguments`.
  Staging(const Signature &signature, void *const *arguments)
      : signature(signature),
        pointers(arguments, arguments + signature.arguments.size() +
                                signature.results.size()) {}

  /// Determines in which memory arguments and results are, and copies the
  /// arguments that the function cannot use in place. Fails for memory of
  /// another device.
  Status begin();
  /// The arguments to pass to the function.
  void *const *getPointers() const { return pointers.data(); }
  /// After the function has finished: copies results to the memory of the
  /// caller, and frees the memory of the call.
  void finish();

  /// Copies results from the donated arguments in whose memory the function has
  /// left them, on `stream`. Returns false if they are all in the memory of the
  /// caller's results.
  bool copyFromDonors(void *stream);

  /// Fails if the function cannot use all arguments and results in place.
  Status checkInPlace();

  /// The number of bytes that this thread has copied.
  static int64_t getCopiedBytes();

private:
  /// Memory of the call that replaces memory of the caller.
  struct Copy {
    void *original, *memory;
    uint64_t bytes;
    bool isResult;
    /// The caller's, with the pointers replaced.
    std::vector<int64_t> descriptor;
  };

  /// Whether the function can use memory of the caller in place. Fails for
  /// memory of another device.
  Status decide(const Parameter &parameter, bool &isInPlace);
  Status stage(const Parameter &parameter, bool isResult, void *&pointer);

  const Signature &signature;
  std::vector<void *> pointers;
  std::vector<Copy> copies;
};

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_MGPU_STAGING_H
