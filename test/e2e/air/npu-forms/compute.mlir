// RUN: python3 %S/../channels-in-launch/Inputs/run_program.py --aircc %aircc %s

// The code of PEs. Each program has a form of programs for NPUs.

// A product of a matrix and a vector of i8.

// ARG w: 8x8xi8
// ARG v: 8xi8
// ARG b: 8xi8
// MODEL def wrap(x): return (x + 128) % 256 - 128
// MODEL for i in range(8): b[i] = wrap(sum(w[i * 8 + j] * v[j] for j in range(8)))
func.func @test(%w: memref<8x8xi8>, %v: memref<8xi8>, %b: memref<8xi8>) {
  %c1 = arith.constant 1 : index
  %0 = air.launch async (%tx, %ty) in (%sx=%c1, %sy=%c1) args(%lw=%w, %lv=%v, %lb=%b) : memref<8x8xi8>, memref<8xi8>, memref<8xi8> {
    %1 = air.segment async args(%sw=%lw, %sv=%lv, %sb=%lb) : memref<8x8xi8>, memref<8xi8>, memref<8xi8> {
      %k1 = arith.constant 1 : index
      %2 = air.herd @h async tile (%x, %y) in (%nx=%k1, %ny=%k1) args(%hw=%sw, %hv=%sv, %hb=%sb) : memref<8x8xi8>, memref<8xi8>, memref<8xi8> {
        %tf, %f = air.execute -> (memref<64xi8, 2>) {
          %al = memref.alloc() : memref<64xi8, 2>
          air.execute_terminator %al : memref<64xi8, 2>
        }
        %tv, %vv = air.execute -> (memref<8xi8, 2>) {
          %al = memref.alloc() : memref<8xi8, 2>
          air.execute_terminator %al : memref<8xi8, 2>
        }
        %to, %o = air.execute -> (memref<8xi8, 2>) {
          %al = memref.alloc() : memref<8xi8, 2>
          air.execute_terminator %al : memref<8xi8, 2>
        }
        %d0 = air.dma_memcpy_nd async [%tf] (%f[] [] [], %hw[] [] []) : (memref<64xi8, 2>, memref<8x8xi8>)
        %d1 = air.dma_memcpy_nd async [%tv] (%vv[] [] [], %hv[] [] []) : (memref<8xi8, 2>, memref<8xi8>)
        %e = air.execute [%d0, %d1, %to] {
          %z = arith.constant 0 : i8
          %e0 = memref.expand_shape %f [[0, 1]] output_shape [8, 8] : memref<64xi8, 2> into memref<8x8xi8, 2>
          %e1 = memref.collapse_shape %e0 [[0, 1]] : memref<8x8xi8, 2> into memref<64xi8, 2>
          %e2 = memref.expand_shape %e1 [[0, 1]] output_shape [8, 8] : memref<64xi8, 2> into memref<8x8xi8, 2>
          linalg.fill ins(%z : i8) outs(%o : memref<8xi8, 2>)
          linalg.matvec {air.op_cost = "priced"} ins(%e2, %vv : memref<8x8xi8, 2>, memref<8xi8, 2>) outs(%o : memref<8xi8, 2>)
        }
        %d2 = air.dma_memcpy_nd async [%e] (%hb[] [] [], %o[] [] []) : (memref<8xi8>, memref<8xi8, 2>)
      }
      air.segment_terminator
    }
    air.launch_terminator
  }
  return
}

// -----

// A function that takes the base of a buffer and an offset.

// ARG b: 2x16xi32
// MODEL for i in range(32): b[i] = 3
func.func private @set(%base: memref<i32, 2 : i32>, %offset: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %three = arith.constant 3 : i32
  %m = memref.reinterpret_cast %base to offset: [%offset], sizes: [16], strides: [1] : memref<i32, 2 : i32> to memref<16xi32, strided<[1], offset: ?>, 2 : i32>
  scf.for %i = %c0 to %c16 step %c1 {
    memref.store %three, %m[%i] : memref<16xi32, strided<[1], offset: ?>, 2 : i32>
  }
  return
}
func.func @test(%b: memref<2x16xi32>) {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%o=%b) : memref<2x16xi32> {
    %m = memref.alloc() : memref<4x4xi32, 2 : i32>
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<4x4xi32, 2 : i32> -> memref<i32, 2 : i32>, index, index, index, index, index
    func.call @set(%base, %offset) : (memref<i32, 2 : i32>, index) -> ()
    air.dma_memcpy_nd (%o[%x, 0] [1, 16] [16, 1], %m[] [] []) : (memref<2x16xi32>, memref<4x4xi32, 2 : i32>)
    air.herd_terminator
  }
  return
}

