//===- ScalarTable.cpp - Scalar instructions on integers ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/scalar/ScalarTable.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/bit.h"

using namespace aircc::sim;
using llvm::StringRef;

namespace {

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;

#define SCALAR AIRCC_SCALAR
#define COMPARE AIRCC_SCALAR_COMPARE
/// A logical operation, whose SCC says that the result is not zero.
#define LOGIC(NAME, WIDTH, EXPR)                                               \
  SCALAR(NAME, WIDTH, WIDTH, WIDTH, u64 d = (EXPR);                            \
         if (WIDTH == 1) d &= 0xffffffff; scc = d != 0; return d;)
#define LOGIC1(NAME, WIDTH, EXPR)                                              \
  SCALAR(NAME, WIDTH, WIDTH, 0, u64 d = (EXPR);                                \
         if (WIDTH == 1) d &= 0xffffffff; scc = d != 0; return d;)

u32 lo(u64 v) { return static_cast<u32>(v); }
i32 slo(u64 v) { return static_cast<i32>(v); }
i64 s64(u64 v) { return static_cast<i64>(v); }
u64 mask64(u64 width) { return width >= 64 ? ~u64(0) : (u64(1) << width) - 1; }

/// Whole quad mode: all four bits of a quad with one set.
u64 wholeQuads(u64 v) {
  v |= v >> 1 & 0x7777777777777777;
  v |= v >> 2 & 0x3333333333333333;
  v &= 0x1111111111111111;
  return v * 15;
}
u64 quadMask(u64 v) {
  u64 d = 0;
  for (unsigned i = 0; i < 16; ++i)
    d |= static_cast<u64>((v >> 4 * i & 15) != 0) << i;
  return d;
}

// clang-format off
const ScalarEntry kEntries[] = {
    // SOP2: 32-bit arithmetic.
    SCALAR("s_add_u32", 1, 1, 1, u64 d = a + b; scc = d >> 32; return d;),
    SCALAR("s_sub_u32", 1, 1, 1, scc = b > a; return a - b;),
    SCALAR("s_add_i32", 1, 1, 1, i64 d = i64(slo(a)) + slo(b);
           scc = d != i32(d); return d;),
    SCALAR("s_sub_i32", 1, 1, 1, i64 d = i64(slo(a)) - slo(b);
           scc = d != i32(d); return d;),
    SCALAR("s_addc_u32", 1, 1, 1, u64 d = a + b + scc; scc = d >> 32;
           return d;),
    SCALAR("s_subb_u32", 1, 1, 1, u64 d = a - b - scc; scc = b + scc > a;
           return d;),
    SCALAR("s_min_i32", 1, 1, 1, scc = slo(a) < slo(b); return scc ? a : b;),
    SCALAR("s_min_u32", 1, 1, 1, scc = a < b; return scc ? a : b;),
    SCALAR("s_max_i32", 1, 1, 1, scc = slo(a) > slo(b); return scc ? a : b;),
    SCALAR("s_max_u32", 1, 1, 1, scc = a > b; return scc ? a : b;),
    SCALAR("s_cselect_b32", 1, 1, 1, return scc ? a : b;),
    SCALAR("s_cselect_b64", 2, 2, 2, return scc ? a : b;),
    SCALAR("s_mul_i32", 1, 1, 1, return a * b;),
    SCALAR("s_mul_hi_u32", 1, 1, 1, return a * b >> 32;),
    SCALAR("s_mul_hi_i32", 1, 1, 1, return i64(slo(a)) * slo(b) >> 32;),
    SCALAR("s_absdiff_i32", 1, 1, 1, i32 d = i32(lo(a) - lo(b));
           u32 r = d < 0 ? 0u - u32(d) : u32(d); scc = r != 0; return r;),
    SCALAR("s_lshl1_add_u32", 1, 1, 1, u64 d = (a << 1) + b; scc = d >> 32;
           return d;),
    SCALAR("s_lshl2_add_u32", 1, 1, 1, u64 d = (a << 2) + b;
           scc = (d >> 32) != 0; return d;),
    SCALAR("s_lshl3_add_u32", 1, 1, 1, u64 d = (a << 3) + b;
           scc = (d >> 32) != 0; return d;),
    SCALAR("s_lshl4_add_u32", 1, 1, 1, u64 d = (a << 4) + b;
           scc = (d >> 32) != 0; return d;),
    // 64-bit arithmetic of gfx12.
    SCALAR("s_add_nc_u64", 2, 2, 2, return a + b;),
    SCALAR("s_sub_nc_u64", 2, 2, 2, return a - b;),
    SCALAR("s_mul_u64", 2, 2, 2, return a * b;),

    // SOP2: logic.
    LOGIC("s_and_b32", 1, a & b),
    LOGIC("s_and_b64", 2, a & b),
    LOGIC("s_or_b32", 1, a | b),
    LOGIC("s_or_b64", 2, a | b),
    LOGIC("s_xor_b32", 1, a ^ b),
    LOGIC("s_xor_b64", 2, a ^ b),
    LOGIC("s_andn2_b32", 1, a & ~b),
    LOGIC("s_andn2_b64", 2, a & ~b),
    LOGIC("s_orn2_b32", 1, a | ~b),
    LOGIC("s_orn2_b64", 2, a | ~b),
    LOGIC("s_nand_b32", 1, ~(a & b)),
    LOGIC("s_nand_b64", 2, ~(a & b)),
    LOGIC("s_nor_b32", 1, ~(a | b)),
    LOGIC("s_nor_b64", 2, ~(a | b)),
    LOGIC("s_xnor_b32", 1, ~(a ^ b)),
    LOGIC("s_xnor_b64", 2, ~(a ^ b)),

    // SOP2: shifts and fields.
    SCALAR("s_lshl_b32", 1, 1, 1, u32 d = lo(a) << (b & 31); scc = d != 0;
           return d;),
    SCALAR("s_lshl_b64", 2, 2, 1, u64 d = a << (b & 63); scc = d != 0;
           return d;),
    SCALAR("s_lshr_b32", 1, 1, 1, u32 d = lo(a) >> (b & 31); scc = d != 0;
           return d;),
    SCALAR("s_lshr_b64", 2, 2, 1, u64 d = a >> (b & 63); scc = d != 0;
           return d;),
    SCALAR("s_ashr_i32", 1, 1, 1, i32 d = slo(a) >> (b & 31); scc = d != 0;
           return u32(d);),
    SCALAR("s_ashr_i64", 2, 2, 1, i64 d = s64(a) >> (b & 63); scc = d != 0;
           return d;),
    SCALAR("s_bfm_b32", 1, 1, 1, return ((1u << (a & 31)) - 1) << (b & 31);),
    SCALAR("s_bfm_b64", 2, 1, 1, return mask64(a & 63) << (b & 63);),
    // The field: offset in bits 4:0 (5:0), width in bits 22:16.
    SCALAR("s_bfe_u32", 1, 1, 1,
           u32 d = lo(a) >> (b & 31) & lo(mask64(b >> 16 & 127));
           scc = d != 0; return d;),
    SCALAR("s_bfe_i32", 1, 1, 1, u64 width = b >> 16 & 127;
           if (width > 32) width = 32; u64 field = u64(i64(slo(a)) >> (b & 31)) & mask64(width);
           i64 d = width ? i64(field << (64 - width)) >> (64 - width) : 0;
           scc = u32(d) != 0; return u32(d);),
    SCALAR("s_bfe_u64", 2, 2, 1, u64 d = a >> (b & 63) & mask64(b >> 16 & 127);
           scc = d != 0; return d;),
    SCALAR("s_bfe_i64", 2, 2, 1, u64 width = b >> 16 & 127;
           if (width > 64) width = 64; u64 field = u64(s64(a) >> (b & 63)) & mask64(width);
           i64 d = width ? i64(field << (64 - width)) >> (64 - width) : 0;
           scc = d != 0; return d;),
    SCALAR("s_pack_ll_b32_b16", 1, 1, 1, return (a & 0xffff) | b << 16;),
    SCALAR("s_pack_lh_b32_b16", 1, 1, 1,
           return (a & 0xffff) | (b & 0xffff0000);),
    SCALAR("s_pack_hh_b32_b16", 1, 1, 1, return a >> 16 | (b & 0xffff0000);),
    SCALAR("s_pack_hl_b32_b16", 1, 1, 1, return a >> 16 | b << 16;),

    // SOP1.
    SCALAR("s_mov_b32", 1, 1, 0, return a;),
    SCALAR("s_mov_b64", 2, 2, 0, return a;),
    LOGIC1("s_not_b32", 1, ~a),
    LOGIC1("s_not_b64", 2, ~a),
    LOGIC1("s_wqm_b32", 1, wholeQuads(a)),
    LOGIC1("s_wqm_b64", 2, wholeQuads(a)),
    LOGIC1("s_quadmask_b32", 1, quadMask(a)),
    LOGIC1("s_quadmask_b64", 2, quadMask(a)),
    SCALAR("s_brev_b32", 1, 1, 0, u32 d = 0;
           for (unsigned i = 0; i < 32; ++i) d |= (a >> i & 1) << (31 - i);
           return d;),
    SCALAR("s_brev_b64", 2, 2, 0, u64 d = 0;
           for (unsigned i = 0; i < 64; ++i) d |= (a >> i & 1) << (63 - i);
           return d;),
    SCALAR("s_bcnt0_i32_b32", 1, 1, 0, u32 d = llvm::popcount(~lo(a));
           scc = d != 0; return d;),
    SCALAR("s_bcnt0_i32_b64", 1, 2, 0, u32 d = llvm::popcount(~a);
           scc = d != 0; return d;),
    SCALAR("s_bcnt1_i32_b32", 1, 1, 0, u32 d = llvm::popcount(lo(a));
           scc = d != 0; return d;),
    SCALAR("s_bcnt1_i32_b64", 1, 2, 0, u32 d = llvm::popcount(a);
           scc = d != 0; return d;),
    SCALAR("s_ff0_i32_b32", 1, 1, 0,
           return ~lo(a) ? u32(llvm::countr_zero(~lo(a))) : ~0u;),
    SCALAR("s_ff0_i32_b64", 1, 2, 0,
           return ~a ? u32(llvm::countr_zero(~a)) : ~0u;),
    SCALAR("s_ff1_i32_b32", 1, 1, 0,
           return lo(a) ? u32(llvm::countr_zero(lo(a))) : ~0u;),
    SCALAR("s_ff1_i32_b64", 1, 2, 0,
           return a ? u32(llvm::countr_zero(a)) : ~0u;),
    SCALAR("s_flbit_i32_b32", 1, 1, 0,
           return lo(a) ? u32(llvm::countl_zero(lo(a))) : ~0u;),
    SCALAR("s_flbit_i32_b64", 1, 2, 0,
           return a ? u32(llvm::countl_zero(a)) : ~0u;),
    SCALAR("s_flbit_i32", 1, 1, 0, u32 v = slo(a) < 0 ? ~lo(a) : lo(a);
           return v ? u32(llvm::countl_zero(v)) : ~0u;),
    SCALAR("s_flbit_i32_i64", 1, 2, 0, u64 v = s64(a) < 0 ? ~a : a;
           return v ? u32(llvm::countl_zero(v)) : ~0u;),
    SCALAR("s_sext_i32_i8", 1, 1, 0, return u32(i32(int8_t(a)));),
    SCALAR("s_sext_i32_i16", 1, 1, 0, return u32(i32(int16_t(a)));),
    SCALAR("s_abs_i32", 1, 1, 0, u32 d = slo(a) < 0 ? 0u - lo(a) : lo(a);
           scc = d != 0; return d;),
    SCALAR("s_bitreplicate_b64_b32", 2, 1, 0, u64 d = 0;
           for (unsigned i = 0; i < 32; ++i) d |= u64(a >> i & 1 ? 3 : 0)
                                                  << 2 * i;
           return d;),

    // SOPC.
    COMPARE("s_cmp_eq_i32", 1, a == b),
    COMPARE("s_cmp_lg_i32", 1, a != b),
    COMPARE("s_cmp_gt_i32", 1, slo(a) > slo(b)),
    COMPARE("s_cmp_ge_i32", 1, slo(a) >= slo(b)),
    COMPARE("s_cmp_lt_i32", 1, slo(a) < slo(b)),
    COMPARE("s_cmp_le_i32", 1, slo(a) <= slo(b)),
    COMPARE("s_cmp_eq_u32", 1, a == b),
    COMPARE("s_cmp_lg_u32", 1, a != b),
    COMPARE("s_cmp_gt_u32", 1, a > b),
    COMPARE("s_cmp_ge_u32", 1, a >= b),
    COMPARE("s_cmp_lt_u32", 1, a < b),
    COMPARE("s_cmp_le_u32", 1, a <= b),
    COMPARE("s_cmp_eq_u64", 2, a == b),
    COMPARE("s_cmp_lg_u64", 2, a != b),
    SCALAR("s_bitcmp0_b32", 0, 1, 1, scc = !(a >> (b & 31) & 1); return 0;),
    SCALAR("s_bitcmp1_b32", 0, 1, 1, scc = a >> (b & 31) & 1; return 0;),
    SCALAR("s_bitcmp0_b64", 0, 2, 1, scc = !(a >> (b & 63) & 1); return 0;),
    SCALAR("s_bitcmp1_b64", 0, 2, 1, scc = a >> (b & 63) & 1; return 0;),
};
// clang-format on

#define SOPK(NAME, WRITES, UNSIGNED, ...)                                      \
  {NAME, WRITES, UNSIGNED, [](u64 a, u64 b, bool &scc) -> u64 {                \
     (void)a;                                                                  \
     (void)scc;                                                                \
     __VA_ARGS__                                                               \
   }}
// clang-format off
const ScalarImmediateEntry kImmediateEntries[] = {
    SOPK("s_movk_i32", true, false, return b;),
    SOPK("s_cmovk_i32", true, false, return scc ? b : a;),
    SOPK("s_addk_i32", true, false, i64 d = i64(slo(a)) + slo(b);
         scc = d != i32(d); return d;),
    SOPK("s_mulk_i32", true, false, return a * b;),
    SOPK("s_cmpk_eq_i32", false, false, scc = lo(a) == lo(b); return 0;),
    SOPK("s_cmpk_lg_i32", false, false, scc = lo(a) != lo(b); return 0;),
    SOPK("s_cmpk_gt_i32", false, false, scc = slo(a) > slo(b); return 0;),
    SOPK("s_cmpk_ge_i32", false, false, scc = slo(a) >= slo(b); return 0;),
    SOPK("s_cmpk_lt_i32", false, false, scc = slo(a) < slo(b); return 0;),
    SOPK("s_cmpk_le_i32", false, false, scc = slo(a) <= slo(b); return 0;),
    SOPK("s_cmpk_eq_u32", false, true, scc = lo(a) == lo(b); return 0;),
    SOPK("s_cmpk_lg_u32", false, true, scc = lo(a) != lo(b); return 0;),
    SOPK("s_cmpk_gt_u32", false, true, scc = lo(a) > lo(b); return 0;),
    SOPK("s_cmpk_ge_u32", false, true, scc = lo(a) >= lo(b); return 0;),
    SOPK("s_cmpk_lt_u32", false, true, scc = lo(a) < lo(b); return 0;),
    SOPK("s_cmpk_le_u32", false, true, scc = lo(a) <= lo(b); return 0;),
};
// clang-format on

/// An index of tables by name.
template <class Entry>
llvm::StringMap<const Entry *>
indexOf(std::initializer_list<llvm::ArrayRef<Entry>> tables) {
  llvm::StringMap<const Entry *> made;
  for (llvm::ArrayRef<Entry> table : tables)
    for (const Entry &entry : table)
      made[entry.name] = &entry;
  return made;
}

} // namespace

llvm::ArrayRef<ScalarEntry> aircc::sim::scalarIntegerEntries() {
  return kEntries;
}

const ScalarEntry *aircc::sim::findScalar(StringRef name) {
  static const auto index =
      indexOf<ScalarEntry>({scalarIntegerEntries(), scalarFloatEntries()});
  return index.lookup(name);
}

const ScalarImmediateEntry *aircc::sim::findScalarImmediate(StringRef name) {
  static const auto index = indexOf<ScalarImmediateEntry>({kImmediateEntries});
  return index.lookup(name);
}
