//===- SimModelTest.cpp - Every encoding against the model ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes every vector and scalar instruction that LLVM's tables have for a chip,
// in every encoding (e32, e64, SDWA, DPP) and with every modifier, runs it on
// edge values, and compares with SimModel. The modifiers are parsed from the
// text that LLVM prints, and are implemented here once more.
//
// kUncovered lists the instructions without a model; it may only shrink.
// AIRCC_TEST_UNCOVERED=FILE writes the correct list.
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimInstructions.h"
#include "test/unit/simulator/SimModelProbe.h"

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <sstream>

using namespace aircc::sim;
using namespace aircc::sim::test;
using llvm::StringRef;

namespace {

//===----------------------------------------------------------------------===//
// Running instructions
//===----------------------------------------------------------------------===//

/// Writes the program that runs probes. It stores rows of results: a row has
/// one dword for each lane. Every lane stores the same mask.
class ProgramWriter {
public:
  explicit ProgramWriter(const Machine &m)
      : m(m), store(m.gfx9() ? "global_store_dword" : "global_store_b32"),
        add(m.gfx9() ? "v_add_u32_e32" : "v_add_nc_u32_e32"),
        rowBytes(std::to_string(4 * m.lanes)) {}

  std::string write(std::vector<Probe> &probes) {
    loadImage();
    for (Probe &p : probes) {
      p.out = row;
      run(p);
      storeResults(p);
      p.rows = row - p.out;
    }
    return s.str();
  }

private:
  void loadImage();
  void run(const Probe &p);
  void storeResults(const Probe &p);
  void storeScalarResults(const Probe &p);
  void storeMask(const Source &mask);
  void storeRow(const std::string &reg) {
    s << store << " v100, " << reg << ", s[82:83]\n"
      << add << " v100, " << rowBytes << ", v100\n";
    ++row;
  }
  /// Stores a scalar register by every lane.
  void storeScalar(const std::string &reg) {
    s << "v_mov_b32 v101, " << reg << "\n";
    storeRow("v101");
  }

