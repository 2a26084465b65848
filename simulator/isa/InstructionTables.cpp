//===- InstructionTables.cpp - Records of all instructions ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The macros below turn each line of isa/tables into a record. Each macro fills
// in the properties that all lines using it have in common.
//
//===----------------------------------------------------------------------===//

#include "simulator/isa/InstructionTables.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <array>

using namespace aircc::sim;
using llvm::StringRef;

namespace {

using namespace generations;
using namespace trait;

/// Sets the table and the index of each record.
template <size_t N>
consteval std::array<InstructionRecord, N>
numbered(InstructionTable table, const InstructionRecord (&&list)[N]) {
  std::array<InstructionRecord, N> made;
  for (size_t i = 0; i < N; ++i) {
    made[i] = list[i];
    made[i].table = table;
    made[i].index = static_cast<uint16_t>(i);
  }
  return made;
}

//===----------------------------------------------------------------------===//
// Vector arithmetic.
//===----------------------------------------------------------------------===//

/// The operand type for each type that exec/vector/LaneSupport.h names.
namespace lane_type {
constexpr ValueType F32 = ValueType::F32, U32 = ValueType::B32,
                    I32 = ValueType::B32, U64 = ValueType::B64,
                    I64 = ValueType::B64, F64 = ValueType::F64,
                    F16 = ValueType::F16, H16 = ValueType::F16,
                    BF16 = ValueType::BF16, U16 = ValueType::B16,
                    I16 = ValueType::B16, Bit = ValueType::Mask,
                    RawF16x2 = ValueType::PkF16, RawBF16x2 = ValueType::PkBF16,
                    RawB16x2 = ValueType::PkB16, MixF32 = ValueType::Mix;
} // namespace lane_type

struct LaneTypes {
  ValueType dst, dst2 = ValueType::None, a, b = ValueType::None,
                 c = ValueType::None;
};

consteval InstructionRecord lane(const char *names, Encoding encoding,
                                 Generations generations, TransferKind transfer,
                                 Traits traits, uint8_t sources,
                                 LaneTypes types) {
  InstructionRecord record;
  record.names = names;
  record.encoding = encoding;
  record.generations = generations;
  record.opClass =
      traits & Transcendental ? OpClass::Transcendental : OpClass::VectorAlu;
  record.transfer = transfer;
  record.traits = traits;
  record.operands = types.dst2 == ValueType::Mask ? "dds" : "ds";
  record.dst = types.dst;
  record.dst2 = types.dst2;
  record.src[0] = types.a;
  record.src[1] = types.b;
  record.src[2] = types.c;
  record.sourceCount = sources;
  return record;
}

#define LANE(COUNT, NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, ...)       \
  lane(NAMES, Encoding::ENCODING, GENERATIONS, TransferKind::TRANSFER, TRAITS, \
       COUNT, LaneTypes{__VA_ARGS__}),
#define LANE1(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, A, ...)       \
  LANE(1, NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, .dst = lane_type::D, \
       .a = lane_type::A)
#define LANE2(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, A, B, ...)    \
  LANE(2, NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, .dst = lane_type::D, \
       .a = lane_type::A, .b = lane_type::B)
#define LANE3(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, A, B, C, ...) \
  LANE(3, NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, .dst = lane_type::D, \
       .a = lane_type::A, .b = lane_type::B, .c = lane_type::C)
#define PAIR2(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, D2, A, B,     \
              ...)                                                             \
  LANE(2, NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, .dst = lane_type::D, \
       .dst2 = lane_type::D2, .a = lane_type::A, .b = lane_type::B)
#define PAIR3(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, D2, A, B, C,  \
              ...)                                                             \
  LANE(3, NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, .dst = lane_type::D, \
       .dst2 = lane_type::D2, .a = lane_type::A, .b = lane_type::B,            \
       .c = lane_type::C)
#define LANES1(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, A, ...)      \
  LANE(1, NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, .dst = ValueType::D, \
       .a = ValueType::A)
#define LANES2(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, A, B, ...)   \
  LANE(2, NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, .dst = ValueType::D, \
       .a = ValueType::A, .b = ValueType::B)
#define LANES3(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, A, B, C,     \
               ...)                                                            \
  LANE(3, NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, .dst = ValueType::D, \
       .a = ValueType::A, .b = ValueType::B, .c = ValueType::C)
#define HALVES2(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, P, E, ...)     \
  LANES2(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, P, P, P)
#define HALVES3(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, P, E, ...)     \
  LANES3(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, P, P, P, P)
#define WIDE2 HALVES2
#define WIDE3 HALVES3

