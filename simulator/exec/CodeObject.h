//===- CodeObject.h - A loaded AMDGPU code object ---------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Loads an HSA code object (ELF64, ABI versions 4 to 6: LLVM's AMDGPUUsage,
// "Code Object", "Kernel Descriptor", "Code Object Metadata") into simulated
// global memory, applies its dynamic relocations, and reads its kernels.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_CODEOBJECT_H
#define AIRCC_SIMULATOR_EXEC_CODEOBJECT_H

#include "simulator/exec/memory/GlobalMemory.h"
#include "simulator/isa/Chip.h"

#include "llvm/Support/AMDHSAKernelDescriptor.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace llvm::object {
class ELFObjectFileBase;
} // namespace llvm::object

namespace aircc::sim {

/// Returns the processor in the header of an AMDGPU ELF file, or "" if LLVM has
/// no name for it.
llvm::StringRef processorInHeader(const llvm::object::ELFObjectFileBase &file);

/// An argument of a kernel as listed in the metadata.
struct KernelArg {
  uint32_t offset = 0, size = 0; ///< In bytes, in the kernarg segment.
  std::string valueKind;         ///< "global_buffer", "hidden_block_count_x", …
  std::string name, typeName;    ///< Empty if the compiler omitted them.
  bool isHidden() const { return valueKind.rfind("hidden_", 0) == 0; }
};

/// A kernel with its decoded descriptor and its metadata. Sizes are in bytes.
struct Kernel {
  std::string name;
  uint64_t entry = 0; ///< The address of the first instruction, as loaded.
  llvm::amdhsa::kernel_descriptor_t descriptor;

  // From the descriptor
  bool wave32 = false;
  uint32_t vgprCount = 0; ///< Architectural VGPRs of a lane.
  uint32_t agprCount = 0; ///< Accumulation VGPRs of a lane.
  uint32_t ldsBytes = 0;
  uint32_t privateBytes = 0; ///< Scratch of one lane.
  uint32_t kernargBytes = 0;
  bool dynamicStack = false;
  uint32_t preloadDwords = 0, preloadOffsetDwords = 0;

  // From the metadata
  std::vector<KernelArg> args;
  uint32_t maxWorkgroupSize = 1024;
  /// The workgroup size that the kernel requires, or 0 for any size.
  uint32_t requiredWorkgroup[3] = {0, 0, 0};

  unsigned waveSize() const { return wave32 ? 32 : 64; }
  bool property(uint32_t mask) const {
    return descriptor.kernel_code_properties & mask;
  }
};

/// A named range of code.
struct CodeSymbol {
  uint64_t address = 0, size = 0;
  std::string name;
};

class CodeObject {
public:
  /// Loads `image` into memory allocated from `memory`, which the destructor
  /// releases.
  static llvm::Expected<std::unique_ptr<CodeObject>> load(llvm::StringRef image,
                                                          GlobalMemory &memory);
  ~CodeObject();
  CodeObject(const CodeObject &) = delete;
  CodeObject &operator=(const CodeObject &) = delete;

  const Chip &chip() const { return target; }
  /// Returns the kernel, or null if there is none of this name.
  const Kernel *findKernel(const std::string &name) const;
  const std::map<std::string, Kernel> &allKernels() const { return kernels; }
  /// Returns the functions, sorted by address. A function whose symbol has no
  /// size (assembly without .size) extends to the next function or to the end
  /// of the code.
  const std::vector<CodeSymbol> &functions() const { return code; }
  /// Returns the function that contains a code address, or null.
  const CodeSymbol *findFunction(uint64_t address) const;
  /// Describes a code address, as in "0x7f31c4a01134 (reduce+0x34)". Omits the
  /// parenthesis if no function contains it.
  std::string describeAddress(uint64_t address) const;
  /// Returns the address of a global symbol, or 0.
  uint64_t symbolAddress(const std::string &name) const;
  /// Returns the zero-terminated text to which the pointer variable `name`
  /// points, or "" unless both the variable and the text are in this code
  /// object.
  std::string textAt(const std::string &name) const;
  /// Returns whether `address` is in a code segment. If so, sets `end` to the
  /// segment's end.
  bool isCode(uint64_t address, uint64_t &end) const;
  /// Returns the "file:line:column" of a code address, or "" without line
  /// tables.
  std::string sourceLine(uint64_t address) const;

private:
  class ElfReader;

  explicit CodeObject(GlobalMemory &memory) : memory(memory) {}
  llvm::Error readElf(llvm::StringRef image);
  /// Returns whether a range of addresses is in the loaded segments.
  bool isLoaded(uint64_t address, uint64_t bytes) const;
  llvm::Error readMetadata(llvm::StringRef note);
  void completeFunctions();
  llvm::Error readDescriptor(Kernel &kernel, uint64_t address);

  GlobalMemory &memory;
  Chip target;
  char *base = nullptr; ///< Where virtual address `lowest` was loaded.
  uint64_t lowest = 0, span = 0;
  std::map<std::string, Kernel> kernels;
  std::map<std::string, uint64_t> symbols;
  std::vector<CodeSymbol> code;
  std::vector<MemoryRange> executable;
  /// The file, kept if it has line tables, and their reader.
  std::string debugImage;
  struct LineTables;
  mutable std::shared_ptr<LineTables> lines;
  mutable std::mutex linesMutex;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_CODEOBJECT_H
