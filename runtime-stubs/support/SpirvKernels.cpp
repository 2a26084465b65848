//===- SpirvKernels.cpp - The kernels of a SPIR-V module ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/support/SpirvKernels.h"
#include "runtime-stubs/support/SpirvTypes.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <set>

using namespace aircc::rt;
using namespace aircc::rt::spirv;

namespace {

struct Function {
  uint32_t type = 0;
  std::vector<uint32_t> parameters, callees;
  std::set<uint32_t> variables; // Variables in Workgroup storage.
};

struct EntryPoint {
  uint32_t function;
  SpirvKernel kernel;
  bool sizeIsIds = false; ///< Whether the size still consists of ids of
                          ///< constants.
};

class Reader : private Types {
public:
  Status read(std::string_view module);
  Status describe(EntryPoint &entry);

  std::vector<EntryPoint> entryPoints;
  std::vector<std::string> imports;

private:
  Status readInstruction(uint32_t op, Operands operands);
  Status readModeOperands(uint32_t op, Operands &operands);
  void readVariable(uint32_t op, Operands &operands);
  void readDecoration(Operands &operands);
  void noteUses(uint32_t op, Operands operands);

  Status argument(uint32_t type, uint32_t parameter, SpirvArgument &argument);
  Status sharedBytes(uint32_t function, uint64_t &bytes);

  std::map<uint32_t, uint32_t> workgroupVariables; // Maps variables to their
                                                   // pointees.
  // The workgroup variables that constants refer to.
  std::map<uint32_t, std::set<uint32_t>> reaches;
  std::map<uint32_t, Function> functions;
  Function *current = nullptr;
};

} // namespace

Status Reader::read(std::string_view module) {
  if (module.size() % sizeof(uint32_t) != 0)
    return damaged("its size, " + std::to_string(module.size()) +
                   " bytes, is not a multiple of 4");
  SpirvWords words(module);
  if (words.hasSwappedMagic())
    return Status::failure("the SPIR-V module is in the other byte order; make "
                           "it in that of this machine");
  if (!words.hasMagic())
    return Status::failure(
        "this is not a SPIR-V module: it does not begin with "
        "the number 0x07230203");
  if (!words.hasHeader())
    return damaged("it ends within its header");
  if (words.major() != 1)
    return Status::failure(
        "the SPIR-V module has version " + std::to_string(words.major()) + "." +
        std::to_string(words.minor()) + "; only versions 1.x are known");

  auto where = [](uint32_t op, size_t at) {
    return "instruction " + std::to_string(op) + " at word " +
           std::to_string(at);
  };
  for (WordsOfInstruction i; words.next(i);)
    if (Status s = readInstruction(i.op, Operands(i.operands, i.operandCount));
        !s.ok())
      return Status::failure(s.message() + " (" + where(i.op, i.at) + ")");
  if (!words.atEnd()) {
    const std::string place = where(words.nextOp(), words.nextPlace());
    return damaged(words.nextLength() == 0 ? place + " has no words"
                                           : "it ends within " + place);
  }
  if (current)
    return damaged("it ends within a function");
  if (pointerBytes == 0)
    return damaged("it has no memory model");
  return Status::success();
}

