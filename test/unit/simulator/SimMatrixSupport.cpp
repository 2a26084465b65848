//===- SimMatrixSupport.cpp - A second view of matrix instructions --------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimMatrixSupport.h"

#include "test/unit/simulator/SimChips.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>
#include <regex>
#include <set>
#include <stdexcept>

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmParser();
}

using namespace aircc::simtest;
using enum aircc::sim::MatrixType;

static aircc::sim::Generation generationOf(MatrixIsa isa) {
  using aircc::sim::Generation;
  if (isa.major == 9)
    return isa.minor == 0   ? Generation::Gfx90a
           : isa.minor == 4 ? Generation::Gfx940
                            : Generation::Gfx950;
  return isa.major == 11 ? Generation::Gfx11 : Generation::Gfx12;
}

const aircc::sim::MatrixOp *
aircc::simtest::findMatrixOp(std::string_view mnemonic, MatrixIsa isa,
                             unsigned waveSize) {
  for (unsigned i = 0; i < sim::matrixOpCount(); ++i) {
    const sim::MatrixOp *op = sim::findMatrixOp(i, generationOf(isa), waveSize);
    if (op && op->mnemonic == mnemonic)
      return op;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// What LLVM knows
//===----------------------------------------------------------------------===//

namespace {
/// LLVM's assembler for one chip.
struct Assembler {
  llvm::Triple triple{"amdgcn-amd-amdhsa"};
  const llvm::Target *target;
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> asmInfo;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;

  explicit Assembler(const Chip &chip) {
    static const bool initialized = [] {
      LLVMInitializeAMDGPUTargetInfo();
      LLVMInitializeAMDGPUTargetMC();
      LLVMInitializeAMDGPUAsmParser();
      return true;
    }();
    (void)initialized;
    std::string error;
    target = llvm::TargetRegistry::lookupTarget(triple, error);
    registers.reset(target->createMCRegInfo(triple));
    asmInfo.reset(target->createMCAsmInfo(*registers, triple, options));
    instructions.reset(target->createMCInstrInfo());
    const char *features = chip.isa.major == 9 ? ""
                           : chip.waveSize == 64
                               ? "+wavefrontsize64,-wavefrontsize32"
                               : "+wavefrontsize32,-wavefrontsize64";
    subtarget.reset(target->createMCSubtargetInfo(triple, chip.name, features));
  }

  /// Assembles a text; the diagnostics, one a line.
  std::vector<std::string> assemble(const std::string &text) {
    llvm::SourceMgr sources;
    std::vector<std::string> messages;
    sources.setDiagHandler(
        [](const llvm::SMDiagnostic &d, void *to) {
          auto &list = *static_cast<std::vector<std::string> *>(to);
          list.push_back(std::to_string(d.getLineNo()) + ": " +
                         d.getMessage().str());
        },
        &messages);
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text),
                               llvm::SMLoc());
    llvm::MCContext context(triple, asmInfo.get(), registers.get(),
                            subtarget.get(), &sources);
    std::unique_ptr<llvm::MCObjectFileInfo> sections(
        target->createMCObjectFileInfo(context, /*PIC=*/true));
    context.setObjectFileInfo(sections.get());
    std::unique_ptr<llvm::MCStreamer> streamer(
        llvm::createNullStreamer(context));
    std::unique_ptr<llvm::MCAsmParser> parser(
        llvm::createMCAsmParser(sources, context, *streamer, *asmInfo));
    std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
        target->createMCAsmParser(*subtarget, *parser, *instructions, options));
    parser->setTargetParser(*targetParser);
    parser->Run(/*NoInitialTextSection=*/false, /*NoFinalize=*/true);
    return messages;
  }
};
} // namespace

/// The last two digits, hexadecimal ones, are the minor version and the
/// stepping.
static MatrixIsa isaOf(llvm::StringRef processor) {
  auto digits = [](llvm::StringRef text, unsigned base) {
    unsigned value = 0;
    text.getAsInteger(base, value);
    return value;
  };
  const llvm::StringRef number = processor.drop_front(3);
  return {digits(number.drop_back(2), 10),
          digits(number.take_back(2).take_front(), 16),
          digits(number.take_back(), 16)};
}

