//===- ScalarTable.h - What scalar instructions compute ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry reads like the manual: name, the widths of destination and sources
// in dwords, and what becomes of the result and SCC. CDNA3 ISA guide, "SOP2",
// "SOPK", "SOP1" and "SOPC Instructions".
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_SCALAR_SCALARTABLE_H
#define AIRCC_SIMULATOR_EXEC_SCALAR_SCALARTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace aircc::sim {

/// The sources' bits, zero-extended, and SCC, which goes in and out.
using ScalarKernel = uint64_t (*)(uint64_t a, uint64_t b, bool &scc);

struct ScalarEntry {
  const char *name;
  uint8_t dst;    ///< dwords, 0: SCC only
  uint8_t src[2]; ///< dwords, 0: none
  ScalarKernel kernel;
};

/// SOPK: the destination is a source too, the other a sign-extended immediate
/// (a plain 16-bit one for the unsigned comparisons).
struct ScalarImmediateEntry {
  const char *name;
  bool writes;
  bool isUnsigned;
  ScalarKernel kernel;
};

// The tables, by what they hold.
llvm::ArrayRef<ScalarEntry> scalarIntegerEntries();
llvm::ArrayRef<ScalarEntry> scalarFloatEntries();

/// The entry of an instruction, or null.
const ScalarEntry *findScalar(llvm::StringRef name);
const ScalarImmediateEntry *findScalarImmediate(llvm::StringRef name);

} // namespace aircc::sim

#define AIRCC_SCALAR(NAME, D, A, B, ...)                                       \
  {NAME, D, {A, B}, [](u64 a, u64 b, bool &scc) -> u64 {                       \
     (void)a;                                                                  \
     (void)b;                                                                  \
     (void)scc;                                                                \
     __VA_ARGS__                                                               \
   }}
/// A comparison, whose result is SCC.
#define AIRCC_SCALAR_COMPARE(NAME, WIDTH, EXPR)                                \
  AIRCC_SCALAR(NAME, 0, WIDTH, WIDTH, scc = (EXPR); return 0;)

#endif // AIRCC_SIMULATOR_EXEC_SCALAR_SCALARTABLE_H
