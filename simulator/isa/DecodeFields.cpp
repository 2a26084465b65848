//===- DecodeFields.cpp - Modifiers of an MCInst --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/isa/BufferFormat.h"
#include "simulator/isa/Decode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCInst.h"
#include "llvm/Support/MathExtras.h"

using namespace aircc::sim;

namespace {

/// Modifier bits of a source (SISrcMods in LLVM's SIDefines.h).
enum SourceModifiers : int64_t {
  kNegLo = 1,
  kNegHi = 2,
  kOpSel = 4,
  kOpSelHi = 8,
  kOpSelDest = 8, ///< Of the destination, kept with the first source in VOP3.
};

/// Decodes the modifiers of one instruction.
class FieldDecoder {
public:
  FieldDecoder(const llvm::MCInst &inst, const OpcodeForm &form,
               const Chip &chip, InstructionModifiers &mods)
      : inst(inst), form(form), chip(chip), mods(mods) {}
  std::string decode();

private:
  void decodeField(Field field, int64_t value);
  void offset(int64_t value);
  void flatOffset(int64_t value);
  void cachePolicy(uint64_t value);
  void format(uint64_t value);
  void dppControl(unsigned control);
  void packed();
  bool packedList(int64_t bit, std::array<uint8_t, 4> &out) const;
  int64_t sourceModifiers(unsigned n) const;

  const llvm::MCInst &inst;
  const OpcodeForm &form;
  const Chip &chip;
  InstructionModifiers &mods;
  std::string problem;
};

} // namespace

std::string FieldDecoder::decode() {
  mods.offen = form.offen;
  mods.idxen = form.idxen;
  mods.tfe = form.tfe;
  mods.lds = form.lds;
  mods.gds = form.gds;
  for (const FieldSlot &slot : form.fields)
    if (slot.index < inst.getNumOperands() &&
        inst.getOperand(slot.index).isImm())
      decodeField(slot.field, inst.getOperand(slot.index).getImm());
  packed();
  if (mods.glc || mods.sc0)
    mods.returns = true;
  return std::move(problem);
}

void FieldDecoder::offset(int64_t value) {
  if (form.tsFlags & flags::kSmem)
    mods.offset = value;
  else if (chip.isIn(generations::Gfx12) &&
           form.tsFlags & (flags::kMubuf | flags::kMtbuf))
    mods.offset = llvm::SignExtend32<24>(value);
  else
    mods.offset = value & 0xffff;
}

void FieldDecoder::flatOffset(int64_t value) {
  const bool isSigned = form.tsFlags & (flags::kGlobal | flags::kScratch) ||
                        chip.isIn(generations::Gfx12);
  mods.offset =
      isSigned ? llvm::SignExtend32(static_cast<uint32_t>(value),
                                    chip.isIn(generations::Gfx12) ? 24 : 13)
               : value & 0xffff;
}

/// CPol in LLVM's SIDefines.h.
void FieldDecoder::cachePolicy(uint64_t value) {
  if (chip.isIn(generations::Gfx12)) {
    mods.scope = value >> 3 & 3;
    mods.slc = value >> 5 & 1; // Non-volatile.
    if (value >> 11 & 1 && problem.empty())
      problem = "scale_offset";
    // With the lowest bit of its temporal hint, an atomic returns the old
    // value.
    if (form.tsFlags & flags::kAtomic && value & 1)
      mods.returns = true;
    return;
  }
  const bool glc = value & 1, slc = value & 2;
  if (chip.isIn(generations::From940) && !(form.tsFlags & flags::kSmem))
    mods.sc0 = glc;
  else
    mods.glc = glc;
  (chip.isIn(generations::From940) ? mods.nt : mods.slc) = slc;
  mods.dlc = chip.isIn(generations::Rdna) && value & 4;
  mods.sc1 = chip.isIn(generations::Cdna) && value & 16;
}

void FieldDecoder::format(uint64_t value) {
  BufferFormat format;
  if (chip.isIn(generations::Rdna)) {
    format = unifiedBufferFormat(value);
  } else {
    format.data = value & 15;
    format.number = static_cast<NumberFormat>(value >> 4 & 7);
  }
  mods.dataFormat = format.data;
  mods.numberFormat = static_cast<int>(format.number);
}

void FieldDecoder::dppControl(unsigned control) {
  struct Range {
    unsigned first, last;
    DppKind kind;
    bool gfx9, later;
  };
  // "DPP_CTRL Enumerations" of the ISA guides.
  static const Range kRanges[] = {
      {0x101, 0x10f, DppKind::RowShl, true, true},
      {0x111, 0x11f, DppKind::RowShr, true, true},
      {0x121, 0x12f, DppKind::RowRor, true, true},
      {0x130, 0x130, DppKind::WaveShl, true, false},
      {0x134, 0x134, DppKind::WaveRol, true, false},
      {0x138, 0x138, DppKind::WaveShr, true, false},
      {0x13c, 0x13c, DppKind::WaveRor, true, false},
      {0x140, 0x140, DppKind::RowMirror, true, true},
      {0x141, 0x141, DppKind::RowHalfMirror, true, true},
      {0x142, 0x143, DppKind::RowBcast, true, false},
      {0x150, 0x15f, DppKind::RowNewBcast, true, false},
      {0x150, 0x15f, DppKind::RowShare, false, true},
      {0x160, 0x16f, DppKind::RowXmask, false, true},
  };
  auto refuse = [&] {
    if (problem.empty())
      problem = "dpp_ctrl 0x" + llvm::utohexstr(control, /*LowerCase=*/true);
  };
  if (form.isWideNewBcast && (control < 0x150 || control > 0x15f))
    return refuse();
  if (control < 0x100) {
    mods.dpp = DppKind::QuadPerm;
    for (unsigned k = 0; k < 4; ++k)
      mods.dppLanes[k] = control >> 2 * k & 3;
    return;
  }
  for (const Range &range : kRanges) {
    if (control < range.first || control > range.last ||
        !(chip.isIn(generations::Cdna) ? range.gfx9 : range.later))
      continue;
    mods.dpp = range.kind;
    if (range.kind == DppKind::RowBcast)
      mods.dppAmount = control == 0x142 ? 15 : 31;
    else if (range.first == range.last)
      mods.dppAmount = control < 0x140 ? 1 : 0;
    else
      mods.dppAmount = control & 15;
    return;
  }
  refuse();
}

