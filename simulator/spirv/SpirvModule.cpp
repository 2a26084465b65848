//===- SpirvModule.cpp - Parsed SPIR-V module -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define SPV_ENABLE_UTILITY_CODE
#include "simulator/spirv/SpirvModule.h"

#include <cstring>

using namespace aircc::sim::spirv;
using llvm::ArrayRef;
using llvm::Error;
namespace rt = aircc::rt;

static Error malformed(const std::string &what, size_t word) {
  return llvm::createStringError("the SPIR-V module is damaged: " + what +
                                 ", at word " + std::to_string(word));
}

std::string aircc::sim::spirv::nameOf(spv::Op op) {
  struct Entry {
    unsigned number;
    const char *name;
  };
  static const Entry entries[] = {
#define SPIRV_OP(NAME) {static_cast<unsigned>(spv::Op::NAME), #NAME},
#include "SpirvOpNames.inc"
#undef SPIRV_OP
  };
  for (const Entry &entry : entries)
    if (entry.number == static_cast<unsigned>(op))
      return entry.name;
  return "instruction number " + std::to_string(static_cast<unsigned>(op));
}

void Instruction::failTooShort() const {
  throw Unsupported("SPIR-V: the module is damaged: " + nameOf(op) +
                    " is too short, at word " + std::to_string(word));
}

uint32_t Decoration::operand(unsigned i) const {
  if (i >= operands.size())
    throw Unsupported("SPIR-V: the module is damaged: a decoration of kind " +
                      std::to_string(static_cast<uint32_t>(kind)) +
                      " is too short");
  return operands[i];
}

std::string aircc::sim::spirv::nameOfExtended(uint32_t number) {
  struct Entry {
    uint32_t number;
    const char *name;
  };
  static const Entry entries[] = {
#define OPENCL_OP(NUMBER, NAME) {NUMBER, #NAME},
#include "SpirvOpenCLNames.inc"
#undef OPENCL_OP
  };
  for (const Entry &entry : entries)
    if (entry.number == number)
      return entry.name;
  return std::to_string(number);
}

std::pair<std::string, size_t>
aircc::sim::spirv::readString(ArrayRef<uint32_t> words) {
  rt::spirv::Literal literal =
      rt::spirv::readLiteral(words.data(), words.size());
  return {std::move(literal.text), literal.words};
}

llvm::Expected<std::unique_ptr<SpirvModule>>
SpirvModule::read(llvm::StringRef bytes) {
  if (bytes.size() < rt::spirv::headerWords * 4 || bytes.size() % 4)
    return malformed("it has " + std::to_string(bytes.size()) + " bytes", 0);
  std::unique_ptr<SpirvModule> module(
      new SpirvModule(rt::spirv::SpirvWords(bytes)));
  if (module->words.hasSwappedMagic())
    module->words.swapBytes();
  if (!module->words.hasMagic())
    return malformed("it does not begin with the SPIR-V header", 0);
  if (Error error = module->parse())
    return error;
  if (Error error = module->readDecorations())
    return error;
  if (Error error = module->readEntryPoints())
    return error;
  return module;
}

/// Splits the words of an instruction into result type, result id and operands.
static Error readResult(const rt::spirv::WordsOfInstruction &from,
                        uint32_t bound, Instruction &to) {
  ArrayRef<uint32_t> rest(from.operands, from.operandCount);
  bool hasResult = false, hasType = false;
  spv::HasResultAndType(to.op, &hasResult, &hasType);
  if (rest.size() < size_t(hasResult) + size_t(hasType))
    return malformed(nameOf(to.op) + " is too short", from.at);
  if (hasType) {
    to.type = rest.front();
    rest = rest.drop_front();
  }
  if (hasResult) {
    to.result = rest.front();
    rest = rest.drop_front();
  }
  for (auto [has, id] :
       {std::pair(hasType, to.type), std::pair(hasResult, to.result)})
    if (has && (id == 0 || id >= bound))
      return malformed("id " + std::to_string(id) + " of " + nameOf(to.op) +
                           " is not between 0 and the bound, " +
                           std::to_string(bound),
                       from.at);
  to.operands = rest;
  return Error::success();
}