Status Reader::readInstruction(uint32_t op, Operands operands) {
  Operands uses = operands;
  switch (op) {
  case OpMemoryModel:
    switch (operands.next()) {
    case addressingPhysical32:
      pointerBytes = 4;
      break;
    case addressingPhysical64:
      pointerBytes = 8;
      break;
    default:
      return Status::failure("the SPIR-V module has no physical addresses: it "
                             "is not one of OpenCL kernels");
    }
    break;
  case OpEntryPoint:
  case OpExecutionMode:
  case OpExecutionModeId:
    if (Status s = readModeOperands(op, operands); !s.ok())
      return s;
    break;
  case OpConstant:
  case OpSpecConstant: {
    operands.next();
    uint32_t id = operands.next();
    uint64_t value = operands.next();
    if (!operands.atEnd())
      value |= uint64_t(operands.next()) << 32;
    constants[id] = value;
    break;
  }
  case OpTypeBool:
  case OpTypeInt:
  case OpTypeFloat:
  case OpTypeVector:
  case OpTypeArray:
  case OpTypeRuntimeArray:
  case OpTypeStruct:
  case OpTypeForwardPointer:
  case OpTypePointer:
  case OpTypeUntypedPointer:
  case OpTypeFunction:
    if (Status s = readType(op, operands); !s.ok())
      return s;
    break;
  case OpVariable:
  case OpUntypedVariable:
    readVariable(op, operands);
    break;
  case OpDecorate:
    readDecoration(operands);
    break;
  case OpGroupDecorate: {
    Decorations group = decorations[operands.next()];
    while (!operands.atEnd())
      decorations[operands.next()].add(group);
    break;
  }
  case OpFunction: {
    if (current)
      return damaged("a function begins within another");
    operands.next();
    uint32_t id = operands.next();
    operands.next();
    current = &functions[id];
    current->type = operands.next();
    break;
  }
  case OpFunctionParameter:
    if (!current)
      return damaged("a parameter that is of no function");
    operands.next();
    current->parameters.push_back(operands.next());
    break;
  case OpFunctionEnd:
    if (!current)
      return damaged("the end of no function");
    current = nullptr;
    break;
  case OpFunctionCall:
    operands.next();
    operands.next();
    if (uint32_t callee = operands.next(); current)
      current->callees.push_back(callee);
    break;
  default:
    break;
  }
  if (operands.tooFew())
    return damaged("an instruction has too few words");
  noteUses(op, uses);
  return Status::success();
}

Status Reader::readModeOperands(uint32_t op, Operands &operands) {
  if (op == OpEntryPoint) {
    uint32_t model = operands.next();
    uint32_t function = operands.next();
    SpirvKernel kernel;
    kernel.name = operands.nextString();
    if (!operands.tooFew() && model == executionModelKernel)
      entryPoints.push_back({function, std::move(kernel), false});
    return Status::success();
  }
  uint32_t function = operands.next();
  uint32_t mode = operands.next();
  for (EntryPoint &entry : entryPoints) {
    if (entry.function != function)
      continue;
    Operands rest = operands;
    if (mode == executionModeSubgroupSize)
      entry.kernel.requiredSubgroupSize = rest.next();
    // The constants of LocalSizeId come later; describe() resolves them.
    if (mode == executionModeLocalSize || mode == executionModeLocalSizeId) {
      uint32_t x = rest.next(), y = rest.next(), z = rest.next();
      entry.kernel.requiredWorkgroupSize = Dim3{x, y, z};
      if (mode == executionModeLocalSizeId)
        entry.sizeIsIds = true;
    }
    if (rest.tooFew())
      return damaged("an execution mode has too few words");
  }
  return Status::success();
}

void Reader::readVariable(uint32_t op, Operands &operands) {
  const uint32_t type = operands.next();
  const uint32_t id = operands.next();
  if (operands.next() != storageWorkgroup || current)
    return;
  uint32_t pointee = 0;
  if (op == OpUntypedVariable)
    pointee = operands.atEnd() ? 0 : operands.next();
  else if (auto it = pointers.find(type); it != pointers.end())
    pointee = it->second.pointee.value_or(0);
  workgroupVariables[id] = pointee;
  reaches[id].insert(id);
}

void Reader::readDecoration(Operands &operands) {
  Decorations &of = decorations[operands.next()];
  switch (operands.next()) {
  case decorationPacked:
    of.packed = true;
    break;
  case decorationFuncParamAttr:
    of.byVal |= operands.next() == funcParamAttrByVal;
    break;
  case decorationAlignment:
    of.alignment = operands.next();
    break;
  case decorationLinkageAttributes: {
    std::string name = operands.nextString();
    if (operands.next() == linkageTypeImport)
      imports.push_back(std::move(name));
    break;
  }
  default:
    break;
  }
}

/// Records the variables that the operands of an instruction may refer to.
/// Outside functions, only constants can refer to variables.
void Reader::noteUses(uint32_t op, Operands operands) {
  const bool isConstant =
      op == OpConstantComposite || op == OpSpecConstantComposite ||
      op == OpSpecConstantOp || op == OpVariable || op == OpUntypedVariable;
  if (reaches.empty() || (!current && !isConstant))
    return;
  std::set<uint32_t> named;
  uint32_t result = 0;
  for (unsigned i = 0; !operands.atEnd(); ++i) {
    uint32_t word = operands.next();
    if (i == 1)
      result = word;
    if (auto it = reaches.find(word); it != reaches.end())
      named.insert(it->second.begin(), it->second.end());
  }
  if (named.empty())
    return;
  std::set<uint32_t> &user = current ? current->variables : reaches[result];
  user.insert(named.begin(), named.end());
}

