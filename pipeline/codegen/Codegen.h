//===- Codegen.h - The codegen stage ----------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The codegen stage turns every gpu.module into code for the chip. The host
// functions and the gpu.launch_func ops remain unchanged; the link stage lowers
// them.
//
// The levels of `--emit` that this stage provides, each by its `format` option:
//
//   dialect       gpu.module in the LLVM dialect and the backend's own, ROCDL
//                 or XeVM. Print the module.
//   llvm          gpu.binary with LLVM IR as text     } collectDeviceCode()
//   asm           gpu.binary with AMDGPU assembly,    } gives the bytes, one
//                 or SPIR-V as text                   } entry for each
//   obj           gpu.binary with a relocatable ELF,  } gpu.module
//                 or SPIR-V                           }
//
// `obj` is the default and what the link stage expects; `hsaco` is the link
// stage with output=code-object, which keeps SPIR-V unchanged. With `async`,
// the stage ends while the modules are still being compiled (DeviceCodeJobs.h),
// so that the link stage's passes on host code run at the same time.
//
// `--start-at=codegen` accepts a module with gpu.module and gpu.launch_func
// from any producer; gpu.launch regions are outlined first.
//
// Whatever cannot be lowered causes an error at its op. So do missing device
// libraries, whose errors are marked as in pipeline/common/Dependency.h.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_CODEGEN_H
#define AIRCC_PIPELINE_CODEGEN_CODEGEN_H

#include "pipeline/common/Stage.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <string>
#include <vector>

namespace aircc {

/// The form to which gpu.modules are compiled.
enum class DeviceFormat { Dialect, LLVM, Assembly, Object };

/// Where to find device libraries, and which of them to link.
struct DeviceLibraryOptions {
  std::string rocmPath;           ///< Empty: search.
  std::vector<std::string> names; ///< In link order; none: ocml, ockl.
};

/// Returns the description of the stage for the driver.
const Stage &getCodegenStage();

/// The code of one gpu.module, in the requested form.
struct DeviceCode {
  /// The symbol of the gpu.binary.
  llvm::StringRef module;
  /// The processor, for instance "gfx942" (empty in a bundle of several).
  llvm::StringRef chip;
  /// The text or the bytes, which the MLIR context owns.
  llvm::StringRef bytes;
};

/// Returns the contents of the module's gpu.binary ops, in their order.
llvm::SmallVector<DeviceCode> collectDeviceCode(mlir::ModuleOp module);

/// Returns the device-library files that were linked into the module's
/// gpu.binary ops, without duplicates, in order of first use (for dependency
/// files).
llvm::SmallVector<std::string> collectDeviceLibraries(mlir::ModuleOp module);

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_CODEGEN_H
