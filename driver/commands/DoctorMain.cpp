//===- DoctorMain.cpp - `aircc doctor` ------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Version.h"
#include "driver/commands/Commands.h"
#include "driver/commands/OptionTable.h"
#include "driver/commands/Subcommand.h"
#include "driver/compile/StageCheck.h"
#include "pipeline/codegen/rocdl/DeviceLibraries.h"
#include "runtime-stubs/Device.h"
#include "targets/ProfileLoader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <dlfcn.h>

using namespace aircc;
using namespace llvm;

namespace {

/// Prints one line for each dependency of aircc.
class Report {
public:
  void present(StringRef what, const Twine &where) {
    line("ok", what) << where << "\n";
  }
  /// Reports a missing dependency that is required to compile, or to run a
  /// compiled program on the simulated device.
  void missing(StringRef what, const Twine &why, const Twine &remedy) {
    complete = false;
    line("MISSING", what) << why << "\n";
    outs() << indent << "to get it: " << remedy << "\n";
  }
  /// Reports a missing dependency that is optional because it is useful only
  /// with certain hardware or tools.
  void absent(StringRef what, const Twine &why) {
    line("absent", what) << why << "\n";
  }
  bool complete = true;

private:
  static constexpr StringLiteral indent = "                             ";
  raw_ostream &line(StringRef state, StringRef what) {
    return outs() << left_justify(state, 9) << left_justify(what, 20);
  }
};

} // namespace

static void checkLLVM(Report &report) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeSPIRVTargetInfo();
  LLVMInitializeX86TargetInfo();
  std::vector<std::string> names;
  for (const Target &target : TargetRegistry::targets())
    names.push_back(target.getName());
  for (StringRef wanted : {"amdgcn", "spirv64", "x86-64"})
    if (!is_contained(names, wanted))
      return report.missing(
          "LLVM", "no code generator for " + wanted,
          "install an LLVM 22 with the targets AMDGPU, SPIRV and X86");
  report.present("LLVM", AIRCC_LLVM_VERSION ", with AMDGPU, SPIRV and X86");
}

/// Checks the profiles and returns the device libraries that they require.
static std::vector<std::string> checkTargets(Report &report,
                                             const ProfileLoader &loader,
                                             ArrayRef<std::string> folders) {
  std::vector<std::string> libraries;
  std::vector<ProfileError> errors;
  unsigned count = 0;
  for (const ProfileListing &listing : loader.list(errors))
    if (auto profile = loader.load(listing.name, errors)) {
      ++count;
      for (const std::string &name : profile->deviceLibs)
        if (!is_contained(libraries, name))
          libraries.push_back(name);
    }
  if (!errors.empty())
    report.missing("target profiles", errors[0].file + ": " + errors[0].message,
                   "correct the file");
  else if (!count)
    report.missing("target profiles", "none in " + join(folders, ", "),
                   "reinstall aircc, or set AIRCC_TARGETS_PATH");
  else
    report.present("target profiles",
                   Twine(count) + " in " + join(folders, ", "));
  return libraries;
}

static void checkDeviceLibraries(Report &report, StringRef rocmPath,
                                 ArrayRef<std::string> names) {
  std::vector<std::string> folders = getDeviceLibraryFolders(rocmPath);
  std::vector<std::string> missing;
  std::string found;
  for (const std::string &name : names) {
    std::string file = findDeviceLibrary(folders, name);
    if (file.empty())
      missing.push_back(name + ".bc");
    else
      found = sys::path::parent_path(file);
  }
  if (missing.empty())
    return report.present("device libraries",
                          join(names, ", ") + " in " + found);
  report.missing("device libraries",
                 join(missing, ", ") + " in none of " + join(folders, ", "),
                 "apt-get install rocm-device-libs (Debian 13: "
                 "rocm-device-libs-17), or name a ROCm installation by "
                 "--rocm-path or ROCM_PATH");
}

static void checkHostCompiler(Report &report) {
  auto cc = sys::findProgramByName("cc");
  if (cc)
    report.present("host compiler", *cc);
  else
    report.missing("host compiler", "no cc on PATH (it links programs)",
                   "apt-get install gcc");
}

