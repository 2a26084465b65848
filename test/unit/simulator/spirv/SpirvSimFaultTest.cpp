//===- SpirvSimFaultTest.cpp - What SPIR-V kernels do wrong is told -------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/spirv/SpirvSimSupport.h"

#include "gtest/gtest.h"

#include <chrono>
#include <cstdlib>

using namespace aircc;
using namespace aircc::sim::test;

namespace {

void expectContains(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos)
      << "wanted: " << part << "\nin:     " << text;
}

std::string kernel(const std::string &declarations, const std::string &body,
                   const std::string &parameters = "ptr addrspace(1) %p") {
  return std::string(kSpirvPrelude) + declarations +
         "\ndefine spir_kernel void @test(" + parameters +
         ") !intel_reqd_sub_group_size !{i32 16} {\nentry:\n"
         "  %l = call spir_func i32 @_Z22get_sub_group_local_id()\n" +
         body + "\n  ret void\n}\n";
}

const char *const kBlock =
    "declare spir_func void "
    "@_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr "
    "addrspace(1), i32, i32, i32, <2 x i32>, ptr)\n";

std::string blockRead(const std::string &base, int width, int height, int pitch,
                      const std::string &x) {
  return "  %a = alloca [8 x i16]\n"
         "  %c = insertelement <2 x i32> <i32 0, i32 0>, i32 " +
         x +
         ", i32 0\n"
         "  call spir_func void "
         "@_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr "
         "addrspace(1) " +
         base + ", i32 " + std::to_string(width) + ", i32 " +
         std::to_string(height) + ", i32 " + std::to_string(pitch) +
         ", <2 x i32> %c, ptr %a)\n";
}

/// Runs the body with a buffer of `bytes` and returns the error.
std::string fault(const std::string &ir, size_t bytes = 4096,
                  rt::Dim3 block = {16, 1, 1}) {
  SpirvRunner runner(compileSpirv(ir));
  if (!runner.loadError().empty())
    return runner.loadError();
  uint8_t *p = runner.allocate<uint8_t>(bytes);
  return runSpirv(runner, {p}, block);
}

} // namespace

/// Sets a variable of the environment during the lifetime of this object.
struct Setting {
  Setting(const char *name, const char *value) : name(name) {
    ::setenv(name, value, /*overwrite=*/1);
  }
  ~Setting() { ::unsetenv(name); }
  const char *name;
};

TEST(SpirvSimFault, NarrowSurfaces) {
  const std::string ir = kernel(
      kBlock, blockRead("%p", /*width=*/32, /*height=*/8, /*pitch=*/64, "0"));
  expectContains(fault(ir), "the surface's width is 32 bytes, but must be at "
                            "least 64; --surfaces=lenient");
  Setting lenient("AIRCC_SIM_SURFACES", "lenient");
  testing::internal::CaptureStderr();
  EXPECT_EQ(fault(ir), "");
  expectContains(
      testing::internal::GetCapturedStderr(),
      "warning: kernel 'test': a surface of 2-D blocks whose width is "
      "less than 64 bytes: 32 bytes; at "
      "intel_sub_group_2d_block_read_16b_8r16x1c");
  // All other rules remain strict.
  expectContains(fault(kernel(kBlock, blockRead("%p", 30, 8, 64, "0"))),
                 "the surface's width of 30 bytes is not a multiple of 4");
  expectContains(fault(kernel(kBlock, blockRead("%p", 0, 8, 64, "0"))),
                 "the surface's width is 0 bytes");
}

TEST(SpirvSimFault, JustBeforeSharedMemory) {
  // Two bytes before the first variable and two in it.
  expectContains(
      fault(kernel("@first = internal addrspace(3) global [4 x i32] undef\n",
                   "  %a = getelementptr i8, ptr addrspace(3) @first, i64 -2\n"
                   "  %v = load i32, ptr addrspace(3) %a, align 1\n"
                   "  store i32 %v, ptr addrspace(1) %p\n")),
      "is outside of shared local memory: 2 bytes before the start");
}

