//===- SPIRVModule.cpp - Reading SPIR-V modules ---------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/SPIRVModule.h"

#include "llvm/Support/Endian.h"

namespace aircc {

/// The figures of the SPIR-V specification ("Physical Layout of a SPIR-V Module
/// and Instruction", "OpDecorate", "Linkage Type").
static constexpr uint32_t kMagic = 0x07230203;
static constexpr size_t kHeaderWords = 5;
static constexpr uint32_t kOpDecorate = 71;
static constexpr uint32_t kLinkageAttributes = 41;
static constexpr uint32_t kImport = 1;

static uint32_t getWord(llvm::StringRef bytes, size_t index) {
  return llvm::support::endian::read32le(bytes.data() + index * 4);
}

bool isSPIRV(llvm::StringRef bytes) {
  return bytes.size() >= kHeaderWords * 4 && getWord(bytes, 0) == kMagic;
}

std::vector<std::string> getSPIRVImports(llvm::StringRef bytes) {
  std::vector<std::string> imports;
  if (!isSPIRV(bytes))
    return imports;
  size_t words = bytes.size() / 4;
  for (size_t at = kHeaderWords; at < words;) {
    uint32_t head = getWord(bytes, at), length = head >> 16;
    if (length == 0 || at + length > words)
      break;
    // OpDecorate target LinkageAttributes name linkage
    // Variables for built-in values are said to be imported as well.
    if ((head & 0xffff) == kOpDecorate && length >= 5 &&
        getWord(bytes, at + 2) == kLinkageAttributes &&
        getWord(bytes, at + length - 1) == kImport) {
      llvm::StringRef name = bytes.substr((at + 3) * 4, (length - 4) * 4);
      name = name.split('\0').first;
      if (!name.starts_with("__spirv_BuiltIn"))
        imports.push_back(name.str());
    }
    at += length;
  }
  return imports;
}

} // namespace aircc
