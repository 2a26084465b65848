//===- Donations.cpp - Arguments that calls may overwrite -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/dispatch/functions/Donations.h"

#include "dialects/air/AIRDialect.h"
#include "dialects/air/TensorFunctions.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace aircc;

bool dispatch::canOverwriteArguments(ModuleOp module, func::FuncOp function,
                                     StringRef &why) {
  if (!function.isPublic() || air::isProgramStart(function))
    why = "the function has no callers outside the program";
  else if (!SymbolTable::symbolKnownUseEmpty(function, &module.getBodyRegion()))
    why = "the function is also called within the program";
  else if (function.isDeclaration() ||
           !llvm::hasSingleElement(function.getBody()))
    why = "the function has several blocks";
  else
    return true;
  return false;
}

llvm::SmallBitVector dispatch::takeDonations(func::FuncOp function) {
  llvm::SmallBitVector donated(function.getNumArguments());
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.removeArgAttr(
            i, air::AIRDialect::DonatedAttrHelper::getNameStr()))
      donated.set(i);
  return donated;
}

SmallVector<int64_t> dispatch::takeDonors(func::FuncOp function,
                                          const llvm::SmallBitVector &donated) {
  SmallVector<int64_t> donors(function.getNumResults(), -1);
  if (donated.none())
    return donors;
  auto end = cast<func::ReturnOp>(function.front().getTerminator());
  llvm::BitVector taken(function.getNumResults());
  llvm::SmallBitVector free = donated;
  for (auto [i, result] : llvm::enumerate(end.getOperands())) {
    auto argument = dyn_cast<BlockArgument>(result);
    if (!argument || argument.getOwner() != &function.front() ||
        !free.test(argument.getArgNumber()))
      continue;
    donors[i] = argument.getArgNumber();
    free.reset(argument.getArgNumber());
    taken.set(i);
  }
  end->eraseOperands(taken);
  (void)function.eraseResults(taken);
  return donors;
}
