//===- ScalarOps.cpp - SOP1, SOP2, SOPC, SOPK -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How scalar arithmetic gets its operands and where results go; what it
// computes is in ScalarTable.cpp and ScalarFloatTable.cpp.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Bind.h"
#include "simulator/exec/Fault.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/scalar/ScalarTable.h"
#include "simulator/isa/Floats.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace aircc::sim;
using llvm::StringRef;

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

bool runScalar(Wave &wave, const Op &op) {
  const auto *entry = static_cast<const ScalarEntry *>(op.table);
  u64 a = read(wave, op.src[0]);
  u64 b = op.srcCount > 1 ? read(wave, op.src[1]) : 0;
  u64 d = entry->kernel(a, b, wave.scc);
  if (op.width == 2)
    wave.setScalar64(op.dst.reg, d);
  else if (op.width == 1)
    wave.setScalar(op.dst.reg, static_cast<u32>(d));
  return false;
}

bool runScalarImmediate(Wave &wave, const Op &op) {
  const auto *entry = static_cast<const ScalarImmediateEntry *>(op.table);
  u64 d = entry->kernel(wave.scalars[op.dst.reg], static_cast<u32>(op.imm),
                        wave.scc);
  if (entry->writes)
    wave.setScalar(op.dst.reg, static_cast<u32>(d));
  return false;
}

/// The sign modifiers that v_s_* instructions have.
u64 readSigned(const Wave &wave, const Operand &operand) {
  u64 v = read(wave, operand);
  u32 sign = operand.type == ValueType::F16 ? 0x8000 : 0x80000000;
  if (operand.abs)
    v &= ~u64(sign);
  return operand.neg ? v ^ sign : v;
}
bool runVectorOnScalar(Wave &wave, const Op &op) {
  const auto *entry = static_cast<const ScalarEntry *>(op.table);
  wave.setScalar(op.dst.reg, static_cast<u32>(entry->kernel(
                                 readSigned(wave, op.src[0]), 0, wave.scc)));
  return false;
}

/// S_FMAC, S_FMAAK, S_FMAMK.
bool runScalarFma(Wave &wave, const Op &op) {
  u64 a = read(wave, op.src[0]), b = read(wave, op.src[1]),
      c = read(wave, op.src[2]);
  auto f16 = [](u64 v) {
    return double(floats::withDefaultNan(floats::halfToFloat(v)));
  };
  auto f32 = [](u64 v) { return llvm::bit_cast<float>(static_cast<u32>(v)); };
  wave.setScalar(op.dst.reg,
                 op.flags & 1
                     ? floats::doubleToHalf(std::fma(f16(a), f16(b), f16(c)))
                     : llvm::bit_cast<u32>(std::fma(f32(a), f32(b), f32(c))));
  return false;
}

/// S_CMOV: only written when SCC is set.
bool runConditionalMove(Wave &wave, const Op &op) {
  if (!wave.scc)
    return false;
  if (op.width == 2)
    wave.setScalar64(op.dst.reg, read(wave, op.src[0]));
  else
    wave.setScalar(op.dst.reg, static_cast<u32>(read(wave, op.src[0])));
  return false;
}

/// S_BITSET0, S_BITSET1: one bit of the destination.
bool runBitSet(Wave &wave, const Op &op) {
  u64 bit = read(wave, op.src[0]);
  bool set = op.flags & 1;
  if (op.width == 2) {
    u64 d = wave.scalar64(op.dst.reg);
    u64 mask = u64(1) << (bit & 63);
    wave.setScalar64(op.dst.reg, set ? d | mask : d & ~mask);
  } else {
    u32 d = wave.scalars[op.dst.reg];
    u32 mask = 1u << (bit & 31);
    wave.setScalar(op.dst.reg, set ? d | mask : d & ~mask);
  }
  return false;
}

/// S_<op>_SAVEEXEC: D = EXEC, EXEC = S0 <op> EXEC, SCC = EXEC is not zero.
/// S_ANDN1_WREXEC, S_ANDN2_WREXEC: EXEC = D = the result.
enum SaveExecOp : uint32_t {
  kAnd,
  kOr,
  kXor,
  kAndn1,
  kAndn2,
  kOrn1,
  kOrn2,
  kNand,
  kNor,
  kXnor,
  kWriteExec = 32,
};
bool runSaveExec(Wave &wave, const Op &op) {
  u64 a = read(wave, op.src[0]) & wave.laneMask();
  u64 exec = wave.exec();
  u64 next = 0;
  switch (op.flags & 31) {
  case kAnd:
    next = a & exec;
    break;
  case kOr:
    next = a | exec;
    break;
  case kXor:
    next = a ^ exec;
    break;
  case kAndn1:
    next = ~a & exec;
    break;
  case kAndn2:
    next = a & ~exec;
    break;
  case kOrn1:
    next = ~a | exec;
    break;
  case kOrn2:
    next = a | ~exec;
    break;
  case kNand:
    next = ~(a & exec);
    break;
  case kNor:
    next = ~(a | exec);
    break;
  case kXnor:
    next = ~(a ^ exec);
    break;
  }
  next &= wave.laneMask();
  u64 saved = op.flags & kWriteExec ? next : exec;
  if (op.width == 2)
    wave.setScalar64(op.dst.reg, saved);
  else
    wave.setScalar(op.dst.reg, static_cast<u32>(saved));
  wave.setExec(next);
  wave.scc = next != 0;
  return false;
}

