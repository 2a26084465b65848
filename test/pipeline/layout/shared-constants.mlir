// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(layout-set-anchors{target=%targets/gfx942.json},layout-propagate-layouts{target=%targets/gfx942.json},layout-check-layouts{target=%targets/gfx942.json}))' | FileCheck %s

// A constant that several share connects nothing: each scope, and the lanes, have
// their own.

// CHECK-LABEL: gpu.func @shared
// CHECK-DAG:     %[[LANES:.*]] = arith.constant dense<1.000000e+00> : vector<64xf32>
// CHECK-DAG:     %[[WAVE:.*]] = arith.constant {layout.results = [{{.*}}], layout.scope = #layout.scope<wave>} dense<1.000000e+00> : vector<64xf32>
// CHECK-DAG:     %[[ALL:.*]] = arith.constant {layout.results = [{{.*}}], layout.scope = #layout.scope<workgroup>} dense<1.000000e+00> : vector<64xf32>
// CHECK:         arith.addf %{{.*}}, %[[WAVE]] {{.*}}layout.scope = #layout.scope<wave>
// CHECK:         arith.addf %{{.*}}, %[[ALL]] {{.*}}layout.scope = #layout.scope<workgroup>
// CHECK:         arith.addf %{{.*}}, %[[LANES]] : vector<64xf32>
gpu.module @m {
  gpu.func @shared(%a: memref<64xf32>, %b: memref<64xf32>, %c: memref<256x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %f = arith.constant 0.0 : f32
    %one = arith.constant dense<1.0> : vector<64xf32>
    %v = vector.transfer_read %a[%c0], %f {in_bounds = [true], layout.scope = #layout.scope<wave>} : memref<64xf32>, vector<64xf32>
    %w = arith.addf %v, %one : vector<64xf32>
    vector.transfer_write %w, %a[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    %x = vector.transfer_read %b[%c0], %f {in_bounds = [true], layout.scope = #layout.scope<workgroup>} : memref<64xf32>, vector<64xf32>
    %y = arith.addf %x, %one : vector<64xf32>
    vector.transfer_write %y, %b[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    %t = gpu.thread_id x
    %p = vector.transfer_read %c[%t, %c0], %f {in_bounds = [true]} : memref<256x64xf32>, vector<64xf32>
    %q = arith.addf %p, %one : vector<64xf32>
    vector.transfer_write %q, %c[%t, %c0] {in_bounds = [true]} : vector<64xf32>, memref<256x64xf32>
    gpu.return
  }
}
