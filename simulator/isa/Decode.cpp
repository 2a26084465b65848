//===- Decode.cpp - From bytes to decoded instructions --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/isa/DecodeTables.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCInst.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace aircc::sim;
using llvm::StringRef;

InstructionDecoder::InstructionDecoder(const Chip &chip, bool wave32)
    : chip(chip), wave32(wave32), tables(std::make_unique<Tables>()) {}
InstructionDecoder::~InstructionDecoder() = default;

llvm::Expected<std::unique_ptr<InstructionDecoder>>
InstructionDecoder::create(const Chip &chip, bool wave32) {
  auto mc = MCTables::create(chip, wave32);
  if (!mc)
    return mc.takeError();
  std::unique_ptr<InstructionDecoder> made(
      new InstructionDecoder(chip, wave32));
  made->forms.resize((*mc)->instrs->getNumOpcodes());
  made->tables->mc = std::move(*mc);
  return std::move(made);
}

const OpcodeForm &InstructionDecoder::formOf(const llvm::MCInst &inst) const {
  std::unique_ptr<const OpcodeForm> &form = forms[inst.getOpcode()];
  if (!form) {
    const MCTables &mc = *tables->mc;
    const unsigned opcode = inst.getOpcode();
    form = std::make_unique<OpcodeForm>(makeForm(
        mc.instrs->get(opcode), mc.instrs->getName(opcode),
        mc.printer->getMnemonic(inst).first, *mc.instrs, *mc.registers,
        mc.subtarget->getHwMode(llvm::MCSubtargetInfo::HwMode_RegInfo)));
  }
  return *form;
}

/// Returns whether VOP1, VOP2 or VOPC with SDWA has a reserved part selection.
static bool hasReservedSelect(uint32_t instruction, uint32_t sdwa) {
  const uint32_t opcode = instruction >> 25;
  auto reserved = [&](unsigned shift) { return (sdwa >> shift & 7) == 7; };
  const bool isCompare = opcode == 0x3e, hasOneSource = opcode == 0x3f;
  return reserved(16) || (!hasOneSource && reserved(24)) ||
         (!isCompare && (reserved(8) || (sdwa >> 11 & 3) == 3));
}

/// Returns whether `low` is the low dword of an f8f6f4 matrix instruction of
/// gfx950.
static bool isF8f6f4(uint32_t low) {
  const uint32_t opcode = low >> 16;
  return opcode == 0xd3ad || opcode == 0xd3ae;
}

/// Returns whether an f8f6f4 matrix instruction has a reserved element format.
/// If it has scales, another instruction with the scales precedes it.
static bool hasReservedFormat(llvm::ArrayRef<uint8_t> bytes) {
  uint32_t words[4] = {};
  std::memcpy(words, bytes.data(), std::min(bytes.size(), sizeof(words)));
  const uint32_t *at = words[0] >> 16 == 0xd3ac ? words + 2 : words;
  return isF8f6f4(at[0]) && ((at[0] >> 8 & 7) > 4 || at[1] >> 29 > 4);
}

/// Returns whether LLVM 22.1 would crash on a reserved gfx9 encoding: a literal
/// where gfx9 has none (a source or scalar destination of VOP3, the scalar
/// offset of MUBUF and MTBUF, the destination of v_readfirstlane), a reserved
/// format or a scalar source of gfx950's f8f6f4 matrix instructions, or a
/// reserved part in SDWA.
static bool isReservedOnGfx9(llvm::ArrayRef<uint8_t> bytes) {
  constexpr uint32_t kLiteral = 0xff, kSdwa = 0xf9;
  uint32_t words[4] = {};
  std::memcpy(words, bytes.data(), std::min(bytes.size(), sizeof(words)));
  auto hasScalarSource = [](uint32_t low, uint32_t high) {
    return isF8f6f4(low) && (!(high >> 8 & 1) || !(high >> 17 & 1));
  };
  if (words[0] >> 25 == 0x3f && (words[0] >> 9 & 255) == 2 &&
      (words[0] >> 17 & 255) == kLiteral)
    return true;
  const uint32_t vop3 = words[0] >> 16 & 0x3ff;
  const bool hasScalarDest = vop3 < 0x100 || vop3 == 0x142 || vop3 == 0x289;
  if (!(words[0] >> 31))
    return (words[0] & 511) == kSdwa && hasReservedSelect(words[0], words[1]);
  switch (words[0] >> 26) {
  case 0x34: // VOP3, VOP3P
    return (hasScalarDest && (words[0] & 255) == kLiteral) ||
           (words[1] & 511) == kLiteral || (words[1] >> 9 & 511) == kLiteral ||
           (words[1] >> 18 & 511) == kLiteral || hasReservedFormat(bytes) ||
           hasScalarSource(words[0], words[1]) ||
           (words[0] >> 16 == 0xd3ac && hasScalarSource(words[2], words[3]));
  case 0x38: // MUBUF
  case 0x3a: // MTBUF
    return words[1] >> 24 == kLiteral;
  }
  return false;
}

