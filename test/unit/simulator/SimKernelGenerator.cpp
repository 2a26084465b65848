//===- SimKernelGenerator.cpp - Random kernels in LLVM IR -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimKernelGenerator.h"

#include "test/unit/simulator/SimKernelDefects.h"

#include <algorithm>
#include <random>

using namespace aircc::sim::test;
using Layout = KernelLayout;

namespace {

enum Type {
  kI8,
  kI16,
  kI32,
  kI64,
  kHalf,
  kFloat,
  kDouble,
  kBFloat,
  kI1,
  // Vectors are only intermediate values, and neither inputs nor outputs.
  kV4I8,
  kV2I16,
  kV2I32,
  kV4I32,
  kV2Half,
  kV2Float,
  kTypeCount
};
const char *const kNames[] = {
    "i8",        "i16",       "i32",       "i64",        "half",
    "float",     "double",    "bfloat",    "i1",         "<4 x i8>",
    "<2 x i16>", "<2 x i32>", "<4 x i32>", "<2 x half>", "<2 x float>"};
const char *const kSuffixes[] = {"i8",    "i16",   "i32",   "i64",   "f16",
                                 "f32",   "f64",   "bf16",  "i1",    "v4i8",
                                 "v2i16", "v2i32", "v4i32", "v2f16", "v2f32"};
const unsigned kBytes[] = {1, 2, 4, 8, 2, 4, 8, 2, 1, 4, 4, 8, 16, 4, 8};

bool isInteger(unsigned t) { return t <= kI64; }
bool isVector(unsigned t) { return t >= kV4I8; }
unsigned elementOf(unsigned t) {
  switch (t) {
  case kV4I8:
    return kI8;
  case kV2I16:
    return kI16;
  case kV2Half:
    return kHalf;
  case kV2Float:
    return kFloat;
  default:
    return kI32;
  }
}
unsigned lengthOf(unsigned t) { return t == kV4I8 || t == kV4I32 ? 4 : 2; }

/// The arenas: 64 bytes per lane in each memory space. Flat pointers may point
/// into any of them.
enum Arena {
  kPrivate,
  kShared,
  kGlobal,
  kFlatPrivate,
  kFlatShared,
  kFlatGlobal,
  kArenas
};

/// The number of i32 arguments of the function with many arguments.
constexpr unsigned kManyArguments = 36;

/// One body, for the device or for the host.
class Body {
public:
  Body(const KernelTarget &target, bool device, uint32_t seed)
      : target(target), device(device), seed(seed), random(seed) {}

  std::string text;
  std::vector<Exchange> exchanges;

  void kernel(unsigned statements, const std::set<unsigned> &without);
  void function(unsigned number);

private:
  unsigned pick(unsigned n) { return random() % n; }
  std::string fresh() { return "%v" + std::to_string(next++); }
  std::string label() { return "b" + std::to_string(nextLabel++); }
  void line(const std::string &s) { text += "  " + s + "\n"; }
  void begin(const std::string &name) {
    text += name + ":\n";
    block = name;
  }
  void define(unsigned type, const std::string &expression) {
    std::string name = fresh();
    line(name + " = " + expression);
    pool[type].push_back(name);
  }
  std::string value(const std::string &expression) {
    std::string name = fresh();
    line(name + " = " + expression);
    return name;
  }
  std::string use(unsigned type) {
    auto &values = pool[type];
    if (values.empty())
      make(type);
    size_t back = std::min<size_t>(values.size(), 6);
    return pick(3) ? values[values.size() - 1 - pick(back)]
                   : values[pick(values.size())];
  }
  std::string typed(unsigned type) {
    return std::string(kNames[type]) + " " + use(type);
  }
  std::string call(unsigned result, const std::string &name,
                   const std::vector<unsigned> &args,
                   const std::string &extra = "") {
    std::string s =
        "call " + std::string(kNames[result]) + " @llvm." + name + "(";
    for (size_t i = 0; i < args.size(); ++i)
      s += (i ? ", " : "") + typed(args[i]);
    return s + extra + ")";
  }

