//===- SpirvSimGroupTest.cpp - Lanes together in SPIR-V kernels -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/spirv/SpirvSimSupport.h"

#include "gtest/gtest.h"

#include <functional>

using namespace aircc;
using namespace aircc::sim::test;

namespace {

const char *const kDeclarations = R"(
declare spir_func i32 @_Z21sub_group_shuffle_xorij(i32, i32)
declare spir_func i32 @_Z20sub_group_shuffle_upij(i32, i32)
declare spir_func i32 @_Z22sub_group_shuffle_downij(i32, i32)
declare spir_func i32 @_Z17sub_group_shuffleij(i32, i32)
declare spir_func i32 @_Z19sub_group_broadcastij(i32, i32)
declare spir_func i32 @_Z20sub_group_reduce_addi(i32)
declare spir_func i32 @_Z20sub_group_reduce_mini(i32)
declare spir_func i32 @_Z20sub_group_reduce_maxj(i32)
declare spir_func i32 @_Z28sub_group_scan_inclusive_addi(i32)
declare spir_func i32 @_Z28sub_group_scan_exclusive_addi(i32)
declare spir_func i32 @_Z13sub_group_alli(i32)
declare spir_func i32 @_Z13sub_group_anyi(i32)
declare spir_func i32 @_Z21work_group_reduce_addi(i32)
declare spir_func i32 @_Z20work_group_broadcastij(i32, i64)
declare spir_func <4 x i32> @_Z16sub_group_balloti(i32)
)";

/// The value that lane `lane` of each subgroup gets from %v, which is lane²
/// - 20.
void check(const std::string &expression,
           const std::function<int32_t(unsigned)> &expected,
           const std::function<bool(unsigned)> &isDefined = nullptr) {
  SCOPED_TRACE(expression);
  SpirvRunner runner(
      compileSpirv(std::string(kSpirvPrelude) + kDeclarations +
                   "define spir_kernel void @test(ptr addrspace(1) %out) "
                   "!intel_reqd_sub_group_size !{i32 16} {\n"
                   "  %l = call spir_func i32 @_Z22get_sub_group_local_id()\n"
                   "  %i = call spir_func i64 @_Z13get_global_idj(i32 0)\n"
                   "  %m = mul i32 %l, %l\n  %v = sub i32 %m, 20\n  " +
                   expression +
                   "\n  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i\n"
                   "  store i32 %r, ptr addrspace(1) %p\n  ret void\n}\n"));
  ASSERT_EQ(runner.loadError(), "");
  constexpr unsigned lanes = 64;
  int32_t *out = runner.allocate<int32_t>(lanes);
  ASSERT_EQ(runSpirv(runner, {out}, {lanes, 1, 1}), "");
  for (unsigned n = 0; n < lanes; ++n)
    if (!isDefined || isDefined(n % 16))
      EXPECT_EQ(out[n], expected(n % 16)) << "lane " << n;
}

int32_t valueOf(unsigned lane) { return int32_t(lane * lane) - 20; }

std::string call(const std::string &name, const std::string &rest = "") {
  return "%r = call spir_func i32 @" + name + "(i32 %v" + rest + ")";
}

} // namespace

TEST(SpirvSimGroup, Shuffles) {
  check(call("_Z21sub_group_shuffle_xorij", ", i32 5"),
        [](unsigned l) { return valueOf(l ^ 5); });
  check(
      call("_Z20sub_group_shuffle_upij", ", i32 3"),
      [](unsigned l) { return valueOf(l - 3); },
      [](unsigned l) { return l >= 3; });
  check(
      call("_Z22sub_group_shuffle_downij", ", i32 2"),
      [](unsigned l) { return valueOf(l + 2); },
      [](unsigned l) { return l + 2 < 16; });
  check("%s = xor i32 %l, 9\n" + call("_Z17sub_group_shuffleij", ", i32 %s"),
        [](unsigned l) { return valueOf(l ^ 9); });
  check(call("_Z19sub_group_broadcastij", ", i32 7"),
        [](unsigned) { return valueOf(7); });
}

