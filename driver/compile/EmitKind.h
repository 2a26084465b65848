//===- EmitKind.h - What a compile writes -----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_COMPILE_EMITKIND_H
#define AIRCC_DRIVER_COMPILE_EMITKIND_H

#include "targets/TargetProfile.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace aircc {

/// The levels of `--emit`, in the order in which a program passes them.
enum class EmitKind {
  AIR,
  GPU,
  Layout,
  Distributed,
  ROCDL,
  XeVM,
  LLVM,
  Assembly,
  Object,
  CodeObject,
  SPIRV,
  Native,
  HostLLVM,
  HostObject,
  Shared,
  Executable,
};

/// How a level is reached and written.
struct EmitInfo {
  EmitKind kind;
  llvm::StringLiteral name;    ///< As `--emit` spells it.
  llvm::StringLiteral summary; ///< One line for the help.
  /// Of the file: ".mlir", ".s". Empty for executables.
  llvm::StringLiteral extension;
  /// The backend that has this level, where not both do.
  std::optional<Backend> backend;
  /// Text goes to standard output when no -o is given.
  bool isText;
};

/// All levels, in order.
llvm::ArrayRef<EmitInfo> getEmitKinds();

const EmitInfo &getEmitInfo(EmitKind kind);

/// MLIR text, printed after a stage.
inline bool isMLIR(EmitKind kind) { return kind <= EmitKind::XeVM; }

/// The code of gpu.modules, one file for each and for each target.
inline bool isDeviceCode(EmitKind kind) {
  return kind >= EmitKind::LLVM && kind <= EmitKind::Native;
}

/// Something of the host's, with the device code of all targets in it.
inline bool isHostCode(EmitKind kind) { return kind >= EmitKind::HostLLVM; }

/// Made by the host's linker.
inline bool isLinked(EmitKind kind) { return kind >= EmitKind::Shared; }

} // namespace aircc

#endif // AIRCC_DRIVER_COMPILE_EMITKIND_H
