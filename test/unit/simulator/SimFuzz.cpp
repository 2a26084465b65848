//===- SimFuzz.cpp - Random kernels on the simulator and the host ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimFuzz.h"

#include "test/unit/simulator/SimKernelDefects.h"
#include "test/unit/simulator/SimTestSupport.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

using namespace aircc::sim;
using namespace aircc::sim::test;
using Layout = KernelLayout;

namespace {

constexpr unsigned kStatements = 32;
constexpr unsigned kOutStride = Layout::kOutBytes + 3 * Layout::kArena;

/// Converts f32 to bf16, to nearest even, under the name that compilers call;
/// the result is returned in the register of an f16.
uint16_t narrowBits(float v) {
  uint32_t bits = llvm::bit_cast<uint32_t>(v);
  if (v != v)
    return bits >> 16 | 0x40;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
_Float16 truncateFloat(float v) {
  return llvm::bit_cast<_Float16>(narrowBits(v));
}

/// Random bits, or a special value.
std::vector<uint8_t> inputsOf(uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes(Layout::kLanes * Layout::kInBytes);
  const double edges[] = {0,    -0.0, 1,      -1,     0.5,   2,    3,
                          1e-3, 1e10, -65504, 1e-300, 1e300, 7.25, 1e-40};
  enum { kHalf = 4, kFloat, kDouble, kBFloat };
  for (unsigned lane = 0; lane < Layout::kLanes; ++lane)
    for (unsigned t = 0; t < Layout::kTypes; ++t)
      for (unsigned i = 0; i < Layout::kInputs; ++i) {
        uint8_t *at =
            &bytes[lane * Layout::kInBytes + (t * Layout::kInputs + i) * 8];
        uint64_t bits = random() | uint64_t(random()) << 32;
        if (random() % 3 == 0)
          bits = static_cast<int64_t>(static_cast<int>(random() % 9) - 4);
        double edge = edges[random() % std::size(edges)];
        if (random() % 2) {
          float narrow = static_cast<float>(edge);
          _Float16 half = static_cast<_Float16>(edge);
          if (t == kDouble)
            std::memcpy(&bits, &edge, 8);
          if (t == kFloat)
            std::memcpy(&bits, &narrow, 4);
          if (t == kHalf)
            std::memcpy(&bits, &half, 2);
          if (t == kBFloat)
            bits = narrowBits(narrow);
        }
        std::memcpy(at, &bits, 8);
      }
  return bytes;
}

/// The lane from which lane `lane` of a row of 16 reads by DPP (RDNA3 ISA
/// guide, "DPP_CTRL";
int dppLane(unsigned control, int lane, int lanes) {
  int row = lane & ~15, in = lane & 15, n = control & 15;
  if (control < 0x100)
    return (lane & ~3) | (control >> (2 * (lane & 3)) & 3);
  switch (control & ~15u) {
  case 0x100: // row_shl
    return in + n > 15 ? -1 : lane + n;
  case 0x110: // row_shr
    return in < n ? -1 : lane - n;
  case 0x120: // row_ror
    return row | ((in + 16 - n) % 16);
  case 0x150: // row_share
    return row | n;
  case 0x160: // row_xmask
    return row | (in ^ n);
  }
  switch (control) {
  case 0x130: // wave_shl:1
    return lane + 1 == lanes ? -1 : lane + 1;
  case 0x134: // wave_rol:1
    return (lane + 1) % lanes;
  case 0x138: // wave_shr:1
    return lane - 1;
  case 0x13c: // wave_ror:1
    return (lane + lanes - 1) % lanes;
  case 0x140: // row_mirror
    return row | (15 - in);
  case 0x141: // row_half_mirror
    return (lane & ~7) | (7 - (lane & 7));
  case 0x142: // row_bcast:15
    return row ? row - 1 : -1;
  default: // row_bcast:31
    return lane < 32 ? -1 : 31;
  }
}

/// The value that lane `lane` of a wave receives. `x` and `y` are the operands
/// of its lanes; only the lanes that execute the op ("here") provide them.
uint64_t exchanged(const KernelTarget &target, const Exchange &e,
                   const uint32_t *x, const uint32_t *y, uint64_t here,
                   int lane, int lanes) {
  // LDS permutes give zero for inactive lanes.
  auto given = [&](unsigned from) { return here >> from & 1 ? x[from] : 0; };
  switch (e.kind) {
  case Exchange::ReadFirstLane:
    return x[llvm::countr_zero(here)];
  case Exchange::ReadLane:
    return x[e.parameter];
  case Exchange::Permute: {
    unsigned from = y[lane] / 4;
    // gfx10 and gfx11 permute within 32 lanes.
    return given(target.generation == 11 ? (lane & 32) | (from & 31)
                                         : from % lanes);
  }
  case Exchange::Swizzle: {
    unsigned p = e.parameter;
    if (p & 0x8000)
      return given((lane & ~3) | (p >> (2 * (lane & 3)) & 3));
    unsigned in = lane & 31;
    return given((lane & 32) |
                 (((in & (p & 31)) | (p >> 5 & 31)) ^ (p >> 10 & 31)));
  }
  case Exchange::Dpp: {
    int from = dppLane(e.parameter, lane, lanes);
    if (!(e.rowMask >> (lane / 16) & 1) || !(e.bankMask >> (lane / 4 % 4) & 1))
      return y[lane];
    if (from >= 0 && (here >> from & 1))
      return x[from];
    return e.bound ? 0 : y[lane];
  }
  case Exchange::Ballot: {
    uint64_t bits = 0;
    for (int i = 0; i < lanes; ++i)
      bits |= uint64_t(given(i) & 1) << i;
    return bits;
  }
  case Exchange::MaskedCount: {
    // The low half of the mask is for lanes below 32, the high half for the
    // others.
    uint32_t below = lane < 32 ? (uint32_t(1) << lane) - 1 : 0xffffffff;
    uint32_t above = lane < 32 ? 0 : (uint32_t(1) << (lane - 32)) - 1;
    return 5 + llvm::popcount(x[lane] & below) +
           llvm::popcount(x[lane] & above);
  }
  case Exchange::Permlane16:
  case Exchange::PermlaneX16: {
    unsigned from = e.parameter >> (4 * (lane & 15)) & 15;
    unsigned row = lane & ~15;
    from |= e.kind == Exchange::PermlaneX16 ? row ^ 16 : row;
    return here >> from & 1 ? x[from] : y[lane];
  }
  }
  return 0;
}

} // namespace

/// The host's compiler, and the most recently compiled kernels.
struct KernelFuzzer::Host {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  llvm::orc::JITDylib *library = nullptr;
  using Function = void (*)(const void *, void *, void *);
  std::vector<Function> functions;
  unsigned number = 0;