TEST(SpirvSimFault, Slack) {
  const std::string read =
      kernel("", "  %q = getelementptr i32, ptr addrspace(1) %p, i32 %l\n"
                 "  %v = load i32, ptr addrspace(1) %q\n"
                 "  store i32 %v, ptr addrspace(1) %p\n");
  const std::string write =
      kernel("", "  %q = getelementptr i32, ptr addrspace(1) %p, i32 %l\n"
                 "  store i32 1, ptr addrspace(1) %q\n");
  expectContains(fault(read, 48), "a read of 4 bytes at");
  Setting slack("AIRCC_SIM_SLACK", "16");
  testing::internal::CaptureStderr();
  EXPECT_EQ(fault(read, 48), "");
  expectContains(testing::internal::GetCapturedStderr(),
                 "warning: kernel 'test': reads past the end of a buffer, in "
                 "the slack, up to 16 bytes; at OpLoad");
  expectContains(fault(read, 44), "a read of 4 bytes at");
  expectContains(fault(write, 48), "a write of 4 bytes at");
}

TEST(SpirvSimFault, SurfaceRules) {
  auto run = [&](const std::string &base, int width, int height, int pitch,
                 const std::string &x, const std::string &before = "") {
    return fault(
        kernel(kBlock, before + blockRead(base, width, height, pitch, x)));
  };
  EXPECT_EQ(run("%p", 64, 8, 64, "0"), "");
  const std::string moved =
      "  %q = getelementptr i8, ptr addrspace(1) %p, i64 32\n";
  std::string error = run("%q", 64, 8, 64, "0", moved);
  expectContains(error, "is not aligned to 64 bytes");
  expectContains(error, "kernel 'test', workgroup (0,0,0), subgroup 0");
  expectContains(error, "intel_sub_group_2d_block_read_16b_8r16x1c");
  expectContains(run("%p", 48, 8, 64, "0"), "width is 48 bytes");
  expectContains(run("%p", 66, 8, 128, "0"), "not a multiple of 4");
  expectContains(run("%p", 64, 8, 72, "0"),
                 "pitch of 72 bytes is not a multiple");
  expectContains(run("%p", 128, 8, 64, "0"), "is less than its width");
  expectContains(run("%p", 64, 0, 64, "0"), "height is 0");
  expectContains(run("%p", 64, 8, 64, "1"), "begins in column 1");
  expectContains(run("%p", 64, 8, 64, "%l"),
                 "coordinates must be the same in all lanes, but lane 1");
  // The surface is larger than the buffer.
  error = fault(kernel(kBlock, blockRead("%p", 64, 8, 64, "0")), 64 * 4);
  expectContains(error, "0 bytes past the end of a buffer of 256 bytes");
}

TEST(SpirvSimFault, PartOfASubgroup) {
  expectContains(
      fault(kernel(kBlock, blockRead("%p", 64, 8, 64, "0")), 4096, {8, 1, 1}),
      "needs all 16 lanes");
  const std::string body = "  %b = icmp ult i32 %l, 5\n"
                           "  br i1 %b, label %then, label %end\nthen:\n" +
                           blockRead("%p", 64, 8, 64, "0") +
                           "  br label %end\nend:";
  const std::string error = fault(kernel(kBlock, body));
  expectContains(error,
                 "not all lanes of the subgroup reach the same operation");
  expectContains(error, "lanes 0-4 at intel_sub_group_2d_block_read");
  expectContains(error, "lanes 5-15 ended");
}

TEST(SpirvSimFault, BarrierNotReached) {
  const std::string body = "  %b = icmp ult i32 %l, 3\n"
                           "  br i1 %b, label %then, label %end\nthen:\n"
                           "  call spir_func void @_Z7barrierj(i32 1)\n"
                           "  br label %end\nend:";
  std::string error = fault(kernel("", body), 64, {32, 1, 1});
  expectContains(error, "lanes 0-2 at OpControlBarrier");
  expectContains(error, "lanes 3-15 ended");
}

