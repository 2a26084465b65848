//===- Definedness.cpp - Values that were never written -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/check/Definedness.h"

#include "simulator/check/UndefinedBits.h"
#include "simulator/exec/RelativeRegisters.h"
#include "simulator/exec/matrix/Matrix.h"
#include "simulator/exec/vector/OperandParts.h"
#include "simulator/exec/vector/ScaledConversion.h"
#include "simulator/isa/InstructionRecord.h"

#include "llvm/ADT/bit.h"

using namespace aircc::sim;

/// The undefined bits of the destinations of an operation.
struct Definedness::Result {
  Operand dst, dst2;
  bool execDest = false;
  uint64_t writable = 0;
  uint64_t mask = 0, mask2 = 0; ///< The undefined lanes of masks.
  uint64_t lanes = 0;           ///< The lanes that are set in `bits`.
  uint64_t bits[kRowLanes];
  Origin origin;
};

/// Updates WaveShadow::undefined for the registers that `each` visits.
template <class Each> static void refresh(WaveShadow &s, const Each &each) {
  each([&](unsigned place) {
    const bool undefined = place < kVectorRows ? s.lanes[place] != 0
                           : place == RegisterSet::kScc
                               ? s.scc
                               : s.scalars[place - kVectorRows] != 0;
    s.undefined.set(place, undefined);
  });
}

void Definedness::beginWave(const Wave &wave, WaveShadow &s,
                            const Kernel &kernel) {
  const uint64_t all = wave.laneMask();
  std::fill(std::begin(s.lanes), std::end(s.lanes), all);
  s.uniform.words.fill(~uint64_t(0));
  std::fill(std::begin(s.scalarOrigin), std::end(s.scalarOrigin), Origin());
  s.undefined.words.fill(~uint64_t(0));
  // The launch fills registers with kUnwritten before it initializes some of
  // them.
  for (unsigned reg = 0; reg < 4 && reg < kernel.vgprCount; ++reg) {
    const uint32_t *values = wave.rows + reg * kRowLanes;
    uint64_t defined = 0;
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      defined |= uint64_t(values[lane] != kUnwritten) << lane;
    s.define(reg, defined);
    s.undefined.set(RegisterSet::indexOf(true, reg), defined != all);
  }
  s.scc = false;
  s.undefined.set(RegisterSet::kScc, false);
  for (unsigned reg = 0; reg < kShadowScalars; ++reg)
    s.scalars[reg] = wave.scalars[reg] == kUnwritten ? ~0u : 0;
  s.scalars[kExec] = s.scalars[kExec + 1] = s.scalars[kNull] = 0;
  static_assert(kVectorRows % 64 == 0);
  for (unsigned first = 0; first < kShadowScalars; first += 64) {
    uint64_t undefined = 0;
    for (unsigned k = 0; k < 64 && first + k < kShadowScalars; ++k)
      undefined |= uint64_t(s.scalars[first + k] != 0) << k;
    s.undefined.words[(kVectorRows + first) / 64] = undefined;
  }
  s.scratch.assign(size_t(wave.scratchBytes) * wave.lanes, 0xff);
  s.scratchOrigins.clear();
}

void Definedness::report(const Wave &wave, const Op &op, uint64_t lanes,
                         const std::string &what, const Origin &origin) {
  if (!reports.isNew(FaultKind::Uninitialized, op))
    return;
  std::string note;
  if (origin.kind == Origin::Lds)
    note = "the value was read from LDS that was never written, at " +
           reports.describe(*origin.op);
  else if (origin.kind == Origin::Scratch)
    note = "the value was read from scratch that was never written, at " +
           reports.describe(*origin.op);
  else
    note = "the value is from a register that was never written";
  reports.add(FaultKind::Uninitialized, wave, op, lanes, what, {note});
}

void Definedness::refreshTouched(WaveShadow &s, const Op &op,
                                 const TouchedRegisters &touched) {
  if (!op.info->relative)
    return refresh(s, [&](auto visit) { touched.forEach(visit); });
  refresh(s, [&](auto visit) {
    for (unsigned place = 0; place <= RegisterSet::kScc; ++place)
      visit(place);
  });
}

