// RUN: %aircc opt %s --aircc-expand-conversions --verify-diagnostics

func.func @no_infinity(%x: f32) -> f8E4M3FN {
  // To the nearest even number is the default.
  %0 = arith.truncf %x to_nearest_even : f32 to f8E4M3FN
  // expected-error@+1 {{rounds toward_zero to 'f8E4M3FN', which has no infinity and therefore supports only rounding to nearest; remove the rounding mode}}
  %1 = arith.truncf %x toward_zero : f32 to f8E4M3FN
  return %1 : f8E4M3FN
}
