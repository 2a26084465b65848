//===- InstructionFacts.h - The vocabulary of the records -------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain data without LLVM: code that is compiled per host level includes it.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_ISA_INSTRUCTIONFACTS_H
#define AIRCC_SIMULATOR_ISA_INSTRUCTIONFACTS_H

#include <cstdint>

namespace aircc::sim {

/// The tables, one file of isa/tables each. Their entries are bound and
/// executed alike.
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
  LdsLanes, ///< DS that move data between lanes
  Flat,     ///< FLAT, GLOBAL, SCRATCH
  Buffer,
};
constexpr unsigned kInstructionTables = 24;

/// Formats of the ISA guides; the shortest one that an instruction has.
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

/// What kind of instruction it is: one class each.
enum class OpClass : uint8_t {
  Unknown,        ///< Not bound: executing it faults.
  ScalarAlu,      ///< SOP1, SOP2, SOPC, SOPK
  ScalarMemory,   ///< SMEM loads
  Branch,         ///< s_branch, s_cbranch_*, s_setpc, s_swappc, s_call
  Wait,           ///< s_waitcnt and the s_wait_* that count: see `waits`
  Barrier,        ///< s_barrier, s_barrier_wait
  Signal,         ///< s_barrier_signal: arrives without waiting
  Cache,          ///< write-backs and invalidations: see `cache`
  End,            ///< s_endpgm
  Hint,           ///< SOPP without effect here: s_nop, s_sleep, s_delay_alu, …
  VectorAlu,      ///< VOP*
  Transcendental, ///< VOP1 of the transcendental unit
  Dual,           ///< VOPD
  Matrix,         ///< MFMA, SMFMAC, WMMA, SWMMAC
  Lds,            ///< DS that access LDS
  LdsPermute,     ///< DS that only move data between lanes
  Flat,           ///< FLAT: global, LDS or scratch, by address
  Global,
  Scratch,
  Buffer, ///< MUBUF, VBUFFER
};

enum class AccessKind : uint8_t { None, Read, Write, Atomic };

/// Which wait counter an instruction increments; the chip says how it is
/// called and what else it counts (Chip.h).
enum class CounterClass : uint8_t {
  None,
  Load,   ///< Vector memory that brings something.
  Store,  ///< Vector memory that brings nothing back.
  Atomic, ///< One of both, by whether it returns the old value.
  Lds,
  Scalar,
  Export,
  Cache, ///< Where cache operations are counted.
  // Of waits, what they wait for:
  Packed, ///< s_waitcnt
  LoadAndLds,
  StoreAndLds,
  All,
};

/// What the counters charge for an instruction (observe/Counters.cpp).
enum class CostClass : uint8_t {
  Free,   ///< Taken out of the instruction buffer, by no unit.
  Scalar, ///< One scalar instruction.
  Vector,
  Double, ///< Vector arithmetic on f64.
  Transcendental,
  Matrix,
  Permute, ///< Data share without an access.
  Access,  ///< By what it accesses.
};

/// How an operand's bits are read: it decides what inline constants and
/// literals mean and what neg, abs, sext and op_sel do.
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
  Mask,  ///< one bit a lane, in SGPRs; 0 or ~0 in a row for the lane kernel
};

