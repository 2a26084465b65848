//===- SimKernelBody.cpp - Random statements in LLVM IR -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimKernelBody.h"

#include "test/unit/simulator/SimKernelDefects.h"

using namespace aircc::sim::test;
using namespace aircc::sim::test::generator;
using Layout = KernelLayout;

std::string Body::spaceNumber(unsigned arena) const {
  if (!device || arena >= kFlatPrivate)
    return "0";
  return arena == kPrivate ? "5" : arena == kShared ? "3" : "1";
}

std::string Body::space(unsigned arena) const {
  std::string number = spaceNumber(arena);
  return number == "0" ? "" : " addrspace(" + number + ")";
}

/// Returns a pointer to `bytes` bytes of an arena, at a constant or computed
/// offset.
std::string Body::pointer(unsigned arena, unsigned bytes, unsigned align) {
  const char *bases[] = {"%private",  "%shared",  "%global",
                         "%fprivate", "%fshared", "%fglobal"};
  std::string p = "ptr" + space(arena);
  unsigned last = (Layout::kArena - bytes) / align;
  if (pick(2))
    return value("getelementptr i8, " + p + " " + bases[arena] + ", i32 " +
                 std::to_string(pick(last + 1) * align));
  // The offset is below 32 bytes, so that a mask keeps it in bounds.
  std::string offset =
      value("and i32 " + use(kI32) + ", " + std::to_string(31 & ~(align - 1)));
  return value("getelementptr i8, " + p + " " + bases[arena] + ", i32 " +
               offset);
}

void Body::memory() {
  unsigned arena = pick(kArenas);
  std::string p = "ptr" + space(arena);
  if (pick(8) == 0) {
    // Inline memory intrinsics.
    const char *counts[] = {"1", "3", "4", "8", "12", "16", "20"};
    const unsigned bytes[] = {1, 3, 4, 8, 12, 16, 20};
    unsigned n = pick(7);
    std::string to = pointer(arena, bytes[n], 1);
    if (pick(2)) {
      line("call void @llvm.memset.p" + spaceNumber(arena) + ".i64(" + p + " " +
           to + ", " + typed(kI8) + ", i64 " + counts[n] + ", i1 false)");
      return;
    }
    // Copies between two memory spaces, which do not overlap.
    unsigned other = (arena % 3 + 1 + pick(2)) % 3;
    std::string from = pointer(other, bytes[n], 1);
    line("call void @llvm.memcpy.p" + spaceNumber(arena) + ".p" +
         spaceNumber(other) + ".i64(" + p + " " + to + ", ptr" + space(other) +
         " " + from + ", i64 " + counts[n] + ", i1 false)");
    return;
  }
  // Floats are stored and loaded as integers, which keep the bits of NaNs.
  // Accesses of different float types would mix at one address.
  static const unsigned kKinds[] = {kI8,    kI16,   kI32,  kI64,
                                    kV2I32, kV4I32, kV4I8, kV2I16};
  unsigned t = kKinds[pick(8)];
  unsigned align = 1u << pick(4);
  while (align > kBytes[t])
    align /= 2;
  std::string at = pointer(arena, kBytes[t], align);
  if (pick(2))
    line("store " + typed(t) + ", " + p + " " + at + ", align " +
         std::to_string(align));
  else
    define(t, "load " + std::string(kNames[t]) + ", " + p + " " + at +
                  ", align " + std::to_string(align));
}

