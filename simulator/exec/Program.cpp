//===- Program.cpp - The decoded code of a code object --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/Program.h"

#include "simulator/exec/Fault.h"
#include "simulator/exec/Wave.h"
#include "simulator/exec/vector/LaneLevel.h"
#include "simulator/isa/InstructionTables.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace aircc::sim;
using llvm::StringRef;

const uint32_t *ConstantRows::get(uint64_t value, bool wide) {
  std::unique_ptr<uint32_t[], Free> &entry = rows[{value, wide}];
  if (!entry) {
    size_t count = (wide ? 2 : 1) * kRowLanes;
    entry.reset(new (kAlignment) uint32_t[count]);
    for (size_t i = 0; i < count; ++i)
      entry[i] = static_cast<uint32_t>(i < kRowLanes ? value : value >> 32);
  }
  return entry.get();
}

Program::Program(const CodeObject &object, bool wave32)
    : object(object), wave32(wave32) {}
Program::~Program() = default;

llvm::Expected<std::unique_ptr<Program>>
Program::create(const CodeObject &object, bool wave32) {
  std::unique_ptr<Program> program(new Program(object, wave32));
  auto decoder = InstructionDecoder::create(object.chip(), wave32);
  if (!decoder)
    return decoder.takeError();
  program->decoder = std::move(*decoder);
  return program;
}

const Program::Function *Program::functionAt(uint64_t address) const {
  auto it = functions.upper_bound(address);
  if (it == functions.begin())
    return nullptr;
  --it;
  return address < it->second->end ? it->second.get() : nullptr;
}

const Op *Program::lookup(uint64_t address) {
  const Function *function;
  {
    std::shared_lock<std::shared_mutex> lock(mutex);
    function = functionAt(address);
  }
  if (!function) {
    std::unique_lock<std::shared_mutex> lock(mutex);
    function = functionAt(address);
    if (!function) {
      uint64_t end;
      if (!object.isCode(address, end))
        throw Fault("jump to 0x" + llvm::utohexstr(address) +
                    ", where there is no code");
      // Find the function that contains the address or, without symbols, all
      // code from the address to the next symbol.
      uint64_t begin = address;
      for (const CodeSymbol &symbol : object.functions()) {
        if (symbol.address <= address &&
            address < symbol.address + symbol.size) {
          begin = symbol.address;
          end = symbol.address + symbol.size;
          break;
        }
        if (symbol.address > address && symbol.address < end)
          end = symbol.address;
      }
      std::unique_ptr<Function> decoded = decode(begin, end);
      function = decoded.get();
      functions[begin] = std::move(decoded);
    }
  }
  uint64_t slot = (address - function->begin) / 4;
  if (address % 4 || function->indexOf[slot] < 0)
    throw Fault("jump to 0x" + llvm::utohexstr(address) +
                ", where no instruction starts");
  return &function->ops[function->indexOf[slot]];
}

/// Returns the operation after the last one of a function.
static bool runOffEnd(Wave &, const Op &) {
  throw Fault("execution ran past the end of the function");
}

static bool runUnknown(Wave &, const Op &op) {
  std::string text = "instruction '" + op.inst->text() + "' is not implemented";
  if (!op.inst->unknown.empty())
    text += " (" + op.inst->unknown + ")";
  throw Fault(text);
}

/// Returns whether an instruction branches by its immediate.
static bool hasRelativeTarget(const Op &op) {
  return op.record && op.record->has(trait::RelativeTarget);
}

std::unique_ptr<Program::Function> Program::decode(uint64_t begin,
                                                   uint64_t end) {
  auto function = std::make_unique<Function>();
  function->begin = begin;
  function->end = end;
  function->indexOf.assign((end - begin + 3) / 4, -1);
  std::vector<const DecodedInstruction *> decoded;
  uint64_t address = begin;
  while (address + 4 <= end) {
    llvm::ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(address),
                                  end - address);
    instructions.emplace_back();
    DecodedInstruction &out = instructions.back();
    decoder->decode(bytes, address, out);
    function->indexOf[(address - begin) / 4] = decoded.size();
    decoded.push_back(&out);
    address += out.bytes;
  }

  function->ops.resize(decoded.size() + 1);
  for (size_t i = 0; i < decoded.size(); ++i) {
    function->ops[i].inst = decoded[i];
    function->ops[i].mods = &decoded[i]->mods;
    bind(*decoded[i], function->ops[i]);
  }
  instructions.emplace_back();
  DecodedInstruction &last = instructions.back();
  last.mnemonic = "(end of function)";
  last.address = address;
  function->ops.back().inst = &last;
  function->ops.back().handler = runOffEnd;
  describe(function->ops.back(), OpInfo());

  // Branches within the function
  for (size_t i = 0; i < decoded.size(); ++i) {
    if (!hasRelativeTarget(function->ops[i]))
      continue;
    int64_t words = static_cast<int16_t>(decoded[i]->words[0] & 0xffff);
    uint64_t to = decoded[i]->address + 4 + words * 4;
    function->ops[i].imm = to;
    if (to >= begin && to < end && function->indexOf[(to - begin) / 4] >= 0)
      function->ops[i].target =
          &function->ops[function->indexOf[(to - begin) / 4]];
  }
  return function;
}

