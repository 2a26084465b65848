//===- SimModelMemoryTest.cpp - Every access to memory against a model ----===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the loads, stores and atomics of DS, FLAT, GLOBAL, SCRATCH and MUBUF
// from LLVM's tables of a chip, derives the behavior of each from its mnemonic,
// and runs it. Every lane has its own 32 bytes of edge values. The resulting
// registers and memory are compared with those that plain C++ computes.
//
// kUncovered lists the instructions that are not covered; it may only shrink.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimInstructions.h"
#include "test/unit/simulator/SimModel.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <set>
#include <sstream>

using namespace aircc::sim;
using namespace aircc::sim::test;
using llvm::StringRef;

namespace {

//===----------------------------------------------------------------------===//
// What a mnemonic says
//===----------------------------------------------------------------------===//

struct Access {
  enum { Load, Store, Atomic } kind = Load;
  enum Memory { Lds, Global, Flat, Scratch, Buffer } memory = Lds;
  unsigned bytes = 4;  ///< Of one place.
  unsigned places = 1; ///< read2 and write2
  bool isSigned = false;
  int half = -1; ///< d16: 0 low, 1 high
  bool returns = false;
  std::string op;  ///< Of an atomic: "add", "cmpswap", …
  char type = 'u'; ///< u, i, f, h (two halves), b (two bfloats)
  unsigned dwords() const { return (bytes + 3) / 4; }
};

/// "u8", "sbyte", "dwordx2", "b96" …
bool parseWidth(StringRef text, Access &a) {
  static const struct {
    const char *name;
    unsigned bytes;
    bool isSigned;
  } kWidths[] = {
      {"u8", 1, false},      {"i8", 1, true},        {"b8", 1, false},
      {"ubyte", 1, false},   {"sbyte", 1, true},     {"byte", 1, false},
      {"u16", 2, false},     {"i16", 2, true},       {"b16", 2, false},
      {"ushort", 2, false},  {"sshort", 2, true},    {"short", 2, false},
      {"b32", 4, false},     {"dword", 4, false},    {"b64", 8, false},
      {"dwordx2", 8, false}, {"b96", 12, false},     {"dwordx3", 12, false},
      {"b128", 16, false},   {"dwordx4", 16, false},
  };
  for (const auto &w : kWidths)
    if (text == w.name) {
      a.bytes = w.bytes;
      a.isSigned = w.isSigned;
      return true;
    }
  return false;
}

std::optional<Access> parseAccess(StringRef name) {
  Access a;
  static const std::pair<const char *, Access::Memory> kPrefixes[] = {
      {"ds_", Access::Lds},
      {"global_", Access::Global},
      {"flat_", Access::Flat},
      {"scratch_", Access::Scratch},
      {"buffer_", Access::Buffer}};
  bool known = false;
  for (auto [prefix, memory] : kPrefixes)
    if (name.consume_front(prefix)) {
      a.memory = memory;
      known = true;
      break;
    }
  if (!known || name.contains("format") || name.contains("addtid") ||
      name.contains("_tr") || name.contains("lds"))
    return std::nullopt;
  bool load = name.consume_front("load_") || name.consume_front("read_");
  bool store =
      !load && (name.consume_front("store_") || name.consume_front("write_"));
  if (load || store) {
    a.kind = load ? Access::Load : Access::Store;
    if (name.consume_front("2addr_stride64_") || name.consume_front("2addr_"))
      a.places = 2;
    if (name.consume_front("d16_hi_") || name.consume_back("_d16_hi"))
      a.half = 1;
    else if (name.consume_front("d16_") || name.consume_back("_d16"))
      a.half = 0;
    return parseWidth(name, a) ? std::optional(a) : std::nullopt;
  }
  for (const char *two : {"read2st64_", "read2_", "write2st64_", "write2_"})
    if (name.consume_front(two)) {
      a.kind = two[0] == 'r' ? Access::Load : Access::Store;
      a.places = 2;
      return parseWidth(name, a) ? std::optional(a) : std::nullopt;
    }
  // Atomics: "atomic_add_x2", "add_rtn_u64", "atomic_cmpswap_b32" …
  a.kind = Access::Atomic;
  if (a.memory != Access::Lds && !name.consume_front("atomic_"))
    return std::nullopt;
  a.bytes = name.consume_back("_x2") ? 8 : 4;
  size_t rtn = name.find("_rtn");
  std::string plain = name.str();
  if (rtn != StringRef::npos) {
    a.returns = true;
    plain.erase(rtn, 4);
  }
  StringRef rest = plain;
  if (rest == "pk_add_f16" || rest == "pk_add_bf16") {
    a.op = "add";
    a.type = rest.ends_with("bf16") ? 'b' : 'h';
    return a;
  }
  for (const char *suffix :
       {"_u32", "_i32", "_b32", "_f32", "_u64", "_i64", "_b64", "_f64"})
    if (rest.consume_back(suffix)) {
      a.type = suffix[1] == 'b' ? 'u' : suffix[1];
      a.bytes = StringRef(suffix).ends_with("64") ? 8 : 4;
      break;
    }
  static const std::pair<const char *, const char *> kOps[] = {
      {"add", "add"},        {"sub", "sub"},
      {"rsub", "rsub"},      {"and", "and"},
      {"or", "or"},          {"xor", "xor"},
      {"inc", "inc"},        {"dec", "dec"},
      {"min", "min"},        {"max", "max"},
      {"swap", "swap"},      {"wrxchg", "swap"},
      {"storexchg", "swap"}, {"smin", "imin"},
      {"smax", "imax"},      {"umin", "min"},
      {"umax", "max"},       {"cmpswap", "cmpswap"},
      {"cmpst", "cmpst"},    {"cmpstore", "cmpswap"},
      {"mskor", "mskor"},    {"min_num", "min"},
      {"max_num", "max"},    {"inc_uint", "inc"},
      {"dec_uint", "dec"},   {"sub_clamp", "subclamp"},
      {"csub", "subclamp"},  {"cond_sub", "condsub"}};
  for (auto [text, op] : kOps)
    if (rest == text) {
      a.op = op;
      if (a.op[0] == 'i' && a.op != "inc") {
        a.op = a.op.substr(1);
        a.type = 'i';
      }
      // The operands are in the opposite order; floats are compared as the
      // hardware compares them.
      if (a.op == "cmpst" && a.type == 'f')
        return std::nullopt;
      return a;
    }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What it computes
//===----------------------------------------------------------------------===//

template <class T> T least(T a, T b) {
  if (a != a || b != b)
    return a != a ? b : a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
template <class T> T most(T a, T b) { return -least<T>(-a, -b); }

/// The new value of a memory location that contained `m`; `x` and `y` are the
/// operands.
std::optional<u64> atomicResult(const Access &a, u64 m, u64 x, u64 y) {
  const bool wide = a.bytes == 8;
  const u64 mask = wide ? ~u64(0) : 0xffffffff;
  auto number = [&](u64 v) {
    return wide ? static_cast<i64>(v) : i64(static_cast<i32>(v));
  };
  if (a.type == 'h' || a.type == 'b') {
    u64 out = 0;
    for (int k = 0; k < 32; k += 16) {
      u32 p = m >> k & 0xffff, q = x >> k & 0xffff;
      u32 sum = a.type == 'h' ? bits16(double(f16(p)) + f16(q))
                              : bitsBf16(f32(p << 16) + double(f32(q << 16)));
      out |= u64(sum) << k;
    }
    return out;
  }
  if (a.type == 'f' && a.op == "cmpswap")
    return (wide ? f64(m) == f64(y) : f32(u32(m)) == f32(u32(y))) ? x : m;
  if (a.type == 'f' && a.op != "swap") {
    if (wide) {
      double p = f64(m), q = f64(x);
      return bits(a.op == "add"   ? p + q
                  : a.op == "min" ? least(p, q)
                                  : most(p, q));
    }
    float p = f32(u32(m)), q = f32(u32(x));
    return bits(a.op == "add"   ? p + q
                : a.op == "min" ? least(p, q)
                                : most(p, q));
  }
  if (a.op == "add")
    return (m + x) & mask;
  if (a.op == "sub")
    return (m - x) & mask;
  if (a.op == "rsub")
    return (x - m) & mask;
  if (a.op == "and")
    return m & x;
  if (a.op == "or")
    return m | x;
  if (a.op == "xor")
    return m ^ x;
  if (a.op == "swap")
    return x;
  if (a.op == "inc")
    return m >= x ? 0 : m + 1;
  if (a.op == "dec")
    return m == 0 || m > x ? x : m - 1;
  if (a.op == "min" || a.op == "max") {
    bool less = a.type == 'i' ? number(m) < number(x) : m < x;
    return less == (a.op == "min") ? m : x;
  }
  if (a.op == "cmpswap") // The new value comes first.
    return m == y ? x : m;
  if (a.op == "cmpst") // The comparison comes first.
    return m == x ? y : m;
  if (a.op == "mskor")
    return (m & ~x) | y;
  if (a.op == "subclamp")
    return m < x ? 0 : m - x;
  if (a.op == "condsub")
    return m >= x ? m - x : m;
  return std::nullopt;
}

bool isNan(const Access &a, u64 v) {
  if (a.type == 'h')
    return isNan16(v & 0xffff) || isNan16(v >> 16 & 0xffff);
  if (a.type == 'b')
    return (v & 0x7fff) > 0x7f80 || (v >> 16 & 0x7fff) > 0x7f80;
  return a.type == 'f' && (a.bytes == 8 ? isNan64(v) : isNan32(u32(v)));
}
bool isDenormal(const Access &a, u64 v) {
  if (a.type == 'f' && a.bytes == 4)
    return !(v >> 23 & 255) && v & 0x7fffff;
  if (a.type == 'f')
    return !(v >> 52 & 2047) && v & 0xfffffffffffff;
  for (int k = 0; k < 32; k += 16)
    if ((a.type == 'h' && !(v >> k & 0x7c00) && v >> k & 0x3ff) ||
        (a.type == 'b' && !(v >> k & 0x7f80) && v >> k & 0x7f))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Running them
//===----------------------------------------------------------------------===//

constexpr unsigned kBytes = 32; ///< Of a lane.

struct Operand {
  char kind = 0; ///< v, s, o (off or null), 0: something else
  unsigned reg = 0, dwords = 1;
};

struct Probe {
  std::string text;
  std::vector<uint8_t> bytes;
  Access access;
  int address = -1, dst = -1, data = -1, data2 = -1, scalar = -1, offset = -1;
  std::vector<Operand> operands;
  size_t out = 0;
};

std::vector<Operand> parseOperands(StringRef text, StringRef &modifiers) {
  std::vector<Operand> operands;
  llvm::SmallVector<StringRef, 8> parts;
  text.split(parts, ", ");
  for (size_t i = 0; i < parts.size(); ++i) {
    StringRef part = parts[i].trim();
    if (i + 1 == parts.size())
      std::tie(part, modifiers) = part.split(' ');
    Operand o;
    if (part == "off" || part == "null" || part == "0") {
      o.kind = 'o';
    } else if (part.size() > 1 && (part[0] == 'v' || part[0] == 's') &&
               (part[1] == '[' || isdigit(part[1]))) {
      o.kind = part[0];
      part = part.drop_front();
      // An instruction that accesses half of a register names the entire
      // register.
      part.consume_back(".l");
      if (part.consume_back(".h"))
        o.kind = 0;
      if (part.consume_front("[")) {
        unsigned last = 0;
        part.consumeInteger(10, o.reg);
        part.consume_front(":");
        part.consumeInteger(10, last);
        o.dwords = last - o.reg + 1;
      } else {
        part.getAsInteger(10, o.reg);
      }
    }
    operands.push_back(o);
  }
  return operands;
}

/// Assigns roles to the operands. Returns false for forms that are not tested
/// here.
bool understand(Probe &p, StringRef modifiers) {
  const Access &a = p.access;
  llvm::SmallVector<StringRef, 8> words;
  modifiers.split(words, ' ', -1, /*KeepEmpty=*/false);
  bool offen = false, returns = a.returns;
  for (StringRef word : words) {
    if (word == "glc" || word == "sc0" || word == "th:TH_ATOMIC_RETURN")
      returns |= a.kind == Access::Atomic;
    else if (word == "offen")
      offen = true;
    else if (word == "slc" || word == "dlc" || word == "nt" || word == "sc1" ||
             word.starts_with("th:") || word.starts_with("scope:"))
      continue;
    else
      return false;
  }
  p.access.returns = returns;
  size_t next = 0;
  auto take = [&] { return static_cast<int>(next++); };
  const bool hasDst =
      a.kind == Access::Load || (a.kind == Access::Atomic && returns);
  switch (a.memory) {
  case Access::Lds:
    if (hasDst)
      p.dst = take();
    p.address = take();
    if (a.kind != Access::Load) {
      p.data = take();
      if (a.places == 2 || a.op == "cmpst" || a.op == "cmpswap" ||
          a.op == "mskor")
        p.data2 = take();
    }
    break;
  case Access::Buffer:
    // The data is the destination; (address), descriptor, offset.
    p.data = p.dst = take();
    if (a.kind == Access::Load || (a.kind == Access::Atomic && returns))
      p.dst = p.data;
    else
      p.dst = -1;
    if (a.kind == Access::Load)
      p.data = -1;
    p.address = take();
    p.scalar = take();
    p.offset = take();
    if (!offen || p.operands.size() != next ||
        p.operands[p.address].kind != 'v' || p.operands[p.scalar].kind != 's' ||
        p.operands[p.scalar].dwords != 4)
      return false;
    break;
  default:
    if (hasDst)
      p.dst = take();
    p.address = take();
    if (a.kind != Access::Load)
      p.data = take();
    if (a.memory != Access::Flat)
      p.scalar = take();
    break;
  }
  if (next != p.operands.size())
    return false;
  for (const Operand &o : p.operands)
    if (!o.kind || o.reg + o.dwords > (o.kind == 's' ? 64u : 90u))
      return false;
  if (p.operands[p.address].kind != 'v')
    return false;
  // The data, the destination and the preserved part of a destination must not
  // overlap the address.
  auto overlap = [&](int x, int y) {
    if (x < 0 || y < 0 || x == y)
      return false;
    const Operand &a = p.operands[x], &b = p.operands[y];
    return a.kind == b.kind && a.reg < b.reg + b.dwords &&
           b.reg < a.reg + a.dwords;
  };
  return !(a.half >= 0 && overlap(p.address, p.dst)) &&
         !overlap(p.address, p.data) && !overlap(p.address, p.data2) &&
         !overlap(p.data, p.data2);
}

struct Machine {
  std::string chip;
  unsigned generation, lanes;
};

/// The values of registers v0 … v89 by lane, and the bytes of each lane in
/// memory.
struct Image {
  std::vector<u32> registers, memory;
  unsigned lanes;
  u32 reg(unsigned r, unsigned lane) const {
    return registers[r * lanes + lane];
  }
  u32 word(unsigned lane, unsigned k) const { return memory[lane * 8 + k]; }
};

Image makeImage(const Machine &m, unsigned round) {
  std::mt19937 random(round + 77);
  Image image;
  image.lanes = m.lanes;
  auto value = [&] {
    return random() % 4 ? kEdges[random() % kEdges.size()] : u32(random());
  };
  image.registers.resize(90 * m.lanes);
  for (u32 &v : image.registers)
    v = value();
  image.memory.resize(8 * m.lanes);
  for (u32 &v : image.memory)
    v = value();
  return image;
}

/// The number of registers of a probe's result.
unsigned outRows(const Probe &p) {
  return p.dst < 0 ? 0 : p.operands[p.dst].dwords;
}

class MemoryRun {
public:
  explicit MemoryRun(const Machine &machine) : m(machine) {}
  bool add(const KnownInstruction::Instance &instance, const Access &access) {
    Probe p;
    p.text = instance.text;
    p.bytes = instance.bytes;
    p.access = access;
    // Replaces an offset in a scalar register, because the register could be a
    // part of the descriptor: by the constant 0 in the last byte, or on gfx12
    // by null in the first byte.
    if (access.memory == Access::Buffer) {
      if (m.generation == 12)
        p.bytes[0] = (p.bytes[0] & 0x80) | 0x7c;
      else
        p.bytes[7] = 0x80;
    }
    StringRef modifiers;
    p.operands = parseOperands(
        StringRef(instance.text).split(' ').second.trim(), modifiers);
    if (!understand(p, modifiers))
      return false;
    probes.push_back(p);
    return true;
  }
  size_t count() const { return probes.size(); }
  void run();

private:
  std::string check(const Probe &p, const Image &image, const u32 *registers,
                    const u32 *memory) const;
  const Machine m;
  std::vector<Probe> probes;
};

/// Writes the program that runs probes. The memories of the probes are
/// consecutive. LDS and scratch are filled from the memory of the probe and
/// copied back to it.
class MemoryProgram {
public:
  explicit MemoryProgram(const Machine &m)
      : m(m), isGfx9(m.generation == 9),
        wait(m.generation == 12 ? "s_wait_loadcnt 0x0\ns_wait_storecnt 0x0\n"
                                  "s_wait_dscnt 0x0\ns_wait_kmcnt 0x0\n"
             : isGfx9 ? "s_waitcnt vmcnt(0) lgkmcnt(0)\n"
                      : "s_waitcnt vmcnt(0) lgkmcnt(0)\ns_waitcnt_vscnt null, "
                        "0x0\n") {}

  std::string write(const std::vector<Probe> &probes) {
    begin();
    for (const Probe &p : probes) {
      loadRegisters(p);
      fillMemory(p);
      setAddress(p);
      setBase(p);
      run(p);
      copyBack(p);
      s << "s_add_u32 s84, s84, " << kBytes * m.lanes
        << "\ns_addc_u32 s85, s85, 0\n";
    }
    return s.str();
  }

private:
  /// A mnemonic of gfx9 and its name on later chips.
  const char *name(const char *old, const char *later) const {
    return isGfx9 ? old : later;
  }
  void begin();
  void loadRegisters(const Probe &p);
  void fillMemory(const Probe &p);
  void setAddress(const Probe &p);
  void setBase(const Probe &p);
  void run(const Probe &p);
  void copyBack(const Probe &p);

  const Machine &m;
  const bool isGfx9;
  const std::string wait;
  std::ostringstream s;
};

/// s[80:81] are the registers, s[82:83] the results, s[84:85] the memory of a
/// probe.
void MemoryProgram::begin() {
  s << name("s_load_dwordx4", "s_load_b128") << " s[80:83], s[0:1], 0x0\n"
    << name("s_load_dwordx2", "s_load_b64") << " s[84:85], s[0:1], 0x10\n"
    << "v_and_b32 v100, 0x3ff, v0\nv_lshlrev_b32 v101, 5, v100\n"
    << "v_lshlrev_b32 v100, 2, v100\nv_mov_b32 v102, v100\n"
    << "s_mov_b32 s86, 0\n"
    << wait;
}

void MemoryProgram::loadRegisters(const Probe &p) {
  std::set<unsigned> used;
  for (const Operand &o : p.operands)
    if (o.kind == 'v')
      for (unsigned k = 0; k < o.dwords; ++k)
        used.insert(o.reg + k);
  for (unsigned r : used)
    s << name("v_add_u32_e32", "v_add_nc_u32_e32") << " v103, "
      << r * 4 * m.lanes << ", v100\n"
      << name("global_load_dword", "global_load_b32") << " v" << r
      << ", v103, s[80:81]\n";
}

void MemoryProgram::fillMemory(const Probe &p) {
  const Access::Memory memory = p.access.memory;
  const bool isLds = memory == Access::Lds;
  if (isLds || memory == Access::Scratch) {
    const char *load = name("global_load_dwordx4", "global_load_b128");
    s << load << " v[104:107], v101, s[84:85]\n"
      << load << " v[108:111], v101, s[84:85] offset:16\n"
      << wait;
    const std::string store =
        isLds ? name("ds_write_b128 v101", "ds_store_b128 v101")
              : name("scratch_store_dwordx4 off", "scratch_store_b128 off");
    const char *base = isLds ? "" : ", s86";
    s << store << ", v[104:107]" << base << "\n"
      << store << ", v[108:111]" << base << " offset:16\n";
  }
  s << wait;
}

/// Sets the vector register or registers that the instruction addresses with.
void MemoryProgram::setAddress(const Probe &p) {
  const Operand &address = p.operands[p.address];
  const unsigned low = address.reg, high = address.reg + 1;
  const Access::Memory memory = p.access.memory;
  if (memory == Access::Scratch) {
    s << "v_mov_b32 v" << low << ", 0\n";
  } else if (memory == Access::Lds || memory == Access::Buffer ||
             address.dwords == 1) {
    s << "v_mov_b32 v" << low << ", v101\n";
  } else {
    const char *vcc = m.lanes == 32 ? "vcc_lo" : "vcc";
    s << "v_mov_b32 v" << low << ", s84\n"
      << "v_mov_b32 v" << high << ", s85\n"
      << name("v_add_co_u32_e32", "v_add_co_u32") << " v" << low << ", " << vcc
      << ", v101, v" << low << "\n"
      << name("v_addc_co_u32_e32", "v_add_co_ci_u32_e32") << " v" << high
      << ", " << vcc << ", 0, v" << high << ", " << vcc << "\n";
  }
}

/// Sets the scalar registers of the base address or the buffer resource.
void MemoryProgram::setBase(const Probe &p) {
  if (p.scalar < 0)
    return;
  const unsigned d = p.operands[p.scalar].reg;
  if (p.access.memory == Access::Buffer)
    s << "s_mov_b32 s" << d << ", s84\ns_and_b32 s" << d + 1
      << ", s85, 0xffff\ns_mov_b32 s" << d + 2 << ", " << kBytes * m.lanes
      << "\ns_mov_b32 s" << d + 3 << ", " << name("0x27000", "0x31016000")
      << "\n";
  else if (p.operands[p.scalar].kind != 's')
    return;
  else if (p.access.memory == Access::Scratch)
    s << "s_mov_b32 s" << d << ", 0\n";
  else
    s << "s_mov_b64 s[" << d << ":" << d + 1 << "], s[84:85]\n";
}

void MemoryProgram::run(const Probe &p) {
  s << "s_mov_b32 m0, -1\n.byte ";
  for (size_t i = 0; i < p.bytes.size(); ++i)
    s << (i ? "," : "") << unsigned(p.bytes[i]);
  s << "\n" << wait;
}

/// Stores the result, and copies LDS or scratch to the probe's memory.
void MemoryProgram::copyBack(const Probe &p) {
  for (unsigned k = 0; k < outRows(p); ++k)
    s << name("global_store_dword", "global_store_b32") << " v102, v"
      << p.operands[p.dst].reg + k << ", s[82:83]\n"
      << name("v_add_u32_e32", "v_add_nc_u32_e32") << " v102, " << 4 * m.lanes
      << ", v102\n";
  const Access::Memory memory = p.access.memory;
  const bool isLds = memory == Access::Lds;
  if (!isLds && memory != Access::Scratch)
    return;
  const char *load = isLds ? name("ds_read_b128", "ds_load_b128")
                           : name("scratch_load_dwordx4", "scratch_load_b128");
  const char *address = isLds ? "v101" : "off, s86";
  const char *store = name("global_store_dwordx4", "global_store_b128");
  s << load << " v[104:107], " << address << "\n"
    << load << " v[108:111], " << address << " offset:16\n"
    << wait << store << " v101, v[104:107], s[84:85]\n"
    << store << " v101, v[108:111], s[84:85] offset:16\n"
    << wait;
}

std::string MemoryRun::check(const Probe &p, const Image &image,
                             const u32 *registers, const u32 *memory) const {
  const Access &a = p.access;
  auto dataWord = [&](int operand, unsigned k, unsigned lane) -> u32 {
    return image.reg(p.operands[operand].reg + k, lane);
  };
  for (unsigned lane = 0; lane < m.lanes; ++lane) {
    u32 place[8];
    for (unsigned k = 0; k < 8; ++k)
      place[k] = image.word(lane, k);
    std::vector<u32> result(outRows(p));
    if (p.dst >= 0)
      for (unsigned k = 0; k < result.size(); ++k)
        result[k] = image.reg(p.operands[p.dst].reg + k, lane);
    bool open = false;
    if (a.kind == Access::Load) {
      if (a.bytes < 4) {
        u32 v = place[0] & (a.bytes == 1 ? 255 : 65535);
        if (a.isSigned)
          v = a.bytes == 1 ? i32(int8_t(v)) : i32(i16(v));
        result[0] = a.half < 0    ? v
                    : a.half == 0 ? (result[0] & 0xffff0000) | (v & 0xffff)
                                  : (result[0] & 0xffff) | v << 16;
      } else {
        // An instruction with two addresses, whose offsets are both 0.
        for (unsigned n = 0; n < a.places; ++n)
          for (unsigned k = 0; k < a.dwords(); ++k)
            result[n * a.dwords() + k] = place[k];
      }
    } else if (a.kind == Access::Store) {
      const int from = a.places == 2 ? p.data2 : p.data;
      if (a.bytes < 4) {
        u32 v = dataWord(from, 0, lane) >> (a.half == 1 ? 16 : 0);
        u32 mask = a.bytes == 1 ? 255 : 65535;
        place[0] = (place[0] & ~mask) | (v & mask);
      } else {
        for (unsigned k = 0; k < a.dwords(); ++k)
          place[k] = dataWord(from, k, lane);
      }
    } else {
      auto pair = [&](int operand, unsigned at) -> u64 {
        u64 v = dataWord(operand, at, lane);
        if (a.bytes == 8)
          v |= u64(dataWord(operand, at + 1, lane)) << 32;
        return v;
      };
      u64 old = place[0];
      if (a.bytes == 8)
        old |= u64(place[1]) << 32;
      u64 x = pair(p.data, 0), y = 0;
      if (p.data2 >= 0)
        y = pair(p.data2, 0);
      else if (a.op == "cmpswap")
        y = pair(p.data, a.dwords());
      std::optional<u64> now = atomicResult(a, old, x, y);
      if (!now)
        return "no model of " + a.op;
      // Floats: NaNs of any kind, and denormals as the memory keeps them.
      const bool isFloat = a.type != 'u' && a.type != 'i' && a.op != "swap";
      open = isFloat && a.op != "cmpswap" &&
             (isNan(a, old) || isNan(a, x) || isNan(a, *now) ||
              isDenormal(a, old) || isDenormal(a, x) || isDenormal(a, *now));
      // If both are zero, either sign is accepted.
      u64 sign = a.bytes == 8 ? u64(1) << 63 : 0x80000000;
      open |= isFloat && !(old & ~sign) && !(x & ~sign);
      // Denormals, as the memory compares them.
      open |= isFloat && a.op == "cmpswap" &&
              (isDenormal(a, old) || isDenormal(a, y));
      place[0] = static_cast<u32>(*now);
      if (a.bytes == 8)
        place[1] = static_cast<u32>(*now >> 32);
      for (unsigned k = 0; k < a.dwords() && k < result.size(); ++k)
        result[k] = static_cast<u32>(old >> 32 * k);
    }
    auto differs = [&](const std::string &where, u32 got, u32 want) {
      std::ostringstream s;
      s << p.text << ", lane " << lane << ": " << where << " is " << std::hex
        << got << " instead of " << want;
      return s.str();
    };
    for (unsigned k = 0; k < 8; ++k)
      if (u32 got = memory[lane * 8 + k]; !open && got != place[k])
        return differs("dword " + std::to_string(k), got, place[k]);
    // The data and the destination of a buffer instruction have the width of
    // the wider one.
    size_t written = result.size();
    if (a.kind == Access::Atomic)
      written = std::min<size_t>(written, a.dwords());
    for (unsigned k = 0; k < written; ++k)
      if (u32 got = registers[(p.out + k) * m.lanes + lane]; got != result[k])
        return differs("result " + std::to_string(k), got, result[k]);
  }
  return "";
}

void MemoryRun::run() {
  const size_t kChunk = 400;
  for (size_t begin = 0; begin < probes.size(); begin += kChunk) {
    std::vector<Probe> chunk(probes.begin() + begin,
                             probes.begin() +
                                 std::min(begin + kChunk, probes.size()));
    size_t rows = 1;
    for (Probe &p : chunk) {
      p.out = rows - 1;
      rows += outRows(p);
    }
    KernelOptions options;
    options.wave64 = m.generation > 9 && m.lanes == 64;
    options.ldsBytes = kBytes * m.lanes;
    options.privateBytes = kBytes;
    const std::string image = assemble(
        m.chip, kernelText(m.chip, MemoryProgram(m).write(chunk), 3, options),
        options.wave64 ? "+wavefrontsize64" : "");
    SimDevice device;
    LoadedKernels loaded(device, image);
    for (unsigned round = 0; round < 6; ++round) {
      Image values = makeImage(m, round);
      std::vector<u32> all;
      for (size_t i = 0; i < chunk.size(); ++i)
        all.insert(all.end(), values.memory.begin(), values.memory.end());
      u32 *registers = onDevice(device, values.registers);
      u32 *results =
          onDevice(device, std::vector<u32>(rows * m.lanes, 0xdeadbeef));
      u32 *memory = onDevice(device, all);
      ASSERT_EQ(loaded.run("test", {registers, results, memory}, {1, 1, 1},
                           {m.lanes, 1, 1}),
                "");
      for (size_t i = 0; i < chunk.size(); ++i) {
        std::string what =
            check(chunk[i], values, results, memory + i * 8 * m.lanes);
        if (!what.empty())
          ADD_FAILURE() << m.chip << ": " << what;
      }
    }
  }
}

/// Instructions without a model, by a part of their name, and where they are
/// tested.
const struct {
  const char *part, *where;
} kUncovered[] = {
    {"_format_", "SimTypedMemoryTest"},
    {"_lds_", "SimMemoryTest, SimTypedMemoryTest: LDS DMA"},
    {"_tr_", "SimTypedMemoryTest: transposing loads"},
    {"addtid", "SimTypedMemoryTest"},
    {"_block", "SimTypedMemoryTest"},
    {"ds_swizzle_b32", "SimMemoryTest"},
    {"permute_", "SimMemoryTest"},
    {"ds_append", "SimTypedMemoryTest"},
    {"ds_consume", "SimTypedMemoryTest"},
    {"wrxchg2", "SimTypedMemoryTest"},
    {"storexchg_2addr", "SimTypedMemoryTest"},
    {"ds_cmpst_", "SimTypedMemoryTest: those of floats"},
    {"ds_condxchg32_rtn_b64", "SimTypedMemoryTest"},
    {"ds_wrap_rtn_b32", "SimTypedMemoryTest"},
    {"ds_nop", "does nothing"},
    {"inv", "SimCheckerTest: caches"},
    {"wb", "SimCheckerTest: caches"},
    {"ds_gws_", "not executed"},
    {"ds_bvh_", "not executed"},
    {"gs_reg", "not executed"},
    {"ordered", "not executed"},
};

/// Each chip, with its smallest wave size.
class SimModelMemory : public ::testing::TestWithParam<const char *> {};

TEST_P(SimModelMemory, EveryAccess) {
  const char *chip = GetParam();
  const unsigned lanes = Chip::parse(chip)->hasWave32 ? 32 : 64;
  Machine m{chip,
            StringRef(chip).starts_with("gfx11")   ? 11u
            : StringRef(chip).starts_with("gfx12") ? 12u
                                                   : 9u,
            lanes};
  MemoryRun run(m);
  std::set<std::string> covered, all;
  for (const KnownInstruction &known :
       knownInstructions(chip, lanes == 32, {.registersFirst = true})) {
    if (known.family != "DS" && known.family != "FLAT" &&
        known.family != "MUBUF")
      continue;
    all.insert(known.mnemonic);
    std::optional<Access> access = parseAccess(known.mnemonic);
    if (!access)
      continue;
    bool any = run.add(known.instance, *access);
    for (const KnownInstruction::Instance &variant : known.variants)
      any |= run.add(variant, *access);
    if (any)
      covered.insert(known.mnemonic);
  }
  if (const char *path = std::getenv("AIRCC_TEST_UNCOVERED")) {
    std::ofstream file(path, std::ios::app);
    file << chip << " " << lanes << ": memory: " << covered.size() << " of "
         << all.size() << " mnemonics, " << run.count()
         << " forms; not covered:\n";
    for (const std::string &name : all)
      if (!covered.count(name))
        file << name << "\n";
  }
  for (const std::string &name : all)
    EXPECT_TRUE(covered.count(name) ||
                std::any_of(std::begin(kUncovered), std::end(kUncovered),
                            [&](const auto &entry) {
                              return StringRef(name).contains(entry.part);
                            }))
        << name << " has no model";
  EXPECT_GT(covered.size(), 270u);
  run.run();
}

INSTANTIATE_TEST_SUITE_P(Chips, SimModelMemory, ::testing::ValuesIn(kChips),
                         nameOfChip);

} // namespace
