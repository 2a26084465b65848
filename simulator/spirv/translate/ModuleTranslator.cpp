//===- ModuleTranslator.cpp - Types, constants, variables -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/translate/Translator.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"

using namespace aircc::sim::spirv;
using llvm::Constant;
using llvm::Type;

namespace {
constexpr uint32_t kMaxGlobalAlignment = 4096;
/// The maximum number of scalars in the result of an instruction, because each
/// of them is separate code.
constexpr uint64_t kMaxScalars = 4096;

bool isConstantOp(spv::Op op) {
  switch (op) {
  case spv::Op::OpConstant:
  case spv::Op::OpConstantTrue:
  case spv::Op::OpConstantFalse:
  case spv::Op::OpConstantComposite:
  case spv::Op::OpConstantNull:
  case spv::Op::OpSpecConstant:
  case spv::Op::OpSpecConstantTrue:
  case spv::Op::OpSpecConstantFalse:
  case spv::Op::OpSpecConstantComposite:
  case spv::Op::OpUndef:
    return true;
  default:
    return false;
  }
}
} // namespace

ModuleTranslator::ModuleTranslator(const SpirvModule &spirv,
                                   llvm::Module &module, SpirvProgram &program,
                                   bool traced)
    : spirv(spirv), module(module), context(module.getContext()),
      program(program), traced(traced) {}

void ModuleTranslator::fail(const Instruction &where, const std::string &what,
                            const std::string &function) const {
  std::string line = spirv.sourceLine(where);
  throw Unsupported(
      "SPIR-V: " + what +
      (function.empty() ? "" : "; in function '" + function + "'") + ", " +
      nameOf(where.op) + " at word " + std::to_string(where.word) +
      (line.empty() ? "" : " [" + line + "]"));
}

void ModuleTranslator::place(Site &site, const Instruction &where,
                             const std::string &function,
                             std::string what) const {
  site.what = what.empty() ? nameOf(where.op) : std::move(what);
  site.function = function;
  site.line = spirv.sourceLine(where);
  site.word = where.word;
}