void Body::atomic() {
  // LLVM lowers atomics on scratch memory only to plain loads and stores.
  static const unsigned kWhere[] = {kShared, kGlobal, kFlatShared, kFlatGlobal};
  unsigned arena = kWhere[pick(4)];
  unsigned t = pick(2) ? kI32 : kI64;
  std::string at = pointer(arena, 8, 8), p = "ptr" + space(arena);
  const char *orders[] = {"monotonic", "acquire", "release", "acq_rel",
                          "seq_cst"};
  const char *scopes[] = {"", " syncscope(\"agent\")",
                          " syncscope(\"workgroup\")"};
  unsigned scope = pick(3);
  std::string order =
      std::string(device ? scopes[scope] : "") + " " + orders[pick(5)];
  switch (pick(4)) {
  case 0: {
    std::string both =
        value("cmpxchg " + p + " " + at + ", " + typed(t) + ", " + typed(t) +
              (device ? scopes[scope] : "") + " seq_cst monotonic");
    std::string pair = "{ " + std::string(kNames[t]) + ", i1 }";
    define(t, "extractvalue " + pair + " " + both + ", 0");
    return define(kI1, "extractvalue " + pair + " " + both + ", 1");
  }
  default: {
    const char *ops[] = {"add",       "sub",       "and",     "or",
                         "xor",       "nand",      "xchg",    "max",
                         "min",       "umax",      "umin",    "uinc_wrap",
                         "udec_wrap", "usub_cond", "usub_sat"};
    // LDS does not have the last two operations.
    static_assert(!defects::kConditionalSubtractionsOfLds);
    std::string call = std::string("atomicrmw ") +
                       ops[pick(arena == kGlobal ? 15 : 13)] + " " + p + " " +
                       at + ", " + typed(t) + order;
    // An atomic whose result is unused is another instruction.
    if (pick(3))
      return define(t, call);
    value(call);
  }
  }
}

/// The memory holds whole numbers, so that sums are exact and independent of
/// denormals; the kernel first converts the contents to such a number.
void Body::floatAtomic() {
  static const unsigned kWhere[] = {kShared, kGlobal, kFlatShared, kFlatGlobal};
  static const unsigned kKinds[] = {kFloat, kDouble, kHalf, kV2Half};
  unsigned arena = kWhere[pick(4)], t = kKinds[pick(4)];
  std::string type = kNames[t], p = "ptr" + space(arena);
  auto number = [&]() -> std::string {
    std::string element = kNames[isVector(t) ? elementOf(t) : t];
    auto one = [&] {
      std::string small = value("and i32 " + use(kI32) + ", 127");
      std::string sign = value("sub i32 " + small + ", 64");
      return value("sitofp i32 " + sign + " to " + element);
    };
    if (!isVector(t))
      return one();
    std::string low = one(), high = one();
    std::string half = value("insertelement " + type + " poison, " + element +
                             " " + low + ", i32 0");
    return value("insertelement " + type + " " + half + ", " + element + " " +
                 high + ", i32 1");
  };
  std::string at = pointer(arena, 8, 8);
  line("store " + type + " " + number() + ", " + p + " " + at + ", align 8");
  const char *ops[] = {"fadd", "fsub", "fmin", "fmax", "fadd"};
  const char *op = ops[isVector(t) ? 0 : pick(5)];
  const char *scopes[] = {"", " syncscope(\"agent\")",
                          " syncscope(\"workgroup\")"};
  unsigned scope = pick(3);
  // The metadata permits the hardware's own atomic instructions.
  bool native = pick(4);
  std::string v = number();
  std::string call = std::string("atomicrmw ") + op + " " + p + " " + at +
                     ", " + type + " " + v + (device ? scopes[scope] : "") +
                     " monotonic" +
                     (device && native ? ", !amdgpu.no.fine.grained.memory !0, "
                                         "!amdgpu.no.remote.memory !0, "
                                         "!amdgpu.ignore.denormal.mode !0"
                                       : "");
  if (pick(3))
    return define(t, call);
  value(call);
}