void Definedness::follow(Wave &wave, WaveShadow &s, const Op &op) {
  switch (op.info->opClass) {
  case OpClass::VectorAlu:
  case OpClass::Transcendental:
  case OpClass::Dual:
    return vector(wave, s, op);
  case OpClass::ScalarAlu:
    return scalar(wave, s, op);
  case OpClass::Matrix:
    return matrix(wave, s, op);
  case OpClass::LdsPermute:
    return permute(wave, s, op);
  case OpClass::ScalarMemory:
  case OpClass::Lds:
  case OpClass::Flat:
  case OpClass::Global:
  case OpClass::Scratch:
  case OpClass::Buffer:
    return memory(wave, s, op);
  case OpClass::Branch:
    return branch(wave, s, op);
  default:
    return;
  }
}

void Definedness::vector(Wave &wave, WaveShadow &s, const Op &op) {
  const OpInfo &info = *op.info;
  const bool dual = info.opClass == OpClass::Dual;
  if (!op.kernel && !dual)
    return op.record->table == InstructionTable::ScaledConvert
               ? scaledConversion(wave, s, op)
               : crossLane(wave, s, op);
  const uint64_t exec = wave.exec();
  uint64_t any = 0;
  uint32_t scalars = info.readsScc && s.scc;
  for (const RegRange &range : info.reads) {
    if (range.vector)
      for (unsigned k = 0; k < range.count; ++k)
        any |= s.lanes[range.first + k];
    else
      for (unsigned k = 0; k < range.count; ++k)
        scalars |= s.scalars[range.first + k];
  }
  const bool dpp = op.mods->dpp != DppKind::None;
  if (!dual && op.dst.kind == Operand::Kind::Vector &&
      (op.dst.opSel || dpp || op.mods->sdwa))
    any |= s.lanes[op.dst.reg];
  if (!dpp)
    any &= exec;
  if (!any && !scalars) {
    for (const RegRange &range : info.writes) {
      if (range.vector)
        for (unsigned k = 0; k < range.count; ++k)
          s.define(range.first + k, exec);
      else
        for (unsigned k = 0; k < range.count; ++k)
          s.scalars[range.first + k] = 0;
    }
    return;
  }
  if (dual) {
    const Op *pair = static_cast<const Op *>(op.table);
    Result x, y;
    vectorSlow(wave, s, pair[0], x);
    vectorSlow(wave, s, pair[1], y);
    commit(wave, s, pair[0], x);
    commit(wave, s, pair[1], y);
    return;
  }
  Result result;
  vectorSlow(wave, s, op, result);
  commit(wave, s, op, result);
}

/// Returns a source with the same value for all lanes.
static Bits readUniform(const Wave &wave, const WaveShadow &s,
                        const Operand &from, Origin &origin) {
  switch (from.kind) {
  case Operand::Kind::Constant:
    return {from.constant, 0};
  case Operand::Kind::Special: {
    const bool isScc = static_cast<SpecialValue>(from.reg) == SpecialValue::Scc;
    return {readScalar(wave, from), isScc && s.scc};
  }
  case Operand::Kind::Scalar: {
    const bool isPair = from.dwords == 2 || from.type == ValueType::Mask;
    const Bits bits{isPair ? wave.scalar64(from.reg) : wave.scalars[from.reg],
                    isPair ? scalarPair(s, from.reg) : s.scalars[from.reg]};
    if (bits.undefined)
      origin = s.scalarOrigin[from.reg];
    return bits;
  }
  default:
    return {};
  }
}

/// Returns lane `lane` of a vector register or a pair of them.
static Bits readLane(Wave &wave, WaveShadow &s, const Operand &from,
                     unsigned lane, Origin &origin) {
  Bits bits{wave.row(from.reg)[lane], s.getBits(from.reg, lane)};
  if (from.dwords == 2) {
    bits.value |= uint64_t(wave.row(from.reg + 1)[lane]) << 32;
    bits.undefined |= uint64_t(s.getBits(from.reg + 1, lane)) << 32;
  }
  if (bits.undefined)
    origin =
        s.originOf(from.dwords == 2 && !uint32_t(bits.undefined) ? from.reg + 1
                                                                 : from.reg);
  return bits;
}

/// Reduces source number `index` to the part that the operation reads.
static void selectPart(Bits &bits, const Operand &from,
                       const InstructionModifiers &mods, unsigned index,
                       unsigned lane) {
  auto select = [&](auto part) {
    bits.value = part(bits.value);
    bits.undefined = part(bits.undefined);
  };
  if (from.type == ValueType::Mask) {
    select([&](uint64_t v) { return v >> lane & 1; });
  } else if (mods.sdwa && index < 2 && mods.srcSel[index] != SdwaSel::Dword) {
    select([part = sdwaPart(mods.srcSel[index])](uint64_t v) {
      return part.of(static_cast<uint32_t>(v));
    });
    if (from.sext && bits.undefined)
      bits.undefined = 0xffffffff;
  } else if (isPacked16(from.type)) {
    select([&](uint64_t v) {
      return packedHalves(static_cast<uint32_t>(v), from.opSel);
    });
  } else if (isPacked32(from.type)) {
    select([&](uint64_t v) { return packedDwords(v, from.opSel); });
  } else if (const BitPart part = halfPart(from); !part.isAll()) {
    select([&](uint64_t v) { return part.of(static_cast<uint32_t>(v)); });
  }
}

