// XeGPU ops in forms that are rewritten before they are laid out: packed factors, named barriers, vectors as arguments of the
// kernel, tiles of lanes that no single block access moves, and blocks side by side as MLIR 23 writes them.
// RUN: %aircc %s --target bmg -o %t && %t | FileCheck %s
// RUN: %aircc %s --target pvc -O0 -o %t && %t | FileCheck %s
module attributes {gpu.container_module} {
  gpu.module @m {
    // C = A * B of 8x64 and 64x16. The next factor is loaded, packed, before this one is used.
    gpu.func @packed(%A: memref<8x64xf16>, %B: memref<64x16xf16>, %C: memref<8x16xf32>)
        kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant dense<0.0> : vector<8x16xf32>
      %ta = xegpu.create_nd_tdesc %A : memref<8x64xf16> -> !xegpu.tensor_desc<8x16xf16>
      %tb = xegpu.create_nd_tdesc %B : memref<64x16xf16> -> !xegpu.tensor_desc<16x16xf16>
      %tc = xegpu.create_nd_tdesc %C : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
      %first = xegpu.load_nd %tb[0, 0] <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
      %r:2 = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %zero, %b = %first) -> (vector<8x16xf32>, vector<8x16x2xf16>) {
        %a = xegpu.load_nd %ta[0, %k] : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
        %next = arith.addi %k, %c16 : index
        %ahead = xegpu.load_nd %tb[%next, 0] <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
        %d = xegpu.dpas %a, %b, %acc : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
        scf.yield %d, %ahead : vector<8x16xf32>, vector<8x16x2xf16>
      }
      xegpu.store_nd %r#0, %tc[0, 0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
      gpu.return
    }
    // Each subgroup passes its row to the preceding one.
    gpu.func @barrier(%in: memref<4x16xf32>, %out: memref<4x16xf32>) workgroup(%row: memref<4x16xf32, 3>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      xegpu.alloc_nbarrier 2
      %id = arith.constant 1 : i8
      %all = arith.constant 4 : i8
      %barrier = xegpu.init_nbarrier %id, %all : i8, i8 -> !xegpu.nbarrier
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %sg = gpu.subgroup_id : index
      %lane = gpu.lane_id
      %v = memref.load %in[%sg, %lane] : memref<4x16xf32>
      memref.store %v, %row[%sg, %lane] : memref<4x16xf32, 3>
      xegpu.nbarrier_arrive %barrier : !xegpu.nbarrier
      xegpu.nbarrier_wait %barrier : !xegpu.nbarrier
      %up = arith.addi %sg, %c1 : index
      %other = arith.remui %up, %c4 : index
      %w = memref.load %row[%other, %lane] : memref<4x16xf32, 3>
      memref.store %w, %out[%sg, %lane] : memref<4x16xf32>
      gpu.return
    }
    gpu.func @arguments(%value: vector<16xf32>, %mask: vector<16xi1>, %out: memref<32xf32>)
        kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      %at = arith.constant dense<[30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0]> : vector<16xindex>
      %t = xegpu.create_tdesc %out, %at : memref<32xf32>, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
      %old = xegpu.atomic_rmw addf %t, %mask, %value : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xf32> -> vector<16xf32>
      gpu.return
    }
    // Of lanes: a tile of 24 rows, and lines.
    gpu.func @lanes(%in: memref<24x16xf32>, %out: memref<24x16xf32>, %line: memref<3x48xf32>)
        kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      %ti = xegpu.create_nd_tdesc %in : memref<24x16xf32> -> !xegpu.tensor_desc<24x16xf32>
      %to = xegpu.create_nd_tdesc %out : memref<24x16xf32> -> !xegpu.tensor_desc<24x16xf32>
      %v = xegpu.load_nd %ti[0, 0] : !xegpu.tensor_desc<24x16xf32> -> vector<24xf32>
      %w = arith.addf %v, %v : vector<24xf32>
      xegpu.store_nd %w, %to[0, 0] : vector<24xf32>, !xegpu.tensor_desc<24x16xf32>
      %tl = xegpu.create_nd_tdesc %line[1, 0] : memref<3x48xf32> -> !xegpu.tensor_desc<48xf32>
      %l = xegpu.load_nd %tl : !xegpu.tensor_desc<48xf32> -> vector<3xf32>
      %m = arith.addf %l, %l : vector<3xf32>
      xegpu.store_nd %m, %tl : vector<3xf32>, !xegpu.tensor_desc<48xf32>
      gpu.return
    }
    // Two blocks of 8x16 side by side, whose rows are stacked.
    gpu.func @stacked(%in: memref<8x32xf16>, %out: memref<16x16xf16>)
        kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
      %ti = xegpu.create_nd_tdesc %in : memref<8x32xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>
      %to = xegpu.create_nd_tdesc %out : memref<16x16xf16> -> !xegpu.tensor_desc<16x16xf16>
      %v = xegpu.load_nd %ti[0, 0] : !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>> -> vector<16x16xf16>
      xegpu.store_nd %v, %to[0, 0] : vector<16x16xf16>, !xegpu.tensor_desc<16x16xf16>
      gpu.return
    }
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c8 = arith.constant 8 : index
    %c11 = arith.constant 11 : index
    %c16 = arith.constant 16 : index
    %c24 = arith.constant 24 : index
    %c32 = arith.constant 32 : index
    %c48 = arith.constant 48 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32

    // A product.
    %A = gpu.alloc host_shared () : memref<8x64xf16>
    %B = gpu.alloc host_shared () : memref<64x16xf16>
    %C = gpu.alloc host_shared () : memref<8x16xf32>
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c16 step %c1 {
        %x = arith.muli %i, %c5 : index
        %y = arith.addi %x, %j : index
        %z = arith.remui %y, %c11 : index
        %n = arith.index_cast %z : index to i32
        %f = arith.sitofp %n : i32 to f16
        memref.store %f, %B[%i, %j] : memref<64x16xf16>
      }
      scf.for %j = %c0 to %c8 step %c1 {
        %x = arith.muli %j, %c3 : index
        %y = arith.addi %x, %i : index
        %z = arith.remui %y, %c5 : index
        %n = arith.index_cast %z : index to i32
        %f = arith.sitofp %n : i32 to f16
        memref.store %f, %A[%j, %i] : memref<8x64xf16>
      }
    }
    gpu.launch_func @m::@packed blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%A : memref<8x64xf16>, %B : memref<64x16xf16>, %C : memref<8x16xf32>)
    %e1 = scf.for %i = %c0 to %c8 step %c1 iter_args(%sum = %zero) -> (f32) {
      %s = scf.for %j = %c0 to %c16 step %c1 iter_args(%in = %sum) -> (f32) {
        %p = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> (f32) {
          %a = memref.load %A[%i, %k] : memref<8x64xf16>
          %b = memref.load %B[%k, %j] : memref<64x16xf16>
          %af = arith.extf %a : f16 to f32
          %bf = arith.extf %b : f16 to f32
          %ab = arith.mulf %af, %bf : f32
          %next = arith.addf %acc, %ab : f32
          scf.yield %next : f32
        }
        %c = memref.load %C[%i, %j] : memref<8x16xf32>
        %d = arith.subf %c, %p : f32
        %ad = math.absf %d : f32
        %t = arith.addf %in, %ad : f32
        scf.yield %t : f32
      }
      scf.yield %s : f32
    }
    %first = memref.load %C[%c0, %c1] : memref<8x16xf32>
    vector.print str "packed: "
    vector.print %e1 : f32
    vector.print %first : f32

    // Rows that move by one.
    %in = gpu.alloc host_shared () : memref<4x16xf32>
    %out = gpu.alloc host_shared () : memref<4x16xf32>
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c16 step %c1 {
        %x = arith.muli %i, %c16 : index
        %y = arith.addi %x, %j : index
        %n = arith.index_cast %y : index to i32
        %f = arith.sitofp %n : i32 to f32
        memref.store %f, %in[%i, %j] : memref<4x16xf32>
      }
    }
    gpu.launch_func @m::@barrier blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%in : memref<4x16xf32>, %out : memref<4x16xf32>)
    vector.print str "barrier: "
    scf.for %i = %c0 to %c4 step %c1 {
      %v = memref.load %out[%i, %c3] : memref<4x16xf32>
      vector.print %v : f32
    }

    // The elements that the mask selects.
    %sums = gpu.alloc host_shared () : memref<32xf32>
    scf.for %i = %c0 to %c32 step %c1 {
      memref.store %one, %sums[%i] : memref<32xf32>
    }
    %value = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]> : vector<16xf32>
    %mask = arith.constant dense<[true, true, false, true, true, true, true, true, true, true, true, true, true, false, true, true]> : vector<16xi1>
    gpu.launch_func @m::@arguments blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%value : vector<16xf32>, %mask : vector<16xi1>, %sums : memref<32xf32>)
    vector.print str "arguments: "
    %w = vector.load %sums[%c0] : memref<32xf32>, vector<32xf32>
    vector.print %w : vector<32xf32>

    // Twice as much.
    %tile = gpu.alloc host_shared () : memref<24x16xf32>
    %twice = gpu.alloc host_shared () : memref<24x16xf32>
    %line = gpu.alloc host_shared () : memref<3x48xf32>
    scf.for %i = %c0 to %c24 step %c1 {
      scf.for %j = %c0 to %c16 step %c1 {
        %x = arith.muli %i, %c16 : index
        %y = arith.addi %x, %j : index
        %n = arith.index_cast %y : index to i32
        %f = arith.sitofp %n : i32 to f32
        memref.store %f, %tile[%i, %j] : memref<24x16xf32>
      }
    }
    scf.for %i = %c0 to %c3 step %c1 {
      scf.for %j = %c0 to %c48 step %c1 {
        %n = arith.index_cast %j : index to i32
        %f = arith.sitofp %n : i32 to f32
        memref.store %f, %line[%i, %j] : memref<3x48xf32>
      }
    }
    gpu.launch_func @m::@lanes blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%tile : memref<24x16xf32>, %twice : memref<24x16xf32>, %line : memref<3x48xf32>)
    %e2 = scf.for %i = %c0 to %c24 step %c1 iter_args(%sum = %zero) -> (f32) {
      %s = scf.for %j = %c0 to %c16 step %c1 iter_args(%so = %sum) -> (f32) {
        %a = memref.load %tile[%i, %j] : memref<24x16xf32>
        %b = memref.load %twice[%i, %j] : memref<24x16xf32>
        %a2 = arith.addf %a, %a : f32
        %d = arith.subf %a2, %b : f32
        %ad = math.absf %d : f32
        %t = arith.addf %so, %ad : f32
        scf.yield %t : f32
      }
      scf.yield %s : f32
    }
    vector.print str "lanes: "
    vector.print %e2 : f32
    scf.for %i = %c0 to %c3 step %c1 {
      %v = vector.load %line[%i, %c0] : memref<3x48xf32>, vector<48xf32>
      vector.print %v : vector<48xf32>
    }

    // Blocks.
    %wide = gpu.alloc host_shared () : memref<8x32xf16>
    %tall = gpu.alloc host_shared () : memref<16x16xf16>
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %x = arith.muli %i, %c32 : index
        %y = arith.addi %x, %j : index
        %n = arith.index_cast %y : index to i32
        %f = arith.sitofp %n : i32 to f16
        memref.store %f, %wide[%i, %j] : memref<8x32xf16>
      }
    }
    gpu.launch_func @m::@stacked blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%wide : memref<8x32xf16>, %tall : memref<16x16xf16>)
    vector.print str "stacked: "
    scf.for %i = %c0 to %c16 step %c5 {
      %v = memref.load %tall[%i, %c2] : memref<16x16xf16>
      %f = arith.extf %v : f16 to f32
      vector.print %f : f32
    }
    return
  }
}
// CHECK: packed: 0
// CHECK-NEXT: {{[1-9][0-9]+}}
// CHECK: barrier: 19
// CHECK-NEXT: 35
// CHECK-NEXT: 51
// CHECK-NEXT: 3
// CHECK: arguments: ( 16, 1, 15, 1, 1, 1, 13, 1, 12, 1, 11, 1, 10, 1, 9, 1, 8, 1, 7, 1, 6, 1, 5, 1, 4, 1, 1, 1, 2, 1, 1, 1 )
// CHECK: lanes: 0
// CHECK-NEXT: ( 0, 1, 2, 3, {{.*}} 47 )
// CHECK-NEXT: ( 0, 2, 4, 6, {{.*}} 90, 92, 94 )
// CHECK-NEXT: ( 0, 1, 2, 3, {{.*}} 47 )
// Of rows 0, 5, 10 and 15 of 16, the last two are in the second block.
// CHECK: stacked: 2
// CHECK-NEXT: 162
// CHECK-NEXT: 82
// CHECK-NEXT: 242