/// Returns whether `file` can be loaded and defines `symbol`. Otherwise, sets
/// `why`.
static bool isLoadable(const std::string &file, const char *symbol,
                       std::string &why) {
  void *library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library && ::dlsym(library, symbol))
    return true;
  const char *text = ::dlerror();
  why = text ? text : file + " cannot be loaded";
  return false;
}

static void checkRuntime(Report &report, const Installation &installation) {
  std::string archive = installation.getRuntimeArchive();
  if (sys::fs::exists(archive))
    report.present("runtime, static", archive);
  else
    report.missing("runtime, static",
                   "no " + archive + " (executables link it)",
                   "reinstall aircc, or build the target aircc_runtime");

  std::string shared = installation.getRuntimeLibrary(), why;
  if (isLoadable(shared, "mgpuLaunchKernel", why))
    report.present("runtime, shared", shared);
  else
    report.missing("runtime, shared", why + " (shared libraries link it)",
                   "reinstall aircc, or build the target aircc_runtime_shared");

  std::string plugin = installation.getRuntimeFolder() + "/libaircc_sim.so";
  if (isLoadable(plugin, AIRCC_DEVICE_PLUGIN_ENTRY, why))
    report.present("device sim", plugin);
  else
    report.missing("device sim", why,
                   "reinstall aircc, or build the target aircc_sim");
}

/// Checks a device whose library the system provides: the one that `variable`
/// names or, if unset, the first of `libraries` that exists. A library without
/// `symbol` is too old.
static void checkDevice(Report &report, StringRef what, const char *variable,
                        SmallVector<const char *> libraries, const char *symbol,
                        StringRef node) {
  if (const char *named = std::getenv(variable); named && *named)
    libraries = {named};
  const char *found = nullptr;
  void *library = nullptr;
  for (const char *name : libraries) {
    library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
      continue;
    found = name;
    break;
  }
  if (!found)
    return report.absent(what, Twine("no ") + libraries.front());
  if (!::dlsym(library, symbol))
    return report.absent(what, Twine(found) + " exists, but has no " + symbol +
                                   "; install a newer one");
  if (!sys::fs::exists(node))
    return report.absent(what, Twine(found) + " exists, but no " + node);
  report.present(what, Twine(found) + ", " + node);
}

ExitCode aircc::doctorMain(Arguments arguments,
                           const Installation &installation,
                           Diagnostics &diagnostics) {
  CLI::App app(
      "Report which parts of the toolchain and which devices are present, "
      "and which are missing.",
      "aircc doctor");
  std::string rocmPath, format;
  std::vector<std::string> extraFolders;
  addOptions(
      app, {{"",
             {makeRocmPathOption(rocmPath), makeTargetsDirOption(extraFolders),
              makeDiagnosticsFormatOption(format)}}});
  if (auto code = parseOrExit(app, arguments, diagnostics))
    return *code;

  Report report;
  report.present("aircc", AIRCC_VERSION ", " + installation.getBinary());
  checkLLVM(report);
  std::vector<std::string> folders =
      installation.getTargetFolders(extraFolders);
  std::vector<std::string> libraries =
      checkTargets(report, makeProfileLoader(folders, rocmPath), folders);
  checkDeviceLibraries(report, rocmPath, libraries);
  checkHostCompiler(report);
  checkRuntime(report, installation);
  checkDevice(report, "device hip", "AIRCC_HIP_LIBRARY",
              {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
               "libamdhip64.so"},
              "hipModuleLaunchKernel", "/dev/kfd");
  checkDevice(report, "device level-zero", "AIRCC_LEVEL_ZERO_LIBRARY",
              {"libze_loader.so.1", "libze_loader.so"},
              "zeCommandListHostSynchronize", "/dev/dri");
  auto ocloc = sys::findProgramByName("ocloc");
  if (ocloc)
    report.present("ocloc", *ocloc);
  else
    report.absent("ocloc",
                  "not on PATH (it is needed only for native Xe binaries)");

  outs() << (report.complete
                 ? "all components needed to compile, and to run on the "
                   "simulated device, are present\n"
                 : "a required component is missing\n");
  return report.complete ? ExitCode::Done : ExitCode::Environment;
}
