//===- SimCoverageTest.cpp - What the simulator does not execute ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every instruction of a chip in LLVM's AMDGPU backend must bind to an
// implementation in the simulator, except those of reasonToBeOut().
// AIRCC_TEST_COVERAGE=FILE writes the instructions that do not bind, with the
// reason.
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/CodeObject.h"
#include "simulator/exec/Program.h"
#include "simulator/exec/memory/GlobalMemory.h"
#include "test/unit/simulator/SimInstructions.h"
#include "test/unit/simulator/SimTestSupport.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <map>

using namespace aircc::sim;
using namespace aircc::sim::test;

namespace {

bool isMatrix(llvm::StringRef mnemonic) {
  return mnemonic.starts_with("v_mfma_") || mnemonic.starts_with("v_smfmac_") ||
         mnemonic.starts_with("v_wmma_") || mnemonic.starts_with("v_swmmac_");
}

class SimCoverage : public ::testing::TestWithParam<WaveConfiguration> {};

TEST_P(SimCoverage, EveryInstructionBinds) {
  auto [chip, wave32] = GetParam();
  GlobalMemory memory;
  std::string image = assemble(chip, kernelText(chip, ""));
  auto object = llvm::cantFail(CodeObject::load(image, memory));
  auto program = llvm::cantFail(Program::create(*object, wave32));
  std::map<std::string, std::map<std::string, std::string>> missing;
  unsigned bound = 0, out = 0, missed = 0, variants = 0;
  for (const KnownInstruction &known : knownInstructions(chip, wave32)) {
    if (reasonToBeOut(known.mnemonic)) {
      ++out;
      continue;
    }
    auto check = [&](const KnownInstruction::Instance &instance) {
      // Instructions of the global data share are not implemented.
      if (llvm::StringRef(instance.text).ends_with(" gds"))
        return true;
      std::string why = program->whyNotImplemented(instance.bytes);
      if (why.empty())
        return true;
      missing[known.family][known.mnemonic] =
          instance.text + " [" + known.opcode + "]: " + why;
      return false;
    };
    bool good = check(known.instance);
    // The modifiers of a matrix instruction depend on its shape: the tests of
    // matrix instructions cover them.
    if (!isMatrix(known.mnemonic)) {
      for (const KnownInstruction::Instance &variant : known.variants)
        good &= check(variant);
      variants += known.variants.size();
    }
    ++(good ? bound : missed);
  }
  EXPECT_GT(bound, 1000u);
  std::string report;
  llvm::raw_string_ostream stream(report);
  stream << chip << (wave32 ? " wave32: " : " wave64: ") << bound
         << " opcodes execute (with " << variants << " modifiers), " << out
         << " are out on purpose, " << missed << " are missing\n";
  for (auto &[family, list] : missing) {
    stream << family << ":\n";
    for (auto &[mnemonic, line] : list)
      stream << "  " << line << "\n";
  }
  EXPECT_EQ(missed, 0u) << report;
  if (const char *path = std::getenv("AIRCC_TEST_COVERAGE")) {
    std::error_code error;
    llvm::raw_fd_ostream file(path, error, llvm::sys::fs::OF_Append);
    file << report;
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, SimCoverage,
                         ::testing::ValuesIn(kWaveConfigurations),
                         [](const auto &info) { return info.param.name(); });

} // namespace
