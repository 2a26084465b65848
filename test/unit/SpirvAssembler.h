//===- SpirvAssembler.h - SPIR-V modules for tests --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_SPIRVASSEMBLER_H
#define AIRCC_TEST_UNIT_SPIRVASSEMBLER_H

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace aircc::test {

/// Builds a SPIR-V module word by word.
class Assembler {
public:
  explicit Assembler(uint32_t addressing = 2)
      : words{0x07230203, 0x00010400, 0, 1000, 0} {
    op(14, {addressing, 2});
  }
  Assembler &op(uint32_t opcode, std::vector<uint32_t> operands) {
    words.push_back(uint32_t(operands.size() + 1) << 16 | opcode);
    words.insert(words.end(), operands.begin(), operands.end());
    return *this;
  }
  Assembler &entryPoint(uint32_t function, const std::string &name,
                        uint32_t model = 6) {
    std::vector<uint32_t> operands = {model, function};
    addText(operands, name);
    return op(15, operands);
  }
  /// Sets the linkage name of `target`; `type` is 1 for an import.
  Assembler &linkage(uint32_t target, const std::string &name, uint32_t type) {
    std::vector<uint32_t> operands = {target, 41};
    addText(operands, name);
    operands.push_back(type);
    return op(71, operands);
  }
  /// An empty function whose parameters have ids from `firstParameter` on.
  Assembler &function(uint32_t id, uint32_t type,
                      const std::vector<uint32_t> &parameterTypes,
                      uint32_t firstParameter) {
    op(54, {1, id, 0, type});
    for (uint32_t parameter : parameterTypes)
      op(55, {parameter, firstParameter++});
    return op(56, {});
  }
  std::string bytes() const {
    return std::string(reinterpret_cast<const char *>(words.data()),
                       words.size() * 4);
  }

  std::vector<uint32_t> words;

private:
  static void addText(std::vector<uint32_t> &operands,
                      const std::string &text) {
    std::vector<uint32_t> padded(text.size() / 4 + 1);
    std::memcpy(padded.data(), text.data(), text.size());
    operands.insert(operands.end(), padded.begin(), padded.end());
  }
};

} // namespace aircc::test

#endif // AIRCC_TEST_UNIT_SPIRVASSEMBLER_H