constexpr auto kCompare = numbered(InstructionTable::Compare, {
#include "simulator/isa/tables/Compare.def"
                                                              });
constexpr auto kConvert = numbered(InstructionTable::Convert, {
#include "simulator/isa/tables/Convert.def"
                                                              });
constexpr auto kFloat8 = numbered(InstructionTable::Float8, {
#include "simulator/isa/tables/Float8.def"
                                                            });
constexpr auto kFloat = numbered(InstructionTable::Float, {
#include "simulator/isa/tables/VectorFloat.def"
                                                          });
constexpr auto kInteger = numbered(InstructionTable::Integer, {
#include "simulator/isa/tables/VectorInteger.def"
                                                              });
constexpr auto kPacked = numbered(InstructionTable::Packed, {
#include "simulator/isa/tables/Packed.def"
                                                            });
constexpr auto kSpecial = numbered(InstructionTable::Special, {
#include "simulator/isa/tables/Special.def"
                                                              });

//===----------------------------------------------------------------------===//
// Other vector instructions.
//===----------------------------------------------------------------------===//

consteval InstructionRecord plain(const char *names, Encoding encoding,
                                  Generations generations, OpClass opClass,
                                  Traits traits, const char *operands) {
  InstructionRecord record;
  record.names = names;
  record.encoding = encoding;
  record.generations = generations;
  record.opClass = opClass;
  record.traits = traits;
  record.operands = operands;
  return record;
}

consteval InstructionRecord crossLane(InstructionRecord record,
                                      TransferKind transfer) {
  record.transfer = transfer;
  return record;
}
#define CROSS_LANE(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, OPERANDS,   \
                   ...)                                                        \
  crossLane(plain(NAMES, Encoding::ENCODING, GENERATIONS, OpClass::VectorAlu,  \
                  TRAITS, OPERANDS),                                           \
            TransferKind::TRANSFER),
constexpr auto kCrossLane = numbered(InstructionTable::CrossLane, {
#include "simulator/isa/tables/CrossLane.def"
                                                                  });

#define MOVE_RELATIVE(NAMES, ENCODING, GENERATIONS, TRAITS)                    \
  plain(NAMES, Encoding::ENCODING, GENERATIONS, OpClass::VectorAlu, TRAITS,    \
        "ds"),
constexpr auto kMoveRelative = numbered(InstructionTable::MoveRelative, {
#include "simulator/isa/tables/MoveRelative.def"
                                                                        });

#define SCALED_CONVERT(NAMES, ENCODING, GENERATIONS, TRAITS, ...)              \
  plain(NAMES, Encoding::ENCODING, GENERATIONS, OpClass::VectorAlu, TRAITS,    \
        "ds"),
constexpr auto kScaledConvert = numbered(InstructionTable::ScaledConvert, {
#include "simulator/isa/tables/ScaledConvert.def"
                                                                          });

/// Matrix instructions. The sparse ones accumulate into D.
consteval InstructionRecord matrix(const char *names, Generations generations,
                                   bool sparse) {
  return plain(names, Encoding::VOP3P, generations, OpClass::Matrix,
               IgnoresExec | (sparse ? Tied : None), "ds");
}
consteval Generations cdnaOf(unsigned gfx90a, unsigned gfx940,
                             unsigned gfx950) {
  return static_cast<Generations>(
      (gfx90a ? Gfx90a : 0) | (gfx940 ? Gfx940 : 0) | (gfx950 ? Gfx950 : 0));
}
#define MFMA(GFX90A, GFX940, M, N, K, BLOCKS, A, B, C, P90A, P940, P950)       \
  matrix(GFX90A "|" GFX940, cdnaOf(P90A, P940, P950), false),
#define MFMA_SCALED MFMA
#define SMFMAC(GFX90A, GFX940, M, N, K, BLOCKS, A, B, C, P90A, P940, P950)     \
  matrix(GFX90A "|" GFX940, cdnaOf(P90A, P940, P950), true),
#define WMMA(NAME, GENERATIONS, K, A, B, C) matrix(NAME, GENERATIONS, false),
#define SWMMAC(NAME, GENERATIONS, K, A, B, C) matrix(NAME, GENERATIONS, true),
constexpr auto kMatrix = numbered(InstructionTable::Matrix, {
#include "simulator/isa/tables/Matrix.def"
                                                            });

//===----------------------------------------------------------------------===//
// Scalar instructions.
//===----------------------------------------------------------------------===//

/// The types of a scalar instruction's destination and sources.
struct ScalarTypes {
  ValueType dst, a, b = ValueType::None;
};

