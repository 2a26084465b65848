//===- SpirvSimLaunchTest.cpp - SPIR-V modules on the device --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/spirv/SpirvSimSupport.h"

#include "gtest/gtest.h"

using namespace aircc;
using namespace aircc::sim;
using namespace aircc::sim::test;

TEST(SpirvSimLaunch, VectorAdd) {
  SpirvRunner runner(compileSpirv(std::string(kSpirvPrelude) + R"(
define spir_kernel void @add(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n)
    !intel_reqd_sub_group_size !{i32 16} {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %in = icmp ult i64 %i, %n
  br i1 %in, label %then, label %end
then:
  %pa = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %pb = getelementptr inbounds float, ptr addrspace(1) %b, i64 %i
  %pc = getelementptr inbounds float, ptr addrspace(1) %c, i64 %i
  %x = load float, ptr addrspace(1) %pa, align 4
  %y = load float, ptr addrspace(1) %pb, align 4
  %z = fadd float %x, %y
  store float %z, ptr addrspace(1) %pc, align 4
  br label %end
end:
  ret void
})"));
  ASSERT_EQ(runner.loadError(), "");
  constexpr int64_t count = 1000;
  std::vector<float> a(count), b(count);
  for (int i = 0; i < count; ++i) {
    a[i] = 0.5f * i;
    b[i] = 1000.0f - i;
  }
  float *pa = runner.upload(a), *pb = runner.upload(b),
        *pc = runner.allocate<float>(count);
  int64_t n = count;
  SpirvLaunch launch;
  launch.kernel = "add";
  launch.grid = {8, 1, 1};
  launch.block = {128, 1, 1};
  launch.arguments = {&pa, &pb, &pc, &n};
  ASSERT_EQ(runner.run(launch), "");
  for (int i = 0; i < count; ++i)
    ASSERT_EQ(pc[i], a[i] + b[i]) << i;

  // An access of one element too many is reported as outside the buffer.
  n = count + 1;
  const std::string error = runner.run(launch);
  EXPECT_NE(error.find("kernel 'add', workgroup (7,0,0), subgroup 6, lane 8"),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("0 bytes past the end of a buffer of 4000 bytes"),
            std::string::npos)
      << error;
}
