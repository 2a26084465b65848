//===- SimTestSupport.cpp - Making and running code objects in tests ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimTestSupport.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"
#include <map>

LLD_HAS_DRIVER(elf)

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmParser();
void LLVMInitializeAMDGPUAsmPrinter();
}

using namespace aircc::sim;
using namespace aircc::sim::test;

static const llvm::Target &amdgpu() {
  static const llvm::Target *target = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmParser();
    LLVMInitializeAMDGPUAsmPrinter();
    std::string error;
    const llvm::Target *found = llvm::TargetRegistry::lookupTarget(
        llvm::Triple("amdgcn-amd-amdhsa"), error);
    if (!found)
      llvm::report_fatal_error(llvm::StringRef(error));
    return found;
  }();
  return *target;
}

/// Links a relocatable object to a shared object with lld.
static std::string linkObject(llvm::StringRef object) {
  llvm::SmallString<128> in, out;
  if (llvm::sys::fs::createTemporaryFile("simtest", "o", in) ||
      llvm::sys::fs::createTemporaryFile("simtest", "hsaco", out))
    llvm::report_fatal_error("no temporary file");
  {
    std::error_code error;
    llvm::raw_fd_ostream stream(in, error);
    stream << object;
  }
  const char *args[] = {"ld.lld",   "-shared", "--no-undefined",
                        in.c_str(), "-o",      out.c_str()};
  lld::Result result = lld::lldMain(args, llvm::outs(), llvm::errs(),
                                    {{lld::Gnu, &lld::elf::link}});
  if (result.retCode)
    llvm::report_fatal_error("lld failed");
  auto buffer = llvm::MemoryBuffer::getFile(out);
  std::string image = (*buffer)->getBuffer().str();
  if (llvm::sys::fs::remove(in) || llvm::sys::fs::remove(out))
    llvm::report_fatal_error("cannot remove a temporary file");
  return image;
}

std::string aircc::sim::test::assemble(const std::string &chip,
                                       const std::string &text,
                                       const std::string &features) {
  const llvm::Target &target = amdgpu();
  llvm::Triple triple("amdgcn-amd-amdhsa");
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text),
                             llvm::SMLoc());
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers(
      target.createMCRegInfo(triple));
  std::unique_ptr<llvm::MCAsmInfo> asmInfo(
      target.createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<llvm::MCInstrInfo> instrs(target.createMCInstrInfo());
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target.createMCSubtargetInfo(triple, chip, features));
  llvm::MCContext context(triple, asmInfo.get(), registers.get(),
                          subtarget.get(), &sources, &options);
  std::unique_ptr<llvm::MCObjectFileInfo> fileInfo(
      target.createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(fileInfo.get());
  llvm::SmallString<0> object;
  llvm::raw_svector_ostream stream(object);
  std::unique_ptr<llvm::MCAsmBackend> backend(
      target.createMCAsmBackend(*subtarget, *registers, options));
  std::unique_ptr<llvm::MCObjectWriter> writer =
      backend->createObjectWriter(stream);
  std::unique_ptr<llvm::MCCodeEmitter> emitter(
      target.createMCCodeEmitter(*instrs, context));
  std::unique_ptr<llvm::MCStreamer> streamer(target.createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer),
      std::move(emitter), *subtarget));
  std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, context, *streamer, *asmInfo));
  std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
      target.createMCAsmParser(*subtarget, *parser, *instrs, options));
  parser->setTargetParser(*targetParser);
  if (parser->Run(/*NoInitialTextSection=*/false))
    llvm::report_fatal_error("the assembly of a test is wrong");
  return linkObject(object);
}

std::unique_ptr<llvm::Module>
aircc::sim::test::parseIR(const std::string &ir, llvm::LLVMContext &context) {
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(ir, diagnostic, context);
  if (!module) {
    diagnostic.print("test", llvm::errs());
    llvm::report_fatal_error("the IR of a test is wrong");
  }
  return module;
}

