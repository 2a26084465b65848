//===- ScalarOps.cpp - SOP1, SOP2, SOPC, SOPK -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Reads the operands of scalar arithmetic and writes the results.
// ScalarTable.cpp and ScalarFloatTable.cpp have the computations.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Bind.h"
#include "simulator/exec/Fault.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/scalar/ScalarTable.h"
#include "simulator/isa/Floats.h"

#include "llvm/ADT/bit.h"
#include <cmath>

using namespace aircc::sim;

namespace {

using u32 = uint32_t;
using u64 = uint64_t;

inline u64 read(const Wave &wave, const Operand &operand) {
  if (operand.kind == Operand::Kind::Scalar)
    return operand.dwords == 2 ? wave.scalar64(operand.reg)
                               : wave.scalars[operand.reg];
  if (operand.kind == Operand::Kind::Constant)
    return operand.constant;
  return readScalar(wave, operand);
}

/// Calls the target of Op::table, which is the record's kernel.
u64 compute(const Op &op, u64 a, u64 b, bool &scc) {
  return (*static_cast<const ScalarKernel *>(op.table))(a, b, scc);
}

bool runScalar(Wave &wave, const Op &op) {
  u64 a = read(wave, op.src[0]);
  u64 b = op.srcCount > 1 ? read(wave, op.src[1]) : 0;
  u64 d = compute(op, a, b, wave.scc);
  if (op.width == 2)
    wave.setScalar64(op.dst.reg, d);
  else if (op.width == 1)
    wave.setScalar(op.dst.reg, static_cast<u32>(d));
  return false;
}

bool runScalarImmediate(Wave &wave, const Op &op) {
  u64 d =
      compute(op, wave.scalars[op.dst.reg], static_cast<u32>(op.imm), wave.scc);
  if (op.width)
    wave.setScalar(op.dst.reg, static_cast<u32>(d));
  return false;
}

/// Reads an operand with the source modifiers neg and abs of v_s_*
/// instructions.
u64 readSigned(const Wave &wave, const Operand &operand) {
  u64 v = read(wave, operand);
  u32 sign = operand.type == ValueType::F16 ? 0x8000 : 0x80000000;
  if (operand.abs)
    v &= ~u64(sign);
  return operand.neg ? v ^ sign : v;
}
bool runVectorOnScalar(Wave &wave, const Op &op) {
  wave.setScalar(
      op.dst.reg,
      static_cast<u32>(compute(op, readSigned(wave, op.src[0]), 0, wave.scc)));
  return false;
}

/// Executes S_FMAC, S_FMAAK and S_FMAMK.
template <bool IsHalf> bool runScalarFma(Wave &wave, const Op &op) {
  u64 a = read(wave, op.src[0]), b = read(wave, op.src[1]),
      c = read(wave, op.src[2]);
  auto f16 = [](u64 v) {
    return double(floats::withDefaultNan(floats::halfToFloat(v)));
  };
  auto f32 = [](u64 v) { return llvm::bit_cast<float>(static_cast<u32>(v)); };
  wave.setScalar(op.dst.reg,
                 IsHalf
                     ? floats::doubleToHalf(std::fma(f16(a), f16(b), f16(c)))
                     : llvm::bit_cast<u32>(std::fma(f32(a), f32(b), f32(c))));
  return false;
}

/// Executes S_CMOV, which writes only if SCC is set.
bool runConditionalMove(Wave &wave, const Op &op) {
  if (!wave.scc)
    return false;
  if (op.width == 2)
    wave.setScalar64(op.dst.reg, read(wave, op.src[0]));
  else
    wave.setScalar(op.dst.reg, static_cast<u32>(read(wave, op.src[0])));
  return false;
}

/// Executes S_BITSET0 and S_BITSET1, which write one bit of the destination.
template <bool Set> bool runBitSet(Wave &wave, const Op &op) {
  u64 bit = read(wave, op.src[0]);
  if (op.width == 2) {
    u64 d = wave.scalar64(op.dst.reg);
    u64 mask = u64(1) << (bit & 63);
    wave.setScalar64(op.dst.reg, Set ? d | mask : d & ~mask);
  } else {
    u32 d = wave.scalars[op.dst.reg];
    u32 mask = 1u << (bit & 31);
    wave.setScalar(op.dst.reg, Set ? d | mask : d & ~mask);
  }
  return false;
}

/// Executes S_<op>_SAVEEXEC: D = EXEC, EXEC = S0 <op> EXEC, and SCC = whether
/// EXEC is not zero. For S_ANDN1_WREXEC and S_ANDN2_WREXEC, EXEC = D = the
/// result.
template <class F, bool Both> bool runSaveExec(Wave &wave, const Op &op) {
  const u64 exec = wave.exec();
  const u64 a = read(wave, op.src[0]) & wave.laneMask();
  const u64 next = F{}(a, exec) & wave.laneMask();
  const u64 saved = Both ? next : exec;
  if (op.width == 2)
    wave.setScalar64(op.dst.reg, saved);
  else
    wave.setScalar(op.dst.reg, static_cast<u32>(saved));
  wave.setExec(next);
  wave.scc = next != 0;
  return false;
}

constexpr Handler kSpecial[] = {
#define SCALAR_SPECIAL(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS,         \
                       OPERANDS, D, SOURCE, COUNT, ...)                        \
  __VA_ARGS__,
#define SAVE_EXEC(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, TYPE, ...)   \
  runSaveExec<decltype([](u64 a, u64 exec) { return __VA_ARGS__; }), false>,
#define WRITE_EXEC(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, TYPE, ...)  \
  runSaveExec<decltype([](u64 a, u64 exec) { return __VA_ARGS__; }), true>,
#include "simulator/isa/tables/ScalarSpecial.def"
};

