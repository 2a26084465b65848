//===- SpirvModule.h - Parsed SPIR-V module ---------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
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

/// The module is damaged, or it contains something that is not simulated.
class Unsupported : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// One instruction. `operands` are the words after result type and result id.
struct Instruction {
  spv::Op op = spv::Op::OpNop;
  uint32_t type = 0;   ///< Result type's id, or 0.
  uint32_t result = 0; ///< Or 0.
  llvm::ArrayRef<uint32_t> operands;
  uint32_t word = 0; ///< Position in the module, in words.
  uint32_t file = 0; ///< Id of the OpString of its source file, or 0.
  uint32_t line = 0, column = 0;

  // Files may be damaged: a missing operand throws Unsupported.
  uint32_t operand(unsigned i) const {
    if (i >= operands.size())
      failTooShort();
    return operands[i];
  }
  /// The operands from number `first` on.
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

  /// Throws Unsupported if there is no such operand.
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
  uint32_t subgroupSize = 0;                            ///< 0: any
};

/// "OpFAdd", or "instruction number 6231" for an unknown instruction.
std::string nameOf(spv::Op op);
/// The name of an OpenCL.std instruction ("Fma"); its number if unknown.
std::string nameOfExtended(uint32_t number);

/// The text of a literal string, and its number of words.
std::pair<std::string, size_t> readString(llvm::ArrayRef<uint32_t> words);

class SpirvModule {
public:
  static llvm::Expected<std::unique_ptr<SpirvModule>>
  read(llvm::StringRef bytes);

  llvm::ArrayRef<Instruction> globals() const { return globalInstructions; }
  llvm::ArrayRef<Function> functions() const { return allFunctions; }
  llvm::ArrayRef<EntryPoint> entryPoints() const { return entries; }

  /// The instruction that defines an id, or null.
  const Instruction *find(uint32_t id) const {
    return id < definitions.size() ? definitions[id] : nullptr;
  }
  llvm::ArrayRef<Decoration> decorations(uint32_t id) const;
  const Decoration *findDecoration(uint32_t id, spv::Decoration kind) const;
  bool has(uint32_t id, spv::Decoration kind) const {
    return findDecoration(id, kind) != nullptr;
  }
  /// The name by which a function is imported or exported, or the one of
  /// OpName, or "%12".
  std::string name(uint32_t id) const;
  /// The name of an imported instruction set ("OpenCL.std").
  std::string instructionSet(uint32_t id) const;
  /// "file.mlir:12:5", or "" if the module has no source line.
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
  // std::map, because ids of a damaged module can be the reserved keys of
  // DenseMap.
  std::map<uint32_t, std::string> names;
  std::map<uint32_t, std::vector<Decoration>> decorated;
};

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_SPIRVMODULE_H