TEST(SpirvSimFault, Memory) {
  // Before a buffer, after it, and in one that was freed.
  auto store = [](const std::string &index) {
    return kernel("", "  %q = getelementptr i32, ptr addrspace(1) %p, i64 " +
                          index + "\n  store i32 1, ptr addrspace(1) %q");
  };
  expectContains(fault(store("-1"), 64), "a write of 4 bytes");
  expectContains(fault(store("-1"), 64),
                 "4 bytes before the start of a buffer of 64 bytes");
  expectContains(fault(store("18"), 64), "8 bytes past the end");
  expectContains(fault(store("18"), 64), "at OpStore");
  SpirvRunner runner(compileSpirv(store("0")));
  uint8_t *p = runner.allocate<uint8_t>(64);
  ASSERT_TRUE(runner.device.free(p, nullptr).ok());
  expectContains(runSpirv(runner, {p}), "that was freed");
  // Misaligned, as the module claims.
  expectContains(
      fault(kernel("", "  %q = getelementptr i8, ptr addrspace(1) %p, i64 6\n"
                       "  %v = load i32, ptr addrspace(1) %q, align 4\n"
                       "  store i32 %v, ptr addrspace(1) %p")),
      "is misaligned: the module says that the address is a multiple of 4");
  expectContains(
      fault(kernel("", "  %q = getelementptr i8, ptr addrspace(1) %p, i64 2\n"
                       "  %v = atomicrmw add ptr addrspace(1) %q, i32 1 "
                       "monotonic")),
      "misaligned");
}

TEST(SpirvSimFault, SharedMemoryOutOfBounds) {
  const std::string error = fault(kernel(
      "@first = internal addrspace(3) global [4 x i32] undef\n"
      "@second = internal addrspace(3) global [16 x i32] undef\n",
      "  %a = getelementptr [4 x i32], ptr addrspace(3) @first, i32 0, i32 %l\n"
      "  %b = getelementptr [16 x i32], ptr addrspace(3) @second, i32 0, i32 "
      "%l\n  store i32 1, ptr addrspace(3) %b\n"
      "  store i32 %l, ptr addrspace(3) %a"));
  expectContains(error, "0 bytes past the end of variable 'first' of 16");
  expectContains(error, "lane 4");
}

TEST(SpirvSimFault, PrivateMemoryOutOfBounds) {
  const std::string error =
      fault(kernel("", "  %a = alloca [8 x i32]\n"
                       "  %q = getelementptr [8 x i32], ptr %a, i32 0, i32 %l\n"
                       "  store i32 1, ptr %q\n  %v = load i32, ptr %q\n"
                       "  store i32 %v, ptr addrspace(1) %p"));
  expectContains(error, "is outside of private memory");
  expectContains(error, "lane 8");
}

