//===- SimFuzz.cpp - Random kernels on the simulator and the host ---------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/SimFuzz.h"

#include "test/unit/SimTestSupport.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/TargetSelect.h"

#include <cstring>
#include <random>

using namespace aircc::sim;
using namespace aircc::sim::test;
using Layout = KernelLayout;

namespace {

constexpr unsigned kStatements = 48;
constexpr unsigned kOutStride = Layout::kOutBytes + 3 * Layout::kArena;

/// f32 to bfloat, to nearest even, as compilers call it; a bfloat is returned
/// where an f16 would be.
uint16_t narrowBits(float v) {
  uint32_t bits = llvm::bit_cast<uint32_t>(v);
  if (v != v)
    return bits >> 16 | 0x40;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
_Float16 truncateFloat(float v) {
  return llvm::bit_cast<_Float16>(narrowBits(v));
}

/// Random bits, or a value at which something happens.
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

/// Where lane `lane` of a row of 16 reads by DPP (RDNA3 ISA guide, "DPP_CTRL";
/// CDNA3 for the wave's shifts), -1: nowhere.
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

/// What lane `lane` of a wave gets. `x` and `y` are what its lanes give.
uint64_t exchanged(const KernelTarget &target, const Exchange &e,
                   const uint32_t *x, const uint32_t *y, int lane, int lanes) {
  switch (e.kind) {
  case Exchange::ReadFirstLane:
    return x[0];
  case Exchange::ReadLane:
    return x[e.parameter];
  case Exchange::Permute: {
    unsigned from = y[lane] / 4;
    // Within 32 lanes on gfx10 and gfx11.
    return target.generation == 11 ? x[(lane & 32) | (from & 31)]
                                   : x[from % lanes];
  }
  case Exchange::Swizzle: {
    unsigned p = e.parameter;
    if (p & 0x8000)
      return x[(lane & ~3) | (p >> (2 * (lane & 3)) & 3)];
    unsigned in = lane & 31;
    return x[(lane & 32) |
             (((in & (p & 31)) | (p >> 5 & 31)) ^ (p >> 10 & 31))];
  }
  case Exchange::Dpp: {
    int from = dppLane(e.parameter, lane, lanes);
    if (!(e.rowMask >> (lane / 16) & 1) || !(e.bankMask >> (lane / 4 % 4) & 1))
      return y[lane];
    if (from >= 0)
      return x[from];
    return e.bound ? 0 : y[lane];
  }
  case Exchange::Ballot: {
    uint64_t bits = 0;
    for (int i = 0; i < lanes; ++i)
      bits |= uint64_t(x[i] & 1) << i;
    return bits;
  }
  case Exchange::MaskedCount: {
    // The low half counts for lanes below 32, the high half for those above.
    uint32_t below = lane < 32 ? (uint32_t(1) << lane) - 1 : 0xffffffff;
    uint32_t above = lane < 32 ? 0 : (uint32_t(1) << (lane - 32)) - 1;
    return 5 + llvm::popcount(x[lane] & below) +
           llvm::popcount(x[lane] & above);
  }
  case Exchange::Permlane16:
  case Exchange::PermlaneX16: {
    unsigned from = e.parameter >> (4 * (lane & 15)) & 15;
    unsigned row = lane & ~15;
    return x[(e.kind == Exchange::PermlaneX16 ? row ^ 16 : row) | from];
  }
  }
  return 0;
}

} // namespace

/// The host's compiler, once.
struct KernelFuzzer::Host {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  unsigned number = 0;