const std::vector<Chip> &aircc::simtest::allChips() {
  static const std::vector<Chip> chips = [] {
    std::vector<Chip> all;
    for (const sim::test::WaveConfiguration &c : sim::test::kWaveConfigurations)
      all.push_back({c.chip, isaOf(c.chip), c.lanes()});
    return all;
  }();
  return chips;
}

std::vector<std::string> aircc::simtest::matrixMnemonics(const Chip &chip) {
  Assembler assembler(chip);
  std::unique_ptr<llvm::MCInstPrinter> printer(
      assembler.target->createMCInstPrinter(
          assembler.triple, 0, *assembler.asmInfo, *assembler.instructions,
          *assembler.registers));
  // Only names that the chip's disassembler prints: for gfx942, the assembler
  // also accepts some names of gfx90a.
  llvm::SmallVector<llvm::StringRef, 2> encodings;
  if (chip.isa.major == 9 && chip.isa.minor == 0)
    encodings = {"_gfx90a"};
  else if (chip.isa.major == 9)
    encodings = {"_gfx940", "_gfx950"};
  else
    encodings = {chip.isa.major == 11 ? "_gfx11" : "_gfx12"};
  std::set<std::string> names;
  for (unsigned op = 0; op < assembler.instructions->getNumOpcodes(); ++op) {
    llvm::StringRef name = assembler.instructions->getName(op);
    if (!name.starts_with("V_MFMA_") && !name.starts_with("V_SMFMAC_") &&
        !name.starts_with("V_WMMA_") && !name.starts_with("V_SWMMAC_"))
      continue;
    if (llvm::none_of(encodings,
                      [&](llvm::StringRef e) { return name.contains(e); }))
      continue;
    llvm::MCInst inst;
    inst.setOpcode(op);
    if (const char *mnemonic = printer->getMnemonic(inst).first)
      names.insert(llvm::StringRef(mnemonic).trim().str());
  }
  // A name without operands is an error on every chip, but a particular one
  // where the instruction does not exist.
  std::vector<std::string> list;
  std::string text;
  for (const std::string &name : names) {
    list.push_back(name);
    text += name + "\n";
  }
  std::vector<bool> known(list.size(), false);
  for (const std::string &message : assembler.assemble(text)) {
    unsigned line = std::stoul(message);
    if (message.find("not supported on this GPU") == std::string::npos &&
        message.find("invalid instruction") == std::string::npos)
      known.at(line - 1) = true;
  }
  std::vector<std::string> result;
  for (size_t n = 0; n < list.size(); ++n)
    if (known[n])
      result.push_back(list[n]);
  return result;
}

