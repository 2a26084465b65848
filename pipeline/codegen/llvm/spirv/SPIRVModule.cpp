//===- SPIRVModule.cpp - Reading SPIR-V modules ---------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVModule.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Endian.h"

#include <algorithm>

namespace aircc {

/// The figures of the SPIR-V specification ("Physical Layout of a SPIR-V Module
/// and Instruction", "OpDecorate", "Linkage Type", "Execution Mode").
static constexpr uint32_t kMagic = 0x07230203;
static constexpr size_t kHeaderWords = 5;
static constexpr uint32_t kOpExtension = 10;
static constexpr uint32_t kOpEntryPoint = 15;
static constexpr uint32_t kOpExecutionMode = 16;
static constexpr uint32_t kOpDecorate = 71;
static constexpr uint32_t kLocalSize = 17;
static constexpr uint32_t kLinkageAttributes = 41;
static constexpr uint32_t kImport = 1;

static uint32_t getWord(llvm::StringRef bytes, size_t index) {
  return llvm::support::endian::read32le(bytes.data() + index * 4);
}

bool isSPIRV(llvm::StringRef bytes) {
  return bytes.size() >= kHeaderWords * 4 && getWord(bytes, 0) == kMagic;
}

namespace {
/// An instruction, by its words.
struct Instruction {
  uint32_t opcode;
  size_t first;  ///< Its head.
  size_t length; ///< Words, the head among them.
};
} // namespace

/// Calls `visit` for each instruction, as far as the module is whole.
static void forEachInstruction(llvm::StringRef bytes,
                               llvm::function_ref<void(Instruction)> visit) {
  if (!isSPIRV(bytes))
    return;
  size_t words = bytes.size() / 4;
  for (size_t at = kHeaderWords; at < words;) {
    uint32_t head = getWord(bytes, at);
    size_t length = head >> 16;
    if (length == 0 || at + length > words)
      return;
    visit({head & 0xffff, at, length});
    at += length;
  }
}

std::vector<std::string> getSPIRVImports(llvm::StringRef bytes) {
  std::vector<std::string> imports;
  forEachInstruction(bytes, [&](Instruction op) {
    // OpDecorate target LinkageAttributes name linkage
    if (op.opcode != kOpDecorate || op.length < 5 ||
        getWord(bytes, op.first + 2) != kLinkageAttributes ||
        getWord(bytes, op.first + op.length - 1) != kImport)
      return;
    llvm::StringRef name =
        bytes.substr((op.first + 3) * 4, (op.length - 4) * 4);
    name = name.split('\0').first;
    // Variables for built-in values are said to be imported as well.
    if (!name.starts_with("__spirv_BuiltIn"))
      imports.push_back(name.str());
  });
  return imports;
}

std::optional<uint64_t> getLargestWorkgroup(llvm::StringRef bytes) {
  uint64_t largest = 0;
  size_t kernels = 0, sizes = 0;
  forEachInstruction(bytes, [&](Instruction op) {
    if (op.opcode == kOpEntryPoint)
      ++kernels;
    // OpExecutionMode kernel LocalSize x y z
    if (op.opcode != kOpExecutionMode || op.length != 6 ||
        getWord(bytes, op.first + 2) != kLocalSize)
      return;
    ++sizes;
    uint64_t lanes = 1;
    for (size_t i : {3, 4, 5})
      lanes *= getWord(bytes, op.first + i);
    largest = std::max(largest, lanes);
  });
  if (kernels == 0 || sizes != kernels)
    return std::nullopt;
  return largest;
}

void dropSPIRVExtension(llvm::SmallVectorImpl<char> &module,
                        llvm::StringRef extension) {
  const llvm::StringRef bytes(module.data(), module.size());
  std::vector<Instruction> found;
  forEachInstruction(bytes, [&](Instruction op) {
    if (op.opcode == kOpExtension &&
        bytes.substr((op.first + 1) * 4, (op.length - 1) * 4)
                .split('\0')
                .first == extension)
      found.push_back(op);
  });
  for (auto op = found.rbegin(); op != found.rend(); ++op)
    module.erase(module.begin() + op->first * 4,
                 module.begin() + (op->first + op->length) * 4);
}

} // namespace aircc
