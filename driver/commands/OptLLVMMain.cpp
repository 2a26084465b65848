//===- OptLLVMMain.cpp - `aircc opt-llvm` ---------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Like LLVM's opt, this command reads LLVM IR, runs passes and writes LLVM IR.
// LLVM parses the command line, so its own options (-print-after=PASS,
// -debugify-each, …) work.
//
//===----------------------------------------------------------------------===//

#include "driver/Version.h"
#include "driver/commands/Commands.h"
#include "driver/commands/Subcommand.h"
#include "driver/compile/StageCheck.h"
#include "driver/files/OutputFile.h"
#include "driver/input/InputFile.h"
#include "pipeline/codegen/llvm/LLVMBackend.h"
#include "pipeline/codegen/llvm/LLVMPassRunner.h"
#include "pipeline/codegen/llvm/amdgpu/AMDGPUPipeline.h"
#include "pipeline/codegen/llvm/spirv/SPIRVEmission.h"
#include "pipeline/codegen/llvm/spirv/SPIRVPipeline.h"
#include "pipeline/link/HostPipeline.h"
#include "targets/ProfileLoader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/AsmParser/AsmParserContext.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace aircc;
using namespace llvm;

namespace {

/// The command-line options. They exist only while the command runs, because
/// LLVM registers options in their constructors and other commands must not
/// have them.
struct Options {
  cl::OptionCategory category{"Options of aircc opt-llvm"};
  cl::opt<std::string> input{cl::Positional, cl::desc("FILE"), cl::init("-"),
                             cl::cat(category)};
  cl::opt<std::string> output{
      "o", cl::desc("Output file (default: standard output)"),
      cl::value_desc("FILE"), cl::init("-"), cl::cat(category)};
  cl::opt<bool> text{"S", cl::desc("Write LLVM IR as text, not as bitcode"),
                     cl::cat(category)};
  cl::opt<bool> assembly{"asm",
                         cl::desc("Also run the backend and write assembly"),
                         cl::cat(category)};
  cl::opt<std::string> passes{
      "passes", cl::desc("The passes to run, in the syntax of LLVM's opt"),
      cl::value_desc("PASSES"), cl::cat(category)};
  cl::opt<unsigned> optLevel{
      "O",
      cl::desc(
          "Run the passes of a compile for the target at this level, 0 to 3"),
      cl::value_desc("LEVEL"),
      cl::Prefix,
      cl::init(2),
      cl::cat(category)};
  cl::opt<std::string> target{
      "target",
      cl::desc("The profile of the target (default: derived from the "
               "module's triple)"),
      cl::value_desc("NAME|FILE.json"), cl::cat(category)};
  cl::list<std::string> targetFolders{
      "targets-dir", cl::desc("Folder to search for profiles first"),
      cl::value_desc("FOLDER"), cl::cat(category)};
  cl::opt<bool> printPasses{
      "print-passes", cl::desc("List the passes of aircc"), cl::cat(category)};
  cl::opt<bool> printPipeline{
      "print-pipeline", cl::desc("Print the passes instead of running them"),
      cl::cat(category)};
};

/// Prints LLVM diagnostics with the debug location if there is one, otherwise
/// with the location of the function in the input text.
class ReportingHandler : public DiagnosticHandler {
public:
  ReportingHandler(StringRef file, const AsmParserContext &places)
      : file(file), places(places) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error && info.getSeverity() != DS_Warning)
      return false;
    auto *located = dyn_cast<DiagnosticInfoUnsupported>(&info);
    errs() << file;
    if (located && located->isLocationAvailable()) {
      StringRef relative;
      unsigned line = 0, column = 0;
      located->getLocation(relative, line, column);
      errs() << ":" << line << ":" << column;
    } else if (auto place =
                   located ? places.getFunctionLocation(&located->getFunction())
                           : std::nullopt) {
      errs() << ":" << place->Start.Line + 1 << ":" << place->Start.Col + 1;
    }
    std::string text;
    raw_string_ostream os(text);
    DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    StringRef message = StringRef(text).trim();
    message.consume_front("<unknown>:0:0: ");
    errs() << (info.getSeverity() == DS_Error ? ": error: " : ": warning: ")
           << message << "\n";
    return true;
  }

private:
  StringRef file;
  const AsmParserContext &places;
};

/// One run of the command.
class Job {
public:
  Job(const Options &options, const Installation &installation,
      Diagnostics &diagnostics)
      : options(options), installation(installation), diagnostics(diagnostics) {
  }

  Error run();

private:
  Error loadTarget();
  Error readModule();
  Expected<ModulePassManager> buildPasses(LLVMPassRunner &runner);
  Error write();
  Error emitAssembly(SmallVectorImpl<char> &code);

  const Options &options;
  const Installation &installation;
  Diagnostics &diagnostics;
  std::optional<TargetProfile> profile;
  std::unique_ptr<TargetMachine> machine;
  std::string fileName;
  AsmParserContext places;
  LLVMContext context;
  std::unique_ptr<Module> module;
};

} // namespace

