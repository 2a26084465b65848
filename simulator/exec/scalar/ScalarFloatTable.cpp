//===- ScalarFloatTable.cpp - Scalar instructions on floats ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of gfx11.5 and gfx12. RDNA4 ISA guide, "SOP1", "SOP2" and "SOPC
// Instructions", and V_S_* of "VOP3".
//
//===----------------------------------------------------------------------===//

#include "simulator/exec/scalar/ScalarTable.h"
#include "simulator/exec/vector/FloatMath.h"
#include "simulator/isa/Floats.h"

#include "llvm/ADT/bit.h"
#include <cmath>

using namespace aircc::sim;

namespace {

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;

#define SCALAR AIRCC_SCALAR
#define COMPARE AIRCC_SCALAR_COMPARE

u32 lo(u64 v) { return static_cast<u32>(v); }
i32 slo(u64 v) { return static_cast<i32>(v); }
float f32(u64 v) { return llvm::bit_cast<float>(static_cast<u32>(v)); }
u64 bits(float v) { return llvm::bit_cast<u32>(v); }
float f16(u64 v) {
  return floats::withDefaultNan(floats::halfToFloat(lo(v)));
}
u64 bits16(double v) { return floats::doubleToHalf(v); }
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
u64 towardsZero16(float v) {
  return floats::halfTowardsZero(floats::withDefaultNan(v));
}

// clang-format off
const ScalarEntry kEntries[] = {
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
    SCALAR("v_s_exp_f32", 1, 1, 0, return bits(flushed(approxExp2(flushed(f32(a)))));),
    SCALAR("v_s_log_f32", 1, 1, 0, return bits(approxLog2(flushed(f32(a))));),
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

} // namespace

llvm::ArrayRef<ScalarEntry> aircc::sim::scalarFloatEntries() {
  return kEntries;
}
