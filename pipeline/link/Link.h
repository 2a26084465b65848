//===- Link.h - The link stage ----------------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The link stage has a device half, which links the objects that codegen stored
// in gpu.binary ops into code objects (hsaco), and a host half, which lowers
// the host functions to the LLVM dialect. The rest are not passes: emitting
// host code, linking it, and generating the C header.
//
// How a driver produces each level of `--emit`:
//
//   hsaco      the stage with output=code-object; collectDeviceCode (Codegen.h)
//   spirv      codegen; collectDeviceCode
//   zebin      the stage with output=native; collectDeviceCode
//   host-llvm  the stage; emitHost(HostFormat::LLVM)
//   host-obj   the stage; emitHost(HostFormat::Object)   (a linkable object
//              with the code objects embedded; also for `--emit=obj -c`)
//   shared     the stage; emitHost(Object); linkHost(Kind::Shared)
//   exe        the stage; emitHost(Object, wholeProgram);
//              linkHost(Kind::Executable)
//   --header   generateHeader on the module as parsed, before any stage
//
// For several targets, run hierarchy … codegen, link on a clone of the input
// for each of them, then mergeTargets, then continue as for one target.
//
// --start-at=link accepts gpu.binary ops with objects, and host code in
// upstream dialects. A program without GPU code is supported.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_LINK_H
#define AIRCC_PIPELINE_LINK_LINK_H

#include "pipeline/codegen/Codegen.h"
#include "pipeline/common/Stage.h"
#include "pipeline/link/MemoryFile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace aircc {

//===----------------------------------------------------------------------===//
// The stage
//===----------------------------------------------------------------------===//

/// Returns the stage, for the driver's list.
const Stage &getLinkStage();

//===----------------------------------------------------------------------===//
// Several targets
//===----------------------------------------------------------------------===//

/// The result of the whole stage for one target.
struct TargetModule {
  const TargetProfile *profile = nullptr;
  mlir::ModuleOp module;
};

/// Waits for the device code of the targets and merges the modules of several
/// targets that were compiled from the same input, all in one MLIR context.
/// Each gpu.binary then holds a code-object bundle with an entry for every
/// target, and the runtime selects among host functions whose bodies differ
/// (mgpuSelectTarget). Emits an error at the op for mismatches and returns
/// null. For one target, returns a clone of its module.
mlir::OwningOpRef<mlir::ModuleOp>
mergeTargets(llvm::ArrayRef<TargetModule> targets);

//===----------------------------------------------------------------------===//
// Host code
//===----------------------------------------------------------------------===//

enum class HostFormat { LLVM, Assembly, Object };

/// Options of emitHost.
struct HostCodeOptions {
  unsigned optLevel = 2;
  /// Whether the object becomes an executable on its own, so that only `main`
  /// needs to be visible, and code that is unreachable from it is removed.
  bool wholeProgram = false;
};

/// Text or an object.
struct HostCode {
  llvm::SmallString<0> start;
  /// The parts that follow `start`: code objects, and constants of the program
  /// that are too large to copy. The MLIR context owns them.
  std::vector<llvm::StringRef> rest;
  bool hasLargeConstants = false;

  std::vector<llvm::StringRef> getPieces() const;
};

/// Translates the module that the stage (or mergeTargets) returned to LLVM IR,
/// optimizes it for `host.triple` (position independent), and writes it in
/// `format`. Waits for pending device code, but only after the host code has
/// been compiled. Errors are reported at the op to which they refer.
mlir::LogicalResult emitHost(mlir::ModuleOp module, const HostSpec &host,
                             const HostCodeOptions &options, HostFormat format,
                             HostCode &code);

/// Returns whether the module (at any stage) defines the C function `main`.
bool hasMain(mlir::ModuleOp module);

/// The public functions that the inputs of a link define, and the inputs that
/// define them.
using Definitions = std::map<std::string, std::string>;

/// Adds the functions of `module`, as parsed from `input`, to `definitions`.
/// Emits an error at the op for those that another input also defines, because
/// the linker's message would name objects that the user has never seen.
mlir::LogicalResult checkDefinitions(mlir::ModuleOp module,
                                     llvm::StringRef input,
                                     Definitions &definitions);

struct HostLink {
  enum class Kind { Executable, Shared };
  Kind kind = Kind::Executable;
  /// The output of emitHost for each input.
  std::vector<MemoryFile> objects;
  /// Paths of additional inputs for the linker, objects or libraries.
  std::vector<std::string> inputs;
  /// The full path of the runtime library, or empty for none. An executable
  /// uses the archive (libaircc_runtime.a); a shared library uses the shared
  /// library, so that it shares the runtime, including its device and memory,
  /// with the application and with other such libraries.
  std::string runtimeLibrary;
  /// The directory in which a running program looks for the shared runtime
  /// library and plug-ins; becomes an rpath. Empty for none.
  std::string runtimeDir;
  /// The output path. The caller renames the file into place.
  std::string output;
  bool debugInfo = false;
};

/// Returns the command that linkHost runs, for `-###` and `-v`; "<object>"
/// stands for each object in memory. Fails if linkHost would fail for lack of a
/// compiler.
llvm::Expected<std::vector<std::string>>
getHostLinkCommand(const HostSpec &host, const HostLink &link);

/// Links with the system's C compiler driver (`host.cc`, searched on PATH).
/// Fails with a MissingDependencyError (pipeline/common/Dependency.h) if there
/// is none, with an ExhaustionError (pipeline/common/Exhaustion.h) if the disk,
/// memory or the like is full, and otherwise with the standard error output of
/// the linker.
llvm::Error linkHost(const HostSpec &host, const HostLink &link);

//===----------------------------------------------------------------------===//
// C interface
//===----------------------------------------------------------------------===//

/// Writes the C header for the public functions of the module. `module` is as
/// parsed, before any stage lowered its signatures; `fileName` determines the
/// include guard. A public function whose type cannot be represented in C is
/// replaced with a comment that gives the reason.
mlir::LogicalResult generateHeader(mlir::ModuleOp module,
                                   llvm::StringRef fileName,
                                   llvm::raw_ostream &os);

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_LINK_H