  const Machine &m;
  const std::string store, add, rowBytes;
  std::ostringstream s;
  size_t row = 0;
};

void ProgramWriter::loadImage() {
  const bool gfx9 = m.gfx9();
  const std::string wait = m.generation == 12
                               ? "s_wait_loadcnt 0x0\ns_wait_kmcnt 0x0\n"
                               : "s_waitcnt vmcnt(0) lgkmcnt(0)\n";
  s << (gfx9 ? "s_load_dwordx4" : "s_load_b128") << " s[80:83], s[0:1], 0x0\n"
    << "v_and_b32 v100, 0x3ff, v0\nv_lshlrev_b32 v100, 2, v100\n"
    << "v_mov_b32 v99, v100\n"
    << wait;
  for (unsigned r = 0; r < Image::kRegisters; ++r)
    s << (gfx9 ? "global_load_dword" : "global_load_b32") << " v" << r
      << ", v99, s[80:81]\n"
      << add << " v99, " << rowBytes << ", v99\n";
  // The scalars follow the vectors; copies restore them.
  s << "s_add_u32 s80, s80, " << Image::kRegisters * m.lanes * 4
    << "\ns_addc_u32 s81, s81, 0\n";
  for (unsigned r = 0; r < 40; ++r)
    s << (gfx9 ? "s_load_dword" : "s_load_b32") << " s" << r << ", s[80:81], 0x"
      << std::hex << 4 * r << std::dec << "\n";
  s << (gfx9 ? "s_load_dwordx2" : "s_load_b64") << " s[84:85], s[80:81], 0x"
    << std::hex << 160 << std::dec << "\n"
    << wait;
  for (unsigned r = 0; r < 40; ++r)
    s << "s_mov_b32 s" << 40 + r << ", s" << r << "\n";
  // Copies of the registers that are destinations.
  for (unsigned r = 0; r < 4; ++r)
    s << "v_mov_b32 v" << 104 + r << ", v" << r << "\n";
}

void ProgramWriter::run(const Probe &p) {
  s << "s_mov_b64 vcc, s[84:85]\n";
  if (p.scalar) // SCC is the low bit of s85.
    s << "s_bitcmp1_b32 s85, 0\n";
  s << ".byte ";
  for (size_t i = 0; i < p.bytes.size(); ++i)
    s << (i ? "," : "") << unsigned(p.bytes[i]);
  s << "\n";
}

void ProgramWriter::storeMask(const Source &mask) {
  const bool isVcc = mask.kind == Source::Vcc;
  storeScalar(isVcc ? "vcc_lo" : "s" + std::to_string(mask.reg));
  if (m.lanes == 64)
    storeScalar(isVcc ? "vcc_hi" : "s" + std::to_string(mask.reg + 1));
  if (mask.kind == Source::Scalar)
    for (unsigned k = 0; k < m.lanes / 32; ++k)
      s << "s_mov_b32 s" << mask.reg + k << ", s" << 40 + mask.reg + k << "\n";
}

void ProgramWriter::storeScalarResults(const Probe &p) {
  const unsigned reg = p.printed.operands[0].reg;
  s << "s_cselect_b32 s86, 1, 0\n";
  if (p.scalar->scc != ScalarModel::Is)
    for (unsigned k = 0; k < sizeOf(p.scalar->dst); ++k) {
      storeScalar("s" + std::to_string(reg + k));
      s << "s_mov_b32 s" << reg + k << ", s" << 40 + reg + k << "\n";
    }
  storeScalar("s86");
}

void ProgramWriter::storeResults(const Probe &p) {
  const Source &dst = p.printed.operands[0];
  if (p.scalar)
    return storeScalarResults(p);
  if (p.isExec) {
    s << (m.lanes == 64 ? "s_mov_b64 s[86:87], exec\ns_mov_b64 exec, -1\n"
                        : "s_mov_b32 s86, exec_lo\ns_mov_b32 exec_lo, -1\n");
    storeScalar("s86");
    if (m.lanes == 64)
      storeScalar("s87");
    return;
  }
  if (p.isCompare)
    return storeMask(dst);
  const unsigned dwords = std::max(dst.dwords, sizeOf(p.model->dst));
  for (unsigned k = 0; k < dwords; ++k) {
    storeRow("v" + std::to_string(dst.reg + k));
    s << "v_mov_b32 v" << dst.reg + k << ", v" << 104 + dst.reg + k << "\n";
  }
  if (p.carryOut >= 0)
    storeMask(p.printed.operands[p.carryOut]);
}

/// Whether two results of the same kind are equal.
bool same(const Model &model, u64 got, u64 want) {
  if (got == want)
    return true;
  auto nans = [&](u64 a, u64 b) {
    switch (model.dst) {
    case Kind::F16:
      return isNan16(a & 0xffff) && isNan16(b & 0xffff);
    case Kind::F32:
      return isNan32(u32(a)) && isNan32(u32(b));
    case Kind::F64:
      return isNan64(a) && isNan64(b);
    case Kind::BF16:
      return (a & 0x7fff) > 0x7f80 && (b & 0x7fff) > 0x7f80;
    default:
      return false;
    }
  };
  if (model.packed) {
    unsigned step = model.dst == Kind::F32 ? 32 : 16;
    u64 mask = (u64(1) << step) - 1;
    for (unsigned part = 0; part < 2; ++part) {
      u64 a = got >> step * part & mask, b = want >> step * part & mask;
      if (a != b && !nans(a, b))
        return false;
    }
    return true;
  }
  // A half in the high half of a register.
  if (model.dst == Kind::F16 && got >> 16 != want >> 16 &&
      (got & 0xffff) == (want & 0xffff))
    return nans(got >> 16, want >> 16);
  if (model.dst == Kind::F16 && got >> 16 != want >> 16)
    return false;
  if (nans(got, want))
    return true;
  if (!model.inexact)
    return false;
  u64 distance = got > want ? got - want : want - got;
  return distance <= 1;
}

/// Parts of a message, numbers in hexadecimal.
template <class... Parts> std::string text(const Parts &...parts) {
  std::ostringstream s;
  s << std::hex;
  (s << ... << parts);
  return s.str();
}

/// The settings of the fields of SDWA and DPP that the test iterates over.
const unsigned kSdwa[][4] = { // dst_sel, dst_unused, src0_sel, src1_sel
    {6, 0, 6, 6}, {5, 2, 4, 5}, {0, 1, 1, 6}, {2, 2, 5, 0},
    {4, 0, 6, 3}, {1, 0, 2, 4}, {3, 1, 0, 1}, {4, 1, 3, 2}};
const unsigned kDpp[] = {0xb1, 0x111, 0x125, 0x140, 0x103, 0x1b, 0x118};

class SimModelRun {
public:
  SimModelRun(const Machine &machine) : m(machine) {}