/// Source lines apply until the end of their block.
static bool endsBlock(spv::Op op) {
  switch (op) {
  case spv::Op::OpBranch:
  case spv::Op::OpBranchConditional:
  case spv::Op::OpSwitch:
  case spv::Op::OpReturn:
  case spv::Op::OpReturnValue:
  case spv::Op::OpUnreachable:
  case spv::Op::OpFunctionEnd:
    return true;
  default:
    return false;
  }
}

Error SpirvModule::parse() {
  const uint32_t bound = words.bound();
  // The instruction that defines an id has at least two words.
  if (bound > words.size() + 1)
    return malformed("it declares " + std::to_string(bound) + " ids", 3);
  uint32_t file = 0, line = 0, column = 0;
  for (rt::spirv::WordsOfInstruction i; words.next(i);) {
    Instruction next;
    next.op = static_cast<spv::Op>(i.op);
    next.word = static_cast<uint32_t>(i.at);
    if (Error error = readResult(i, bound, next))
      return error;
    if (next.op == spv::Op::OpLine && next.operands.size() >= 3) {
      file = next.operands[0];
      line = next.operands[1];
      column = next.operands[2];
    } else if (next.op == spv::Op::OpNoLine) {
      file = line = column = 0;
    }
    next.file = file;
    next.line = line;
    next.column = column;
    if (endsBlock(next.op))
      file = line = column = 0;
    all.push_back(next);
  }
  if (!words.atEnd())
    return malformed("an instruction of " + std::to_string(words.nextLength()) +
                         " words",
                     words.nextPlace());
  return indexDefinitions();
}

/// Finds the definitions of ids and the bodies of functions.
Error SpirvModule::indexDefinitions() {
  definitions.assign(words.bound(), nullptr);
  size_t firstFunction = all.size();
  size_t bodyBegin = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    const Instruction &next = all[i];
    if (next.result) {
      if (definitions[next.result])
        return malformed("id " + std::to_string(next.result) +
                             " is defined twice",
                         next.word);
      definitions[next.result] = &next;
    }
    if (next.op == spv::Op::OpFunction) {
      firstFunction = std::min(firstFunction, i);
      allFunctions.push_back({&next, {}, {}});
      bodyBegin = 0;
      continue;
    }
    if (i < firstFunction)
      continue;
    if (next.op == spv::Op::OpFunctionParameter)
      allFunctions.back().parameters.push_back(&next);
    else if (next.op == spv::Op::OpLabel && !bodyBegin)
      bodyBegin = i;
    else if (next.op == spv::Op::OpFunctionEnd && bodyBegin)
      allFunctions.back().body =
          ArrayRef<Instruction>(all).slice(bodyBegin, i - bodyBegin);
  }
  globalInstructions = ArrayRef<Instruction>(all).take_front(firstFunction);
  return Error::success();
}

Error SpirvModule::readDecorations() {
  // Nested groups of decorations could grow without limit.
  size_t inherited = 0;
  const size_t most = 4 * words.size();
  for (const Instruction &next : globalInstructions) {
    if (next.op == spv::Op::OpName && next.operands.size() >= 2)
      names[next.operand(0)] = readString(next.operands.drop_front()).first;
    if ((next.op == spv::Op::OpDecorate || next.op == spv::Op::OpDecorateId) &&
        next.operands.size() >= 2)
      decorated[next.operand(0)].push_back(
          {static_cast<spv::Decoration>(next.operand(1)),
           next.operands.drop_front(2)});
    if (next.op == spv::Op::OpGroupDecorate && !next.operands.empty()) {
      std::vector<Decoration> group = decorated[next.operand(0)];
      inherited += group.size() * (next.operands.size() - 1);
      if (inherited > most)
        return malformed("groups of decorations name each other", next.word);
      for (uint32_t target : next.operands.drop_front())
        decorated[target].insert(decorated[target].end(), group.begin(),
                                 group.end());
    }
  }
  return Error::success();
}

