//===- ScalarOps.cpp - SOP1, SOP2, SOPC, SOPK -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalar arithmetic. CDNA3 ISA guide, "SOP2", "SOPK", "SOP1" and "SOPC
// Instructions". An entry names the widths of destination and sources in
// dwords, and computes the result and SCC.
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/sim/Bind.h"
#include "runtime-stubs/sim/Fault.h"
#include "runtime-stubs/sim/HostFloat.h"
#include "runtime-stubs/sim/Wave.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace aircc::sim;
using llvm::StringRef;

namespace {

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;

/// The sources' bits, zero-extended, and SCC, which goes in and out.
using ScalarKernel = u64 (*)(u64 a, u64 b, bool &scc);

struct ScalarEntry {
  const char *name;
  uint8_t dst;    ///< dwords, 0: SCC only
  uint8_t src[2]; ///< dwords, 0: none
  ScalarKernel kernel;
};

#define SCALAR(NAME, D, A, B, ...)                                             \
  {                                                                            \
    NAME, D, {A, B}, [](u64 a, u64 b, bool &scc) -> u64 {                      \
      (void)a;                                                                 \
      (void)b;                                                                 \
      (void)scc;                                                               \
      __VA_ARGS__                                                              \
    }                                                                          \
  }
/// A logical operation, whose SCC says that the result is not zero.
#define LOGIC(NAME, WIDTH, EXPR)                                               \
  SCALAR(NAME, WIDTH, WIDTH, WIDTH, u64 d = (EXPR);                            \
         if (WIDTH == 1) d &= 0xffffffff; scc = d != 0; return d;)
#define LOGIC1(NAME, WIDTH, EXPR)                                              \
  SCALAR(NAME, WIDTH, WIDTH, 0, u64 d = (EXPR);                                \
         if (WIDTH == 1) d &= 0xffffffff; scc = d != 0; return d;)
#define COMPARE(NAME, WIDTH, EXPR)                                             \
  SCALAR(NAME, 0, WIDTH, WIDTH, scc = (EXPR); return 0;)

u32 lo(u64 v) { return static_cast<u32>(v); }
i32 slo(u64 v) { return static_cast<i32>(v); }
i64 s64(u64 v) { return static_cast<i64>(v); }
u64 mask64(u64 width) { return width >= 64 ? ~u64(0) : (u64(1) << width) - 1; }
float f32(u64 v) { return llvm::bit_cast<float>(static_cast<u32>(v)); }
u64 bits(float v) { return llvm::bit_cast<u32>(v); }
float f16(u64 v) { return f16ToFloat(static_cast<u32>(v) & 0xffff); }
u64 bits16(double v) { return floatToF16(v); }
float quietMin(float a, float b) {
  return a != a ? b : b != b ? a : a < b || (a == b && std::signbit(a)) ? a : b;
}
float quietMax(float a, float b) {
  return a != a ? b : b != b ? a : a > b || (a == b && std::signbit(b)) ? a : b;
}
float minimum(float a, float b) {
  return a != a ? a : b != b ? b : quietMin(a, b);
}
float maximum(float a, float b) {
  return a != a ? a : b != b ? b : quietMax(a, b);
}
float exp2Of(double v) { return static_cast<float>(std::exp2(v)); }
float log2Of(double v) { return static_cast<float>(std::log2(v)); }

/// f32 to f16 towards zero.
u64 towardsZero16(float v) {
  u64 half = floatToF16(v);
  if (std::isnan(v) || std::isinf(v))
    return half;
  // One less where rounding went away from zero.
  return std::fabs(f16(half)) > std::fabs(v) ? half - 1 : half;
}

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