consteval InstructionRecord scalar(const char *names, Encoding encoding,
                                   Generations generations,
                                   TransferKind transfer, Traits traits,
                                   const char *operands, ScalarTypes types) {
  InstructionRecord record =
      plain(names, encoding, generations, OpClass::ScalarAlu, traits, operands);
  record.transfer = transfer;
  record.dst = types.dst;
  record.src[0] = types.a;
  record.src[1] = types.b;
  record.sourceCount =
      (types.a != ValueType::None) + (types.b != ValueType::None);
  return record;
}

#define SCALAR(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D, A, B, ...)   \
  scalar(NAMES, Encoding::ENCODING, GENERATIONS, TransferKind::TRANSFER,       \
         TRAITS, ValueType::D == ValueType::None ? "s" : "ds",                 \
         ScalarTypes{ValueType::D, ValueType::A, ValueType::B}),
#define LOGIC(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, TYPE, ...)       \
  SCALAR(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, TYPE, TYPE, TYPE)
#define LOGIC1(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, TYPE, ...)      \
  SCALAR(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, TYPE, TYPE, None)
constexpr auto kScalarInteger = numbered(InstructionTable::ScalarInteger, {
#include "simulator/isa/tables/ScalarInteger.def"
                                                                          });
constexpr auto kScalarFloat = numbered(InstructionTable::ScalarFloat, {
#include "simulator/isa/tables/ScalarFloat.def"
                                                                      });

/// SOPK: comparisons (D is None) have no destination, S_MOVK only writes it,
/// and the others also read it.
#define SCALAR_IMMEDIATE(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, D,    \
                         ...)                                                  \
  scalar(NAMES, Encoding::ENCODING, GENERATIONS, TransferKind::TRANSFER,       \
         TRAITS,                                                               \
         ValueType::D == ValueType::None                ? "s"                  \
         : TransferKind::TRANSFER == TransferKind::Move ? "ds"                 \
                                                        : "bs",                \
         ScalarTypes{ValueType::D, ValueType::None}),
constexpr auto kScalarImmediate =
    numbered(InstructionTable::ScalarImmediate, {
#include "simulator/isa/tables/ScalarImmediate.def"
                                                });

consteval InstructionRecord scalarSpecial(InstructionRecord record,
                                          uint8_t sources) {
  for (unsigned i = 1; i < sources; ++i)
    record.src[i] = record.src[0];
  record.sourceCount = sources;
  return record;
}
#define SCALAR_SPECIAL(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS,         \
                       OPERANDS, D, SOURCE, COUNT, ...)                        \
  scalarSpecial(scalar(NAMES, Encoding::ENCODING, GENERATIONS,                 \
                       TransferKind::TRANSFER, TRAITS, OPERANDS,               \
                       ScalarTypes{ValueType::D, ValueType::SOURCE}),          \
                COUNT),
#define SAVE_EXEC(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, TYPE, ...)   \
  scalar(NAMES, Encoding::ENCODING, GENERATIONS, TransferKind::TRANSFER,       \
         TRAITS | WritesScc | ReadsExec | WritesExec, "ds",                    \
         ScalarTypes{ValueType::TYPE, ValueType::TYPE}),
#define WRITE_EXEC(NAMES, ENCODING, GENERATIONS, TRANSFER, TRAITS, TYPE, ...)  \
  scalar(NAMES, Encoding::ENCODING, GENERATIONS, TransferKind::TRANSFER,       \
         TRAITS | WritesScc | ReadsExec | WritesExec | ExecInDest, "ds",       \
         ScalarTypes{ValueType::TYPE, ValueType::TYPE}),
constexpr auto kScalarSpecial = numbered(InstructionTable::ScalarSpecial, {
#include "simulator/isa/tables/ScalarSpecial.def"
                                                                          });

consteval InstructionRecord
control(InstructionRecord record, CounterClass counter, ShapeOfControl shape) {
  record.counter = counter;
  record.shape = shape;
  return record;
}
#define CONTROL(NAMES, ENCODING, GENERATIONS, CLASS, TRAITS, COUNTER, SHAPE,   \
                OPERANDS, ...)                                                 \
  control(plain(NAMES, Encoding::ENCODING, GENERATIONS, OpClass::CLASS,        \
                TRAITS, OPERANDS),                                             \
          CounterClass::COUNTER, ShapeOfControl::SHAPE),
constexpr auto kControl = numbered(InstructionTable::Control, {
#include "simulator/isa/tables/Control.def"
                                                              });
constexpr auto kBranch = numbered(InstructionTable::Branch, {
#include "simulator/isa/tables/Branch.def"
                                                            });
