//===- MatrixCheck.cpp - Checks a profile's matrix instructions -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "targets/MatrixCheck.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/GlobPattern.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

using namespace aircc;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Checks that the layout of an operand has the shape `shape` and fits in a
/// wave.
static std::string checkOperand(const OperandLayout &layout,
                                ArrayRef<int64_t> shape, unsigned waveSize) {
  int64_t lanes = 1;
  for (unsigned i = 0; i < 2; ++i) {
    std::string dimension = "dimension " + std::to_string(i);
    int64_t size =
        layout.outerTile[i] * layout.threadTile[i] * layout.elementTile[i];
    if (size != shape[i])
      return dimension + " has " + std::to_string(size) + " elements (outer " +
             std::to_string(layout.outerTile[i]) + " * thread " +
             std::to_string(layout.threadTile[i]) + " * element " +
             std::to_string(layout.elementTile[i]) +
             "), but the instruction's shape gives it " +
             std::to_string(shape[i]);
    lanes *= layout.threadTile[i];
    if ((layout.threadStrides[i] == 0) != (layout.threadTile[i] == 1))
      return dimension +
             ": a thread stride of 0 requires a thread tile of 1, and vice "
             "versa";
  }
  if (lanes > waveSize)
    return "the thread tiles take " + std::to_string(lanes) +
           " lanes, but a wave has " + std::to_string(waveSize);
  for (unsigned i = 0; i < 2; ++i)
    if (layout.threadStrides[i] * layout.threadTile[i] > waveSize)
      return "dimension " + std::to_string(i) + ": " +
             std::to_string(layout.threadTile[i]) +
             " threads with the thread stride " +
             std::to_string(layout.threadStrides[i]) + " go beyond a wave of " +
             std::to_string(waveSize) + " lanes";
  // Two distributed dimensions must not use the same bits of the lane number.
  unsigned inner = layout.threadStrides[0] < layout.threadStrides[1] ? 0 : 1;
  unsigned outer = 1 - inner;
  if (layout.threadTile[inner] > 1 && layout.threadTile[outer] > 1 &&
      layout.threadStrides[outer] %
              (layout.threadStrides[inner] * layout.threadTile[inner]) !=
          0)
    return "the thread strides of the two dimensions overlap";
  return "";
}

/// Checks that the permutation contains each lane of a row exactly once.
static std::string checkLanePermutation(const OperandLayout &layout,
                                        bool isFactor) {
  if (layout.lanePermutation.empty())
    return "";
  if (!isFactor)
    return "only the lanes of A and B can be permuted";
  std::set<int64_t> lanes(layout.lanePermutation.begin(),
                          layout.lanePermutation.end());
  return lanes.size() == layout.lanePermutation.size()
             ? ""
             : "a permutation must contain each of the lanes 0 to 15 exactly "
               "once";
}

using NamedOperand =
    std::tuple<const char *, const OperandLayout &, std::array<int64_t, 2>>;

std::vector<ProfileProblem>
aircc::checkMatrixLayouts(const MatrixInstruction &instruction,
                          unsigned waveSize) {
  std::vector<ProfileProblem> problems;
  auto check = [&](ArrayRef<NamedOperand> operands) {
    for (auto &[pointer, layout, shape] : operands) {
      if (std::string wrong = checkOperand(layout, shape, waveSize);
          !wrong.empty())
        problems.push_back({pointer, wrong, {}});
      bool isFactor = &layout == &instruction.a || &layout == &instruction.b;
      if (std::string wrong = checkLanePermutation(layout, isFactor);
          !wrong.empty())
        problems.push_back(
            {std::string(pointer) + "/lanePermutation", wrong, {}});
    }
  };
  auto [m, n, k] = std::tuple(instruction.m, instruction.n, instruction.k);
  check({{"/a", instruction.a, {m, k}},
         {"/b", instruction.b, {k, n}},
         {"/c", instruction.c, {m, n}}});
  if (!instruction.scaleA)
    return problems;
  int64_t block = instruction.getScaleBlock();
  if (block == 0 || k % block) {
    problems.push_back({"/scales/a",
                        "its columns do not divide the instruction's depth "
                        "of " +
                            std::to_string(k),
                        {}});
    return problems;
  }
  check({{"/scales/a", *instruction.scaleA, {m, k / block}},
         {"/scales/b", *instruction.scaleB, {k / block, n}}});
  return problems;
}

static int64_t getBitWidth(StringRef type) {
  type.consume_front("t");
  type.consume_front("b");
  int64_t width = 0;
  type.drop_front().consumeInteger(10, width);
  return width;
}

/// Returns the number of bits of `layout` that a lane holds.
static int64_t getLaneBits(const OperandLayout &layout) {
  int64_t elements = 1;
  for (unsigned i = 0; i < 2; ++i)
    elements *= layout.outerTile[i] * layout.elementTile[i];
  return elements * getBitWidth(layout.type);
}

//===----------------------------------------------------------------------===//
// AMD
//===----------------------------------------------------------------------===//

