//===- Site.h - Places in a kernel that the host runs code for --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled kernels call the host (Host.h) with a pointer to one of these, which
// says what is to be done and, for messages, by which instruction.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_SPIRV_SITE_H
#define AIRCC_SIMULATOR_SPIRV_SITE_H

#include <cstdint>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <vector>

namespace aircc::sim::spirv {

struct Convergence;

struct Site {
  std::string what;     ///< "OpLoad", "intel_sub_group_block_read_us8".
  std::string function; ///< Its name.
  std::string line;     ///< Of the source, or "".
  uint32_t word = 0;    ///< Where in the module; orders the sites.

  /// "at OpLoad, word 312 of the module, in 'f' [a.mlir:3:5]"
  std::string describe() const {
    std::string text = "at " + what + ", word " + std::to_string(word) +
                       " of the module, in '" + function + "'";
    return line.empty() ? text : text + " [" + line + "]";
  }
};

/// A jump backwards.
struct LoopSite : Site {
  uint32_t targetWord = 0; ///< Where the loop begins.
};

/// A text that a lane prints.
struct PrintSite : Site {
  std::string format;
};

/// An access of one lane to memory.
struct AccessSite : Site {
  enum Kind { Load, Store, Atomic } kind = Load;
  uint32_t number = 0; ///< In the program.
  uint32_t bytes = 0, alignment = 1;
  spv::StorageClass storage = spv::StorageClass::CrossWorkgroup;
  /// Others may change the place while the kernel runs: atomics, volatile.
  bool isShared = false;
  /// For atomics: what they order beyond their own place.
  spv::MemorySemanticsMask semantics = spv::MemorySemanticsMask::MaskNone;
  spv::Scope scope = spv::Scope::Device;
};

/// A block of a 2-D surface, as the names of the builtins have it.
struct BlockShape {
  enum Kind { Read, Transform, Transpose, Write, Prefetch } kind = Read;
  unsigned elementBytes = 0, rows = 0, columns = 0, blocks = 1;
  unsigned registerBytes = 0; ///< Of the elements of the private array.
  /// How many of those a lane has.
  unsigned registers() const;
};

/// D = A * B + C of a subgroup of 16: A is rows x depth, B depth x 16.
struct DpasShape {
  enum Type { F16, BF16, TF32, S8, U8 } a = F16, b = F16;
  enum Accumulator { F32, Half, BFloat, I32 } c = F32;
  unsigned rows = 0, depth = 0;

  // Bytes of a lane's part of each operand.
  unsigned aBytes() const {
    return a == TF32 ? 4 * (rows > 1 ? rows / 2 : 1) : 2 * rows;
  }
  unsigned bBytes() const { return 8 * 4; }
  unsigned cBytes() const { return rows * (c == Half || c == BFloat ? 2 : 4); }
};

/// A place where the lanes of a subgroup or workgroup come together.
struct CollectiveSite : Site {
  spv::Scope scope = spv::Scope::Subgroup;
  /// Lanes that do not come take no part, instead of being waited for.
  bool partial = false;
  /// Takes subgroups of their full size only.
  bool wholeSubgroup = false;
  /// No values pass, but memory is ordered.
  bool isBarrier = false;
  spv::MemorySemanticsMask semantics = spv::MemorySemanticsMask::MaskNone;

  /// What happens when all are there.
  void (*run)(Convergence &) = nullptr;
  /// The values that lanes bring lie in a record of each lane, the result
  /// behind them. Bytes.
  struct Slot {
    uint32_t offset = 0, bytes = 0;
  };
  std::vector<Slot> operands;
  Slot result;

  // For the operations on values: of what type.
  bool isFloat = false, isBool = false, isBFloat = false;
  unsigned elementBits = 0, elements = 1;
  spv::Op op = spv::Op::OpNop; ///< Which one (signedness included).
  spv::GroupOperation group = spv::GroupOperation::Reduce;
  unsigned clusterSize = 0;
  BlockShape block;
  DpasShape dpas;
  /// Memory that the operation accesses for its lanes.
  AccessSite memory;
};

/// An instruction as a trace prints it. The values that it reads lie in a
/// record when it begins; the one that it makes, when it has ended.
struct TraceSite : Site {
  std::string text; ///< "%45 = OpFAdd %43 %44"
  struct Value {
    uint32_t id = 0;
    /// Its elements in the record, first to last.
    struct Part {
      uint32_t offset, bytes;
    };
    std::vector<Part> parts;
  };
  std::vector<Value> reads;
  Value write; ///< Without parts: none.
  uint32_t readBytes = 0, writeBytes = 0;
  /// Calls a function whose own instructions come before the result.
  bool isCall = false;
};

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_SITE_H
