//===- Universe.cpp - The pool of devices of an air.rank ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/include/aircc/mgpu.h"
#include "runtime-stubs/mgpu/Failure.h"

#include <cstring>

using namespace aircc::rt;

void mgpuRequireUniverse(int64_t capacity, int64_t ranks, const char *what) {
  if (ranks <= capacity)
    return;
  fail(__func__,
       formatArguments(arg("capacity", capacity), arg("ranks", ranks),
                       arg("what", what)),
       std::string(what) + " has " + std::to_string(ranks) +
           " ranks in a universe of " + std::to_string(capacity) + " devices");
}

void mgpuRequireRankCount(int64_t ranks, const char *supported,
                          const char *what) {
  int64_t known = std::strlen(supported);
  if (ranks >= 0 && ranks < known && supported[ranks] == '1')
    return;
  std::string counts;
  for (int64_t i = 0; i < known; ++i)
    if (supported[i] == '1')
      counts += (counts.empty() ? "" : ", ") + std::to_string(i);
  fail(__func__, formatArguments(arg("ranks", ranks), arg("what", what)),
       std::string("the channels of ") + what + " do not work with " +
           std::to_string(ranks) + " ranks, only with " + counts);
}
