//===- SimKernelGenerator.cpp - Random kernels in LLVM IR -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimKernelGenerator.h"

#include "test/unit/simulator/SimKernelBody.h"

using namespace aircc::sim::test;
using namespace aircc::sim::test::generator;
using Layout = KernelLayout;

namespace {

std::string declarations(bool device, const KernelTarget &target) {
  std::string out;
  auto declare = [&](const std::string &result, const std::string &name,
                     const std::string &args) {
    out += "declare " + result + " @llvm." + name + "(" + args + ")\n";
  };
  auto repeat = [](const std::string &type, unsigned n) {
    std::string s;
    for (unsigned i = 0; i < n; ++i)
      s += (i ? ", " : "") + type;
    return s;
  };
  for (unsigned t : {kI8, kI16, kI32, kI64}) {
    std::string type = kNames[t], s = std::string(".") + kSuffixes[t];
    if (t != kI8)
      for (const char *name : {"ctpop", "bswap", "bitreverse"})
        declare(type, name + s, type);
    for (const char *name : {"ctlz", "cttz", "abs"})
      declare(type, name + s, type + ", i1");
    for (const char *name : {"fshl", "fshr"})
      declare(type, name + s, repeat(type, 3));
    for (const char *name : {"uadd", "sadd", "usub", "ssub", "umul", "smul"})
      declare("{ " + type + ", i1 }", std::string(name) + ".with.overflow" + s,
              repeat(type, 2));
  }
  for (unsigned t : {kI8, kI16, kI32, kI64, kV4I8, kV2I16, kV2I32, kV4I32})
    for (const char *name : {"umin", "umax", "smin", "smax", "uadd.sat",
                             "sadd.sat", "usub.sat", "ssub.sat"})
      declare(kNames[t], std::string(name) + "." + kSuffixes[t],
              repeat(kNames[t], 2));
  for (unsigned t : {kHalf, kFloat, kDouble}) {
    std::string type = kNames[t], s = std::string(".") + kSuffixes[t];
    for (const char *name : {"floor", "ceil", "trunc", "rint", "sqrt",
                             "nearbyint", "roundeven", "round", "fabs"})
      declare(type, name + s, type);
    for (const char *name : {"minimum", "maximum"})
      declare(type, name + s, repeat(type, 2));
    for (const char *sat : {"fptosi", "fptoui"})
      declare("i32", std::string(sat) + ".sat.i32" + s, type);
  }
  for (unsigned t : {kHalf, kFloat, kDouble}) {
    std::string type = kNames[t], s = std::string(".") + kSuffixes[t];
    declare(type, "ldexp" + s + ".i32", type + ", i32");
    declare("{ " + type + ", i32 }", "frexp" + s + ".i32", type);
  }
  for (unsigned t : {kHalf, kFloat, kDouble, kBFloat}) {
    std::string type = kNames[t], s = std::string(".") + kSuffixes[t];
    declare(type, "copysign" + s, repeat(type, 2));
    declare("i1", "is.fpclass" + s, type + ", i32");
  }
  declare("bfloat", "fabs.bf16", "bfloat");
  for (unsigned t : {kHalf, kFloat, kDouble, kV2Half, kV2Float})
    declare(kNames[t], std::string("fma.") + kSuffixes[t],
            repeat(kNames[t], 3));
  auto pointerType = [](const std::string &n) {
    return n == "0" ? std::string("ptr") : "ptr addrspace(" + n + ")";
  };
  std::vector<std::string> spaces = {"0"};
  if (device)
    spaces = {"0", "1", "3", "5"};
  for (const std::string &a : spaces) {
    declare("void", "memset.p" + a + ".i64", pointerType(a) + ", i8, i64, i1");
    for (const std::string &b : spaces)
      declare("void", "memcpy.p" + a + ".p" + b + ".i64",
              pointerType(a) + ", " + pointerType(b) + ", i64, i1");
  }
  if (device) {
    declare("i32", "amdgcn.workitem.id.x", "");
    declare("i32", "amdgcn.readfirstlane.i32", "i32");
    declare("i32", "amdgcn.readlane.i32", "i32, i32");
    declare("i32", "amdgcn.ds.bpermute", "i32, i32");
    declare("i32", "amdgcn.ds.swizzle", "i32, i32");
    declare("i32", "amdgcn.update.dpp.i32", "i32, i32, i32, i32, i32, i1");
    declare("i64", "amdgcn.ballot.i64", "i1");
    declare("i32", "amdgcn.mbcnt.lo", "i32, i32");
    declare("i32", "amdgcn.mbcnt.hi", "i32, i32");
    if (target.generation >= 11) {
      declare("i32", "amdgcn.permlane16.i32", "i32, i32, i32, i32, i1, i1");
      declare("i32", "amdgcn.permlanex16.i32", "i32, i32, i32, i32, i1, i1");
    }
  }
  return out;
}

/// A function with arguments on the stack that returns a struct.
std::string manyArguments() {
  std::string out = "define internal { i64, double, <2 x i16> } @many(";
  for (unsigned i = 0; i < kManyArguments; ++i)
    out += "i32 %a" + std::to_string(i) + ", ";
  out += "double %d, <2 x i16> %v, i64 %w) noinline {\nentry:\n"
         "  %s0 = mul i64 %w, 3\n";
  for (unsigned i = 0; i < kManyArguments; ++i) {
    std::string n = std::to_string(i), next = std::to_string(i + 1);
    out += "  %z" + n + " = zext i32 %a" + n + " to i64\n  %t" + n +
           " = xor i64 %s" + n + ", %z" + n + "\n  %s" + next +
           " = mul i64 %t" + n + ", " + std::to_string(2 * i + 3) + "\n";
  }
  std::string last = std::to_string(kManyArguments);
  out += "  %e = fneg double %d\n"
         "  %u = add <2 x i16> %v, <i16 1, i16 -3>\n"
         "  %r0 = insertvalue { i64, double, <2 x i16> } poison, i64 %s" +
         last +
         ", 0\n"
         "  %r1 = insertvalue { i64, double, <2 x i16> } %r0, double %e, 1\n"
         "  %r2 = insertvalue { i64, double, <2 x i16> } %r1, <2 x i16> %u, 2\n"
         "  ret { i64, double, <2 x i16> } %r2\n}\n";
  return out;
}

std::string functions(const KernelTarget &target, bool device, uint32_t seed) {
  std::string out = manyArguments();
  for (unsigned f = 0; f < 3; ++f) {
    Body body(target, device, seed * 7u + f);
    body.function(f);
    out += "define internal i32 @f" + std::to_string(f) +
           "(i32 %a, i64 %b, float %c) noinline {\nentry:\n" + body.text +
           "}\n";
  }
  out += "define internal i32 @recurse(i32 %n, i32 %x) noinline {\nentry:\n"
         "  %done = icmp eq i32 %n, 0\n"
         "  br i1 %done, label %end, label %more\n"
         "more:\n"
         "  %m = sub i32 %n, 1\n"
         "  %y = mul i32 %x, 5\n"
         "  %z = add i32 %y, %n\n"
         "  %r = call i32 @recurse(i32 %m, i32 %z)\n"
         "  %s = xor i32 %r, %x\n"
         "  ret i32 %s\n"
         "end:\n"
         "  ret i32 %x\n"
         "}\n";
  return out;
}

} // namespace

