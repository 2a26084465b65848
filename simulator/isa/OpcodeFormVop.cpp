//===- OpcodeFormVop.cpp - Forms of vector arithmetic ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/isa/FormBuilder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace aircc::sim;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

constexpr Field kDpp16Fields[] = {Field::DppCtrl, Field::RowMask,
                                  Field::BankMask, Field::BoundCtrl,
                                  Field::FetchInactive};
constexpr Field kDpp8Fields[] = {Field::Dpp8, Field::FetchInactive};

/// The fields of VOP3P and of matrix instructions. A row applies if TSFlags has
/// all bits of `with` and none of `without`, the name contains `namePart`, and
/// the number of immediates is `count`. The first such row is used.
struct FieldRow {
  uint64_t with, without;
  const char *namePart;
  unsigned count;
  Field fields[5];
};
constexpr FieldRow kPackedRows[] = {
    {flags::kMatrix, 0, "SMFMAC", 2, {Field::Cbsz, Field::Abid}},
    {flags::kMatrix, 0, "", 2, {Field::Cbsz, Field::Blgp}},
    {flags::kMatrix, 0, "", 3, {Field::Cbsz, Field::Abid, Field::Blgp}},
    // The last two fields contain op_sel of the scales.
    {flags::kMatrix,
     0,
     "MFMA_SCALE",
     4,
     {Field::Cbsz, Field::Blgp, Field::OpSel, Field::OpSelHi}},
    {flags::kSwmmac, 0, "", 1, {Field::IndexKey}},
    {flags::kSwmmac, 0, "", 2, {Field::Clamp, Field::NegLo}},
    {flags::kSwmmac | flags::kIntClamp,
     0,
     "",
     3,
     {Field::IndexKey, Field::Clamp, Field::NegLo}},
    {flags::kSwmmac, 0, "", 3, {Field::IndexKey, Field::NegLo, Field::NegHi}},
    {flags::kWmma | flags::kIntClamp, 0, "", 2, {Field::Clamp, Field::NegLo}},
    {0, 0, "LD_SCALE", 2, {Field::OpSel, Field::OpSelHi}},
    {0, 0, "", 2, {Field::NegLo, Field::NegHi}},
    {0, 0, "_MIX", 3, {Field::Clamp, Field::OpSel, Field::OpSelHi}},
    {0, 0, "", 3, {Field::Clamp, Field::NegLo, Field::NegHi}},
    {0, 0, "", 4, {Field::OpSel, Field::OpSelHi, Field::NegLo, Field::NegHi}},
    {0,
     0,
     "",
     5,
     {Field::Clamp, Field::OpSel, Field::OpSelHi, Field::NegLo, Field::NegHi}},
};

} // namespace

/// Handles VOPD, where LLVM's order is both destinations, then the sources of
/// the first and of the second operation.
void FormBuilder::buildDual() {
  auto [first, second] = name.drop_front(strlen("V_DUAL_")).split("_X_");
  auto sources = [](StringRef part) {
    return part.starts_with("MOV_B32")                              ? 1u
           : part.starts_with("FMAAK") || part.starts_with("FMAMK") ? 3u
                                                                    : 2u;
  };
  const bool gfx12 = name.ends_with("_gfx12");
  auto mnemonic = [&](StringRef part) {
    for (StringRef suffix : {"_gfx11", "_gfx12", "_e32"})
      part.consume_back(suffix);
    return llvm::StringSwitch<std::string>(part)
        .Case("ADD_U32", "v_add_nc_u32")
        .Case("DOT2C_F32_BF16", "v_dot2acc_f32_bf16")
        .Case("DOT2C_F32_F16", "v_dot2acc_f32_f16")
        .Case("MAX_F32", gfx12 ? "v_max_num_f32" : "v_max_f32")
        .Case("MIN_F32", gfx12 ? "v_min_num_f32" : "v_min_f32")
        .Case("MUL_LEGACY_F32", "v_mul_dx9_zero_f32")
        .Default("v_" + part.lower());
  };
  const unsigned count = sources(first);
  if (values.size() < 2 + count)
    return;
  form.mnemonic = mnemonic(first);
  form.secondMnemonic = mnemonic(second);
  form.operands.push_back(values[0]);
  for (unsigned i = 0; i < count; ++i)
    form.operands.push_back(values[2 + i]);
  form.secondHalf = form.operands.size();
  form.operands.push_back(values[1]);
  for (size_t i = 2 + count; i < values.size(); ++i)
    form.operands.push_back(values[i]);
}

/// Handles VOP1, VOP2, VOPC, VOP3 and VOP3P with DPP and SDWA.
void FormBuilder::buildVop() {
  vopFields();
  buildSources();
}