void Body::callFunction() {
  std::string args = "(i32 " + use(kI32) + ", i64 " + use(kI64) + ", float " +
                     use(kFloat) + ")";
  switch (pick(8)) {
  case 0:
  case 1:
    return define(kI32, "call i32 @f" + std::to_string(pick(3)) + args);
  case 2: {
    // The function has more arguments than fit in registers and several
    // results. Such a call is expensive.
    std::string many;
    for (unsigned i = 0; i < kManyArguments; ++i)
      many += (i ? ", i32 " : "i32 ") + use(kI32);
    std::string both =
        value("call { i64, double, <2 x i16> } @many(" + many + ", " +
              typed(kDouble) + ", " + typed(kV2I16) + ", " + typed(kI64) + ")");
    std::string result = "extractvalue { i64, double, <2 x i16> } " + both;
    define(kI64, result + ", 0");
    define(kDouble, result + ", 1");
    return define(kV2I16, result + ", 2");
  }
  case 3:
  case 4: {
    // The callee differs between lanes.
    std::string which = value("select i1 " + use(kI1) + ", ptr @f0, ptr @f1");
    return define(kI32, "call i32 " + which + args);
  }
  default: {
    std::string depth = value("and i32 " + use(kI32) + ", 7");
    return define(kI32, "call i32 @recurse(i32 " + depth + ", i32 " +
                            use(kI32) + ")");
  }
  }
}

namespace {

/// Values of inner blocks are not available after them.
struct Scope {
  std::vector<std::string> (&pool)[kTypeCount];
  size_t sizes[kTypeCount];
  explicit Scope(std::vector<std::string> (&pool)[kTypeCount]) : pool(pool) {
    for (unsigned t = 0; t < kTypeCount; ++t)
      sizes[t] = pool[t].size();
  }
  void leave() {
    for (unsigned t = 0; t < kTypeCount; ++t)
      pool[t].resize(sizes[t]);
  }
};

} // namespace

void Body::ifElse(unsigned depth) {
  unsigned first = pick(8), second = pick(4);
  std::string yes = label(), no = label(), join = label();
  // Both values are defined before the branch, for any type.
  use(first), use(second), use(kI1);
  line("br i1 " + use(kI1) + ", label %" + yes + ", label %" + no);
  std::string values[2][2], ends[2];
  for (unsigned side = 0; side < 2; ++side) {
    Scope scope(pool);
    begin(side ? no : yes);
    for (unsigned i = 0, n = pick(5); i < n; ++i)
      statement(depth - 1);
    values[side][0] = use(first);
    values[side][1] = use(second);
    ends[side] = block;
    line("br label %" + join);
    scope.leave();
  }
  begin(join);
  for (unsigned k = 0; k < 2; ++k) {
    unsigned t = k ? second : first;
    define(t, "phi " + std::string(kNames[t]) + " [ " + values[0][k] + ", %" +
                  ends[0] + " ], [ " + values[1][k] + ", %" + ends[1] + " ]");
  }
}

void Body::loop(unsigned depth) {
  unsigned t = pick(8), u = pick(4);
  std::string trips = value("and i32 " + use(kI32) + ", 7");
  std::string header = label(), exit = label(), before = block;
  std::string startT = use(t), startU = use(u);
  before = block;
  line("br label %" + header);
  begin(header);
  std::string i = fresh(), nextI = fresh(), x = fresh(), y = fresh(),
              nextX = fresh(), nextY = fresh();
  // The latch block is not known yet.
  size_t phis = text.size();
  Scope scope(pool);
  pool[t].push_back(x);
  pool[u].push_back(y);
  pool[kI32].push_back(i);
  const bool outer = inLoop;
  inLoop = true;
  for (unsigned n = 1 + pick(4); n; --n)
    statement(depth - 1);
  inLoop = outer;
  std::string endX = use(t), endY = use(u);
  // Creates copies of values, so that phis precede everything else.
  line(nextI + " = add i32 " + i + ", 1");
  std::string more = value("icmp ult i32 " + nextI + ", " + trips);
  std::string latch = block;
  line("br i1 " + more + ", label %" + header + ", label %" + exit);
  auto phi = [&](const std::string &name, const std::string &type,
                 const std::string &start, const std::string &end) {
    return "  " + name + " = phi " + type + " [ " + start + ", %" + before +
           " ], [ " + end + ", %" + latch + " ]\n";
  };
  text.insert(phis, phi(i, "i32", "0", nextI) +
                        phi(x, kNames[t], startT, endX) +
                        phi(y, kNames[u], startU, endY));
  scope.leave();
  begin(exit);
  line(nextX + " = phi " + kNames[t] + " [ " + endX + ", %" + latch + " ]");
  line(nextY + " = phi " + kNames[u] + " [ " + endY + ", %" + latch + " ]");
  pool[t].push_back(nextX);
  pool[u].push_back(nextY);
}

