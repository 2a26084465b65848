//===- Generation.h - Generations of AMD GPUs -------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each generation has its own instruction set. A chip belongs to one generation
// (Chip.h), and a record of an instruction names all generations that have it.
//
// To add a generation, add an enumerator and its set here, add its properties
// in Chip.cpp, and add its set to the lines of isa/tables that it has.
// SimRecordTest compares the tables with LLVM and names the lines to change.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_GENERATION_H
#define AIRCC_SIMULATOR_ISA_GENERATION_H

#include <cstdint>

namespace aircc::sim {

enum class Generation : uint8_t {
  Gfx90a, ///< CDNA 2
  Gfx940, ///< CDNA 3: gfx940 to gfx942
  Gfx950, ///< CDNA 4
  Gfx11,  ///< RDNA 3
  Gfx115, ///< RDNA 3.5: gfx1150 to gfx1153, scalar arithmetic in floating point
  Gfx12,  ///< RDNA 4: gfx1200 and gfx1201
};
constexpr unsigned kGenerations = 6;

/// A set of generations, where bit g is for Generation g.
using Generations = uint8_t;

namespace generations {
constexpr Generations setOf(Generation g) {
  return static_cast<Generations>(1u << static_cast<unsigned>(g));
}
constexpr Generations Gfx90a = setOf(Generation::Gfx90a);
constexpr Generations Gfx940 = setOf(Generation::Gfx940);
constexpr Generations Gfx950 = setOf(Generation::Gfx950);
constexpr Generations Gfx11 = setOf(Generation::Gfx11);
constexpr Generations Gfx115 = setOf(Generation::Gfx115);
constexpr Generations Gfx12 = setOf(Generation::Gfx12);
constexpr Generations From940 = Gfx940 | Gfx950;
constexpr Generations Cdna = Gfx90a | From940;
constexpr Generations Rdna3 = Gfx11 | Gfx115;
constexpr Generations Rdna = Rdna3 | Gfx12;
constexpr Generations From115 = Gfx115 | Gfx12;
constexpr Generations All = Cdna | Rdna;
} // namespace generations

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_GENERATION_H
