//===- CompileInspection.cpp - --print-pipeline, -###, --save-temps -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// This part of CompileJob implements -###, --print-pipeline and --save-temps.
//
//===----------------------------------------------------------------------===//

#include "driver/compile/CompileJob.h"
#include "driver/compile/CompileUnit.h"
#include "driver/input/MlirOptions.h"
#include "driver/input/Registry.h"
#include "pipeline/codegen/Codegen.h"
#include "pipeline/common/Stage.h"
#include "pipeline/link/Link.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace aircc;
using namespace llvm;

/// Formats the passes of all `stages` as one textual pipeline.
static Expected<std::string> describePasses(ArrayRef<PlannedStage> stages,
                                            const TargetProfile &profile) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::PassManager pm(&context, mlir::ModuleOp::getOperationName());
  for (const PlannedStage &planned : stages)
    if (Error error = populateStage(planned, profile, pm))
      return error;
  std::string text;
  raw_string_ostream os(text);
  pm.printAsTextualPipeline(os);
  return text;
}

Error CompileJob::printPipelines() {
  for (auto [profile, plan] : zip(profiles, plans)) {
    auto text = describePasses(plan, profile);
    if (!text)
      return text.takeError();
    // With one target, print only the pipeline, so that a shell can use the
    // line.
    if (profiles.size() > 1)
      outs() << "// " << profile.name << "\n";
    outs() << *text << "\n";
  }
  outs().flush();
  if (outs().has_error()) {
    std::string what = outs().error().message();
    outs().clear_error();
    return fail(ExitCode::Environment, "cannot write standard output: " + what);
  }
  return Error::success();
}

Error CompileJob::describe() {
  std::vector<std::string> made;
  for (const std::string &input : options.inputs) {
    errs() << "read " << input << "\n";
    if (options.replacesPipeline)
      errs() << "  passes " << options.passPipeline << "\n";
    for (auto [profile, plan] : zip(profiles, plans)) {
      errs() << "  target " << profile.name << " (" << profile.files.front()
             << ")\n";
      for (const PlannedStage &planned : plan) {
        auto text = describePasses(planned, profile);
        if (!text)
          return text.takeError();
        errs() << "    stage " << planned.stage->name;
        if (!planned.options.empty())
          errs() << " {" << planned.options << "}";
        errs() << ": " << *text << "\n";
      }
    }
    if (plans.size() > 1 && isHostCode(kind) && !printsModule(options))
      errs() << "  merge the targets\n";
    if (!isLinked(kind) || printsModule(options))
      errs() << "  write "
             << nameOutput(input, "",
                           printsModule(options) || getEmitInfo(kind).isText)
             << "\n";
  }
  if (!isLinked(kind) || printsModule(options))
    return Error::success();
  std::string output = nameOutput(options.inputs[0], "", /*isText=*/false);
  auto hostLink = makeHostLink(output);
  if (!hostLink)
    return hostLink.takeError();
  auto command = getHostLinkCommand(getHost(), *hostLink);
  if (!command)
    return command.takeError();
  errs() << "link";
  for (const std::string &argument : *command)
    errs() << " \"" << argument << "\"";
  errs() << "\n";
  return Error::success();
}

//===----------------------------------------------------------------------===//
// --save-temps
//===----------------------------------------------------------------------===//

Error CompileJob::saveText(StringRef name, StringRef text) {
  SmallString<128> path(options.saveTempsFolder);
  if (std::error_code ec = sys::fs::create_directories(path))
    return fail(ExitCode::Environment,
                "--save-temps: cannot create the directory '" + path +
                    "': " + ec.message());
  sys::path::append(path, name);
  sys::path::remove_dots(path);
  if (Error error = checkNoInput(path))
    return error;
  auto file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  (*file)->os() << text;
  return (*file)->commit();
}

/// Returns the name of a file: "matmul-gfx942" for a target, "matmul" for files
/// common to all targets.
static std::string nameTemp(StringRef input, StringRef target) {
  std::string name = input == "-" ? "stdin" : sys::path::stem(input).str();
  return target.empty() ? name : name + "-" + target.str();
}

Error CompileJob::saveModule(Unit &unit, size_t target, StringRef what,
                             mlir::ModuleOp module) {
  std::string text;
  raw_string_ostream os(text);
  module.print(os, getPrintingFlags());
  os << "\n";
  return saveText(nameTemp(unit.input, profiles[target].name) + "." +
                      what.str() + ".mlir",
                  text);
}

Error CompileJob::saveDeviceCode(Unit &unit, size_t target, StringRef extension,
                                 mlir::ModuleOp module) {
  for (const DeviceCode &code : collectDeviceCode(module))
    if (Error error = saveText(nameTemp(unit.input, profiles[target].name) +
                                   "-" + code.module.str() + extension.str(),
                               code.bytes))
      return error;
  return Error::success();
}

/// Returns whether --save-temps saves `output` of a stage, that is, a form of
/// the program or of its device code for which the stage has an option. Native
/// code is excluded because it requires the offline compiler, which may be
/// absent.
static bool isSaved(const StageOutput &output, Backend backend) {
  const EmitInfo &info = *find_if(getEmitKinds(), [&](const EmitInfo &info) {
    return info.name == output.emit;
  });
  return !output.key.empty() && (!info.backend || *info.backend == backend) &&
         (isMLIR(info.kind) || isDeviceCode(info.kind)) &&
         info.kind != EmitKind::Native;
}

bool CompileJob::savesOutputs(const PlannedStage &planned, size_t target) {
  return any_of(planned.stage->outputs, [&](const StageOutput &output) {
    return isSaved(output, profiles[target].backend);
  });
}

/// Saves each output form of a stage by running the stage on its input again.
Error CompileJob::saveOutputs(Unit &unit, size_t target,
                              const PlannedStage &planned,
                              mlir::ModuleOp before) {
  const TargetProfile &profile = profiles[target];
  for (const StageOutput &output : planned.stage->outputs) {
    if (!isSaved(output, profile.backend))
      continue;
    const EmitInfo &info = *find_if(getEmitKinds(), [&](const EmitInfo &info) {
      return info.name == output.emit;
    });
    mlir::OwningOpRef<mlir::ModuleOp> module = before.clone();
    PlannedStage again = planned;
    again.options = overrideOption(again.options, output.key, output.value);
    Error error = runPasses(
        unit, *module,
        [&](mlir::PassManager &pm) {
          return populateStage(again, profile, pm);
        },
        "--save-temps, " + output.emit);
    if (!error)
      error = waitForDeviceCode(unit, *module);
    if (error)
      return error;
    bool isSPIRVText =
        info.kind == EmitKind::Assembly && profile.backend == Backend::XeVM;
    error =
        isMLIR(info.kind)
            ? saveModule(unit, target, info.name, *module)
            : saveDeviceCode(unit, target,
                             isSPIRVText ? ".spvasm" : info.extension, *module);
    if (error)
      return error;
  }
  return Error::success();
}