// -----

// Functions that return their argument or take the same buffer twice.

// ARG b: 64xi32
// MODEL for i in range(64): b[i] = 0 if i == 0 else 6
func.func private @same(%a: memref<64xi32, 2>) -> memref<64xi32, 2> {
  return %a : memref<64xi32, 2>
}
func.func private @move(%a: memref<64xi32, 2>, %b: memref<64xi32, 2>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %v = vector.transfer_read %a[%c0], %z {in_bounds = [true]} : memref<64xi32, 2>, vector<64xi32>
  func.call @put(%v, %b) : (vector<64xi32>, memref<64xi32, 2>) -> ()
  return
}
func.func private @put(%v: vector<64xi32>, %b: memref<64xi32, 2>) {
  %c0 = arith.constant 0 : index
  vector.transfer_write %v, %b[%c0] {in_bounds = [true]} : vector<64xi32>, memref<64xi32, 2>
  return
}
func.func @test(%b: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %0 = air.launch async (%lx, %ly) in (%nx=%c1, %ny=%c1) args(%o=%b) : memref<64xi32> {
    %1 = air.segment @s async args(%oo=%o) : memref<64xi32> {
      %k1 = arith.constant 1 : index
      %2 = air.herd @h async tile (%x, %y) in (%sx=%k1, %sy=%k1) args(%out=%oo) : memref<64xi32> {
        %t0, %p, %p2 = air.execute -> (memref<64xi32, 2>, memref<64xi32, 2>) {
          %al = memref.alloc() : memref<64xi32, 2>
          air.execute_terminator %al, %al : memref<64xi32, 2>, memref<64xi32, 2>
        }
        %t1, %q = air.execute -> (memref<64xi32, 2>) {
          %al = memref.alloc() : memref<64xi32, 2>
          air.execute_terminator %al : memref<64xi32, 2>
        }
        %six = arith.constant 6 : i32
        %f = air.execute [%t0] { linalg.fill ins(%six : i32) outs(%p : memref<64xi32, 2>) }
        %t2 = air.execute [%f, %t1] {
          func.call @move(%p2, %q) : (memref<64xi32, 2>, memref<64xi32, 2>) -> ()
          func.call @move(%q, %q) : (memref<64xi32, 2>, memref<64xi32, 2>) -> ()
        }
        %t3 = air.execute [%t2] {
          %c0 = arith.constant 0 : index
          %z = arith.constant 0 : i32
          %r = func.call @same(%q) : (memref<64xi32, 2>) -> memref<64xi32, 2>
          memref.store %z, %r[%c0] : memref<64xi32, 2>
        }
        %d = air.dma_memcpy_nd async [%t3] (%out[] [] [], %q[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
      }
    }
  }
  return
}

// -----

// Products of blocks, as vectors.

// ARG a: 2x2x4x4xf32
// ARG b: 2x2x4x4xf32
// ARG c: 2x2x4x4xf32
// MODEL # c[j][i] += sum_k a[k][i] b[j][k] on 4x4 blocks
// MODEL at = lambda m, p, q, r, s: m[((p * 2 + q) * 4 + r) * 4 + s]
// MODEL new = [0] * 64
// MODEL for j in range(2):
// MODEL   for i in range(2):
// MODEL     for r in range(4):
// MODEL       for s in range(4): new[((j * 2 + i) * 4 + r) * 4 + s] = at(c, j, i, r, s) + sum(a[((k * 2 + i) * 4 + r) * 4 + t] * b[((j * 2 + k) * 4 + t) * 4 + s] for k in range(2) for t in range(4))
// MODEL c = new
#ma = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d0, d3, d5)>
#mb = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>
#mc = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d0, d3, d4)>
func.func @test(%a: memref<2x2x4x4xf32>, %b: memref<2x2x4x4xf32>, %c: memref<2x2x4x4xf32>) {
  %c1 = arith.constant 1 : index
  air.herd @vec tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%p = %a, %q = %b, %r = %c) : memref<2x2x4x4xf32>, memref<2x2x4x4xf32>, memref<2x2x4x4xf32> {
    %c0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %z = arith.constant 0.0 : f32
    %ma = memref.alloc() : memref<2x2x4x4xf32, 2>
    %mb = memref.alloc() : memref<2x2x4x4xf32, 2>
    %mc = memref.alloc() : memref<2x2x4x4xf32, 2>
    air.dma_memcpy_nd (%ma[] [] [], %p[] [] []) : (memref<2x2x4x4xf32, 2>, memref<2x2x4x4xf32>)
    air.dma_memcpy_nd (%mb[] [] [], %q[] [] []) : (memref<2x2x4x4xf32, 2>, memref<2x2x4x4xf32>)
    air.dma_memcpy_nd (%mc[] [] [], %r[] [] []) : (memref<2x2x4x4xf32, 2>, memref<2x2x4x4xf32>)
    scf.for %i = %c0 to %c2 step %k1 {
      scf.for %j = %c0 to %c2 step %k1 {
        scf.for %k = %c0 to %c2 step %k1 {
          %va = vector.transfer_read %ma[%k, %i, %c0, %c0], %z {in_bounds = [true, true, true, true]} : memref<2x2x4x4xf32, 2>, vector<1x1x4x4xf32>
          %vb = vector.transfer_read %mb[%j, %k, %c0, %c0], %z {in_bounds = [true, true, true, true]} : memref<2x2x4x4xf32, 2>, vector<1x1x4x4xf32>
          %vc = vector.transfer_read %mc[%j, %i, %c0, %c0], %z {in_bounds = [true, true, true, true]} : memref<2x2x4x4xf32, 2>, vector<1x1x4x4xf32>
          %d = vector.contract {indexing_maps = [#ma, #mb, #mc], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %va, %vb, %vc : vector<1x1x4x4xf32>, vector<1x1x4x4xf32> into vector<1x1x4x4xf32>
          vector.transfer_write %d, %mc[%j, %i, %c0, %c0] {in_bounds = [true, true, true, true]} : vector<1x1x4x4xf32>, memref<2x2x4x4xf32, 2>
        }
      }
    }
    air.dma_memcpy_nd (%r[] [] [], %mc[] [] []) : (memref<2x2x4x4xf32>, memref<2x2x4x4xf32, 2>)
  }
  return
}

// -----

// Products of blocks, as a linalg op with nine dimensions.

// ARG a: 1x1x2x2x4x4xi32
// ARG b: 1x1x2x2x4x4xi32
// ARG c: 1x1x2x2x4x4xi32
// MODEL at = lambda m, p, q, r, s: m[((p * 2 + q) * 4 + r) * 4 + s]
// MODEL new = [0] * 64
// MODEL for j in range(2):
// MODEL   for i in range(2):
// MODEL     for r in range(4):
// MODEL       for s in range(4): new[((j * 2 + i) * 4 + r) * 4 + s] = sum(a[((k * 2 + i) * 4 + r) * 4 + t] * b[((j * 2 + k) * 4 + t) * 4 + s] for k in range(2) for t in range(4))
// MODEL c = new
#ma = affine_map<(b0, b1, b2, d0, d1, d2, d3, d4, d5) -> (b0, b2, d2, d0, d3, d5)>
#mb = affine_map<(b0, b1, b2, d0, d1, d2, d3, d4, d5) -> (b2, b1, d1, d2, d5, d4)>
#mc = affine_map<(b0, b1, b2, d0, d1, d2, d3, d4, d5) -> (b0, b1, d1, d0, d3, d4)>
func.func @test(%a: memref<1x1x2x2x4x4xi32>, %b: memref<1x1x2x2x4x4xi32>, %c: memref<1x1x2x2x4x4xi32>) {
  %c1 = arith.constant 1 : index
  air.herd @mm tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%p = %a, %q = %b, %r = %c) : memref<1x1x2x2x4x4xi32>, memref<1x1x2x2x4x4xi32>, memref<1x1x2x2x4x4xi32> {
    %z = arith.constant 0 : i32
    %ma = memref.alloc() : memref<1x1x2x2x4x4xi32, 2 : i32>
    %mb = memref.alloc() : memref<1x1x2x2x4x4xi32, 2 : i32>
    %mc = memref.alloc() : memref<1x1x2x2x4x4xi32, 2 : i32>
    air.dma_memcpy_nd (%ma[] [] [], %p[] [] []) : (memref<1x1x2x2x4x4xi32, 2 : i32>, memref<1x1x2x2x4x4xi32>)
    air.dma_memcpy_nd (%mb[] [] [], %q[] [] []) : (memref<1x1x2x2x4x4xi32, 2 : i32>, memref<1x1x2x2x4x4xi32>)
    linalg.fill ins(%z : i32) outs(%mc : memref<1x1x2x2x4x4xi32, 2 : i32>)
    linalg.generic {indexing_maps = [#ma, #mb, #mc], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%ma, %mb : memref<1x1x2x2x4x4xi32, 2 : i32>, memref<1x1x2x2x4x4xi32, 2 : i32>) outs(%mc : memref<1x1x2x2x4x4xi32, 2 : i32>) attrs = {packed_matmul} {
    ^bb0(%u: i32, %v: i32, %o: i32):
      %m = arith.muli %u, %v : i32
      %s = arith.addi %o, %m : i32
      linalg.yield %s : i32
    }
    air.dma_memcpy_nd (%r[] [] [], %mc[] [] []) : (memref<1x1x2x2x4x4xi32>, memref<1x1x2x2x4x4xi32, 2 : i32>)
  }
  return
}

// -----

// A convolution, a transpose and a reduction.

// ARG img: 1x2x6x6xi32
// ARG ker: 3x2x3x3xi32
// ARG out: 1x3x4x4xi32
// ARG t: 4x6xi32
// ARG tt: 6x4xi32
// ARG s: 6xi32
// MODEL for f in range(3):
// MODEL   for r in range(4):
// MODEL     for c in range(4): out[(f * 4 + r) * 4 + c] = sum(img[(k * 6 + r + p) * 6 + c + q] * ker[((f * 2 + k) * 3 + p) * 3 + q] for k in range(2) for p in range(3) for q in range(3))
// MODEL for r in range(4):
// MODEL   for c in range(6): tt[c * 4 + r] = t[r * 6 + c]
// MODEL for c in range(6): s[c] = sum(t[r * 6 + c] for r in range(4))
func.func @test(%img: memref<1x2x6x6xi32>, %ker: memref<3x2x3x3xi32>, %out: memref<1x3x4x4xi32>, %t: memref<4x6xi32>, %tt: memref<6x4xi32>, %s: memref<6xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%p = %img, %q = %ker, %r = %out, %u = %t, %v = %tt, %w = %s) : memref<1x2x6x6xi32>, memref<3x2x3x3xi32>, memref<1x3x4x4xi32>, memref<4x6xi32>, memref<6x4xi32>, memref<6xi32> {
    %z = arith.constant 0 : i32
    %m0 = memref.alloc() : memref<1x2x6x6xi32, 2>
    %m1 = memref.alloc() : memref<3x2x3x3xi32, 2>
    %m2 = memref.alloc() : memref<1x3x4x4xi32, 2>
    air.dma_memcpy_nd (%m0[] [] [], %p[] [] []) : (memref<1x2x6x6xi32, 2>, memref<1x2x6x6xi32>)
    air.dma_memcpy_nd (%m1[] [] [], %q[] [] []) : (memref<3x2x3x3xi32, 2>, memref<3x2x3x3xi32>)
    linalg.fill ins(%z : i32) outs(%m2 : memref<1x3x4x4xi32, 2>)
    linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%m0, %m1 : memref<1x2x6x6xi32, 2>, memref<3x2x3x3xi32, 2>) outs(%m2 : memref<1x3x4x4xi32, 2>)
    air.dma_memcpy_nd (%r[] [] [], %m2[] [] []) : (memref<1x3x4x4xi32>, memref<1x3x4x4xi32, 2>)
    %n0 = memref.alloc() : memref<4x6xi32, 2>
    %n1 = memref.alloc() : memref<6x4xi32, 2>
    %n2 = memref.alloc() : memref<6xi32, 2>
    air.dma_memcpy_nd (%n0[] [] [], %u[] [] []) : (memref<4x6xi32, 2>, memref<4x6xi32>)
    linalg.transpose ins(%n0 : memref<4x6xi32, 2>) outs(%n1 : memref<6x4xi32, 2>) permutation = [1, 0]
    linalg.fill ins(%z : i32) outs(%n2 : memref<6xi32, 2>)
    linalg.reduce { arith.addi } ins(%n0 : memref<4x6xi32, 2>) outs(%n2 : memref<6xi32, 2>) dimensions = [0]
    air.dma_memcpy_nd (%v[] [] [], %n1[] [] []) : (memref<6x4xi32>, memref<6x4xi32, 2>)
    air.dma_memcpy_nd (%w[] [] [], %n2[] [] []) : (memref<6xi32>, memref<6xi32, 2>)
  }
  return
}

// -----

// Vectors of rows, with a maximum in a loop.

// ARG a: 8x16xf32
// ARG b: 8x16xf32
// ARG r: 8xf32
// MODEL for i in range(8):
// MODEL   for j in range(16): b[i * 16 + j] = a[i * 16 + j] * 2 + (100 if j % 2 else 0)
// MODEL   r[i] = max(a[i * 16 : i * 16 + 16])
func.func @test(%a: memref<8x16xf32>, %b: memref<8x16xf32>, %r: memref<8xf32>) {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%p = %a, %q = %b, %o = %r) : memref<8x16xf32>, memref<8x16xf32>, memref<8xf32> {
    %c0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %z = arith.constant 0.0 : f32
    %first = arith.muli %x, %c4 : index
    %m = memref.alloc() : memref<4x16xf32, 2 : i32>
    %n = memref.alloc() : memref<4x16xf32, 2 : i32>
    %s = memref.alloc() : memref<4xf32, 2 : i32>
    air.dma_memcpy_nd (%m[] [] [], %p[%first, 0] [4, 16] [16, 1]) : (memref<4x16xf32, 2 : i32>, memref<8x16xf32>)
    %flat = memref.collapse_shape %m [[0, 1]] : memref<4x16xf32, 2 : i32> into memref<64xf32, 2 : i32>
    %odd = arith.constant dense<[0.0, 100.0, 0.0, 100.0, 0.0, 100.0, 0.0, 100.0]> : vector<8xf32>
    %two = arith.constant dense<2.0> : vector<8xf32>
    %c16 = arith.constant 16 : index
    scf.for %i = %c0 to %c4 step %k1 {
      %row = memref.subview %n[%i, 0] [1, 16] [1, 1] : memref<4x16xf32, 2 : i32> to memref<16xf32, strided<[1], offset: ?>, 2 : i32>
      %acc0 = arith.constant dense<-1.0e+9> : vector<8xf32>
      %mx = scf.for %j = %c0 to %c16 step %c8 iter_args(%acc = %acc0) -> (vector<8xf32>) {
        %base = arith.muli %i, %c16 : index
        %at = arith.addi %base, %j : index
        %v = vector.transfer_read %flat[%at], %z {in_bounds = [true]} : memref<64xf32, 2 : i32>, vector<8xf32>
        %f = vector.fma %v, %two, %odd : vector<8xf32>
        vector.transfer_write %f, %row[%j] {in_bounds = [true]} : vector<8xf32>, memref<16xf32, strided<[1], offset: ?>, 2 : i32>
        %w = arith.maximumf %acc, %v : vector<8xf32>
        scf.yield %w : vector<8xf32>
      }
      %one = vector.reduction <maximumf>, %mx : vector<8xf32> into f32
      memref.store %one, %s[%i] : memref<4xf32, 2 : i32>
    }
    air.dma_memcpy_nd (%q[%first, 0] [4, 16] [16, 1], %n[] [] []) : (memref<8x16xf32>, memref<4x16xf32, 2 : i32>)
    air.dma_memcpy_nd (%o[%first] [4] [1], %s[] [] []) : (memref<8xf32>, memref<4xf32, 2 : i32>)
  }
  return
}