Error SpirvModule::readEntryPoints() {
  for (const Instruction &next : globalInstructions) {
    switch (next.op) {
    case spv::Op::OpMemoryModel: {
      if (next.operands.size() < 2)
        return malformed("OpMemoryModel is too short", next.word);
      auto addressing = static_cast<spv::AddressingModel>(next.operand(0));
      auto memory = static_cast<spv::MemoryModel>(next.operand(1));
      if (addressing != spv::AddressingModel::Physical64 ||
          memory != spv::MemoryModel::OpenCL)
        return llvm::createStringError(
            "the SPIR-V module is not of the kind that OpenCL and Level Zero "
            "take with 64-bit addresses: its addressing model is " +
            std::to_string(next.operand(0)) + ", its memory model " +
            std::to_string(next.operand(1)));
      break;
    }
    case spv::Op::OpEntryPoint: {
      if (next.operands.size() < 3)
        return malformed("OpEntryPoint is too short", next.word);
      if (static_cast<spv::ExecutionModel>(next.operand(0)) !=
          spv::ExecutionModel::Kernel)
        break;
      EntryPoint entry;
      entry.function = next.operand(1);
      if (entry.function == 0 || entry.function >= words.bound())
        return malformed("OpEntryPoint names id " +
                             std::to_string(entry.function),
                         next.word);
      auto [name, nameWords] = readString(next.operands.drop_front(2));
      entry.name = std::move(name);
      for (uint32_t id : next.operands.drop_front(2 + nameWords))
        if (!find(id))
          return malformed("the interface of kernel '" + entry.name +
                               "' names id " + std::to_string(id) +
                               ", which is not defined",
                           next.word);
      entries.push_back(std::move(entry));
      break;
    }
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId: {
      if (next.operands.size() < 2)
        return malformed("OpExecutionMode is too short", next.word);
      auto mode = static_cast<spv::ExecutionMode>(next.operand(1));
      ArrayRef<uint32_t> values = next.operands.drop_front(2);
      for (EntryPoint &entry : entries) {
        if (entry.function != next.operand(0))
          continue;
        if (mode == spv::ExecutionMode::LocalSize && values.size() == 3)
          entry.workgroupSize = {values[0], values[1], values[2]};
        if (mode == spv::ExecutionMode::SubgroupSize && values.size() == 1)
          entry.subgroupSize = values[0];
      }
      break;
    }
    default:
      break;
    }
  }
  return Error::success();
}

ArrayRef<Decoration> SpirvModule::decorations(uint32_t id) const {
  auto it = decorated.find(id);
  if (it == decorated.end())
    return {};
  return it->second;
}

const Decoration *SpirvModule::findDecoration(uint32_t id,
                                              spv::Decoration kind) const {
  for (const Decoration &decoration : decorations(id))
    if (decoration.kind == kind)
      return &decoration;
  return nullptr;
}

std::string SpirvModule::name(uint32_t id) const {
  if (const Decoration *linkage =
          findDecoration(id, spv::Decoration::LinkageAttributes))
    return readString(linkage->operands).first;
  auto it = names.find(id);
  return it == names.end() || it->second.empty() ? "%" + std::to_string(id)
                                                 : it->second;
}

std::string SpirvModule::instructionSet(uint32_t id) const {
  const Instruction *import = find(id);
  return import && import->op == spv::Op::OpExtInstImport
             ? readString(import->operands).first
             : std::string();
}

std::string SpirvModule::sourceLine(const Instruction &instruction) const {
  const Instruction *file = find(instruction.file);
  if (!instruction.file || !file || file->op != spv::Op::OpString)
    return {};
  return readString(file->operands).first + ":" +
         std::to_string(instruction.line) + ":" +
         std::to_string(instruction.column);
}