std::vector<Program::DecodedOp> Program::decodeAll(uint64_t begin,
                                                   uint64_t end) {
  std::unique_lock<std::shared_mutex> lock(mutex);
  std::vector<DecodedOp> all;
  std::unique_ptr<Function> function = decode(begin, end);
  // The last one is the end of the function.
  for (const Op &op : llvm::ArrayRef<Op>(function->ops).drop_back()) {
    DecodedOp made;
    made.address = op.inst->address;
    made.mnemonic = op.inst->mnemonic;
    made.isUndecodable = op.inst->mnemonic == "(undecodable)";
    made.isSimulated = op.handler != runUnknown;
    if (!made.isSimulated)
      made.text = op.inst->text();
    made.problem = op.inst->unknown;
    if (hasRelativeTarget(op))
      made.target = op.imm;
    made.fallsThrough = !op.record || !op.record->has(trait::NeverFallsThrough);
    all.push_back(std::move(made));
  }
  return all;
}

/// Returns the bind function of the instructions of a table.
static BindFunction binderOf(InstructionTable table) {
  switch (table) {
  case InstructionTable::Compare:
  case InstructionTable::Convert:
  case InstructionTable::Float8:
  case InstructionTable::Float:
  case InstructionTable::Integer:
  case InstructionTable::Packed:
  case InstructionTable::Special:
    return bindVector;
  case InstructionTable::CrossLane:
    return bindCrossLane;
  case InstructionTable::MoveRelative:
    return bindMoveRelative;
  case InstructionTable::ScaledConvert:
    return bindScaledConvert;
  case InstructionTable::Matrix:
    return bindMatrix;
  case InstructionTable::ScalarInteger:
  case InstructionTable::ScalarFloat:
    return bindScalar;
  case InstructionTable::ScalarImmediate:
    return bindScalarImmediate;
  case InstructionTable::ScalarSpecial:
    return bindScalarSpecial;
  case InstructionTable::Control:
  case InstructionTable::Branch:
  case InstructionTable::Registers:
  case InstructionTable::Barrier:
    return bindControl;
  case InstructionTable::ScalarMemory:
    return bindScalarMemory;
  case InstructionTable::Lds:
    return bindLds;
  case InstructionTable::LdsLanes:
    return bindLdsLanes;
  case InstructionTable::Flat:
    return bindFlat;
  case InstructionTable::Buffer:
    return bindBuffer;
  }
  llvm_unreachable("a table without a family");
}

bool Program::bindOne(BindContext &context, const DecodedInstruction &inst,
                      Op &op) {
  if (!inst.unknown.empty())
    return context.refuse(inst.unknown);
  op.record =
      findRecord(inst.mnemonic, object.chip().generation, inst.mods.clamp);
  return op.record && binderOf(op.record->table)(context, *op.record, inst, op);
}

namespace {
/// Op::flags for VOPD.
enum DualFlags : uint32_t {
  kKeepsOldRow = 1, ///< The second operation reads what the first one writes.
  kPlain = 2,       ///< Neither modifiers nor scalar registers.
};

/// Both operations of a VOPD, side by side for the host's caches.
struct DualOps {
  Op halves[2];
  /// With kPlain, all that is needed to execute the operations.
  struct Plain {
    LaneKernel kernel;
    uint32_t dst; ///< The offset from the wave's first row, in dwords.
    /// The rows of a source are at `base`, plus the address of the wave's first
    /// row if `inRegisters` has all bits set.
    struct Source {
      uintptr_t base = 0, inRegisters = 0;
    } src[3];
  } plain[2];
  /// With kPlain, if all sources are vector registers, the offsets of the
  /// destination and the sources from the wave's first row, in dwords.
  uint32_t rows[2][4];
};
} // namespace

/// Executes a VOPD. Both operations read their sources before either writes.
static bool runDual(Wave &wave, const Op &op) {
  const auto &dual = *static_cast<const DualOps *>(op.table);
  if (op.flags == kPlain && wave.execFull && !wave.specialMode) {
    const auto rows = reinterpret_cast<uintptr_t>(wave.rows);
    for (const DualOps::Plain &half : dual.plain) {
      auto source = [&](unsigned i) {
        return reinterpret_cast<const uint32_t *>(
            half.src[i].base + (rows & half.src[i].inRegisters));
      };
      half.kernel(wave.rows + half.dst, nullptr, source(0), source(1),
                  source(2), wave.lanes);
    }
    return false;
  }
  const Op &first = dual.halves[0], &second = dual.halves[1];
  Handler runFirst = wave.specialMode ? wave.level->general : first.handler;
  Handler runSecond = wave.specialMode ? wave.level->general : second.handler;
  if (!(op.flags & kKeepsOldRow)) {
    runFirst(wave, first);
    runSecond(wave, second);
    return false;
  }
  uint32_t before[kRowLanes], after[kRowLanes];
  uint32_t *row = wave.row(first.dst.reg);
  std::memcpy(before, row, sizeof(before));
  runFirst(wave, first);
  std::memcpy(after, row, sizeof(after));
  std::memcpy(row, before, sizeof(before));
  runSecond(wave, second);
  std::memcpy(row, after, sizeof(after));
  return false;
}