// -----

// Copies of views around products of tiles.

// ARG a: 16x16xi32
// ARG b: 16x16xi32
// ARG c: 16x16xi32
// MODEL for i in range(16):
// MODEL   for j in range(16): c[i * 16 + j] = sum(a[i * 16 + k] * b[k * 16 + j] for k in range(16))
func.func @test(%a: memref<16x16xi32>, %b: memref<16x16xi32>, %c: memref<16x16xi32>) {
  %c2 = arith.constant 2 : index
  air.herd tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%p=%a, %q=%b, %r=%c) : memref<16x16xi32>, memref<16x16xi32>, memref<16x16xi32> {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %z = arith.constant 0 : i32
    %i = affine.apply affine_map<(d0) -> (d0 * 8)>(%x)
    %j = affine.apply affine_map<(d0) -> (d0 * 8)>(%y)
    %sc = memref.subview %r[%i, %j] [8, 8] [1, 1] : memref<16x16xi32> to memref<8x8xi32, strided<[16, 1], offset: ?>>
    %mc = memref.alloc() : memref<8x8xi32, 2>
    linalg.fill ins(%z : i32) outs(%mc : memref<8x8xi32, 2>)
    scf.for %k = %c0 to %c16 step %c8 {
      %sa = memref.subview %p[%i, %k] [8, 8] [1, 1] : memref<16x16xi32> to memref<8x8xi32, strided<[16, 1], offset: ?>>
      %sb = memref.subview %q[%k, %j] [8, 8] [1, 1] : memref<16x16xi32> to memref<8x8xi32, strided<[16, 1], offset: ?>>
      %ma = memref.alloc() : memref<8x8xi32, 2>
      %mb = memref.alloc() : memref<8x8xi32, 2>
      memref.copy %sa, %ma : memref<8x8xi32, strided<[16, 1], offset: ?>> to memref<8x8xi32, 2>
      linalg.copy ins(%sb : memref<8x8xi32, strided<[16, 1], offset: ?>>) outs(%mb : memref<8x8xi32, 2>)
      linalg.matmul ins(%ma, %mb : memref<8x8xi32, 2>, memref<8x8xi32, 2>) outs(%mc : memref<8x8xi32, 2>)
      memref.dealloc %ma : memref<8x8xi32, 2>
      memref.dealloc %mb : memref<8x8xi32, 2>
    }
    memref.copy %mc, %sc : memref<8x8xi32, 2> to memref<8x8xi32, strided<[16, 1], offset: ?>>
    memref.dealloc %mc : memref<8x8xi32, 2>
  }
  return
}

