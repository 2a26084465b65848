//===- OpcodeForm.h - What the operands of an opcode are --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's MCInstrDesc says of an opcode how many operands its MCInst has, their
// register classes and types, which are tied, and which format it is encoded
// in. It does not say what an operand is for: the names that the backend gives
// them are private. But the order of the operands follows from the format. The
// tables here have that order, and make a form of each opcode: which operand of
// the MCInst is which operand of the assembly syntax, and which is the field
// of which modifier. A test prints every opcode and compares.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_OPCODEFORM_H
#define AIRCC_SIMULATOR_ISA_OPCODEFORM_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace llvm {
class MCInstrDesc;
class MCInstrInfo;
class MCRegisterInfo;
} // namespace llvm

namespace aircc::sim {

/// Bits of MCInstrDesc::TSFlags (SIInstrFlags in SIDefines.h of LLVM's AMDGPU
/// backend, which no installed header has).
namespace flags {
constexpr uint64_t bit(unsigned n) { return uint64_t(1) << n; }
constexpr uint64_t kSop1 = bit(2), kSop2 = bit(3), kSopc = bit(4),
                   kSopk = bit(5), kSopp = bit(6), kVop1 = bit(7),
                   kVop2 = bit(8), kVopc = bit(9), kVop3 = bit(10),
                   kVop3p = bit(12), kSdwa = bit(14), kDpp = bit(15),
                   kMubuf = bit(17), kMtbuf = bit(18), kSmem = bit(19),
                   kFlat = bit(24), kDs = bit(25), kLdsDirect = bit(28),
                   kOpSel = bit(42), kIntClamp = bit(46), kPacked = bit(49),
                   kGlobal = bit(51), kMatrix = bit(54), kScratch = bit(56),
                   kAtomic = bit(57) | bit(58), kWmma = bit(59), kGws = bit(62),
                   kSwmmac = bit(63);
} // namespace flags

/// Types of operands (AMDGPU::OperandType there), in groups: how a constant is
/// read.
enum class ConstantType : uint8_t {
  Other, ///< No constant operand of an instruction's semantics.
  Int16,
  Float16,
  Bfloat16,
  Bits32,
  Int64,
  Float64,
  PackedInt16,
  PackedFloat16,
  PackedFloat16Splat, ///< Both halves hold an inline constant.
  PackedBfloat16,
  Literal, ///< 32 bits behind the opcode, never an inline constant.
};

/// Fields of an instruction that are no operands.
enum class Field : uint8_t {
  Abid,
  BankMask,
  Bitop3,
  Blgp,
  BoundCtrl,
  ByteSel,
  CachePolicy,
  Cbsz,
  Clamp,
  Dpp8,
  DppCtrl,
  DstSel,
  DstUnused,
  FetchInactive,
  FlatOffset,
  Format,
  Gds,
  Ignored,
  IndexKey,
  NegHi,
  NegLo,
  Offset,
  Offset0,
  Offset1,
  Omod,
  OpSel,
  OpSelHi,
  RowMask,
  Src0Sel,
  Src1Sel,
};

/// An operand of the assembly syntax.
struct OperandSlot {
  enum class Source : uint8_t {
    Operand, ///< Operand `index` of the MCInst.
    Vcc,     ///< Implied by the opcode.
    M0,      ///< Likewise.
    Off,     ///< There is no register here.
  } source = Source::Operand;
  uint8_t index = 0;
  int8_t modifiers = -1; ///< The operand of the MCInst with neg, abs, sext.
  bool sextOnly = false; ///< Of them, sext; else neg and abs.
  ConstantType type = ConstantType::Other;
  int16_t classId = -1;
};

struct FieldSlot {
  uint8_t index = 0;
  Field field = Field::Ignored;
};

/// The operands of one opcode.
struct OpcodeForm {
  std::string mnemonic; ///< Without _e32, _e64, _dpp, _sdwa.
  uint64_t tsFlags = 0;
  /// In the order of the syntax; of VOPD, `secondHalf` starts the second.
  llvm::SmallVector<OperandSlot, 6> operands;
  uint8_t secondHalf = 0;
  std::string secondMnemonic;
  llvm::SmallVector<FieldSlot, 8> fields;
  /// VOP3, VOP3P: the sources and, for each, the operand with its bits of
  /// op_sel and neg, or -1.
  uint8_t sources = 0;
  int8_t sourceModifiers[3] = {-1, -1, -1};
  bool offen = false, idxen = false, tfe = false, lds = false, gds = false;
  bool isF64Matrix = false;    ///< blgp is neg.
  bool isPermlane = false;     ///< op_sel is fi and bound_ctrl.
  bool isWideNewBcast = false; ///< DPP of 64 bits has row_newbcast only.
  bool has(Field field) const;
};

/// The form of an opcode. `printed` is the mnemonic that LLVM's printer has for
/// it (MCInstPrinter::getMnemonic: the renamed ones of each generation).
OpcodeForm makeForm(const llvm::MCInstrDesc &desc, llvm::StringRef name,
                    llvm::StringRef printed, const llvm::MCInstrInfo &instrs,
                    const llvm::MCRegisterInfo &registers, unsigned hwMode);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_OPCODEFORM_H
