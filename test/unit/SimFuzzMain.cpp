//===- SimFuzzMain.cpp - Random kernels by the thousand -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   sim-fuzz CHIP[:wave64] [COUNT [SEED]]
//
// Runs the kernels of COUNT seeds from SEED on. Each that differs from the host
// is reduced and written to sim-fuzz-CHIP-SEED.ll; the exit status is 1 then.
//
//===----------------------------------------------------------------------===//

#include "test/unit/SimFuzz.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>

using namespace aircc::sim::test;

int main(int argc, char **argv) {
  if (argc < 2 || argc > 4) {
    std::fprintf(stderr, "usage: sim-fuzz CHIP[:wave64] [COUNT [SEED]]\n");
    return 2;
  }
  const std::string name = argv[1];
  const unsigned count = argc > 2 ? std::atoi(argv[2]) : 100;
  const unsigned first = argc > 3 ? std::atoi(argv[3]) : 1;
  KernelFuzzer fuzzer(parseKernelTarget(name));
  unsigned failures = 0;
  for (unsigned seed = first; seed - first < count; ++seed) {
    if (seed != first && (seed - first) % 500 == 0) {
      std::printf("%s: %u kernels, %u differ\n", name.c_str(), seed - first,
                  failures);
      std::fflush(stdout);
    }
    std::string what = fuzzer.run(seed);
    if (what.empty())
      continue;
    ++failures;
    std::printf("%s seed %u: %s\n", name.c_str(), seed, what.c_str());
    std::fflush(stdout);
    GeneratedKernel kernel = fuzzer.reduce(seed, what);
    std::string path = "sim-fuzz-" + name + "-" + std::to_string(seed) + ".ll";
    std::ofstream file(path);
    file << "; " << what << "\n" << kernel.device << "\n; The host:\n";
    std::string line;
    for (char c : kernel.host + "\n") {
      if (c != '\n') {
        line += c;
        continue;
      }
      file << "; " << line << "\n";
      line.clear();
    }
    std::printf("  reduced to %s: %s\n", path.c_str(), what.c_str());
    std::fflush(stdout);
  }
  std::printf("%s: %u kernels from seed %u, %u differ\n", name.c_str(), count,
              first, failures);
  return failures ? 1 : 0;
}
