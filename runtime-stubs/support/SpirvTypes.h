//===- SpirvTypes.h - Words and types of SPIR-V modules ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The parts of a module that SpirvKernels.cpp reads: instructions, with the
// opcodes of the SPIR-V specification, and the sizes of types in memory.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_SUPPORT_SPIRVTYPES_H
#define AIRCC_RUNTIME_SUPPORT_SPIRVTYPES_H

#include "runtime-stubs/Device.h"
#include "runtime-stubs/support/SpirvWords.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace aircc::rt::spirv {

enum Op : uint32_t {
  OpMemoryModel = 14,
  OpEntryPoint = 15,
  OpExecutionMode = 16,
  OpTypeBool = 20,
  OpTypeInt = 21,
  OpTypeFloat = 22,
  OpTypeVector = 23,
  OpTypeArray = 28,
  OpTypeRuntimeArray = 29,
  OpTypeStruct = 30,
  OpTypePointer = 32,
  OpTypeFunction = 33,
  OpTypeForwardPointer = 39,
  OpConstant = 43,
  OpConstantComposite = 44,
  OpSpecConstant = 50,
  OpSpecConstantComposite = 51,
  OpSpecConstantOp = 52,
  OpFunction = 54,
  OpFunctionParameter = 55,
  OpFunctionEnd = 56,
  OpFunctionCall = 57,
  OpVariable = 59,
  OpDecorate = 71,
  OpGroupDecorate = 74,
  OpExecutionModeId = 331,
  OpTypeUntypedPointer = 4417,
  OpUntypedVariable = 4418,
};
enum : uint32_t {
  addressingPhysical32 = 1,
  addressingPhysical64 = 2,
  executionModelKernel = 6,
  executionModeLocalSize = 17,
  executionModeSubgroupSize = 35,
  executionModeLocalSizeId = 38,
  storageWorkgroup = 4,
  decorationPacked = 10,
  decorationFuncParamAttr = 38,
  decorationLinkageAttributes = 41,
  decorationAlignment = 44,
  funcParamAttrByVal = 2,
  linkageTypeImport = 1,
};

/// The memory layout of a type. Types without a size are not recorded.
struct Layout {
  uint64_t bytes;
  uint64_t alignment;
};

struct Pointer {
  uint32_t storage;
  std::optional<uint32_t> pointee; // Unset for an untyped pointer.
};

struct Decorations {
  bool packed = false, byVal = false;
  uint64_t alignment = 0;

  void add(const Decorations &other) {
    packed |= other.packed;
    byVal |= other.byVal;
    alignment = std::max(alignment, other.alignment);
  }
};

/// The operands of an instruction. Reading past the end returns 0 and sets an
/// error flag.
class Operands {
public:
  Operands(const uint32_t *words, size_t count) : words(words), count(count) {}

  uint32_t next() {
    if (position < count)
      return words[position++];
    exhausted = true;
    return 0;
  }
  bool atEnd() const { return position >= count; }
  bool tooFew() const { return exhausted; }

  std::string nextString();

private:
  const uint32_t *words;
  size_t count, position = 0;
  bool exhausted = false;
};

inline Status damaged(const std::string &what) {
  return Status::failure("the SPIR-V module is damaged: " + what);
}

/// Returns `value` rounded up to a multiple of `alignment`, or nullopt on
/// overflow.
std::optional<uint64_t> alignUp(uint64_t value, uint64_t alignment);

/// The types of a module by id, and the data that they depend on.
class Types {
public:
  /// Reads the type that an instruction defines. The caller must report an
  /// instruction with too few words.
  Status readType(uint32_t op, Operands &operands);

  uint64_t pointerBytes = 0; ///< 0 before the memory model.
  std::map<uint32_t, Layout> layouts;
  std::map<uint32_t, Pointer> pointers;
  std::map<uint32_t, std::vector<uint32_t>> functionTypes; ///< The types of
                                                           ///< parameters.
  std::map<uint32_t, uint64_t> constants;
  std::map<uint32_t, Decorations> decorations;

private:
  Status setLayout(uint32_t id, std::optional<uint64_t> bytes,
                   uint64_t alignment);
  Status structLayout(uint32_t id, Operands &operands);
};

} // namespace aircc::rt::spirv

#endif // AIRCC_RUNTIME_SUPPORT_SPIRVTYPES_H
