//===- OpInfo.cpp - What an operation reads, writes and counts ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Made from the printed operands, whose registers and widths are exact, and the
// few things that are not printed. Wait counters: CDNA3 ISA guide, "Manually
// Inserted Wait States", "S_WAITCNT"; RDNA3 and RDNA4 ISA guides, "Data
// Dependency Resolution".
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/OpInfo.h"

#include "simulator/exec/Bind.h"
#include "simulator/exec/matrix/Matrix.h"
#include "simulator/exec/memory/Atomics.h"
#include "simulator/exec/memory/MemoryAccess.h"
#include "simulator/exec/vector/LaneLevel.h"
#include "simulator/isa/BufferFormat.h"

#include "llvm/ADT/StringSwitch.h"

using namespace aircc::sim;
using llvm::StringRef;

namespace {

bool startsWithAny(StringRef name, llvm::ArrayRef<StringRef> prefixes) {
  for (StringRef prefix : prefixes)
    if (name.starts_with(prefix))
      return true;
  return false;
}

class Describer {
public:
  Describer(const Chip &chip, bool wave32, const AsmInst &inst, const Op &op)
      : chip(chip), wave32(wave32), inst(inst), op(op),
        name(canonicalMnemonic(inst.mnemonic)) {}

  OpInfo run();

private:
  using Role = RegRange::Role;

  void count(WaitCounter c) { info.counters |= 1 << static_cast<unsigned>(c); }
  void read(size_t i, Role role = RegRange::Value);
  void write(size_t i);
  void readScalar(unsigned reg, unsigned dwords, Role role = RegRange::Value) {
    info.reads.push_back({false, role, static_cast<uint16_t>(reg),
                          static_cast<uint16_t>(dwords)});
  }
  void writeScalar(unsigned reg, unsigned dwords) {
    info.writes.push_back({false, RegRange::Value, static_cast<uint16_t>(reg),
                           static_cast<uint16_t>(dwords)});
  }
  void readRest(size_t first, Role role = RegRange::Value) {
    for (size_t i = first; i < inst.operands.size(); ++i)
      read(i, role);
  }
  unsigned maskDwords() const { return wave32 ? 1 : 2; }

  void vectorAlu();
  void matrix(const MatrixOp &matrix);
  void scalarAlu();
  void control();
  void scalarMemory();
  void lds();
  void vectorMemory();
  void waits();
  unsigned scopeOf() const;

