//===- LayoutPage.h - HTML page of a program's layouts ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMMANDS_LAYOUTPAGE_H
#define AIRCC_DRIVER_COMMANDS_LAYOUTPAGE_H

#include "targets/TargetProfile.h"

#include "llvm/ADT/StringRef.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace aircc {

/// Writes a self-contained HTML page about the kernels of `module` after the
/// stage `layout`. It shows each op on undistributed vectors with the layouts
/// of its operands and results, each conversion with its cost, and a drawing of
/// each layout.
void writeLayoutPage(mlir::ModuleOp module, const TargetProfile &profile,
                     llvm::StringRef title, llvm::raw_ostream &os);

/// Writes the contents of such a page as a part of another page.
void writeLayoutSection(mlir::ModuleOp module, const TargetProfile &profile,
                        llvm::raw_ostream &os);

} // namespace aircc

#endif // AIRCC_DRIVER_COMMANDS_LAYOUTPAGE_H
