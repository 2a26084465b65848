//===- OpDocumentation.cpp - The documentation of ops ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/lsp/OpDocumentation.h"

#include "llvm/ADT/STLExtras.h"

using namespace aircc;
using namespace llvm;

/// The beginning of a section: "\n### `air.herd` (air::HerdOp)".
static constexpr StringLiteral kHeading = "\n### `";

OpDocumentation::OpDocumentation(StringRef file) {
  auto buffer = MemoryBuffer::getFile(file);
  if (!buffer)
    return;
  text = std::move(*buffer);
  StringRef rest = text->getBuffer();
  size_t start = rest.find(kHeading);
  while (start != StringRef::npos) {
    rest = rest.drop_front(start + 1);
    start = rest.find(kHeading);
    StringRef name = rest.drop_front(kHeading.size() - 1).split('`').first;
    sections[name] = rest.take_front(start).rtrim();
  }
}

std::vector<std::string> OpDocumentation::getNames() const {
  std::vector<std::string> names;
  for (StringRef name : sections.keys())
    names.push_back(name.str());
  llvm::sort(names);
  return names;
}