  /// Adds the probes of an instance; returns false if no model covers it.
  bool add(const KnownInstruction &known,
           const KnownInstruction::Instance &instance, unsigned turn) {
    Probe p;
    p.text = instance.text;
    p.bytes = instance.bytes;
    p.printed = parsePrinted(instance.text);
    if (!p.printed.unknown.empty() || p.printed.operands.empty())
      return false;
    if (known.family[0] == 'S')
      return addScalar(p);
    std::string base = p.printed.base;
    p.isCompare = StringRef(base).starts_with("v_cmp");
    if (StringRef(base).starts_with("v_cmpx_")) {
      p.isExec = true;
      base = "v_cmp_" + base.substr(7);
    }
    auto found = vectorModels().find(base);
    if (found == vectorModels().end())
      return false;
    p.model = &found->second;
    const Model &model = *p.model;
    const size_t count = p.printed.operands.size();
    // gfx11 and gfx12: v_cmpx has no destination but EXEC.
    bool implicit = p.isExec && !m.gfx9();
    p.firstSource = implicit ? 0 : 1;
    if (model.carry) {
      p.carryOut = 1;
      p.firstSource = 2;
    }
    size_t printed = model.count - (model.tied ? 1 : 0);
    size_t sources = 0;
    for (unsigned i = 0; i < printed; ++i)
      sources += model.src[i] != Kind::Mask;
    if (count == p.firstSource + sources + 1 &&
        model.src[model.count - 1] == Kind::Mask)
      p.carryIn = static_cast<int>(count - 1);
    else if (count != p.firstSource + sources)
      return false;
    for (size_t i = 0; i < count; ++i) {
      const Source &s = p.printed.operands[i];
      if (s.kind == Source::Other)
        return false;
      if (s.kind == Source::Vector && s.reg + s.dwords > Image::kRegisters)
        return false;
      if (s.kind == Source::Scalar && s.reg + s.dwords > 40)
        return false;
    }
    const Source &dst = p.printed.operands[0];
    if (!implicit && !p.isCompare &&
        (dst.kind != Source::Vector || dst.reg + dst.dwords > 4))
      return false;
    if (!implicit && p.isCompare && dst.kind != Source::Vcc &&
        dst.kind != Source::Scalar)
      return false;
    // Integers have no sign modifiers, and some ignore clamp.
    for (unsigned i = 0; i < sources; ++i) {
      const Source &s = p.printed.operands[p.firstSource + i];
      if ((s.neg || s.abs) && !isFloat(model.src[i]))
        return false;
    }
    if (p.printed.clamp && !model.saturates && !isFloat(model.dst))
      return false;
    bool anyFloat = false;
    for (Kind kind : model.src)
      anyFloat |= isFloat(kind);
    if ((p.printed.negLo || p.printed.negHi) && !anyFloat &&
        !StringRef(base).contains("_iu"))
      return false;
    if (known.family.find("sdwa") != std::string::npos)
      setSdwa(p, known, turn);
    else if (known.family.find("dpp16") != std::string::npos)
      setDpp16(p, turn);
    else if (known.family.find("dpp8") != std::string::npos)
      setDpp8(p);
    probes.push_back(std::move(p));
    return true;
  }