    // Floating point of gfx11.5 and gfx12.
    SCALAR("s_add_f32", 1, 1, 1, return bits(f32(a) + f32(b));),
    SCALAR("s_sub_f32", 1, 1, 1, return bits(f32(a) - f32(b));),
    SCALAR("s_mul_f32", 1, 1, 1, return bits(f32(a) * f32(b));),
    SCALAR("s_ceil_f32", 1, 1, 0, return bits(std::ceil(f32(a)));),
    SCALAR("s_floor_f32", 1, 1, 0, return bits(std::floor(f32(a)));),
    SCALAR("s_trunc_f32", 1, 1, 0, return bits(std::trunc(f32(a)));),
    SCALAR("s_rndne_f32", 1, 1, 0, return bits(std::nearbyint(f32(a)));),
    SCALAR("s_cvt_f32_i32", 1, 1, 0, return bits(float(slo(a)));),
    SCALAR("s_cvt_f32_u32", 1, 1, 0, return bits(float(lo(a)));),
    SCALAR("s_cvt_i32_f32", 1, 1, 0, float v = f32(a);
           return u32(v != v              ? 0
                      : v >= 2147483648.f ? INT32_MAX
                      : v < -2147483648.f ? INT32_MIN
                                          : i32(v));),
    SCALAR("s_cvt_u32_f32", 1, 1, 0, float v = f32(a);
           return v != v || v < 0 ? 0 : v >= 4294967296.f ? UINT32_MAX
                                                          : u32(v);),
    COMPARE("s_cmp_lt_f32", 1, f32(a) < f32(b)),
    COMPARE("s_cmp_eq_f32", 1, f32(a) == f32(b)),
    COMPARE("s_cmp_le_f32", 1, f32(a) <= f32(b)),
    COMPARE("s_cmp_gt_f32", 1, f32(a) > f32(b)),
    COMPARE("s_cmp_lg_f32", 1, f32(a) < f32(b) || f32(a) > f32(b)),
    COMPARE("s_cmp_ge_f32", 1, f32(a) >= f32(b)),
    COMPARE("s_cmp_o_f32", 1, f32(a) == f32(a) && f32(b) == f32(b)),
    COMPARE("s_cmp_u_f32", 1, f32(a) != f32(a) || f32(b) != f32(b)),
    COMPARE("s_cmp_nge_f32", 1, !(f32(a) >= f32(b))),
    COMPARE("s_cmp_nlg_f32", 1, !(f32(a) < f32(b) || f32(a) > f32(b))),
    COMPARE("s_cmp_ngt_f32", 1, !(f32(a) > f32(b))),
    COMPARE("s_cmp_nle_f32", 1, !(f32(a) <= f32(b))),
    COMPARE("s_cmp_neq_f32", 1, !(f32(a) == f32(b))),
    COMPARE("s_cmp_nlt_f32", 1, !(f32(a) < f32(b))),
    COMPARE("s_cmp_lt_f16", 1, f16(a) < f16(b)),
    COMPARE("s_cmp_eq_f16", 1, f16(a) == f16(b)),
    COMPARE("s_cmp_le_f16", 1, f16(a) <= f16(b)),
    COMPARE("s_cmp_gt_f16", 1, f16(a) > f16(b)),
    COMPARE("s_cmp_lg_f16", 1, f16(a) < f16(b) || f16(a) > f16(b)),
    COMPARE("s_cmp_ge_f16", 1, f16(a) >= f16(b)),
    COMPARE("s_cmp_o_f16", 1, f16(a) == f16(a) && f16(b) == f16(b)),
    COMPARE("s_cmp_u_f16", 1, f16(a) != f16(a) || f16(b) != f16(b)),
    COMPARE("s_cmp_nge_f16", 1, !(f16(a) >= f16(b))),
    COMPARE("s_cmp_nlg_f16", 1, !(f16(a) < f16(b) || f16(a) > f16(b))),
    COMPARE("s_cmp_ngt_f16", 1, !(f16(a) > f16(b))),
    COMPARE("s_cmp_nle_f16", 1, !(f16(a) <= f16(b))),
    COMPARE("s_cmp_neq_f16", 1, !(f16(a) == f16(b))),
    COMPARE("s_cmp_nlt_f16", 1, !(f16(a) < f16(b))),
    SCALAR("s_min_num_f32", 1, 1, 1, return bits(quietMin(f32(a), f32(b)));),
    SCALAR("s_max_num_f32", 1, 1, 1, return bits(quietMax(f32(a), f32(b)));),
    SCALAR("s_minimum_f32", 1, 1, 1, return bits(minimum(f32(a), f32(b)));),
    SCALAR("s_maximum_f32", 1, 1, 1, return bits(maximum(f32(a), f32(b)));),
    SCALAR("s_add_f16", 1, 1, 1, return bits16(f16(a) + f16(b));),
    SCALAR("s_sub_f16", 1, 1, 1, return bits16(f16(a) - f16(b));),
    SCALAR("s_mul_f16", 1, 1, 1, return bits16(f16(a) * f16(b));),
    SCALAR("s_min_num_f16", 1, 1, 1,
           return bits16(quietMin(f16(a), f16(b)));),
    SCALAR("s_max_num_f16", 1, 1, 1,
           return bits16(quietMax(f16(a), f16(b)));),
    SCALAR("s_minimum_f16", 1, 1, 1, return bits16(minimum(f16(a), f16(b)));),
    SCALAR("s_maximum_f16", 1, 1, 1, return bits16(maximum(f16(a), f16(b)));),
    SCALAR("s_ceil_f16", 1, 1, 0, return bits16(std::ceil(f16(a)));),
    SCALAR("s_floor_f16", 1, 1, 0, return bits16(std::floor(f16(a)));),
    SCALAR("s_trunc_f16", 1, 1, 0, return bits16(std::trunc(f16(a)));),
    SCALAR("s_rndne_f16", 1, 1, 0, return bits16(std::nearbyint(f16(a)));),
    SCALAR("s_cvt_f16_f32", 1, 1, 0, return bits16(f32(a));),
    SCALAR("s_cvt_pk_rtz_f16_f32", 1, 1, 1,
           return towardsZero16(f32(a)) | towardsZero16(f32(b)) << 16;),
    SCALAR("s_cvt_f32_f16", 1, 1, 0, return bits(f16(a));),
    SCALAR("s_cvt_hi_f32_f16", 1, 1, 0, return bits(f16(a >> 16));),

