//===- SimInstructions.cpp - All instructions of a chip -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimInstructions.h"

#include "simulator/isa/MCTables.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>
#include <tuple>

using namespace aircc::sim::test;
using llvm::StringRef;

namespace {

/// LLVM's encoder, decoder and printer for one chip.
struct RoundTrip {
  const std::unique_ptr<aircc::sim::MCTables> mc;
  const std::unique_ptr<llvm::MCCodeEmitter> emitter;

  RoundTrip(const std::string &chip, bool wave32)
      : mc(llvm::cantFail(aircc::sim::MCTables::create(
            *aircc::sim::Chip::parse(chip), wave32))),
        emitter(mc->target->createMCCodeEmitter(*mc->instrs, *mc->context)) {}

  /// Creates an instance with operands that depend on the number of the
  /// attempt: encodings accept different registers and immediates.
  llvm::MCInst instance(unsigned opcode, unsigned attempt) const {
    const llvm::MCInstrDesc &desc = mc->instrs->get(opcode);
    unsigned mode =
        mc->subtarget->getHwMode(llvm::MCSubtargetInfo::HwMode_RegInfo);
    llvm::MCInst inst;
    inst.setOpcode(opcode);
    for (unsigned i = 0; i < desc.getNumOperands(); ++i) {
      int tied = desc.getOperandConstraint(i, llvm::MCOI::TIED_TO);
      if (tied >= 0) {
        inst.addOperand(inst.getOperand(tied));
        continue;
      }
      int classId = mc->instrs->getOpRegClassID(desc.operands()[i], mode);
      if (classId < 0) {
        // 0x150 is DPP's row_newbcast:0, the only control that 64-bit operands
        // permit.
        static const int kImmediates[] = {0, 1, 0x150};
        inst.addOperand(llvm::MCOperand::createImm(kImmediates[attempt / 4]));
        continue;
      }
      const llvm::MCRegisterClass &regs = mc->registers->getRegClass(classId);
      inst.addOperand(llvm::MCOperand::createReg(choose(regs, i, attempt & 3)));
    }
    return inst;
  }

  /// Encodes, decodes and prints. Returns false if the chip has no such
  /// encoding.
  bool roundTrip(const llvm::MCInst &inst, llvm::MCInst &decoded,
                 KnownInstruction::Instance &made) const {
    llvm::SmallVector<char, 32> code;
    llvm::SmallVector<llvm::MCFixup, 4> fixups;
    emitter->encodeInstruction(inst, code, fixups, *mc->subtarget);
    // Room for a literal.
    llvm::SmallVector<uint8_t, 40> bytes(code.begin(), code.end());
    bytes.resize(bytes.size() + 16);
    uint64_t size = 0;
    decoded = llvm::MCInst();
    auto status = mc->disassembler->getInstruction(decoded, size, bytes, 0,
                                                   llvm::nulls());
    if (status != llvm::MCDisassembler::Success || !size)
      return false;
    std::string text;
    llvm::raw_string_ostream stream(text);
    mc->printer->printInst(&decoded, 0, "", *mc->subtarget, stream);
    made.text = StringRef(text).trim().str();
    made.bytes.assign(bytes.begin(), bytes.begin() + size);
    return true;
  }

  /// 0: the first of the class; 1: a vector register; 2: an accumulation
  /// register; 3: a scalar register.
  unsigned choose(const llvm::MCRegisterClass &regs, unsigned operand,
                  unsigned kind) const {
    // Finding a register by its name takes time.
    auto [known, isNew] = chosen.try_emplace({regs.getID(), operand, kind}, 0);
    if (isNew)
      known->second = find(regs, operand, kind);
    return known->second;
  }

  unsigned find(const llvm::MCRegisterClass &regs, unsigned operand,
                unsigned kind) const {
    static const char *const kPrefix[] = {"", "VGPR", "AGPR", "SGPR"};
    unsigned skip = operand * 4, last = 0;
    for (unsigned i = 0; i < regs.getNumRegs(); ++i) {
      StringRef name = mc->registers->getName(regs.getRegister(i));
      if (!name.starts_with(kPrefix[kind]))
        continue;
      last = regs.getRegister(i);
      if (!skip || !kind)
        break;
      --skip;
    }
    return last ? last : unsigned(regs.getRegister(0));
  }

  /// By register class, operand and kind.
  mutable std::map<std::tuple<unsigned, unsigned, unsigned>, unsigned> chosen;
};

/// The family of an opcode, from the encoding's flags in LLVM (SIInstrFlags of
/// its SIDefines.h, in that order) and the suffix of the name.
std::string familyOf(uint64_t flags, StringRef name) {
  static const std::pair<unsigned, const char *> kFamilies[] = {
      {2, "SOP1"},  {3, "SOP2"},   {4, "SOPC"},    {5, "SOPK"},
      {6, "SOPP"},  {12, "VOP3P"}, {7, "VOP1"},    {8, "VOP2"},
      {9, "VOPC"},  {10, "VOP3"},  {17, "MUBUF"},  {18, "MTBUF"},
      {19, "SMEM"}, {20, "MIMG"},  {21, "VIMAGE"}, {22, "VSAMPLE"},
      {23, "EXP"},  {24, "FLAT"},  {25, "DS"},
  };
  std::string family = "other";
  for (auto [bit, text] : kFamilies)
    if (flags >> bit & 1) {
      family = text;
      break;
    }
  if (name.contains("_sdwa"))
    family += " sdwa";
  else if (name.contains("_dpp8"))
    family += " dpp8";
  else if (name.contains("_dpp"))
    family += " dpp16";
  return family;
}

} // namespace

