// RUN: %aircc opt %s --aircc-map-pes-to-lanes="max-waves=16" --split-input-file --verify-diagnostics | FileCheck %s

// PEs that fit as waves remain waves.
// CHECK-LABEL: func @fits
// CHECK-NOT: kernel.pe_is_lane
func.func @fits(%m: memref<16xi32>) {
  air.launch () in () args(%a = %m) : memref<16xi32> {
    %c16 = arith.constant 16 : index
    air.herd tile (%i) in (%n = %c16) args(%b = %a) : memref<16xi32> {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %b[%i] : memref<16xi32>
    }
  }
  return
}

// -----

// One herd of a launch determines the mapping for all of its herds; the other launch is not
// affected.
// CHECK-LABEL: func @large
// CHECK: air.launch {{.*}} attributes {kernel.pe_is_lane}
// CHECK: air.launch
// CHECK-NOT: kernel.pe_is_lane
// CHECK: return
func.func @large(%m: memref<34xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%nx = %c1) args(%a = %m) : memref<34xi32> {
    air.segment args(%s = %a) : memref<34xi32> {
      %c2 = arith.constant 2 : index
      %c17 = arith.constant 17 : index
      air.herd tile (%i) in (%n = %c2) {
      }
      // expected-remark@+1 {{each PE of this launch is mapped to one lane instead of one wave, because 34 waves of 64 lanes exceed the maximum size of a workgroup, and no op in the launch requires PEs to be waves}}
      air.herd tile (%i, %j) in (%ni = %c17, %nj = %c2) args(%b = %s) : memref<34xi32> {
        %width = arith.constant 64 : i32
        %zero = arith.constant 0 : i32
        %v = arith.index_cast %i : index to i32
        %first, %valid = gpu.shuffle idx %v, %zero, %width : i32
        memref.store %first, %b[%i] : memref<34xi32>
        gpu.barrier
      }
    }
  }
  air.launch (%x) in (%nx = %c1) {
    %c4 = arith.constant 4 : index
    air.herd tile (%i) in (%n = %c4) {
    }
  }
  return
}

// -----

// Not mapped: more PEs than lanes, a size that is not constant, and a number of PEs that overflows.
// CHECK-LABEL: func @other_sizes
// CHECK-NOT: kernel.pe_is_lane
func.func @other_sizes(%n: index) {
  air.launch () in () args(%k = %n) : index {
    %c1025 = arith.constant 1025 : index
    air.herd tile (%i) in (%ni = %c1025) {
    }
    air.herd tile (%i) in (%ni = %k) {
    }
  }
  air.launch () in () {
    %huge = arith.constant 4611686018427387904 : index
    air.herd tile (%i, %j) in (%ni = %huge, %nj = %huge) {
    }
  }
  return
}

// -----

// Ops that number lanes or belong to waves must specify which of these they mean, in the segment
// and in a function.
// CHECK-LABEL: func @wave_code
// CHECK-NOT: kernel.pe_is_lane
func.func private @elsewhere(%m: memref<64xindex>) {
  %lane = gpu.lane_id
  memref.store %lane, %m[%lane] : memref<64xindex>
  return
}
func.func private @unknown(index)
func.func @wave_code(%m: memref<64xindex>) {
  air.launch () in () args(%a = %m) : memref<64xindex> {
    %c64 = arith.constant 64 : index
    air.herd tile (%i) in (%n = %c64) args(%b = %a) : memref<64xindex> {
      func.call @elsewhere(%b) : (memref<64xindex>) -> ()
    }
  }
  air.launch () in () args(%a = %m) : memref<64xindex> {
    air.segment args(%s = %a) : memref<64xindex> {
      %c64 = arith.constant 64 : index
      %thread = gpu.thread_id x
      memref.store %thread, %s[%thread] : memref<64xindex>
      air.herd tile (%i) in (%n = %c64) {
      }
    }
  }
  air.launch () in () args(%a = %m) : memref<64xindex> {
    %c64 = arith.constant 64 : index
    air.herd tile (%i) in (%n = %c64) {
      func.call @unknown(%i) : (index) -> ()
    }
  }
  air.launch () in () args(%a = %m) : memref<64xindex> {
    %c64 = arith.constant 64 : index
    air.herd tile (%i) in (%n = %c64) args(%b = %a) : memref<64xindex> {
      %dim = gpu.block_dim x
      memref.store %dim, %b[%i] : memref<64xindex>
    }
  }
  return
}