    // gfx12: transcendental functions on scalars, by the vector unit.
    SCALAR("v_s_exp_f32", 1, 1, 0, return bits(exp2Of(f32(a)));),
    SCALAR("v_s_log_f32", 1, 1, 0, return bits(log2Of(f32(a)));),
    SCALAR("v_s_rcp_f32", 1, 1, 0, return bits(1.0f / f32(a));),
    SCALAR("v_s_rsq_f32", 1, 1, 0,
           return bits(static_cast<float>(1.0 / std::sqrt(double(f32(a)))));),
    SCALAR("v_s_sqrt_f32", 1, 1, 0, return bits(std::sqrt(f32(a)));),
    SCALAR("v_s_exp_f16", 1, 1, 0, return bits16(std::exp2(double(f16(a))));),
    SCALAR("v_s_log_f16", 1, 1, 0, return bits16(std::log2(double(f16(a))));),
    SCALAR("v_s_rcp_f16", 1, 1, 0, return bits16(1.0 / f16(a));),
    SCALAR("v_s_rsq_f16", 1, 1, 0,
           return bits16(1.0 / std::sqrt(double(f16(a))));),
    SCALAR("v_s_sqrt_f16", 1, 1, 0, return bits16(std::sqrt(f16(a)));),
};
// clang-format on

/// SOPK: the destination is a source too, the other a sign-extended immediate
/// ("k", a plain 16-bit one for the unsigned comparisons).
struct ScalarImmediateEntry {
  const char *name;
  bool writes;
  bool isUnsigned;
  ScalarKernel kernel;
};
#define SOPK(NAME, WRITES, UNSIGNED, ...)                                      \
  {                                                                            \
    NAME, WRITES, UNSIGNED, [](u64 a, u64 b, bool &scc) -> u64 {               \
      (void)a;                                                                 \
      (void)scc;                                                               \
      __VA_ARGS__                                                              \
    }                                                                          \
  }
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