void FormBuilder::buildSources() {
  const bool implied = !is(flags::kVop3 | flags::kVop3p);
  bool writesVcc = false, readsVcc = false;
  for (unsigned reg : desc.implicit_defs())
    writesVcc |= implied && StringRef(registers.getName(reg)) == "VCC";
  for (unsigned reg : desc.implicit_uses())
    readsVcc |= implied && StringRef(registers.getName(reg)) == "VCC";
  const size_t defs = desc.getNumDefs();
  const bool packed = form.has(Field::NegLo);
  if (name.starts_with("V_MFMA_SCALE") && immediates.size() == 4) {
    form.sourceModifiers[0] = immediates[2];
    form.sourceModifiers[1] = immediates[3];
  }
  // VCC is the destination of a comparison, or the carry out.
  if (writesVcc && defs == 0)
    add(OperandSlot::Source::Vcc);
  for (OperandSlot slot : values) {
    if (packed)
      slot.modifiers = -1;
    form.operands.push_back(slot);
    if (writesVcc && defs && slot.index + 1u == defs && !is(flags::kVopc) &&
        !(is(flags::kSdwa) && StringRef(form.mnemonic).starts_with("v_cmp")))
      add(OperandSlot::Source::Vcc);
  }
  if (readsVcc)
    add(OperandSlot::Source::Vcc);
  form.isF64Matrix = name.starts_with("V_MFMA_F64") && name.contains("gfx940");
  form.isPermlane = name.starts_with("V_PERMLANE16_B32") ||
                    name.starts_with("V_PERMLANEX16_B32") ||
                    name.starts_with("V_PERMLANE16_VAR") ||
                    name.starts_with("V_PERMLANEX16_VAR");
  if (is(flags::kDpp))
    for (const OperandSlot &slot : values)
      if (isVector(slot) &&
          registers.getRegClass(slot.classId).getSizeInBits() == 64)
        form.isWideNewBcast = true;
}

void FormBuilder::vopFields() {
  const bool vop3 = is(flags::kVop3 | flags::kVop3p | flags::kMatrix);
  size_t count = immediates.size();
  if (is(flags::kSdwa)) {
    // clamp, omod, dst_sel, dst_unused, src0_sel, src1_sel. Comparisons and
    // conversions from 8 bits have no dst_sel and dst_unused.
    const size_t selects = std::min<size_t>(form.sources, 2);
    if (count < 1 + selects)
      return;
    field(0, Field::Clamp);
    const size_t middle = count - 1 - selects;
    size_t next = 1;
    if (middle & 1)
      field(next++, Field::Omod);
    if (middle >= 2) {
      field(next++, Field::DstSel);
      field(next++, Field::DstUnused);
    }
    field(next++, Field::Src0Sel);
    if (selects > 1)
      field(next, Field::Src1Sel);
    return;
  }
  if (is(flags::kDpp)) {
    ArrayRef<Field> dpp = kDpp16Fields;
    if (name.contains("_dpp8"))
      dpp = kDpp8Fields;
    else if (!vop3 && count < dpp.size())
      dpp = dpp.drop_back(); // gfx9 has no fi.
    if (count < dpp.size())
      return;
    count -= dpp.size();
    for (auto [n, each] : llvm::enumerate(dpp))
      field(count + n, each);
  }
  if (vop3 && count)
    vop3Fields(count);
}

/// The first `count` immediates of VOP3 and VOP3P.
void FormBuilder::vop3Fields(size_t count) {
  if (is(flags::kVop3p | flags::kMatrix)) {
    for (const FieldRow &row : kPackedRows)
      if ((form.tsFlags & row.with) == row.with && row.count == count &&
          name.contains(row.namePart)) {
        for (size_t n = 0; n < count; ++n)
          field(n, row.fields[n]);
        return;
      }
    return;
  }
  if (name.contains("_PERMLANE") && name.contains("_SWAP"))
    return fieldsInOrder({Field::FetchInactive, Field::BoundCtrl});
  const bool opSel = is(flags::kOpSel) || hasHalves;
  size_t next = 0;
  if (name.contains("_BITOP3_"))
    field(next++, Field::Bitop3);
  const bool byteSel =
      count == 1 && !opSel &&
      (name.starts_with("V_CVT_F32_BF8") || name.starts_with("V_CVT_F32_FP8") ||
       name.starts_with("V_CVT_SR_"));
  if (byteSel)
    return field(0, Field::ByteSel);
  const size_t plain = count - next - (opSel ? 1 : 0);
  if (count > next && plain >= 1)
    field(next++, Field::Clamp);
  if (plain >= 2)
    field(next++, Field::Omod);
  if (opSel)
    field(next, Field::OpSel);
}