  Host() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto machine =
        llvm::cantFail(llvm::orc::JITTargetMachineBuilder::detectHost());
    for (const char *feature : defects::kHostFeaturesOff)
      machine.addFeatures({feature});
    machine.setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
    jit = llvm::cantFail(llvm::orc::LLJITBuilder()
                             .setJITTargetMachineBuilder(std::move(machine))
                             .create());
  }

  void compile(const std::string &ir, unsigned count) {
    if (library)
      llvm::cantFail(jit->getExecutionSession().removeJITDylib(*library));
    library =
        &llvm::cantFail(jit->createJITDylib("k" + std::to_string(number++)));
    llvm::orc::SymbolMap own;
    own[jit->mangleAndIntern("__truncsfbf2")] = {
        llvm::orc::ExecutorAddr::fromPtr(&truncateFloat),
        llvm::JITSymbolFlags::Exported};
    llvm::cantFail(library->define(llvm::orc::absoluteSymbols(std::move(own))));
    library->addGenerator(llvm::cantFail(
        llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
            jit->getDataLayout().getGlobalPrefix())));
    auto context = std::make_unique<llvm::LLVMContext>();
    std::unique_ptr<llvm::Module> module = parseIR(ir, *context);
    module->setDataLayout(jit->getDataLayout());
    llvm::cantFail(jit->addIRModule(
        *library,
        llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
    functions.clear();
    for (unsigned n = 0; n < count; ++n)
      functions.push_back(
          llvm::cantFail(jit->lookup(*library, "host" + std::to_string(n)))
              .toPtr<Function>());
  }
};

KernelTarget aircc::sim::test::parseKernelTarget(const std::string &name) {
  KernelTarget target;
  auto [chip, wave] = llvm::StringRef(name).split(':');
  target.chip = chip.str();
  target.generation = chip.starts_with("gfx11")   ? 11
                      : chip.starts_with("gfx12") ? 12
                                                  : 9;
  target.wave32 = target.generation > 9 && wave != "wave64";
  return target;
}

KernelFuzzer::KernelFuzzer(std::vector<KernelTarget> targets)
    : targets(std::move(targets)), host(std::make_unique<Host>()) {}
KernelFuzzer::~KernelFuzzer() = default;

std::vector<uint8_t>
KernelFuzzer::onHost(const KernelTarget &target, unsigned kernel,
                     const std::vector<Exchange> &exchanges,
                     const std::vector<uint8_t> &in) {
  const unsigned exchangeBytes = Layout::kExchangeBytes * Layout::kMaxExchanges;
  std::vector<uint8_t> out(Layout::kLanes * kOutStride);
  std::vector<uint8_t> table(Layout::kLanes * exchangeBytes, 0);
  const unsigned lanes = target.wave32 ? 32 : 64;
  for (size_t round = 0; round <= exchanges.size(); ++round) {
    std::fill(out.begin(), out.end(), 0);
    for (unsigned lane = 0; lane < Layout::kLanes; ++lane) {
      uint8_t *own = &table[lane * exchangeBytes];
      for (unsigned e = 0; e < Layout::kMaxExchanges; ++e)
        std::memset(own + e * Layout::kExchangeBytes, 0, Layout::kGot);
      host->functions[kernel](&in[lane * Layout::kInBytes],
                              &out[lane * kOutStride], own);
    }
    // The inputs of one more exchange are correct in each round.
    if (round == exchanges.size())
      break;
    size_t at = round * Layout::kExchangeBytes;
    for (unsigned wave = 0; wave < Layout::kLanes; wave += lanes) {
      uint32_t x[64], y[64];
      uint64_t here = 0;
      for (unsigned i = 0; i < lanes; ++i) {
        const uint8_t *own = &table[(wave + i) * exchangeBytes + at];
        std::memcpy(&x[i], own, 4);
        std::memcpy(&y[i], own + Layout::kSecond, 4);
        here |= uint64_t(own[Layout::kHere]) << i;
      }
      for (unsigned i = 0; i < lanes; ++i) {
        if (!(here >> i & 1))
          continue;
        uint64_t got =
            exchanged(target, exchanges[round], x, y, here, i, lanes);
        std::memcpy(&table[(wave + i) * exchangeBytes + at + Layout::kGot],
                    &got, 8);
      }
    }
  }
  return out;
}

/// Describes the differences between two runs of a workgroup.
static std::string difference(const uint8_t *got, const uint8_t *want) {
  for (unsigned lane = 0; lane < Layout::kLanes; ++lane)
    for (unsigned at = 0; at < kOutStride; at += 8) {
      uint64_t a, b;
      std::memcpy(&a, got + lane * kOutStride + at, 8);
      std::memcpy(&b, want + lane * kOutStride + at, 8);
      unsigned slot = at / 8, type = slot / Layout::kOutputs;
      bool output = type < Layout::kTypes;
      if (a == b || (output && isNanOf(type, a) && isNanOf(type, b)))
        continue;
      std::string where =
          output
              ? std::string(outputType(type)) + " output " +
                    std::to_string(slot % Layout::kOutputs)
              : "byte " + std::to_string(at - Layout::kOutBytes) + " of memory";
      return where + ", lane " + std::to_string(lane) + ": 0x" +
             llvm::utohexstr(a) + " instead of 0x" + llvm::utohexstr(b);
    }
  return "";
}

/// Every second module is compiled without optimization: that exercises other
/// code and takes half the time. The backend generates nearly the same code at
/// level 2 as at level 3.
static unsigned optLevelOf(uint32_t seed) {
  const unsigned levels[] = {0, 1, 0, 3};
  return levels[seed / kKernelsPerModule % 4];
}

/// Calls `make` in another process and returns its result; "" if the process
/// crashes.
static std::string inChild(llvm::function_ref<std::string()> make) {
  int ends[2];
  if (pipe(ends) != 0)
    llvm::report_fatal_error("no pipe for the compiler");
  const pid_t child = fork();
  if (child < 0)
    llvm::report_fatal_error("no process for the compiler");
  if (child == 0) {
    close(ends[0]);
    {
      llvm::raw_fd_ostream(ends[1], /*shouldClose=*/true) << make();
    }
    _exit(0);
  }
  close(ends[1]);
  std::string result;
  char part[65536];
  for (ssize_t count; (count = read(ends[0], part, sizeof(part))) > 0;)
    result.append(part, count);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status ? "" : result;
}

std::string KernelFuzzer::compile(uint32_t seed, size_t number,
                                  const GeneratedKernels &kernels) const {
  const KernelTarget &target = targets[number];
  std::string features;
  if (target.generation > 9)
    features = target.wave32 ? "+wavefrontsize32" : "+wavefrontsize64";
  // One module in four uses 16-bit registers, if the chip has them.
  if (target.generation == 11 &&
      (seed / kKernelsPerModule % 16 >= 4 ||
       !defects::canUseTrue16(optLevelOf(seed), kernels.device)))
    features += ",-real-true16";
  return inChild([&] {
    return test::compile(target.chip, kernels.device, optLevelOf(seed),
                         features);
  });
}

std::vector<std::string>
KernelFuzzer::onDevice(size_t number, uint32_t seed,
                       const GeneratedKernels &kernels) {
  const KernelTarget &target = targets[number];
  const std::string image = compile(seed, number, kernels);
  if (image.empty())
    return std::vector<std::string>(kernels.exchanges.size(), kNotCompiled);
  SimDevice sim;
  LoadedKernels loaded(sim, image);
  std::vector<std::string> differences;
  for (unsigned n = 0; n < kernels.exchanges.size(); ++n) {
    const std::vector<uint8_t> in = inputsOf(seed + n);
    uint8_t *deviceIn = test::onDevice(sim, in);
    uint8_t *deviceOut = test::onDevice(
        sim, std::vector<uint8_t>(Layout::kLanes * kOutStride, 0));
    std::string what =
        loaded.run("test" + std::to_string(n), {deviceIn, deviceOut}, {1, 1, 1},
                   {Layout::kLanes, 1, 1});
    if (what.empty())
      what = difference(deviceOut,
                        onHost(target, n, kernels.exchanges[n], in).data());
    if (!what.empty())
      what += " (-O" + std::to_string(optLevelOf(seed)) + ")";
    differences.push_back(what);
  }
  return differences;
}

std::vector<std::vector<std::string>> KernelFuzzer::run(uint32_t seed,
                                                        unsigned count) {
  std::vector<std::vector<std::string>> differences;
  for (size_t i = 0; i < targets.size(); ++i) {
    GeneratedKernels kernels =
        generateKernels(targets[i], seed, count, kStatements);
    if (!i)
      host->compile(kernels.host, count);
    differences.push_back(onDevice(i, seed, kernels));
    if (count == 1 || differences.back().front() != kNotCompiled)
      continue;
    // The other kernels of the module may compile.
    for (unsigned n = 0; n < count; ++n)
      differences.back()[n] = runOne(seed + n, i, {});
    host->compile(kernels.host, count);
  }
  return differences;
}

std::string KernelFuzzer::runOne(uint32_t seed, size_t target,
                                 const std::set<unsigned> &without,
                                 GeneratedKernels *keep) {
  GeneratedKernels kernel =
      generateKernels(targets[target], seed, 1, kStatements, without);
  if (keep)
    *keep = kernel;
  host->compile(kernel.host, 1);
  return onDevice(target, seed, kernel).front();
}

GeneratedKernels KernelFuzzer::reduce(uint32_t seed, size_t target,
                                      std::string &what) {
  std::set<unsigned> without;
  for (bool progress = true; progress;) {
    progress = false;
    // Removes large pieces first.
    for (unsigned size = kStatements / 2; size; size /= 2)
      for (unsigned first = 0; first < kStatements; first += size) {
        std::set<unsigned> fewer = without;
        for (unsigned i = first; i < first + size; ++i)
          fewer.insert(i);
        if (fewer.size() == without.size())
          continue;
        const std::string difference = runOne(seed, target, fewer);
        if (difference.empty() || difference == kNotCompiled)
          continue;
        without = fewer;
        progress = true;
      }
  }
  GeneratedKernels kernel;
  what = runOne(seed, target, without, &kernel);
  return kernel;
}
