//===- Modifiers.h - Registers and modifiers in assembly --------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This header does not use LLVM, because code that is compiled once for each
// level of the host's vector instructions includes it.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_MODIFIERS_H
#define AIRCC_SIMULATOR_ISA_MODIFIERS_H

#include <array>
#include <cstdint>

namespace aircc::sim {

/// The rows of the vector register file: v0..v255, then a0..a255.
constexpr unsigned kFirstAgprRow = 256;
constexpr unsigned kVectorRows = 512;

/// The numbers of scalar registers: s0..s105, then the encodings of the others.
enum ScalarReg : uint16_t {
  kFlatScratch = 102, ///< flat_scratch_lo on gfx9, s102 elsewhere.
  kXnackMask = 104,
  kVcc = 106,
  kTtmp0 = 108,
  kM0 = 124,
  kNull = 125, ///< Reads zero, drops writes.
  kExec = 126,
  kScalarRegs = 128,
};

/// Values that are encoded like registers and can only be read.
enum class SpecialValue : uint8_t {
  Scc,
  Vccz,
  Execz,
  SharedBase,
  SharedLimit,
  PrivateBase,
  PrivateLimit,
};

/// Lane patterns of DPP.
enum class DppKind : uint8_t {
  None,
  QuadPerm,
  RowShl,
  RowShr,
  RowRor,
  WaveShl,
  WaveShr,
  WaveRol,
  WaveRor,
  RowMirror,
  RowHalfMirror,
  RowBcast,
  RowNewBcast,
  RowShare,
  RowXmask,
  Dpp8,
};

/// The part of a dword that SDWA selects.
enum class SdwaSel : uint8_t {
  Byte0,
  Byte1,
  Byte2,
  Byte3,
  Word0,
  Word1,
  Dword
};
enum class SdwaUnused : uint8_t { Pad, Sext, Preserve };

struct InstructionModifiers {
  int64_t offset = 0, offset0 = 0, offset1 = 0;
  bool offen = false, idxen = false, lds = false, gds = false, tfe = false;
  bool glc = false, slc = false, dlc = false, sc0 = false, sc1 = false,
       nt = false;
  bool clamp = false;
  int omodMul = 1; ///< Factor: 1, 2 or 4; -2 divides by 2.
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
  int scope = 0;                        ///< gfx12: 0 CU, 1 SE, 2 DEV, 3 SYS
  int dataFormat = 1, numberFormat = 0; ///< MTBUF; the default is 8 UNORM.
  bool returns = false; ///< th:TH_ATOMIC_RETURN, or glc/sc0 on an atomic.
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_MODIFIERS_H