inline u64 read(const Wave &wave, const Operand &operand) {
  if (operand.kind == Operand::Kind::Scalar)
    return operand.dwords == 2 ? wave.scalar64(operand.reg)
                               : wave.scalars[operand.reg];
  if (operand.kind == Operand::Kind::Constant)
    return operand.constant;
  return readScalar(wave, operand);
}

bool runScalar(Wave &wave, const Op &op) {
  const auto *entry = static_cast<const ScalarEntry *>(op.table);
  u64 a = read(wave, op.src[0]);
  u64 b = op.srcCount > 1 ? read(wave, op.src[1]) : 0;
  u64 d = entry->kernel(a, b, wave.scc);
  if (op.width == 2)
    wave.setScalar64(op.dst.reg, d);
  else if (op.width == 1)
    wave.setScalar(op.dst.reg, static_cast<u32>(d));
  return false;
}

bool runScalarImmediate(Wave &wave, const Op &op) {
  const auto *entry = static_cast<const ScalarImmediateEntry *>(op.table);
  u64 d = entry->kernel(wave.scalars[op.dst.reg], static_cast<u32>(op.imm),
                        wave.scc);
  if (entry->writes)
    wave.setScalar(op.dst.reg, static_cast<u32>(d));
  return false;
}

/// The sign modifiers that v_s_* instructions have.
u64 readSigned(const Wave &wave, const Operand &operand) {
  u64 v = read(wave, operand);
  u32 sign = operand.type == ValueType::F16 ? 0x8000 : 0x80000000;
  if (operand.abs)
    v &= ~u64(sign);
  return operand.neg ? v ^ sign : v;
}
bool runVectorOnScalar(Wave &wave, const Op &op) {
  const auto *entry = static_cast<const ScalarEntry *>(op.table);
  wave.setScalar(op.dst.reg, static_cast<u32>(entry->kernel(
                                 readSigned(wave, op.src[0]), 0, wave.scc)));
  return false;
}

/// S_FMAC, S_FMAAK, S_FMAMK.
bool runScalarFma(Wave &wave, const Op &op) {
  u64 a = read(wave, op.src[0]), b = read(wave, op.src[1]),
      c = read(wave, op.src[2]);
  u64 d = op.flags & 1
              ? bits16(std::fma(double(f16(a)), double(f16(b)), double(f16(c))))
              : bits(std::fma(f32(a), f32(b), f32(c)));
  wave.setScalar(op.dst.reg, static_cast<u32>(d));
  return false;
}

/// S_CMOV: only written when SCC is set.
bool runConditionalMove(Wave &wave, const Op &op) {
  if (!wave.scc)
    return false;
  if (op.width == 2)
    wave.setScalar64(op.dst.reg, read(wave, op.src[0]));
  else
    wave.setScalar(op.dst.reg, static_cast<u32>(read(wave, op.src[0])));
  return false;
}

/// S_BITSET0, S_BITSET1: one bit of the destination.
bool runBitSet(Wave &wave, const Op &op) {
  u64 bit = read(wave, op.src[0]);
  bool set = op.flags & 1;
  if (op.width == 2) {
    u64 d = wave.scalar64(op.dst.reg);
    u64 mask = u64(1) << (bit & 63);
    wave.setScalar64(op.dst.reg, set ? d | mask : d & ~mask);
  } else {
    u32 d = wave.scalars[op.dst.reg];
    u32 mask = 1u << (bit & 31);
    wave.setScalar(op.dst.reg, set ? d | mask : d & ~mask);
  }
  return false;
}