const char *aircc::sim::test::outputType(unsigned type) { return kNames[type]; }

bool aircc::sim::test::isNanOf(unsigned type, uint64_t v) {
  switch (type) {
  case kHalf:
    return (v & 0x7fff) > 0x7c00;
  case kBFloat:
    return (v & 0x7fff) > 0x7f80;
  case kFloat:
    return (v & 0x7fffffff) > 0x7f800000;
  case kDouble:
    return (v & ~(uint64_t(1) << 63)) > 0x7ff0000000000000;
  default:
    return false;
  }
}

GeneratedKernels
aircc::sim::test::generateKernels(const KernelTarget &target, uint32_t seed,
                                  unsigned count, unsigned statements,
                                  const std::set<unsigned> &without) {
  GeneratedKernels made;
  const std::string bytes = std::to_string(Layout::kArena),
                    arena = "[" + bytes + " x i8]",
                    outs = std::to_string(Layout::kOutBytes),
                    zeros = "[" + std::to_string(Layout::kArena / 8) +
                            " x i64] zeroinitializer";
  made.device = "@lds = internal addrspace(3) global [" +
                std::to_string(Layout::kArena * Layout::kLanes) +
                " x i8] poison, align 16\n";
  for (unsigned n = 0; n < count; ++n) {
    Body body(target, true, seed + n), host(target, false, seed + n);
    body.kernel(statements, without);
    host.kernel(statements, without);
    made.exchanges.push_back(body.exchanges);
    made.device +=
        "define amdgpu_kernel void @test" + std::to_string(n) +
        "(ptr addrspace(1) %a, ptr addrspace(1) %b) #0 {\nentry:\n"
        "  %private = alloca " +
        arena +
        ", align 16, addrspace(5)\n"
        "  %t = call i32 @llvm.amdgcn.workitem.id.x()\n"
        "  %io = mul i32 %t, " +
        std::to_string(Layout::kInBytes) + "\n  %oo = mul i32 %t, " +
        std::to_string(Layout::kOutBytes + 3 * Layout::kArena) +
        "\n  %so = mul i32 %t, " + bytes +
        "\n"
        "  %in = getelementptr i8, ptr addrspace(1) %a, i32 %io\n"
        "  %out = getelementptr i8, ptr addrspace(1) %b, i32 %oo\n"
        "  %global = getelementptr i8, ptr addrspace(1) %out, i32 " +
        outs +
        "\n"
        "  %shared = getelementptr i8, ptr addrspace(3) @lds, i32 %so\n"
        "  %fprivate = addrspacecast ptr addrspace(5) %private to ptr\n"
        "  %fshared = addrspacecast ptr addrspace(3) %shared to ptr\n"
        "  %fglobal = addrspacecast ptr addrspace(1) %global to ptr\n"
        "  store " +
        zeros + ", ptr addrspace(5) %private\n  store " + zeros +
        ", ptr addrspace(3) %shared\n" + body.text + "  ret void\n}\n";
    made.host += "define void @host" + std::to_string(n) +
                 "(ptr %in, ptr %out, ptr %exchange) {\nentry:\n"
                 "  %private = alloca " +
                 arena + ", align 16\n  %shared = alloca " + arena +
                 ", align 16\n"
                 "  %global = getelementptr i8, ptr %out, i32 " +
                 outs +
                 "\n"
                 "  %fprivate = getelementptr i8, ptr %private, i32 0\n"
                 "  %fshared = getelementptr i8, ptr %shared, i32 0\n"
                 "  %fglobal = getelementptr i8, ptr %global, i32 0\n"
                 "  store " +
                 zeros + ", ptr %private\n  store " + zeros +
                 ", ptr %shared\n" + host.text + "  ret void\n}\n";
  }
  const uint32_t module = seed / kKernelsPerModule;
  made.device +=
      "attributes #0 = { \"amdgpu-flat-work-group-size\"=\"64,64\" }\n" +
      functions(target, true, module) + declarations(true, target) +
      "!0 = !{}\n";
  made.host += functions(target, false, module) + declarations(false, target);
  return made;
}