/// The target machine that a compile for this triple uses.
static Expected<std::unique_ptr<TargetMachine>>
createMachine(const MachineOptions &options) {
  // SPIR-V has no processor, and all optimizations run before its backend.
  if (Triple(options.triple).isSPIRV())
    return createTargetMachine({options.triple, "", "", /*optLevel=*/0});
  return createTargetMachine(options);
}

Error Job::loadTarget() {
  if (options.target.empty())
    return Error::success();
  std::vector<std::string> folders(options.targetFolders.begin(),
                                   options.targetFolders.end());
  ProfileLoader loader = makeProfileLoader(
      installation.getTargetFolders(folders), /*rocmPath=*/"");
  auto loaded = loadProfile(loader, options.target.getValue(), {}, diagnostics);
  if (!loaded)
    return loaded.takeError();
  profile = std::move(*loaded);
  auto created = createMachine(
      {profile->triple, profile->chip, profile->features, options.optLevel});
  if (!created)
    return fail(ExitCode::BadUsage, toString(created.takeError()));
  machine = std::move(*created);
  return Error::success();
}

Error Job::readModule() {
  fileName = options.input == "-" ? "<stdin>" : options.input.getValue();
  auto buffer = readInput(options.input, fileName);
  if (!buffer)
    return buffer.takeError();
  numberSPIRVScopes(context);
  SMDiagnostic problem;
  // Set it before the body is parsed: the data layout determines the address
  // space of allocas.
  ParserCallbacks callbacks(
      [&](StringRef triple, StringRef layout) -> std::optional<std::string> {
        if (!machine && !triple.empty()) {
          auto created =
              createMachine({triple.str(), "", "", options.optLevel});
          if (created)
            machine = std::move(*created);
          else
            consumeError(created.takeError());
        }
        if (!machine || !layout.empty())
          return std::nullopt;
        return machine->createDataLayout().getStringRepresentation();
      });
  module = parseIR((*buffer)->getMemBufferRef(), problem, context, callbacks,
                   &places);
  if (!module) {
    problem.print("", errs());
    return fail(ExitCode::BadInput);
  }
  std::string text;
  raw_string_ostream os(text);
  if (verifyModule(*module, &os))
    return fail(ExitCode::BadInput,
                fileName + " is not valid LLVM IR: " + StringRef(text).trim());
  if (!profile)
    return Error::success();
  Triple triple(profile->triple);
  if (module->getTargetTriple().empty())
    module->setTargetTriple(triple);
  if (module->getTargetTriple().getArch() != triple.getArch())
    return fail(ExitCode::BadUsage, fileName + " is for '" +
                                        module->getTargetTriple().str() +
                                        "', but the target '" + profile->name +
                                        "' is '" + triple.str() + "'");
  StringRef version = "amdhsa_code_object_version";
  if (triple.isAMDGCN() && !module->getModuleFlag(version))
    module->addModuleFlag(Module::Error, version,
                          profile->codeObjectVersion * 100);
  return Error::success();
}

Expected<ModulePassManager> Job::buildPasses(LLVMPassRunner &runner) {
  PassBuilder &builder = runner.getBuilder();
  ModulePassManager passes;
  if (options.optLevel.getNumOccurrences()) {
    const Triple &triple = module->getTargetTriple();
    if (triple.isAMDGCN())
      passes = buildAMDGPUPipeline(builder, machine.get(), options.optLevel);
    else if (triple.isSPIRV())
      passes = buildSPIRVPipeline(builder, options.optLevel);
    else
      passes = buildHostPipeline(builder, options.optLevel,
                                 /*wholeProgram=*/false);
  } else if (!options.passes.empty()) {
    if (Error error = builder.parsePassPipeline(passes, options.passes))
      return fail(ExitCode::BadUsage, "--passes: " + toString(std::move(error)),
                  {"aircc opt-llvm --print-passes lists the passes of aircc, "
                   "and LLVM's opt --print-passes those of LLVM"});
  }
  return passes;
}

static void printPasses(ArrayRef<LLVMPassInfo> passes) {
  auto print = [&](StringRef title, LLVMPassInfo::Kind kind) {
    outs() << title << "\n";
    for (const LLVMPassInfo &pass : passes)
      if (pass.kind == kind)
        outs() << "  " << left_justify(pass.name, 40) << pass.summary << "\n";
  };
  print("Passes:", LLVMPassInfo::Kind::Pass);
  print("Filters, which skip passes of LLVM for some code:",
        LLVMPassInfo::Kind::Filter);
  print("Passes that the backend runs (--asm):", LLVMPassInfo::Kind::Machine);
}

static void registerPasses(LLVMPassRegistry &registry,
                           const TargetMachine *machine) {
  bool isAMDGPU = machine && machine->getTargetTriple().isAMDGCN();
  registerAMDGPUPasses(registry, isAMDGPU ? machine : nullptr);
  registerSPIRVPasses(registry);
  registerHostPasses(registry);
}