constexpr auto kRegisters = numbered(InstructionTable::Registers, {
#include "simulator/isa/tables/Registers.def"
                                                                  });
constexpr auto kBarrier = numbered(InstructionTable::Barrier, {
#include "simulator/isa/tables/Barrier.def"
                                                              });

//===----------------------------------------------------------------------===//
// Memory.
//===----------------------------------------------------------------------===//

consteval OpClass memoryClass(Encoding encoding) {
  switch (encoding) {
  case Encoding::SMEM:
    return OpClass::ScalarMemory;
  case Encoding::DS:
  case Encoding::LDSDIR:
    return OpClass::Lds;
  case Encoding::FLAT:
    return OpClass::Flat;
  case Encoding::GLOBAL:
    return OpClass::Global;
  case Encoding::SCRATCH:
    return OpClass::Scratch;
  default:
    return OpClass::Buffer;
  }
}
consteval CounterClass memoryCounter(Encoding encoding, AccessKind access) {
  switch (encoding) {
  case Encoding::SMEM:
    return CounterClass::Scalar;
  case Encoding::DS:
    return CounterClass::Lds;
  case Encoding::LDSDIR:
    return CounterClass::Export;
  default:
    return access == AccessKind::Read    ? CounterClass::Load
           : access == AccessKind::Write ? CounterClass::Store
                                         : CounterClass::Atomic;
  }
}
/// Returns the operands in the order of the assembly syntax. If an atomic
/// outside DS returns the old value, a destination precedes these operands
/// (FLAT), or the data is also the destination (MUBUF, SMEM).
consteval const char *memoryOperands(Encoding encoding, AccessKind access,
                                     Traits traits) {
  const bool dataFirst = encoding == Encoding::MUBUF ||
                         encoding == Encoding::MTBUF ||
                         encoding == Encoding::SMEM;
  const bool isDs = encoding == Encoding::DS;
  if (traits & (ToLds | FromLds))
    return "a";
  if (encoding == Encoding::LDSDIR || traits & Counts)
    return "d";
  if (traits & Block)
    return access == AccessKind::Read ? "-a" : "a";
  if (traits & AddsLane)
    return access == AccessKind::Read ? "da" : isDs ? "v" : "va";
  if (access == AccessKind::Read)
    return isDs ? "dav" : "da";
  if (isDs)
    return traits & Returns ? "dav" : "av";
  return dataFirst ? "va" : "ava";
}
consteval InstructionRecord memory(const char *names, Encoding encoding,
                                   Generations generations, AccessKind access,
                                   Traits traits) {
  InstructionRecord record =
      plain(names, encoding, generations, memoryClass(encoding), traits,
            memoryOperands(encoding, access, traits));
  // M0, rather than a register operand, contains the LDS address.
  if (traits & (ToLds | FromLds | Counts) || encoding == Encoding::LDSDIR ||
      (traits & AddsLane && encoding == Encoding::DS))
    record.traits |= ReadsM0;
  record.access = access;
  record.counter = memoryCounter(encoding, access);
  return record;
}
consteval InstructionRecord access(InstructionRecord record,
                                   MemoryFormat::Kind kind, uint8_t bytes) {
  record.format.kind = kind;
  record.format.bytes = bytes;
  return record;
}
consteval InstructionRecord atomic(InstructionRecord record, AtomicKind kind,
                                   uint8_t bytes) {
  record.atomic.kind = kind;
  record.atomic.bytes = bytes;
  return record;
}
#define LOAD(NAMES, ENCODING, GENERATIONS, TRAITS, FORMAT, BYTES)              \
  access(memory(NAMES, Encoding::ENCODING, GENERATIONS, AccessKind::Read,      \
                TRAITS),                                                       \
         MemoryFormat::FORMAT, BYTES),
#define STORE(NAMES, ENCODING, GENERATIONS, TRAITS, FORMAT, BYTES)             \
  access(memory(NAMES, Encoding::ENCODING, GENERATIONS, AccessKind::Write,     \
                TRAITS),                                                       \
         MemoryFormat::FORMAT, BYTES),
#define ATOMIC(NAMES, ENCODING, GENERATIONS, TRAITS, KIND, BYTES)              \
  atomic(memory(NAMES, Encoding::ENCODING, GENERATIONS, AccessKind::Atomic,    \
                TRAITS),                                                       \
         AtomicKind::KIND, BYTES),
constexpr auto kScalarMemory = numbered(InstructionTable::ScalarMemory, {
#include "simulator/isa/tables/ScalarMemory.def"
                                                                        });
