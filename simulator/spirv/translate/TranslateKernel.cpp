//===- TranslateKernel.cpp - Entry points of a module ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates the description of a kernel, and the function that loads its
// arguments.
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/translate/Translator.h"

#include "llvm/ADT/SetVector.h"

using namespace aircc::sim::spirv;
using llvm::Type;

void ModuleTranslator::collectCalls(uint32_t id,
                                    llvm::SmallVectorImpl<uint32_t> &path,
                                    llvm::SetVector<uint32_t> &reached) {
  if (path.size() > kMaxNesting || llvm::is_contained(path, id))
    fail(definition(id),
         "function '" + spirv.name(id) +
             "' calls itself, directly or not, which no kernel may");
  if (!reached.insert(id))
    return;
  path.push_back(id);
  for (uint32_t callee : calls[id])
    collectCalls(callee, path, reached);
  path.pop_back();
}

uint64_t
ModuleTranslator::sumOfCalls(uint32_t id,
                             llvm::function_ref<uint64_t(uint32_t)> bytesOf,
                             std::map<uint32_t, uint64_t> &known) {
  if (auto it = known.find(id); it != known.end())
    return it->second;
  uint64_t most = 0;
  for (uint32_t callee : calls[id])
    most = std::max(most, sumOfCalls(callee, bytesOf, known));
  return known[id] = most + bytesOf(id);
}

/// Lays out the variables in shared local memory that the functions `reached`
/// name.
void ModuleTranslator::layOutSlm(const llvm::SetVector<uint32_t> &reached,
                                 SpirvKernel &kernel) {
  for (const auto &[id, variable] : slm) {
    bool used = false;
    for (uint32_t f : reached)
      for (const Instruction &i : source(f)->body)
        used |= llvm::is_contained(i.operands, id);
    if (used) {
      kernel.slm.push_back(variable);
      kernel.slmAlignment = std::max(kernel.slmAlignment, variable.alignment);
      kernel.slmBytes =
          std::max(kernel.slmBytes, variable.offset + variable.bytes + kSlmGap);
    }
  }
}

/// Emits entry(lane, arguments), which loads the arguments and calls the
/// kernel, and describes the arguments.
void ModuleTranslator::emitEntry(const EntryPoint &entry, SpirvKernel &kernel) {
  const Function *body = source(entry.function);
  auto *pointer = llvm::PointerType::getUnqual(context);
  auto *wrapper = llvm::Function::Create(
      llvm::FunctionType::get(Type::getVoidTy(context), {pointer, pointer},
                              false),
      llvm::GlobalValue::ExternalLinkage, "kernel." + entry.name, module);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "", wrapper));
  llvm::SmallVector<llvm::Value *> arguments = {wrapper->getArg(0)};
  for (auto [n, parameter] : llvm::enumerate(body->parameters)) {
    Type *t = type(parameter->type);
    KernelArgument argument;
    argument.name = spirv.name(parameter->result);
    if (llvm::StringRef(argument.name).starts_with("%"))
      argument.name.clear(); // This is only an id.
    argument.isPointer = isPointer(parameter->type);
    llvm::Value *value = nullptr;
    llvm::Value *given = b.CreateLoad(
        pointer, b.CreateConstGEP1_32(pointer, wrapper->getArg(1), n));
    if (isPointer(parameter->type) &&
        storage(parameter->type) == spv::StorageClass::Workgroup) {
      argument.kind = KernelArgument::WorkgroupMemory;
      kernel.dynamicSlmAlignment =
          declaredAlignment(*parameter, kernel.dynamicSlmAlignment);
      kernel.slmAlignment =
          std::max(kernel.slmAlignment, kernel.dynamicSlmAlignment);
      value = b.CreateLoad(
          pointer, b.CreateConstGEP1_32(b.getInt8Ty(), wrapper->getArg(0),
                                        offsetof(LaneState, dynamicSlm)));
    } else if (isPointer(parameter->type) &&
               storage(parameter->type) == spv::StorageClass::Function) {
      fail(*parameter,
           "an argument of a kernel that is passed by value through "
           "a pointer is not simulated",
           entry.name);
    } else {
      argument.bytes = static_cast<uint32_t>(allocBytesOf(t));
      value = b.CreateAlignedLoad(t, given, llvm::Align(1));
    }
    kernel.arguments.push_back(argument);
    arguments.push_back(value);
  }
  b.CreateCall(function(entry.function), arguments);
  b.CreateRetVoid();
}

/// Computes how much private memory a lane needs. Fails if that, or the stack,
/// is more than is simulated.
void ModuleTranslator::measurePrivateMemory(
    const EntryPoint &entry, const llvm::SetVector<uint32_t> &reached,
    SpirvKernel &kernel) {
  for (uint32_t f : reached)
    if (const FrameLayout *layout = frameOf[f])
      kernel.privateAlignment =
          std::max(kernel.privateAlignment, layout->alignment);
  kernel.frame = frameOf[entry.function];
  std::map<uint32_t, uint64_t> known, knownStack;
  const uint64_t privateMemory = sumOfCalls(
      entry.function,
      [&](uint32_t f) -> uint64_t {
        const FrameLayout *layout = frameOf[f];
        return layout ? llvm::alignTo(layout->bytes, kernel.privateAlignment)
                      : 0;
      },
      known);
  // The rest is for spills and temporaries of the host's compiler.
  constexpr uint64_t kMaxStack = Fiber::kStackBytes / 4 * 3;
  const uint64_t stack = sumOfCalls(
      entry.function, [&](uint32_t f) { return stackBytes[f]; }, knownStack);
  if (stack > kMaxStack)
    throw Unsupported("SPIR-V: kernel '" + entry.name + "' needs " +
                      std::to_string(stack) +
                      " bytes of stack for variables of functions that call "
                      "each other; the simulator has " +
                      std::to_string(kMaxStack));
  if (privateMemory > kMaxVariableBytes)
    throw Unsupported("SPIR-V: kernel '" + entry.name + "' needs " +
                      std::to_string(privateMemory) +
                      " bytes of private memory per lane");
  kernel.privateBytes = static_cast<uint32_t>(privateMemory);
}

void ModuleTranslator::makeKernel(const EntryPoint &entry) {
  const Function *body = source(entry.function);
  if (!body || !function(entry.function))
    throw Unsupported("SPIR-V: kernel '" + entry.name + "' has no body");
  SpirvKernel kernel;
  kernel.name = entry.name;
  kernel.workgroupSize = entry.workgroupSize;
  if (entry.subgroupSize)
    kernel.subgroupSize = entry.subgroupSize;
  if (kernel.subgroupSize != 8 && kernel.subgroupSize != 16 &&
      kernel.subgroupSize != 32)
    throw Unsupported("SPIR-V: kernel '" + entry.name +
                      "' requires subgroups of " +
                      std::to_string(kernel.subgroupSize) +
                      " lanes; Intel GPUs have 8, 16 or 32");
  llvm::SmallVector<uint32_t> path;
  llvm::SetVector<uint32_t> reached;
  collectCalls(entry.function, path, reached);
  layOutSlm(reached, kernel);
  emitEntry(entry, kernel);
  measurePrivateMemory(entry, reached, kernel);
  kernel.accessSites = &program.accessSites;
  kernel.mayPrint = !program.printSites.empty();
  program.kernels.push_back(std::move(kernel));
}
