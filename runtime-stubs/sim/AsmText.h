//===- AsmText.h - Printed AMDGPU assembly, taken apart ---------*- C++ -*-===//
//
// Part of the aircc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The opcode and operand enumerations of LLVM's AMDGPU backend are private, its
// assembly syntax is documented and stable. So an instruction is decoded by
// LLVM's disassembler, printed once, and the text is taken apart here: mnemonic
// (which names the semantics, in the words of the ISA manuals), operands with
// their modifiers, and the modifiers of the instruction. This costs about two
// microseconds an instruction, once.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIM_ASMTEXT_H
#define AIRCC_SIM_ASMTEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <string>

namespace aircc::sim {

/// Rows of the vector register file: v0..v255, then a0..a255.
constexpr unsigned kFirstAgprRow = 256;
constexpr unsigned kVectorRows = 512;

/// Numbers of scalar registers. s0..s105 have their own; the rest as encoded.
enum ScalarReg : uint16_t {
  kFlatScratch = 102, ///< flat_scratch_lo on gfx9 (a plain pair elsewhere).
  kXnackMask = 104,
  kVcc = 106,
  kTtmp0 = 108,
  kM0 = 124,
  kNull = 125, ///< Reads zero, drops writes.
  kExec = 126,
  kScalarRegs = 128,
};

/// Values that are read like registers and are none.
enum class SpecialValue : uint8_t {
  Scc,
  Vccz,
  Execz,
  SharedBase,
  SharedLimit,
  PrivateBase,
  PrivateLimit,
};

struct AsmOperand {
  enum class Kind : uint8_t {
    Vector,   ///< reg: row
    Scalar,   ///< reg: ScalarReg
    Special,  ///< reg: SpecialValue
    Integer,  ///< value: a literal or an integer inline constant
    Float,    ///< number: a floating-point inline constant
    Off,      ///< "off": no register here
    Raw,      ///< anything else: text
  } kind = Kind::Raw;
  uint16_t reg = 0;
  uint16_t dwords = 1;
  int64_t value = 0;
  double number = 0;
  bool neg = false, abs = false, sext = false;
  bool half = false;   ///< true16 syntax, v0.l or v0.h
  bool high = false;   ///< v0.h
  bool literal = false; ///< Integer was printed in hexadecimal.
  llvm::StringRef text;
};

/// Lane patterns of DPP.
enum class DppKind : uint8_t {
  None, QuadPerm, RowShl, RowShr, RowRor, WaveShl, WaveShr, WaveRol, WaveRor,
  RowMirror, RowHalfMirror, RowBcast, RowNewBcast, RowShare, RowXmask, Dpp8,
};

/// Parts of a dword that SDWA selects.
enum class SdwaSel : uint8_t { Byte0, Byte1, Byte2, Byte3, Word0, Word1, Dword };
enum class SdwaUnused : uint8_t { Pad, Sext, Preserve };

struct AsmModifiers {
  int64_t offset = 0, offset0 = 0, offset1 = 0;
  bool offen = false, idxen = false, lds = false, gds = false, tfe = false;
  bool glc = false, slc = false, dlc = false, sc0 = false, sc1 = false,
       nt = false;
  bool clamp = false;
  int omodMul = 1; ///< 1, 2, 4; -2 for div:2
  std::array<uint8_t, 4> opSel{0, 0, 0, 0}, opSelHi{1, 1, 1, 1};
  std::array<uint8_t, 4> negLo{0, 0, 0, 0}, negHi{0, 0, 0, 0};
  bool hasOpSel = false, hasOpSelHi = false;
  bool sdwa = false;
  SdwaSel dstSel = SdwaSel::Dword, srcSel[2] = {SdwaSel::Dword, SdwaSel::Dword};
  SdwaUnused dstUnused = SdwaUnused::Pad;
  DppKind dpp = DppKind::None;
  std::array<uint8_t, 8> dppLanes{0, 1, 2, 3, 4, 5, 6, 7};
  int dppAmount = 0;
  uint8_t rowMask = 0xf, bankMask = 0xf;
  bool boundCtrl = false, fetchInactive = false;
  int cbsz = 0, abid = 0, blgp = 0, indexKey = 0;
  int byteSel = 0, bitop3 = 0;
  bool returns = false; ///< th:TH_ATOMIC_RETURN, or glc/sc0 on an atomic.
  std::string th, scope;
};

/// One instruction, taken apart. Lives as long as the program.
struct AsmInst {
  std::string text;       ///< As printed, without leading blanks.
  std::string mnemonic;   ///< Without _e32, _e64, _dpp, _sdwa.
  std::string encoding;   ///< "e32", "e64", "dpp", "sdwa", "e64_dpp" or "".
  llvm::SmallVector<AsmOperand, 6> operands;
  AsmModifiers mods;
  uint64_t address = 0;
  uint32_t bytes = 0;     ///< Size of the encoding.
  std::array<uint32_t, 4> words{}; ///< The encoding.
  std::string unknown;    ///< A modifier that was not understood, or "".
};

/// Takes `text` (one printed instruction) apart into mnemonic, operands and
/// modifiers. Operand texts point into `inst.text`.
void parseAsm(llvm::StringRef text, AsmInst &inst);

} // namespace aircc::sim

#endif // AIRCC_SIM_ASMTEXT_H