  void make(unsigned type);
  void statement(unsigned depth);
  void integer(unsigned t);
  void floating(unsigned t);
  void bit();
  void vector(unsigned t);
  void memory();
  void atomic();
  void floatAtomic();
  void callFunction();
  void ifElse(unsigned depth);
  void loop(unsigned depth);
  void switchOn(unsigned depth);
  void exchange(bool diverged);
  void drawParameters(Exchange &e, std::string &y);
  void hostExchange(const Exchange &e, unsigned number, const std::string &name,
                    std::string x, const std::string &y);
  void deviceExchange(const Exchange &e, const std::string &name,
                      const std::string &x, const std::string &y);
  std::string quietOnHost(unsigned type);
  std::string clean(unsigned type);
  std::string pointer(unsigned arena, unsigned bytes, unsigned align);
  std::string spaceNumber(unsigned arena) const;
  std::string space(unsigned arena) const;

  const KernelTarget &target;
  const bool device;
  const uint32_t seed;
  std::mt19937 random;
  unsigned next = 0, nextLabel = 0;
  std::string block = "entry";
  bool hasMemory = false, hasCalls = false, inLoop = false;
  std::vector<std::string> pool[kTypeCount];
  std::set<std::string> madeScalar;
};

/// Creates a first value of a type from values of other types.
void Body::make(unsigned type) {
  if (type == kI1)
    return define(kI1, "icmp slt i32 " + use(kI32) + ", " + use(kI32));
  if (isVector(type)) {
    unsigned element = elementOf(type);
    std::string v = "zeroinitializer";
    for (unsigned i = 0; i < lengthOf(type); ++i)
      v = value("insertelement " + std::string(kNames[type]) + " " + v + ", " +
                typed(element) + ", i32 " + std::to_string(i));
    pool[type].push_back(v);
    return;
  }
  pool[type].push_back(isInteger(type) ? "7" : "0.0");
}

void Body::statement(unsigned depth) {
  unsigned what = pick(42);
  if (what == 40)
    return hasCalls && !inLoop ? exchange(true) : bit();
  if (what == 41)
    return hasMemory ? floatAtomic() : bit();
  if (depth && what == 0)
    return ifElse(depth);
  if (depth && what == 1)
    return loop(depth);
  if (depth && what == 2)
    return switchOn(depth);
  if (hasMemory && what >= 3 && what < 9)
    return memory();
  if (hasMemory && what >= 9 && what < 11)
    return atomic();
  if (hasCalls && what == 11)
    return callFunction();
  if (what < 14)
    return bit();
  if (what < 20)
    return vector(kV4I8 + pick(kTypeCount - kV4I8));
  if (what < 31)
    return integer(pick(4));
  return floating(kHalf + pick(4));
}

void Body::integer(unsigned t) {
  std::string type = kNames[t], s = kSuffixes[t];
  switch (pick(16)) {
  case 0:
  case 1: {
    const char *ops[] = {"add", "sub", "mul", "and", "or", "xor"};
    return define(t,
                  std::string(ops[pick(6)]) + " " + typed(t) + ", " + use(t));
  }
  case 2: {
    const char *ops[] = {"shl", "lshr", "ashr"};
    const char *width[] = {"7", "15", "31", "63"};
    std::string amount = value("and " + typed(t) + ", " + width[t]);
    return define(t,
                  std::string(ops[pick(3)]) + " " + typed(t) + ", " + amount);
  }
  case 3: {
    const char *ops[] = {"udiv", "urem", "sdiv", "srem"};
    // The divisor is odd and positive, so there is no division by zero and no
    // overflow.
    std::string odd = value("or " + typed(t) + ", 1");
    std::string positive = value("lshr " + type + " " + odd + ", 1");
    std::string divisor = value("or " + type + " " + positive + ", 1");
    std::string op = ops[pick(4)], dividend = use(t);
    if (!defects::kNarrowQuotientsAreNotSelected || t >= kI32)
      return define(t, op + " " + type + " " + dividend + ", " + divisor);
    std::string wide = value((op[0] == 's' ? "sext " : "zext ") + type + " " +
                             dividend + " to i32");
    std::string by = value("zext " + type + " " + divisor + " to i32");
    return define(t, "trunc i32 " + value(op + " i32 " + wide + ", " + by) +
                         " to " + type);
  }
  case 4:
    return define(t,
                  "select i1 " + use(kI1) + ", " + typed(t) + ", " + typed(t));
  case 5: {
    unsigned from = pick(5);
    if (from == 4)
      return define(t, std::string(pick(2) ? "zext" : "sext") + " i1 " +
                           use(kI1) + " to " + type);
    if (from == t)
      return;
    std::string op = from > t ? "trunc" : pick(2) ? "zext" : "sext";
    return define(t, op + " " + typed(from) + " to " + type);
  }
  case 6:
  case 7: {
    const char *names[] = {"umin",     "umax",     "smin",     "smax",
                           "uadd.sat", "sadd.sat", "usub.sat", "ssub.sat"};
    return define(t, call(t, std::string(names[pick(8)]) + "." + s, {t, t}));
  }
  case 8: {
    if (t == kI8)
      return;
    const char *names[] = {"ctpop", "bswap", "bitreverse"};
    return define(t, call(t, std::string(names[pick(3)]) + "." + s, {t}));
  }
  case 9: {
    const char *names[] = {"ctlz", "cttz", "abs"};
    return define(
        t, call(t, std::string(names[pick(3)]) + "." + s, {t}, ", i1 false"));
  }
  case 10:
    return define(
        t, call(t, std::string(pick(2) ? "fshl." : "fshr.") + s, {t, t, t}));
  case 11: {
    // Saturating conversion from a float.
    unsigned from = kHalf + pick(3);
    std::string wide = value(call(kI32,
                                  std::string(pick(2) ? "fptosi" : "fptoui") +
                                      ".sat.i32." + kSuffixes[from],
                                  {from}));
    if (t == kI32)
      pool[t].push_back(wide);
    else
      define(t, std::string(t < kI32 ? "trunc" : "sext") + " i32 " + wide +
                    " to " + type);
    return;
  }
  case 12: {
    const char *names[] = {"uadd", "sadd", "usub", "ssub", "umul", "smul"};
    std::string name = std::string(names[pick(6)]) + ".with.overflow." + s;
    std::string both = value("call { " + type + ", i1 } @llvm." + name + "(" +
                             typed(t) + ", " + typed(t) + ")");
    define(t, "extractvalue { " + type + ", i1 } " + both + ", 0");
    return define(kI1, "extractvalue { " + type + ", i1 } " + both + ", 1");
  }
  case 13: {
    // The high half of a product, computed with twice the width.
    std::string wide = "i" + std::to_string(16 * kBytes[t]);
    std::string op = pick(2) ? "zext " : "sext ";
    std::string a = value(op + typed(t) + " to " + wide);
    std::string b = value(op + typed(t) + " to " + wide);
    std::string product = value("mul " + wide + " " + a + ", " + b);
    std::string shifted = value("lshr " + wide + " " + product + ", " +
                                std::to_string(8 * kBytes[t]));
    return define(t, "trunc " + wide + " " + shifted + " to " + type);
  }
  case 14: {
    // A bit field.
    unsigned width = 8 * kBytes[t], at = pick(width), count = 1 + pick(width);
    std::string moved = value("lshr " + typed(t) + ", " + std::to_string(at));
    uint64_t mask = count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
    if (width < 64)
      mask &= (uint64_t(1) << width) - 1;
    return define(
        t, "and " + type + " " + moved + ", " +
               std::to_string(static_cast<int64_t>(
                   width == 64 ? mask : mask & ((uint64_t(1) << width) - 1))));
  }
  default: {
    // Constants, including the inline constants of the hardware.
    const char *constants[] = {"0",   "1",  "-1",  "64",
                               "-16", "65", "127", "-128"};
    const char *ops[] = {"add", "sub", "mul", "and", "or", "xor"};
    return define(t, std::string(ops[pick(6)]) + " " + typed(t) + ", " +
                         constants[pick(8)]);
  }
  }
}

void Body::floating(unsigned t) {
  std::string type = kNames[t], s = kSuffixes[t];
  // For bf16, fewer operations have the same result everywhere.
  unsigned what = t == kBFloat ? pick(8) : pick(18);
  switch (what) {
  case 0:
  case 1: {
    const char *ops[] = {"fadd", "fsub", "fmul"};
    return define(t,
                  std::string(ops[pick(3)]) + " " + typed(t) + ", " + use(t));
  }
  case 2:
    return define(t, "fneg " + typed(t));
  case 3:
    return define(t,
                  "select i1 " + use(kI1) + ", " + typed(t) + ", " + typed(t));
  case 4:
    return define(t, call(t, "fabs." + s, {t}));
  case 5: {
    // Conversions between formats; double to bf16 is converted through float,
    // so it is rounded twice.
    if (t == kBFloat)
      return define(t, "fptrunc " + typed(kFloat) + " to bfloat");
    unsigned from = kHalf + pick(4);
    if (from == t || (from == kBFloat && t == kHalf))
      return;
    std::string changed =
        std::string(from != kBFloat && from > t ? "fptrunc " : "fpext ") +
        typed(from) + " to " + type;
    if (defects::kTruncatedProductsLoseSigns && t == kHalf && from == kFloat)
      changed = "fadd half " + value(changed) + ", 0.0";
    return define(t, changed);
  }
  case 6: {
    const char *preds[] = {"oeq", "one", "olt", "ole", "ogt", "oge", "ord",
                           "ueq", "une", "ult", "ule", "ugt", "uge", "uno"};
    return define(kI1, std::string("fcmp ") + preds[pick(14)] + " " + typed(t) +
                           ", " + use(t));
  }
  case 7:
    // The sign of a NaN is unspecified.
    return define(t, "call " + type + " @llvm.copysign." + s + "(" + typed(t) +
                         ", " + type + " " + clean(t) + ")");
  case 8:
    return define(t, "fdiv " + typed(t) + ", " + use(t));
  case 9:
    return define(t, call(t, "fma." + s, {t, t, t}));
  case 10: {
    const char *names[] = {"floor", "ceil",      "trunc",     "rint",
                           "sqrt",  "nearbyint", "roundeven", "round"};
    return define(t, call(t, std::string(names[pick(8)]) + "." + s, {t}));
  }
  case 11: {
    // Scales by a power of two, close enough for all kinds of results.
    std::string by = value("and " + typed(kI32) + ", 63");
    std::string power = value("sub i32 " + by + ", 32");
    return define(t, "call " + type + " @llvm.ldexp." + s + ".i32(" + typed(t) +
                         ", i32 " + power + ")");
  }
  case 12: {
    // Splits a number into fraction and exponent. The exponent of infinities
    // and NaNs is unspecified.
    std::string number = clean(t);
    std::string both = value("call { " + type + ", i32 } @llvm.frexp." + s +
                             ".i32(" + type + " " + number + ")");
    define(kI32, "extractvalue { " + type + ", i32 } " + both + ", 1");
    return define(t, "extractvalue { " + type + ", i32 } " + both + ", 0");
  }
  case 13: {
    // Whether a NaN is quiet is unspecified.
    unsigned mask = pick(256) << 2;
    mask |= pick(2) ? 3 : 0;
    return define(kI1, "call i1 @llvm.is.fpclass." + s + "(" + typed(t) +
                           ", i32 " + std::to_string(mask) + ")");
  }
  case 14:
    return define(t, "frem " + typed(t) + ", " + use(t));
  case 15:
    return define(t, std::string(pick(2) ? "sitofp " : "uitofp ") +
                         typed(pick(4)) + " to " + type);
  case 16: {
    static_assert(!defects::kHasMinimumNumber, "write minimumnum as well");
    const char *names[] = {"minimum", "maximum"};
    std::string name = names[pick(2)];
    std::string a = quietOnHost(t), b = quietOnHost(t);
    return define(t, "call " + type + " @llvm." + name + "." + s + "(" + type +
                         " " + a + ", " + type + " " + b + ")");
  }
  default: {
    const char *constants[] = {"0.0", "1.0", "-0.5", "2.0", "4.0", "-3.0"};
    const char *ops[] = {"fadd", "fsub", "fmul"};
    return define(t, std::string(ops[pick(3)]) + " " + typed(t) + ", " +
                         constants[pick(6)]);
  }
  }
}

/// Quiets a value; the host has a quiet NaN in place of a signaling one.
std::string Body::quietOnHost(unsigned type) {
  std::string v = use(type), name = kNames[type];
  if (device || !defects::kHostMinimumWantsQuietNans)
    return v;
  std::string isNan = value("fcmp uno " + name + " " + v + ", " + v);
  const char *nan = type == kHalf ? "0xH7E00" : "0x7FF8000000000000";
  return value("select i1 " + isNan + ", " + name + " " + nan + ", " + name +
               " " + v);
}

/// Makes a value a finite number.
std::string Body::clean(unsigned type) {
  std::string v = use(type), name = kNames[type];
  std::string finite =
      value("call i1 @llvm.is.fpclass." + std::string(kSuffixes[type]) + "(" +
            name + " " + v + ", i32 504)");
  return value("select i1 " + finite + ", " + name + " " + v + ", " + name +
               " 1.0");
}

void Body::bit() {
  switch (pick(4)) {
  case 0: {
    const char *ops[] = {"and", "or", "xor"};
    return define(kI1, std::string(ops[pick(3)]) + " " + typed(kI1) + ", " +
                           use(kI1));
  }
  case 1:
    return define(kI1, "trunc " + typed(pick(4)) + " to i1");
  default: {
    const char *preds[] = {"eq",  "ne",  "ult", "ule", "ugt",
                           "uge", "slt", "sle", "sgt", "sge"};
    unsigned t = pick(4);
    std::string pred = preds[pick(10)], a = use(t), b = use(t);
    if (defects::kComparisonsWithItselfGetLost && a == b)
      b = "1";
    return define(kI1, "icmp " + pred + " " + kNames[t] + " " + a + ", " + b);
  }
  }
}

void Body::vector(unsigned t) {
  std::string type = kNames[t];
  unsigned element = elementOf(t), length = lengthOf(t);
  std::string elementName = kNames[element];
  auto splat = [&](const std::string &v) {
    std::string s = "<";
    for (unsigned i = 0; i < length; ++i)
      s += (i ? ", " : "") + elementName + " " + v;
    return s + ">";
  };
  switch (pick(8)) {
  case 0:
  case 1: {
    const char *integers[] = {"add", "sub", "mul", "and", "or", "xor"};
    const char *floats[] = {"fadd", "fsub", "fmul"};
    std::string op = isInteger(element) ? integers[pick(6)] : floats[pick(3)];
    return define(t, op + " " + typed(t) + ", " + use(t));
  }
  case 2: {
    if (!isInteger(element))
      return define(t, call(t, std::string("fma.") + kSuffixes[t], {t, t, t}));
    const char *ops[] = {"shl", "lshr", "ashr"};
    const char *width[] = {"7", "15", "31"};
    std::string amount =
        value("and " + typed(t) + ", " + splat(width[element]));
    return define(t,
                  std::string(ops[pick(3)]) + " " + typed(t) + ", " + amount);
  }
  case 3: {
    std::string mask = "<" + std::to_string(length) + " x i32> <";
    for (unsigned i = 0; i < length; ++i)
      mask += (i ? ", i32 " : "i32 ") + std::to_string(pick(2 * length));
    return define(t, "shufflevector " + typed(t) + ", " + typed(t) + ", " +
                         mask + ">");
  }
  case 4: {
    std::string index =
        pick(2)
            ? std::to_string(pick(length))
            : value("and i32 " + use(kI32) + ", " + std::to_string(length - 1));
    return define(t, "insertelement " + typed(t) + ", " + typed(element) +
                         ", i32 " + index);
  }
  case 5: {
    std::string index =
        pick(2)
            ? std::to_string(pick(length))
            : value("and i32 " + use(kI32) + ", " + std::to_string(length - 1));
    return define(element, "extractelement " + typed(t) + ", i32 " + index);
  }
  case 6: {
    std::string compare = isInteger(element) ? "icmp slt " : "fcmp olt ";
    std::string bits = value(compare + typed(t) + ", " + use(t));
    return define(t, "select <" + std::to_string(length) + " x i1> " + bits +
                         ", " + typed(t) + ", " + typed(t));
  }
  default: {
    if (!isInteger(element))
      return;
    const char *names[] = {"umin",     "umax",     "smin",     "smax",
                           "uadd.sat", "sadd.sat", "usub.sat", "ssub.sat"};
    if (pick(2))
      return define(
          t, call(t, std::string(names[pick(8)]) + "." + kSuffixes[t], {t, t}));
    // Converts to an integer and back.
    if (t == kV4I32)
      return;
    unsigned whole = t == kV2I32 ? kI64 : kI32;
    define(whole, "bitcast " + typed(t) + " to " + kNames[whole]);
    return define(t, "bitcast " + typed(whole) + " to " + type);
  }
  }
}

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