  void run();
  size_t count() const { return probes.size(); }

private:
  bool addScalar(Probe &p) {
    auto found = scalarModels().find(p.printed.base);
    if (found == scalarModels().end())
      return false;
    p.scalar = &found->second;
    const ScalarModel &model = *p.scalar;
    size_t sources =
        (model.src[0] != Kind::None) + (model.src[1] != Kind::None);
    size_t expected =
        model.reads ? 2 : sources + (model.scc != ScalarModel::Is);
    if (p.printed.operands.size() != expected)
      return false;
    for (const Source &s : p.printed.operands)
      if ((s.kind != Source::Scalar || s.reg + s.dwords > 40) &&
          s.kind != Source::Constant)
        return false;
    if (model.scc != ScalarModel::Is &&
        p.printed.operands[0].kind != Source::Scalar)
      return false;
    probes.push_back(std::move(p));
    return true;
  }
  void setSdwa(Probe &p, const KnownInstruction &known, unsigned turn) {
    p.form = Form::Sdwa;
    const unsigned *f = kSdwa[turn % std::size(kSdwa)];
    p.srcSel[0] = f[2];
    p.srcSel[1] = f[3];
    p.bytes[6] = (p.bytes[6] & ~7) | f[2];
    // A VOP1 has no second source.
    if (known.family.find("VOP1") == std::string::npos)
      p.bytes[7] = (p.bytes[7] & ~7) | f[3];
    if (p.isCompare)
      return;
    p.dstSel = f[0];
    p.dstUnused = f[1];
    p.bytes[5] = (p.bytes[5] & ~0x1f) | f[0] | f[1] << 3;
  }
  void setDpp16(Probe &p, unsigned turn) {
    p.form = Form::Dpp16;
    p.control = kDpp[turn % std::size(kDpp)];
    // 64-bit values move only within a row, and by row_newbcast.
    for (unsigned i = 0; i < p.model->count; ++i)
      if (sizeOf(p.model->src[i]) == 2 || sizeOf(p.model->dst) == 2)
        p.control = 0x153;
    p.bound = turn / std::size(kDpp) % 2;
    size_t at = p.bytes.size() - 4;
    p.bytes[at + 1] = p.control & 255;
    p.bytes[at + 2] =
        (p.bytes[at + 2] & ~0x0d) | (p.control >> 8) | (p.bound ? 8 : 0);
    p.bytes[at + 3] = 0xff;
  }
  void setDpp8(Probe &p) {
    p.form = Form::Dpp8;
    u32 selectors = 0;
    for (unsigned k = 0; k < 8; ++k)
      selectors |= (7 - k) << 3 * k;
    size_t at = p.bytes.size() - 3;
    for (unsigned k = 0; k < 3; ++k)
      p.bytes[at + k] = selectors >> 8 * k & 255;
  }
  /// Describes the first difference, or returns "".
  std::string check(const Probe &p, const Image &image, const u32 *out) const;
  std::string checkScalar(const Probe &p, const Image &image,
                          const u32 *out) const;