/// An alloca in a loop uses the same memory in each iteration.
TEST(SpirvSimFault, AllocaInALoop) {
  SpirvRunner runner(compileSpirv(kernel("", R"(  br label %loop
loop:
  %i = phi i32 [0, %entry], [%n, %loop]
  %a = alloca [1024 x i32]
  %m = and i32 %i, 1023
  %q = getelementptr [1024 x i32], ptr %a, i32 0, i32 %m
  store i32 %i, ptr %q
  %v = load i32, ptr %q
  %n = add i32 %v, 1
  %c = icmp ult i32 %n, 5000
  br i1 %c, label %loop, label %end
end:
  %o = getelementptr i32, ptr addrspace(1) %p, i32 %l
  store i32 %n, ptr addrspace(1) %o)")));
  ASSERT_EQ(runner.loadError(), "");
  int32_t *p = runner.allocate<int32_t>(16);
  ASSERT_EQ(runSpirv(runner, {p}), "");
  EXPECT_EQ(p[15], 5000);
}

/// Literals that look like no id, next to variables.
TEST(SpirvSimFault, LiteralsAreNoIds) {
  SpirvRunner runner(compileSpirv(kernel("", R"(
  %a = alloca [4 x i32]
  %v = load <4 x i32>, ptr addrspace(1) %p, align 4
  %s = shufflevector <4 x i32> %v, <4 x i32> poison, <4 x i32> <i32 3, i32 poison, i32 1, i32 poison>
  %e = extractelement <4 x i32> %s, i32 0
  switch i32 %e, label %end [ i32 -1, label %one
                              i32 -2, label %two ]
one:
  br label %end
two:
  br label %end
end:
  %r = phi i32 [0, %entry], [1, %one], [2, %two]
  store i32 %r, ptr %a
  %w = load i32, ptr %a
  store i32 %w, ptr addrspace(1) %p)")));
  ASSERT_EQ(runner.loadError(), "");
  int32_t *p = runner.upload<int32_t>({0, 0, 0, -2});
  ASSERT_EQ(runSpirv(runner, {p}), "");
  EXPECT_EQ(p[0], 2);
}

TEST(SpirvSimFault, UnknownFunctions) {
  auto load = [](const std::string &declaration, const std::string &call) {
    return fault(kernel(declaration, call));
  };
  std::string error = load("declare spir_func i32 @_Z7unheardi(i32)\n",
                           "  %x = call spir_func i32 @_Z7unheardi(i32 1)\n"
                           "  store i32 %x, ptr addrspace(1) %p");
  expectContains(error, "function '_Z7unheardi' is imported");
  expectContains(error, "in function 'test'");
  expectContains(error, "at word");
  // Names that Intel's compiler does not know.
  const std::string mad =
      "_Z36intel_sub_group_s8_s8_matrix_mad_k32Dv8_sDv8_iS0_";
  error = load("declare spir_func <8 x i32> @" + mad +
                   "(<8 x i16>, <8 x i32>, <8 x i32>)\n",
               "  %x = call spir_func <8 x i32> @" + mad +
                   "(<8 x i16> zeroinitializer, <8 x i32> zeroinitializer, <8 "
                   "x i32> zeroinitializer)\n  %e = extractelement <8 x i32> "
                   "%x, i32 0\n  store i32 %e, ptr addrspace(1) %p");
  expectContains(error, mad);
  expectContains(error,
                 "_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_sDv8_iS0_");
}

TEST(SpirvSimFault, WrongLaunches) {
  SpirvRunner runner(compileSpirv(
      "define spir_kernel void @test(ptr addrspace(1) %p) "
      "!reqd_work_group_size !{i32 16, i32 2, i32 1} {\n  ret void\n}\n"));
  ASSERT_EQ(runner.loadError(), "");
  uint8_t *p = runner.allocate<uint8_t>(64);
  EXPECT_EQ(runSpirv(runner, {p}, {16, 2, 1}), "");
  expectContains(
      runSpirv(runner, {p}, {32, 1, 1}),
      "compiled for workgroups of 16x2x1 lanes, but is launched with "
      "32x1x1");
  expectContains(runSpirv(runner, {p, p}, {16, 2, 1}),
                 "has 1 arguments, but the launch passes 2");
  SpirvLaunch launch;
  launch.kernel = "none";
  expectContains(runner.run(launch), "it has: test");
}

TEST(SpirvSimFault, SharedMemoryOfTheLaunch) {
  SpirvRunner one(compileSpirv(
      "define spir_kernel void @test(ptr addrspace(3) %s, ptr addrspace(1) %p) "
      "{\n  store i32 7, ptr addrspace(3) %s\n"
      "  %v = load i32, ptr addrspace(3) %s\n"
      "  store i32 %v, ptr addrspace(1) %p\n  ret void\n}\n"));
  ASSERT_EQ(one.loadError(), "");
  void *p = one.allocate<int32_t>(1);
  SpirvLaunch launch;
  launch.block = {1, 1, 1};
  launch.arguments = {&p}; // Without the pointer that the device makes.
  launch.dynamicBytes = 4;
  EXPECT_EQ(one.run(launch), "");
  EXPECT_EQ(*static_cast<int32_t *>(p), 7);
  launch.dynamicBytes = 0;
  expectContains(one.run(launch), "the launch specifies no size for it");
  launch.arguments.clear();
  expectContains(one.run(launch), "has 1 arguments, but the launch passes 0");

  SpirvRunner two(compileSpirv("define spir_kernel void @test(ptr addrspace(3) "
                               "%s, ptr addrspace(3) %t) {\n  ret void\n}\n"));
  ASSERT_EQ(two.loadError(), "");
  expectContains(two.run({"test", {1, 1, 1}, {1, 1, 1}, {}, 4}),
                 "has 2 arguments that point to shared local memory");
}

TEST(SpirvSimFault, DamagedModules) {
  const std::string good = compileSpirv(kernel("", ""));
  EXPECT_EQ(SpirvRunner(good).loadError(), "");
  for (size_t bytes : {size_t(4), size_t(18), good.size() - 6})
    EXPECT_NE(SpirvRunner(good.substr(0, bytes)).loadError(), "") << bytes;
  std::string wrong = good;
  wrong[22] = 0x7f; // The length of the first instruction.
  EXPECT_NE(SpirvRunner(wrong).loadError(), "");
}

namespace {

/// Two subgroups of 16 and shared local memory `slm`; runs under the checker.
std::string checked(const std::string &body, rt::Dim3 grid = {1, 1, 1}) {
  setenv("AIRCC_SIM_CHECK", "1", 1);
  SpirvRunner runner(compileSpirv(
      kernel("@slm = internal addrspace(3) global [64 x i32] undef\n",
             "  %i = call spir_func i64 @_Z12get_local_idj(i32 0)\n"
             "  %s = getelementptr [64 x i32], ptr addrspace(3) @slm, i64 0, "
             "i64 %i\n  %j = xor i64 %i, 31\n"
             "  %t = getelementptr [64 x i32], ptr addrspace(3) @slm, i64 0, "
             "i64 %j\n  %g = getelementptr i32, ptr addrspace(1) %p, i64 %i\n"
             "  %h = getelementptr i32, ptr addrspace(1) %p, i64 %j\n" +
                 body)));
  std::string error = runner.loadError();
  if (error.empty()) {
    int32_t *p = runner.upload<int32_t>(std::vector<int32_t>(64, 1));
    error = runSpirv(runner, {p}, {32, 1, 1}, grid);
  }
  unsetenv("AIRCC_SIM_CHECK");
  return error;
}

const char *const kStoreS = "  store i32 %l, ptr addrspace(3) %s\n";
const char *const kLoadT = "  %v = load i32, ptr addrspace(3) %t\n";
const char *const kUse = "  store i32 %v, ptr addrspace(1) %g\n";

std::string barrier(int flags) {
  return "  call spir_func void @_Z7barrierj(i32 " + std::to_string(flags) +
         ")\n";
}

} // namespace

TEST(SpirvSimCheck, SharedMemory) {
  EXPECT_EQ(checked(kStoreS + barrier(1) + kLoadT + kUse), "");
  std::string error = checked(std::string(kStoreS) + kLoadT + kUse);
  expectContains(error, "data race in shared local memory");
  expectContains(error, "no barrier that names shared local memory");
  expectContains(error, "at OpLoad");
  expectContains(error, "at OpStore");
  // A barrier for another memory does not order the accesses.
  expectContains(checked(kStoreS + barrier(2) + kLoadT + kUse), "data race");
  // The second iteration overwrites elements that other lanes still read.
  error = checked(kStoreS + barrier(1) + kLoadT + kUse +
                  "  store i32 7, ptr addrspace(3) %s\n");
  expectContains(error, "after the read by subgroup");
  expectContains(checked(std::string(kLoadT) + kUse),
                 "read of shared local memory that was never written");
}

TEST(SpirvSimCheck, WithinASubgroup) {
  // To the neighbor in the same subgroup.
  const std::string neighbor =
      "  %k = xor i64 %i, 1\n  %n = getelementptr [64 x i32], ptr "
      "addrspace(3) @slm, i64 0, i64 %k\n  %v = load i32, ptr addrspace(3) "
      "%n\n";
  expectContains(checked(kStoreS + neighbor + kUse),
                 "no barrier or other operation of the subgroup");
  EXPECT_EQ(checked(kStoreS + barrier(1) + neighbor + kUse), "");
}

TEST(SpirvSimCheck, GlobalMemory) {
  const std::string store = "  store i32 %l, ptr addrspace(1) %g\n",
                    load = "  %v = load i32, ptr addrspace(1) %h\n";
  expectContains(
      checked(store + load + "  store i32 %v, ptr addrspace(3) %s\n"),
      "data race in global memory");
  EXPECT_EQ(checked(store + barrier(3) + load +
                    "  store i32 %v, ptr addrspace(3) %s\n"),
            "");
  // Workgroups that write the same addresses: different values, and the same
  // value.
  expectContains(checked("  %w = call spir_func i64 @_Z12get_group_idj(i32 0)\n"
                         "  %x = trunc i64 %w to i32\n"
                         "  store i32 %x, ptr addrspace(1) %g\n",
                         {2, 1, 1}),
                 "nothing orders workgroups of a launch");
  EXPECT_EQ(checked("  store i32 5, ptr addrspace(1) %p\n", {3, 1, 1}), "");
  // Atomics are not races.
  EXPECT_EQ(checked("  %o = atomicrmw add ptr addrspace(1) %p, i32 1 "
                    "monotonic\n",
                    {2, 1, 1}),
            "");
}

TEST(SpirvSimCheck, BarriersAtDifferentPlaces) {
  const std::string body = "  %b = icmp ult i64 %i, 16\n"
                           "  br i1 %b, label %then, label %else\nthen:\n" +
                           barrier(1) + "  br label %end\nelse:\n" +
                           barrier(1) + "  br label %end\nend:";
  expectContains(checked(body),
                 "not all lanes of the workgroup reach the same operation");
  EXPECT_EQ(fault(kernel("", "  %i = call spir_func i64 "
                             "@_Z12get_local_idj(i32 0)\n" +
                                 body),
                  64, {32, 1, 1}),
            "");
}

/// A workgroup waits for one that has not begun, on one thread.
TEST(SpirvSimWaiting, ForALaterWorkgroup) {
  setenv("AIRCC_SIM_THREADS", "1", 1);
  // The backend makes plain accesses of LLVM's atomic loads and stores.
  SpirvRunner runner(compileSpirv(
      kernel("declare spir_func i32 @_Z18__spirv_AtomicLoadPU3AS1iii(ptr "
             "addrspace(1), i32, i32)\n"
             "declare spir_func void @_Z19__spirv_AtomicStorePU3AS1iiii(ptr "
             "addrspace(1), i32, i32, i32)\n",
             R"(
  %g = call spir_func i64 @_Z12get_group_idj(i32 0)
  %first = icmp eq i64 %g, 0
  br i1 %first, label %loop, label %set
loop:
  %v = call spir_func i32 @_Z18__spirv_AtomicLoadPU3AS1iii(ptr addrspace(1) %p, i32 1, i32 2)
  %there = icmp eq i32 %v, 7
  br i1 %there, label %found, label %loop
found:
  %q = getelementptr i32, ptr addrspace(1) %p, i64 1
  store i32 9, ptr addrspace(1) %q
  br label %end
set:
  call spir_func void @_Z19__spirv_AtomicStorePU3AS1iiii(ptr addrspace(1) %p, i32 1, i32 4, i32 7)
  br label %end
end:)")));
  ASSERT_EQ(runner.loadError(), "");
  int32_t *p = runner.upload<int32_t>({0, 0});
  EXPECT_EQ(runSpirv(runner, {p}, {16, 1, 1}, {2, 1, 1}), "");
  EXPECT_EQ(p[1], 9);
  // A single workgroup waits forever, which is reported.
  p[0] = 0;
  runner.device.setWaitLimit(std::chrono::milliseconds(200),
                             [](uint64_t) { return std::string("the flag"); });
  const std::string error = runSpirv(runner, {p}, {16, 1, 1}, {1, 1, 1});
  expectContains(error, "have been waiting for 0.2 s");
  expectContains(error, "this lane polls the flag, address 0x");
  expectContains(error, ", which holds 0x0; at OpAtomicLoad");
  unsetenv("AIRCC_SIM_THREADS");
}

// An instruction that has accessed a range of memory may access the range again
// without a check, and nothing else.

namespace {

/// Lane l accesses element l * `stride` + i of %p, for i from 0 to `end` - 1.
std::string walk(const std::string &declarations, const std::string &address,
                 int end, const std::string &after = "") {
  return kernel(declarations,
                "  br label %loop\nloop:\n"
                "  %i = phi i32 [0, %entry], [%next, %loop]\n" +
                    address +
                    "  %next = add i32 %i, 1\n"
                    "  %more = icmp ult i32 %next, " +
                    std::to_string(end) +
                    "\n  br i1 %more, label %loop, label %out\nout:\n" + after);
}

} // namespace

TEST(SpirvSimFault, BehindTheEndAfterAWalk) {
  const std::string address =
      "  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i\n"
      "  store i32 %i, ptr addrspace(1) %q\n";
  EXPECT_EQ(fault(walk("", address, 64), 256), "");
  expectContains(fault(walk("", address, 65), 256), "a write of 4 bytes");
  expectContains(fault(walk("", address, 65), 256),
                 "is outside of all buffers");
  // Only a part of the last element is in the buffer.
  expectContains(fault(walk("", address, 64), 255),
                 "is outside of all buffers");
}

TEST(SpirvSimFault, BetweenVariablesAfterAWalk) {
  const std::string address =
      "  %q = getelementptr i32, ptr addrspace(3) @first, i32 %i\n"
      "  store i32 %i, ptr addrspace(3) %q\n";
  const std::string variables =
      "@first = internal addrspace(3) global [4 x i32] undef\n"
      "@second = internal addrspace(3) global [4 x i32] undef\n";
  const std::string after = "  %s = load i32, ptr addrspace(3) @second\n"
                            "  store i32 %s, ptr addrspace(1) %p\n";
  EXPECT_EQ(fault(walk(variables, address, 4, after)), "");
  expectContains(fault(walk(variables, address, 5, after)),
                 "is outside of shared local memory");
}

TEST(SpirvSimFault, BehindAPrivateVariableAfterAWalk) {
  const std::string body = "  %q = getelementptr i32, ptr %a, i32 %i\n"
                           "  store volatile i32 0, ptr %b\n"
                           "  store i32 %i, ptr %q\n";
  auto program = [&](int end) {
    return std::string(kSpirvPrelude) +
           "define spir_kernel void @test(ptr addrspace(1) %p) "
           "!intel_reqd_sub_group_size !{i32 16} {\nentry:\n"
           "  %a = alloca [8 x i32]\n  %b = alloca [8 x i32]\n"
           "  br label %loop\nloop:\n"
           "  %i = phi i32 [0, %entry], [%next, %loop]\n" +
           body +
           "  %next = add i32 %i, 1\n"
           "  %more = icmp ult i32 %next, " +
           std::to_string(end) +
           "\n  br i1 %more, label %loop, label %out\nout:\n"
           "  %v = load i32, ptr %q\n"
           "  store i32 %v, ptr addrspace(1) %p\n"
           "  ret void\n}\n";
  };
  EXPECT_EQ(fault(program(8)), "");
  expectContains(fault(program(9)), "is outside of private memory");
}

TEST(SpirvSimFault, MisalignedAfterAWalk) {
  const std::string address =
      "  %q = getelementptr i8, ptr addrspace(1) %p, i32 %i\n"
      "  %v = load i32, ptr addrspace(1) %q, align 4\n"
      "  store i32 %v, ptr addrspace(1) %p, align 4\n";
  EXPECT_EQ(fault(walk("", address, 1)), "");
  expectContains(fault(walk("", address, 2)), "is misaligned");
}

TEST(SpirvSimFault, BlocksAreForSubgroupsOf16) {
  std::string ir =
      kernel(kBlock, blockRead("%p", /*width=*/64, /*height=*/8, 64, "0"));
  const std::string size = "!intel_reqd_sub_group_size !{i32 16}";
  EXPECT_EQ(fault(ir), "");
  ir.replace(ir.find(size), size.size(), "!intel_reqd_sub_group_size !{i32 8}");
  expectContains(fault(ir),
                 "the subgroup has 8 lanes, but the instruction requires 16");
}
