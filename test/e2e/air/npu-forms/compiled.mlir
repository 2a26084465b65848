// Forms of programs for NPUs that compile for all targets, but whose results are undefined, because they read what
// nothing has written.

// RUN: %aircc %s --target gfx942 --emit host-obj -o %t.gfx942.o 2>&1 | FileCheck %s
// RUN: %aircc %s --target gfx1100 --emit host-obj -o %t.gfx1100.o 2>&1 | FileCheck %s
// RUN: %aircc %s --target bmg --emit host-obj -o %t.bmg.o 2>&1 | FileCheck %s

// CHECK-DAG: warning: puts into channel @nowhere, but no op of the program gets from it; the data is lost
// CHECK-DAG: warning: gets from channel @somewhere, but no op of the program puts into it
// CHECK-NOT: {{warning|error}}:

// A function that takes and returns a token: its caller waits.

func.func @chained(%a: memref<16xi32>, %e0: !air.async.token) -> !air.async.token {
  %c2 = arith.constant 2 : index
  %e1 = air.herd async [%e0] tile (%x, %y) in (%sx=%c2, %sy=%c2) args (%m=%a) : memref<16xi32> {
    %i = arith.addi %x, %y : index
    %v = arith.index_cast %i : index to i32
    memref.store %v, %m[%i] : memref<16xi32>
  }
  return %e1 : !air.async.token
}
func.func @caller(%a: memref<16xi32>) {
  %t = air.wait_all async
  %u = func.call @chained(%a, %t) : (memref<16xi32>, !air.async.token) -> !air.async.token
  air.wait_all [%u]
  return
}

// Each PE puts into the element of its row and gets from that of its column.

air.channel @grid [4]
func.func @bundle_tile_ids_mixed(%a: memref<64xi8>) {
  %c1 = arith.constant 1 : index
  %l = air.launch async (%lx, %ly) in (%nx=%c1, %ny=%c1) args(%p=%a) : memref<64xi8> {
    %seg = air.segment async {
      %c2 = arith.constant 2 : index
      %h = air.herd @h async tile (%x, %y) in (%sx=%c2, %sy=%c2) {
        %t, %m = air.execute -> (memref<64xi8, 2>) {
          %al = memref.alloc() : memref<64xi8, 2>
          air.execute_terminator %al : memref<64xi8, 2>
        }
        %p0 = air.channel.put async [%t] @grid[%x] (%m[] [] []) : (memref<64xi8, 2>)
        %g0 = air.channel.get async [%p0] @grid[%y] (%m[] [] []) : (memref<64xi8, 2>)
      }
    }
  }
  return
}

// Both ends are in the function.

air.channel @bcast [1, 1] {broadcast_shape = [1 : index, 2 : index], channel_type = "npu_dma_packet", keep_pkt_header}
func.func @put_all_gets_in_function() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %src = memref.alloc() : memref<512xbf16, 1 : i32>
  %d0 = memref.alloc() : memref<512xbf16, 2 : i32>
  %d1 = memref.alloc() : memref<512xbf16, 2 : i32>
  air.channel.put @bcast[%c0, %c0] (%src[] [] []) : (memref<512xbf16, 1 : i32>)
  air.channel.get @bcast[%c0, %c0] (%d0[] [] []) : (memref<512xbf16, 2 : i32>)
  air.channel.get @bcast[%c0, %c1] (%d1[] [] []) : (memref<512xbf16, 2 : i32>)
  return
}

// Buffers in L3 that the launch allocates.

air.channel @c0 [1, 1]
air.channel @c1 [1, 1]
func.func @l3_allocated_in_launch() {
  %c1 = arith.constant 1 : index
  %0 = air.launch async (%lx, %ly) in (%nx=%c1, %ny=%c1) {
    %t0, %m0 = air.execute -> (memref<4x4xi32>) {
      %al = memref.alloc() : memref<4x4xi32>
      air.execute_terminator %al : memref<4x4xi32>
    }
    %t1, %m1 = air.execute -> (memref<4x4xi32>) {
      %al = memref.alloc() : memref<4x4xi32>
      air.execute_terminator %al : memref<4x4xi32>
    }
    %1 = air.channel.put async [%t0] @c0[%lx, %ly] (%m0[] [] []) : (memref<4x4xi32>)
    %2 = air.channel.put async [%t1] @c1[%lx, %ly] (%m1[] [] []) : (memref<4x4xi32>)
    %3 = air.segment async {
      %c2 = arith.constant 2 : index
      %ta, %la = air.execute -> (memref<4x4xi32, 1>) {
        %al = memref.alloc() : memref<4x4xi32, 1>
        air.execute_terminator %al : memref<4x4xi32, 1>
      }
      %4 = air.channel.get async [%ta] @c0[] (%la[] [] []) : (memref<4x4xi32, 1>)
      %5 = air.channel.get async [%ta] @c1[] (%la[] [] []) : (memref<4x4xi32, 1>)
      %6 = air.herd @h async tile (%x, %y) in (%sx=%c2, %sy=%c2) attributes {id = 3 : i32}
      %7 = air.execute [%4] { memref.dealloc %la : memref<4x4xi32, 1> }
      air.segment_terminator
    }
    %8 = air.execute [%1] { memref.dealloc %m0 : memref<4x4xi32> }
    %9 = air.execute [%2] { memref.dealloc %m1 : memref<4x4xi32> }
    air.launch_terminator
  }
  return
}