  const Chip &chip;
  const bool wave32;
  const AsmInst &inst;
  const Op &op;
  const StringRef name;
  OpInfo info;
};

void Describer::read(size_t i, Role role) {
  const AsmOperand &operand = inst.operands[i];
  switch (operand.kind) {
  case AsmOperand::Kind::Vector:
    info.reads.push_back({true, role, operand.reg, operand.dwords});
    return;
  case AsmOperand::Kind::Scalar:
    if (operand.reg != kNull)
      info.reads.push_back({false, role, operand.reg, operand.dwords});
    return;
  case AsmOperand::Kind::Special:
    switch (static_cast<SpecialValue>(operand.reg)) {
    case SpecialValue::Scc:
      info.readsScc = true;
      return;
    case SpecialValue::Vccz:
      return readScalar(kVcc, maskDwords());
    default:
      return;
    }
  default:
    return;
  }
}

void Describer::write(size_t i) {
  if (i >= inst.operands.size())
    return;
  const AsmOperand &operand = inst.operands[i];
  if (operand.kind == AsmOperand::Kind::Vector)
    info.writes.push_back({true, RegRange::Value, operand.reg, operand.dwords});
  else if (operand.kind == AsmOperand::Kind::Scalar && operand.reg != kNull)
    info.writes.push_back(
        {false, RegRange::Value, operand.reg, operand.dwords});
}

/// How far an access reaches. On gfx940 sc0 and sc1 are a scope of two bits for
/// loads and stores; on an atomic sc0 says that it returns the old value.
unsigned Describer::scopeOf() const {
  const AsmModifiers &mods = inst.mods;
  if (chip.isGfx12Plus())
    return mods.scope;
  bool atomic = StringRef(inst.mnemonic).contains("_atomic_");
  if (chip.isGfx940Plus())
    return (mods.sc0 && !atomic ? 1 : 0) + (mods.sc1 ? 2 : 0);
  return mods.glc && !atomic ? 2 : 0;
}

void Describer::vectorAlu() {
  info.opClass = startsWithAny(name, {"v_exp_", "v_log_", "v_rcp_", "v_rsq_",
                                      "v_sqrt_", "v_sin_", "v_cos_"})
                     ? OpClass::Transcendental
                     : OpClass::VectorAlu;
  if (name == "v_nop" || name == "v_clrexcp" || name == "v_pipeflush") {
    info.opClass = OpClass::Hint;
    return;
  }
  if (startsWithAny(name,
                    {"v_swap_b", "v_permlane16_swap", "v_permlane32_swap"})) {
    for (size_t i = 0; i < 2 && i < inst.operands.size(); ++i) {
      read(i);
      write(i);
    }
    info.ignoresExec = !name.starts_with("v_swap_b");
    return;
  }
  info.relative = name.starts_with("v_movrel") || name == "v_swaprel_b32";
  if (name == "v_swaprel_b32") {
    readScalar(kM0, 1);
    return;
  }
  if (info.relative)
    readScalar(kM0, 1);
  info.ignoresExec = name.starts_with("v_readlane") ||
                     name.starts_with("v_writelane") ||
                     name.starts_with("v_permlane");
  size_t next = 0;
  const bool compareExec = name.starts_with("v_cmpx_");
  if (!compareExec || !chip.isGfx10Plus())
    write(next++);
  if (compareExec) {
    writeScalar(kExec, 2);
    info.writesExec = true;
  }
  if (op.dst2.kind == Operand::Kind::Scalar)
    write(next++);
  readRest(next);
  const auto *entry =
      op.kernel ? static_cast<const LaneEntry *>(op.table) : nullptr;
  if ((entry && entry->flags & kTiedDest) || name.starts_with("v_writelane"))
    read(0);
  if (entry && entry->flags & kVccSource)
    readScalar(kVcc, maskDwords());
}

void Describer::matrix(const MatrixOp &matrix) {
  info.opClass = OpClass::Matrix;
  info.ignoresExec = true;
  write(0);
  readRest(1);
  if (matrix.isSparse())
    read(0);
}

void Describer::scalarAlu() {
  info.opClass = OpClass::ScalarAlu;
  const bool compare = startsWithAny(name, {"s_cmp", "s_bitcmp"});
  const bool saveExec =
      name.contains("_saveexec_") || name.contains("_wrexec_");
  info.readsScc =
      startsWithAny(name, {"s_cselect", "s_addc_u32", "s_subb_u32", "s_cmov"});
  const bool isFloat = name.ends_with("_f32") || name.ends_with("_f16");
  info.writesScc =
      compare || saveExec ||
      (!isFloat &&
       startsWithAny(name,
                     {"s_add_u32", "s_add_i32",  "s_addc_u32", "s_addk_i32",
                      "s_sub_u32", "s_sub_i32",  "s_subb_u32", "s_min_",
                      "s_max_",    "s_absdiff",  "s_abs_i32",  "s_and_",
                      "s_andn2_",  "s_or_",      "s_orn2_",    "s_xor_",
                      "s_nand_",   "s_nor_",     "s_xnor_",    "s_lshl",
                      "s_lshr_",   "s_ashr_",    "s_bfe_",     "s_not_",
                      "s_wqm_",    "s_quadmask", "s_bcnt"}));
  if (compare)
    return readRest(0);
  write(0);
  readRest(1);
  if (startsWithAny(name,
                    {"s_addk_", "s_mulk_", "s_cmov", "s_bitset", "s_fmac_"}))
    read(0);
  if (saveExec) {
    readScalar(kExec, maskDwords());
    writeScalar(kExec, maskDwords());
    info.writesExec = true;
  }
}

/// What each generation's wait instructions let be outstanding.
void Describer::waits() {
  info.opClass = OpClass::Wait;
  const uint32_t raw = inst.words[0] & 0xffff;
  auto set = [&](WaitCounter c, unsigned most) {
    info.waits.most[static_cast<unsigned>(c)] = static_cast<uint8_t>(most);
  };
  StringRef kind = name;
  if (kind == "s_waitcnt") {
    if (chip.isGfx11Plus()) {
      set(WaitCounter::Load, raw >> 10 & 63);
      set(WaitCounter::Lds, raw >> 4 & 63);
      set(WaitCounter::Export, raw & 7);
    } else {
      set(WaitCounter::Load, (raw & 15) | (raw >> 14 & 3) << 4);
      set(WaitCounter::Lds, raw >> 8 & (chip.isGfx10Plus() ? 63 : 15));
      set(WaitCounter::Export, raw >> 4 & 7);
    }
    return;
  }
  if (kind.consume_front("s_waitcnt_")) {
    // SOPK: a scalar that is added, which compilers leave null.
    const unsigned most = raw & 63;
    if (kind == "vmcnt")
      set(WaitCounter::Load, most);
    else if (kind == "vscnt")
      set(WaitCounter::Store, most);
    else if (kind == "lgkmcnt")
      set(WaitCounter::Lds, most);
    else if (kind == "expcnt")
      set(WaitCounter::Export, most);
    return;
  }
  kind.consume_front("s_wait_");
  if (kind == "loadcnt")
    set(WaitCounter::Load, raw & 63);
  else if (kind == "storecnt")
    set(WaitCounter::Store, raw & 63);
  else if (kind == "dscnt")
    set(WaitCounter::Lds, raw & 63);
  else if (kind == "kmcnt")
    set(WaitCounter::Scalar, raw & 31);
  else if (kind == "expcnt")
    set(WaitCounter::Export, raw & 7);
  else if (kind == "idle")
    info.waits = WaitCounts{{0, 0, 0, 0, 0}};
  else if (kind == "loadcnt_dscnt" || kind == "storecnt_dscnt") {
    set(kind == "loadcnt_dscnt" ? WaitCounter::Load : WaitCounter::Store,
        raw >> 8 & 63);
    set(WaitCounter::Lds, raw & 63);
  }
}

void Describer::control() {
  info.opClass = OpClass::Hint;
  if (name == "s_endpgm" || name == "s_endpgm_saved") {
    info.opClass = OpClass::End;
  } else if (name == "s_barrier" || name == "s_barrier_wait") {
    info.opClass = OpClass::Barrier;
  } else if (name.starts_with("s_barrier_signal")) {
    info.opClass = OpClass::Signal;
    readRest(0);
  } else if (name.starts_with("s_wait") && name != "s_wait_alu" &&
             name != "s_wait_event" && name != "s_waitcnt_depctr") {
    waits();
  } else if (name == "s_branch" || name.starts_with("s_cbranch_")) {
    info.opClass = OpClass::Branch;
    info.readsScc = name.starts_with("s_cbranch_scc");
    if (name.starts_with("s_cbranch_vcc"))
      readScalar(kVcc, maskDwords());
    if (name.ends_with("_fork") || name == "s_cbranch_join")
      readRest(0);
  } else if (name == "s_setpc_b64") {
    info.opClass = OpClass::Branch;
    readRest(0);
  } else if (name == "s_swappc_b64" || name == "s_call_b64") {
    info.opClass = OpClass::Branch;
    write(0);
    if (name == "s_swappc_b64")
      readRest(1);
  } else if (name == "s_getpc_b64" || name == "s_getreg_b32") {
    info.opClass = OpClass::ScalarAlu;
    write(0);
  } else if (name == "s_setreg_b32") {
    info.opClass = OpClass::ScalarAlu;
    readRest(1);
  } else if (name == "s_memtime" || name == "s_memrealtime") {
    info.opClass = OpClass::ScalarMemory;
    count(WaitCounter::Lds);
    write(0);
  } else if (name.starts_with("s_set_gpr_idx_")) {
    info.opClass = OpClass::ScalarAlu;
    if (name == "s_set_gpr_idx_on" || name == "s_set_gpr_idx_idx")
      readRest(0);
    if (name != "s_set_gpr_idx_off")
      writeScalar(kM0, 1);
  } else if (name.starts_with("s_sleep")) {
    info.sleeps = true;
    if (name == "s_sleep_var")
      readRest(0);
  } else if (name.starts_with("buffer_") || name.starts_with("global_")) {
    info.opClass = OpClass::Cache;
    info.scope = scopeOf();
    info.invalidates = name.contains("inv");
    info.writesBack = name.contains("wb");
    // gfx90a's and gfx11's name the cache instead: the L0 of a compute unit,
    // what the device shares.
    if (name == "buffer_gl0_inv")
      info.scope = 1;
    else if (name == "buffer_gl1_inv" || name.starts_with("buffer_wbinvl1"))
      info.scope = 2;
    else if (!chip.isGfx940Plus() && chip.isGfx9())
      info.scope = 3;
    if (chip.isGfx12Plus())
      count(info.writesBack ? WaitCounter::Store : WaitCounter::Load);
  }
}

void Describer::scalarMemory() {
  info.opClass = OpClass::ScalarMemory;
  count(chip.isGfx12Plus() ? WaitCounter::Scalar : WaitCounter::Lds);
  const bool atomic = name.contains("_atomic_");
  if (atomic || name.contains("store_")) {
    info.access = atomic ? AccessKind::Atomic : AccessKind::Write;
    info.returns = atomic && inst.mods.returns;
    info.bytes =
        atomic ? static_cast<const AtomicOp *>(op.table)->bytes : op.width;
    read(0, RegRange::Data);
    if (info.returns)
      write(0);
  } else {
    info.access = AccessKind::Read;
    info.bytes = op.flags ? op.flags & 15 : op.width;
    write(0);
  }
  readRest(1, RegRange::Address);
}

void Describer::lds() {
  StringRef kind = name;
  kind.consume_front("ds_");
  count(kind.ends_with("direct_load") ? WaitCounter::Export : WaitCounter::Lds);
  if (startsWithAny(kind, {"swizzle", "permute", "bpermute"})) {
    info.opClass = OpClass::LdsPermute;
    write(0);
    return readRest(1);
  }
  info.opClass = OpClass::Lds;
  const bool reads = startsWithAny(kind, {"read", "load"});
  const bool writes = !reads && startsWithAny(kind, {"write", "store"}) &&
                      !startsWithAny(kind, {"storexchg", "wrxchg"});
  if (kind.contains("direct_load")) {
    info.access = AccessKind::Read;
    info.bytes = 4;
    readScalar(kM0, 1, RegRange::Address);
    return write(0);
  }
  if (kind == "append" || kind == "consume") {
    info.access = AccessKind::Atomic;
    info.returns = true;
    info.bytes = 4;
    readScalar(kM0, 1, RegRange::Address);
    return write(0);
  }
  info.access = reads    ? AccessKind::Read
                : writes ? AccessKind::Write
                         : AccessKind::Atomic;
  info.returns = info.access == AccessKind::Atomic && kind.contains("_rtn");
  if (kind.contains("addtid")) {
    info.bytes = 4;
    readScalar(kM0, 1, RegRange::Address);
    if (reads)
      write(0);
    else
      readRest(0, RegRange::Data);
    return;
  }
  if (kind.contains("_tr_"))
    info.bytes = op.flags;
  else if (info.access == AccessKind::Atomic && op.table)
    info.bytes = static_cast<const AtomicOp *>(op.table)->bytes;
  else
    info.bytes = op.width;
  info.places = kind.starts_with("wrxchg2") || kind.contains("2st64") ||
                        kind.contains("2addr") || kind.starts_with("read2") ||
                        kind.starts_with("write2")
                    ? 2
                    : 1;
  size_t next = 0;
  if (reads || info.returns)
    write(next++);
  if (next < inst.operands.size())
    read(next++, RegRange::Address);
  readRest(next, RegRange::Data);
}

void Describer::vectorMemory() {
  StringRef kind = name;
  const bool buffer =
      kind.consume_front("buffer_") || kind.consume_front("tbuffer_");
  if (buffer)
    info.opClass = OpClass::Buffer;
  else if (kind.consume_front("flat_"))
    info.opClass = OpClass::Flat;
  else if (kind.consume_front("global_"))
    info.opClass = OpClass::Global;
  else if (kind.consume_front("scratch_"))
    info.opClass = OpClass::Scratch;
  const bool load = kind.starts_with("load_");
  const bool atomic = kind.starts_with("atomic_");
  info.access = load     ? AccessKind::Read
                : atomic ? AccessKind::Atomic
                         : AccessKind::Write;
  info.returns = atomic && inst.mods.returns;
  info.toLds = load && (kind.contains("_lds_") || inst.mods.lds);
  info.scope = scopeOf();
  info.bytes =
      atomic ? static_cast<const AtomicOp *>(op.table)->bytes : op.width;
  count(chip.isGfx10Plus() && !load && !info.returns ? WaitCounter::Store
                                                     : WaitCounter::Load);
  if (info.opClass == OpClass::Flat)
    count(WaitCounter::Lds);
  if (buffer && kind.contains("format_")) {
    // Of a resource's own format the size is not known here.
    BufferFormat format{static_cast<uint8_t>(inst.mods.dataFormat),
                        static_cast<NumberFormat>(inst.mods.numberFormat)};
    info.bytes = name.starts_with("t") ? format.bytes() : 0;
  }
  if (kind.contains("_addtid")) {
    info.bytes = 4;
    if (load)
      write(0);
    else
      read(0, RegRange::Data);
    return readRest(1, RegRange::Address);
  }
  if (kind.ends_with("_block")) {
    // Registers by M0.
    info.bytes = 4;
    info.relative = true;
    readScalar(kM0, 1);
    return readRest(load ? 1 : 0, RegRange::Address);
  }
  if (kind.starts_with("load_tr_")) {
    info.bytes = 8 * op.width;
    info.ignoresExec = true;
  }
  if (kind.starts_with("store_lds_")) {
    info.bytes = 4;
    readRest(0, RegRange::Address);
    return readScalar(kM0, 1, RegRange::Address);
  }
  if (info.toLds) {
    readRest(0, RegRange::Address);
    return readScalar(kM0, 1, RegRange::Address);
  }
  if (load) {
    write(0);
    return readRest(1, RegRange::Address);
  }
  // Where the data stands: first in MUBUF, behind the address elsewhere.
  size_t next = 0;
  if (buffer) {
    if (info.returns)
      write(0);
    read(next++, RegRange::Data);
  } else {
    if (info.returns)
      write(next++);
    if (next < inst.operands.size())
      read(next++, RegRange::Address);
    if (next < inst.operands.size())
      read(next++, RegRange::Data);
  }
  readRest(next, RegRange::Address);
}

OpInfo Describer::run() {
  const MatrixOp *matrixOp = findMatrixOp(
      inst.mnemonic, {chip.major, chip.minor, chip.stepping}, wave32 ? 32 : 64);
  const bool cache =
      startsWithAny(name, {"buffer_wb", "buffer_inv", "buffer_gl", "global_inv",
                           "global_wb"});
  if (matrixOp)
    matrix(*matrixOp);
  else if (name.starts_with("v_s_"))
    scalarAlu();
  else if (name.starts_with("v_"))
    vectorAlu();
  else if (startsWithAny(name, {"s_load_", "s_buffer_load_", "s_store_",
                                "s_buffer_store_", "s_scratch_", "s_atomic_",
                                "s_buffer_atomic_"}))
    scalarMemory();
  else if (name == "ds_nop")
    info.opClass = OpClass::Hint;
  else if (name.starts_with("ds_") || name == "lds_direct_load")
    lds();
  else if (cache)
    control();
  else if (startsWithAny(
               name, {"flat_", "global_", "scratch_", "buffer_", "tbuffer_"}))
    vectorMemory();
  else if (startsWithAny(name, {"s_barrier", "s_wait", "s_branch", "s_cbranch_",
                                "s_setpc", "s_swappc", "s_call", "s_getpc",
                                "s_getreg", "s_setreg", "s_mem", "s_set_gpr",
                                "s_sleep", "s_endpgm"}))
    control();
  else if (name.starts_with("s_movrel")) {
    info.opClass = OpClass::ScalarAlu;
    info.relative = true;
    readScalar(kM0, 1);
  } else if (name.starts_with("s_sendmsg_rtn_")) {
    info.opClass = OpClass::ScalarMemory;
    count(chip.isGfx12Plus() ? WaitCounter::Scalar : WaitCounter::Lds);
    write(0);
  } else if (op.kernel || op.dst.kind != Operand::Kind::None || op.srcCount ||
             startsWithAny(name, {"s_cmp", "s_bitcmp"}))
    scalarAlu();
  else
    info.opClass = OpClass::Hint;
  for (const RegRange &range : info.writes)
    if (!range.vector && range.first + range.count > kExec)
      info.writesExec = true;
  return std::move(info);
}

} // namespace

OpInfo aircc::sim::describeOp(const Chip &chip, bool wave32,
                              const AsmInst &inst, const Op &op, bool bound) {
  if (!bound)
    return OpInfo();
  return Describer(chip, wave32, inst, op).run();
}

OpInfo aircc::sim::describeDual(const OpInfo &x, const OpInfo &y) {
  OpInfo both = x;
  both.opClass = OpClass::Dual;
  both.reads.append(y.reads.begin(), y.reads.end());
  both.writes.append(y.writes.begin(), y.writes.end());
  both.readsScc |= y.readsScc;
  both.writesScc |= y.writesScc;
  both.writesExec |= y.writesExec;
  return both;
}
