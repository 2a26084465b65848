//===- Exhaustion.h - When the system is out of something -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Running out of memory, threads, file descriptors or disk space is no mistake
// in the program, so it must not be reported at one of its ops.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_EXHAUSTION_H
#define AIRCC_PIPELINE_COMMON_EXHAUSTION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <system_error>

namespace aircc {

/// Whether an error of the system says that it is out of something.
bool isExhaustion(std::error_code error);

/// The same for a message that has the text of such an error in it, from code
/// or a program that reports nothing else.
bool isExhaustionMessage(llvm::StringRef message);

/// Ends the process if `error` is exhaustion, by way of the handler that LLVM
/// calls when an allocation fails. The driver's says what ran out.
void checkExhaustion(std::error_code error);
void checkExhaustionMessage(llvm::StringRef message);

/// Exhaustion that a program which aircc calls has reported.
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