// Channels that are not declared and have one end.

func.func @undeclared_channels(%a: memref<16x16xi32>) {
  %c1 = arith.constant 1 : index
  %0 = air.launch async (%lx, %ly) in (%nx=%c1, %ny=%c1) {
    %1 = air.segment async {
      %c2 = arith.constant 2 : index
      %t, %l2 = air.execute -> (memref<32x32xi32, 1>) {
        %al = memref.alloc() : memref<32x32xi32, 1>
        air.execute_terminator %al : memref<32x32xi32, 1>
      }
      %p = air.channel.put async [%t] @nowhere[] (%l2[] [] []) : (memref<32x32xi32, 1>)
      %2 = air.herd @h async tile (%x, %y) in (%sx=%c2, %sy=%c2) {
        %c0 = arith.constant 0 : index
        %c4 = arith.constant 4 : index
        %k1 = arith.constant 1 : index
        %t0, %m = air.execute -> (memref<16x16xi32, 2>) {
          %al = memref.alloc() : memref<16x16xi32, 2>
          air.execute_terminator %al : memref<16x16xi32, 2>
        }
        %3 = scf.for %i = %c0 to %c4 step %k1 iter_args(%u = %t0) -> (!air.async.token) {
          %g = air.channel.get async [%u] @somewhere[%x, %y] (%m[] [] []) : (memref<16x16xi32, 2>)
          scf.yield %g : !air.async.token
        }
        %d = air.execute [%3] { memref.dealloc %m : memref<16x16xi32, 2> }
      }
    }
  }
  return
}

// A product whose result replaces its operand.

func.func @matvec_aliasing() {
  %c1 = arith.constant 1 : index
  %0 = air.launch async (%tx, %ty) in (%sx=%c1, %sy=%c1) {
    %1 = air.segment @seg async {
      %k1 = arith.constant 1 : index
      %2 = air.herd @h async tile (%x, %y) in (%nx=%k1, %ny=%k1) {
        %tw, %w = air.execute -> (memref<64x64xi8, 2>) {
          %al = memref.alloc() : memref<64x64xi8, 2>
          air.execute_terminator %al : memref<64x64xi8, 2>
        }
        %ta, %act = air.execute -> (memref<64xi8, 2>) {
          %al = memref.alloc() : memref<64xi8, 2>
          air.execute_terminator %al : memref<64xi8, 2>
        }
        %e0 = air.execute [%tw, %ta] { linalg.matvec ins(%w, %act : memref<64x64xi8, 2>, memref<64xi8, 2>) outs(%act : memref<64xi8, 2>) }
        %e1 = air.execute [%e0] { linalg.matvec ins(%w, %act : memref<64x64xi8, 2>, memref<64xi8, 2>) outs(%act : memref<64xi8, 2>) }
      }
    }
  }
  return
}

// A product of i4 matrices.

func.func @i4_matmul() {
  %c1 = arith.constant 1 : index
  %0 = air.launch async (%tx, %ty) in (%sx=%c1, %sy=%c1) {
    %1 = air.segment @seg async {
      %k1 = arith.constant 1 : index
      %2 = air.herd @h async tile (%x, %y) in (%nx=%k1, %ny=%k1) {
        %ta, %a = air.execute -> (memref<64x64xi4, 2>) {
          %al = memref.alloc() : memref<64x64xi4, 2>
          air.execute_terminator %al : memref<64x64xi4, 2>
        }
        %tb, %b = air.execute -> (memref<64x64xi4, 2>) {
          %al = memref.alloc() : memref<64x64xi4, 2>
          air.execute_terminator %al : memref<64x64xi4, 2>
        }
        %tc, %c = air.execute -> (memref<64x64xi4, 2>) {
          %al = memref.alloc() : memref<64x64xi4, 2>
          air.execute_terminator %al : memref<64x64xi4, 2>
        }
        %e = air.execute [%ta, %tb, %tc] { linalg.matmul ins(%a, %b : memref<64x64xi4, 2>, memref<64x64xi4, 2>) outs(%c : memref<64x64xi4, 2>) }
      }
    }
  }
  return
}