const Instruction &ModuleTranslator::definition(uint32_t id) const {
  if (const Instruction *found = spirv.find(id))
    return *found;
  throw Unsupported("SPIR-V: the module is damaged: id " + std::to_string(id) +
                    " is not defined");
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type *ModuleTranslator::type(uint32_t id) {
  auto it = types.find(id);
  if (it != types.end())
    return it->second;
  const Instruction &i = definition(id);
  if (underConstruction.size() > kMaxNesting ||
      !underConstruction.insert(id).second)
    fail(i, "a type that is part of itself");
  Type *made = makeType(i);
  underConstruction.erase(id);
  types[id] = made;
  return made;
}

Type *ModuleTranslator::sized(Type *type) {
  if (!type->isSized())
    throw Unsupported("SPIR-V: the module is damaged: a type without a size is "
                      "used for a value");
  return type;
}

Type *ModuleTranslator::makeType(const Instruction &i) {
  switch (i.op) {
  case spv::Op::OpTypeVoid:
    return Type::getVoidTy(context);
  case spv::Op::OpTypeBool:
    return Type::getInt1Ty(context);
  case spv::Op::OpTypeInt: {
    uint32_t bits = i.operand(0);
    if (!bits || bits > 64)
      fail(i, "integers of " + std::to_string(bits) + " bits");
    return Type::getIntNTy(context, bits);
  }
  case spv::Op::OpTypeFloat: {
    // A second operand names an encoding, where 0 is bfloat16
    // (SPV_KHR_bfloat16).
    if (i.operands.size() == 2) {
      if (i.operand(0) == 16 && i.operand(1) == 0)
        return Type::getBFloatTy(context);
      fail(i, "floating-point encoding " + std::to_string(i.operand(1)));
    }
    switch (i.operand(0)) {
    case 16:
      return Type::getHalfTy(context);
    case 32:
      return Type::getFloatTy(context);
    case 64:
      return Type::getDoubleTy(context);
    default:
      fail(i, "floating-point numbers of " + std::to_string(i.operand(0)) +
                  " bits");
    }
  }
  case spv::Op::OpTypeVector: {
    uint32_t count = i.operand(1);
    if (count != 2 && count != 3 && count != 4 && count != 8 && count != 16)
      fail(i, "a vector of " + std::to_string(count) +
                  " elements; OpenCL has vectors of 2, 3, 4, 8 and 16");
    Type *element = type(i.operand(0));
    if (!llvm::VectorType::isValidElementType(element))
      fail(i, "a vector of something that is not a number");
    return llvm::FixedVectorType::get(element, count);
  }
  case spv::Op::OpTypeArray: {
    Type *element = type(i.operand(0));
    if (!llvm::ArrayType::isValidElementType(element))
      fail(i, "an array of something without a size");
    const uint64_t count = integer(i.operand(1), i);
    const uint64_t bytes = allocBytesOf(element);
    if (count > kMaxVariableBytes || bytes * count > kMaxVariableBytes)
      fail(i, "an array of " + std::to_string(count) + " elements of " +
                  std::to_string(bytes) +
                  " bytes; the largest that is "
                  "simulated has " +
                  std::to_string(kMaxVariableBytes) + " bytes");
    return llvm::ArrayType::get(element, count);
  }
  case spv::Op::OpTypeStruct: {
    llvm::SmallVector<Type *> members;
    uint64_t bytes = 0;
    for (uint32_t member : i.operands) {
      members.push_back(type(member));
      if (!llvm::StructType::isValidElementType(members.back()))
        fail(i, "a structure of something without a size");
      bytes += allocBytesOf(members.back());
    }
    if (bytes > kMaxVariableBytes)
      fail(i, "a structure of " + std::to_string(bytes) + " bytes");
    return llvm::StructType::get(context, members,
                                 spirv.has(i.result, spv::Decoration::CPacked));
  }
  case spv::Op::OpTypePointer:
    return llvm::PointerType::getUnqual(context);
  case spv::Op::OpTypeEvent:
    return Type::getInt64Ty(context);
  default:
    fail(i, "type " + nameOf(i.op) + " is not simulated");
  }
}

bool ModuleTranslator::isPointer(uint32_t typeId) const {
  return definition(typeId).op == spv::Op::OpTypePointer;
}

uint32_t ModuleTranslator::pointee(uint32_t pointerType) const {
  const Instruction &i = definition(pointerType);
  if (i.op != spv::Op::OpTypePointer)
    fail(i, "a pointer is needed here");
  return i.operand(1);
}

spv::StorageClass ModuleTranslator::storage(uint32_t pointerType) const {
  const Instruction &i = definition(pointerType);
  if (i.op != spv::Op::OpTypePointer)
    fail(i, "a pointer is needed here");
  return static_cast<spv::StorageClass>(i.operand(0));
}

//===----------------------------------------------------------------------===//
// Constants and variables
//===----------------------------------------------------------------------===//

/// Undefined values have all bits set: floats are NaNs, and all executions are
/// equal.
Constant *ModuleTranslator::nullOrOnes(Type *type, bool ones) const {
  Type *scalar = type->getScalarType();
  if (!ones || type->isAggregateType() || scalar->isPointerTy())
    return Constant::getNullValue(type);
  return Constant::getAllOnesValue(type);
}

Constant *ModuleTranslator::findConstant(uint32_t id) {
  if (auto it = constants.find(id); it != constants.end())
    return it->second;
  const Instruction &i = definition(id);
  if (!isConstantOp(i.op))
    return findGlobal(id);
  if (underConstruction.size() > kMaxNesting ||
      !underConstruction.insert(id).second)
    fail(i, "a constant that is part of itself");
  Constant *made = makeConstant(i);
  underConstruction.erase(id);
  constants[id] = made;
  return made;
}

Constant *ModuleTranslator::makeConstant(const Instruction &i) {
  Type *t = sized(type(i.type));
  switch (i.op) {
  case spv::Op::OpConstantTrue:
  case spv::Op::OpSpecConstantTrue:
  case spv::Op::OpConstantFalse:
  case spv::Op::OpSpecConstantFalse:
    if (!t->isIntegerTy(1))
      fail(i, "a Boolean constant whose type is not OpTypeBool");
    if (i.op == spv::Op::OpConstantTrue || i.op == spv::Op::OpSpecConstantTrue)
      return llvm::ConstantInt::getTrue(context);
    return llvm::ConstantInt::getFalse(context);
  case spv::Op::OpConstantNull:
    return nullOrOnes(t, false);
  case spv::Op::OpUndef:
    return nullOrOnes(t, true);
  case spv::Op::OpConstant:
  case spv::Op::OpSpecConstant: {
    if (!t->isIntegerTy() && !t->isFloatingPointTy())
      fail(i, "a numeric constant whose type is neither integer nor float");
    uint64_t bits = i.operand(0);
    if (i.operands.size() > 1)
      bits |= uint64_t(i.operand(1)) << 32;
    llvm::APInt raw(64, bits);
    raw = raw.trunc(t->getScalarSizeInBits());
    if (t->isIntegerTy())
      return llvm::ConstantInt::get(context, raw);
    return llvm::ConstantFP::get(context,
                                 llvm::APFloat(t->getFltSemantics(), raw));
  }
  default:
    break;
  }
  llvm::SmallVector<Constant *> parts;
  for (uint32_t part : i.operands) {
    Constant *c = findConstant(part);
    if (!c)
      fail(i, "an element that is not a constant");
    parts.push_back(c);
  }
  auto elementType = [&](size_t n) -> Type * {
    if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(t))
      return n < vector->getNumElements() ? vector->getElementType() : nullptr;
    if (auto *array = llvm::dyn_cast<llvm::ArrayType>(t))
      return n < array->getNumElements() ? array->getElementType() : nullptr;
    auto *structure = llvm::dyn_cast<llvm::StructType>(t);
    return structure && n < structure->getNumElements()
               ? structure->getElementType(n)
               : nullptr;
  };
  for (auto [n, part] : llvm::enumerate(parts))
    if (part->getType() != elementType(n))
      fail(i, "element " + std::to_string(n) +
                  " does not have the type's element type");
  if (elementType(parts.size()) || !(t->isVectorTy() || t->isAggregateType()))
    fail(i, "a constant of " + std::to_string(parts.size()) +
                " elements, which its type does not have");
  if (t->isVectorTy())
    return llvm::ConstantVector::get(parts);
  if (auto *array = llvm::dyn_cast<llvm::ArrayType>(t))
    return llvm::ConstantArray::get(array, parts);
  return llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(t), parts);
}

