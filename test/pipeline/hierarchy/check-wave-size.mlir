// RUN: %aircc opt %s --hierarchy-check-wave-size=wave-size=32 --verify-diagnostics
// RUN: %aircc opt %s --hierarchy-check-wave-size=wave-size=64 2>&1 | FileCheck %s --check-prefix=FITS --allow-empty
// RUN: %aircc opt %s --hierarchy-check-wave-size=wave-size=16 2>&1 | FileCheck %s --check-prefix=XE

// FITS-NOT: remark:
// XE: this code assumes 64 lanes in a wave, but the target's waves have 16
// XE: assumes 32 lanes in a wave, but the target's waves have 16

func.func @herd(%m: memref<256xf32>) {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%nx = %c4, %ny = %c1) args(%h = %m) : memref<256xf32> {
    %c64 = arith.constant 64 : index
    %f = arith.constant 0.0 : f32
    %lane = gpu.lane_id
    %first = arith.muli %x, %c64 : index
    // expected-remark@+1 {{this code assumes 64 lanes in a wave, but the target's waves have 32, so lanes would access the wrong elements}}
    %i = arith.addi %lane, %first : index
    memref.store %f, %h[%i] : memref<256xf32>
    // There is one remark for each herd.
    %j = arith.addi %first, %lane : index
    memref.store %f, %h[%j] : memref<256xf32>
  }
  return
}

gpu.module @m {
  gpu.func @map(%m: memref<256xf32>) kernel {
    %f = arith.constant 0.0 : f32
    %lane = gpu.lane_id
    %wave = gpu.subgroup_id : index
    // expected-remark@+1 {{assumes 64 lanes}}
    %i = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 64)>(%lane)[%wave]
    memref.store %f, %m[%i] : memref<256xf32>
    gpu.return
  }

  // Waves of 32 lanes, tiles of a wave, and elements of a lane.
  gpu.func @others(%m: memref<4096xf32>) kernel {
    %f = arith.constant 0.0 : f32
    %c64 = arith.constant 64 : index
    %c32 = arith.constant 32 : index
    %lane = gpu.lane_id
    %wave = gpu.subgroup_id : index
    %x = gpu.thread_id x
    %of_wave = arith.muli %wave, %c32 : index
    %i = arith.addi %of_wave, %lane : index
    memref.store %f, %m[%i] : memref<4096xf32>
    %tile = arith.muli %wave, %c64 : index
    memref.store %f, %m[%tile] : memref<4096xf32>
    %of_lane = arith.muli %x, %c64 : index
    %j = arith.addi %of_lane, %lane : index
    memref.store %f, %m[%j] : memref<4096xf32>
    gpu.return
  }
}