/// "s_and_saveexec_b64" and its family; -1 when `name` is none.
int saveExecKind(StringRef name, unsigned &width) {
  if (!name.consume_front("s_"))
    return -1;
  if (name.consume_back("_b64"))
    width = 2;
  else if (name.consume_back("_b32"))
    width = 1;
  else
    return -1;
  int extra = 0;
  if (name.consume_back("_wrexec"))
    extra = kWriteExec;
  else if (!name.consume_back("_saveexec"))
    return -1;
  // gfx12: and_not0 is andn1, and_not1 is andn2.
  int kind = llvm::StringSwitch<int>(name)
                 .Case("and", kAnd)
                 .Case("or", kOr)
                 .Case("xor", kXor)
                 .Case("andn1", kAndn1)
                 .Case("and_not0", kAndn1)
                 .Case("andn2", kAndn2)
                 .Case("and_not1", kAndn2)
                 .Case("orn1", kOrn1)
                 .Case("or_not0", kOrn1)
                 .Case("orn2", kOrn2)
                 .Case("or_not1", kOrn2)
                 .Case("nand", kNand)
                 .Case("nor", kNor)
                 .Case("xnor", kXnor)
                 .Default(-1);
  return kind < 0 ? -1 : kind | extra;
}

ValueType scalarType(StringRef name, unsigned dwords) {
  if (dwords == 2)
    return ValueType::B64;
  return name.ends_with("_f32")   ? ValueType::F32
         : name.ends_with("_f16") ? ValueType::F16
                                  : ValueType::B32;
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
    throw Fault("a scalar operand is no scalar");
  }
  switch (static_cast<SpecialValue>(operand.reg)) {
  case SpecialValue::Scc:
    return wave.scc;
  case SpecialValue::Vccz:
    return wave.vcc() == 0;
  case SpecialValue::Execz:
    return wave.exec() == 0;
  // As 64 bits the aperture is in the high half; a 32-bit read gives the half
  // that the hardware gives, the high one.
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

bool aircc::sim::bindScalar(BindContext &context, StringRef name,
                            const AsmInst &inst, Op &op) {
  if (const ScalarEntry *entry = findScalar(name)) {
    op.table = entry;
    op.handler = runScalar;
    op.width = entry->dst;
    size_t next = 0;
    if (entry->dst) {
      if (inst.operands.empty() ||
          !bindDest(context, inst.operands[next++],
                    scalarType(name, entry->dst), op.dst) ||
          op.dst.kind != Operand::Kind::Scalar)
        return context.refuse("its destination is not understood");
    }
    for (unsigned i = 0; i < 2 && entry->src[i]; ++i) {
      if (next >= inst.operands.size() ||
          !bindSource(context, inst.operands[next++],
                      scalarType(name, entry->src[i]), op.src[i]))
        return context.understood(false);
      op.srcCount = i + 1;
    }
    if (name.starts_with("v_s_"))
      op.handler = runVectorOnScalar;
    op.floatClass = name.ends_with("_f32")   ? FloatClass::Single
                    : name.ends_with("_f16") ? FloatClass::Double16_64
                                             : FloatClass::None;
    return true;
  }
  if (name == "s_fmac_f32" || name == "s_fmac_f16" || name == "s_fmaak_f32" ||
      name == "s_fmamk_f32") {
    ValueType type = scalarType(name, 1);
    bool good = inst.operands.size() >= 3 &&
                bindDest(context, inst.operands[0], type, op.dst) &&
                op.dst.kind == Operand::Kind::Scalar;
    for (unsigned i = 0; good && i < 3; ++i)
      good = i + 1 < inst.operands.size()
                 ? bindSource(context, inst.operands[i + 1], type, op.src[i])
                 : bindSource(context, inst.operands[0], type, op.src[i]);
    if (!good)
      return context.understood(false);
    op.flags = type == ValueType::F16;
    op.floatClass = op.flags ? FloatClass::Double16_64 : FloatClass::Single;
    op.handler = runScalarFma;
    return true;
  }
  if (const ScalarImmediateEntry *entry = findScalarImmediate(name)) {
    if (inst.operands.empty() ||
        !bindDest(context, inst.operands[0], ValueType::B32, op.dst) ||
        op.dst.kind != Operand::Kind::Scalar)
      return context.refuse("its destination is not understood");
    op.table = entry;
    op.handler = runScalarImmediate;
    uint16_t raw = inst.words[0] & 0xffff;
    op.imm = entry->isUnsigned ? raw : static_cast<int16_t>(raw);
    return true;
  }
  unsigned width = 0;
  int kind = saveExecKind(name, width);
  bool bitSet = name.starts_with("s_bitset");
  bool move = name == "s_cmov_b32" || name == "s_cmov_b64";
  if (kind < 0 && !bitSet && !move)
    return false;
  if (kind < 0)
    width = name.ends_with("64") ? 2 : 1;
  ValueType type = width == 2 ? ValueType::B64 : ValueType::B32;
  if (inst.operands.size() != 2 ||
      !bindDest(context, inst.operands[0], type, op.dst) ||
      op.dst.kind != Operand::Kind::Scalar ||
      !bindSource(context, inst.operands[1], bitSet ? ValueType::B32 : type,
                  op.src[0]))
    return context.understood(false);
  op.width = width;
  op.srcCount = 1;
  if (kind >= 0) {
    op.flags = kind;
    op.handler = runSaveExec;
  } else if (bitSet) {
    op.flags = name.starts_with("s_bitset1");
    op.handler = runBitSet;
  } else {
    op.handler = runConditionalMove;
  }
  return true;
}