/// Compiles a module with LLVM to an object or assembly.
static std::string generate(const std::string &chip, const std::string &ir,
                            unsigned optLevel, const std::string &features,
                            llvm::CodeGenFileType kind) {
  const llvm::Target &target = amdgpu();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parseIR(ir, context);
  llvm::Triple triple("amdgcn-amd-amdhsa");
  // A machine keeps what it has worked out of its registers.
  static std::map<std::string, std::unique_ptr<llvm::TargetMachine>> machines;
  std::unique_ptr<llvm::TargetMachine> &machine =
      machines[chip + features + std::to_string(optLevel)];
  if (!machine)
    machine.reset(target.createTargetMachine(
        triple, chip, features, llvm::TargetOptions(), llvm::Reloc::PIC_,
        std::nullopt, static_cast<llvm::CodeGenOptLevel>(optLevel)));
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, kind))
    llvm::report_fatal_error("no output of this kind");
  passes.run(*module);
  return text.str().str();
}

std::string aircc::sim::test::compile(const std::string &chip,
                                      const std::string &ir, unsigned optLevel,
                                      const std::string &features) {
  return linkObject(generate(chip, ir, optLevel, features,
                             llvm::CodeGenFileType::ObjectFile));
}

std::string aircc::sim::test::compileToText(const std::string &chip,
                                            const std::string &ir,
                                            unsigned optLevel) {
  return generate(chip, ir, optLevel, "", llvm::CodeGenFileType::AssemblyFile);
}

std::string aircc::sim::test::kernelText(const std::string &chip,
                                         const std::string &body,
                                         unsigned pointers,
                                         const KernelOptions &options) {
  bool gfx9 = llvm::StringRef(chip).starts_with("gfx9");
  std::string n;
  llvm::raw_string_ostream s(n);
  s << ".amdgcn_target \"amdgcn-amd-amdhsa--" << chip << "\"\n"
    << ".amdhsa_code_object_version 5\n.text\n.p2align 8\n.globl test\n"
    << ".type test,@function\ntest:\n"
    << body << "\ns_endpgm\n.Lend:\n.size test, .Lend-test\n"
    << ".rodata\n.p2align 6\n.amdhsa_kernel test\n"
    << "  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
    << "  .amdhsa_system_vgpr_workitem_id 0\n"
    << "  .amdhsa_group_segment_fixed_size " << options.ldsBytes << "\n"
    << "  .amdhsa_private_segment_fixed_size " << options.privateBytes << "\n";
  if (options.privateBytes && (!gfx9 || chip != "gfx90a"))
    s << "  .amdhsa_enable_private_segment 1\n";
  if (gfx9)
    s << "  .amdhsa_next_free_vgpr " << options.vgprs + options.agprs << "\n"
      << "  .amdhsa_accum_offset " << options.vgprs << "\n";
  else
    s << "  .amdhsa_next_free_vgpr " << options.vgprs << "\n"
      << "  .amdhsa_wavefront_size32 " << !options.wave64 << "\n";
  s << "  .amdhsa_next_free_sgpr " << options.sgprs << "\n"
    << "  .amdhsa_float_denorm_mode_32 3\n"
    << options.extra << ".end_amdhsa_kernel\n"
    << ".amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels:\n"
    << "  - .name: test\n    .symbol: test.kd\n"
    << "    .kernarg_segment_size: " << 8 * pointers << "\n"
    << "    .group_segment_fixed_size: " << options.ldsBytes << "\n"
    << "    .private_segment_fixed_size: " << options.privateBytes << "\n"
    << "    .kernarg_segment_align: 8\n    .wavefront_size: "
    << (gfx9 || options.wave64 ? 64 : 32) << "\n"
    << "    .sgpr_count: " << options.sgprs << "\n    .vgpr_count: 256\n"
    << "    .max_flat_workgroup_size: 1024\n    .args:\n";
  for (unsigned i = 0; i < pointers; ++i)
    s << "      - .size: 8\n        .offset: " << 8 * i
      << "\n        .value_kind: global_buffer\n"
      << "        .address_space: global\n";
  s << "...\n.end_amdgpu_metadata\n";
  return n;
}

