//===- Exhaustion.h - Errors about exhausted system resources ---*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Running out of memory, threads, file descriptors or disk space is not an
// error in the program, so it must not be reported at one of its ops.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_EXHAUSTION_H
#define AIRCC_PIPELINE_COMMON_EXHAUSTION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <system_error>

namespace aircc {

/// Returns whether an error code means that a system resource is exhausted.
bool isExhaustion(std::error_code error);

/// Like isExhaustion, for messages of code or programs that report only text.
bool isExhaustionMessage(llvm::StringRef message);

/// Ends the process by calling LLVM's bad-alloc handler if `error` indicates
/// exhaustion. The driver installs a handler that names the exhausted resource.
void checkExhaustion(std::error_code error);
void checkExhaustionMessage(llvm::StringRef message);

/// An error for resource exhaustion that a subprocess reported.
class ExhaustionError : public llvm::ErrorInfo<ExhaustionError> {
public:
  static char ID;
  explicit ExhaustionError(std::string text) : text(std::move(text)) {}

  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return std::make_error_code(std::errc::not_enough_memory);
  }

private:
  std::string text;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_EXHAUSTION_H