void Definedness::vectorSlow(Wave &wave, WaveShadow &s, const Op &op,
                             Result &r) {
  const InstructionModifiers &mods = *op.mods;
  const InstructionRecord &record = *op.record;
  const uint64_t exec = wave.exec();
  r.dst = op.dst;
  r.dst2 = op.dst2;
  r.execDest = record.has(trait::WritesExec);
  r.writable = exec;
  const unsigned count = std::min<unsigned>(op.srcCount, 3);
  Bits uniform[3];
  for (unsigned i = 0; i < count; ++i)
    uniform[i] = readUniform(wave, s, op.src[i], r.origin);
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    const uint64_t laneBit = uint64_t(1) << lane;
    Bits in[3];
    for (unsigned i = 0; i < count; ++i) {
      in[i] = uniform[i];
      if (op.src[i].kind == Operand::Kind::Vector) {
        int source = lane;
        if (i == 0 && mods.dpp != DppKind::None) {
          const DppLane dpp = dppLane(mods, lane, wave.lanes, exec);
          source = dpp.from;
          if (!dpp.writes)
            r.writable &= ~laneBit;
        }
        if (source >= 0)
          in[i] = readLane(wave, s, op.src[i], source, r.origin);
      }
      selectPart(in[i], op.src[i], mods, i, lane);
    }
    uint64_t u = transfer(record.transfer, in, count, op.dst.type, op.src);
    uint64_t any = in[0].undefined | in[1].undefined | in[2].undefined;
    if (record.has(trait::ReadsVcc) && scalarPair(s, kVcc) & laneBit)
      u = any = lowBits(typeBits(op.dst.type));
    if (op.dst.type == ValueType::Mask) {
      r.mask |= any ? laneBit : 0;
    } else {
      r.bits[lane] = u;
      r.lanes |= laneBit;
    }
    r.mask2 |= any ? laneBit : 0;
  }
}

void Definedness::writeScalar(Wave &wave, WaveShadow &s, const Op &op,
                              unsigned reg, unsigned dwords, uint64_t undefined,
                              const Origin &origin) {
  if (reg == kNull)
    return;
  if (reg == kExec || reg == kExec + 1) {
    undefined &= reg == kExec ? wave.laneMask() : wave.laneMask() >> 32;
    if (undefined)
      report(wave, op, undefined, "EXEC depends on it", origin);
    return;
  }
  for (unsigned k = 0; k < dwords; ++k) {
    s.scalars[reg + k] = static_cast<uint32_t>(undefined >> 32 * k);
    if (s.scalars[reg + k])
      s.scalarOrigin[reg + k] = origin;
  }
}

void Definedness::commit(Wave &wave, WaveShadow &s, const Op &op,
                         const Result &r) {
  const unsigned maskDwords = wave.lanes == 64 ? 2 : 1;
  if (r.dst.type == ValueType::Mask) {
    if (r.dst.kind == Operand::Kind::Scalar)
      writeScalar(wave, s, op, r.dst.reg, maskDwords, r.mask, r.origin);
    if (r.execDest)
      writeScalar(wave, s, op, kExec, maskDwords, r.mask, r.origin);
    return;
  }
  const ResultPart part = resultPart(*op.mods, r.dst);
  for (uint64_t rest = r.lanes & r.writable; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    uint64_t u = r.bits[lane];
    const uint32_t old = s.row(r.dst.reg)[lane];
    if (!part.isAll()) {
      u = u << part.shift & part.mask();
      if (part.rest == ResultPart::Keep)
        u |= old & ~part.mask();
      else if (part.rest == ResultPart::Sign && u)
        u |= ~uint64_t(0) << part.shift & 0xffffffff;
    }
    for (unsigned k = 0; k < r.dst.dwords; ++k)
      s.setBits(r.dst.reg + k, lane, static_cast<uint32_t>(u >> 32 * k));
  }
  for (unsigned k = 0; k < r.dst.dwords; ++k)
    if (s.lanes[r.dst.reg + k] & r.lanes)
      s.rowOrigin[r.dst.reg + k] = r.origin;
  if (r.dst2.kind == Operand::Kind::Scalar)
    writeScalar(wave, s, op, r.dst2.reg, maskDwords, r.mask2, r.origin);
}