TEST(SpirvSimGroup, Reductions) {
  auto sum = [](unsigned from, unsigned to) {
    int32_t s = 0;
    for (unsigned n = from; n < to; ++n)
      s += valueOf(n);
    return s;
  };
  check(call("_Z20sub_group_reduce_addi"),
        [&](unsigned) { return sum(0, 16); });
  check(call("_Z20sub_group_reduce_mini"), [](unsigned) { return -20; });
  check(
      call("_Z20sub_group_reduce_maxj"), [](unsigned) { return -1; },
      [](unsigned) { return false; });
  check(call("_Z28sub_group_scan_inclusive_addi"),
        [&](unsigned l) { return sum(0, l + 1); });
  check(call("_Z28sub_group_scan_exclusive_addi"),
        [&](unsigned l) { return sum(0, l); });
  check(call("_Z21work_group_reduce_addi"),
        [&](unsigned) { return 4 * sum(0, 16); });
}

TEST(SpirvSimGroup, Votes) {
  check("%c = icmp sgt i32 %v, 0\n  %z = zext i1 %c to i32\n"
        "  %r = call spir_func i32 @_Z13sub_group_anyi(i32 %z)",
        [](unsigned) { return 1; });
  check("%c = icmp sgt i32 %v, 0\n  %z = zext i1 %c to i32\n"
        "  %r = call spir_func i32 @_Z13sub_group_alli(i32 %z)",
        [](unsigned) { return 0; });
  check("%c = icmp sgt i32 %v, 0\n  %z = zext i1 %c to i32\n"
        "  %b = call spir_func <4 x i32> @_Z16sub_group_balloti(i32 %z)\n"
        "  %r = extractelement <4 x i32> %b, i32 0",
        [](unsigned) { return 0xffe0; });
}

