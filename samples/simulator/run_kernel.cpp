//===- run_kernel.cpp - Using the simulator from a program ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the kernel `scale` of a code object, whose only arguments are a memref
// of floats and the number of elements, and checks the result:
//
// clang-format off
//   aircc samples/simulator/scale.mlir --target gfx942 --emit hsaco -o scale.hsaco
//   cmake --install build --prefix installed > install.log
//   c++ -std=c++17 samples/simulator/run_kernel.cpp -o run_kernel -I installed/include -ldl
//   ./run_kernel installed/lib/libaircc_sim.so scale.hsaco
// clang-format on
//
//===----------------------------------------------------------------------===//

#include <aircc/simulator.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

using namespace aircc::simulator;

static int fail(const std::string &message) {
  std::fprintf(stderr, "run_kernel: error: %s\n", message.c_str());
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return fail("usage: run_kernel libaircc_sim.so scale.hsaco");

  Simulator *opened = nullptr;
  if (Status status = openSimulator(argv[1], opened); !status.ok())
    return fail(status.message());
  std::unique_ptr<Simulator> simulator(opened);

  // Load a code object and list its kernels.
  std::ifstream file(argv[2], std::ios::binary);
  std::string image((std::istreambuf_iterator<char>(file)), {});
  std::unique_ptr<Code> code;
  if (Status status = simulator->load(image.data(), image.size(), "", code);
      !status.ok())
    return fail(std::string(argv[2]) + ": " + status.message());
  for (const Kernel &kernel : code->kernels())
    std::printf(
        "%s for %s: %zu arguments, waves of %u lanes, %u bytes of LDS\n",
        kernel.name.c_str(), code->processor().c_str(), kernel.arguments.size(),
        kernel.waveSize, kernel.ldsBytes);

  // Device memory is host memory.
  constexpr int64_t count = 100;
  void *memory = nullptr;
  if (Status status = simulator->allocate(count * sizeof(float), memory);
      !status.ok())
    return fail(status.message());
  float *x = static_cast<float *>(memory);
  std::fill_n(x, count, 1.5f);

  // A memref is passed as pointer, pointer, offset, sizes and strides.
  int64_t offset = 0, stride = 1;
  Launch launch;
  launch.kernel = "scale";
  launch.grid = {(count + 63) / 64, 1, 1};
  launch.block = {64, 1, 1};
  launch.arguments = {&memory, &memory, &offset, &count, &stride, &count};
  LaunchReport report;
  if (Status status = simulator->launch(*code, launch, &report); !status.ok())
    return fail(status.message());

  bool right = std::all_of(x, x + count, [](float v) { return v == 3.0f; });
  std::printf("%llu instructions, %s\n",
              static_cast<unsigned long long>(report.instructions),
              right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