LoadedKernels::LoadedKernels(SimDevice &device, const std::string &image)
    : device(device) {
  rt::Status status = device.loadModule(image.data(), image.size(), module);
  if (!status.ok())
    error = status.message();
}

LoadedKernels::~LoadedKernels() {
  if (error.empty() && !device.unloadModule(module).ok())
    llvm::report_fatal_error("a code object cannot be unloaded");
}

std::string LoadedKernels::run(const std::string &kernel,
                               std::vector<void *> pointers, rt::Dim3 grid,
                               rt::Dim3 block, uint32_t dynamicLds) {
  if (!error.empty())
    return error;
  rt::FunctionHandle function;
  rt::Status status = device.getFunction(module, kernel.c_str(), function);
  if (!status.ok())
    return status.message();
  std::vector<void *> params;
  for (void *&pointer : pointers)
    params.push_back(&pointer);
  status = device.launch(function, grid, block, dynamicLds, nullptr,
                         params.data(), params.size());
  return status.ok() ? "" : status.message();
}

std::string aircc::sim::test::run(SimDevice &device, const std::string &image,
                                  std::vector<void *> pointers, rt::Dim3 grid,
                                  rt::Dim3 block, uint32_t dynamicLds) {
  return LoadedKernels(device, image)
      .run("test", std::move(pointers), grid, block, dynamicLds);
}

std::vector<std::vector<uint32_t>>
LaneTest::run(const std::string &body,
              const std::vector<std::vector<uint32_t>> &inputs) {
  bool gfx12 = llvm::StringRef(chip).starts_with("gfx12");
  bool gfx9 = llvm::StringRef(chip).starts_with("gfx9");
  std::string load = gfx9 ? "global_load_dword" : "global_load_b32";
  std::string store = gfx9 ? "global_store_dword" : "global_store_b32";
  std::string wait = gfx12 ? "s_wait_loadcnt 0x0\ns_wait_kmcnt 0x0\n"
                           : "s_waitcnt vmcnt(0) lgkmcnt(0)\n";
  std::string text;
  llvm::raw_string_ostream s(text);
  s << (gfx9 ? "s_load_dwordx4" : "s_load_b128") << " s[4:7], s[0:1], 0x0\n"
    << wait << "v_and_b32 v0, 0x3ff, v0\nv_lshlrev_b32 v1, 2, v0\n";
  for (size_t i = 0; i < inputs.size(); ++i)
    s << load << " v" << first + i << ", v1, s[4:5] offset:" << 0 << "\n"
      << "v_add_u32_e32 v1, " << 4 * lanes << ", v1\n";
  if (!gfx9) {
    // gfx11 and gfx12 call the addition by another name.
    size_t at;
    while ((at = text.find("v_add_u32_e32")) != std::string::npos)
      text.replace(at, 13, "v_add_nc_u32_e32");
  }
  s << wait << body << "\nv_lshlrev_b32 v1, 2, v0\n";
  for (unsigned i = 0; i < count; ++i)
    s << store << " v1, v" << out + i << ", s[6:7]\n"
      << (gfx9 ? "v_add_u32_e32" : "v_add_nc_u32_e32") << " v1, " << 4 * lanes
      << ", v1\n";

  SimDevice device;
  std::vector<uint32_t> flat;
  for (const auto &input : inputs)
    flat.insert(flat.end(), input.begin(), input.end());
  if (flat.empty())
    flat.push_back(0);
  uint32_t *in = onDevice(device, flat);
  uint32_t *result =
      onDevice(device, std::vector<uint32_t>(count * lanes, 0xdeadbeef));
  error = test::run(device,
                    assemble(chip, kernelText(chip, text, 2, options),
                             options.wave64 ? "+wavefrontsize64" : ""),
                    {in, result}, {1, 1, 1}, {lanes, 1, 1});
  std::vector<std::vector<uint32_t>> values(count);
  for (unsigned i = 0; i < count; ++i)
    values[i].assign(result + i * lanes, result + (i + 1) * lanes);
  return values;
}
