// What lanes of a subgroup of 16 and of a workgroup do together, at one kernel's
// size and at one that is not whole subgroups.

// RUN: %aircc %s --target bmg -o %t && %t | FileCheck %s
// RUN: %aircc %s --target pvc -O0 -o %t.O0 && %t.O0 | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Of 40 lanes, each: from the lane 3 above, from the lane with its lowest bit
    // turned, the sum of its subgroup, the greatest of its workgroup.
    gpu.func @together(%out: memref<4x40xi32>) kernel
        attributes {known_block_size = array<i32: 40, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %three = arith.constant 3 : i32
      %one = arith.constant 1 : i32
      %width = arith.constant 16 : i32
      %i = gpu.thread_id x
      %v = arith.index_cast %i : index to i32
      %down, %has = gpu.shuffle down %v, %three, %width : i32
      %minus = arith.constant -1 : i32
      %a = arith.select %has, %down, %minus : i32
      memref.store %a, %out[%c0, %i] : memref<4x40xi32>
      %b, %p = gpu.shuffle xor %v, %one, %width : i32
      memref.store %b, %out[%c1, %i] : memref<4x40xi32>
      %sum = gpu.subgroup_reduce add %v : (i32) -> i32
      memref.store %sum, %out[%c2, %i] : memref<4x40xi32>
      %most = gpu.all_reduce maxsi %v {} : (i32) -> i32
      memref.store %most, %out[%c3, %i] : memref<4x40xi32>
      gpu.return
    }

    // Only some lanes are active: those whose number is divisible by 3.
    gpu.func @some(%out: memref<32xf32>) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %i = gpu.thread_id x
      %rest = arith.remui %i, %c3 : index
      %in = arith.cmpi eq, %rest, %c0 : index
      scf.if %in {
        %n = arith.index_cast %i : index to i32
        %f = arith.sitofp %n : i32 to f32
        %sum = gpu.subgroup_reduce add %f : (f32) -> f32
        memref.store %sum, %out[%i] : memref<32xf32>
      }
      gpu.return
    }
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c15 = arith.constant 15 : index
    %c32 = arith.constant 32 : index
    %c33 = arith.constant 33 : index
    %c40 = arith.constant 40 : index
    %c64 = arith.constant 64 : index
    %out = gpu.alloc host_shared () : memref<4x40xi32>
    gpu.launch_func @kernels::@together blocks in (%c1, %c1, %c1)
        threads in (%c40, %c1, %c1) args(%out : memref<4x40xi32>)
    // CHECK: ( 4, 36, 37, -1, -1, -1 )
    %a0 = memref.load %out[%c0, %c1] : memref<4x40xi32>
    %c14 = arith.constant 14 : index
    %a1 = memref.load %out[%c0, %c14] : memref<4x40xi32>
    %c34 = arith.constant 34 : index
    %a2 = memref.load %out[%c0, %c34] : memref<4x40xi32>
    %a3 = memref.load %out[%c0, %c15] : memref<4x40xi32>
    %c31 = arith.constant 31 : index
    %a4 = memref.load %out[%c0, %c31] : memref<4x40xi32>
    %a5 = memref.load %out[%c0, %c33] : memref<4x40xi32>
    %va = vector.from_elements %a0, %a5, %a2, %a1, %a3, %a4 : vector<6xi32>
    vector.print %va : vector<6xi32>
    // CHECK: ( 1, 0, 14, 32 )
    %b0 = memref.load %out[%c1, %c0] : memref<4x40xi32>
    %b1 = memref.load %out[%c1, %c1] : memref<4x40xi32>
    %b2 = memref.load %out[%c1, %c15] : memref<4x40xi32>
    %b3 = memref.load %out[%c1, %c33] : memref<4x40xi32>
    %vb = vector.from_elements %b0, %b1, %b2, %b3 : vector<4xi32>
    vector.print %vb : vector<4xi32>
    // The last subgroup is half filled. CHECK: ( 120, 376, 284 )
    %s0 = memref.load %out[%c2, %c3] : memref<4x40xi32>
    %s1 = memref.load %out[%c2, %c31] : memref<4x40xi32>
    %s2 = memref.load %out[%c2, %c33] : memref<4x40xi32>
    %vs = vector.from_elements %s0, %s1, %s2 : vector<3xi32>
    vector.print %vs : vector<3xi32>
    // CHECK: ( 39, 39 )
    %m0 = memref.load %out[%c3, %c0] : memref<4x40xi32>
    %m1 = memref.load %out[%c3, %c33] : memref<4x40xi32>
    %vm = vector.from_elements %m0, %m1 : vector<2xi32>
    vector.print %vm : vector<2xi32>

    %some = gpu.alloc host_shared () : memref<32xf32>
    gpu.launch_func @kernels::@some blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) args(%some : memref<32xf32>)
    // 0 3 6 9 12 15 and 18 21 24 27 30. CHECK: ( 45, 120 )
    %e0 = memref.load %some[%c3] : memref<32xf32>
    %c18 = arith.constant 18 : index
    %e1 = memref.load %some[%c18] : memref<32xf32>
    %ve = vector.from_elements %e0, %e1 : vector<2xf32>
    vector.print %ve : vector<2xf32>
    return
  }
}
