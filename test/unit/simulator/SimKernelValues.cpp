//===- SimKernelValues.cpp - Random values in LLVM IR ---------------------===//
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
