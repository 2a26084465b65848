//===- InstructionFacts.h - Enumerations used by the records ----*- C++ -*-===//
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

#ifndef AIRCC_SIMULATOR_ISA_INSTRUCTIONFACTS_H
#define AIRCC_SIMULATOR_ISA_INSTRUCTIONFACTS_H

#include <cstdint>

namespace aircc::sim {

/// The tables, one for each file of isa/tables. All entries of a table are
/// bound to operands and executed in the same way.
enum class InstructionTable : uint8_t {
  Compare,
  Convert,
  Float8,
  Float,
  Integer,
  Packed,
  Special,
  CrossLane,
  MoveRelative,
  ScaledConvert,
  Matrix,
  ScalarInteger,
  ScalarFloat,
  ScalarImmediate,
  ScalarSpecial, ///< S_FMAC, S_CMOV, S_BITSET, *_SAVEEXEC, *_WREXEC
  Control,
  Branch,
  Registers,
  Barrier,
  ScalarMemory,
  Lds,
  LdsLanes, ///< DS instructions that move data between lanes
  Flat,     ///< FLAT, GLOBAL, SCRATCH
  Buffer,
};
constexpr unsigned kInstructionTables = 24;

/// The encodings of the ISA guides. An instruction with several has the
/// shortest.
enum class Encoding : uint8_t {
  SOP1,
  SOP2,
  SOPC,
  SOPK,
  SOPP,
  SMEM,
  VOP1,
  VOP2,
  VOP3,
  VOP3P,
  VOPC,
  LDSDIR,
  DS,
  FLAT,
  GLOBAL,
  SCRATCH,
  MUBUF,
  MTBUF,
};

inline bool isVectorEncoding(Encoding encoding) {
  return encoding > Encoding::SMEM;
}

/// The unit that executes an instruction, or how the simulator treats it.
enum class OpClass : uint8_t {
  Unknown,        ///< Not simulated; executing it is a fault.
  ScalarAlu,      ///< SOP1, SOP2, SOPC, SOPK
  ScalarMemory,   ///< SMEM loads
  Branch,         ///< s_branch, s_cbranch_*, s_setpc, s_swappc, s_call
  Wait,           ///< s_waitcnt and the s_wait_* on counters
  Barrier,        ///< s_barrier, s_barrier_wait
  Signal,         ///< s_barrier_signal: arrives without waiting
  Cache,          ///< Cache write-backs and invalidations
  End,            ///< s_endpgm
  Hint,           ///< No effect on results: s_nop, s_sleep, s_delay_alu, …
  VectorAlu,      ///< VOP*
  Transcendental, ///< VOP1 executed by the transcendental unit
  Dual,           ///< VOPD
  Matrix,         ///< MFMA, SMFMAC, WMMA, SWMMAC
  Lds,            ///< DS instructions that access LDS
  LdsPermute,     ///< DS instructions that only move data between lanes
  Flat,           ///< FLAT: the address selects global memory, LDS or scratch
  Global,
  Scratch,
  Buffer, ///< MUBUF, VBUFFER
};

enum class AccessKind : uint8_t { None, Read, Write, Atomic };

/// The wait counter that an instruction increments. The chip determines its
/// name and what else increments it (Chip.h).
enum class CounterClass : uint8_t {
  None,
  Load,   ///< Vector memory instructions that return data.
  Store,  ///< Vector memory instructions that return nothing.
  Atomic, ///< Load if the old value is returned, otherwise Store.
  Lds,
  Scalar,
  Export,
  Cache, ///< Cache operations, on chips that count them.
  // For waits, the counters for which they wait
  Packed, ///< s_waitcnt
  LoadAndLds,
  StoreAndLds,
  All,
};

/// The time that the counters charge for an instruction (observe/Counters.cpp,
/// with IssueFigures of the chip).
enum class CostClass : uint8_t {
  Free,   ///< Occupies no execution unit.
  Scalar, ///< A scalar instruction.
  Vector,
  Double, ///< Vector arithmetic on f64.
  Transcendental,
  Matrix,
  Permute, ///< Uses the LDS unit without accessing LDS.
  Access,  ///< Depends on the addresses and sizes of the access.
};

/// How an operand's bits are interpreted. The type determines the meaning of
/// inline constants, literals, neg, abs, sext and op_sel.
enum class ValueType : uint8_t {
  None,
  B32, ///< 32 bits, integer or untyped
  F32,
  B64, ///< 64 bits in two rows
  F64,
  B16, ///< 16 bits in the low half
  F16,
  BF16,
  PkB16, ///< two 16-bit values
  PkF16,
  PkBF16,
  PkF32, ///< two f32 in two rows
  PkB32, ///< two 32-bit values in two rows
  Mix,   ///< f32, or one half of a register as f16 (op_sel_hi)
  Mask,  ///< one bit per lane, in SGPRs; lane kernels see 0 or ~0 in a row
};

/// How undefined bits of the sources propagate to the result
/// (check/UndefinedBits.cpp).
enum class TransferKind : uint8_t {
  Any, ///< One undefined bit makes the whole result undefined.
  Move,
  Bitwise, ///< Bit n of the result depends on bit n of each source (xor).
  And,
  Or,
  Or3,
  AndOr,
  Select, ///< v_cndmask
  BitSelect,
  ShiftLeft, ///< Operands (amount, value), as in the "rev" forms.
  ShiftRight,
  ShiftRightSigned,
  ShiftLeftOr,  ///< (value << amount) | other
  ShiftLeftAdd, ///< (value << amount) + other
  AddShiftLeft, ///< (value + value) << amount
  Sum,          ///< Undefined from the lowest undefined source bit upward.
  Sum24,        ///< Like Sum, on the low 24 bits of the sources.
  Extract,
  ExtractSigned,
  Permute,
  AlignBit,
  AlignByte,
  Reverse,
  FirstLow,    ///< v_ffbl: defined if a one is below all undefined bits.
  FirstHigh,   ///< v_ffbh_u32: defined if a one is above all undefined bits.
  Pack,        ///< The low half is from the first source, the high half from
               ///< the second.
  ConvertPair, ///< Each half depends on all bits of one source.
  PackedMove,
  Byte0,
  Byte1,
  Byte2,
  Byte3,
  // Only scalar instructions.
  PackLowLow, ///< A half of the first source, then a half of the second.
  PackLowHigh,
  PackHighLow,
  PackHighHigh,
  ScalarSelect,    ///< s_cselect, where SCC selects a source.
  ConditionalMove, ///< s_cmov, which without SCC keeps the value of the
                   ///< destination.
  Equal,           ///< SCC is defined if defined bits differ.
  BitTest,         ///< SCC is a bit of the first source.
  SignExtend8,
  SignExtend16,
  // Data movement between lanes by the LDS unit
  Swizzle,
  Scatter,   ///< ds_permute
  Gather,    ///< ds_bpermute
  GatherAll, ///< ds_bpermute_fi, which also reads inactive lanes.
};

/// A set of the properties below.
using Traits = uint64_t;
namespace trait {
constexpr Traits bit(unsigned n) { return Traits(1) << n; }
constexpr Traits None = 0;

// Vector arithmetic: operands
constexpr Traits Tied = bit(0);     ///< The last source is the destination.
constexpr Traits ReadsVcc = bit(1); ///< Implicitly: v_div_fmas, s_cbranch_vcc*
/// Whether a 16-bit result preserves the high half in all generations, not only
/// in those with Chip::preservesHigh16.
constexpr Traits KeepsHigh16 = bit(2);
/// VOP3P: op_sel and neg select per half.
constexpr Traits SelectsHalves = bit(3);
constexpr Traits WritesExec = bit(4);   ///< v_cmpx, s_*_saveexec
constexpr Traits WritesHigh16 = bit(5); ///< Only the high half (mad_mixhi).
// The lane kernel gets an immediate in its second destination row:
constexpr Traits TakesTruthTable = bit(6); ///< bitop3
constexpr Traits TakesSigns = bit(7);      ///< neg_lo of A and B
constexpr Traits ChoosesDestByte = bit(8);
constexpr Traits ChoosesSourceByte = bit(9);
constexpr Traits TakesImmediate =
    TakesTruthTable | TakesSigns | ChoosesDestByte | ChoosesSourceByte;

// Vector arithmetic: effects of MODE and clamp
constexpr Traits Saturates = bit(10); ///< The record of the form with clamp.
/// Clamp is an error unless there is a record that saturates.
constexpr Traits MayOverflow = bit(11);
constexpr Traits QuietsWithoutIeee = bit(13); ///< See LaneModeFlags.
constexpr Traits TrueInfinity = bit(14);
constexpr Traits Limit448 = bit(15);
constexpr Traits Limit240 = bit(16);
constexpr Traits Limit57344 = bit(17);

// Hazards (check/hazards/HazardRules.h)
/// Dot products; MODE does not affect them.
constexpr Traits Dot = bit(18);
constexpr Traits ReadsLane = bit(19);
constexpr Traits ChoosesLane = bit(20); ///< The third operand is a lane number.
constexpr Traits Permlane = bit(21);
/// Executed by the transcendental unit.
constexpr Traits Transcendental = bit(22);
constexpr Traits Fma64 = bit(23);
constexpr Traits WritesPart = bit(24); ///< Writes part of a register, late.
/// The last operand is a mask if it is a scalar.
constexpr Traits TakesMask = bit(25);
constexpr Traits SetsRegister = bit(26);
constexpr Traits GetsRegister = bit(27);
constexpr Traits TakesM0Late = bit(28);

// Implicit operands
constexpr Traits ReadsScc = bit(29);
constexpr Traits WritesScc = bit(30);
constexpr Traits ReadsM0 = bit(31);
constexpr Traits WritesM0 = bit(32);
constexpr Traits ReadsExec = bit(33);
constexpr Traits IgnoresExec = bit(34);    ///< Acts on all lanes.
constexpr Traits RelativeSource = bit(35); ///< M0 is added to its number.
constexpr Traits RelativeDest = bit(36);
constexpr Traits RelativeTwo = bit(37); ///< M0 has an offset for each.
constexpr Traits Relative = RelativeSource | RelativeDest;

// Scalar logic: the value that is inverted
constexpr Traits InvertsFirst = bit(38);
constexpr Traits InvertsSecond = bit(39);
constexpr Traits InvertsResult = bit(40);
/// *_wrexec: D gets the new EXEC, not the old one.
constexpr Traits ExecInDest = bit(12);

// Scalar immediates
constexpr Traits UnsignedImmediate = bit(41);

// Control
constexpr Traits Sleeps = bit(42); ///< Yields to the other waves.
constexpr Traits Nop = bit(43);    ///< s_nop: adds wait states.
/// s_setprio. This reuses the bit of a property of vector arithmetic, because
/// all bits are in use.
constexpr Traits SetsPriority = KeepsHigh16;
constexpr Traits RelativeTarget = bit(44); ///< The immediate is the target.
constexpr Traits NeverFallsThrough = bit(45);
constexpr Traits Depctr = bit(46); ///< s_waitcnt_depctr, s_wait_alu
constexpr Traits Invalidates = bit(47);
constexpr Traits WritesBack = bit(48);
constexpr Traits OfWorkgroup = bit(49); ///< The cache of a compute unit.
constexpr Traits OfDevice = bit(50);    ///< The cache of the whole device.

// Memory
constexpr Traits ToLds = bit(51);    ///< Loads into LDS at the address in M0.
constexpr Traits FromLds = bit(52);  ///< Stores from LDS at the address in M0.
constexpr Traits AddsLane = bit(53); ///< addtid: adds four times the lane.
constexpr Traits Block = bit(54);    ///< M0 is the mask of the registers.
constexpr Traits Transposes = bit(55);
constexpr Traits TwoAddresses = bit(56); ///< Accesses offset0 and offset1.
constexpr Traits Stride64 = bit(57);     ///< These offsets are in units of 64
                                         ///< elements.
constexpr Traits Returns = bit(58);      ///< DS: returns the old value.
/// The operand with the new value precedes the one to compare with.
constexpr Traits NewFirst = bit(59);
constexpr Traits Formatted = bit(60); ///< The resource has the data format.
constexpr Traits OfScratch = bit(61); ///< Scalar memory: s_scratch_*
constexpr Traits Counts = bit(62);    ///< ds_append, ds_consume
constexpr Traits ByResource =
    bit(63); ///< Scalar memory with a buffer resource.
} // namespace trait

/// How a load or a store converts between memory and registers.
struct MemoryFormat {
  enum Kind : uint8_t {
    Dwords,
    Zext, ///< 8 or 16 bits, zero-extended
    Sext, ///< 8 or 16 bits, sign-extended
    D16,  ///< 8 or 16 bits, in the low half; a load preserves the high half
    D16Sext,
    D16Hi, ///< 8 or 16 bits, in the high half
    D16HiSext,
  } kind = Dwords;
  uint8_t bytes = 0;       ///< With Formatted, the number of components.
  uint8_t elementBits = 0; ///< Transposing loads only.
  unsigned dwords() const { return bytes < 4 ? 1 : bytes / 4; }
};

/// The operation of an atomic.
enum class AtomicKind : uint8_t {
  Swap,
  CmpSwap,
  Add,
  Sub,
  Rsub,
  SMin,
  UMin,
  SMax,
  UMax,
  And,
  Or,
  Xor,
  Inc,
  Dec,
  FAdd,
  FMin,
  FMax,
  PkAddF16,
  PkAddBF16,
  SubClamp,
  CondSub,
  MskOr,
  FCmpSwap, ///< Compares as floats.
  Wrap,     ///< ds_wrap: subtracts `data`, or adds `compare` below `data`.
  CondXchg, ///< Replaces bits 30:0 of each dword whose data has bit 31 set.
};

struct AtomicOp {
  AtomicKind kind = AtomicKind::Swap;
  uint8_t bytes = 0;
};

/// The operands of a control instruction.
enum class ShapeOfControl : uint8_t {
  None,       ///< no register; there may be a 16-bit immediate
  Dest,       ///< one 64-bit destination
  Source,     ///< one 64-bit source
  DestSource, ///< 64-bit destination and source
  DestRaw,    ///< 32-bit destination; the immediate names a register field
  SetReg,     ///< an immediate names a register field; 32-bit source or literal
  Source32,   ///< one 32-bit source, then an immediate
  Sources,    ///< two 64-bit sources
  Sources32,  ///< two 32-bit sources
  Dest32,     ///< one 32-bit destination, then an immediate
  Move32,     ///< 32-bit destination and source
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_INSTRUCTIONFACTS_H
