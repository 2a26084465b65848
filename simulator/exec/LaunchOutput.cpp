//===- LaunchOutput.cpp - What the kernels of a launch print --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/LaunchOutput.h"

using namespace aircc::sim;

static void writeTo(FILE *stream, const std::string &text) {
  std::fwrite(text.data(), 1, text.size(), stream);
}

LaunchOutput::~LaunchOutput() {
  for (const auto &[group, texts] : waiting)
    write(texts);
  std::fflush(stdout);
}

void LaunchOutput::print(uint64_t group, FILE *stream, std::string text) {
  std::lock_guard<std::mutex> lock(mutex);
  if (group == first)
    writeTo(stream, text);
  else
    waiting[group].texts.emplace_back(stream, std::move(text));
}

void LaunchOutput::groupEnded(uint64_t group) {
  std::lock_guard<std::mutex> lock(mutex);
  if (group != first) {
    waiting[group].ended = true;
    return;
  }
  // From now on, the output of the next running workgroup is written
  // immediately.
  bool ended = true;
  while (ended) {
    ++first;
    auto next = waiting.find(first);
    if (next == waiting.end())
      return;
    write(next->second);
    ended = next->second.ended;
    waiting.erase(next);
  }
}

void LaunchOutput::write(const Waiting &waiting) {
  for (const auto &[stream, text] : waiting.texts)
    writeTo(stream, text);
}
