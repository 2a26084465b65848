// RUN: %aircc opt %s --pass-pipeline='builtin.module(air-complete-hierarchy,air-launch-to-gpu,air-outline-kernels,gpu.module(air-expose-parallelism,canonicalize,cse,air-share-results,air-place-buffers,air-lower-dma))' --split-input-file --verify-diagnostics

func.func @count(%m: memref<64xf32>) {
  air.segment args(%sm = %m) : memref<64xf32> {
    // expected-error@+1 {{moves 32 elements (padding included) to a place for 33; both sides must have equally many}}
    air.dma_memcpy_nd (%sm[0] [33] [1], %sm[16] [4, 8] [8, 1]) : (memref<64xf32>, memref<64xf32>)
  }
  return
}
