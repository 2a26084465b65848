// AIR ops that the passes before hierarchy-lower-herds lower.
// RUN: %aircc opt %s --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(hierarchy-lower-herds))'

gpu.module @m {
  gpu.func @left(%m: memref<64xf32>, %n: memref<64xf32>) kernel
      attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64 : i64} {
    // expected-error@+1 {{must be lowered before herds; run hierarchy-lower-herds after the other passes of the stage}}
    air.dma_memcpy_nd (%m[] [] [], %n[] [] []) : (memref<64xf32>, memref<64xf32>)
    gpu.return
  }
}
