//===- SimFuzzMain.cpp - Random kernels by the thousand -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   sim-fuzz CHIP[:wave64][,CHIP…] [COUNT [SEED]]
//
// Runs the kernels of COUNT seeds from SEED on, on each chip. `all` means all
// chips, with alternating wave sizes. A kernel that differs from the host is
// reduced and written to sim-fuzz-CHIP-SEED.ll, and the exit status is 1. LLVM
// runs in processes of its own: a kernel for which it crashes is counted, and
// not compared.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimChips.h"
#include "test/unit/simulator/SimFuzz.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace aircc::sim::test;

namespace {

void write(const std::string &path, const std::string &what,
           const GeneratedKernels &kernel) {
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
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2 || argc > 4) {
    std::fprintf(stderr,
                 "usage: sim-fuzz CHIP[:wave64][,CHIP...] [COUNT [SEED]]\n");
    return 2;
  }
  std::string list = argv[1];
  const bool all = list == "all";
  if (all) {
    list.clear();
    for (const char *chip : kChips)
      list += (list.empty() ? "" : ",") + std::string(chip);
  }
  std::vector<std::string> names;
  std::vector<KernelTarget> targets;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');) {
    names.push_back(name);
    targets.push_back(parseKernelTarget(name));
  }
  const unsigned count = argc > 2 ? std::stoul(argv[2]) : 100;
  const unsigned first = argc > 3 ? std::stoul(argv[3]) : 1;
  KernelFuzzer first32(targets);
  for (KernelTarget &target : targets)
    target.wave32 &= !all;
  KernelFuzzer then64(targets);
  unsigned failures = 0, crashes = 0;
  const auto start = std::chrono::steady_clock::now();
  auto report = [&](unsigned done) {
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    std::printf("%s: %u kernels each from seed %u, %u differ, %.1f a second",
                list.c_str(), done, first, failures,
                done * targets.size() / time.count());
    if (crashes)
      std::printf("; LLVM crashes for %u", crashes);
    std::printf("\n");
    std::fflush(stdout);
  };
  unsigned reported = 0;
  for (unsigned seed = first; seed - first < count;) {
    const unsigned together = std::min(
        kKernelsPerModule - seed % kKernelsPerModule, count - (seed - first));
    KernelFuzzer &fuzzer =
        seed / (4 * kKernelsPerModule) % 2 ? then64 : first32;
    std::vector<std::vector<std::string>> differences =
        fuzzer.run(seed, together);
    for (size_t i = 0; i < targets.size(); ++i)
      for (unsigned n = 0; n < together; ++n) {
        std::string what = differences[i][n];
        if (what.empty())
          continue;
        std::printf("%s seed %u: %s\n", names[i].c_str(), seed + n,
                    what.c_str());
        std::fflush(stdout);
        if (what == KernelFuzzer::kNotCompiled) {
          ++crashes;
          continue;
        }
        ++failures;
        GeneratedKernels kernel = fuzzer.reduce(seed + n, i, what);
        std::string path =
            "sim-fuzz-" + names[i] + "-" + std::to_string(seed + n) + ".ll";
        write(path, what, kernel);
        std::ofstream(path.substr(0, path.size() - 2) + "hsaco",
                      std::ios::binary)
            << fuzzer.compile(seed + n, i, kernel);
        std::printf("  reduced to %s: %s\n", path.c_str(), what.c_str());
        std::fflush(stdout);
      }
    seed += together;
    if (seed - first - reported >= 400)
      report(reported = seed - first);
  }
  report(count);
  return failures ? 1 : 0;
}