namespace {
/// The LLVM feature that is required by instructions whose names match the glob
/// pattern. After a '-', a feature that the chip must not have.
struct NeededFeature {
  StringLiteral pattern, feature;
};
} // namespace

static constexpr NeededFeature neededFeatures[] = {
    {"mfma.*", "mai-insts"},
    {"mfma.*{bf16.1k,f64}", "gfx90a-insts"},
    {"mfma.i32.{16x16x16,32x32x8}i8", "-gfx940-insts"},
    {"mfma.i32.{16x16x32,32x32x16}.i8", "gfx940-insts"},
    {"mfma.*xf32", "xf32-insts"},
    {"mfma.*[bf][pf]8", "fp8-insts"},
    {"mfma.scale.*", "gfx950-insts"},
    {"mfma.f32.{16x16x32,32x32x16}.{f16,bf16}", "gfx950-insts"},
    {"mfma.i32.{16x16x64,32x32x32}.i8", "gfx950-insts"},
    {"wmma.*", "gfx11-insts"},
    {"wmma.*.16x16x16.[bf][pf]8_[bf][pf]8", "gfx12-insts"},
    {"wmma.*.16x16x32.iu4", "gfx12-insts"},
    {"swmmac.*", "gfx12-insts"},
};

std::string aircc::findMissingFeature(const MatrixInstruction &instruction,
                                      const ChipFeatures &features) {
  for (const NeededFeature &needed : neededFeatures) {
    // Use globs, because every compile checks its profile and regular
    // expressions would be too slow.
    constexpr size_t kMaxAlternatives = 4;
    if (!cantFail(GlobPattern::create(needed.pattern, kMaxAlternatives))
             .match(instruction.op))
      continue;
    StringRef name = needed.feature;
    bool excluded = name.consume_front("-");
    if (features.contains(name) == excluded)
      return needed.feature.str();
  }
  return "";
}

/// Returns the element types that a token in an instruction's name denotes.
static std::vector<StringRef> getTypesOf(StringRef token, bool ocp) {
  return StringSwitch<std::vector<StringRef>>(token)
      .Cases({"f16", "bf16", "f32", "f64", "i32", "i8"}, {token})
      .Case("iu8", {"i8"})
      .Case("iu4", {"i4"})
      .Case("xf32", {"tf32"})
      .Case("fp8", {ocp ? "f8E4M3FN" : "f8E4M3FNUZ"})
      .Case("bf8", {ocp ? "f8E5M2" : "f8E5M2FNUZ"})
      .Case("f8f6f4",
            {"f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"})
      .Default({});
}

namespace {
/// The components of an instruction name.
struct InstructionName {
  StringRef result;
  std::array<int64_t, 3> shape;
  SmallVector<StringRef> factors;
};
} // namespace

/// Splits a name such as mfma.f32.16x16x32.fp8.bf8 or
/// mfma.scale.f32.16x16x128.f8f6f4. Returns nullopt for names of another form.
static std::optional<InstructionName> parseName(StringRef op) {
  InstructionName name;
  StringRef rest = op.split('.').second;
  rest.consume_front("scale.");
  std::tie(name.result, rest) = rest.split('.');
  for (unsigned i = 0; i < 3; ++i)
    if ((i && !rest.consume_front("x")) ||
        rest.consumeInteger(10, name.shape[i]))
      return std::nullopt;
  SplitString(rest, name.factors, "._");
  if (!name.factors.empty() && name.factors.back() == "1k")
    name.factors.pop_back();
  return name;
}

/// Compares the shape and types with those in the name of the instruction.
static std::optional<ProfileProblem>
checkName(const MatrixInstruction &instruction, bool ocp) {
  std::optional<InstructionName> name = parseName(instruction.op);
  if (!name)
    return std::nullopt;
  auto [m, n, k] = name->shape;
  if (name->shape != std::array{instruction.m, instruction.n, instruction.k})
    return ProfileProblem{"/shape",
                          "'" + instruction.op + "' multiplies " +
                              std::to_string(m) + "x" + std::to_string(n) +
                              "x" + std::to_string(k) + " (m, n, k)",
                          {}};

  ArrayRef<StringRef> factors = name->factors;
  if (factors.empty() || factors.size() > 2)
    return std::nullopt;
  std::tuple<const char *, const OperandLayout &, StringRef> operands[] = {
      {"/a", instruction.a, factors.front()},
      {"/b", instruction.b, factors.back()},
      {"/c", instruction.c, name->result}};
  for (auto &[pointer, layout, token] : operands) {
    std::vector<StringRef> types = getTypesOf(token, ocp);
    if (!types.empty() && !is_contained(types, layout.type))
      return ProfileProblem{std::string(pointer) + "/type",
                            "'" + instruction.op + "' takes " +
                                join(types, " or ") + " here, not " +
                                layout.type,
                            {}};
  }
  return std::nullopt;
}

