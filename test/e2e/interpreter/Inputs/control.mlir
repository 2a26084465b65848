// A branch by the id of the PE.
func.func @if_by_id(%a: memref<4x16xi32>, %b: memref<4x16xi32>) {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%nx = %c4, %ny = %c1) args(%ha = %a, %hb = %b) : memref<4x16xi32>, memref<4x16xi32> {
    %c0 = arith.constant 0 : index
    %first = arith.cmpi eq, %x, %c0 : index
    %t = memref.alloc() : memref<16xi32, 2>
    scf.if %first {
      %v = arith.constant 42 : i32
      linalg.fill ins(%v : i32) outs(%t : memref<16xi32, 2>)
    } else {
      air.dma_memcpy_nd (%t[] [] [], %ha[%x, 0] [1, 16] [16, 1]) : (memref<16xi32, 2>, memref<4x16xi32>)
    }
    air.dma_memcpy_nd (%hb[%x, 0] [1, 16] [16, 1], %t[] [] []) : (memref<4x16xi32>, memref<16xi32, 2>)
  }
  return
}
// -----
// affine.if over both ids, nested.
func.func @affine_if(%a: memref<2x2x8xi32>, %b: memref<2x2x8xi32>) {
  %c2 = arith.constant 2 : index
  air.herd tile (%x, %y) in (%nx = %c2, %ny = %c2) args(%ha = %a, %hb = %b) : memref<2x2x8xi32>, memref<2x2x8xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = memref.alloc() : memref<8xi32, 2>
    affine.if affine_set<()[s0, s1] : (s0 == 0, s1 >= 0, -s1 + 1 >= 0)>()[%x, %y] {
      air.dma_memcpy_nd (%t[] [] [], %ha[%c0, %y, 0] [1, 1, 8] [16, 8, 1]) : (memref<8xi32, 2>, memref<2x2x8xi32>)
    } else {
      affine.if affine_set<()[s0, s1] : (s1 == 0, s0 >= 0)>()[%x, %y] {
        air.dma_memcpy_nd (%t[] [] [], %ha[%c1, %c0, 0] [1, 1, 8] [16, 8, 1]) : (memref<8xi32, 2>, memref<2x2x8xi32>)
      } else {
        air.dma_memcpy_nd (%t[] [] [], %ha[%c0, %c0, 0] [1, 1, 8] [16, 8, 1]) : (memref<8xi32, 2>, memref<2x2x8xi32>)
      }
    }
    air.dma_memcpy_nd (%hb[%x, %y, 0] [1, 1, 8] [16, 8, 1], %t[] [] []) : (memref<2x2x8xi32>, memref<8xi32, 2>)
  }
  return
}
// -----
// A switch by the id.
func.func @index_switch(%a: memref<4x8xi32>, %b: memref<4x8xi32>) {
  %c4 = arith.constant 4 : index
  air.herd tile (%x) in (%n = %c4) args(%ha = %a, %hb = %b) : memref<4x8xi32>, memref<4x8xi32> {
    %t = memref.alloc() : memref<8xi32, 2>
    air.dma_memcpy_nd (%t[] [] [], %ha[%x, 0] [1, 8] [8, 1]) : (memref<8xi32, 2>, memref<4x8xi32>)
    scf.index_switch %x
    case 0 {
      linalg.add ins(%t, %t : memref<8xi32, 2>, memref<8xi32, 2>) outs(%t : memref<8xi32, 2>)
      scf.yield
    }
    case 2 {
      linalg.mul ins(%t, %t : memref<8xi32, 2>, memref<8xi32, 2>) outs(%t : memref<8xi32, 2>)
      scf.yield
    }
    default {
    }
    air.dma_memcpy_nd (%hb[%x, 0] [1, 8] [8, 1], %t[] [] []) : (memref<4x8xi32>, memref<8xi32, 2>)
  }
  return
}
// -----
// A triangular loop: the trip count depends on the id.
func.func @triangle(%a: memref<8x8xi32>, %b: memref<8xi32>) {
  %c4 = arith.constant 4 : index
  air.herd tile (%x) in (%n = %c4) args(%ha = %a, %hb = %b) : memref<8x8xi32>, memref<8xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0 : i32
    %r0 = arith.muli %x, %c2 : index
    scf.for %d = %c0 to %c2 step %c1 {
      %r = arith.addi %r0, %d : index
      %end = arith.addi %r, %c1 : index
      %s = scf.for %k = %c0 to %end step %c1 iter_args(%acc = %zero) -> (i32) {
        %v = memref.load %ha[%r, %k] : memref<8x8xi32>
        %w = arith.addi %acc, %v : i32
        scf.yield %w : i32
      }
      memref.store %s, %hb[%r] : memref<8xi32>
    }
  }
  return
}
// -----
// Segment code around a herd in a loop with a carried sum.
func.func @segment_loop(%a: memref<4x16xi32>, %b: memref<16xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<4x16xi32>, memref<16xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<4x16xi32>, memref<16xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant 0 : i32
      %acc = memref.alloc() : memref<16xi32, 1>
      linalg.fill ins(%zero : i32) outs(%acc : memref<16xi32, 1>)
      scf.for %i = %c0 to %c4 step %c1 {
        %t = memref.alloc() : memref<16xi32, 1>
        air.dma_memcpy_nd (%t[] [] [], %sa[%i, 0] [1, 16] [16, 1]) : (memref<16xi32, 1>, memref<4x16xi32>)
        air.herd tile (%x) in (%n = %c2) args(%p = %t, %q = %acc) : memref<16xi32, 1>, memref<16xi32, 1> {
          %c8 = arith.constant 8 : index
          %o = arith.muli %x, %c8 : index
          affine.for %k = 0 to 8 {
            %e = arith.addi %o, %k : index
            %v = memref.load %p[%e] : memref<16xi32, 1>
            %w = memref.load %q[%e] : memref<16xi32, 1>
            %s = arith.addi %v, %w : i32
            memref.store %s, %q[%e] : memref<16xi32, 1>
          }
        }
        memref.dealloc %t : memref<16xi32, 1>
      }
      air.dma_memcpy_nd (%sb[] [] [], %acc[] [] []) : (memref<16xi32>, memref<16xi32, 1>)
      memref.dealloc %acc : memref<16xi32, 1>
    }
  }
  return
}
// -----
// A segment with instances.
func.func @unrolled_segment(%a: memref<4x8xi32>, %b: memref<4x8xi32>) {
  %c2 = arith.constant 2 : index
  air.launch (%i) in (%n = %c2) args(%la = %a, %lb = %b) : memref<4x8xi32>, memref<4x8xi32> {
    %d2 = arith.constant 2 : index
    air.segment @s unroll (%j) in (%m = %d2) args(%k = %i, %sa = %la, %sb = %lb) : index, memref<4x8xi32>, memref<4x8xi32> {
      %e2 = arith.constant 2 : index
      %r0 = arith.muli %k, %e2 : index
      %r = arith.addi %r0, %j : index
      %l2 = memref.alloc() : memref<8xi32, 1>
      air.dma_memcpy_nd (%l2[] [] [], %sa[%r, 0] [1, 8] [8, 1]) : (memref<8xi32, 1>, memref<4x8xi32>)
      air.herd tile (%x) in (%p = %e2) args(%h = %l2, %row = %r) : memref<8xi32, 1>, index {
        %c4 = arith.constant 4 : index
        %o = arith.muli %x, %c4 : index
        %v = arith.index_cast %row : index to i32
        affine.for %q = 0 to 4 {
          %e = arith.addi %o, %q : index
          %w = memref.load %h[%e] : memref<8xi32, 1>
          %s = arith.muli %v, %w : i32
          memref.store %s, %h[%e] : memref<8xi32, 1>
        }
      }
      air.dma_memcpy_nd (%sb[%r, 0] [1, 8] [8, 1], %l2[] [] []) : (memref<4x8xi32>, memref<8xi32, 1>)
    }
  }
  return
}
// -----
// Calls to functions in a herd.
func.func private @scale(%v: i32, %i: index) -> i32 {
  %k = arith.index_cast %i : index to i32
  %w = arith.muli %v, %k : i32
  return %w : i32
}
func.func @call_in_herd(%a: memref<4x8xi32>, %b: memref<4x8xi32>) {
  %c4 = arith.constant 4 : index
  air.herd tile (%x) in (%n = %c4) args(%ha = %a, %hb = %b) : memref<4x8xi32>, memref<4x8xi32> attributes {link_with = "kernel.o"} {
    affine.for %k = 0 to 8 {
      %v = memref.load %ha[%x, %k] : memref<4x8xi32>
      %w = func.call @scale(%v, %x) : (i32, index) -> i32
      memref.store %w, %hb[%x, %k] : memref<4x8xi32>
    }
  }
  return
}
// -----
// Attributes as compilers for NPUs write them, and the size of the herd in its body.
func.func @attributes(%a: memref<6x8xi32>, %b: memref<6x8xi32>) attributes {llvm.emit_c_interface} {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  air.segment @seg args(%sa = %a, %sb = %b) : memref<6x8xi32>, memref<6x8xi32> attributes {x_loc = 7 : i64, x_size = 10 : i64, y_loc = 0 : i64, y_size = 6 : i64} {
    %c2_0 = arith.constant 2 : index
    %c3_0 = arith.constant 3 : index
    air.herd tile (%x, %y) in (%nx = %c2_0, %ny = %c3_0) args(%ha = %sa, %hb = %sb) : memref<6x8xi32>, memref<6x8xi32> attributes {sym_name = "named", x_loc = 7 : i64, y_loc = 2 : i64} {
      %p = arith.muli %x, %ny : index
      %q = arith.addi %p, %y : index
      %t = memref.alloc() {alignment = 64 : i64} : memref<8xi32, 2>
      air.dma_memcpy_nd (%t[] [] [], %ha[%q, 0] [1, 8] [8, 1]) {id = 5 : i32} : (memref<8xi32, 2>, memref<6x8xi32>)
      %total = arith.muli %nx, %ny : index
      %n = arith.index_cast %total : index to i32
      affine.for %k = 0 to 8 {
        %v = affine.load %t[%k] : memref<8xi32, 2>
        %w = arith.addi %v, %n : i32
        affine.store %w, %t[%k] : memref<8xi32, 2>
      }
      air.dma_memcpy_nd (%hb[%q, 0] [1, 8] [8, 1], %t[] [] []) {id = 6 : i32} : (memref<6x8xi32>, memref<8xi32, 2>)
      memref.dealloc %t : memref<8xi32, 2>
      air.herd_terminator
    }
    air.segment_terminator
  }
  return
}
// -----
// A loop swaps two buffers in L2, so that it carries them.
func.func @l2_swapped(%a: memref<4x64xi32>, %b: memref<4x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n = %c1) args(%la = %a, %lb = %b) : memref<4x64xi32>, memref<4x64xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<4x64xi32>, memref<4x64xi32> {
      %c0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %p = memref.alloc() : memref<64xi32, 1>
      %q = memref.alloc() : memref<64xi32, 1>
      %zero = arith.constant 0 : i32
      linalg.fill ins(%zero : i32) outs(%q : memref<64xi32, 1>)
      %r:2 = scf.for %i = %c0 to %c4 step %s1 iter_args(%now = %p, %last = %q) -> (memref<64xi32, 1>, memref<64xi32, 1>) {
        air.dma_memcpy_nd (%now[] [] [], %sa[%i, 0] [1, 64] [64, 1]) : (memref<64xi32, 1>, memref<4x64xi32>)
        air.herd tile (%x, %y) in (%nx = %s1, %ny = %c4) args(%h = %now, %g = %last) : memref<64xi32, 1>, memref<64xi32, 1> {
          %c16 = arith.constant 16 : index
          %o = arith.muli %y, %c16 : index
          %t = memref.alloc() : memref<16xi32, 2>
          %u = memref.alloc() : memref<16xi32, 2>
          air.dma_memcpy_nd (%t[] [] [], %h[%o] [16] [1]) : (memref<16xi32, 2>, memref<64xi32, 1>)
          air.dma_memcpy_nd (%u[] [] [], %g[%o] [16] [1]) : (memref<16xi32, 2>, memref<64xi32, 1>)
          linalg.add ins(%t, %u : memref<16xi32, 2>, memref<16xi32, 2>) outs(%t : memref<16xi32, 2>)
          air.dma_memcpy_nd (%h[%o] [16] [1], %t[] [] []) : (memref<64xi32, 1>, memref<16xi32, 2>)
          memref.dealloc %t : memref<16xi32, 2>
          memref.dealloc %u : memref<16xi32, 2>
        }
        air.dma_memcpy_nd (%sb[%i, 0] [1, 64] [64, 1], %now[] [] []) : (memref<4x64xi32>, memref<64xi32, 1>)
        scf.yield %last, %now : memref<64xi32, 1>, memref<64xi32, 1>
      }
      memref.dealloc %p : memref<64xi32, 1>
      memref.dealloc %q : memref<64xi32, 1>
    }
  }
  return
}