/// S_<op>_SAVEEXEC: D = EXEC, EXEC = S0 <op> EXEC, SCC = EXEC is not zero.
/// S_ANDN1_WREXEC, S_ANDN2_WREXEC: EXEC = D = the result.
enum SaveExecOp : uint32_t {
  kAnd,
  kOr,
  kXor,
  kAndn1,
  kAndn2,
  kOrn1,
  kOrn2,
  kNand,
  kNor,
  kXnor,
  kWriteExec = 32,
};
bool runSaveExec(Wave &wave, const Op &op) {
  u64 a = read(wave, op.src[0]) & wave.laneMask();
  u64 exec = wave.exec();
  u64 next = 0;
  switch (op.flags & 31) {
  case kAnd:
    next = a & exec;
    break;
  case kOr:
    next = a | exec;
    break;
  case kXor:
    next = a ^ exec;
    break;
  case kAndn1:
    next = ~a & exec;
    break;
  case kAndn2:
    next = a & ~exec;
    break;
  case kOrn1:
    next = ~a | exec;
    break;
  case kOrn2:
    next = a | ~exec;
    break;
  case kNand:
    next = ~(a & exec);
    break;
  case kNor:
    next = ~(a | exec);
    break;
  case kXnor:
    next = ~(a ^ exec);
    break;
  }
  next &= wave.laneMask();
  u64 saved = op.flags & kWriteExec ? next : exec;
  if (op.width == 2)
    wave.setScalar64(op.dst.reg, saved);
  else
    wave.setScalar(op.dst.reg, static_cast<u32>(saved));
  wave.setExec(next);
  wave.scc = next != 0;
  return false;
}

/// "s_and_saveexec_b64" and its family; -1 when `name` is none.
int saveExecKind(StringRef name, unsigned &width) {
  if (!name.consume_front("s_"))
    return -1;
  if (name.consume_back("_b64"))
    width = 2;
  else if (name.consume_back("_b32"))
    width = 1;
  else
    return -1;
  int extra = 0;
  if (name.consume_back("_wrexec"))
    extra = kWriteExec;
  else if (!name.consume_back("_saveexec"))
    return -1;
  // gfx12: and_not0 is andn1, and_not1 is andn2.
  int kind = llvm::StringSwitch<int>(name)
                 .Case("and", kAnd)
                 .Case("or", kOr)
                 .Case("xor", kXor)
                 .Case("andn1", kAndn1)
                 .Case("and_not0", kAndn1)
                 .Case("andn2", kAndn2)
                 .Case("and_not1", kAndn2)
                 .Case("orn1", kOrn1)
                 .Case("or_not0", kOrn1)
                 .Case("orn2", kOrn2)
                 .Case("or_not1", kOrn2)
                 .Case("nand", kNand)
                 .Case("nor", kNor)
                 .Case("xnor", kXnor)
                 .Default(-1);
  return kind < 0 ? -1 : kind | extra;
}

template <class Entry, size_t N>
const Entry *find(const Entry (&entries)[N], StringRef name) {
  static const llvm::StringMap<const Entry *> index = [&] {
    llvm::StringMap<const Entry *> made;
    for (const Entry &entry : entries)
      made[entry.name] = &entry;
    return made;
  }();
  return index.lookup(name);
}

ValueType scalarType(StringRef name, unsigned dwords) {
  if (dwords == 2)
    return ValueType::B64;
  return name.ends_with("_f32")   ? ValueType::F32
         : name.ends_with("_f16") ? ValueType::F16
                                  : ValueType::B32;
}

} // namespace

u64 aircc::sim::readScalar(const Wave &wave, const Operand &operand) {
  switch (operand.kind) {
  case Operand::Kind::Scalar:
    return operand.dwords == 2 ? wave.scalar64(operand.reg)
                               : wave.scalars[operand.reg];
  case Operand::Kind::Constant:
    return operand.constant;
  case Operand::Kind::Special:
    break;
  default:
    throw Fault("a scalar operand is no scalar");
  }
  switch (static_cast<SpecialValue>(operand.reg)) {
  case SpecialValue::Scc:
    return wave.scc;
  case SpecialValue::Vccz:
    return wave.vcc() == 0;
  case SpecialValue::Execz:
    return wave.exec() == 0;
  // As 64 bits the aperture is in the high half; a 32-bit read gives the half
  // that the hardware gives, the high one.
  case SpecialValue::SharedBase:
    return operand.dwords == 2 ? kSharedAperture : kSharedAperture >> 32;
  case SpecialValue::SharedLimit:
    return operand.dwords == 2 ? kSharedAperture | 0xffffffff
                               : kSharedAperture >> 32;
  case SpecialValue::PrivateBase:
    return operand.dwords == 2 ? kPrivateAperture : kPrivateAperture >> 32;
  case SpecialValue::PrivateLimit:
    return operand.dwords == 2 ? kPrivateAperture | 0xffffffff
                               : kPrivateAperture >> 32;
  }
  return 0;
}