/// Whether LLVM's name of an opcode belongs to a generation other than the
/// chip.
static bool isForeign(StringRef name, StringRef chip) {
  auto has = [&](const char *part) { return name.contains(part); };
  if (chip.starts_with("gfx9"))
    return has("_gfx10") || has("_gfx11") || has("_gfx12") || has("_gfx6") ||
           has("_gfx7");
  bool own = chip.starts_with("gfx11") ? has("_gfx11") : has("_gfx12");
  return !own || has("_gfx1250") || has("_gfx13");
}

/// The immediates to try. LLVM's printer crashes on others in SDWA's fields.
static llvm::ArrayRef<int> immediatesOf(StringRef name) {
  static const int kSdwa[] = {0, 1, 2, 4, 5, 6};
  static const int kDpp[] = {0, 1, 2, 3, 4, 0x101, 0x112, 0x123, 0x140, 0x150};
  static const int kOthers[] = {0, 1, 2, 3, 4, 8, 15};
  if (name.contains("_sdwa"))
    return kSdwa;
  return name.contains("_dpp") ? llvm::ArrayRef<int>(kDpp)
                               : llvm::ArrayRef<int>(kOthers);
}

std::vector<KnownInstruction>
aircc::sim::test::knownInstructions(const std::string &chip, bool wave32,
                                    InstructionSelection selection) {
  RoundTrip coder(chip, wave32);
  std::map<unsigned, KnownInstruction> found;
  for (unsigned op = 0; op < coder.mc->instrs->getNumOpcodes(); ++op) {
    const llvm::MCInstrDesc &desc = coder.mc->instrs->get(op);
    StringRef name = coder.mc->instrs->getName(op);
    // The others are pseudo instructions without an encoding.
    bool real =
        !desc.isPseudo() && (name.ends_with("_vi") || name.contains("_gfx"));
    if (!real || isForeign(name, chip))
      continue;
    // Operand types: vector registers, scalar registers, accumulation
    // registers, and the first of all.
    static const unsigned kRegistersFirst[] = {1, 5, 9,  3, 7, 11,
                                               2, 6, 10, 0, 4, 8};
    for (unsigned n = 0; n < 12; ++n) {
      const unsigned attempt =
          selection.registersFirst ? kRegistersFirst[n] : n;
      llvm::MCInst inst = coder.instance(op, attempt), decoded;
      KnownInstruction::Instance made;
      if (!coder.roundTrip(inst, decoded, made))
        continue;
      KnownInstruction &known = found[decoded.getOpcode()];
      // In a comment, LLVM complains about an operand.
      if (known.instance.text.empty() ||
          StringRef(known.instance.text).contains("/*")) {
        known.opcode = coder.mc->instrs->getName(decoded.getOpcode()).str();
        known.instance = made;
        known.mnemonic = StringRef(made.text).split(' ').first.str();
        known.family =
            StringRef(made.text).contains(" :: ")
                ? "VOPD"
                : familyOf(coder.mc->instrs->get(decoded.getOpcode()).TSFlags,
                           known.opcode);
      }
      if (decoded.getOpcode() != op || StringRef(made.text).contains("/*"))
        continue;
      if (!selection.variants)
        break;
      std::set<std::string> texts = {made.text};
      for (unsigned i = 0; i < inst.getNumOperands(); ++i) {
        if (!inst.getOperand(i).isImm())
          continue;
        for (int value : immediatesOf(name)) {
          llvm::MCInst changed = inst;
          changed.getOperand(i).setImm(value);
          KnownInstruction::Instance variant;
          if (coder.roundTrip(changed, decoded, variant) &&
              decoded.getOpcode() == op &&
              !StringRef(variant.text).contains("/*") &&
              texts.insert(variant.text).second)
            known.variants.push_back(variant);
        }
      }
      break;
    }
  }
  std::vector<KnownInstruction> list;
  for (auto &entry : found)
    list.push_back(std::move(entry.second));
  return list;
}

namespace {
/// Instructions that the simulator does not implement: the beginning of the
/// mnemonic, and the reason.
struct Out {
  const char *prefix;
  const char *reason;
};
const Out kOut[] = {
    {"image_", "images"},
    {"exp", "exports"},
    {"ds_gws_", "synchronization between workgroups on the device"},
    {"ds_ordered_count", "the data share of the device"},
    {"ds_add_gs_reg", "the data share of the device"},
    {"ds_sub_gs_reg", "the data share of the device"},
    {"ds_bvh_", "ray tracing"},
    {"v_interp_", "interpolation"},
    {"lds_param_load", "interpolation"},
    {"ds_param_load", "interpolation"},
    {"v_screen_partition_", "the rasteriser's table of screen tiles"},
    {"global_atomic_ordered_add_b64", "order of a graphics pipeline"},
    {"s_rfe_", "privileged: the return from a trap handler"},
    {"v_mfma_ld_scale_b32", "the first half of v_mfma_scale_*, never alone"},
};
} // namespace

const char *aircc::sim::test::reasonToBeOut(const std::string &mnemonic) {
  for (const Out &out : kOut)
    if (mnemonic.rfind(out.prefix, 0) == 0)
      return out.reason;
  return nullptr;
}