unsigned dwordsOf(ValueType type) {
  return type == ValueType::None ? 0 : typeRows(type);
}
FloatClass floatClassOf(const InstructionRecord &record) {
  switch (record.src[0]) {
  case ValueType::F32:
    return FloatClass::Single;
  case ValueType::F16:
    return FloatClass::Double16_64;
  default:
    return FloatClass::None;
  }
}
bool bindScalarDest(BindContext &context, const InstructionRecord &record,
                    const DecodedInstruction &inst, Op &op) {
  return !inst.operands.empty() &&
         bindDest(context, inst.operands[0], record.dst, op.dst) &&
         op.dst.kind == Operand::Kind::Scalar;
}
} // namespace

u64 aircc::sim::readScalar(const Wave &wave, const Operand &operand) {
  switch (operand.kind) {
  case Operand::Kind::Scalar:
    return operand.dwords == 2 ? wave.scalar64(operand.reg)
                               : wave.scalars[operand.reg];
  case Operand::Kind::Constant:
    return operand.constant;
  case Operand::Kind::Special:
    break;
  default:
    throw Fault("a scalar operand is not a scalar");
  }
  switch (static_cast<SpecialValue>(operand.reg)) {
  case SpecialValue::Scc:
    return wave.scc;
  case SpecialValue::Vccz:
    return wave.vcc() == 0;
  case SpecialValue::Execz:
    return wave.exec() == 0;
  // In 64 bits, the aperture is the high half. A 32-bit read returns the high
  // half, as on hardware.
  case SpecialValue::SharedBase:
    return operand.dwords == 2 ? kSharedAperture : kSharedAperture >> 32;
  case SpecialValue::SharedLimit:
    return operand.dwords == 2 ? kSharedAperture | 0xffffffff
                               : kSharedAperture >> 32;
  case SpecialValue::PrivateBase:
    return operand.dwords == 2 ? kPrivateAperture : kPrivateAperture >> 32;
  case SpecialValue::PrivateLimit:
    return operand.dwords == 2 ? kPrivateAperture | 0xffffffff
                               : kPrivateAperture >> 32;
  }
  return 0;
}

bool aircc::sim::bindScalar(BindContext &context,
                            const InstructionRecord &record,
                            const DecodedInstruction &inst, Op &op) {
  op.table =
      static_cast<const void *>(scalarKernel(record.table, record.index));
  // v_s_* instructions have the source modifiers neg and abs.
  op.handler =
      isVectorEncoding(record.encoding) ? runVectorOnScalar : runScalar;
  op.width = dwordsOf(record.dst);
  op.floatClass = floatClassOf(record);
  size_t next = 0;
  if (op.width) {
    if (!bindScalarDest(context, record, inst, op))
      return context.refuse("its destination is not supported");
    ++next;
  }
  for (unsigned i = 0; i < record.sourceCount; ++i, ++next)
    if (next >= inst.operands.size() ||
        !bindSource(context, inst.operands[next], record.src[i], op.src[i]))
      return context.understood(false);
  op.srcCount = record.sourceCount;
  return true;
}

bool aircc::sim::bindScalarImmediate(BindContext &context,
                                     const InstructionRecord &record,
                                     const DecodedInstruction &inst, Op &op) {
  if (inst.operands.empty() ||
      !bindDest(context, inst.operands[0], ValueType::B32, op.dst) ||
      op.dst.kind != Operand::Kind::Scalar)
    return context.refuse("its destination is not supported");
  op.table =
      static_cast<const void *>(scalarKernel(record.table, record.index));
  op.handler = runScalarImmediate;
  op.width = dwordsOf(record.dst);
  const uint16_t raw = inst.words[0] & 0xffff;
  op.imm =
      record.has(trait::UnsignedImmediate) ? raw : static_cast<int16_t>(raw);
  return true;
}

bool aircc::sim::bindScalarSpecial(BindContext &context,
                                   const InstructionRecord &record,
                                   const DecodedInstruction &inst, Op &op) {
  bool good = bindScalarDest(context, record, inst, op);
  // S_FMAC has its destination as the last source.
  for (unsigned i = 0; good && i < record.sourceCount; ++i) {
    const size_t at = i + 1 < inst.operands.size() ? i + 1 : 0;
    good = (at || i == 2) &&
           bindSource(context, inst.operands[at], record.src[i], op.src[i]);
  }
  op.srcCount = record.sourceCount;
  op.width = dwordsOf(record.dst);
  op.floatClass = floatClassOf(record);
  op.handler = kSpecial[record.index];
  return context.understood(good);
}
