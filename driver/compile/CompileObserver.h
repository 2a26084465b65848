//===- CompileObserver.h - What others see of a compile ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMPILE_COMPILEOBSERVER_H
#define AIRCC_DRIVER_COMPILE_COMPILEOBSERVER_H

#include "pipeline/codegen/Codegen.h"
#include "targets/TargetProfile.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace aircc {

/// Receives the modules after the stages of a compile job, and the job's device
/// code. A job that emits one of these does not write it to a file.
class CompileObserver {
public:
  virtual ~CompileObserver() = default;
  virtual void addStage(llvm::StringRef stage, mlir::ModuleOp module,
                        const TargetProfile &profile) = 0;
  virtual void addDeviceCode(llvm::ArrayRef<DeviceCode> codes) = 0;
};

} // namespace aircc

#endif // AIRCC_DRIVER_COMPILE_COMPILEOBSERVER_H