  const Machine m;
  std::vector<Probe> probes;
};

std::string SimModelRun::checkScalar(const Probe &p, const Image &image,
                                     const u32 *out) const {
  const ScalarModel &model = *p.scalar;
  Context context;
  context.immediate = image.vcc >> 32 & 1;
  u64 in[2] = {};
  const size_t first = model.reads || model.scc == ScalarModel::Is ? 0 : 1;
  for (unsigned i = 0; i < 2 && model.src[i] != Kind::None; ++i) {
    Probe plain;
    in[i] = *readSource(m, plain, image, p.printed.operands[first + i],
                        model.src[i], i, 0);
  }
  i128 exact = model.run(in, context);
  u64 want = static_cast<u64>(exact);
  bool scc = context.immediate, over = false;
  auto range = [&](i128 low, i128 high) { over = exact < low || exact > high; };
  if (model.dst == Kind::I32)
    range(INT32_MIN, INT32_MAX);
  if (model.dst == Kind::U32)
    range(0, UINT32_MAX);
  if (sizeOf(model.dst) == 1)
    want &= 0xffffffff;
  if (model.dst == Kind::F16)
    want &= 0xffff;
  if (model.scc == ScalarModel::NotZero)
    scc = want != 0;
  if (model.scc == ScalarModel::OutOfRange)
    scc = over;
  if (model.scc == ScalarModel::IsFirst)
    scc = u32(want) == u32(in[0]) && u32(in[0]) != u32(in[1]);
  if (model.scc == ScalarModel::Is)
    scc = exact != 0;
  size_t row = p.out;
  if (model.scc != ScalarModel::Is) {
    u64 got = out[row++ * m.lanes];
    if (sizeOf(model.dst) == 2)
      got |= u64(out[row++ * m.lanes]) << 32;
    Model kind;
    kind.dst = model.dst;
    if (!same(kind, got, want))
      return text(p.text, " of ", in[0], ", ", in[1], ": ", got, " instead of ",
                  want);
  }
  if (out[row * m.lanes] != u32(scc))
    return text("SCC of ", p.text, " of ", in[0], ", ", in[1], " is not ", scc);
  return "";
}

std::string SimModelRun::check(const Probe &p, const Image &image,
                               const u32 *out) const {
  if (p.scalar)
    return checkScalar(p, image, out);
  const Model &model = *p.model;
  const Source &dst = p.printed.operands[0];
  size_t row = p.out;
  u64 wantMask = 0;
  const bool isMask = p.isCompare;
  const unsigned dwords = isMask ? 0 : std::max(dst.dwords, sizeOf(model.dst));
  for (unsigned lane = 0; lane < m.lanes; ++lane) {
    Expected e = expect(m, p, image, lane);
    // A comparison is false if DPP provides no value.
    if (e.mask && (e.written || !p.isCompare))
      wantMask |= u64(1) << lane;
    if (isMask)
      continue;
    u64 got = 0;
    for (unsigned k = 0; k < dwords; ++k)
      got |= u64(out[(row + k) * m.lanes + lane]) << 32 * k;
    if (dwords == 1)
      e.value &= 0xffffffff;
    if (e.open || same(model, got, e.value))
      continue;
    std::string values;
    for (size_t i = p.firstSource; i < p.printed.operands.size(); ++i) {
      std::optional<u64> value = readSource(m, p, image, p.printed.operands[i],
                                            Kind::U64, i - p.firstSource, lane);
      values += text(" ", value.value_or(0));
    }
    return text(p.text, ", lane ", std::to_string(lane), ": ", got,
                " instead of ", e.value, " (dpp ", p.control, ", sdwa ",
                p.dstSel, p.dstUnused, p.srcSel[0], p.srcSel[1], "), of",
                values);
  }
  if (!isMask && p.carryOut < 0)
    return "";
  row += dwords;
  u64 got = out[row * m.lanes];
  if (m.lanes == 64)
    got |= u64(out[(row + 1) * m.lanes]) << 32;
  if (got != wantMask)
    return text("mask of ", p.text, ": ", got, " instead of ", wantMask,
                " (dpp ", p.control, ")");
  return "";
}

void SimModelRun::run() {
  const size_t kChunk = 1500;
  std::set<std::string> failed;
  for (size_t begin = 0; begin < probes.size(); begin += kChunk) {
    std::vector<Probe> chunk(probes.begin() + begin,
                             probes.begin() +
                                 std::min(begin + kChunk, probes.size()));
    std::string body = ProgramWriter(m).write(chunk);
    KernelOptions options;
    options.wave64 = !m.gfx9() && m.lanes == 64;
    const std::string image =
        assemble(m.chip, kernelText(m.chip, body, 2, options),
                 options.wave64 ? "+wavefrontsize64" : "");
    SimDevice device;
    LoadedKernels loaded(device, image);
    const size_t rows = chunk.back().out + chunk.back().rows;
    for (unsigned round = 0; round < 6; ++round) {
      Image values = makeImage(round);
      std::vector<u32> in;
      for (auto &r : values.vectors)
        in.insert(in.end(), r, r + m.lanes);
      in.insert(in.end(), values.scalars, values.scalars + 40);
      in.push_back(u32(values.vcc));
      in.push_back(u32(values.vcc >> 32));
      u32 *from = onDevice(device, in);
      u32 *to = onDevice(device, std::vector<u32>(rows * m.lanes, 0xdeadbeef));
      ASSERT_EQ(loaded.run("test", {from, to}, {1, 1, 1}, {m.lanes, 1, 1}), "");
      for (const Probe &p : chunk) {
        // One report for each operation is enough.
        if (failed.count(p.printed.base))
          continue;
        std::string what = check(p, values, to);
        if (what.empty())
          continue;
        ADD_FAILURE() << m.chip << ": " << what;
        failed.insert(p.printed.base);
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Coverage
//===----------------------------------------------------------------------===//

/// Instructions without a model, by a part of their name, and where they are
/// tested. The list may only shrink.
const struct {
  const char *part, *where;
} kUncovered[] = {
    {"v_mfma_", "SimMatrixTest"},
    {"v_smfmac_", "SimMatrixTest"},
    {"v_wmma_", "SimMatrixTest"},
    {"v_swmmac_", "SimMatrixTest"},
    {"v_accvgpr_", "SimMatrixKernelTest"},
    {"v_cvt_scalef32_", "SimFormatTest"},
    {"v_cvt_sr_", "SimFormatTest"},
    {"v_mqsad_u32_u8", "SimEdgeTest"},
    {"v_pk_mov_b32", "SimEdgeTest"},
    {"v_trig_preop_f64", "SimVectorTest"},
    {"v_div_scale_", "SimVectorTest, in divisions"},
    {"v_div_fmas_", "SimVectorTest, in divisions"},
    {"v_readlane_", "SimMemoryTest"},
    {"v_readfirstlane_", "SimMemoryTest"},
    {"v_writelane_", "SimMemoryTest"},
    {"v_permlane", "SimMemoryTest"},
    {"v_movrel", "SimControlTest"},
    {"v_swap", "SimControlTest"},
    {"s_movrel", "SimControlTest"},
    {"_saveexec_", "SimScalarTest"},
    {"_wrexec_", "random kernels"},
    {"v_dual_", "random kernels"},
    {"v_dot2_", "the order of its sums is not documented"},
    {"v_dot2c_", "the order of its sums is not documented"},
    {"v_dot2acc_", "the order of its sums is not documented"},
    {"v_dot4_f32_", "the order of its sums is not documented"},
    {"v_s_", "nowhere: transcendental functions of scalars"},
    {"s_fma", "nowhere"},
    {"v_nop", "does nothing"},
    {"v_clrexcp", "does nothing"},
    {"v_pipeflush", "does nothing"},
    {"v_interp_", "not executed"},
    {"v_screen_partition_", "not executed"},
    // Control instructions of the scalar unit: SimControlTest and
    // SimLaunchTest.
    {"s_alloc_vgpr", "registers are there"},
    {"s_barrier", "SimControlTest"},
    {"s_get_barrier_state", "SimControlTest"},
    {"s_branch", "SimScalarTest"},
    {"s_call_b64", "SimLaunchTest"},
    {"s_cbranch_", "SimControlTest"},
    {"s_clause", "does nothing"},
    {"s_code_end", "does nothing"},
    {"s_delay_alu", "does nothing"},
    {"perflevel", "does nothing"},
    {"s_denorm_mode", "SimVectorTest, by s_setreg"},
    {"s_round_mode", "SimVectorTest, by s_setreg"},
    {"s_endpgm", "everywhere"},
    {"s_getpc_b64", "SimScalarTest"},
    {"s_setpc_b64", "SimScalarTest"},
    {"s_swappc_b64", "SimScalarTest"},
    {"s_getreg_", "SimControlTest"},
    {"s_setreg_", "SimControlTest"},
    {"s_icache_inv", "does nothing"},
    {"s_nop", "does nothing"},
    {"s_rfe_", "not executed"},
    {"s_sendmsg", "SimControlTest"},
    {"s_set_gpr_idx_", "random kernels"},
    {"s_set_inst_prefetch_distance", "does nothing"},
    {"s_sethalt", "does nothing"},
    {"s_setkill", "does nothing"},
    {"s_setprio", "does nothing"},
    {"s_setvskip", "SimControlTest"},
    {"s_sleep", "SimCountersTest"},
    {"s_subvector_loop_", "SimControlTest"},
    {"s_trap", "SimLaunchTest"},
    {"s_ttracedata", "does nothing"},
    {"s_version", "does nothing"},
    {"s_wait", "SimCheckerTest"},
    {"s_wakeup", "does nothing"},
};

/// The families that this test covers: memory has tests of its own.
bool isComputed(const std::string &family) {
  return StringRef(family).starts_with("VOP") ||
         StringRef(family).starts_with("SOP");
}

Machine machineOf(const WaveConfiguration &c) {
  return {c.chip,
          StringRef(c.chip).starts_with("gfx11")   ? 11u
          : StringRef(c.chip).starts_with("gfx12") ? 12u
                                                   : 9u,
          c.lanes()};
}

/// Adds the instructions of a chip to `run`: all, or one of each opcode.
/// Returns the mnemonics that no model covers.
enum class Extent { All, OneEach };
std::set<std::string> addAll(const WaveConfiguration &c, SimModelRun &run,
                             unsigned &covered, Extent extent) {
  std::set<std::string> uncovered;
  unsigned turn = 0;
  for (const KnownInstruction &known :
       knownInstructions(c.chip, c.wave32, {.registersFirst = true})) {
    if (!isComputed(known.family))
      continue;
    bool any = run.add(known, known.instance, turn++);
    for (const KnownInstruction::Instance &variant : known.variants)
      if (extent == Extent::All || !any)
        any |= run.add(known, variant, turn++);
    if (any)
      ++covered;
    else
      uncovered.insert(known.mnemonic);
  }
  return uncovered;
}

class SimModel : public ::testing::TestWithParam<WaveConfiguration> {};

TEST_P(SimModel, EveryEncoding) {
  SimModelRun run(machineOf(GetParam()));
  unsigned covered = 0;
  std::set<std::string> uncovered =
      addAll(GetParam(), run, covered, Extent::All);
  for (const std::string &name : uncovered)
    EXPECT_TRUE(std::any_of(std::begin(kUncovered), std::end(kUncovered),
                            [&](const auto &entry) {
                              return StringRef(name).contains(entry.part);
                            }))
        << name << " has no model";
  if (const char *path = std::getenv("AIRCC_TEST_UNCOVERED")) {
    std::ofstream file(path, std::ios::app);
    file << GetParam().chip << " wave" << GetParam().lanes() << ": " << covered
         << " opcodes, " << run.count() << " forms; not covered:\n";
    for (const std::string &name : uncovered)
      file << name << "\n";
  }
  EXPECT_GT(covered, 850u);
  run.run();
}

/// Each entry of the list names an instruction without a model on some chip.
TEST(SimModelCoverage, ListIsShort) {
  std::set<std::string> uncovered;
  for (const WaveConfiguration &c : kWaveConfigurations) {
    SimModelRun run(machineOf(c));
    unsigned covered = 0;
    uncovered.merge(addAll(c, run, covered, Extent::OneEach));
  }
  for (const auto &entry : kUncovered)
    EXPECT_TRUE(std::any_of(uncovered.begin(), uncovered.end(),
                            [&](const std::string &name) {
                              return StringRef(name).contains(entry.part);
                            }))
        << entry.part << " is covered now: take it off the list";
}

INSTANTIATE_TEST_SUITE_P(Chips, SimModel,
                         ::testing::ValuesIn(kWaveConfigurations),
                         [](const auto &info) { return info.param.name(); });

} // namespace