void Body::switchOn(unsigned depth) {
  unsigned t = pick(8), cases = 2 + pick(4);
  use(t);
  std::string which = value("and i32 " + use(kI32) + ", 7");
  std::string join = label(), otherwise = label();
  std::vector<std::string> labels;
  std::string s = "switch i32 " + which + ", label %" + otherwise + " [";
  for (unsigned i = 0; i < cases; ++i) {
    labels.push_back(label());
    s += " i32 " + std::to_string(i) + ", label %" + labels.back();
  }
  line(s + " ]");
  labels.push_back(otherwise);
  std::string phi = "phi " + std::string(kNames[t]);
  for (size_t i = 0; i < labels.size(); ++i) {
    Scope scope(pool);
    begin(labels[i]);
    for (unsigned n = pick(3); n; --n)
      statement(depth - 1);
    std::string v = use(t);
    phi += std::string(i ? "," : "") + " [ " + v + ", %" + block + " ]";
    line("br label %" + join);
    scope.leave();
  }
  begin(join);
  define(t, phi);
}

/// Draws the parameters of an exchange, and its second operand if it has one.
/// The same random numbers are drawn for every target.
void Body::drawParameters(Exchange &e, std::string &y) {
  switch (e.kind) {
  case Exchange::ReadLane:
    e.parameter = pick(64) & (target.wave32 ? 31 : 63);
    break;
  case Exchange::Permute: {
    std::string lane = value("and i32 " + use(kI32) + ", 63");
    y = value("shl i32 " + lane + ", 2");
    break;
  }
  case Exchange::Swizzle:
    // Masks within 32 lanes, or a permutation of quads.
    e.parameter = pick(2) ? pick(0x8000) : 0x8000 | pick(256);
    break;
  case Exchange::Dpp: {
    const unsigned shared[] = {0x1b,  0x4e,  0x101, 0x103, 0x111,
                               0x118, 0x121, 0x12f, 0x140, 0x141};
    const unsigned gfx9[] = {0x142, 0x143, 0x130, 0x134, 0x138, 0x13c};
    const unsigned gfx11[] = {0x150, 0x15f, 0x161, 0x16a};
    unsigned which = pick(14), rare = pick(12);
    e.parameter = which < 10               ? shared[which]
                  : target.generation < 10 ? gfx9[rare % 6]
                                           : gfx11[rare % 4];
    e.rowMask = pick(3) ? 15 : pick(16);
    e.bankMask = pick(3) ? 15 : pick(16);
    e.bound = pick(2);
    y = use(kI32); // old
    break;
  }
  case Exchange::Permlane16:
  case Exchange::PermlaneX16:
    e.parameter = random();
    e.parameter |= uint64_t(random()) << 32;
    y = use(kI32); // old
    // gfx9 has no such operation; a permutation of quads replaces it.
    if (target.generation < 10) {
      e.kind = Exchange::Swizzle;
      e.parameter = 0x8000 | (e.parameter & 255);
    }
    break;
  default:
    break;
  }
}