/// Does the same with kPlain, if all sources are vector registers.
static bool runDualRows(Wave &wave, const Op &op) {
  if (!wave.execFull || wave.specialMode)
    return runDual(wave, op);
  const auto &dual = *static_cast<const DualOps *>(op.table);
  uint32_t *rows = wave.rows;
  const unsigned lanes = wave.lanes;
  const uint32_t *first = dual.rows[0], *second = dual.rows[1];
  dual.plain[0].kernel(rows + first[0], nullptr, rows + first[1],
                       rows + first[2], rows + first[3], lanes);
  dual.plain[1].kernel(rows + second[0], nullptr, rows + second[1],
                       rows + second[2], rows + second[3], lanes);
  return false;
}

/// Returns whether `reader` has the destination of `writer` as a source.
static bool readsResult(const Op &reader, const Op &writer) {
  for (unsigned i = 0; i < reader.srcCount; ++i)
    if (reader.src[i].kind == Operand::Kind::Vector &&
        reader.src[i].reg == writer.dst.reg)
      return true;
  return false;
}

bool Program::bindDual(BindContext &context, const DecodedInstruction &inst,
                       Op &op) {
  auto dual = std::make_shared<DualOps>();
  Op(&pair)[2] = dual->halves;
  unsigned index = 0;
  for (const DecodedInstruction &half : inst.halves) {
    Op &bound = pair[index++];
    bound.inst = &half;
    bound.mods = &half.mods;
    if (!bindOne(context, half, bound))
      return false;
    describe(bound, describeOp(object.chip(), wave32, half, bound));
  }
  if (readsResult(pair[1], pair[0]))
    op.flags |= kKeepsOldRow;
  op.handler = runDual;
  if (pair[0].handler == context.level.plain[0] &&
      pair[1].handler == context.level.plain[0]) {
    op.flags |= kPlain;
    bool allInRegisters = true;
    for (unsigned half = 0; half < 2; ++half) {
      DualOps::Plain &plain = dual->plain[half];
      plain.kernel = pair[half].kernel;
      plain.dst = pair[half].dst.reg * kRowLanes;
      for (unsigned i = 0; i < 3; ++i) {
        const Operand &from = pair[half].src[i];
        if (from.rows)
          plain.src[i] = {reinterpret_cast<uintptr_t>(from.rows), 0};
        else
          plain.src[i] = {from.reg * kRowLanes * sizeof(uint32_t), UINTPTR_MAX};
        allInRegisters &= !from.rows;
        dual->rows[half][1 + i] = from.reg * kRowLanes;
      }
      dual->rows[half][0] = plain.dst;
    }
    if (allInRegisters && op.flags == kPlain)
      op.handler = runDualRows;
  }
  op.table = dual.get();
  op.floatClass = FloatClass::Single;
  describe(op, describeDual(*pair[0].info, *pair[1].info));
  context.keep(std::move(dual));
  return true;
}

void Program::describe(Op &op, OpInfo info) {
  info.index = static_cast<uint32_t>(descriptions.size());
  descriptions.push_back(std::move(info));
  op.info = &descriptions.back();
}

std::string Program::whyNotImplemented(llvm::ArrayRef<uint8_t> encoding) {
  std::unique_lock<std::shared_mutex> lock(mutex);
  instructions.emplace_back();
  DecodedInstruction &inst = instructions.back();
  decoder->decode(encoding, 0, inst);
  Op op;
  op.inst = &inst;
  op.mods = &inst.mods;
  bind(inst, op);
  if (op.handler != runUnknown)
    return "";
  return inst.unknown.empty() ? "not known" : inst.unknown;
}

void Program::bind(const DecodedInstruction &inst, Op &op) {
  BindContext context{object.chip(),     wave32, constants,
                      selectLaneLevel(), kept,   {}};
  const DecodedInstruction *kept = op.inst;
  bool bound = !inst.halves.empty() ? bindDual(context, inst, op)
                                    : bindOne(context, inst, op);
  if (bound) {
    if (!op.info)
      describe(op, describeOp(object.chip(), wave32, inst, op));
    return;
  }
  op = Op();
  describe(op, OpInfo());
  op.inst = kept;
  op.mods = &kept->mods;
  op.handler = runUnknown;
  if (!context.problem.empty() && inst.unknown.empty())
    const_cast<DecodedInstruction &>(inst).unknown = context.problem;
}