// Buffers of the caller in L1 and L2, in a launch.

func.func @levels(%l3: memref<64xi32>, %l2: memref<64xi32, 1>, %l1: memref<64xi32, 2>, %odd: memref<64xi32, 3>) {
  %c1 = arith.constant 1 : index
  %0 = air.launch async (%lx, %ly) in (%nx=%c1, %ny=%c1) args(%a=%l3, %b=%l2, %c=%l1) : memref<64xi32>, memref<64xi32, 1>, memref<64xi32, 2> {
    %k1 = arith.constant 1 : index
    %1 = air.segment async unroll(%ux, %uy) in (%sx=%k1, %sy=%k1) args(%aa=%a, %bb=%b, %cc=%c) : memref<64xi32>, memref<64xi32, 1>, memref<64xi32, 2> {
      %s1 = arith.constant 1 : index
      %2 = air.herd async tile (%x, %y) in (%hx=%s1, %hy=%s1) args(%p=%aa, %q=%bb, %r=%cc) : memref<64xi32>, memref<64xi32, 1>, memref<64xi32, 2> {
        %3 = air.dma_memcpy_nd async (%q[] [] [], %p[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
        %4 = air.dma_memcpy_nd async [%3] (%r[] [] [], %q[] [] []) : (memref<64xi32, 2>, memref<64xi32, 1>)
        air.herd_terminator
      }
      air.segment_terminator
    }
    air.launch_terminator
  }
  return
}

// A transfer of no elements.

func.func @dma_size_zero(%a: memref<14xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%p=%a) : memref<14xi32> {
    air.segment args(%q=%p) : memref<14xi32> {
      %c0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %m = memref.alloc() : memref<14xi32, 1>
      air.dma_memcpy_nd (%m[] [] [], %q[%c0] [%c0] [%c0]) : (memref<14xi32, 1>, memref<14xi32>)
      air.herd tile (%x, %y) in (%sx=%k1, %sy=%k1) args(%r=%m) : memref<14xi32, 1> {
        %z = arith.constant 0 : index
        %u = memref.alloc() : memref<14xi32, 2>
        air.dma_memcpy_nd (%u[] [] [], %r[%z] [%z] [%z]) : (memref<14xi32, 2>, memref<14xi32, 1>)
      }
    }
  }
  return
}

// Allocations in branches.

#set0 = affine_set<()[s0, s1] : (s0 == 0, s1 >= 0, -s1 + 2 >= 0)>
#set1 = affine_set<()[s0, s1] : (s0 >= 0, -s0 + 2 >= 0, s1 == 0)>
func.func @affine_if_allocations() {
  %c3 = arith.constant 3 : index
  air.herd tile (%x, %y) in (%sx=%c3, %sy=%c3) {
    %c0 = arith.constant 0 : index
    affine.if #set0()[%x, %y] {
      %m = memref.alloc() : memref<8x16xi32, 2>
      %v = memref.load %m[%c0, %c0] : memref<8x16xi32, 2>
      memref.store %v, %m[%c0, %c0] : memref<8x16xi32, 2>
      memref.dealloc %m : memref<8x16xi32, 2>
    } else {
      %m = memref.alloc() : memref<16x16xi32, 2>
      %v = memref.load %m[%c0, %c0] : memref<16x16xi32, 2>
      memref.store %v, %m[%c0, %c0] : memref<16x16xi32, 2>
      memref.dealloc %m : memref<16x16xi32, 2>
    }
    affine.if #set1()[%x, %y] {
      %m = memref.alloc() : memref<16x8xi32, 2>
      %v = memref.load %m[%c0, %c0] : memref<16x8xi32, 2>
      memref.store %v, %m[%c0, %c0] : memref<16x8xi32, 2>
      memref.dealloc %m : memref<16x8xi32, 2>
    } else {
      %m = memref.alloc() : memref<8x8xi32, 2>
      %v = memref.load %m[%c0, %c0] : memref<8x8xi32, 2>
      memref.store %v, %m[%c0, %c0] : memref<8x8xi32, 2>
      memref.dealloc %m : memref<8x8xi32, 2>
    }
  }
  return
}