/// Chooses an exchange. At top level all lanes are active. Elsewhere
/// ("diverged") only active lanes give and receive values, each operation at
/// most once: it is not in a loop.
void Body::exchange(bool diverged) {
  if (exchanges.size() >= Layout::kMaxExchanges)
    return;
  Exchange e;
  e.kind = static_cast<Exchange::Kind>(pick(9));
  // The value of an inactive lane is unspecified.
  if (diverged && e.kind == Exchange::ReadLane)
    e.kind = Exchange::ReadFirstLane;
  std::string x = use(kI32), y;
  if (e.kind == Exchange::Ballot)
    y = use(kI32);
  const bool isScalar = e.kind == Exchange::ReadFirstLane ||
                        e.kind == Exchange::ReadLane ||
                        e.kind == Exchange::Ballot;
  if (defects::kScalarsMustDiffer && isScalar &&
      !madeScalar.insert(x + " " + y).second)
    x = value("xor i32 " + x + ", " + std::to_string(1 + exchanges.size()));
  static_assert(!defects::kBallotsOfFloats);
  if (e.kind == Exchange::Ballot)
    x = value("icmp slt i32 " + x + ", " + y);
  drawParameters(e, y);
  unsigned number = exchanges.size();
  exchanges.push_back(e);
  std::string name = fresh();
  pool[e.kind == Exchange::Ballot ? kI64 : kI32].push_back(name);
  // The result is already a scalar, so it is not made one again.
  if (isScalar)
    madeScalar.insert(name + " ");
  if (device)
    deviceExchange(e, name, x, y);
  else
    hostExchange(e, number, name, x, y);
}

/// Stores the operands and loads the result. KernelFuzzer runs the lanes again
/// after it has computed the results of an exchange from their operands.
void Body::hostExchange(const Exchange &e, unsigned number,
                        const std::string &name, std::string x,
                        const std::string &y) {
  const bool ballot = e.kind == Exchange::Ballot;
  std::string at = std::to_string(number * Layout::kExchangeBytes);
  std::string p = value("getelementptr i8, ptr %exchange, i64 " + at);
  if (ballot)
    x = value("zext i1 " + x + " to i32");
  line("store i32 " + x + ", ptr " + p);
  auto part = [&](unsigned offset) {
    return value("getelementptr i8, ptr " + p + ", i64 " +
                 std::to_string(offset));
  };
  line("store i32 1, ptr " + part(Layout::kHere));
  line("store i32 " + (y.empty() || ballot ? "0" : y) + ", ptr " +
       part(Layout::kSecond));
  line(name + " = load " + kNames[ballot ? kI64 : kI32] + ", ptr " +
       part(Layout::kGot));
}

void Body::deviceExchange(const Exchange &e, const std::string &name,
                          const std::string &x, const std::string &y) {
  std::string parameter = std::to_string(static_cast<int32_t>(e.parameter));
  switch (e.kind) {
  case Exchange::ReadFirstLane:
    line(name + " = call i32 @llvm.amdgcn.readfirstlane.i32(i32 " + x + ")");
    return;
  case Exchange::ReadLane:
    line(name + " = call i32 @llvm.amdgcn.readlane.i32(i32 " + x + ", i32 " +
         parameter + ")");
    return;
  case Exchange::Permute:
    line(name + " = call i32 @llvm.amdgcn.ds.bpermute(i32 " + y + ", i32 " + x +
         ")");
    return;
  case Exchange::Swizzle:
    line(name + " = call i32 @llvm.amdgcn.ds.swizzle(i32 " + x + ", i32 " +
         parameter + ")");
    return;
  case Exchange::Dpp:
    line(name + " = call i32 @llvm.amdgcn.update.dpp.i32(i32 " + y + ", i32 " +
         x + ", i32 " + parameter + ", i32 " + std::to_string(e.rowMask) +
         ", i32 " + std::to_string(e.bankMask) + ", i1 " +
         (e.bound ? "true" : "false") + ")");
    return;
  case Exchange::Ballot:
    line(name + " = call i64 @llvm.amdgcn.ballot.i64(i1 " + x + ")");
    return;
  case Exchange::MaskedCount: {
    std::string low = name + ".low";
    line(low + " = call i32 @llvm.amdgcn.mbcnt.lo(i32 " + x + ", i32 5)");
    line(name + " = call i32 @llvm.amdgcn.mbcnt.hi(i32 " + x + ", i32 " + low +
         ")");
    return;
  }
  case Exchange::Permlane16:
  case Exchange::PermlaneX16:
    line(name + " = call i32 @llvm.amdgcn.permlane" +
         (e.kind == Exchange::PermlaneX16 ? "x" : "") + "16.i32(i32 " + y +
         ", i32 " + x + ", i32 " + parameter + ", i32 " +
         std::to_string(static_cast<int32_t>(e.parameter >> 32)) +
         ", i1 false, i1 false)");
    return;
  }
}

