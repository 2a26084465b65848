// Passes run if one of the ops, or an op of one of the dialects, exists.

// RUN: %aircc opt %s --mlir-timing --mlir-timing-display=list -o %t '--aircc-run-if-used=ops=linalg,affine passes=any(convert-linalg-to-loops)' 2>&1 | FileCheck %s --check-prefix=RUNS
// RUN: FileCheck %s --check-prefix=LOOPS < %t
// RUN: %aircc opt %s --mlir-timing --mlir-timing-display=list -o %t '--aircc-run-if-used=ops=affine,linalg.fill passes=any(convert-linalg-to-loops,canonicalize)' 2>&1 | FileCheck %s --check-prefix=RUNS
// RUN: %aircc opt %s --mlir-timing --mlir-timing-display=list -o %t '--aircc-run-if-used=ops=affine,linalg.copy,lin passes=any(convert-linalg-to-loops)' 2>&1 | FileCheck %s --check-prefix=SKIPS
// RUN: FileCheck %s --check-prefix=KEPT < %t
// A failure of a pass is one of this pass.
// RUN: not %aircc opt %s '--aircc-run-if-used=ops=linalg passes=any(aircc-lower-control-flow,codegen-finalize-kernels)' 2>&1 | FileCheck %s --check-prefix=FAILS

// RUNS: ConvertLinalgToLoopsPass
// SKIPS-NOT: ConvertLinalgToLoopsPass
// LOOPS: scf.for
// LOOPS-NOT: linalg.fill
// KEPT: linalg.fill
// FAILS: error: 'builtin.module' op trying to schedule pass 'FinalizeKernels' on an unsupported operation

func.func @clear(%m: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%m : memref<4xf32>)
  return
}