void FieldDecoder::decodeField(Field field, int64_t value) {
  switch (field) {
  case Field::Ignored:
  case Field::OpSel:
  case Field::OpSelHi:
  case Field::NegLo:
  case Field::NegHi: // packed() decodes these.
    return;
  case Field::Abid:
    mods.abid = value;
    return;
  case Field::BankMask:
    mods.bankMask = value & 15;
    return;
  case Field::Bitop3:
    mods.bitop3 = value & 255;
    return;
  case Field::Blgp:
    if (!form.isF64Matrix) {
      mods.blgp = value;
      return;
    }
    for (unsigned i = 0; i < 3; ++i)
      mods.negLo[i] = value >> i & 1;
    return;
  case Field::BoundCtrl:
    mods.boundCtrl = value != 0;
    return;
  case Field::ByteSel:
    mods.byteSel = value;
    return;
  case Field::CachePolicy:
    return cachePolicy(value);
  case Field::Cbsz:
    mods.cbsz = value;
    return;
  case Field::Clamp:
    mods.clamp = value != 0;
    return;
  case Field::Dpp8:
    mods.dpp = DppKind::Dpp8;
    // Without FI, inactive lanes read as zero (RDNA3 ISA guide, "DPP8").
    mods.boundCtrl = true;
    for (unsigned k = 0; k < 8; ++k)
      mods.dppLanes[k] = value >> 3 * k & 7;
    return;
  case Field::DppCtrl:
    return dppControl(value);
  case Field::DstSel:
    mods.sdwa = true;
    mods.dstSel = static_cast<SdwaSel>(value);
    return;
  case Field::DstUnused:
    mods.sdwa = true;
    mods.dstUnused = static_cast<SdwaUnused>(value);
    return;
  case Field::FetchInactive:
    // DPP8 has two encodings, 0xe9 and 0xea; the second one is with FI.
    mods.fetchInactive = value == 1 || value == 0xea;
    return;
  case Field::FlatOffset:
    return flatOffset(value);
  case Field::Format:
    return format(value);
  case Field::Gds:
    mods.gds = value != 0;
    return;
  case Field::IndexKey:
    mods.indexKey = value;
    return;
  case Field::Offset:
    return offset(value);
  case Field::Offset0:
    mods.offset0 = value & 255;
    return;
  case Field::Offset1:
    mods.offset1 = value & 255;
    return;
  case Field::Omod: {
    static const int kFactors[] = {1, 2, 4, -2};
    mods.omodMul = kFactors[value & 3];
    return;
  }
  case Field::RowMask:
    mods.rowMask = value & 15;
    return;
  case Field::Src0Sel:
    mods.sdwa = true;
    mods.srcSel[0] = static_cast<SdwaSel>(value);
    return;
  case Field::Src1Sel:
    mods.sdwa = true;
    mods.srcSel[1] = static_cast<SdwaSel>(value);
    return;
  }
}

int64_t FieldDecoder::sourceModifiers(unsigned n) const {
  const int index = form.sourceModifiers[n];
  if (index < 0 || unsigned(index) >= inst.getNumOperands() ||
      !inst.getOperand(index).isImm())
    return 0;
  return inst.getOperand(index).getImm();
}

/// Collects the bits of a modifier of VOP3 and VOP3P, which LLVM stores with
/// each source. Returns false if all have their default values.
bool FieldDecoder::packedList(int64_t bit, std::array<uint8_t, 4> &out) const {
  const bool isPacked = form.tsFlags & flags::kPacked;
  const uint8_t defaultValue = isPacked && bit == kOpSelHi;
  std::array<uint8_t, 4> list = out;
  bool isSet = false;
  for (unsigned n = 0; n < form.sources; ++n) {
    list[n] = (sourceModifiers(n) & bit) != 0;
    isSet |= list[n] != defaultValue;
  }
  if (bit == kOpSel && form.tsFlags & flags::kOpSel && form.sources) {
    list[form.sources] = (sourceModifiers(0) & kOpSelDest) != 0;
    isSet |= list[form.sources] != 0;
  }
  if (isSet)
    out = list;
  return isSet;
}

void FieldDecoder::packed() {
  if (form.isPermlane) {
    const bool fi = sourceModifiers(0) & kOpSel,
               bound = sourceModifiers(1) & kOpSel;
    mods.opSel[0] = fi;
    mods.opSel[1] = bound;
    mods.hasOpSel = fi || bound;
    return;
  }
  if (form.has(Field::OpSel))
    mods.hasOpSel = packedList(kOpSel, mods.opSel);
  if (form.has(Field::OpSelHi))
    mods.hasOpSelHi = packedList(kOpSelHi, mods.opSelHi);
  if (form.has(Field::NegLo))
    packedList(kNegLo, mods.negLo);
  if (form.has(Field::NegHi))
    packedList(kNegHi, mods.negHi);
}

std::string aircc::sim::decodeFields(const llvm::MCInst &inst,
                                     const OpcodeForm &form, const Chip &chip,
                                     InstructionModifiers &mods) {
  return FieldDecoder(inst, form, chip, mods).decode();
}
