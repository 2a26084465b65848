//===- SimKernelDefects.h - What LLVM compiles wrongly ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random kernels are compared between LLVM's AMDGPU and x86 backends. LLVM
// 22.1.8 miscompiles some code, which the kernels avoid or which is compiled
// with other options. All these defects are here, each with the smallest IR
// that reproduces it.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_TEST_UNIT_SIMKERNELDEFECTS_H
#define AIRCC_TEST_UNIT_SIMKERNELDEFECTS_H

#include <algorithm>
#include <string_view>

namespace aircc::sim::test::defects {

/// x86: if one operand of `minimum` or `maximum` is known to be a number and
/// the other one is a signaling NaN, the result is the number, because VFPCLASS
/// tests for quiet NaNs only.
///     %n = uitofp i32 %i to half
///     call half @llvm.maximum.f16(half %signaling, half %n)    ; gives %n
/// The host gets quiet operands; any NaN is accepted as the result.
constexpr bool kHostMinimumWantsQuietNans = true;

/// x86: on doubles, `minimumnum` and `maximumnum` of a number and a NaN are
/// NaN.
///     call double @llvm.minimumnum.f64(double %number, double %nan)
constexpr bool kHasMinimumNumber = false;

/// x86: conversions to bfloat by instructions flush denormals.
constexpr const char *kHostFeaturesOff[] = {"-avx512bf16", "-avxneconvert",
                                            "-avx10.2-512"};

/// AMDGPU: an f32 product that is rounded to f16 becomes one instruction, which
/// also adds +0, so a product of -0 becomes +0.
///     %m = fmul float %a, %b
///     fptrunc float %m to half             ; v_fma_mixlo_f16 v0, v0, v1, 0
/// +0 is added to rounded values, on both sides.
constexpr bool kTruncatedProductsLoseSigns = true;

/// AMDGPU: when SILowerControlFlow combines masks, it turns a scalar `(x & x) &
/// K` into `K & K`, and the same for `|`. IR passes fold `x & x`, so this only
/// occurs if the machine CSE merges two equal values.
///     %a = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %x)
///     br i1 %c, label %more, label %end
///   …
///     %b = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %x)
///     %d = and i32 %a, %b              ; used once more
///     and i32 %d, 24                   ; s_and_b32 s3, 24, 24
/// Kernels therefore never make the same value a scalar twice.
constexpr bool kScalarsMustDiffer = true;

/// AMDGPU: a ballot of "fcmp one", also as an operand of `and` or `or`, becomes
/// v_cmp_neq, which is true for NaNs. Ballots of kernels therefore only compare
/// integers.
///     %c = fcmp one float %a, %b
///     call i64 @llvm.amdgcn.ballot.i64(i1 %c)
constexpr bool kBallotsOfFloats = false;

/// AMDGPU, gfx11 and gfx12: a comparison that is always true is lost if it is
/// ORed with the success of a compare-and-swap. Kernels never compare a value
/// with itself.
///     %c = icmp ule i64 %x, %x
///     br i1 %c, label %left, label %right
///   …
///     %pair = cmpxchg ptr %p, i64 %a, i64 %b syncscope("agent") seq_cst
///             monotonic
///     %s = extractvalue { i64, i1 } %pair, 1
///     or i1 %s, %c                                          ; gives %s
constexpr bool kComparisonsWithItselfGetLost = true;

/// AMDGPU: without optimization, instruction selection fails for a quotient and
/// a remainder of the same narrow operands. Kernels divide in 32 bits.
///     udiv i16 %a, %b
///     urem i16 %a, %b
constexpr bool kNarrowQuotientsAreNotSelected = true;

/// AMDGPU, gfx11 and gfx12: instruction selection fails for usub_cond and
/// usub_sat on LDS.
///     atomicrmw usub_cond ptr addrspace(3) %p, i32 %v monotonic
constexpr bool kConditionalSubtractionsOfLds = false;

/// AMDGPU, gfx11: halves of 16-bit registers are lost; without optimization
/// before the v_perm of a byte swap,
///     call i16 @llvm.bswap.i16(i16 %x)
/// and those of the operands of packed additions in memory:
///     atomicrmw fadd ptr addrspace(1) %p, <2 x half> %v monotonic
inline bool canUseTrue16(unsigned optLevel, std::string_view ir) {
  if (optLevel == 0)
    return false;
  while (!ir.empty()) {
    std::string_view line = ir.substr(0, ir.find('\n'));
    ir.remove_prefix(std::min(line.size() + 1, ir.size()));
    if (line.find("atomicrmw fadd") != line.npos &&
        line.find(", <2 x half>") != line.npos)
      return false;
  }
  return true;
}

} // namespace aircc::sim::test::defects

#endif // AIRCC_TEST_UNIT_SIMKERNELDEFECTS_H
