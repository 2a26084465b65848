//===- SpirvWords.h - The words of a SPIR-V module --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A SPIR-V module has a header of five words, followed by instructions. The
// first word of an instruction contains its number of words and its opcode. See
// "Physical Layout of a SPIR-V Module and Instruction" and "Literal" in the
// SPIR-V specification. The compiler, the runtime and the simulator use this
// header to read modules. Files may be damaged, and each user reports errors in
// its own way.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_SUPPORT_SPIRVWORDS_H
#define AIRCC_RUNTIME_SUPPORT_SPIRVWORDS_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace aircc::rt::spirv {

constexpr uint32_t magic = 0x07230203, swappedMagic = 0x03022307;
constexpr size_t headerWords = 5;

/// An instruction. `operands` are the words after the first one.
struct WordsOfInstruction {
  uint32_t op = 0;
  size_t at = 0; ///< The word offset in the module.
  const uint32_t *operands = nullptr;
  size_t operandCount = 0;

  size_t length() const { return operandCount + 1; }
};

/// The words of a module and the current instruction.
class SpirvWords {
public:
  /// Copies the module, which may be unaligned. An incomplete last word is
  /// dropped.
  explicit SpirvWords(std::string_view bytes) : words(bytes.size() / 4) {
    if (!words.empty())
      std::memcpy(words.data(), bytes.data(), words.size() * 4);
  }

  /// Returns whether the module begins with the magic number, in either byte
  /// order.
  bool hasMagic() const { return !words.empty() && words[0] == magic; }
  bool hasSwappedMagic() const {
    return !words.empty() && words[0] == swappedMagic;
  }
  bool hasHeader() const { return words.size() >= headerWords; }
  void swapBytes() {
    for (uint32_t &word : words)
      word = __builtin_bswap32(word);
  }
  uint32_t major() const { return words[1] >> 16; }
  uint32_t minor() const { return words[1] >> 8 & 0xff; }
  /// All ids are smaller than the bound.
  uint32_t bound() const { return words[3]; }
  size_t size() const { return words.size(); }

  /// Advances to the next instruction. Returns false at the end of the module
  /// and at a malformed instruction.
  bool next(WordsOfInstruction &instruction) {
    const size_t length = nextLength();
    if (atEnd() || length == 0 || length > words.size() - position)
      return false;
    instruction = {words[position] & 0xffff, position,
                   words.data() + position + 1, length - 1};
    position += length;
    return true;
  }
  bool atEnd() const { return position >= words.size(); }
  /// Return the position, the opcode and the claimed length of the instruction
  /// at which next() failed.
  size_t nextPlace() const { return position; }
  uint32_t nextOp() const { return atEnd() ? 0 : words[position] & 0xffff; }
  size_t nextLength() const { return atEnd() ? 0 : words[position] >> 16; }

private:
  std::vector<uint32_t> words;
  size_t position = headerWords;
};

/// A literal string in UTF-8, with four bytes per word and a terminating zero.
struct Literal {
  std::string text;
  size_t words = 0; ///< The number of words in use, or all words if the zero
                    ///< byte is missing.
  bool isEnded = false;
};
inline Literal readLiteral(const uint32_t *words, size_t count) {
  Literal literal;
  while (literal.words < count && !literal.isEnded) {
    const uint32_t word = words[literal.words++];
    for (unsigned byte = 0; byte < 4 && !literal.isEnded; ++byte) {
      const char c = static_cast<char>(word >> (8 * byte));
      if (c)
        literal.text += c;
      else
        literal.isEnded = true;
    }
  }
  return literal;
}

} // namespace aircc::rt::spirv

#endif // AIRCC_RUNTIME_SUPPORT_SPIRVWORDS_H