bool aircc::sim::bindScalar(BindContext &context, StringRef name,
                            const AsmInst &inst, Op &op) {
  if (const ScalarEntry *entry = find(kEntries, name)) {
    op.table = entry;
    op.handler = runScalar;
    op.width = entry->dst;
    size_t next = 0;
    if (entry->dst) {
      if (inst.operands.empty() ||
          !bindDest(context, inst.operands[next++],
                    scalarType(name, entry->dst), op.dst) ||
          op.dst.kind != Operand::Kind::Scalar)
        return context.refuse("its destination is not understood");
    }
    for (unsigned i = 0; i < 2 && entry->src[i]; ++i) {
      if (next >= inst.operands.size() ||
          !bindSource(context, inst.operands[next++],
                      scalarType(name, entry->src[i]), op.src[i]))
        return context.refuse("its operands are not understood");
      op.srcCount = i + 1;
    }
    if (name.starts_with("v_s_"))
      op.handler = runVectorOnScalar;
    op.floatClass = name.ends_with("_f32")   ? FloatClass::Single
                    : name.ends_with("_f16") ? FloatClass::Double16_64
                                             : FloatClass::None;
    return true;
  }
  if (name == "s_fmac_f32" || name == "s_fmac_f16" || name == "s_fmaak_f32" ||
      name == "s_fmamk_f32") {
    ValueType type = scalarType(name, 1);
    bool good = inst.operands.size() >= 3 &&
                bindDest(context, inst.operands[0], type, op.dst) &&
                op.dst.kind == Operand::Kind::Scalar;
    for (unsigned i = 0; good && i < 3; ++i)
      good = i + 1 < inst.operands.size()
                 ? bindSource(context, inst.operands[i + 1], type, op.src[i])
                 : bindSource(context, inst.operands[0], type, op.src[i]);
    if (!good)
      return context.refuse("its operands are not understood");
    op.flags = type == ValueType::F16;
    op.floatClass = op.flags ? FloatClass::Double16_64 : FloatClass::Single;
    op.handler = runScalarFma;
    return true;
  }
  if (const ScalarImmediateEntry *entry = find(kImmediateEntries, name)) {
    if (inst.operands.empty() ||
        !bindDest(context, inst.operands[0], ValueType::B32, op.dst) ||
        op.dst.kind != Operand::Kind::Scalar)
      return context.refuse("its destination is not understood");
    op.table = entry;
    op.handler = runScalarImmediate;
    uint16_t raw = inst.words[0] & 0xffff;
    op.imm = entry->isUnsigned ? raw : static_cast<int16_t>(raw);
    return true;
  }
  unsigned width = 0;
  int kind = saveExecKind(name, width);
  bool bitSet = name.starts_with("s_bitset");
  bool move = name == "s_cmov_b32" || name == "s_cmov_b64";
  if (kind < 0 && !bitSet && !move)
    return false;
  if (kind < 0)
    width = name.ends_with("64") ? 2 : 1;
  ValueType type = width == 2 ? ValueType::B64 : ValueType::B32;
  if (inst.operands.size() != 2 ||
      !bindDest(context, inst.operands[0], type, op.dst) ||
      op.dst.kind != Operand::Kind::Scalar ||
      !bindSource(context, inst.operands[1], bitSet ? ValueType::B32 : type,
                  op.src[0]))
    return context.refuse("its operands are not understood");
  op.width = width;
  op.srcCount = 1;
  if (kind >= 0) {
    op.flags = kind;
    op.handler = runSaveExec;
  } else if (bitSet) {
    op.flags = name.starts_with("s_bitset1");
    op.handler = runBitSet;
  } else {
    op.handler = runConditionalMove;
  }
  return true;
}