/// How undefined bits of the sources become those of the result
/// (check/UndefinedBits.cpp).
enum class TransferKind : uint8_t {
  Any, ///< One undefined bit makes the result undefined.
  Move,
  Bitwise, ///< The same bit of any source (xor, bitop3).
  And,
  Or,
  Or3,
  AndOr,
  Select, ///< v_cndmask
  BitSelect,
  ShiftLeft, ///< (amount, value), as the "rev" forms
  ShiftRight,
  ShiftRightSigned,
  ShiftLeftOr,  ///< (value << amount) | other
  ShiftLeftAdd, ///< (value << amount) + other
  AddShiftLeft, ///< (value + value) << amount
  Sum,          ///< Undefined from the lowest undefined bit on.
  Sum24,        ///< The same of the low 24 bits.
  Extract,
  ExtractSigned,
  Permute,
  AlignBit,
  AlignByte,
  Reverse,
  FirstLow,    ///< v_ffbl: a one below all undefined bits decides.
  FirstHigh,   ///< v_ffbh_u32: a one above them.
  Pack,        ///< Low half from the first, high half from the second.
  ConvertPair, ///< Likewise, each half from all of a source.
  PackedMove,
  Byte0,
  Byte1,
  Byte2,
  Byte3,
  // Of scalar instructions alone.
  PackLowLow, ///< Halves of the first and of the second.
  PackLowHigh,
  PackHighLow,
  PackHighHigh,
  ScalarSelect,    ///< s_cselect: by SCC
  ConditionalMove, ///< s_cmov: by SCC, else the destination stays.
  Equal,           ///< SCC: decided when a defined bit differs.
  BitTest,         ///< SCC: one bit of the first.
  SignExtend8,
  SignExtend16,
  // Between lanes, by LDS.
  Swizzle,
  Scatter,   ///< ds_permute
  Gather,    ///< ds_bpermute
  GatherAll, ///< Of lanes that are off, too.
};

/// Any number of these. What a family sees in one is said here once.
using Traits = uint64_t;
namespace trait {
constexpr Traits bit(unsigned n) { return Traits(1) << n; }
constexpr Traits None = 0;

// Vector arithmetic: operands.
constexpr Traits Tied = bit(0);     ///< The last source is the destination.
constexpr Traits ReadsVcc = bit(1); ///< Unnamed: v_div_fmas, s_cbranch_vcc*
/// On gfx9 too, a 16-bit result leaves the high half.
constexpr Traits KeepsHigh16 = bit(2);
/// VOP3P: op_sel and neg select per half.
constexpr Traits SelectsHalves = bit(3);
constexpr Traits WritesExec = bit(4);   ///< v_cmpx, s_*_saveexec
constexpr Traits WritesHigh16 = bit(5); ///< The high half (mad_mixhi).
// An immediate comes in the second destination row of the kernel:
constexpr Traits TakesTruthTable = bit(6); ///< bitop3
constexpr Traits TakesSigns = bit(7);      ///< Of A and B: neg_lo.
constexpr Traits ChoosesDestByte = bit(8);
constexpr Traits ChoosesSourceByte = bit(9);
constexpr Traits TakesImmediate =
    TakesTruthTable | TakesSigns | ChoosesDestByte | ChoosesSourceByte;

// Vector arithmetic: what of MODE and clamp it heeds.
constexpr Traits Saturates = bit(10); ///< The meaning with clamp.
/// Refused with clamp unless there is a record that saturates.
constexpr Traits MayOverflow = bit(11);
constexpr Traits QuietsWithoutIeee = bit(13); ///< See LaneModeFlags.
constexpr Traits TrueInfinity = bit(14);
constexpr Traits Limit448 = bit(15);
constexpr Traits Limit240 = bit(16);
constexpr Traits Limit57344 = bit(17);

// Hazards (check/HazardRules.h).
/// Dot products; they heed no mode.
constexpr Traits Dot = bit(18);
constexpr Traits ReadsLane = bit(19);
constexpr Traits ChoosesLane = bit(20); ///< By its third operand.
constexpr Traits Permlane = bit(21);
/// Of the transcendental unit.
constexpr Traits Transcendental = bit(22);
constexpr Traits Fma64 = bit(23);
constexpr Traits WritesPart = bit(24); ///< Shifted into place late.
/// The last operand, if a scalar, is a mask.
constexpr Traits TakesMask = bit(25);
constexpr Traits SetsRegister = bit(26);
constexpr Traits GetsRegister = bit(27);
constexpr Traits TakesM0Late = bit(28);

// What it reads and writes beside its operands.
constexpr Traits ReadsScc = bit(29);
constexpr Traits WritesScc = bit(30);
constexpr Traits ReadsM0 = bit(31);
constexpr Traits WritesM0 = bit(32);
constexpr Traits ReadsExec = bit(33);
constexpr Traits IgnoresExec = bit(34);    ///< Acts on all lanes.
constexpr Traits RelativeSource = bit(35); ///< Its number depends on M0.
constexpr Traits RelativeDest = bit(36);
constexpr Traits RelativeTwo = bit(37); ///< Two fields of M0.
constexpr Traits Relative = RelativeSource | RelativeDest;

// Scalar logic: which value is inverted.
constexpr Traits InvertsFirst = bit(38);
constexpr Traits InvertsSecond = bit(39);
constexpr Traits InvertsResult = bit(40);
/// *_wrexec: D gets what EXEC becomes, not what it was.
constexpr Traits ExecInDest = bit(12);

// Scalar immediates.
constexpr Traits UnsignedImmediate = bit(41);

// Control.
constexpr Traits Sleeps = bit(42); ///< The wave gives its turn to others.
constexpr Traits Nop = bit(43);    ///< s_nop: takes wait states.
constexpr Traits RelativeTarget = bit(44); ///< Branches by its immediate.
constexpr Traits NeverFallsThrough = bit(45);
constexpr Traits Depctr = bit(46); ///< s_waitcnt_depctr, s_wait_alu
constexpr Traits Invalidates = bit(47);
constexpr Traits WritesBack = bit(48);
constexpr Traits OfWorkgroup = bit(49); ///< Cache of a compute unit.
constexpr Traits OfDevice = bit(50);    ///< Cache that the device shares.

// Memory.
constexpr Traits ToLds = bit(51);    ///< Loads into LDS, by M0.
constexpr Traits FromLds = bit(52);  ///< Stores from LDS, by M0.
constexpr Traits AddsLane = bit(53); ///< addtid: by lane and M0 or a base.
constexpr Traits Block = bit(54);    ///< Registers by M0.
constexpr Traits Transposes = bit(55);
constexpr Traits TwoPlaces = bit(56);
constexpr Traits Stride64 = bit(57);
constexpr Traits Returns = bit(58);    ///< DS: the old value.
constexpr Traits NewFirst = bit(59);   ///< The new value comes before the
                                       ///< one that is compared with.
constexpr Traits Formatted = bit(60);  ///< By a format of the resource.
constexpr Traits OfScratch = bit(61);  ///< Scalar memory: s_scratch_*
constexpr Traits Counts = bit(62);     ///< ds_append, ds_consume
constexpr Traits ByResource = bit(63); ///< Scalar memory of a buffer.
} // namespace trait

