// Matmul: launch over tiles, segment, herd of 2 x 2, k loop inside of the herd.
func.func @launch_matmul(%a: memref<32x32xi32>, %b: memref<32x32xi32>, %c: memref<32x32xi32>) {
  %c2 = arith.constant 2 : index
  air.launch @mm (%i, %j) in (%ni = %c2, %nj = %c2) args(%la = %a, %lb = %b, %lc = %c) : memref<32x32xi32>, memref<32x32xi32>, memref<32x32xi32> attributes {id = 1 : i32} {
    air.segment @seg args(%si = %i, %sj = %j, %sa = %la, %sb = %lb, %sc = %lc) : index, index, memref<32x32xi32>, memref<32x32xi32>, memref<32x32xi32> attributes {id = 2 : i32, x_loc = 0 : i64, x_size = 4 : i64, y_loc = 2 : i64, y_size = 4 : i64} {
      %c2_0 = arith.constant 2 : index
      air.herd @herd_0 tile (%x, %y) in (%nx = %c2_0, %ny = %c2_0) args(%hi = %si, %hj = %sj, %ha = %sa, %hb = %sb, %hc = %sc) : index, index, memref<32x32xi32>, memref<32x32xi32>, memref<32x32xi32> attributes {id = 3 : i32, x_loc = 7 : i64, y_loc = 2 : i64} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %c32 = arith.constant 32 : index
        %row = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1 * 8)>(%hi, %x)
        %col = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1 * 8)>(%hj, %y)
        %tc = memref.alloc() : memref<8x8xi32, 2>
        %zero = arith.constant 0 : i32
        linalg.fill ins(%zero : i32) outs(%tc : memref<8x8xi32, 2>)
        scf.for %k = %c0 to %c32 step %c8 {
          %ta = memref.alloc() : memref<8x8xi32, 2>
          %tb = memref.alloc() : memref<8x8xi32, 2>
          air.dma_memcpy_nd (%ta[] [] [], %ha[%row, %k] [%c8, %c8] [%c32, %c1]) {id = 1 : i32} : (memref<8x8xi32, 2>, memref<32x32xi32>)
          air.dma_memcpy_nd (%tb[] [] [], %hb[%k, %col] [%c8, %c8] [%c32, %c1]) {id = 2 : i32} : (memref<8x8xi32, 2>, memref<32x32xi32>)
          linalg.matmul ins(%ta, %tb : memref<8x8xi32, 2>, memref<8x8xi32, 2>) outs(%tc : memref<8x8xi32, 2>)
          memref.dealloc %ta : memref<8x8xi32, 2>
          memref.dealloc %tb : memref<8x8xi32, 2>
        }
        air.dma_memcpy_nd (%hc[%row, %col] [%c8, %c8] [%c32, %c1], %tc[] [] []) {id = 4 : i32} : (memref<32x32xi32>, memref<8x8xi32, 2>)
        memref.dealloc %tc : memref<8x8xi32, 2>
      }
    }
  }
  return
}
// -----
// Bodies of affine loops, as lowered linalg.
func.func @affine_matmul(%a: memref<16x16xi32>, %b: memref<16x16xi32>, %c: memref<16x16xi32>) {
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%nx = %c2, %ny = %c2) args(%ha = %a, %hb = %b, %hc = %c) : memref<16x16xi32>, memref<16x16xi32>, memref<16x16xi32> {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %r = arith.muli %x, %c8 : index
    %s = arith.muli %y, %c8 : index
    %p = memref.alloc() : memref<8x16xi32, 2>
    %q = memref.alloc() : memref<16x8xi32, 2>
    %o = memref.alloc() : memref<8x8xi32, 2>
    air.dma_memcpy_nd (%p[] [] [], %ha[%r, %c0] [8, 16] [16, 1]) : (memref<8x16xi32, 2>, memref<16x16xi32>)
    air.dma_memcpy_nd (%q[] [] [], %hb[%c0, %s] [16, 8] [16, 1]) : (memref<16x8xi32, 2>, memref<16x16xi32>)
    air.dma_memcpy_nd (%o[] [] [], %hc[%r, %s] [8, 8] [16, 1]) : (memref<8x8xi32, 2>, memref<16x16xi32>)
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 8 {
        affine.for %k = 0 to 16 {
          %u = affine.load %p[%i, %k] : memref<8x16xi32, 2>
          %v = affine.load %q[%k, %j] : memref<16x8xi32, 2>
          %w = affine.load %o[%i, %j] : memref<8x8xi32, 2>
          %m = arith.muli %u, %v : i32
          %n = arith.addi %w, %m : i32
          affine.store %n, %o[%i, %j] : memref<8x8xi32, 2>
        }
      }
    }
    air.dma_memcpy_nd (%hc[%r, %s] [8, 8] [16, 1], %o[] [] []) : (memref<16x16xi32>, memref<8x8xi32, 2>)
  }
  return
}
// -----
// A convolution of a tile with its halo.
func.func @conv2d(%a: memref<1x2x10x10xi32>, %w: memref<3x2x3x3xi32>, %c: memref<1x3x8x8xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  air.herd @conv tile (%x, %y) in (%nx = %c4, %ny = %c1) args(%ha = %a, %hw = %w, %hc = %c) : memref<1x2x10x10xi32>, memref<3x2x3x3xi32>, memref<1x3x8x8xi32> {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %r = arith.muli %x, %c2 : index
    %p = memref.alloc() : memref<1x2x4x10xi32, 2>
    %q = memref.alloc() : memref<3x2x3x3xi32, 2>
    %o = memref.alloc() : memref<1x3x2x8xi32, 2>
    air.dma_memcpy_nd (%p[] [] [], %ha[%c0, %c0, %r, %c0] [1, 2, 4, 10] [200, 100, 10, 1]) : (memref<1x2x4x10xi32, 2>, memref<1x2x10x10xi32>)
    air.dma_memcpy_nd (%q[] [] [], %hw[] [] []) : (memref<3x2x3x3xi32, 2>, memref<3x2x3x3xi32>)
    air.dma_memcpy_nd (%o[] [] [], %hc[%c0, %c0, %r, %c0] [1, 3, 2, 8] [192, 64, 8, 1]) : (memref<1x3x2x8xi32, 2>, memref<1x3x8x8xi32>)
    linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%p, %q : memref<1x2x4x10xi32, 2>, memref<3x2x3x3xi32, 2>) outs(%o : memref<1x3x2x8xi32, 2>)
    air.dma_memcpy_nd (%hc[%c0, %c0, %r, %c0] [1, 3, 2, 8] [192, 64, 8, 1], %o[] [] []) : (memref<1x3x8x8xi32>, memref<1x3x2x8xi32, 2>)
  }
  return
}
// -----
// Batched matmul, one matrix of a batch for each PE.
func.func @batch(%a: memref<4x8x8xi32>, %b: memref<4x8x8xi32>, %c: memref<4x8x8xi32>) {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n = %c1) args(%la = %a, %lb = %b, %lc = %c) : memref<4x8x8xi32>, memref<4x8x8xi32>, memref<4x8x8xi32> {
    %d4 = arith.constant 4 : index
    air.herd tile (%x) in (%nx = %d4) args(%ha = %la, %hb = %lb, %hc = %lc) : memref<4x8x8xi32>, memref<4x8x8xi32>, memref<4x8x8xi32> {
      %p = memref.alloc() : memref<1x8x8xi32, 2>
      %q = memref.alloc() : memref<1x8x8xi32, 2>
      %o = memref.alloc() : memref<1x8x8xi32, 2>
      air.dma_memcpy_nd (%p[] [] [], %ha[%x, 0, 0] [1, 8, 8] [64, 8, 1]) : (memref<1x8x8xi32, 2>, memref<4x8x8xi32>)
      air.dma_memcpy_nd (%q[] [] [], %hb[%x, 0, 0] [1, 8, 8] [64, 8, 1]) : (memref<1x8x8xi32, 2>, memref<4x8x8xi32>)
      air.dma_memcpy_nd (%o[] [] [], %hc[%x, 0, 0] [1, 8, 8] [64, 8, 1]) : (memref<1x8x8xi32, 2>, memref<4x8x8xi32>)
      linalg.batch_matmul ins(%p, %q : memref<1x8x8xi32, 2>, memref<1x8x8xi32, 2>) outs(%o : memref<1x8x8xi32, 2>)
      air.dma_memcpy_nd (%hc[%x, 0, 0] [1, 8, 8] [64, 8, 1], %o[] [] []) : (memref<4x8x8xi32>, memref<1x8x8xi32, 2>)
    }
  }
  return
}
// -----
// A matrix times a vector; each PE has rows.
func.func @matvec(%a: memref<32x16xi32>, %v: memref<16xi32>, %o: memref<32xi32>) {
  %c4 = arith.constant 4 : index
  air.herd tile (%x) in (%n = %c4) args(%ha = %a, %hv = %v, %ho = %o) : memref<32x16xi32>, memref<16xi32>, memref<32xi32> {
    %c8 = arith.constant 8 : index
    %r = arith.muli %x, %c8 : index
    %p = memref.alloc() : memref<8x16xi32, 2>
    %q = memref.alloc() : memref<16xi32, 2>
    %s = memref.alloc() : memref<8xi32, 2>
    %zero = arith.constant 0 : i32
    air.dma_memcpy_nd (%p[] [] [], %ha[%r, 0] [8, 16] [16, 1]) : (memref<8x16xi32, 2>, memref<32x16xi32>)
    air.dma_memcpy_nd (%q[] [] [], %hv[] [] []) : (memref<16xi32, 2>, memref<16xi32>)
    linalg.fill ins(%zero : i32) outs(%s : memref<8xi32, 2>)
    linalg.matvec ins(%p, %q : memref<8x16xi32, 2>, memref<16xi32, 2>) outs(%s : memref<8xi32, 2>)
    air.dma_memcpy_nd (%ho[%r] [8] [1], %s[] [] []) : (memref<32xi32>, memref<8xi32, 2>)
  }
  return
}
// -----
// Blocked matmul: tiles of tiles in L1, as for matrix units (4-D buffers and generic).
func.func @blocked_generic(%a: memref<8x8xi32>, %b: memref<8x8xi32>, %c: memref<8x8xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%nx = %c1, %ny = %c1) args(%ha = %a, %hb = %b, %hc = %c) : memref<8x8xi32>, memref<8x8xi32>, memref<8x8xi32> {
    %p = memref.alloc() : memref<2x2x4x4xi32, 2>
    %q = memref.alloc() : memref<2x2x4x4xi32, 2>
    %o = memref.alloc() : memref<2x2x4x4xi32, 2>
    %zero = arith.constant 0 : i32
    air.dma_memcpy_nd (%p[] [] [], %ha[0, 0, 0, 0] [2, 2, 4, 4] [32, 4, 8, 1]) : (memref<2x2x4x4xi32, 2>, memref<8x8xi32>)
    air.dma_memcpy_nd (%q[] [] [], %hb[0, 0, 0, 0] [2, 2, 4, 4] [32, 4, 8, 1]) : (memref<2x2x4x4xi32, 2>, memref<8x8xi32>)
    linalg.fill ins(%zero : i32) outs(%o : memref<2x2x4x4xi32, 2>)
    linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d1, d5, d4)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%p, %q : memref<2x2x4x4xi32, 2>, memref<2x2x4x4xi32, 2>) outs(%o : memref<2x2x4x4xi32, 2>) {
    ^bb0(%u: i32, %v: i32, %w: i32):
      %m = arith.muli %u, %v : i32
      %n = arith.addi %w, %m : i32
      linalg.yield %n : i32
    }
    air.dma_memcpy_nd (%hc[0, 0, 0, 0] [2, 4, 2, 4] [32, 8, 4, 1], %o[0, 0, 0, 0] [2, 4, 2, 4] [32, 4, 16, 1]) : (memref<8x8xi32>, memref<2x2x4x4xi32, 2>)
  }
  return
}
// -----
// Rows: maximum and sum by linalg.reduce.
func.func @row_reduce(%a: memref<8x16xi32>, %m: memref<8xi32>, %s: memref<8xi32>) {
  %c2 = arith.constant 2 : index
  air.herd tile (%x) in (%n = %c2) args(%ha = %a, %hm = %m, %hs = %s) : memref<8x16xi32>, memref<8xi32>, memref<8xi32> {
    %c4 = arith.constant 4 : index
    %r = arith.muli %x, %c4 : index
    %t = memref.alloc() : memref<4x16xi32, 2>
    %u = memref.alloc() : memref<4xi32, 2>
    %v = memref.alloc() : memref<4xi32, 2>
    %low = arith.constant -2147483648 : i32
    %zero = arith.constant 0 : i32
    air.dma_memcpy_nd (%t[] [] [], %ha[%r, 0] [4, 16] [16, 1]) : (memref<4x16xi32, 2>, memref<8x16xi32>)
    linalg.fill ins(%low : i32) outs(%u : memref<4xi32, 2>)
    linalg.fill ins(%zero : i32) outs(%v : memref<4xi32, 2>)
    linalg.reduce ins(%t : memref<4x16xi32, 2>) outs(%u : memref<4xi32, 2>) dimensions = [1] (%in: i32, %out: i32) {
      %w = arith.maxsi %in, %out : i32
      linalg.yield %w : i32
    }
    linalg.reduce ins(%t : memref<4x16xi32, 2>) outs(%v : memref<4xi32, 2>) dimensions = [1] (%in: i32, %out: i32) {
      %w = arith.addi %in, %out : i32
      linalg.yield %w : i32
    }
    air.dma_memcpy_nd (%hm[%r] [4] [1], %u[] [] []) : (memref<8xi32>, memref<4xi32, 2>)
    air.dma_memcpy_nd (%hs[%r] [4] [1], %v[] [] []) : (memref<8xi32>, memref<4xi32, 2>)
  }
  return
}
// -----
// Softmax's exponentials and their sum, in one PE for each row.
func.func @softmax(%a: memref<4x32xf32>, %o: memref<4x32xf32>) {
  %c4 = arith.constant 4 : index
  air.launch () in () args(%la = %a, %lo = %o) : memref<4x32xf32>, memref<4x32xf32> {
    air.segment @softmax args(%sa = %la, %so = %lo) : memref<4x32xf32>, memref<4x32xf32> {
      %c4_0 = arith.constant 4 : index
      %c1 = arith.constant 1 : index
      air.herd @row tile (%x, %y) in (%nx = %c4_0, %ny = %c1) args(%ha = %sa, %ho = %so) : memref<4x32xf32>, memref<4x32xf32> {
        %c0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %c32 = arith.constant 32 : index
        %low = arith.constant -1.0e+30 : f32
        %zero = arith.constant 0.0 : f32
        %t = memref.alloc() : memref<32xf32, 2>
        air.dma_memcpy_nd (%t[] [] [], %ha[%x, 0] [1, 32] [32, 1]) : (memref<32xf32, 2>, memref<4x32xf32>)
        %m = scf.for %i = %c0 to %c32 step %d1 iter_args(%acc = %low) -> (f32) {
          %v = memref.load %t[%i] : memref<32xf32, 2>
          %w = arith.maximumf %acc, %v : f32
          scf.yield %w : f32
        }
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<32xf32, 2>) {
        ^bb0(%v: f32):
          %w = arith.subf %v, %m : f32
          %e = math.exp %w : f32
          linalg.yield %e : f32
        }
        %s = scf.for %i = %c0 to %c32 step %d1 iter_args(%acc = %zero) -> (f32) {
          %v = memref.load %t[%i] : memref<32xf32, 2>
          %w = arith.addf %acc, %v : f32
          scf.yield %w : f32
        }
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : memref<32xf32, 2>) {
        ^bb0(%v: f32):
          %w = arith.divf %v, %s : f32
          linalg.yield %w : f32
        }
        air.dma_memcpy_nd (%ho[%x, 0] [1, 32] [32, 1], %t[] [] []) : (memref<4x32xf32>, memref<32xf32, 2>)
      }
    }
  }
  return
}
// -----
// GELU's parts on vectors of 16.
func.func @vector_body(%a: memref<64xf32>, %o: memref<64xf32>) {
  %c2 = arith.constant 2 : index
  air.herd @gelu tile (%x) in (%n = %c2) args(%ha = %a, %ho = %o) : memref<64xf32>, memref<64xf32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %half = arith.constant dense<0.5> : vector<16xf32>
    %zero = arith.constant 0.0 : f32
    %p = arith.muli %x, %c32 : index
    %t = memref.alloc() : memref<32xf32, 2>
    air.dma_memcpy_nd (%t[] [] [], %ha[%p] [32] [1]) : (memref<32xf32, 2>, memref<64xf32>)
    scf.for %i = %c0 to %c32 step %c16 {
      %v = vector.transfer_read %t[%i], %zero {in_bounds = [true]} : memref<32xf32, 2>, vector<16xf32>
      %h = arith.mulf %v, %half : vector<16xf32>
      %w = math.tanh %h : vector<16xf32>
      %r = arith.mulf %w, %v : vector<16xf32>
      vector.transfer_write %r, %t[%i] {in_bounds = [true]} : vector<16xf32>, memref<32xf32, 2>
    }
    air.dma_memcpy_nd (%ho[%p] [32] [1], %t[] [] []) : (memref<64xf32>, memref<32xf32, 2>)
  }
  return
}
// -----
// Types: i8 inputs, sums in i32.
func.func @mixed_types(%a: memref<8x16xi8>, %b: memref<16x8xi8>, %c: memref<8x8xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%nx = %c1, %ny = %c1) args(%ha = %a, %hb = %b, %hc = %c) : memref<8x16xi8>, memref<16x8xi8>, memref<8x8xi32> {
    %p = memref.alloc() : memref<8x16xi8, 2>
    %q = memref.alloc() : memref<16x8xi8, 2>
    %o = memref.alloc() : memref<8x8xi32, 2>
    %zero = arith.constant 0 : i32
    air.dma_memcpy_nd (%p[] [] [], %ha[] [] []) : (memref<8x16xi8, 2>, memref<8x16xi8>)
    air.dma_memcpy_nd (%q[] [] [], %hb[] [] []) : (memref<16x8xi8, 2>, memref<16x8xi8>)
    linalg.fill ins(%zero : i32) outs(%o : memref<8x8xi32, 2>)
    linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p, %q : memref<8x16xi8, 2>, memref<16x8xi8, 2>) outs(%o : memref<8x8xi32, 2>) {
    ^bb0(%u: i8, %v: i8, %w: i32):
      %r = arith.extsi %u : i8 to i32
      %s = arith.extsi %v : i8 to i32
      %m = arith.muli %r, %s : i32
      %n = arith.addi %w, %m : i32
      linalg.yield %n : i32
    }
    air.dma_memcpy_nd (%hc[] [] [], %o[] [] []) : (memref<8x8xi32>, memref<8x8xi32, 2>)
  }
  return
}
// -----
// bf16 elementwise, widened to f32.
func.func @bf16_add(%a: memref<64xbf16>, %b: memref<64xbf16>, %c: memref<64xbf16>) {
  %c4 = arith.constant 4 : index
  air.herd tile (%x) in (%n = %c4) args(%ha = %a, %hb = %b, %hc = %c) : memref<64xbf16>, memref<64xbf16>, memref<64xbf16> {
    %c16 = arith.constant 16 : index
    %o = arith.muli %x, %c16 : index
    %p = memref.alloc() : memref<16xbf16, 2>
    %q = memref.alloc() : memref<16xbf16, 2>
    air.dma_memcpy_nd (%p[] [] [], %ha[%o] [16] [1]) : (memref<16xbf16, 2>, memref<64xbf16>)
    air.dma_memcpy_nd (%q[] [] [], %hb[%o] [16] [1]) : (memref<16xbf16, 2>, memref<64xbf16>)
    affine.for %i = 0 to 16 {
      %u = affine.load %p[%i] : memref<16xbf16, 2>
      %v = affine.load %q[%i] : memref<16xbf16, 2>
      %s = arith.extf %u : bf16 to f32
      %t = arith.extf %v : bf16 to f32
      %w = arith.addf %s, %t : f32
      %r = arith.truncf %w : f32 to bf16
      affine.store %r, %p[%i] : memref<16xbf16, 2>
    }
    air.dma_memcpy_nd (%hc[%o] [16] [1], %p[] [] []) : (memref<64xbf16>, memref<16xbf16, 2>)
  }
  return
}
// -----
// A stencil of rows with a halo in L2.
func.func @stencil(%a: memref<18x16xi32>, %o: memref<16x16xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n = %c1) args(%la = %a, %lo = %o) : memref<18x16xi32>, memref<16x16xi32> {
    air.segment args(%sa = %la, %so = %lo) : memref<18x16xi32>, memref<16x16xi32> {
      %c4 = arith.constant 4 : index
      %l2 = memref.alloc() : memref<18x16xi32, 1>
      air.dma_memcpy_nd (%l2[] [] [], %sa[] [] []) : (memref<18x16xi32, 1>, memref<18x16xi32>)
      air.herd tile (%x) in (%nx = %c4) args(%h = %l2, %ho = %so) : memref<18x16xi32, 1>, memref<16x16xi32> {
        %c4_0 = arith.constant 4 : index
        %r = arith.muli %x, %c4_0 : index
        %t = memref.alloc() : memref<6x16xi32, 2>
        %u = memref.alloc() : memref<4x16xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %h[%r, 0] [6, 16] [16, 1]) : (memref<6x16xi32, 2>, memref<18x16xi32, 1>)
        linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%u : memref<4x16xi32, 2>) {
        ^bb0(%e: i32):
          %i = linalg.index 0 : index
          %j = linalg.index 1 : index
          %one = arith.constant 1 : index
          %two = arith.constant 2 : index
          %i1 = arith.addi %i, %one : index
          %i2 = arith.addi %i, %two : index
          %v0 = memref.load %t[%i, %j] : memref<6x16xi32, 2>
          %v1 = memref.load %t[%i1, %j] : memref<6x16xi32, 2>
          %v2 = memref.load %t[%i2, %j] : memref<6x16xi32, 2>
          %s = arith.addi %v0, %v1 : i32
          %w = arith.addi %s, %v2 : i32
          linalg.yield %w : i32
        }
        air.dma_memcpy_nd (%ho[%r, 0] [4, 16] [16, 1], %u[] [] []) : (memref<16x16xi32>, memref<4x16xi32, 2>)
      }
    }
  }
  return
}
