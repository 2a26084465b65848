// XeGPU ops that are rewritten before layouts are found.
// RUN: %aircc opt %s --split-input-file --layout-prepare-xegpu=target=%targets/bmg.json --verify-diagnostics | FileCheck %s

// CHECK-LABEL: gpu.func @packed
// CHECK: %[[B:.*]] = xegpu.load_nd {{.*}} -> vector<16x16xf16>
// CHECK-NOT: vector.transpose
// CHECK: xegpu.dpas %{{.*}}, %[[B]]
gpu.module @m {
  gpu.func @packed(%A: memref<8x16xf16>, %B: memref<16x16xf16>, %C: memref<8x16xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %ta = xegpu.create_nd_tdesc %A : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16>
    %tb = xegpu.create_nd_tdesc %B : memref<16x16xf16> -> !xegpu.tensor_desc<16x16xf16>
    %tc = xegpu.create_nd_tdesc %C : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %a = xegpu.load_nd %ta[0, 0] : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
    %b = xegpu.load_nd %tb[0, 0] <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
    %c = xegpu.dpas %a, %b : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
    xegpu.store_nd %c, %tc[0, 0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @barrier
// CHECK-NOT: nbarrier
// CHECK: gpu.barrier
// CHECK-NOT: nbarrier
gpu.module @m {
  gpu.func @barrier() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    xegpu.alloc_nbarrier 1
    %id = arith.constant 0 : i8
    %n = arith.constant 4 : i8
    %b = xegpu.init_nbarrier %id, %n : i8, i8 -> !xegpu.nbarrier
    xegpu.nbarrier_arrive %b : !xegpu.nbarrier
    xegpu.nbarrier_wait %b : !xegpu.nbarrier
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @of_some() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %id = arith.constant 0 : i8
    %n = arith.constant 2 : i8
    // expected-error @below {{creates a barrier for 2 subgroups, but the workgroup has 4; only barriers for all subgroups are supported, so use 4}}
    %b = xegpu.init_nbarrier %id, %n : i8, i8 -> !xegpu.nbarrier
    xegpu.nbarrier_arrive %b : !xegpu.nbarrier
    xegpu.nbarrier_wait %b : !xegpu.nbarrier
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @of_how_many() kernel {
    %id = arith.constant 0 : i8
    %n = arith.constant 2 : i8
    // expected-error @below {{requires a known number of subgroups in the workgroup; set known_block_size on the kernel}}
    %b = xegpu.init_nbarrier %id, %n : i8, i8 -> !xegpu.nbarrier
    xegpu.nbarrier_arrive %b : !xegpu.nbarrier
    xegpu.nbarrier_wait %b : !xegpu.nbarrier
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @waits_elsewhere(%i: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %id = arith.constant 0 : i8
    %n = arith.constant 2 : i8
    %b = xegpu.init_nbarrier %id, %n : i8, i8 -> !xegpu.nbarrier
    // expected-error @below {{must be followed by an xegpu.nbarrier_wait in the same block; arriving without waiting is not supported}}
    xegpu.nbarrier_arrive %b : !xegpu.nbarrier
    scf.if %i {
      xegpu.nbarrier_wait %b : !xegpu.nbarrier
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @lanes_of_a_slice(%A: memref<4x64x64xf32>) kernel {
    %t = xegpu.create_nd_tdesc %A[1, 0, 0] : memref<4x64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    // expected-error @below {{transfers a tile of rank 2 as per-lane vectors in memory of rank 3, which is not supported; use a vector of the whole tile}}
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32> -> vector<8xf32>
    xegpu.store_nd %v, %t : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @lanes(%A: memref<64x64xf64>) kernel {
    %t = xegpu.create_nd_tdesc %A : memref<64x64xf64> -> !xegpu.tensor_desc<8x8xf64>
    // expected-error @below {{transfers a tile of 'f64' as per-lane vectors, which requires elements of 8, 16 or 32 bits}}
    %v = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<8x8xf64> -> vector<4xf64>
    xegpu.store_nd %v, %t[0, 0] : vector<4xf64>, !xegpu.tensor_desc<8x8xf64>
    gpu.return
  }
}
