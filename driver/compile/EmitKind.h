//===- EmitKind.h - Kinds of compiler output --------------------*- C++ -*-===//
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

/// The levels of `--emit`, in pipeline order.
enum class EmitKind {
  AIR,
  Dispatch,
  GPU,
  Plan,
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

/// The properties of a level.
struct EmitInfo {
  EmitKind kind;
  llvm::StringLiteral name;    ///< The argument of `--emit`.
  llvm::StringLiteral summary; ///< A line for the help text.
  /// The extension of the output file: ".mlir", ".s". Empty for executables.
  llvm::StringLiteral extension;
  /// The only backend that has this level, or nothing if both do.
  std::optional<Backend> backend;
  /// Whether the output is text, which is written to standard output without
  /// -o.
  bool isText;
};

/// Returns all levels, in pipeline order.
llvm::ArrayRef<EmitInfo> getEmitKinds();

const EmitInfo &getEmitInfo(EmitKind kind);

/// Returns whether the level is MLIR text, or a JSON description of it, printed
/// after a stage.
inline bool isMLIR(EmitKind kind) { return kind <= EmitKind::XeVM; }

/// Returns whether the level is code of gpu.modules, with one file per module
/// and target.
inline bool isDeviceCode(EmitKind kind) {
  return kind >= EmitKind::LLVM && kind <= EmitKind::Native;
}

/// Returns whether the level is host code with the embedded device code of all
/// targets.
inline bool isHostCode(EmitKind kind) { return kind >= EmitKind::HostLLVM; }

/// Returns whether the output is linked by the host linker.
inline bool isLinked(EmitKind kind) { return kind >= EmitKind::Shared; }

} // namespace aircc

#endif // AIRCC_DRIVER_COMPILE_EMITKIND_H