void Body::kernel(unsigned statements, const std::set<unsigned> &without) {
  hasMemory = hasCalls = true;
  std::string space = device ? " addrspace(1)" : "";
  for (unsigned t = 0; t <= kI1; ++t)
    for (unsigned i = 0; i < Layout::kInputs; ++i) {
      std::string p = value("getelementptr i8, ptr" + space + " %in, i64 " +
                            std::to_string((t * Layout::kInputs + i) * 8));
      if (t == kI1) {
        std::string whole = value("load i8, ptr" + space + " " + p);
        define(kI1, "trunc i8 " + whole + " to i1");
      } else {
        define(t, "load " + std::string(kNames[t]) + ", ptr" + space + " " + p);
      }
    }
  for (unsigned i = 0; i < statements; ++i) {
    // Each statement has a random generator of its own, so that leaving one out
    // does not change the others.
    random.seed(seed * 1000003u + i);
    if (without.count(i))
      continue;
    if (pick(14) == 0)
      exchange(/*diverged=*/false);
    else
      statement(2);
  }
  random.seed(seed);
  for (unsigned t = 0; t < Layout::kTypes; ++t)
    for (unsigned i = 0; i < Layout::kOutputs; ++i) {
      // The last row of outputs is for bit masks.
      std::string type = kNames[t], v;
      if (t == kI1) {
        v = value("zext i1 " + use(kI1) + " to i8");
        type = "i8";
      } else {
        const auto &values = pool[t];
        v = values[values.size() - 1 - i % values.size()];
      }
      std::string p = value("getelementptr i8, ptr" + space + " %out, i64 " +
                            std::to_string((t * Layout::kOutputs + i) * 8));
      line("store " + type + " " + v + ", ptr" + space + " " + p);
    }
  // The contents of the arenas are stored after the arena in global memory.
  for (unsigned arena : {unsigned(kPrivate), unsigned(kShared)}) {
    std::string to =
        value("getelementptr i8, ptr" + space + " %out, i64 " +
              std::to_string(Layout::kOutBytes + (arena + 1) * Layout::kArena));
    line("call void @llvm.memcpy.p" + spaceNumber(kGlobal) + ".p" +
         spaceNumber(arena) + ".i64(ptr" + space + " align 8 " + to + ", ptr" +
         this->space(arena) +
         (arena == kPrivate ? " align 16 %private" : " align 16 %shared") +
         ", i64 " + std::to_string(Layout::kArena) + ", i1 false)");
  }
}

/// A function of an i32, an i64 and a float.
void Body::function(unsigned number) {
  pool[kI32].push_back("%a");
  pool[kI64].push_back("%b");
  pool[kFloat].push_back("%c");
  for (unsigned t : {kI8, kI16})
    define(t, "trunc i32 %a to " + std::string(kNames[t]));
  define(kDouble, "fpext float %c to double");
  define(kHalf, "fptrunc float %c to half");
  define(kBFloat, "fptrunc float %c to bfloat");
  for (unsigned i = 0; i < 6; ++i)
    statement(1);
  std::string wide = value("trunc i64 " + use(kI64) + " to i32");
  std::string sum = value("add i32 " + use(kI32) + ", " + wide);
  line("ret i32 " + sum);
  (void)number;
}