/// Lanes in different branches shuffle among themselves.
TEST(SpirvSimGroup, DivergentShuffle) {
  SpirvRunner runner(compileSpirv(std::string(kSpirvPrelude) + kDeclarations +
                                  R"(
define spir_kernel void @test(ptr addrspace(1) %out) !intel_reqd_sub_group_size !{i32 16} {
entry:
  %l = call spir_func i32 @_Z22get_sub_group_local_id()
  %b = and i32 %l, 2
  %c = icmp eq i32 %b, 0
  br i1 %c, label %then, label %else
then:
  %x = call spir_func i32 @_Z21sub_group_shuffle_xorij(i32 %l, i32 1)
  br label %end
else:
  %t = mul i32 %l, 10
  %y = call spir_func i32 @_Z21sub_group_shuffle_xorij(i32 %t, i32 1)
  br label %end
end:
  %r = phi i32 [%x, %then], [%y, %else]
  %s = call spir_func i32 @_Z20sub_group_reduce_addi(i32 %r)
  %d = add i32 %r, %s
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %l
  store i32 %d, ptr addrspace(1) %p
  ret void
})"));
  ASSERT_EQ(runner.loadError(), "");
  int32_t *out = runner.allocate<int32_t>(16);
  ASSERT_EQ(runSpirv(runner, {out}), "");
  auto value = [](int l) { return (l & 2 ? 10 : 1) * (l ^ 1); };
  int sum = 0;
  for (int l = 0; l < 16; ++l)
    sum += value(l);
  for (int l = 0; l < 16; ++l)
    EXPECT_EQ(out[l], value(l) + sum) << l;
}

/// A tree through shared local memory over several subgroups, with barriers in
/// a loop.
TEST(SpirvSimGroup, BarriersAndSharedMemory) {
  SpirvRunner runner(compileSpirv(std::string(kSpirvPrelude) + R"(
@slm = internal addrspace(3) global [256 x i32] undef, align 64
define spir_kernel void @test(ptr addrspace(1) %in, ptr addrspace(1) %out) !intel_reqd_sub_group_size !{i32 16} {
entry:
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %g = call spir_func i64 @_Z12get_group_idj(i32 0)
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %v = load i32, ptr addrspace(1) %pi
  %ps = getelementptr [256 x i32], ptr addrspace(3) @slm, i64 0, i64 %l
  store i32 %v, ptr addrspace(3) %ps
  br label %loop
loop:
  %n = phi i64 [128, %entry], [%half, %next]
  call spir_func void @_Z7barrierj(i32 1)
  %c = icmp ult i64 %l, %n
  br i1 %c, label %add, label %next
add:
  %o = add i64 %l, %n
  %po = getelementptr [256 x i32], ptr addrspace(3) @slm, i64 0, i64 %o
  %x = load i32, ptr addrspace(3) %po
  %y = load i32, ptr addrspace(3) %ps
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(3) %ps
  br label %next
next:
  %half = lshr i64 %n, 1
  %more = icmp ne i64 %half, 0
  br i1 %more, label %loop, label %end
end:
  %first = icmp eq i64 %l, 0
  br i1 %first, label %write, label %exit
write:
  %r = load i32, ptr addrspace(3) %ps
  %pr = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %r, ptr addrspace(1) %pr
  br label %exit
exit:
  ret void
})"));
  ASSERT_EQ(runner.loadError(), "");
  constexpr unsigned groups = 40, lanes = 256;
  std::vector<int32_t> in(groups * lanes);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = int32_t(i * 2654435761u >> 8);
  int32_t *pin = runner.upload(in), *out = runner.allocate<int32_t>(groups);
  ASSERT_EQ(runSpirv(runner, {pin, out}, {lanes, 1, 1}, {groups, 1, 1}), "");
  for (unsigned g = 0; g < groups; ++g) {
    uint32_t sum = 0;
    for (unsigned l = 0; l < lanes; ++l)
      sum += in[g * lanes + l];
    EXPECT_EQ(uint32_t(out[g]), sum) << g;
  }
}

/// Ids in three dimensions.
TEST(SpirvSimGroup, Ids) {
  std::string ir = kSpirvPrelude;
  ir += "declare spir_func i64 @_Z14get_num_groupsj(i32)\n"
        "declare spir_func i64 @_Z15get_global_sizej(i32)\n"
        "declare spir_func i32 @_Z18get_num_sub_groupsv()\n"
        "declare spir_func i64 @_Z20get_global_linear_idv()\n"
        "define spir_kernel void @test(ptr addrspace(1) %out) "
        "!intel_reqd_sub_group_size !{i32 16} {\n"
        "  %i = call spir_func i64 @_Z20get_global_linear_idv()\n"
        "  %first = mul i64 %i, 18\n";
  unsigned n = 0;
  for (const char *name :
       {"_Z13get_global_idj", "_Z12get_local_idj", "_Z12get_group_idj",
        "_Z14get_local_sizej", "_Z14get_num_groupsj", "_Z15get_global_sizej"})
    for (int d = 0; d < 3; ++d, ++n) {
      const std::string k = std::to_string(n);
      ir += "  %v" + k + " = call spir_func i64 @" + name + "(i32 " +
            std::to_string(d) + ")\n  %o" + k + " = add i64 %first, " + k +
            "\n  %p" + k +
            " = getelementptr i64, ptr addrspace(1) %out, i64 "
            "%o" +
            k + "\n  store i64 %v" + k + ", ptr addrspace(1) %p" + k + "\n";
    }
  SpirvRunner runner(compileSpirv(ir + "  ret void\n}\n"));
  ASSERT_EQ(runner.loadError(), "");
  const uint64_t block[] = {4, 3, 2}, grid[] = {2, 3, 2};
  int64_t *out = runner.allocate<int64_t>(24 * 12 * 18);
  ASSERT_EQ(runSpirv(runner, {out}, {4, 3, 2}, {2, 3, 2}), "");
  for (uint64_t z = 0; z < 4; ++z)
    for (uint64_t y = 0; y < 9; ++y)
      for (uint64_t x = 0; x < 8; ++x) {
        const uint64_t at[] = {x, y, z};
        const int64_t *ids = out + ((z * 9 + y) * 8 + x) * 18;
        for (int d = 0; d < 3; ++d) {
          EXPECT_EQ(uint64_t(ids[d]), at[d]);
          EXPECT_EQ(uint64_t(ids[3 + d]), at[d] % block[d]);
          EXPECT_EQ(uint64_t(ids[6 + d]), at[d] / block[d]);
          EXPECT_EQ(uint64_t(ids[9 + d]), block[d]);
          EXPECT_EQ(uint64_t(ids[12 + d]), grid[d]);
          EXPECT_EQ(uint64_t(ids[15 + d]), grid[d] * block[d]);
        }
      }
}

TEST(SpirvSimAtomic, EveryOperation) {
  struct Case {
    const char *op, *type;
    int64_t start, expected;
    unsigned bytes;
  };
  // 64 lanes; the value of each lane is its number.
  const Case cases[] = {
      {"add", "i32", 5, 5 + 64 * 63 / 2, 4},
      {"sub", "i32", 5, 5 - 64 * 63 / 2, 4},
      {"max", "i32", -5, 63, 4},
      {"min", "i32", 5, 0, 4},
      {"umax", "i32", 5, 63, 4},
      {"umin", "i32", 5, 0, 4},
      {"or", "i32", 64, 127, 4},
      {"and", "i32", 127, 0, 4},
      {"xor", "i32", 1, 1, 4},
      {"add", "i64", int64_t(1) << 40, (int64_t(1) << 40) + 2016, 8},
      {"max", "i64", -5, 63, 8},
  };
  for (const Case &c : cases) {
    const std::string t = c.type;
    SpirvRunner runner(compileSpirv(
        std::string(kSpirvPrelude) +
        "define spir_kernel void @test(ptr addrspace(1) %p) {\n"
        "  %i = call spir_func i64 @_Z13get_global_idj(i32 0)\n"
        "  %v = trunc i64 %i to i32\n  %w = " +
        (t == "i64" ? "add i64 %i, 0" : "add i32 %v, 0") +
        "\n  %o = atomicrmw " + c.op + " ptr addrspace(1) %p, " + t +
        " %w syncscope(\"device\") monotonic\n  ret void\n}\n"));
    ASSERT_EQ(runner.loadError(), "");
    int64_t *p = runner.upload<int64_t>({c.start});
    ASSERT_EQ(runSpirv(runner, {p}, {32, 1, 1}, {2, 1, 1}), "");
    int64_t got = c.bytes == 8 ? *p : *reinterpret_cast<int32_t *>(p);
    EXPECT_EQ(got, c.expected) << c.op << " " << c.type;
  }
}

TEST(SpirvSimAtomic, FloatsAndCompareExchange) {
  SpirvRunner runner(compileSpirv(std::string(kSpirvPrelude) + R"(
define spir_kernel void @test(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %m) {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %f = uitofp i64 %i to float
  %o = atomicrmw fadd ptr addrspace(1) %p, float %f syncscope("device") monotonic
  %x = atomicrmw fmax ptr addrspace(1) %m, float %f syncscope("device") monotonic
  br label %loop
loop:
  %old = load atomic i32, ptr addrspace(1) %q syncscope("device") monotonic, align 4
  %new = add i32 %old, 3
  %pair = cmpxchg ptr addrspace(1) %q, i32 %old, i32 %new syncscope("device") acq_rel monotonic
  %ok = extractvalue { i32, i1 } %pair, 1
  br i1 %ok, label %end, label %loop
end:
  ret void
})"));
  ASSERT_EQ(runner.loadError(), "");
  float *p = runner.upload<float>({0.5f}), *m = runner.upload<float>({-1});
  int32_t *q = runner.upload<int32_t>({1});
  ASSERT_EQ(runSpirv(runner, {p, q, m}, {64, 1, 1}, {4, 1, 1}), "");
  EXPECT_EQ(*p, 0.5f + 256 * 255 / 2.0f);
  EXPECT_EQ(*m, 255);
  EXPECT_EQ(*q, 1 + 3 * 256);
}

/// Linear blocks of every type: element n of lane l is at n * 16 + l.
TEST(SpirvSimBlock, Linear) {
  struct Case {
    const char *suffix, *type, *pointer;
    unsigned bytes, elements;
  };
  const Case cases[] = {
      {"_uc", "i8", "h", 1, 1},         {"_uc4", "<4 x i8>", "h", 1, 4},
      {"_us", "i16", "t", 2, 1},        {"_us2", "<2 x i16>", "t", 2, 2},
      {"_us8", "<8 x i16>", "t", 2, 8}, {"", "i32", "j", 4, 1},
      {"4", "<4 x i32>", "j", 4, 4},    {"_ui8", "<8 x i32>", "j", 4, 8},
      {"_ul2", "<2 x i64>", "m", 8, 2},
  };
  auto mangled = [](const std::string &name, const std::string &types) {
    return "_Z" + std::to_string(name.size()) + name + types;
  };
  for (const Case &c : cases) {
    SCOPED_TRACE(c.suffix);
    const std::string t = c.type;
    const std::string pointer = std::string("PU3AS1") + c.pointer;
    const std::string read =
        mangled(std::string("intel_sub_group_block_read") + c.suffix,
                std::string("PU3AS1K") + c.pointer);
    const std::string write =
        mangled(std::string("intel_sub_group_block_write") + c.suffix,
                pointer +
                    (c.elements > 1 ? "Dv" + std::to_string(c.elements) + "_"
                                    : std::string()) +
                    c.pointer);
    SpirvRunner runner(compileSpirv(
        std::string(kSpirvPrelude) + "declare spir_func " + t + " @" + read +
        "(ptr addrspace(1))\ndeclare spir_func void @" + write +
        "(ptr addrspace(1), " + t +
        ")\ndefine spir_kernel void @test(ptr addrspace(1) %a, ptr "
        "addrspace(1) %b, ptr addrspace(1) %c) !intel_reqd_sub_group_size "
        "!{i32 16} {\n"
        "  %l = call spir_func i32 @_Z22get_sub_group_local_id()\n"
        "  %v = call spir_func " +
        t + " @" + read +
        "(ptr addrspace(1) %a)\n"
        "  %p = getelementptr " +
        t +
        ", ptr addrspace(1) %b, i32 %l\n"
        "  store " +
        t +
        " %v, ptr addrspace(1) %p\n"
        "  call spir_func void @" +
        write + "(ptr addrspace(1) %c, " + t + " %v)\n  ret void\n}\n"));
    ASSERT_EQ(runner.loadError(), "");
    const unsigned bytes = 16 * c.bytes * c.elements;
    std::vector<uint8_t> in(bytes);
    for (unsigned i = 0; i < bytes; ++i)
      in[i] = static_cast<uint8_t>(i * 37);
    uint8_t *a = runner.upload(in), *b = runner.allocate<uint8_t>(bytes),
            *out = runner.allocate<uint8_t>(bytes);
    ASSERT_EQ(runSpirv(runner, {a, b, out}), "");
    EXPECT_TRUE(!std::memcmp(out, in.data(), bytes));
    for (unsigned l = 0; l < 16; ++l)
      for (unsigned n = 0; n < c.elements; ++n)
        EXPECT_TRUE(!std::memcmp(b + (l * c.elements + n) * c.bytes,
                                 &in[(n * 16 + l) * c.bytes], c.bytes));
  }
}