/// Handles v_readlane and v_readfirstlane.
void Definedness::readLaneScalar(Wave &wave, WaveShadow &s, const Op &op) {
  const Operand &from = op.src[0];
  const uint64_t exec = wave.exec();
  unsigned lane = exec ? llvm::countr_zero(exec) : 0;
  if (op.record->has(trait::ChoosesLane))
    lane =
        static_cast<unsigned>(readScalar(wave, op.src[1])) & (wave.lanes - 1);
  uint32_t undefined = 0;
  Origin origin;
  if (from.kind == Operand::Kind::Vector) {
    undefined = s.row(from.reg)[lane];
    origin = s.originOf(from.reg);
  } else if (from.kind == Operand::Kind::Scalar) {
    undefined = s.scalars[from.reg];
    origin = s.scalarOrigin[from.reg];
  }
  writeScalar(wave, s, op, op.dst.reg, 1, undefined, origin);
}

/// Executes an operation that only moves bits between lanes, but on the
/// undefined bits in place of the values.
void Definedness::moveUndefined(Wave &wave, WaveShadow &s, const Op &op,
                                unsigned source, unsigned dest) {
  s.row(source);
  s.row(dest);
  uint32_t *rows = wave.rows;
  wave.rows = s.bits.get();
  op.handler(wave, op);
  wave.rows = rows;
  for (unsigned row : {dest, source}) {
    s.lanes[row] = 0;
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      s.lanes[row] |= uint64_t(s.row(row)[lane] != 0) << lane;
  }
  if (s.lanes[dest])
    s.rowOrigin[dest] = s.originOf(source);
}

/// Handles v_readlane, v_permlane* and similar operations (CrossLaneOps.cpp).
void Definedness::crossLane(Wave &wave, WaveShadow &s, const Op &op) {
  const InstructionRecord &record = *op.record;
  const Operand &from = op.src[0];
  if (record.has(trait::ReadsLane))
    return readLaneScalar(wave, s, op);
  const bool isVector = from.kind == Operand::Kind::Vector;
  const uint32_t uniform =
      from.kind == Operand::Kind::Scalar ? s.scalars[from.reg] : 0;
  if (record.has(trait::ChoosesLane)) {
    const unsigned lane =
        static_cast<unsigned>(readScalar(wave, op.src[1])) & (wave.lanes - 1);
    s.setBits(op.dst.reg, lane, uniform);
    if (uniform)
      s.rowOrigin[op.dst.reg] = s.scalarOrigin[from.reg];
    return;
  }
  unsigned source = from.reg, dest = op.dst.reg;
  if (op.info->relative) {
    source = isVector ? relativeRegister(wave, op, source, true) : source;
    dest = relativeRegister(wave, op, dest, false);
    if (source >= kVectorRows || dest >= kVectorRows)
      return;
  }
  if (record.table == InstructionTable::MoveRelative) {
    for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
      const unsigned lane = llvm::countr_zero(rest);
      s.setBits(dest, lane, isVector ? s.row(source)[lane] : uniform);
    }
    s.rowOrigin[dest] = isVector ? s.originOf(source) : Origin();
    return;
  }
  if (!(s.lanes[source] | s.lanes[dest]))
    return;
  // If a vector register selects the lanes, its undefined bits cannot. The
  // result is then undefined if any bit of the source is.
  if (record.transfer == TransferKind::Gather) {
    for (uint64_t rest = wave.exec(); rest; rest &= rest - 1)
      s.setBits(dest, llvm::countr_zero(rest), s.lanes[source] ? ~0u : 0);
    s.rowOrigin[dest] = s.originOf(source);
    return;
  }
  moveUndefined(wave, s, op, source, dest);
}

