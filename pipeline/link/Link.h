//===- Link.h - The link stage ----------------------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The link stage has a device half, which makes code objects (hsaco) of the
// objects that codegen left in gpu.binary ops, and a host half, which lowers
// the host functions to the LLVM dialect. What follows is no pass: emitting the
// host's code, linking it, and the C header.
//
// How a driver gets each level of `--emit`:
//
//   hsaco      the stage with output=code-object; collectDeviceCode (Codegen.h)
//   spirv      codegen; collectDeviceCode
//   zebin      the stage with output=native; collectDeviceCode
//   host-llvm  the stage; emitHost(HostFormat::LLVM)
//   host-obj   the stage; emitHost(HostFormat::Object)   (a linkable object
//              with the code objects embedded; also what `--emit=obj -c` wants)
//   shared     the stage; emitHost(Object); linkHost(Kind::Shared)
//   exe        the stage; emitHost(Object, wholeProgram);
//              linkHost(Kind::Executable)
//   --header   generateHeader on the module as parsed, before any stage
//
// Several targets: run hierarchy … codegen, link on a clone of the input for
// each of them, then mergeTargets, then go on as with one.
//
// --start-at=link takes gpu.binary ops with objects, and host code in upstream
// dialects. A program without any GPU code goes through unharmed.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_LINK_LINK_H
#define AIRCC_PIPELINE_LINK_LINK_H

#include "pipeline/codegen/Codegen.h"
#include "pipeline/common/Stage.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace llvm {
class raw_pwrite_stream;
} // namespace llvm

namespace aircc {

//===----------------------------------------------------------------------===//
// The stage
//===----------------------------------------------------------------------===//

/// The stage for the driver's list.
const Stage &getLinkStage();

//===----------------------------------------------------------------------===//
// Several targets
//===----------------------------------------------------------------------===//

/// One target's result of the whole stage.
struct TargetModule {
  const TargetProfile *profile = nullptr;
  mlir::ModuleOp module;
};

/// Waits for the device code of the targets and makes one module of several
/// that were compiled from the same input, all in one MLIR context: each
/// gpu.binary holds a code-object bundle with an entry for every target, and
/// host functions whose bodies differ are chosen from at run time
/// (mgpuSelectTarget). Reports what does not fit at its op and returns null.
/// With one target it is that target's module, cloned.
mlir::OwningOpRef<mlir::ModuleOp>
mergeTargets(llvm::ArrayRef<TargetModule> targets);

//===----------------------------------------------------------------------===//
// Host code
//===----------------------------------------------------------------------===//

enum class HostFormat { LLVM, Assembly, Object };

/// Options of emitHost.
struct HostCodeOptions {
  unsigned optLevel = 2;
  /// The object becomes an executable by itself: nothing but `main` need be
  /// visible, and what is not reached from it goes.
  bool wholeProgram = false;
};

/// Translates the module that the stage (or mergeTargets) left to LLVM IR,
/// optimises it for `host.triple` (position independent), and writes it in
/// `format`. Waits for device code that is still being compiled, but only after
/// the host code has been compiled. Errors are reported at the op that they are
/// about.
mlir::LogicalResult emitHost(mlir::ModuleOp module, const HostSpec &host,
                             const HostCodeOptions &options, HostFormat format,
                             llvm::raw_pwrite_stream &os);

/// Whether the module (at any stage) defines the C function `main`.
bool hasMain(mlir::ModuleOp module);

/// The public functions that the inputs of one link define, and in which input.
using Definitions = std::map<std::string, std::string>;

/// Adds the functions of `module`, as parsed from `input`, to `definitions`.
/// Reports those that another input defines, too, at the op: the linker's
/// message would name objects that the user has never seen.
mlir::LogicalResult checkDefinitions(mlir::ModuleOp module,
                                     llvm::StringRef input,
                                     Definitions &definitions);

struct HostLink {
  enum class Kind { Executable, Shared };
  Kind kind = Kind::Executable;
  /// Object code that is in memory: what emitHost wrote, for each input.
  std::vector<llvm::StringRef> objects;
  /// Further inputs for the linker, objects or libraries, by path.
  std::vector<std::string> inputs;
  /// The runtime's library, whole path. Empty: none. An executable takes the
  /// archive (libaircc_runtime.a); a shared library takes the shared one, so
  /// that it has the runtime, with its device and memory, in common with the
  /// application and with other such libraries.
  std::string runtimeLibrary;
  /// Folder where a running program looks for the runtime's shared library and
  /// plug-ins; becomes an rpath. Empty: none.
  std::string runtimeDir;
  /// Where to write. The caller renames it into place.
  std::string output;
  bool debugInfo = false;
};

/// The command that linkHost runs, for `-###` and `-v`; "<object>" stands for
/// each object in memory. Fails as linkHost does when there is no compiler.
llvm::Expected<std::vector<std::string>>
getHostLinkCommand(const HostSpec &host, const HostLink &link);

/// Links with the system's C compiler driver (`host.cc`, looked for on PATH).
/// A MissingDependencyError (pipeline/common/Dependency.h) when there is none;
/// an ExhaustionError (pipeline/common/Exhaustion.h) when the disk, memory or
/// the like is full; else what the linker wrote to its standard error.
llvm::Error linkHost(const HostSpec &host, const HostLink &link);

//===----------------------------------------------------------------------===//
// C interface
//===----------------------------------------------------------------------===//

/// Writes the C header of the module's public functions. `module` is as parsed,
/// before any stage lowered its signatures; `fileName` gives the include guard.
/// A public function whose type has no C form is left out with a comment that
/// says why.
mlir::LogicalResult generateHeader(mlir::ModuleOp module,
                                   llvm::StringRef fileName,
                                   llvm::raw_ostream &os);

} // namespace aircc

#endif // AIRCC_PIPELINE_LINK_LINK_H
