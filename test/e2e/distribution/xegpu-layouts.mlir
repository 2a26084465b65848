// Layouts that users give to XeGPU ops never change the result: cyclic blocks, copies, other orders
// of lanes, layouts that disagree. The status is the number of wrong elements.

// RUN: %aircc %s --target bmg -o %t && %t

#cyclic = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>
#rows = #xegpu.layout<sg_layout = [4, 1], sg_data = [8, 64], lane_layout = [4, 4], lane_data = [1, 2], order = [0, 1]>
#lanes = #xegpu.layout<lane_layout = [2, 8], lane_data = [2, 1]>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Bytes without sign: 200 * 200 is more than a signed byte's product.
    gpu.func @product(%A: memref<64x32xui8>, %B: memref<32x64xui8>, %C: memref<64x64xi32>) kernel {
      %da = xegpu.create_nd_tdesc %A : memref<64x32xui8> -> !xegpu.tensor_desc<64x32xui8>
      %db = xegpu.create_nd_tdesc %B : memref<32x64xui8> -> !xegpu.tensor_desc<32x64xui8>
      %dc = xegpu.create_nd_tdesc %C : memref<64x64xi32> -> !xegpu.tensor_desc<64x64xi32>
      %a = xegpu.load_nd %da[0, 0] : !xegpu.tensor_desc<64x32xui8> -> vector<64x32xui8>
      %b = xegpu.load_nd %db[0, 0] : !xegpu.tensor_desc<32x64xui8> -> vector<32x64xui8>
      %c = xegpu.dpas %a, %b {layout_cd = #cyclic} : vector<64x32xui8>, vector<32x64xui8> -> vector<64x64xi32>
      xegpu.store_nd %c, %dc[0, 0] : vector<64x64xi32>, !xegpu.tensor_desc<64x64xi32>
      gpu.return
    }
    // Rows distributed cyclically over lanes in another order, converted through a sum over rows.
    gpu.func @disagree(%A: memref<64x64xi32>, %B: memref<64x64xi32>) kernel {
      %da = xegpu.create_nd_tdesc %A : memref<64x64xi32> -> !xegpu.tensor_desc<64x64xi32>
      %db = xegpu.create_nd_tdesc %B : memref<64x64xi32> -> !xegpu.tensor_desc<64x64xi32>
      %a = xegpu.load_nd %da[0, 0] <{layout = #cyclic}> : !xegpu.tensor_desc<64x64xi32> -> vector<64x64xi32>
      %z = arith.constant dense<0> : vector<64xi32>
      %s = vector.multi_reduction <add>, %a, %z [0] : vector<64x64xi32> to vector<64xi32>
      %b = vector.broadcast %s : vector<64xi32> to vector<64x64xi32>
      %d = arith.addi %a, %b : vector<64x64xi32>
      xegpu.store_nd %d, %db[0, 0] <{layout = #rows}> : vector<64x64xi32>, !xegpu.tensor_desc<64x64xi32>
      gpu.return
    }
    // Subgroups, each for itself, through a loop that moves descriptors.
    gpu.func @each(%A: memref<64x64xi32>, %B: memref<64x64xi32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %id = gpu.subgroup_id : index
      %row = arith.muli %id, %c16 : index
      %da = xegpu.create_nd_tdesc %A[%row, %c0] : memref<64x64xi32> -> !xegpu.tensor_desc<16x16xi32>
      %db = xegpu.create_nd_tdesc %B[%row, %c0] : memref<64x64xi32> -> !xegpu.tensor_desc<16x16xi32>
      scf.for %k = %c0 to %c4 step %c1 iter_args(%ia = %da, %ib = %db) -> (!xegpu.tensor_desc<16x16xi32>, !xegpu.tensor_desc<16x16xi32>) {
        %a = xegpu.load_nd %ia <{layout = #lanes}> : !xegpu.tensor_desc<16x16xi32> -> vector<16x16xi32>
        %d = arith.addi %a, %a : vector<16x16xi32>
        xegpu.store_nd %d, %ib : vector<16x16xi32>, !xegpu.tensor_desc<16x16xi32>
        %na = xegpu.update_nd_offset %ia, [0, 16] : !xegpu.tensor_desc<16x16xi32>
        %nb = xegpu.update_nd_offset %ib, [0, 16] : !xegpu.tensor_desc<16x16xi32>
        scf.yield %na, %nb : !xegpu.tensor_desc<16x16xi32>, !xegpu.tensor_desc<16x16xi32>
      }
      gpu.return
    }
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c101 = arith.constant 101 : index
    %c251 = arith.constant 251 : index
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32

    %ha = memref.alloc() : memref<64x32xi8>
    %hb = memref.alloc() : memref<32x64xi8>
    %hx = memref.alloc() : memref<64x64xi32>
    %hc = memref.alloc() : memref<64x64xi32>
    %hd = memref.alloc() : memref<64x64xi32>
    %he = memref.alloc() : memref<64x64xi32>
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %p = arith.muli %i, %c7 : index
        %q = arith.muli %j, %c101 : index
        %s = arith.addi %p, %q : index
        %r = arith.remui %s, %c251 : index
        %v = arith.index_cast %r : index to i8
        memref.store %v, %ha[%i, %j] : memref<64x32xi8>
        %t = arith.addi %q, %c3 : index
        %u = arith.muli %t, %p : index
        %w = arith.remui %u, %c251 : index
        %x = arith.index_cast %w : index to i8
        memref.store %x, %hb[%j, %i] : memref<32x64xi8>
      }
      scf.for %j = %c0 to %c64 step %c1 {
        %p = arith.muli %i, %c64 : index
        %s = arith.addi %p, %j : index
        %v = arith.index_cast %s : index to i32
        memref.store %v, %hx[%i, %j] : memref<64x64xi32>
      }
    }

    %a8 = gpu.alloc () : memref<64x32xi8>
    %b8 = gpu.alloc () : memref<32x64xi8>
    %x = gpu.alloc () : memref<64x64xi32>
    %c = gpu.alloc () : memref<64x64xi32>
    %d = gpu.alloc () : memref<64x64xi32>
    %e = gpu.alloc () : memref<64x64xi32>
    gpu.memcpy %a8, %ha : memref<64x32xi8>, memref<64x32xi8>
    gpu.memcpy %b8, %hb : memref<32x64xi8>, memref<32x64xi8>
    gpu.memcpy %x, %hx : memref<64x64xi32>, memref<64x64xi32>
    %a = builtin.unrealized_conversion_cast %a8 : memref<64x32xi8> to memref<64x32xui8>
    %b = builtin.unrealized_conversion_cast %b8 : memref<32x64xi8> to memref<32x64xui8>
    gpu.launch_func @kernels::@product blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%a : memref<64x32xui8>, %b : memref<32x64xui8>, %c : memref<64x64xi32>)
    gpu.launch_func @kernels::@disagree blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%x : memref<64x64xi32>, %d : memref<64x64xi32>)
    gpu.launch_func @kernels::@each blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%x : memref<64x64xi32>, %e : memref<64x64xi32>)
    gpu.memcpy %hc, %c : memref<64x64xi32>, memref<64x64xi32>
    gpu.memcpy %hd, %d : memref<64x64xi32>, memref<64x64xi32>
    gpu.memcpy %he, %e : memref<64x64xi32>, memref<64x64xi32>

    %wrong = scf.for %i = %c0 to %c64 step %c1 iter_args(%n = %i0) -> (i32) {
      %row = scf.for %j = %c0 to %c64 step %c1 iter_args(%m = %n) -> (i32) {
        %product = scf.for %k = %c0 to %c32 step %c1 iter_args(%s = %i0) -> (i32) {
          %l = memref.load %ha[%i, %k] : memref<64x32xi8>
          %r = memref.load %hb[%k, %j] : memref<32x64xi8>
          %lw = arith.extui %l : i8 to i32
          %rw = arith.extui %r : i8 to i32
          %p = arith.muli %lw, %rw : i32
          %t = arith.addi %s, %p : i32
          scf.yield %t : i32
        }
        %column = scf.for %k = %c0 to %c64 step %c1 iter_args(%s = %i0) -> (i32) {
          %v = memref.load %hx[%k, %j] : memref<64x64xi32>
          %t = arith.addi %s, %v : i32
          scf.yield %t : i32
        }
        %own = memref.load %hx[%i, %j] : memref<64x64xi32>
        %sum = arith.addi %own, %column : i32
        %twice = arith.addi %own, %own : i32
        %gc = memref.load %hc[%i, %j] : memref<64x64xi32>
        %gd = memref.load %hd[%i, %j] : memref<64x64xi32>
        %ge = memref.load %he[%i, %j] : memref<64x64xi32>
        %wc = arith.cmpi ne, %gc, %product : i32
        %wd = arith.cmpi ne, %gd, %sum : i32
        %we = arith.cmpi ne, %ge, %twice : i32
        %w1 = arith.ori %wc, %wd : i1
        %w2 = arith.ori %w1, %we : i1
        %one = arith.select %w2, %i1, %i0 : i32
        %next = arith.addi %m, %one : i32
        scf.yield %next : i32
      }
      scf.yield %row : i32
    }
    return %wrong : i32
  }
}
