//===- CoverageReport.cpp - Instructions that can be simulated ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Decodes all code and binds it to the handlers without executing it. Words
// that are not valid instructions are padding or data unless control flow
// reaches them.
//
//===----------------------------------------------------------------------===//

#include "simulator/launch/CoverageReport.h"

#include "simulator/exec/CodeObject.h"
#include "simulator/exec/Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace aircc::sim;
using llvm::StringRef;

void aircc::sim::addGap(simulator::Coverage &coverage, const std::string &what,
                        const std::string &reason, const std::string &where) {
  for (simulator::Coverage::Gap &gap : coverage.gaps)
    if (gap.what == what && gap.reason == reason) {
      ++gap.count;
      return;
    }
  coverage.gaps.push_back({what, reason, where, 1});
}

namespace {

/// A range of code, which is a function or the code between two functions.
struct Piece {
  uint64_t begin = 0, end = 0;
  std::string name;
};

/// Returns the functions and kernels of a code object. Symbols in hand-written
/// assembly have no size, so they extend to the next symbol or to the end of
/// the code.
std::vector<Piece> findPieces(const CodeObject &object) {
  std::map<uint64_t, Piece> pieces;
  auto add = [&](uint64_t begin, uint64_t size, const std::string &name) {
    uint64_t end;
    if (object.isCode(begin, end))
      pieces.try_emplace(begin, Piece{begin, size ? begin + size : end, name});
  };
  for (const CodeSymbol &symbol : object.functions())
    add(symbol.address, symbol.size, symbol.name);
  for (const auto &[name, kernel] : object.allKernels())
    add(kernel.entry, 0, name);
  std::vector<Piece> all;
  for (auto it = pieces.begin(); it != pieces.end(); ++it) {
    if (auto next = std::next(it); next != pieces.end())
      it->second.end = std::min(it->second.end, next->first);
    all.push_back(it->second);
  }
  return all;
}

/// Returns the operations of a piece that are reachable from its start by
/// fallthrough and by direct branches. Targets of indirect branches are
/// unknown.
std::vector<bool> findReached(const std::vector<Program::DecodedOp> &ops) {
  std::vector<bool> reached(ops.size());
  std::map<uint64_t, size_t> indexOf;
  for (auto [n, op] : llvm::enumerate(ops))
    indexOf[op.address] = n;
  std::vector<size_t> work;
  if (!ops.empty())
    work.push_back(0);
  while (!work.empty()) {
    size_t n = work.back();
    work.pop_back();
    for (; n < ops.size() && !reached[n]; ++n) {
      reached[n] = true;
      if (ops[n].target)
        if (auto it = indexOf.find(*ops[n].target); it != indexOf.end())
          work.push_back(it->second);
      if (!ops[n].fallsThrough)
        break;
    }
  }
  return reached;
}

} // namespace

llvm::Error aircc::sim::addCoverage(StringRef image, GlobalMemory &memory,
                                    simulator::Coverage &coverage) {
  auto object = CodeObject::load(image, memory);
  if (!object)
    return object.takeError();
  std::set<bool> waveSizes;
  std::map<uint64_t, bool> wave32;
  for (const auto &[name, kernel] : (*object)->allKernels()) {
    wave32[kernel.entry] = kernel.wave32;
    waveSizes.insert(kernel.wave32);
  }
  std::unique_ptr<Program> programs[2];
  for (const Piece &piece : findPieces(**object)) {
    // Functions have the wave size of the kernels.
    auto kernel = wave32.find(piece.begin);
    const bool isWave32 =
        kernel != wave32.end() ? kernel->second : waveSizes.count(true) != 0;
    std::unique_ptr<Program> &program = programs[isWave32];
    if (!program) {
      auto made = Program::create(**object, isWave32);
      if (!made)
        return made.takeError();
      program = std::move(*made);
    }
    const std::vector<Program::DecodedOp> ops =
        program->decodeAll(piece.begin, piece.end);
    const std::vector<bool> reached = findReached(ops);
    for (auto [n, op] : llvm::enumerate(ops)) {
      if (op.isUndecodable && !reached[n]) {
        ++coverage.dataWords;
        continue;
      }
      ++coverage.instructions;
      if (op.isSimulated)
        ++coverage.simulated;
      else
        addGap(coverage, op.isUndecodable ? op.text : op.mnemonic, op.problem,
               piece.name + "+0x" +
                   llvm::utohexstr(op.address - piece.begin, true) + ": " +
                   op.text);
    }
  }
  return llvm::Error::success();
}