uint64_t ModuleTranslator::integer(uint32_t id, const Instruction &user) {
  auto *c = llvm::dyn_cast_or_null<llvm::ConstantInt>(findConstant(id));
  if (!c)
    fail(user, "operand %" + std::to_string(id) + " must be a constant");
  return c->getZExtValue();
}

Constant *ModuleTranslator::findGlobal(uint32_t id) const {
  auto it = globals.find(id);
  return it == globals.end() ? nullptr : it->second;
}

const SlmVariable *ModuleTranslator::findSlm(uint32_t id) const {
  auto it = slm.find(id);
  return it == slm.end() ? nullptr : &it->second;
}

uint32_t ModuleTranslator::declaredAlignment(const Instruction &variable,
                                             uint32_t least) const {
  const Decoration *declared =
      spirv.findDecoration(variable.result, spv::Decoration::Alignment);
  if (!declared)
    return least;
  const uint32_t alignment = declared->operand(0);
  if (!alignment) // LLVM writes 0 if its IR has no alignment.
    return least;
  if (!llvm::isPowerOf2_32(alignment) || alignment > kMaxAlignment)
    fail(variable, "alignment " + std::to_string(alignment) +
                       "; it must be a power of two, " +
                       std::to_string(kMaxAlignment) + " at most");
  return std::max(alignment, least);
}

uint32_t ModuleTranslator::variableBytes(const Instruction &variable,
                                         Type *type) const {
  const uint64_t bytes = allocBytesOf(type);
  if (bytes > kMaxVariableBytes)
    fail(variable, "a variable of " + std::to_string(bytes) +
                       " bytes; the largest that is simulated has " +
                       std::to_string(kMaxVariableBytes));
  return static_cast<uint32_t>(bytes);
}

static uint64_t countScalars(Type *type) {
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return vector->getNumElements();
  if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
    return array->getNumElements() * countScalars(array->getElementType());
  uint64_t count = 0;
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type))
    for (Type *member : structure->elements())
      count += countScalars(member);
  return std::max<uint64_t>(count, 1);
}

void ModuleTranslator::checkValueSize(const Instruction &where,
                                      Type *type) const {
  if (countScalars(type) > kMaxScalars)
    fail(where, "a value of " + std::to_string(countScalars(type)) +
                    " elements; the largest that is simulated has " +
                    std::to_string(kMaxScalars));
}

