//===- TranslatePrint.cpp - printf of OpenCL.std --------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/Host.h"
#include "simulator/spirv/translate/Translator.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"

using namespace aircc::sim::spirv;

/// Returns the text that a pointer to a constant of the module points to.
static std::optional<std::string> textOf(llvm::Value *pointer) {
  auto *global =
      llvm::dyn_cast<llvm::GlobalVariable>(pointer->stripPointerCasts());
  if (!global || !global->hasInitializer())
    return std::nullopt;
  if (global->getInitializer()->isNullValue())
    return "";
  auto *data =
      llvm::dyn_cast<llvm::ConstantDataArray>(global->getInitializer());
  if (!data || !data->isString())
    return std::nullopt;
  llvm::StringRef text = data->getAsString();
  return text.take_front(text.find('\0')).str();
}

/// Returns whether a format has a string conversion or a vector conversion.
static bool hasOtherConversions(llvm::StringRef format) {
  for (size_t at = 0; (at = format.find('%', at)) != format.npos;) {
    at = format.find_first_not_of("-+ #0123456789.hl", at + 1);
    if (at == format.npos)
      return false;
    if (format[at] == 's' || format[at] == 'v')
      return true;
    ++at;
  }
  return false;
}

llvm::Value *FunctionTranslator::print(const Instruction &i) {
  std::optional<std::string> format = textOf(operand(i, 2));
  if (!format)
    fail(i, "printf with a format that is not a constant of the module");
  if (hasOtherConversions(*format))
    fail(i, "printf of a string or a vector is not simulated");
  const size_t count = i.operandsFrom(3).size();
  Type *wide = b.getInt64Ty();
  auto *row = llvm::ArrayType::get(wide, std::max<size_t>(count, 1));
  llvm::AllocaInst *arguments;
  {
    llvm::IRBuilder<>::InsertPointGuard guard(b);
    b.SetInsertPoint(entry, entry->begin());
    arguments = b.CreateAlloca(row);
  }
  for (size_t k = 0; k < count; ++k) {
    Value *v = operand(i, 3 + k);
    Type *t = v->getType();
    if (t->isFloatingPointTy())
      v = b.CreateBitCast(b.CreateFPExt(v, b.getDoubleTy()), wide);
    else if (t->isPointerTy())
      v = b.CreatePtrToInt(v, wide);
    else if (t->isIntegerTy())
      v = b.CreateZExtOrTrunc(v, wide);
    else
      fail(i, "printf of a string or a vector is not simulated");
    b.CreateStore(v, b.CreateConstInBoundsGEP2_32(row, arguments, 0, k));
  }
  PrintSite &site = outer.program.printSites.emplace_back();
  outer.place(site, i, name, "printf");
  site.format = std::move(*format);
  callHost(reinterpret_cast<const void *>(&host::print), b.getVoidTy(),
           {lane, pointerTo(&site), arguments, b.getInt64(count)});
  return llvm::ConstantInt::get(type(i.type), 0);
}
