//===- SPIRVModule.cpp - Reading SPIR-V modules ---------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/SPIRVModule.h"
#include "runtime-stubs/support/SpirvWords.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <utility>

namespace aircc {

using rt::spirv::SpirvWords;
using rt::spirv::WordsOfInstruction;

/// Constants from the SPIR-V specification ("OpDecorate", "Linkage Type",
/// "Execution Mode").
static constexpr uint32_t kOpExtension = 10;
static constexpr uint32_t kOpEntryPoint = 15;
static constexpr uint32_t kOpExecutionMode = 16;
static constexpr uint32_t kOpDecorate = 71;
static constexpr uint32_t kLocalSize = 17;
static constexpr uint32_t kLinkageAttributes = 41;
static constexpr uint32_t kImport = 1;

bool isSPIRV(llvm::StringRef bytes) {
  const SpirvWords words(bytes.take_front(rt::spirv::headerWords * 4));
  return words.hasMagic() && words.hasHeader();
}

/// Calls `visit` for each instruction, up to the first incomplete one.
static void
forEachInstruction(llvm::StringRef bytes,
                   llvm::function_ref<void(const WordsOfInstruction &)> visit) {
  if (!isSPIRV(bytes))
    return;
  SpirvWords words(bytes);
  for (WordsOfInstruction i; words.next(i);)
    visit(i);
}

/// Returns the text of a literal that starts at this operand.
static std::string getLiteral(const WordsOfInstruction &op, size_t operand) {
  return rt::spirv::readLiteral(op.operands + operand,
                                op.operandCount - operand)
      .text;
}

std::vector<std::string> getSPIRVImports(llvm::StringRef bytes) {
  std::vector<std::string> imports;
  forEachInstruction(bytes, [&](const WordsOfInstruction &op) {
    // OpDecorate target LinkageAttributes name linkage
    if (op.op != kOpDecorate || op.operandCount < 4 ||
        op.operands[1] != kLinkageAttributes ||
        op.operands[op.operandCount - 1] != kImport)
      return;
    std::string name = getLiteral(op, 2);
    // Variables for built-in values are also marked as imported.
    if (!llvm::StringRef(name).starts_with("__spirv_BuiltIn"))
      imports.push_back(std::move(name));
  });
  return imports;
}

std::optional<uint64_t> getLargestWorkgroup(llvm::StringRef bytes) {
  uint64_t largest = 0;
  size_t kernels = 0, sizes = 0;
  forEachInstruction(bytes, [&](const WordsOfInstruction &op) {
    if (op.op == kOpEntryPoint)
      ++kernels;
    // OpExecutionMode kernel LocalSize x y z
    if (op.op != kOpExecutionMode || op.operandCount != 5 ||
        op.operands[1] != kLocalSize)
      return;
    ++sizes;
    uint64_t lanes = 1;
    for (size_t i : {2, 3, 4})
      lanes *= op.operands[i];
    largest = std::max(largest, lanes);
  });
  if (kernels == 0 || sizes != kernels)
    return std::nullopt;
  return largest;
}

void dropSPIRVExtension(llvm::SmallVectorImpl<char> &module,
                        llvm::StringRef extension) {
  const llvm::StringRef bytes(module.data(), module.size());
  std::vector<std::pair<size_t, size_t>> found; // Positions and lengths, in
                                                // words.
  forEachInstruction(bytes, [&](const WordsOfInstruction &op) {
    if (op.op == kOpExtension && getLiteral(op, 0) == extension)
      found.push_back({op.at, op.length()});
  });
  for (auto [at, length] : llvm::reverse(found))
    module.erase(module.begin() + at * 4, module.begin() + (at + length) * 4);
}

} // namespace aircc
