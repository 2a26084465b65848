//===- FloatTable.cpp - f32, f64 and f16 arithmetic -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// VOP1, VOP2 and VOP3 instructions that compute in floating point. CDNA3 ISA
// guide, chapter 12 ("Instructions"), "VOP1", "VOP2", "VOP3A"; names as gfx9
// has them (see Renamed.def).
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/vector/FloatMath.h"

#include <limits>

namespace aircc::sim {
namespace {

/// Whatever MODE says.
LANE_INLINE float flushingMad(float a, float b, float c) {
  return flushed(flushed(flushed(a) * flushed(b)) + flushed(c));
}

// clang-format off
const LaneEntry kEntries[] = {
    // f32, two operands.
    LANE2("v_add_f32", F32, F32, F32, a + b),
    LANE2("v_sub_f32", F32, F32, F32, a - b),
    LANE2("v_subrev_f32", F32, F32, F32, b - a),
    LANE2("v_mul_f32", F32, F32, F32, a * b),
    LANE2("v_mul_legacy_f32", F32, F32, F32, mulLegacy(a, b)),
    LANE2("v_min_f32", F32, F32, F32, minNum(a, b)),
    LANE2("v_max_f32", F32, F32, F32, maxNum(a, b)),
    LANE2("v_minimum_f32", F32, F32, F32, minimum(a, b)),
    LANE2("v_maximum_f32", F32, F32, F32, maximum(a, b)),
    LANE2("v_ldexp_f32", F32, F32, I32, scaleBy(a, b)),

    // f32, three operands. mad rounds the product and flushes denormals.
    LANE3("v_fma_f32", F32, F32, F32, F32, __builtin_fmaf(a, b, c)),
    LANE3F(kTiedDest, "v_fmac_f32", F32, F32, F32, F32,
           __builtin_fmaf(a, b, c)),
    LANE3("v_fmaak_f32", F32, F32, F32, F32, __builtin_fmaf(a, b, c)),
    LANE3("v_fmamk_f32", F32, F32, F32, F32, __builtin_fmaf(a, b, c)),
    LANE3("v_mad_f32", F32, F32, F32, F32, flushingMad(a, b, c)),
    LANE3F(kTiedDest, "v_mac_f32", F32, F32, F32, F32, flushingMad(a, b, c)),
    LANE3("v_madak_f32", F32, F32, F32, F32, flushingMad(a, b, c)),
    LANE3("v_madmk_f32", F32, F32, F32, F32, flushingMad(a, b, c)),
    LANE3("v_mad_legacy_f32", F32, F32, F32, F32, mulLegacy(a, b) + c),
    LANE3("v_fma_legacy_f32", F32, F32, F32, F32,
          a == 0 || b == 0 ? c : __builtin_fmaf(a, b, c)),
    LANE3F(kTiedDest, "v_fmac_legacy_f32", F32, F32, F32, F32,
           a == 0 || b == 0 ? c : __builtin_fmaf(a, b, c)),
    LANE3("v_min3_f32", F32, F32, F32, F32, minNum(minNum(a, b), c)),
    LANE3("v_max3_f32", F32, F32, F32, F32, maxNum(maxNum(a, b), c)),
    LANE3("v_med3_f32", F32, F32, F32, F32, med3(a, b, c)),
    LANE3("v_minmax_f32", F32, F32, F32, F32, maxNum(minNum(a, b), c)),
    LANE3("v_maxmin_f32", F32, F32, F32, F32, minNum(maxNum(a, b), c)),
    LANE3("v_minimum3_f32", F32, F32, F32, F32, minimum(minimum(a, b), c)),
    LANE3("v_maximum3_f32", F32, F32, F32, F32, maximum(maximum(a, b), c)),
    LANE3("v_minimummaximum_f32", F32, F32, F32, F32,
          maximum(minimum(a, b), c)),
    LANE3("v_maximumminimum_f32", F32, F32, F32, F32,
          minimum(maximum(a, b), c)),
    LANE3("v_div_fixup_f32", F32, F32, F32, F32, divFixup(a, b, c)),
    // The face of a cube map that a direction hits, and where.
    LANE3("v_cubeid_f32", F32, F32, F32, F32, cubeFace(a, b, c)),
    LANE3("v_cubesc_f32", F32, F32, F32, F32, cubeS(a, b, c)),
    LANE3("v_cubetc_f32", F32, F32, F32, F32, cubeT(a, b, c)),
    LANE3("v_cubema_f32", F32, F32, F32, F32, cubeMajor(a, b, c)),
    LANE3("v_mullit_f32", F32, F32, F32, F32, mulLit(a, b, c)),
    // The fourth operand, VCC, comes in the second destination row.
    {"v_div_fmas_f32",
     [](u32 *d, u32 *vcc, const u32 *a, const u32 *b, const u32 *c,
        unsigned lanes) {
       LANE_LOOP(F32::put(d, i,
                          divFmas(F32::get(a, i), F32::get(b, i),
                                  F32::get(c, i), vcc[i] != 0)))
     },
     ValueType::F32,
     kNo,
     {ValueType::F32, ValueType::F32, ValueType::F32},
     3,
     kVccSource},
    entry3x2<F32, Bit, F32, F32, F32>(
        "v_div_scale_f32",
        [](float a, float b, float c) { return divScale(a, b, c); }),

    // f32, one operand.
    LANE1("v_rcp_f32", F32, F32, 1.0f / a),
    LANE1("v_rcp_iflag_f32", F32, F32, 1.0f / a),
    LANE1("v_rsq_f32", F32, F32, approxRsq(a)),
    LANE1("v_sqrt_f32", F32, F32, __builtin_sqrtf(a)),
    LANE1("v_exp_f32", F32, F32, flushed(approxExp2(flushed(a)))),
    LANE1("v_log_f32", F32, F32, approxLog2(flushed(a))),
    LANE1("v_exp_legacy_f32", F32, F32, flushed(approxExp2(flushed(a)))),
    LANE1("v_log_legacy_f32", F32, F32, approxLog2(flushed(a))),
    LANE1("v_sin_f32", F32, F32, approxSin(a)),
    LANE1("v_cos_f32", F32, F32, approxCos(a)),
    LANE1("v_floor_f32", F32, F32, __builtin_floorf(a)),
    LANE1("v_ceil_f32", F32, F32, __builtin_ceilf(a)),
    LANE1("v_trunc_f32", F32, F32, __builtin_truncf(a)),
    LANE1("v_rndne_f32", F32, F32, __builtin_roundevenf(a)),
    LANE1("v_fract_f32", F32, F32, fract(a)),
    LANE1("v_frexp_exp_i32_f32", I32, F32, frexpExp(a)),
    LANE1("v_frexp_mant_f32", F32, F32, frexpMant(a)),

    // f64.
    LANE2("v_add_f64", F64, F64, F64, a + b),
    LANE2("v_mul_f64", F64, F64, F64, a *b),
    LANE2("v_min_f64", F64, F64, F64, minNum(a, b)),
    LANE2("v_max_f64", F64, F64, F64, maxNum(a, b)),
    LANE2("v_minimum_f64", F64, F64, F64, minimum(a, b)),
    LANE2("v_maximum_f64", F64, F64, F64, maximum(a, b)),
    LANE2("v_ldexp_f64", F64, F64, I32, scaleBy(a, b)),
    LANE3("v_fma_f64", F64, F64, F64, F64, __builtin_fma(a, b, c)),
    LANE3F(kTiedDest, "v_fmac_f64", F64, F64, F64, F64,
           __builtin_fma(a, b, c)),
    LANE3("v_div_fixup_f64", F64, F64, F64, F64, divFixup(a, b, c)),
    {"v_div_fmas_f64",
     [](u32 *d, u32 *vcc, const u32 *a, const u32 *b, const u32 *c,
        unsigned lanes) {
       LANE_LOOP(F64::put(d, i,
                          divFmas(F64::get(a, i), F64::get(b, i),
                                  F64::get(c, i), vcc[i] != 0)))
     },
     ValueType::F64,
     kNo,
     {ValueType::F64, ValueType::F64, ValueType::F64},
     3,
     kVccSource},
    entry3x2<F64, Bit, F64, F64, F64>(
        "v_div_scale_f64",
        [](double a, double b, double c) { return divScale(a, b, c); }),
    LANE1("v_rcp_f64", F64, F64, 1.0 / a),
    LANE1("v_rsq_f64", F64, F64, 1.0 / __builtin_sqrt(a)),
    LANE1("v_sqrt_f64", F64, F64, __builtin_sqrt(a)),
    LANE1("v_floor_f64", F64, F64, __builtin_floor(a)),
    LANE1("v_ceil_f64", F64, F64, __builtin_ceil(a)),
    LANE1("v_trunc_f64", F64, F64, __builtin_trunc(a)),
    LANE1("v_rndne_f64", F64, F64, __builtin_roundeven(a)),
    LANE1("v_fract_f64", F64, F64, fract(a)),
    LANE1("v_frexp_exp_i32_f64", I32, F64, frexpExp(a)),
    LANE1("v_frexp_mant_f64", F64, F64, frexpMant(a)),

    // f16: computed in f32, which rounds harmlessly; fma in f64.
    LANE2("v_add_f16", F16, F16, F16, a + b),
    LANE2("v_sub_f16", F16, F16, F16, a - b),
    LANE2("v_subrev_f16", F16, F16, F16, b - a),
    LANE2("v_mul_f16", F16, F16, F16, a *b),
    LANE2("v_min_f16", F16, F16, F16, minNum(a, b)),
    LANE2("v_max_f16", F16, F16, F16, maxNum(a, b)),
    LANE2("v_minimum_f16", F16, F16, F16, minimum(a, b)),
    LANE2("v_maximum_f16", F16, F16, F16, maximum(a, b)),
    LANE2("v_ldexp_f16", F16, F16, I16, scaleBy(a, b)),
    LANE3F(kKeepHigh16, "v_fma_f16", H16, F16, F16, F16,
           doubleToHalf(__builtin_fma(double(a), double(b), double(c)))),
    LANE3F(kTiedDest, "v_fmac_f16", H16, F16, F16, F16,
           doubleToHalf(__builtin_fma(double(a), double(b), double(c)))),
    LANE3("v_fmaak_f16", H16, F16, F16, F16,
          doubleToHalf(__builtin_fma(double(a), double(b), double(c)))),
    LANE3("v_fmamk_f16", H16, F16, F16, F16,
          doubleToHalf(__builtin_fma(double(a), double(b), double(c)))),
    LANE3F(kKeepHigh16, "v_mad_f16", F16, F16, F16, F16,
           halfToFloat(floatToHalf(a *b)) + c),
    LANE3("v_madak_f16", F16, F16, F16, F16,
          halfToFloat(floatToHalf(a *b)) + c),
    LANE3("v_madmk_f16", F16, F16, F16, F16,
          halfToFloat(floatToHalf(a *b)) + c),
    // The legacy forms clear the high half.
    LANE3("v_fma_legacy_f16", H16, F16, F16, F16,
          doubleToHalf(__builtin_fma(double(a), double(b), double(c)))),
    LANE3("v_div_fixup_legacy_f16", F16, F16, F16, F16, divFixup(a, b, c)),
    LANE3("v_mad_legacy_f16", F16, F16, F16, F16,
          halfToFloat(floatToHalf(a *b)) + c),
    LANE3F(kTiedDest, "v_mac_f16", F16, F16, F16, F16,
           halfToFloat(floatToHalf(a *b)) + c),
    LANE3F(kKeepHigh16, "v_min3_f16", F16, F16, F16, F16,
           minNum(minNum(a, b), c)),
    LANE3F(kKeepHigh16, "v_max3_f16", F16, F16, F16, F16,
           maxNum(maxNum(a, b), c)),
    LANE3F(kKeepHigh16, "v_med3_f16", F16, F16, F16, F16, med3(a, b, c)),
    LANE3("v_minmax_f16", F16, F16, F16, F16, maxNum(minNum(a, b), c)),
    LANE3("v_maxmin_f16", F16, F16, F16, F16, minNum(maxNum(a, b), c)),
    LANE3("v_minimum3_f16", F16, F16, F16, F16, minimum(minimum(a, b), c)),
    LANE3("v_maximum3_f16", F16, F16, F16, F16, maximum(maximum(a, b), c)),
    LANE3F(kKeepHigh16, "v_div_fixup_f16", F16, F16, F16, F16,
           divFixup(a, b, c)),
    LANE1("v_rcp_f16", F16, F16, 1.0f / a),
    LANE1("v_rsq_f16", H16, F16,
          doubleToHalf(1.0 / __builtin_sqrt(double(a)))),
    LANE1("v_sqrt_f16", F16, F16, __builtin_sqrtf(a)),
    LANE1("v_exp_f16", H16, F16, doubleToHalf(std::exp2(double(a)))),
    LANE1("v_log_f16", H16, F16, doubleToHalf(std::log2(double(a)))),
    LANE1("v_sin_f16", F16, F16, approxSin(a)),
    LANE1("v_cos_f16", F16, F16, approxCos(a)),
    LANE1("v_floor_f16", F16, F16, __builtin_floorf(a)),
    LANE1("v_ceil_f16", F16, F16, __builtin_ceilf(a)),
    LANE1("v_trunc_f16", F16, F16, __builtin_truncf(a)),
    LANE1("v_rndne_f16", F16, F16, __builtin_roundevenf(a)),
    LANE1("v_fract_f16", F16, F16,
          std::isinf(a) ? asF32(0x7fc00000)
          : isNan(a)    ? a
                        : minNum(a - __builtin_floorf(a),
                                 halfToFloat(0x3bff))),
    LANE1("v_frexp_exp_i16_f16", I16, F16,
          static_cast<i16>(frexpExp(a))),
    LANE1("v_frexp_mant_f16", F16, F16, frexpMant(a)),
};
// clang-format on

} // namespace

namespace AIRCC_SIM_LEVEL {
LaneTable floatTable() { return {kEntries, std::size(kEntries)}; }
} // namespace AIRCC_SIM_LEVEL
} // namespace aircc::sim