  Host() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto machine =
        llvm::cantFail(llvm::orc::JITTargetMachineBuilder::detectHost());
    // x86's own conversions to bfloat flush denormals.
    machine.addFeatures({"-avx512bf16", "-avxneconvert", "-avx10.2-512"});
    machine.setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
    jit = llvm::cantFail(llvm::orc::LLJITBuilder()
                             .setJITTargetMachineBuilder(std::move(machine))
                             .create());
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

KernelFuzzer::KernelFuzzer(const KernelTarget &target)
    : target(target), host(std::make_unique<Host>()) {}
KernelFuzzer::~KernelFuzzer() = default;

std::string KernelFuzzer::runOne(uint32_t seed,
                                 const std::set<unsigned> &without,
                                 GeneratedKernel *keep) {
  GeneratedKernel kernel = generateKernel(target, seed, kStatements, without);
  if (keep)
    *keep = kernel;
  std::vector<uint8_t> in = inputsOf(seed);

  SimDevice sim;
  uint8_t *deviceIn = onDevice(sim, in);
  uint8_t *deviceOut =
      onDevice(sim, std::vector<uint8_t>(Layout::kLanes * kOutStride, 0));
  std::string features;
  if (target.generation > 9)
    features = target.wave32 ? "+wavefrontsize32" : "+wavefrontsize64";
  // LLVM 22.1 without optimisation copies half of a register before the v_perm
  // of a byte swap, where 16-bit registers are in use.
  unsigned optLevel = std::max(seed % 4, target.generation == 11 ? 1u : 0u);
  std::string error =
      test::run(sim, compile(target.chip, kernel.device, optLevel, features),
                {deviceIn, deviceOut}, {1, 1, 1}, {Layout::kLanes, 1, 1});
  if (!error.empty())
    return error;

  // On the host.
  std::string name = "k" + std::to_string(host->number++);
  llvm::orc::JITDylib &library =
      llvm::cantFail(host->jit->createJITDylib(name));
  llvm::orc::SymbolMap own;
  own[host->jit->mangleAndIntern("__truncsfbf2")] = {
      llvm::orc::ExecutorAddr::fromPtr(&truncateFloat),
      llvm::JITSymbolFlags::Exported};
  llvm::cantFail(library.define(llvm::orc::absoluteSymbols(std::move(own))));
  library.addGenerator(llvm::cantFail(
      llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
          host->jit->getDataLayout().getGlobalPrefix())));
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module = parseIR(kernel.host, *context);
  module->setDataLayout(host->jit->getDataLayout());
  llvm::cantFail(host->jit->addIRModule(
      library,
      llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
  auto *function = llvm::cantFail(host->jit->lookup(library, "host"))
                       .toPtr<void (*)(const void *, void *, void *)>();
  const unsigned exchangeBytes = Layout::kExchangeBytes * Layout::kMaxExchanges;
  std::vector<uint8_t> out(Layout::kLanes * kOutStride);
  std::vector<uint8_t> table(Layout::kLanes * exchangeBytes, 0);
  const unsigned lanes = target.wave32 ? 32 : 64;
  for (size_t round = 0; round <= kernel.exchanges.size(); ++round) {
    std::fill(out.begin(), out.end(), 0);
    for (unsigned lane = 0; lane < Layout::kLanes; ++lane)
      function(&in[lane * Layout::kInBytes], &out[lane * kOutStride],
               &table[lane * exchangeBytes]);
    // One more exchange has its true inputs now.
    if (round == kernel.exchanges.size())
      break;
    size_t at = round * Layout::kExchangeBytes;
    for (unsigned wave = 0; wave < Layout::kLanes; wave += lanes) {
      uint32_t x[64], y[64];
      for (unsigned i = 0; i < lanes; ++i) {
        std::memcpy(&x[i], &table[(wave + i) * exchangeBytes + at], 4);
        std::memcpy(&y[i], &table[(wave + i) * exchangeBytes + at + 8], 4);
      }
      for (unsigned i = 0; i < lanes; ++i) {
        uint64_t got =
            exchanged(target, kernel.exchanges[round], x, y, i, lanes);
        std::memcpy(&table[(wave + i) * exchangeBytes + at + 16], &got, 8);
      }
    }
  }
  llvm::cantFail(host->jit->getExecutionSession().removeJITDylib(library));

  for (unsigned lane = 0; lane < Layout::kLanes; ++lane)
    for (unsigned at = 0; at < kOutStride; at += 8) {
      uint64_t got, want;
      std::memcpy(&got, deviceOut + lane * kOutStride + at, 8);
      std::memcpy(&want, &out[lane * kOutStride + at], 8);
      unsigned slot = at / 8, type = slot / Layout::kOutputs;
      bool output = type < Layout::kTypes;
      if (got == want || (output && isNanOf(type, got) && isNanOf(type, want)))
        continue;
      std::string where =
          output
              ? std::string(outputType(type)) + " output " +
                    std::to_string(slot % Layout::kOutputs)
              : "byte " + std::to_string(at - Layout::kOutBytes) + " of memory";
      return where + ", lane " + std::to_string(lane) + ": 0x" +
             llvm::utohexstr(got) + " instead of 0x" + llvm::utohexstr(want) +
             " (-O" + std::to_string(optLevel) + ")";
    }
  return "";
}

std::string KernelFuzzer::run(uint32_t seed) { return runOne(seed, {}); }

GeneratedKernel KernelFuzzer::reduce(uint32_t seed, std::string &what) {
  std::set<unsigned> without;
  for (bool progress = true; progress;) {
    progress = false;
    // Large pieces first.
    for (unsigned size = kStatements / 2; size; size /= 2)
      for (unsigned first = 0; first < kStatements; first += size) {
        std::set<unsigned> fewer = without;
        for (unsigned i = first; i < first + size; ++i)
          fewer.insert(i);
        if (fewer.size() == without.size() || runOne(seed, fewer).empty())
          continue;
        without = fewer;
        progress = true;
      }
  }
  GeneratedKernel kernel;
  what = runOne(seed, without, &kernel);
  return kernel;
}
