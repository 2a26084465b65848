//===- SimModelScalar.cpp - What scalar instructions compute --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/simulator/SimModel.h"

#include <algorithm>

using namespace aircc::sim::test;
using Scc = ScalarModel::Scc;

namespace {

template <Kind D, Kind A, Kind B, class F>
ScalarModel makeScalar(const char *names, Scc scc, F f) {
  ScalarModel m;
  m.names = names;
  m.dst = D;
  m.src[0] = A;
  m.src[1] = B;
  m.scc = scc;
  m.run = [f](const u64 *s, const Context &x) -> i128 {
    return toBits<D>(f(fromBits<A>(s[0]), fromBits<B>(s[1]), x.immediate != 0));
  };
  return m;
}
ScalarModel readsDestination(ScalarModel m) {
  m.reads = true;
  return m;
}
/// An expression of a, b and the previous SCC.
#define SCALAR(NAMES, SCC, D, A, B, ...)                                       \
  makeScalar<Kind::D, Kind::A, Kind::B>(                                       \
      NAMES, Scc::SCC,                                                         \
      []([[maybe_unused]] auto a, [[maybe_unused]] auto b,                     \
         [[maybe_unused]] bool scc) { return __VA_ARGS__; })

u64 ones(u64 width) { return width > 63 ? ~u64(0) : (u64(1) << width) - 1; }
/// The field of `width` bits that begins at bit `at`, cut off at the end of the
/// value.
u64 field(u64 v, unsigned at, unsigned width) { return v >> at & ones(width); }
i64 signedField(i64 v, unsigned bits, unsigned at, unsigned width) {
  if (!width)
    return 0;
  v >>= at;
  width = std::min(width, bits);
  return width > 63 ? v
                    : static_cast<i64>(static_cast<u64>(v) << (64 - width)) >>
                          (64 - width);
}
u64 reversed(u64 v, int bits) {
  u64 out = 0;
  for (int k = 0; k < bits; ++k)
    out = out << 1 | (v >> k & 1);
  return out;
}
u64 quads(u64 v, bool whole) {
  u64 out = 0;
  for (int q = 0; q < 16; ++q)
    if (v >> 4 * q & 15)
      out |= whole ? u64(15) << 4 * q : u64(1) << q;
  return out;
}
u64 doubled(u32 v) {
  u64 out = 0;
  for (int k = 0; k < 32; ++k)
    out |= u64(v >> k & 1) * 3 << 2 * k;
  return out;
}
template <class T> T least(T a, T b) {
  if (a != a || b != b)
    return a != a ? b : a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
template <class T> T most(T a, T b) { return -least(-a, -b); }
template <class T> T minimum(T a, T b) {
  return a != a ? a : b != b ? b : least(a, b);
}
template <class T> T maximum(T a, T b) {
  return a != a ? a : b != b ? b : most(a, b);
}
i64 whole(double v, double low, double high) {
  return v != v ? 0 : static_cast<i64>(std::trunc(std::clamp(v, low, high)));
}
u32 halfTowardZero(float v) {
  u32 near = bits16(v);
  if (!std::isfinite(v))
    return near;
  return std::fabs(f16(near)) > std::fabs(v) ? near - 1 : near;
}

// clang-format off
#define LOGIC(NAME, OLD, ...) \
      SCALAR("s_" NAME "_b32" OLD("_b32"), NotZero, U32, U32, U32, u32(__VA_ARGS__)), \
      SCALAR("s_" NAME "_b64" OLD("_b64"), NotZero, U64, U64, U64, u64(__VA_ARGS__))
#define SAME(W)
#define NOT_AND(W) "|s_and_not1" W
#define NOT_OR(W) "|s_or_not1" W
#define COMPARE(NAME, OP) \
      SCALAR("s_cmp_" NAME "_i32", Is, None, I32, I32, a OP b), \
      SCALAR("s_cmp_" NAME "_u32", Is, None, U32, U32, a OP b)
#define COMPARE_K(NAME, OP) \
      SCALAR("s_cmpk_" NAME "_i32", Is, None, I32, I32, a OP b), \
      SCALAR("s_cmpk_" NAME "_u32", Is, None, U32, U16, a OP u32(b))
#define READS(NAME, SCC, D, B, ...) readsDestination(SCALAR(NAME, SCC, D, D, B, __VA_ARGS__))
#define COMPARE_F(NAME, ...) \
      SCALAR("s_cmp_" NAME "_f32", Is, None, F32, F32, __VA_ARGS__), \
      SCALAR("s_cmp_" NAME "_f16", Is, None, F16, F16, __VA_ARGS__)
#define FLOAT2(NAME, OLD, ...) \
      SCALAR("s_" NAME "_f32" OLD("_f32"), Keep, F32, F32, F32, __VA_ARGS__), \
      SCALAR("s_" NAME "_f16" OLD("_f16"), Keep, F16, F16, F16, __VA_ARGS__)
#define FLOAT1(NAME, ...) \
      SCALAR("s_" NAME "_f32", Keep, F32, F32, None, __VA_ARGS__), \
      SCALAR("s_" NAME "_f16", Keep, F16, F16, None, __VA_ARGS__)
#define MIN_NUM(W) "|s_min" W
#define MAX_NUM(W) "|s_max" W

std::vector<ScalarModel> all() {
  return {
      SCALAR("s_add_u32|s_add_co_u32", OutOfRange, U32, U32, U32, i64(a) + b),
      SCALAR("s_sub_u32|s_sub_co_u32", OutOfRange, U32, U32, U32, i64(a) - b),
      SCALAR("s_add_i32|s_add_co_i32", OutOfRange, I32, I32, I32, i64(a) + b),
      SCALAR("s_sub_i32|s_sub_co_i32", OutOfRange, I32, I32, I32, i64(a) - b),
      SCALAR("s_addc_u32|s_add_co_ci_u32", OutOfRange, U32, U32, U32, i64(a) + b + scc),
      SCALAR("s_subb_u32|s_sub_co_ci_u32", OutOfRange, U32, U32, U32, i64(a) - b - scc),
      SCALAR("s_lshl1_add_u32", OutOfRange, U32, U32, U32, (i64(a) << 1) + b),
      SCALAR("s_lshl2_add_u32", OutOfRange, U32, U32, U32, (i64(a) << 2) + b),
      SCALAR("s_lshl3_add_u32", OutOfRange, U32, U32, U32, (i64(a) << 3) + b),
      SCALAR("s_lshl4_add_u32", OutOfRange, U32, U32, U32, (i64(a) << 4) + b),
      SCALAR("s_add_nc_u64|s_add_u64", Keep, U64, U64, U64, a + b),
      SCALAR("s_sub_nc_u64|s_sub_u64", Keep, U64, U64, U64, a - b),
      SCALAR("s_min_i32", IsFirst, I32, I32, I32, std::min(a, b)),
      SCALAR("s_max_i32", IsFirst, I32, I32, I32, std::max(a, b)),
      SCALAR("s_min_u32", IsFirst, U32, U32, U32, std::min(a, b)),
      SCALAR("s_max_u32", IsFirst, U32, U32, U32, std::max(a, b)),
      SCALAR("s_mul_u64", Keep, U64, U64, U64, a * b),
      SCALAR("s_mul_i32", Keep, U32, U32, U32, a * b),
      SCALAR("s_mul_hi_u32", Keep, U32, U32, U32, u32(u64(a) * b >> 32)),
      SCALAR("s_mul_hi_i32", Keep, I32, I32, I32, i64(a) * b >> 32),
      SCALAR("s_absdiff_i32", NotZero, U32, U32, U32, u32(std::abs(i64(i32(a - b))))),
      SCALAR("s_cselect_b32", Keep, U32, U32, U32, scc ? a : b),
      SCALAR("s_cselect_b64", Keep, U64, U64, U64, scc ? a : b),
      LOGIC("and", SAME, a & b), LOGIC("or", SAME, a | b), LOGIC("xor", SAME, a ^ b),
      LOGIC("andn2", NOT_AND, a & ~b), LOGIC("orn2", NOT_OR, a | ~b),
      LOGIC("nand", SAME, ~(a & b)), LOGIC("nor", SAME, ~(a | b)), LOGIC("xnor", SAME, ~(a ^ b)),
      SCALAR("s_lshl_b32", NotZero, U32, U32, U32, a << (b & 31)),
      SCALAR("s_lshr_b32", NotZero, U32, U32, U32, a >> (b & 31)),
      SCALAR("s_ashr_i32", NotZero, I32, I32, U32, a >> (b & 31)),
      SCALAR("s_lshl_b64", NotZero, U64, U64, U32, a << (b & 63)),
      SCALAR("s_lshr_b64", NotZero, U64, U64, U32, a >> (b & 63)),
      SCALAR("s_ashr_i64", NotZero, I64, I64, U32, a >> (b & 63)),
      SCALAR("s_bfm_b32", Keep, U32, U32, U32, ((1u << (a & 31)) - 1) << (b & 31)),
      SCALAR("s_bfm_b64", Keep, U64, U32, U32, ones(a & 63) << (b & 63)),
      SCALAR("s_bfe_u32", NotZero, U32, U32, U32, field(a, b & 31, b >> 16 & 127)),
      SCALAR("s_bfe_i32", NotZero, I32, I32, U32, signedField(a, 32, b & 31, b >> 16 & 127)),
      SCALAR("s_bfe_u64", NotZero, U64, U64, U32, field(a, b & 63, b >> 16 & 127)),
      SCALAR("s_bfe_i64", NotZero, I64, I64, U32, signedField(a, 64, b & 63, b >> 16 & 127)),
      SCALAR("s_pack_ll_b32_b16", Keep, U32, U32, U32, (a & 0xffff) | b << 16),
      SCALAR("s_pack_lh_b32_b16", Keep, U32, U32, U32, (a & 0xffff) | (b >> 16) << 16),
      SCALAR("s_pack_hh_b32_b16", Keep, U32, U32, U32, a >> 16 | (b >> 16) << 16),
      SCALAR("s_pack_hl_b32_b16", Keep, U32, U32, U32, a >> 16 | b << 16),
      SCALAR("s_mov_b32", Keep, U32, U32, None, a),
      SCALAR("s_mov_b64", Keep, U64, U64, None, a),
      SCALAR("s_not_b32", NotZero, U32, U32, None, ~a),
      SCALAR("s_not_b64", NotZero, U64, U64, None, ~a),
      SCALAR("s_brev_b32", Keep, U32, U32, None, reversed(a, 32)),
      SCALAR("s_brev_b64", Keep, U64, U64, None, reversed(a, 64)),
      SCALAR("s_wqm_b32", NotZero, U32, U32, None, quads(a, true)),
      SCALAR("s_wqm_b64", NotZero, U64, U64, None, quads(a, true)),
      SCALAR("s_quadmask_b32", NotZero, U32, U32, None, quads(a, false)),
      SCALAR("s_quadmask_b64", NotZero, U64, U64, None, quads(a, false)),
      SCALAR("s_bcnt0_i32_b32", NotZero, U32, U32, None, 32 - std::popcount(a)),
      SCALAR("s_bcnt0_i32_b64", NotZero, U32, U64, None, 64 - std::popcount(a)),
      SCALAR("s_bcnt1_i32_b32", NotZero, U32, U32, None, std::popcount(a)),
      SCALAR("s_bcnt1_i32_b64", NotZero, U32, U64, None, std::popcount(a)),
      SCALAR("s_ff0_i32_b32", Keep, U32, U32, None, ~a ? std::countr_one(a) : -1),
      SCALAR("s_ff0_i32_b64", Keep, U32, U64, None, ~a ? std::countr_one(a) : -1),
      SCALAR("s_ff1_i32_b32|s_ctz_i32_b32", Keep, U32, U32, None, a ? std::countr_zero(a) : -1),
      SCALAR("s_ff1_i32_b64|s_ctz_i32_b64", Keep, U32, U64, None, a ? std::countr_zero(a) : -1),
      SCALAR("s_flbit_i32_b32|s_clz_i32_u32", Keep, U32, U32, None, a ? std::countl_zero(a) : -1),
      SCALAR("s_flbit_i32_b64|s_clz_i32_u64", Keep, U32, U64, None, a ? std::countl_zero(a) : -1),
      SCALAR("s_flbit_i32|s_cls_i32", Keep, U32, I32, None,
             a == 0 || a == -1 ? -1 : std::countl_zero(u32(a < 0 ? ~a : a))),
      SCALAR("s_flbit_i32_i64|s_cls_i32_i64", Keep, U32, I64, None,
             a == 0 || a == -1 ? -1 : std::countl_zero(u64(a < 0 ? ~a : a))),
      SCALAR("s_sext_i32_i8", Keep, I32, U32, None, int8_t(a)),
      SCALAR("s_sext_i32_i16", Keep, I32, U32, None, i16(a)),
      SCALAR("s_abs_i32", NotZero, U32, I32, None, std::abs(i64(a))),
      SCALAR("s_bitreplicate_b64_b32", Keep, U64, U32, None, doubled(a)),
      COMPARE("eq", ==), COMPARE("lg", !=), COMPARE("gt", >), COMPARE("ge", >=),
      COMPARE("lt", <), COMPARE("le", <=),
      SCALAR("s_cmp_eq_u64", Is, None, U64, U64, a == b),
      SCALAR("s_cmp_lg_u64", Is, None, U64, U64, a != b),
      SCALAR("s_bitcmp0_b32", Is, None, U32, U32, !(a >> (b & 31) & 1)),
      SCALAR("s_bitcmp1_b32", Is, None, U32, U32, a >> (b & 31) & 1),
      SCALAR("s_bitcmp0_b64", Is, None, U64, U32, !(a >> (b & 63) & 1)),
      SCALAR("s_bitcmp1_b64", Is, None, U64, U32, a >> (b & 63) & 1),

      // The destination is the first source; SOPK's other one is an immediate.
      READS("s_movk_i32", Keep, I32, I32, b),
      READS("s_cmovk_i32", Keep, I32, I32, scc ? b : a),
      READS("s_addk_i32|s_addk_co_i32", OutOfRange, I32, I32, i64(a) + b),
      READS("s_mulk_i32", Keep, I32, I32, i64(a) * b),
      READS("s_cmov_b32", Keep, U32, U32, scc ? b : a),
      READS("s_cmov_b64", Keep, U64, U64, scc ? b : a),
      READS("s_bitset0_b32", Keep, U32, U32, a & ~(1u << (b & 31))),
      READS("s_bitset1_b32", Keep, U32, U32, a | 1u << (b & 31)),
      READS("s_bitset0_b64", Keep, U64, U32, a & ~(u64(1) << (b & 63))),
      READS("s_bitset1_b64", Keep, U64, U32, a | u64(1) << (b & 63)),
      COMPARE_K("eq", ==), COMPARE_K("lg", !=), COMPARE_K("gt", >), COMPARE_K("ge", >=),
      COMPARE_K("lt", <), COMPARE_K("le", <=),

      // Floats of gfx12 (and gfx11.5).
      FLOAT2("add", SAME, a + b), FLOAT2("sub", SAME, a - b), FLOAT2("mul", SAME, a * b),
      FLOAT2("min_num", MIN_NUM, least(a, b)), FLOAT2("max_num", MAX_NUM, most(a, b)),
      FLOAT2("minimum", SAME, minimum(a, b)), FLOAT2("maximum", SAME, maximum(a, b)),
      FLOAT1("floor", std::floor(a)), FLOAT1("ceil", std::ceil(a)), FLOAT1("trunc", std::trunc(a)),
      FLOAT1("rndne", std::nearbyint(a)),
      SCALAR("s_cvt_f32_i32", Keep, F32, I32, None, float(a)),
      SCALAR("s_cvt_f32_u32", Keep, F32, U32, None, float(a)),
      SCALAR("s_cvt_i32_f32", Keep, I32, F32, None, whole(a, -2147483648.0, 2147483647.0)),
      SCALAR("s_cvt_u32_f32", Keep, U32, F32, None, whole(a, 0, 4294967295.0)),
      SCALAR("s_cvt_f16_f32", Keep, F16, F32, None, double(a)),
      SCALAR("s_cvt_f32_f16", Keep, F32, F16, None, float(a)),
      SCALAR("s_cvt_hi_f32_f16", Keep, F32, U32, None, f16(a >> 16)),
      SCALAR("s_cvt_pk_rtz_f16_f32", Keep, U32, F32, F32, halfTowardZero(a) | halfTowardZero(b) << 16),
      COMPARE_F("lt", a < b), COMPARE_F("eq", a == b), COMPARE_F("le", a <= b), COMPARE_F("gt", a > b),
      COMPARE_F("lg", a < b || a > b), COMPARE_F("ge", a >= b), COMPARE_F("o", a == a && b == b),
      COMPARE_F("u", a != a || b != b), COMPARE_F("nge", !(a >= b)), COMPARE_F("nlg", !(a < b || a > b)),
      COMPARE_F("ngt", !(a > b)), COMPARE_F("nle", !(a <= b)), COMPARE_F("neq", a != b),
      COMPARE_F("nlt", !(a < b)),
  };
}
// clang-format on

} // namespace

const std::map<std::string, ScalarModel> &aircc::sim::test::scalarModels() {
  static const std::map<std::string, ScalarModel> models = byName(all());
  return models;
}
