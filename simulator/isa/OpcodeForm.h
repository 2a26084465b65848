//===- OpcodeForm.h - Roles of an opcode's operands -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// LLVM's MCInstrDesc has the number of operands of an opcode's MCInst, their
// register classes and types, the tied operands and the encoding. It does not
// have the role of an operand, because operand names are private to LLVM's
// backend, but the encoding determines the order of the operands.
//
// The form of an opcode maps each operand of the MCInst to an operand of the
// assembly syntax or to the field of a modifier. SimDecodeTest prints every
// opcode and compares.
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
/// backend, which is not an installed header).
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

/// How a constant operand is interpreted, as groups of LLVM's
/// AMDGPU::OperandType.
enum class ConstantType : uint8_t {
  Other, ///< Not a source operand.
  Int16,
  Float16,
  Bfloat16,
  Bits32,
  Int64,
  Float64,
  PackedInt16,
  PackedFloat16,
  PackedFloat16Splat, ///< An inline constant applies to both halves.
  PackedBfloat16,
  Literal, ///< 32 bits after the opcode, never an inline constant.
};

/// Fields of an instruction that are modifiers rather than operands.
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
    M0,      ///< Implied by the opcode.
    Off,     ///< Absent; printed as "off".
  } source = Source::Operand;
  uint8_t index = 0;
  int8_t modifiers = -1; ///< The MCInst's operand with neg, abs and sext.
  bool sextOnly = false; ///< Whether it can have sext; otherwise, it can have
                         ///< neg and abs.
  ConstantType type = ConstantType::Other;
  int16_t classId = -1;
};

struct FieldSlot {
  uint8_t index = 0;
  Field field = Field::Ignored;
};

/// The operands of an opcode.
struct OpcodeForm {
  std::string mnemonic; ///< Without _e32, _e64, _dpp, _sdwa.
  uint64_t tsFlags = 0;
  /// In the order of the assembly syntax. For VOPD, the operands of the second
  /// operation begin at `secondHalf`.
  llvm::SmallVector<OperandSlot, 6> operands;
  uint8_t secondHalf = 0;
  std::string secondMnemonic;
  llvm::SmallVector<FieldSlot, 8> fields;
  /// For VOP3 and VOP3P, the number of sources, and for each of them the
  /// MCInst's operand with its bits of op_sel and neg, or -1.
  uint8_t sources = 0;
  int16_t sourceModifiers[3] = {-1, -1, -1};
  bool offen = false, idxen = false, tfe = false, lds = false, gds = false;
  bool isF64Matrix = false;    ///< Whether the field blgp contains neg.
  bool isPermlane = false;     ///< Whether op_sel contains fi and bound_ctrl.
  bool isWideNewBcast = false; ///< 64-bit DPP, which only has row_newbcast.
  bool has(Field field) const;
};

/// Creates the form of an opcode. `printed` is the generation's mnemonic
/// (MCInstPrinter::getMnemonic).
OpcodeForm makeForm(const llvm::MCInstrDesc &desc, llvm::StringRef name,
                    llvm::StringRef printed, const llvm::MCInstrInfo &instrs,
                    const llvm::MCRegisterInfo &registers, unsigned hwMode);

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_OPCODEFORM_H
