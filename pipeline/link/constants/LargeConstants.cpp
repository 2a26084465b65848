//===- LargeConstants.cpp - Constants outside of LLVM IR ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/constants/LargeConstants.h"

#include "pipeline/link/constants/ConstantBytes.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace mlir;

namespace aircc {

static constexpr uint64_t kMinimalSize = 1 << 20;

LargeConstants::LargeConstants(ModuleOp module) {
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (!global.getConstant() || global.getSection())
      continue;
    Attribute value = global.getValueOrNull();
    StringRef bytes = getStoredBytes(value);
    if (bytes.size() < kMinimalSize)
      continue;
    constants.push_back({global.getSymName().str(), global, value, bytes});
    global.removeValueAttr();
  }
}

LargeConstants::~LargeConstants() {
  for (LargeConstant &constant : constants)
    constant.global.setValueAttr(constant.value);
}

static Location getLoc(const LargeConstant &constant) {
  LLVM::GlobalOp global = constant.global;
  return global.getLoc();
}

/// Creates the section of the constant, and a pointer to it, because LLVM would
/// conclude from the address of the section that it is small.
static llvm::GlobalVariable *createPointer(llvm::GlobalVariable *variable,
                                           const LargeConstant &constant) {
  llvm::Module &module = *variable->getParent();
  llvm::Type *i64 = llvm::Type::getInt64Ty(module.getContext());
  auto *section = new llvm::GlobalVariable(module, i64, /*isConstant=*/true,
                                           variable->getLinkage(),
                                           llvm::ConstantInt::get(i64, 0));
  section->takeName(variable);
  section->setVisibility(variable->getVisibility());
  section->setExternallyInitialized(true);
  section->setSection(constant.getSection());
  section->setAlignment(
      std::max(variable->getAlign().valueOrOne(), llvm::Align(64)));
  // More than two gigabytes may be far from the code.
  section->setCodeModel(llvm::CodeModel::Large);
  auto *pointer = new llvm::GlobalVariable(
      module, section->getType(), /*isConstant=*/true,
      llvm::GlobalValue::PrivateLinkage, section, constant.name + ".address");
  pointer->setExternallyInitialized(true);
  return pointer;
}

/// Loads the address at the start of `function`.
static llvm::Value *loadAddress(llvm::Function &function,
                                llvm::GlobalVariable *pointer,
                                const LargeConstant &constant,
                                llvm::Align align) {
  llvm::BasicBlock &entry = function.getEntryBlock();
  llvm::IRBuilder<> b(&entry, entry.begin());
  llvm::LoadInst *address = b.CreateLoad(pointer->getValueType(), pointer);
  auto number = [&](uint64_t value) {
    return llvm::MDNode::get(function.getContext(),
                             llvm::MDBuilder(function.getContext())
                                 .createConstant(b.getInt64(value)));
  };
  address->setMetadata(llvm::LLVMContext::MD_nonnull,
                       llvm::MDNode::get(function.getContext(), {}));
  address->setMetadata(llvm::LLVMContext::MD_dereferenceable,
                       number(constant.bytes.size()));
  address->setMetadata(llvm::LLVMContext::MD_align, number(align.value()));
  return address;
}

LogicalResult LargeConstants::useSections(llvm::Module &module) const {
  for (const LargeConstant &constant : constants) {
    llvm::GlobalVariable *variable =
        module.getGlobalVariable(constant.name, /*AllowInternal=*/true);
    if (!variable)
      return emitError(getLoc(constant), "its translation has no variable");
    llvm::GlobalVariable *pointer = createPointer(variable, constant);
    llvm::convertUsersOfConstantsToInstructions({variable});
    llvm::Align align = variable->getAlign().valueOrOne();
    llvm::DenseMap<llvm::Function *, llvm::Value *> addresses;
    for (llvm::Use &use : llvm::make_early_inc_range(variable->uses())) {
      auto *user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      if (!user)
        return emitError(
            getLoc(constant),
            "the address of this constant is part of another constant, which "
            "is only supported for constants of less than a megabyte");
      llvm::Value *&address = addresses[user->getFunction()];
      if (!address)
        address = loadAddress(*user->getFunction(), pointer, constant, align);
      use.set(address);
    }
    variable->eraseFromParent();
  }
  return success();
}

void LargeConstants::declare(llvm::Module &module) const {
  for (const LargeConstant &constant : constants) {
    llvm::GlobalVariable *variable =
        module.getGlobalVariable(constant.name, /*AllowInternal=*/true);
    if (!variable)
      continue;
    emitWarning(getLoc(constant))
        << "the constant '" << constant.name << "' of " << constant.bytes.size()
        << " bytes is declared, but not defined, in the printed code";
    variable->setInitializer(nullptr);
    variable->setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
}

} // namespace aircc