/// Returns the number of bits of A, B and C that a lane passes to the
/// instruction.
static std::optional<std::array<int64_t, 3>>
getRegisterBits(const MatrixInstruction &instruction, Intrinsic::ID id,
                const ChipFeatures &features, unsigned waveSize) {
  if (!Intrinsic::isOverloaded(id)) {
    LLVMContext context;
    FunctionType *type = Intrinsic::getType(context, id);
    std::array<int64_t, 3> bits;
    for (unsigned i = 0; i < 3; ++i)
      bits[i] = type->getParamType(i)->getPrimitiveSizeInBits();
    return bits;
  }
  if (!StringRef(instruction.op).starts_with("wmma"))
    return std::nullopt;
  auto [m, n, k] = std::tuple(instruction.m, instruction.n, instruction.k);
  int64_t a = k * getBitWidth(instruction.a.type);
  int64_t b = k * getBitWidth(instruction.b.type);
  int64_t c = getBitWidth(instruction.c.type);
  // Before gfx12, each half of a wave holds all of A and B, and each element of
  // C takes 32 bits.
  if (!features.contains("gfx12-insts"))
    return std::array<int64_t, 3>{a, b, m * n * 32 / waveSize};
  // A lane passes at least one register. If all elements fit in the registers
  // of half of the lanes, the others are not read.
  constexpr int64_t kRegister = 32;
  return std::array<int64_t, 3>{std::max(kRegister, m * a / waveSize),
                                std::max(kRegister, n * b / waveSize),
                                m * n * c / waveSize};
}

std::optional<ProfileProblem>
aircc::checkAMDGPUMatrixInstruction(const MatrixInstruction &instruction,
                                    const ChipFeatures &features,
                                    unsigned waveSize) {
  // ROCDL joins the types of two factors with an underscore, whereas LLVM uses
  // a dot.
  std::string name = "llvm.amdgcn." + instruction.op;
  std::replace(name.begin(), name.end(), '_', '.');
  Intrinsic::ID id = Intrinsic::lookupIntrinsicID(name);
  if (id == Intrinsic::not_intrinsic)
    return ProfileProblem{"",
                          "LLVM has no matrix instruction '" + instruction.op +
                              "'",
                          {"its intrinsic would be " + name}};
  if (auto problem = checkName(instruction, hasOcpFloats(features)))
    return problem;
  auto expected = getRegisterBits(instruction, id, features, waveSize);
  if (!expected)
    return std::nullopt;
  std::tuple<const char *, const OperandLayout &, int64_t> operands[] = {
      {"/a", instruction.a, (*expected)[0]},
      {"/b", instruction.b, (*expected)[1]},
      {"/c", instruction.c, (*expected)[2]}};
  std::vector<std::string> notes;
  if (waveSize == 64 && StringRef(instruction.op).starts_with("wmma"))
    notes.push_back("\"wave64\" has the layouts in waves of 64 lanes");
  for (auto &[pointer, layout, bits] : operands)
    if (getLaneBits(layout) != bits)
      return ProfileProblem{
          pointer,
          "a lane holds " + std::to_string(getLaneBits(layout)) +
              " bits in this layout, but '" + instruction.op + "' takes " +
              std::to_string(bits) + " of each of a wave's " +
              std::to_string(waveSize) + " lanes",
          std::move(notes)};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Intel
//===----------------------------------------------------------------------===//

std::optional<ProfileProblem>
aircc::checkXeMatrixInstruction(const MatrixInstruction &instruction,
                                unsigned waveSize) {
  constexpr unsigned kColumns = 16;
  if (waveSize != kColumns)
    return ProfileProblem{
        "",
        "dpas requires subgroups of 16 lanes, but waveSize is " +
            std::to_string(waveSize),
        {"\"matrixInstructions\": null removes the matrix instructions"}};
  const std::string &type = instruction.a.type;
  auto results = StringSwitch<std::vector<StringRef>>(type)
                     .Cases({"f16", "bf16"}, {"f32", type})
                     .Case("tf32", {"f32"})
                     .Case("i8", {"i32"})
                     .Default({});
  if (results.empty())
    return ProfileProblem{"/a/type",
                          "dpas multiplies f16, bf16, tf32 and i8, but got " +
                              type,
                          {}};
  if (instruction.b.type != type)
    return ProfileProblem{
        "/b/type",
        "both factors of dpas must have the same type, here " + type,
        {}};
  if (!is_contained(results, instruction.c.type))
    return ProfileProblem{"/c/type",
                          "dpas adds products of " + type + " in " +
                              join(results, " or "),
                          {}};
  int64_t depth = 256 / getBitWidth(type);
  if (!is_contained({1, 2, 4, 8}, instruction.m) || instruction.n != kColumns ||
      instruction.k != depth)
    return ProfileProblem{"/shape",
                          "dpas of " + type +
                              " multiplies 1, 2, 4 or 8 x 16 x " +
                              std::to_string(depth) + " (m, n, k)",
                          {}};
  return std::nullopt;
}