bool aircc::simtest::assembles(const Chip &chip, const std::string &line) {
  return Assembler(chip).assemble(line + "\n").empty();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static MatrixType parseType(const Chip &chip, const std::string &name) {
  bool fnuz = chip.isa.major == 9 && chip.isa.minor == 4;
  if (name == "f64")
    return F64;
  if (name == "f32")
    return F32;
  if (name == "xf32")
    return XF32;
  if (name == "f16")
    return F16;
  if (name == "bf16")
    return BF16;
  if (name == "i32")
    return I32;
  if (name == "i8")
    return I8;
  if (name == "iu8")
    return IU8;
  if (name == "iu4")
    return IU4;
  if (name == "fp8")
    return fnuz ? FP8FNUZ : FP8;
  if (name == "bf8")
    return fnuz ? BF8FNUZ : BF8;
  if (name == "f8f6f4")
    return F8F6F4;
  throw std::runtime_error("no type: " + name);
}

Shape aircc::simtest::describe(const Chip &chip, const std::string &mnemonic) {
  static const std::regex pattern(
      "v_(mfma|smfmac|wmma|swmmac)_(scale_)?([a-z0-9]+)_([0-9]+)x([0-9]+)x"
      "([0-9]+)_?(?:([0-9]+)b_)?([a-z0-9]+?)(?:_([a-z0-9]+))?");
  // The names of gfx90a have the type directly after k.
  static const std::regex old("(v_mfma_[a-z0-9]+_[0-9]+x[0-9]+x[0-9]+)"
                              "(xf32|bf16|f16|f32|f64|i8)(_1k)?");
  std::string name = mnemonic;
  std::smatch match;
  unsigned blocks = 1;
  if (std::regex_match(name, match, old)) {
    name = match[1].str() + "_" + match[2].str();
    // Several blocks where one would leave lanes without a row of A.
    static const std::set<std::string> two = {"32x32x1f32", "32x32x4f16",
                                              "32x32x2bf16", "32x32x4bf16_1k",
                                              "32x32x4i8"};
    static const std::set<std::string> four = {"16x16x1f32",  "16x16x4f16",
                                               "16x16x2bf16", "16x16x4bf16_1k",
                                               "16x16x4i8",   "4x4x4f64"};
    std::string tail = mnemonic.substr(mnemonic.find('x') - 2);
    tail = tail[0] == '_' ? tail.substr(1) : tail;
    blocks = two.count(tail) ? 2 : four.count(tail) ? 4 : 1;
    if (tail.starts_with("4x4x") && tail != "4x4x4f64")
      blocks = 16;
  }
  if (!std::regex_match(name, match, pattern))
    throw std::runtime_error("not understood: " + mnemonic);
  Shape s;
  s.chip = chip;
  s.family = match[1] == "mfma"     ? MatrixFamily::MFMA
             : match[1] == "smfmac" ? MatrixFamily::SMFMAC
             : match[1] == "wmma"   ? MatrixFamily::WMMA
                                    : MatrixFamily::SWMMAC;
  s.scaled = match[2].matched;
  s.c = parseType(chip, match[3]);
  s.m = std::stoul(match[4]);
  s.n = std::stoul(match[5]);
  s.k = std::stoul(match[6]);
  s.blocks = match[7].matched ? std::stoul(match[7]) : blocks;
  s.a = parseType(chip, match[8]);
  s.b = match[9].matched ? parseType(chip, match[9]) : s.a;
  return s;
}

MatrixType aircc::simtest::smallType(unsigned format) {
  constexpr MatrixType kTypes[] = {FP8, BF8, FP6, BF6, FP4};
  return kTypes[format];
}

unsigned aircc::simtest::typeBits(MatrixType type) {
  switch (type) {
  case F64:
    return 64;
  case F32:
  case XF32:
  case I32:
    return 32;
  case F16:
  case BF16:
    return 16;
  case FP6:
  case BF6:
    return 6;
  case FP4:
  case IU4:
    return 4;
  default:
    return 8;
  }
}

static const llvm::fltSemantics *semantics(MatrixType type) {
  using llvm::APFloat;
  switch (type) {
  case F64:
    return &APFloat::IEEEdouble();
  case F32:
  case XF32:
    return &APFloat::IEEEsingle();
  case F16:
    return &APFloat::IEEEhalf();
  case BF16:
    return &APFloat::BFloat();
  case FP8FNUZ:
    return &APFloat::Float8E4M3FNUZ();
  case BF8FNUZ:
    return &APFloat::Float8E5M2FNUZ();
  case FP8:
    return &APFloat::Float8E4M3FN();
  case BF8:
    return &APFloat::Float8E5M2();
  case FP6:
    return &APFloat::Float6E2M3FN();
  case BF6:
    return &APFloat::Float6E3M2FN();
  case FP4:
    return &APFloat::Float4E2M1FN();
  default:
    return nullptr;
  }
}

double aircc::simtest::decodeBits(MatrixType type, uint64_t bits) {
  if (const llvm::fltSemantics *kind = semantics(type)) {
    llvm::APFloat value(*kind, llvm::APInt(typeBits(type), bits));
    bool lost;
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &lost);
    return value.convertToDouble();
  }
  if (type == IU8 || type == IU4)
    return double(bits);
  return double(int64_t(bits << (64 - typeBits(type))) >>
                (64 - typeBits(type)));
}