/// How a load or a store maps memory to registers.
struct MemoryFormat {
  enum Kind : uint8_t {
    Dwords,
    Zext, ///< 8 or 16 bits, zero-extended
    Sext, ///< 8 or 16 bits, sign-extended
    D16,  ///< into (from) the low half, which alone is written; zero-extended
    D16Sext,
    D16Hi, ///< the high half
    D16HiSext,
  } kind = Dwords;
  uint8_t bytes = 0;       ///< Formatted: components.
  uint8_t elementBits = 0; ///< Of a transposing load.
  unsigned dwords() const { return bytes < 4 ? 1 : bytes / 4; }
};

/// What a read-modify-write does to memory.
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
  Wrap,     ///< Ring buffer: `compare` is added below, else `data` taken off.
  CondXchg, ///< Each dword whose data has bit 31: the other bits.
};

struct AtomicOp {
  AtomicKind kind = AtomicKind::Swap;
  uint8_t bytes = 0;
};

/// Which operands a control instruction has and where they go.
enum class ShapeOfControl : uint8_t {
  None,       ///< the 16-bit immediate at most
  Dest,       ///< one 64-bit destination
  Source,     ///< one 64-bit source
  DestSource, ///< 64-bit destination and source
  DestRaw,    ///< 32-bit destination; the immediate says what
  SetReg,     ///< the immediate says what; a 32-bit source, perhaps a literal
  Source32,   ///< one 32-bit source, then an immediate
  Sources,    ///< two 64-bit sources
  Sources32,  ///< two 32-bit sources
  Dest32,     ///< one 32-bit destination, then an immediate
  Move32,     ///< 32-bit destination and source
};

} // namespace aircc::sim

#endif // AIRCC_SIMULATOR_ISA_INSTRUCTIONFACTS_H
