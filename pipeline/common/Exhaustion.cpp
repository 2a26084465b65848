//===- Exhaustion.cpp - Errors about exhausted system resources -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/Exhaustion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <cerrno>

using namespace aircc;
using namespace llvm;

char ExhaustionError::ID = 0;

static constexpr int kNumbers[] = {ENOMEM, EMFILE, ENFILE,
                                   ENOSPC, EDQUOT, EAGAIN};

bool aircc::isExhaustion(std::error_code error) {
  return any_of(kNumbers, [&](int number) {
    return error == std::error_condition(number, std::generic_category());
  });
}

bool aircc::isExhaustionMessage(StringRef message) {
  return any_of(kNumbers,
                [&](int number) {
                  return message.contains(
                      std::generic_category().message(number));
                }) ||
         message.contains_insensitive("out of memory") ||
         message.contains("memory exhausted"); // GNU's linker and compilers
}

void aircc::checkExhaustion(std::error_code error) {
  if (isExhaustion(error))
    report_bad_alloc_error(error.message().c_str());
}

void aircc::checkExhaustionMessage(StringRef message) {
  if (isExhaustionMessage(message))
    report_bad_alloc_error(message.str().c_str());
}