uint64_t aircc::simtest::encodeBits(MatrixType type, double value) {
  uint64_t mask = typeBits(type) == 64 ? ~0ull : (1ull << typeBits(type)) - 1;
  if (const llvm::fltSemantics *kind = semantics(type)) {
    llvm::APFloat number(value);
    bool lost;
    number.convert(*kind, llvm::APFloat::rmNearestTiesToEven, &lost);
    return number.bitcastToAPInt().getZExtValue() & mask;
  }
  return uint64_t(int64_t(value)) & mask;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Element `e` of a lane.
static Place inLane(unsigned lane, unsigned e, unsigned bits) {
  return {e * bits / 32, lane, e * bits % 32};
}

/// An input of a dense CDNA form; `size` is m for A and n for B.
static Place denseCdna(const Shape &s, MatrixType type, unsigned size,
                       unsigned x, unsigned k, unsigned block) {
  unsigned bits = typeBits(type);
  if (s.a == F8F6F4 && bits == 8) {
    unsigned run = size == 16 ? 64 : 32;
    return inLane(size * (k % run / 16) + x, k / run * 16 + k % 16, bits);
  }
  unsigned perLane = s.k / (64 / (size * s.blocks));
  return inLane(block * size + k / perLane * size * s.blocks + x, k % perLane,
                bits);
}

Place aircc::simtest::placeA(const Shape &s, MatrixType type, unsigned i,
                             unsigned k, unsigned block) {
  unsigned bits = typeBits(type);
  bool wave64 = s.chip.waveSize == 64;
  if (s.cdna() && !s.sparse())
    return denseCdna(s, type, s.m, i, k, block);
  unsigned c = k, q = k / 2;
  if (s.family == MatrixFamily::SMFMAC) {
    if (bits == 16 && s.k * s.m == 512) // gfx942
      return inLane(c / 4 * s.m + i, c % 4, 16);
    if (bits == 16) // gfx950
      return inLane(c / 8 * s.m + i, c % 8, 16);
    if (s.m == 16 && s.k == 64)
      return inLane(c % 16 / 4 * 16 + i, 4 * (c / 16) + c % 4, 8);
    if (s.m == 32 && s.k == 32)
      return inLane(c % 8 / 4 * 32 + i, 4 * (c / 8) + c % 4, 8);
    if (s.m == 16) { // x128
      unsigned group = 2 * (c >> 5 & 1) + (c >> 3 & 1);
      unsigned quad = 2 * (c >> 2 & 1) + (c >> 4 & 1);
      return inLane(group * 16 + i, 4 * quad + (c & 3), 8);
    }
    unsigned quad = 2 * (c >> 2 & 1) + (c >> 3 & 1); // x64
    return inLane((c >> 4 & 1) * 32 + i, 4 * quad + (c & 3), 8);
  }
  if (s.chip.isa.major == 11)
    return inLane(i, k, bits);
  if (s.family == MatrixFamily::WMMA) {
    // The values of k are distributed over groups of 16 lanes, perLane values
    // each. In wave64, the groups start at lanes 0, 32, 16, 48, in this order.
    unsigned perLane = s.k / (wave64 && bits * s.k > 64 ? 4 : 2);
    unsigned run = k / perLane;
    if (perLane * 4 == s.k)
      run = (run & 1) << 1 | run >> 1;
    return inLane(run * 16 + i, k % perLane, bits);
  }
  // SWMMAC
  if (bits == 16) {
    if (wave64)
      return inLane(16 * (q / 2) + i, 2 * (q % 2) + k % 2, 16);
    return inLane(16 * (q / 2 % 2) + i, 2 * (2 * (q / 4) + q % 2) + k % 2, 16);
  }
  unsigned stored = s.k / 2;
  unsigned perLane = stored / (wave64 && stored * bits > 64 ? 4 : 2);
  unsigned run = k / perLane;
  if (perLane * 4 == stored)
    run = (run & 1) << 1 | run >> 1;
  return inLane(run * 16 + i, k % perLane, bits);
}

Place aircc::simtest::placeB(const Shape &s, MatrixType type, unsigned k,
                             unsigned j, unsigned block) {
  unsigned bits = typeBits(type);
  bool wave64 = s.chip.waveSize == 64;
  if (s.cdna() && !s.sparse())
    return denseCdna(s, type, s.n, j, k, block);
  if (s.family == MatrixFamily::SMFMAC) {
    unsigned run = s.n == 16 ? 32 : 16;
    return inLane(k % run / 8 * s.n + j, 8 * (k / run) + k % 8, bits);
  }
  if (s.chip.isa.major == 11)
    return inLane(j, k, bits);
  if (s.family == MatrixFamily::SWMMAC && bits == 16) {
    if (wave64)
      return inLane(16 * (k / 8) + j, k % 8, 16);
    return inLane(16 * (k / 8 % 2) + j, 8 * (k / 16) + k % 8, 16);
  }
  unsigned perLane = s.k / (wave64 && bits * s.k > 64 ? 4 : 2);
  unsigned run = k / perLane;
  if (perLane * 4 == s.k)
    run = (run & 1) << 1 | run >> 1;
  return inLane(run * 16 + j, k % perLane, bits);
}

Place aircc::simtest::placeC(const Shape &s, unsigned i, unsigned j,
                             unsigned block, unsigned half) {
  bool wave64 = s.chip.waveSize == 64;
  if (s.c == F64)
    return s.m == 16 ? Place{2 * (i / 4), 16 * (i % 4) + j, 0}
                     : Place{0, 16 * i + 4 * block + j, 0};
  if (s.cdna()) {
    if (s.m == 4)
      return {i, 4 * block + j, 0};
    if (s.m == 16)
      return {4 * block + i % 4, 16 * (i / 4) + j, 0};
    return {16 * block + 4 * (i / 8) + i % 4, 32 * (i / 4 % 2) + j, 0};
  }
  if (s.chip.isa.major == 11) {
    unsigned rows = s.chip.waveSize / 16;
    return {i / rows, (16 * i + j) % s.chip.waveSize, 16 * half};
  }
  unsigned e = wave64 ? i % 4 : i % 8;
  unsigned lane = 16 * (i / 8) + (wave64 ? i / 4 % 2 * 32 : 0) + j;
  return inLane(lane, e, typeBits(s.c));
}

unsigned aircc::simtest::indexSets(const Shape &s) {
  // Two bits for each stored element that a lane holds.
  unsigned lanes = 0;
  for (unsigned k = 0; k < s.k / 2; ++k)
    lanes = std::max(lanes, placeA(s, s.a, 0, k, 0).lane / s.m + 1);
  return 32 / (s.k / lanes);
}

Place aircc::simtest::placeIndex(const Shape &s, unsigned i, unsigned q,
                                 unsigned set) {
  unsigned setBits = 32 / indexSets(s) * set;
  bool wave64 = s.chip.waveSize == 64;
  auto at = [&](unsigned lane, unsigned nibble) {
    return Place{0, lane + i, setBits + 4 * nibble};
  };
  if (s.family == MatrixFamily::SMFMAC) {
    bool bytes = typeBits(s.a) == 8;
    if (!bytes && s.k * s.m == 512)
      return at(q / 2 * s.m, q % 2);
    if (!bytes)
      return at(q / 4 * s.m, q % 4);
    if (s.m == 16 && s.k == 64)
      return at(q % 8 / 2 * 16, 2 * (q / 8) + q % 2);
    if (s.m == 32 && s.k == 32)
      return at(q % 4 / 2 * 32, 2 * (q / 4) + q % 2);
    if (s.m == 16)
      return at(16 * (2 * (q / 16) + q / 4 % 2),
                2 * (q / 8 % 2) + 4 * (q % 4 / 2) + q % 2);
    return at(32 * (q / 8), q % 2 + 2 * (q / 4 % 2) + 4 * (q / 2 % 2));
  }
  if (typeBits(s.a) == 16)
    return wave64 ? at(16 * (q / 2), q % 2)
                  : at(16 * (q / 2 % 2), q % 2 + 2 * (q / 4));
  unsigned groups = s.k / 4;
  unsigned perLane = groups / (wave64 && s.k / 2 * typeBits(s.a) > 64 ? 4 : 2);
  unsigned run = q / perLane;
  if (perLane * 4 == groups)
    run = (run & 1) << 1 | run >> 1;
  return at(run * 16, q % perLane);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

Registers::Registers(unsigned count, std::mt19937 &random) : words(count * 64) {
  for (uint32_t &word : words)
    word = random();
}

uint64_t Registers::read(unsigned base, Place at, unsigned bits) const {
  uint64_t value = 0;
  for (unsigned n = 0; n < bits; ++n) {
    unsigned bit = at.bit + n;
    uint64_t word = words[(base + at.reg + bit / 32) * 64 + at.lane];
    value |= (word >> bit % 32 & 1) << n;
  }
  return value;
}

void Registers::write(unsigned base, Place at, unsigned bits, uint64_t value) {
  for (unsigned n = 0; n < bits; ++n) {
    unsigned bit = at.bit + n;
    uint32_t &word = words[(base + at.reg + bit / 32) * 64 + at.lane];
    word = (word & ~(1u << bit % 32)) | uint32_t(value >> n & 1) << bit % 32;
  }
}