// -----

// A function with affine ops that is called in a loop.

// ARG a: 4x16xi32
// MODEL for x in range(4):
// MODEL   for i in range(16): a[x * 16 + i] = i * 2 + 1 + x
func.func private @at(%m: memref<16xi32, 2>, %i: index, %v: i32) {
  %j = affine.apply affine_map<()[s0] -> (s0 * 2 + 1)>()[%i]
  %k = arith.index_cast %j : index to i32
  %w = arith.addi %k, %v : i32
  memref.store %w, %m[%i] : memref<16xi32, 2>
  affine.if affine_set<()[s0] : (s0 - 100 >= 0)>()[%i] {
    memref.store %v, %m[%i] : memref<16xi32, 2>
  }
  return
}
func.func @test(%a: memref<4x16xi32>) {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%hx=%c4, %hy=%c1) args(%p=%a) : memref<4x16xi32> {
    %c0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %m = memref.alloc() : memref<16xi32, 2>
    %xi = arith.index_cast %x : index to i32
    scf.for %i = %c0 to %c16 step %k1 {
      func.call @at(%m, %i, %xi) : (memref<16xi32, 2>, index, i32) -> ()
    }
    air.dma_memcpy_nd (%p[%x, 0] [1, 16] [16, 1], %m[] [] []) : (memref<4x16xi32>, memref<16xi32, 2>)
  }
  return
}

