//===- Program.h - The decoded code of a code object ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Decodes functions on first use: the instruction (isa/Decode.h), its record,
// and its family's bind function. An instruction that has no record, or cannot
// be decoded or bound, becomes an operation that faults when it is executed. No
// instruction is skipped.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_EXEC_PROGRAM_H
#define AIRCC_SIMULATOR_EXEC_PROGRAM_H

#include "simulator/exec/Bind.h"
#include "simulator/exec/CodeObject.h"
#include "simulator/exec/OpInfo.h"
#include "simulator/isa/Decode.h"

#include "llvm/ADT/ArrayRef.h"
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <shared_mutex>

namespace aircc::sim {

/// Rows filled with a constant, shared by all operations of a program.
class ConstantRows {
public:
  /// Returns one row, or two if `wide` is set, low dwords first.
  const uint32_t *get(uint64_t value, bool wide);

private:
  /// Rows are aligned for the host's vector instructions.
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(uint32_t *row) const {
      ::operator delete[](row, kAlignment);
    }
  };
  std::map<std::pair<uint64_t, bool>, std::unique_ptr<uint32_t[], Free>> rows;
};

class Program {
public:
  /// `wave32` says whether the code has waves of 32 lanes. A code object with
  /// kernels of both sizes is decoded into two programs.
  static llvm::Expected<std::unique_ptr<Program>>
  create(const CodeObject &object, bool wave32);
  ~Program();

  /// Returns the operation at a code address, after decoding its function on
  /// the first call. Throws Fault if no instruction starts there. Thread-safe.
  const Op *lookup(uint64_t address);

  /// Returns why an encoded instruction cannot be executed on this program's
  /// chip, or "" if it can.
  std::string whyNotImplemented(llvm::ArrayRef<uint8_t> encoding);

  /// An instruction for analyses that do not execute the code.
  struct DecodedOp {
    uint64_t address = 0;
    std::string mnemonic;
    std::string text; ///< Set for an instruction that is not simulated.
    std::optional<uint64_t> target; ///< Set for a branch.
    bool isSimulated = false, isUndecodable = false;
    bool fallsThrough = true; ///< Whether execution can continue with the next
                              ///< instruction.
    std::string problem;      ///< Why it is not simulated, if known.
  };
  /// Decodes a range of code without adding it to the program.
  std::vector<DecodedOp> decodeAll(uint64_t begin, uint64_t end);

private:
  explicit Program(const CodeObject &object, bool wave32);
  struct Function {
    uint64_t begin = 0, end = 0;
    std::vector<Op> ops;          ///< The last one faults.
    std::vector<int32_t> indexOf; ///< By (address - begin) / 4, with -1 for
                                  ///< none.
  };
  const Function *functionAt(uint64_t address) const;
  std::unique_ptr<Function> decode(uint64_t begin, uint64_t end);
  void bind(const DecodedInstruction &inst, Op &op);
  void describe(Op &op, OpInfo info);
  bool bindOne(BindContext &context, const DecodedInstruction &inst, Op &op);
  bool bindDual(BindContext &context, const DecodedInstruction &inst, Op &op);

  const CodeObject &object;
  const bool wave32;
  std::unique_ptr<InstructionDecoder> decoder;
  std::deque<DecodedInstruction> instructions;
  std::deque<OpInfo> descriptions;
  std::deque<std::shared_ptr<void>> kept; ///< Data to which operations point.
  ConstantRows constants;
  std::map<uint64_t, std::unique_ptr<Function>> functions; ///< By begin.
  mutable std::shared_mutex mutex;
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_EXEC_PROGRAM_H