/// Handles V_CVT_SCALEF32_*: an undefined bit in a lane's sources makes all
/// bits that the lane writes undefined.
void Definedness::scaledConversion(Wave &wave, WaveShadow &s, const Op &op) {
  const uint32_t written = getScaledConversionBits(op);
  for (uint64_t rest = wave.exec(); rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    bool isUndefined = false;
    Origin origin;
    for (const Operand &from : llvm::ArrayRef(op.src).take_front(op.srcCount))
      for (unsigned k = 0; k < from.dwords; ++k) {
        if (from.kind == Operand::Kind::Vector && s.row(from.reg + k)[lane])
          origin = s.originOf(from.reg + k);
        else if (from.kind == Operand::Kind::Scalar && s.scalars[from.reg + k])
          origin = s.scalarOrigin[from.reg + k];
        else
          continue;
        isUndefined = true;
      }
    for (unsigned k = 0; k < op.dst.dwords; ++k) {
      const unsigned reg = op.dst.reg + k;
      const uint32_t mask = k == 0 ? written : ~0u;
      s.setBits(reg, lane,
                (s.row(reg)[lane] & ~mask) | (isUndefined ? mask : 0));
      if (isUndefined)
        s.rowOrigin[reg] = origin;
    }
  }
}

void Definedness::matrix(Wave &wave, WaveShadow &s, const Op &op) {
  const auto &matrix = *static_cast<const MatrixOp *>(op.table);
  const uint64_t all = wave.laneMask();
  auto undefinedOf = [&](unsigned reg, unsigned count, Origin &origin) {
    uint64_t any = 0;
    for (unsigned k = 0; k < count; ++k)
      if (s.lanes[reg + k]) {
        any |= s.lanes[reg + k];
        origin = s.originOf(reg + k);
      }
    return any;
  };
  // Be conservative: an undefined element of A, B, the index or a scale makes
  // all of D undefined. C and D have the same layout.
  Origin origin;
  const unsigned inputs = matrix.isSparse() ? 3 : 2;
  uint64_t any = 0;
  for (unsigned i = 0; i < inputs; ++i)
    any |= undefinedOf(op.src[i].reg, op.src[i].dwords, origin);
  if (matrix.scaled) {
    any |= undefinedOf(op.src[3].reg, 1, origin);
    any |= undefinedOf(static_cast<unsigned>(op.imm), 1, origin);
  }
  const unsigned count = op.dst.dwords;
  if (any) {
    for (unsigned k = 0; k < count; ++k) {
      s.lanes[op.dst.reg + k] = all;
      std::fill_n(s.row(op.dst.reg + k), wave.lanes, ~0u);
      s.rowOrigin[op.dst.reg + k] = origin;
    }
    return;
  }
  if (matrix.isSparse())
    return; // It accumulates in place.
  if (op.src[2].kind != Operand::Kind::Vector) {
    for (unsigned k = 0; k < count; ++k)
      s.define(op.dst.reg + k, all);
    return;
  }
  if (op.src[2].reg == op.dst.reg)
    return;
  // Registers may overlap, so read all of C first.
  Origin fromC;
  if (!undefinedOf(op.src[2].reg, count, fromC)) {
    for (unsigned k = 0; k < count; ++k)
      s.define(op.dst.reg + k, all);
    return;
  }
  std::vector<uint32_t> copy;
  for (unsigned k = 0; k < count; ++k) {
    const uint32_t *row = s.row(op.src[2].reg + k);
    copy.insert(copy.end(), row, row + kRowLanes);
  }
  for (unsigned k = 0; k < count; ++k) {
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      s.setBits(op.dst.reg + k, lane, copy[k * kRowLanes + lane] ? ~0u : 0);
    s.rowOrigin[op.dst.reg + k] = fromC;
  }
}

void Definedness::branch(Wave &wave, WaveShadow &s, const Op &op) {
  const OpInfo &info = *op.info;
  if (info.readsScc && s.scc) {
    report(wave, op, 0, "a branch depends on it", s.sccOrigin);
    s.scc = false;
  }
  for (const RegRange &range : info.reads) {
    uint64_t undefined = s.scalars[range.first];
    if (range.count > 1)
      undefined = scalarPair(s, range.first);
    if (!undefined)
      continue;
    if (range.first == kVcc || range.first == kExec) {
      // A defined bit is set, so the value is not zero whatever the undefined
      // bits are.
      const uint64_t mask = wave.laneMask();
      const uint64_t value = range.first == kVcc ? wave.vcc() : wave.exec();
      if (value & ~undefined & mask || !(undefined & mask))
        continue;
      undefined &= mask;
    }
    report(wave, op, 0, "a branch depends on it", s.scalarOrigin[range.first]);
    for (unsigned k = 0; k < range.count; ++k)
      s.scalars[range.first + k] = 0;
  }
  for (const RegRange &range : info.writes)
    for (unsigned k = 0; k < range.count; ++k)
      s.scalars[range.first + k] = 0;
}