constexpr auto kLds = numbered(InstructionTable::Lds, {
#include "simulator/isa/tables/Lds.def"
                                                      });
constexpr auto kFlat = numbered(InstructionTable::Flat, {
#include "simulator/isa/tables/Flat.def"
                                                        });
constexpr auto kBuffer = numbered(InstructionTable::Buffer, {
#include "simulator/isa/tables/Buffer.def"
                                                            });

consteval InstructionRecord counted(InstructionRecord record,
                                    TransferKind transfer) {
  record.transfer = transfer;
  record.counter = CounterClass::Lds;
  return record;
}
consteval InstructionRecord transposed(InstructionRecord record, uint8_t bytes,
                                       uint8_t bits) {
  record.format.bytes = bytes;
  record.format.elementBits = bits;
  return record;
}
#define LDS_LANES(NAMES, ENCODING, GENERATIONS, TRANSFER, OPERANDS, ...)       \
  counted(plain(NAMES, Encoding::ENCODING, GENERATIONS, OpClass::LdsPermute,   \
                None, OPERANDS),                                               \
          TransferKind::TRANSFER),
#define LDS_TRANSPOSED(NAMES, ENCODING, GENERATIONS, BYTES, BITS)              \
  transposed(memory(NAMES, Encoding::ENCODING, GENERATIONS, AccessKind::Read,  \
                    Transposes),                                               \
             BYTES, BITS),
constexpr auto kLdsLanes = numbered(InstructionTable::LdsLanes, {
#include "simulator/isa/tables/LdsLanes.def"
                                                                });

} // namespace

llvm::ArrayRef<InstructionRecord>
aircc::sim::recordsOf(InstructionTable table) {
  static const llvm::ArrayRef<InstructionRecord> kTables[kInstructionTables] = {
      kCompare, kConvert,       kFloat8,      kFloat,           kInteger,
      kPacked,  kSpecial,       kCrossLane,   kMoveRelative,    kScaledConvert,
      kMatrix,  kScalarInteger, kScalarFloat, kScalarImmediate, kScalarSpecial,
      kControl, kBranch,        kRegisters,   kBarrier,         kScalarMemory,
      kLds,     kLdsLanes,      kFlat,        kBuffer,
  };
  return kTables[static_cast<unsigned>(table)];
}

namespace {
/// The records for each name, for different generations and for clamp.
using Index = llvm::StringMap<llvm::SmallVector<const InstructionRecord *, 2>>;
} // namespace

static Index makeIndex() {
  Index index;
  for (unsigned t = 0; t < kInstructionTables; ++t)
    for (const InstructionRecord &record :
         recordsOf(static_cast<InstructionTable>(t))) {
      llvm::SmallVector<StringRef, 4> names;
      StringRef(record.names).split(names, '|', -1, /*KeepEmpty=*/false);
      for (StringRef name : names)
        index[name].push_back(&record);
    }
  return index;
}

const InstructionRecord *aircc::sim::findRecord(StringRef mnemonic,
                                                Generation generation,
                                                bool clamped) {
  static const Index index = makeIndex();
  auto it = index.find(mnemonic);
  if (it == index.end())
    return nullptr;
  const InstructionRecord *found = nullptr;
  for (const InstructionRecord *record : it->second) {
    if (!record->isIn(generation))
      continue;
    const bool saturates = record->has(trait::Saturates);
    if (saturates == clamped)
      return record;
    if (!saturates)
      found = record;
  }
  return found;
}

const InstructionRecord &aircc::sim::moveRecord() {
  static const InstructionRecord &record =
      *findRecord("v_mov_b32", Generation::Gfx90a);
  return record;
}

CostClass InstructionRecord::cost() const {
  switch (opClass) {
  case OpClass::VectorAlu:
  case OpClass::Dual: {
    bool isDouble = dst == ValueType::F64;
    for (ValueType type : src)
      isDouble |= type == ValueType::F64;
    return isDouble ? CostClass::Double : CostClass::Vector;
  }
  case OpClass::Transcendental:
    return CostClass::Transcendental;
  case OpClass::Matrix:
    return CostClass::Matrix;
  case OpClass::LdsPermute:
    return CostClass::Permute;
  case OpClass::Lds:
  case OpClass::Flat:
  case OpClass::Global:
  case OpClass::Scratch:
  case OpClass::Buffer:
    return CostClass::Access;
  case OpClass::Wait:
  case OpClass::Barrier:
  case OpClass::Signal:
  case OpClass::Hint:
    return CostClass::Free;
  default:
    return CostClass::Scalar;
  }
}
