//===- SimKernelGenerator.h - Random kernels in LLVM IR ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is generated twice from the same random numbers: for the device, and
// as a function that computes for one lane what the kernel computes, with all
// memory spaces in plain pointers. Exchanges between lanes are replaced: the
// function writes the values that its lane gives to a table and reads the
// received value from the table, which the test fills in between runs
// ("Exchange").
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_SIMKERNELGENERATOR_H
#define AIRCC_TEST_UNIT_SIMKERNELGENERATOR_H

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace aircc::sim::test {

/// The properties of a chip that affect which operations a kernel may have.
struct KernelTarget {
  std::string chip;
  bool wave32 = false;
  unsigned generation = 9; ///< 9, 11, 12
};

/// One operation across lanes.
struct Exchange {
  enum Kind {
    ReadFirstLane,
    ReadLane,    ///< parameter: the lane
    Permute,     ///< ds_bpermute; second operand: the lane times four
    Swizzle,     ///< parameter: ds_swizzle's offset
    Dpp,         ///< parameter: dpp_ctrl, with masks and bound_ctrl
    Ballot,      ///< of a bit
    MaskedCount, ///< mbcnt of a mask that the lane has
    Permlane16,  ///< parameter: the selectors are its low and high word;
                 ///< second operand: the result if the source lane is inactive
    PermlaneX16,
  } kind;
  uint64_t parameter = 0;
  unsigned rowMask = 15, bankMask = 15;
  bool bound = false;
};

/// The offsets of a lane's data, in bytes: inputs, outputs, arenas, exchanges.
struct KernelLayout {
  static constexpr unsigned kTypes = 9; ///< i8 … i64, half … double, bfloat
  static constexpr unsigned kInputs = 3, kOutputs = 3;
  static constexpr unsigned kInBytes = kTypes * kInputs * 8;
  static constexpr unsigned kOutBytes = kTypes * kOutputs * 8;
  static constexpr unsigned kArena = 64; ///< of each memory
  /// The size of a lane's part of an exchange: two values that it provides and
  /// one that it receives.
  static constexpr unsigned kExchangeBytes = 24, kMaxExchanges = 6;
  /// Offsets in an exchange: whether the lane took part, the second value, the
  /// received value.
  static constexpr unsigned kHere = 4, kSecond = 8, kGot = 16;
  static constexpr unsigned kLanes = 64;
};

/// Kernels of one module.
struct GeneratedKernels {
  /// `testN(ptr in, ptr out)` for the Nth kernel. The parts of the lanes are
  /// consecutive; the arena in global memory follows the outputs.
  std::string device;
  /// `hostN(ptr in, ptr out, ptr exchange)`, with pointers to the parts of one
  /// lane.
  std::string host;
  std::vector<std::vector<Exchange>> exchanges;
};

/// The number of kernels with consecutive seeds that call the same functions
/// and can be in one module.
constexpr unsigned kKernelsPerModule = 16;

/// Generates the kernels of `count` seeds from `seed` on in one module; `host`
/// is the same for all targets. Top-level statements whose numbers are in
/// `without` are omitted, for reducing.
GeneratedKernels generateKernels(const KernelTarget &target, uint32_t seed,
                                 unsigned count, unsigned statements,
                                 const std::set<unsigned> &without = {});

/// Returns the name and kind of the values in an output.
const char *outputType(unsigned type);
bool isNanOf(unsigned type, uint64_t bits);

} // namespace aircc::sim::test

#endif // AIRCC_TEST_UNIT_SIMKERNELGENERATOR_H
