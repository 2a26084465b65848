//===- Site.h - Host calls in a compiled kernel -----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Compiled kernels pass a pointer to a site when they call the host (Host.h). A
// site describes the operation and, for messages, the instruction.
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
  std::string function; ///< The name of the function.
  std::string line;     ///< The source line, or "".
  uint32_t word = 0;    ///< The position in the module, which orders the sites.

  /// Returns a text such as "at OpLoad, word 312 of the module, in 'f'
  /// [a.mlir:3:5]".
  std::string describe() const {
    std::string text = "at " + what + ", word " + std::to_string(word) +
                       " of the module, in '" + function + "'";
    return line.empty() ? text : text + " [" + line + "]";
  }
};

/// A backward jump.
struct LoopSite : Site {
  uint32_t targetWord = 0; ///< The position of the loop's start.
};

/// A text that a lane prints.
struct PrintSite : Site {
  std::string format;
};

/// An access by a lane to memory.
struct AccessSite : Site {
  enum Kind { Load, Store, Atomic } kind = Load;
  uint32_t number = 0; ///< The index in the program.
  uint32_t bytes = 0, alignment = 1;
  spv::StorageClass storage = spv::StorageClass::CrossWorkgroup;
  /// Whether other agents may write this memory while the kernel executes, for
  /// atomic or volatile accesses.
  bool isShared = false;
  /// The memory semantics of an atomic.
  spv::MemorySemanticsMask semantics = spv::MemorySemanticsMask::MaskNone;
  spv::Scope scope = spv::Scope::Device;
};

/// A block of a 2-D surface, as specified in the names of the builtins.
struct BlockShape {
  enum Kind { Read, Transform, Transpose, Write, Prefetch } kind = Read;
  unsigned elementBytes = 0, rows = 0, columns = 0, blocks = 1;
  unsigned registerBytes = 0; ///< The size of an element of the private array.
  /// Returns the number of elements in the private array.
  unsigned registers() const;
};

/// D = A * B + C for a subgroup of 16, where A is rows x depth and B is depth x
/// 16.
struct DpasShape {
  enum Type { F16, BF16, TF32, S8, U8 } a = F16, b = F16;
  enum Accumulator { F32, Half, BFloat, I32 } c = F32;
  unsigned rows = 0, depth = 0;

  // Return the size in bytes of a lane's part of each operand.
  unsigned aBytes() const {
    return a == TF32 ? 4 * (rows > 1 ? rows / 2 : 1) : 2 * rows;
  }
  unsigned bBytes() const { return 8 * 4; }
  unsigned cBytes() const { return rows * (c == Half || c == BFloat ? 2 : 4); }
};

/// A collective operation by the lanes of a subgroup or workgroup.
struct CollectiveSite : Site {
  spv::Scope scope = spv::Scope::Subgroup;
  /// Whether only the lanes that arrive participate, without waiting for the
  /// others.
  bool partial = false;
  /// Whether it requires a subgroup of full size.
  bool wholeSubgroup = false;
  /// Whether it exchanges no values but orders memory.
  bool isBarrier = false;
  spv::MemorySemanticsMask semantics = spv::MemorySemanticsMask::MaskNone;

  /// Executes the operation for all participating lanes.
  void (*run)(Convergence &) = nullptr;
  /// The position in bytes of an operand or the result in the record of a lane.
  struct Slot {
    uint32_t offset = 0, bytes = 0;
  };
  std::vector<Slot> operands;
  Slot result;

  // For operations on values, the type of the values.
  bool isFloat = false, isBool = false, isBFloat = false;
  unsigned elementBits = 0, elements = 1;
  spv::Op op = spv::Op::OpNop; ///< The operation, including signedness.
  spv::GroupOperation group = spv::GroupOperation::Reduce;
  unsigned clusterSize = 0;
  BlockShape block;
  DpasShape dpas;
  /// The memory access of the operation.
  AccessSite memory;
};

/// An instruction of a traced program. Its operands are in a record before it
/// executes, and its result is there afterwards.
struct TraceSite : Site {
  std::string text; ///< "%45 = OpFAdd %43 %44"
  struct Value {
    uint32_t id = 0;
    /// The elements of the value in the record, in order.
    struct Part {
      uint32_t offset, bytes;
    };
    std::vector<Part> parts;
  };
  std::vector<Value> reads;
  Value write; ///< It has no parts if there is no result.
  uint32_t readBytes = 0, writeBytes = 0;
  /// Whether it calls a function whose instructions are also traced.
  bool isCall = false;
};

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_SITE_H