/// Allows aircc's function passes in a module pipeline, as LLVM does for its
/// own.
static void nestFunctionPasses(PassBuilder &builder,
                               const LLVMPassRegistry &registry) {
  builder.registerPipelineParsingCallback(
      [&](StringRef name, ModulePassManager &passes,
          ArrayRef<PassBuilder::PipelineElement>) {
        if (none_of(registry.getPasses(), [&](const LLVMPassInfo &pass) {
              return pass.kind == LLVMPassInfo::Kind::Pass && pass.name == name;
            }))
          return false;
        FunctionPassManager nested;
        if (Error error = builder.parsePassPipeline(nested, name)) {
          consumeError(std::move(error));
          return false;
        }
        passes.addPass(createModuleToFunctionPassAdaptor(std::move(nested)));
        return true;
      });
}

static Error listPasses() {
  LLVMContext context;
  Module module("", context);
  LLVMPassRunner runner(module, /*machine=*/nullptr);
  registerPasses(runner.getRegistry(), /*machine=*/nullptr);
  printPasses(runner.getRegistry().getPasses());
  return Error::success();
}

Error Job::emitAssembly(SmallVectorImpl<char> &code) {
  if (!machine)
    return fail(
        ExitCode::BadUsage,
        "--asm requires a target; specify --target, or a triple in the module");
  if (module->getTargetTriple().isSPIRV())
    return emitSPIRV(*module, *machine, CodeGenFileType::AssemblyFile, code);
  return emitMachineCode(*module, *machine, CodeGenFileType::AssemblyFile,
                         code);
}

Error Job::write() {
  bool isBitcode = !options.text && !options.assembly;
  if (isBitcode && options.output == "-" &&
      sys::Process::StandardOutIsDisplayed())
    return fail(ExitCode::BadUsage, "the output is bitcode, but standard "
                                    "output is a terminal; use -S or -o");
  auto file = OutputFile::create(options.output);
  if (!file)
    return file.takeError();
  raw_pwrite_stream &os = (*file)->os();
  if (options.assembly) {
    SmallVector<char, 0> code;
    if (Error error = emitAssembly(code))
      return error;
    os << StringRef(code.data(), code.size());
  } else if (options.text) {
    module->print(os, /*AAW=*/nullptr);
  } else {
    WriteBitcodeToFile(*module, os);
  }
  return (*file)->commit();
}

Error Job::run() {
  if (options.optLevel > 3)
    return fail(ExitCode::BadUsage,
                "the optimization level must be -O0 to -O3, but got -O" +
                    Twine(options.optLevel));
  if (options.optLevel.getNumOccurrences() && !options.passes.empty())
    return fail(ExitCode::BadUsage, "-O and --passes cannot be combined");
  if (Error error = loadTarget())
    return error;
  if (Error error = readModule())
    return error;
  context.setDiagnosticHandler(
      std::make_unique<ReportingHandler>(fileName, places));

  PipelineTuningOptions tuning;
  if (module->getTargetTriple().isSPIRV())
    tuning = getSPIRVTuning();
  LLVMPassRunner runner(*module, machine.get(), tuning);
  runner.addInstrumentations(/*verifyEach=*/true);
  registerPasses(runner.getRegistry(), machine.get());
  nestFunctionPasses(runner.getBuilder(), runner.getRegistry());
  auto passes = buildPasses(runner);
  if (!passes)
    return passes.takeError();
  if (options.printPipeline) {
    auto *callbacks = runner.getBuilder().getPassInstrumentationCallbacks();
    passes->printPipeline(outs(), [&](StringRef name) {
      StringRef known = callbacks->getPassNameForClassName(name);
      return known.empty() ? name : known;
    });
    outs() << "\n";
    return Error::success();
  }
  runner.run(*passes);
  if (hasReportedError(*module))
    return fail(ExitCode::BadInput);
  return write();
}

ExitCode aircc::optLLVMMain(Arguments arguments,
                            const Installation &installation,
                            Diagnostics &diagnostics) {
  setBugReportMsg(AIRCC_BUG_REPORT "\n");
  Options options;
  cl::HideUnrelatedOptions(options.category);
  SmallVector<const char *> argv = {"aircc opt-llvm"};
  for (const std::string &argument : arguments)
    argv.push_back(argument.c_str());
  std::string text;
  raw_string_ostream os(text);
  if (!cl::ParseCommandLineOptions(
          argv.size(), argv.data(),
          "aircc opt-llvm: LLVM's opt with the passes of aircc\n", &os)) {
    StringRef message = StringRef(text).trim();
    message.consume_front("aircc opt-llvm: ");
    diagnostics.error(message, {"see aircc opt-llvm --help"});
    return ExitCode::BadUsage;
  }
  Error error = options.printPasses
                    ? listPasses()
                    : Job(options, installation, diagnostics).run();
  return error ? diagnostics.report(std::move(error)) : ExitCode::Done;
}
