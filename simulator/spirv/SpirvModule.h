//===- SpirvModule.h - Parsed SPIR-V module ---------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The instructions of a module by result id, with names, decorations, entry
// points and source lines. This interprets only the structure of the module
// (SPIR-V specification, "Binary Form" and "Logical Layout of a Module").
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_SPIRV_SPIRVMODULE_H
#define AIRCC_SIMULATOR_SPIRV_SPIRVMODULE_H

#include "runtime-stubs/support/SpirvWords.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <spirv/unified1/spirv.hpp11>
#include <stdexcept>
#include <string>
#include <vector>

namespace aircc::sim::spirv {

/// Thrown if the module is damaged or contains something that is not simulated.
class Unsupported : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// An instruction. `operands` are the words after the result type and the
/// result id.
struct Instruction {
  spv::Op op = spv::Op::OpNop;
  uint32_t type = 0;   ///< The id of the result type, or 0.
  uint32_t result = 0; ///< The result id, or 0.
  llvm::ArrayRef<uint32_t> operands;
  uint32_t word = 0; ///< The position in the module, in words.
  uint32_t file = 0; ///< The id of the OpString with its source file, or 0.
  uint32_t line = 0, column = 0;

  // Returns an operand. Files may be damaged, so a missing operand throws
  // Unsupported.
  uint32_t operand(unsigned i) const {
    if (i >= operands.size())
      failTooShort();
    return operands[i];
  }
  /// Returns the operands starting at number `first`.
  llvm::ArrayRef<uint32_t> operandsFrom(unsigned first) const {
    if (first > operands.size())
      failTooShort();
    return operands.drop_front(first);
  }

private:
  [[noreturn]] void failTooShort() const;
};

struct Decoration {
  spv::Decoration kind;
  llvm::ArrayRef<uint32_t> operands;

  /// Returns an operand. Throws Unsupported if there is no such operand.
  uint32_t operand(unsigned i) const;
};

/// A function. It is imported if it has no blocks.
struct Function {
  const Instruction *definition = nullptr;
  std::vector<const Instruction *> parameters;
  /// Everything from the first OpLabel on.
  llvm::ArrayRef<Instruction> body;
};

struct EntryPoint {
  std::string name;
  uint32_t function = 0;
  std::optional<std::array<uint32_t, 3>> workgroupSize; ///< LocalSize
  uint32_t subgroupSize = 0;                            ///< 0 for any.
};

/// Returns a name such as "OpFAdd", or "instruction number 6231" for an unknown
/// instruction.
std::string nameOf(spv::Op op);
/// Returns the name of an OpenCL.std instruction ("Fma"), or its number if it
/// is unknown.
std::string nameOfExtended(uint32_t number);

/// Returns the text of a literal string, and its number of words.
std::pair<std::string, size_t> readString(llvm::ArrayRef<uint32_t> words);

class SpirvModule {
public:
  static llvm::Expected<std::unique_ptr<SpirvModule>>
  read(llvm::StringRef bytes);

  llvm::ArrayRef<Instruction> globals() const { return globalInstructions; }
  llvm::ArrayRef<Function> functions() const { return allFunctions; }
  llvm::ArrayRef<EntryPoint> entryPoints() const { return entries; }

  /// Returns the instruction that defines an id, or null.
  const Instruction *find(uint32_t id) const {
    return id < definitions.size() ? definitions[id] : nullptr;
  }
  llvm::ArrayRef<Decoration> decorations(uint32_t id) const;
  const Decoration *findDecoration(uint32_t id, spv::Decoration kind) const;
  bool has(uint32_t id, spv::Decoration kind) const {
    return findDecoration(id, kind) != nullptr;
  }
  /// Returns the linkage name if there is one, otherwise the name from OpName,
  /// otherwise "%<id>".
  std::string name(uint32_t id) const;
  /// Returns the name of an imported instruction set ("OpenCL.std").
  std::string instructionSet(uint32_t id) const;
  /// Returns a location such as "file.mlir:12:5", or "" if the module has no
  /// source line.
  std::string sourceLine(const Instruction &instruction) const;

private:
  explicit SpirvModule(rt::spirv::SpirvWords words) : words(std::move(words)) {}
  llvm::Error parse();
  llvm::Error indexDefinitions();
  llvm::Error readDecorations();
  llvm::Error readEntryPoints();

  rt::spirv::SpirvWords words;
  std::vector<Instruction> all;
  llvm::ArrayRef<Instruction> globalInstructions;
  std::vector<const Instruction *> definitions;
  std::vector<Function> allFunctions;
  std::vector<EntryPoint> entries;
  // This is a std::map, because ids in a damaged module can be the reserved
  // keys of DenseMap.
  std::map<uint32_t, std::string> names;
  std::map<uint32_t, std::vector<Decoration>> decorated;
};

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_SPIRVMODULE_H