// -----

// A loop whose number of iterations depends on the data.

// ARG a: 4xi32
// MODEL for x in range(4):
// MODEL   n = x + 1; k = 0
// MODEL   while n < 50: n = n * 2 + 1; k += 1
// MODEL   a[x] = n * 100 + k
func.func @test(%a: memref<4xi32>) {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%hx=%c4, %hy=%c1) args(%p=%a) : memref<4xi32> {
    %i1 = arith.constant 1 : i32
    %i2 = arith.constant 2 : i32
    %i0 = arith.constant 0 : i32
    %i50 = arith.constant 50 : i32
    %i100 = arith.constant 100 : i32
    %xi = arith.index_cast %x : index to i32
    %s = arith.addi %xi, %i1 : i32
    %r:2 = scf.while (%n = %s, %k = %i0) : (i32, i32) -> (i32, i32) {
      %c = arith.cmpi slt, %n, %i50 : i32
      scf.condition(%c) %n, %k : i32, i32
    } do {
    ^bb0(%n: i32, %k: i32):
      %m = arith.muli %n, %i2 : i32
      %o = arith.addi %m, %i1 : i32
      %l = arith.addi %k, %i1 : i32
      scf.yield %o, %l : i32, i32
    }
    %h = arith.muli %r#0, %i100 : i32
    %v = arith.addi %h, %r#1 : i32
    memref.store %v, %p[%x] : memref<4xi32>
  }
  return
}