/// Does the same for gfx12: a literal as the number of a barrier.
static bool isReservedOnGfx12(llvm::ArrayRef<uint8_t> bytes) {
  uint32_t word = 0;
  std::memcpy(&word, bytes.data(), std::min(bytes.size(), sizeof(word)));
  const uint32_t opcode = word >> 8 & 255;
  return word >> 23 == 0x17d && opcode >= 0x4e && opcode <= 0x52 &&
         (word & 255) == 255;
}

/// Works around a bug in LLVM 22.1, which loses the last lane's upper bit of
/// quad_perm in some VOP3 opcodes whose destination is also a source
/// (v_fma_mixlo_f16, v_cvt_pk_fp8_f32). The last dword of the encoding has it.
static void correctQuads(DecodedInstruction &inst) {
  if (inst.mods.dpp != DppKind::QuadPerm || inst.bytes < 8)
    return;
  const uint32_t control = inst.words[inst.bytes / 4 - 1] >> 8;
  for (unsigned k = 0; k < 4; ++k)
    inst.mods.dppLanes[k] = control >> 2 * k & 3;
}

unsigned InstructionDecoder::decode(llvm::ArrayRef<uint8_t> bytes,
                                    uint64_t address,
                                    DecodedInstruction &out) const {
  std::lock_guard<std::mutex> lock(mutex);
  llvm::MCInst inst;
  uint64_t size = 0;
  if ((chip.isIn(generations::Cdna) && isReservedOnGfx9(bytes)) ||
      (chip.isIn(generations::Gfx12) && isReservedOnGfx12(bytes)) ||
      tables->mc->disassembler->getInstruction(inst, size, bytes, address,
                                               llvm::nulls()) !=
          llvm::MCDisassembler::Success)
    size = 0;
  out.address = address;
  out.bytes = size ? size : std::min<size_t>(4, bytes.size());
  std::memcpy(out.words.data(), bytes.data(),
              std::min<size_t>(out.bytes, sizeof(out.words)));
  if (!size) {
    out.mnemonic = "(undecodable)";
    if (chip.isIn(generations::Gfx950) && hasReservedFormat(bytes))
      out.unknown = "cbsz and blgp must be element formats: 0 to 4";
    return 0;
  }
  out.decoder = this;
  const OpcodeForm &form = formOf(inst);
  out.mnemonic = form.mnemonic;
  out.unknown = decodeFields(inst, form, chip, out.mods);
  correctQuads(out);
  if (!form.secondHalf) {
    fill(inst, form, out);
    return size;
  }
  out.halves.resize(2);
  for (DecodedInstruction &half : out.halves) {
    half.address = out.address;
    half.bytes = out.bytes;
    half.words = out.words;
    half.decoder = this;
  }
  fill(inst, form, out);
  return size;
}

void InstructionDecoder::fill(const llvm::MCInst &inst, const OpcodeForm &form,
                              DecodedInstruction &out) const {
  for (auto [n, slot] : llvm::enumerate(form.operands)) {
    DecodedInstruction &to = !form.secondHalf      ? out
                             : n < form.secondHalf ? out.halves[0]
                                                   : out.halves[1];
    // LLVM does not decode some operands that an instruction preserves.
    if (slot.source != OperandSlot::Source::Operand ||
        slot.index < inst.getNumOperands())
      to.operands.push_back(operandOf(inst, slot, out.unknown));
  }
  if (!form.secondHalf)
    return;
  out.mnemonic = "v_dual";
  out.halves[0].mnemonic = form.mnemonic;
  out.halves[1].mnemonic = form.secondMnemonic;
}

std::string InstructionDecoder::print(const DecodedInstruction &inst) const {
  std::lock_guard<std::mutex> lock(mutex);
  llvm::MCInst decoded;
  uint64_t size = 0;
  llvm::ArrayRef<uint8_t> bytes(
      reinterpret_cast<const uint8_t *>(inst.words.data()),
      std::min<size_t>(inst.bytes, sizeof(inst.words)));
  std::string text;
  if (tables->mc->disassembler->getInstruction(decoded, size, bytes,
                                               inst.address, llvm::nulls()) !=
      llvm::MCDisassembler::Success)
    return text;
  llvm::raw_string_ostream stream(text);
  tables->mc->printer->printInst(&decoded, inst.address, "",
                                 *tables->mc->subtarget, stream);
  return StringRef(text).trim().str();
}

std::string DecodedInstruction::text() const {
  if (decoder)
    return decoder->print(*this);
  if (mnemonic == "(undecodable)")
    return "(undecodable 0x" + llvm::utohexstr(words[0]) + ")";
  return mnemonic;
}