Status Reader::argument(uint32_t type, uint32_t parameter,
                        SpirvArgument &argument) {
  auto pointer = pointers.find(type);
  if (pointer != pointers.end() && decorations[parameter].byVal &&
      pointer->second.pointee)
    type = *pointer->second.pointee;
  else if (pointer != pointers.end())
    argument.workgroupPointer = pointer->second.storage == storageWorkgroup;
  auto it = layouts.find(type);
  if (it == layouts.end())
    return Status::failure("is of a type without a size, such as an image; "
                           "pass pointers and numbers");
  argument.bytes = it->second.bytes;
  argument.alignment = it->second.alignment;
  return Status::success();
}

/// Returns the total size of the variables that `function` and its callees may
/// use.
Status Reader::sharedBytes(uint32_t function, uint64_t &bytes) {
  std::set<uint32_t> variables, visited = {function};
  std::vector<uint32_t> work = {function};
  while (!work.empty()) {
    auto it = functions.find(work.back());
    work.pop_back();
    if (it == functions.end())
      continue;
    variables.insert(it->second.variables.begin(), it->second.variables.end());
    for (uint32_t callee : it->second.callees)
      if (visited.insert(callee).second)
        work.push_back(callee);
  }
  bytes = 0;
  for (uint32_t variable : variables) {
    auto it = layouts.find(workgroupVariables[variable]);
    if (it == layouts.end())
      return Status::failure("uses the workgroup's variable %" +
                             std::to_string(variable) +
                             ", which has no size; give it one");
    const uint64_t alignment =
        std::max(it->second.alignment, decorations[variable].alignment);
    std::optional<uint64_t> begin = alignUp(bytes, alignment);
    if (!begin || __builtin_add_overflow(*begin, it->second.bytes, &bytes))
      return damaged("the size of the workgroup's variables does not fit in "
                     "64 bits");
  }
  return Status::success();
}

Status Reader::describe(EntryPoint &entry) {
  SpirvKernel &kernel = entry.kernel;
  auto inKernel = [&](const std::string &what) {
    return Status::failure("kernel \"" + kernel.name +
                           "\" of the SPIR-V "
                           "module " +
                           what);
  };
  auto function = functions.find(entry.function);
  if (function == functions.end())
    return inKernel("has no function");
  auto type = functionTypes.find(function->second.type);
  if (type == functionTypes.end() ||
      type->second.size() != function->second.parameters.size())
    return inKernel("has parameters that do not match its type");
  for (size_t i = 0; i < type->second.size(); ++i) {
    SpirvArgument described;
    Status s =
        argument(type->second[i], function->second.parameters[i], described);
    if (!s.ok())
      return inKernel("has an argument, number " + std::to_string(i) +
                      ", that " + s.message());
    kernel.arguments.push_back(described);
  }
  if (entry.sizeIsIds)
    for (uint32_t *size :
         {&kernel.requiredWorkgroupSize->x, &kernel.requiredWorkgroupSize->y,
          &kernel.requiredWorkgroupSize->z}) {
      auto it = constants.find(*size);
      if (it == constants.end() ||
          it->second > std::numeric_limits<uint32_t>::max())
        return inKernel("has a workgroup size that is not a constant");
      *size = static_cast<uint32_t>(it->second);
    }
  if (Status s = sharedBytes(entry.function, kernel.sharedBytes); !s.ok())
    return inKernel(s.message());
  return Status::success();
}

Status aircc::rt::readSpirvKernels(std::string_view module,
                                   std::vector<SpirvKernel> &kernels,
                                   std::vector<std::string> *imports) {
  Reader reader;
  if (Status s = reader.read(module); !s.ok())
    return s;
  kernels.clear();
  for (EntryPoint &entry : reader.entryPoints) {
    if (Status s = reader.describe(entry); !s.ok())
      return s;
    kernels.push_back(std::move(entry.kernel));
  }
  if (imports)
    *imports = std::move(reader.imports);
  return Status::success();
}