void ModuleTranslator::declareVariables() {
  uint64_t slmEnd = 0, globalBytes = 0;
  for (const Instruction &i : spirv.globals()) {
    if (i.op != spv::Op::OpVariable)
      continue;
    auto where = static_cast<spv::StorageClass>(i.operand(0));
    if (where == spv::StorageClass::Input)
      continue;
    Type *t = type(pointee(i.type));
    std::string name = spirv.name(i.result);
    const uint32_t alignment = declaredAlignment(i, kMinPrivateAlignment);
    const uint32_t bytes = variableBytes(i, t);
    if (where == spv::StorageClass::Workgroup) {
      slmEnd = llvm::alignTo(slmEnd, alignment);
      slm[i.result] = {static_cast<uint32_t>(slmEnd), bytes, alignment, name};
      slmEnd += bytes + kSlmGap;
      if (slmEnd > kMaxVariableBytes)
        fail(i, "the variables in shared local memory have more than " +
                    std::to_string(kMaxVariableBytes) + " bytes in total");
      continue;
    }
    if (where != spv::StorageClass::UniformConstant &&
        where != spv::StorageClass::CrossWorkgroup)
      fail(i, "a variable of the module in storage class " +
                  std::to_string(i.operand(0)));
    if (const Decoration *linkage =
            spirv.findDecoration(i.result, spv::Decoration::LinkageAttributes))
      if (!linkage->operands.empty() &&
          linkage->operands.back() ==
              static_cast<uint32_t>(spv::LinkageType::Import))
        fail(i, "variable '" + name + "' is imported, and nothing defines it");
    // The JIT aligns variables at most to the host's pages.
    if (alignment > kMaxGlobalAlignment)
      fail(i, "alignment " + std::to_string(alignment) +
                  " of a variable of the module; the largest is " +
                  std::to_string(kMaxGlobalAlignment));
    // Declare all variables first, because initializers may refer to later
    // ones.
    auto *global = new llvm::GlobalVariable(
        module, t, false, llvm::GlobalValue::ExternalLinkage, nullptr,
        "global." + std::to_string(i.result));
    global->setAlignment(llvm::Align(alignment));
    globals[i.result] = global;
    globalBytes += bytes;
    if (globalBytes > kMaxVariableBytes)
      fail(i, "the variables of the module have more than " +
                  std::to_string(kMaxVariableBytes) + " bytes in total");
    program.globals.push_back({global->getName().str(), name, bytes,
                               where == spv::StorageClass::CrossWorkgroup});
  }
  for (const Instruction &i : spirv.globals()) {
    if (i.op != spv::Op::OpVariable || !globals.count(i.result))
      continue;
    auto *global = llvm::cast<llvm::GlobalVariable>(globals[i.result]);
    Constant *initial = i.operands.size() > 1
                            ? findConstant(i.operand(1))
                            : nullOrOnes(global->getValueType(), true);
    if (!initial || initial->getType() != global->getValueType())
      fail(i, "an initializer that is not a constant of the variable's type");
    global->setInitializer(initial);
  }
}

//===----------------------------------------------------------------------===//
// Functions and kernels
//===----------------------------------------------------------------------===//

llvm::Function *ModuleTranslator::function(uint32_t id) const {
  auto it = functions.find(id);
  return it == functions.end() ? nullptr : it->second;
}
const Function *ModuleTranslator::source(uint32_t id) const {
  auto it = sources.find(id);
  return it == sources.end() ? nullptr : it->second;
}

void ModuleTranslator::declareFunctions() {
  for (const Function &f : spirv.functions()) {
    sources[f.definition->result] = &f;
    if (f.body.empty())
      continue;
    llvm::SmallVector<Type *> parameters = {
        llvm::PointerType::getUnqual(context)};
    for (const Instruction *parameter : f.parameters) {
      parameters.push_back(sized(type(parameter->type)));
      checkValueSize(*parameter, parameters.back());
    }
    Type *result = type(f.definition->type);
    if (!llvm::FunctionType::isValidReturnType(result))
      fail(*f.definition, "a function whose result has no size");
    auto *made = llvm::Function::Create(
        llvm::FunctionType::get(result, parameters, false),
        llvm::GlobalValue::InternalLinkage,
        spirv.name(f.definition->result) + "." +
            std::to_string(f.definition->result),
        module);
    made->setDoesNotThrow();
    functions[f.definition->result] = made;
    for (const Instruction &i : f.body)
      if (i.op == spv::Op::OpFunctionCall)
        calls[f.definition->result].push_back(i.operand(0));
  }
}

void ModuleTranslator::run() {
  declareVariables();
  declareFunctions();
  for (auto &[id, made] : functions) {
    FunctionTranslator translator(*this, *source(id), *made);
    frameOf[id] = translator.run();
  }
  for (const EntryPoint &entry : spirv.entryPoints())
    makeKernel(entry);
}
