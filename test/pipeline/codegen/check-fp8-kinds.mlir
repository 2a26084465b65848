// RUN: not %aircc opt %s --pass-pipeline="builtin.module(gpu.module(codegen-check-device-code{fp8=none}))" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %aircc opt %s --pass-pipeline="builtin.module(gpu.module(codegen-check-device-code{fp8=ocp}))" 2>&1 | FileCheck %s --check-prefix=OCP

// Conversions that the chip lacks are done in software: only its matrix instructions are missing.
gpu.module @fp8 {
  gpu.func @k(%x: f8E5M2FNUZ, %a: vector<8xf8E4M3FNUZ>, %c: vector<4xf32>) kernel {
    // NONE-NOT: error
    // OCP-NOT: error
    %0 = arith.extf %x : f8E5M2FNUZ to f32
    // NONE: :[[#@LINE+2]]:10: error: 'amdgpu.mfma' op needs 8-bit float instructions, which this chip does not have (type 'f8E4M3FNUZ'); keep such data in f16, bf16 or f32
    // OCP: :[[#@LINE+1]]:10: error: 'amdgpu.mfma' op uses the FNUZ type 'f8E4M3FNUZ'
    %1 = amdgpu.mfma 16x16x32 %a * %a + %c blgp = none : vector<8xf8E4M3FNUZ>, vector<8xf8E4M3FNUZ>, vector<4xf32>
    gpu.return
  }
}
