// Passthrough.
func.func @passthrough(%a: memref<128xi32>, %b: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  air.launch () in () args(%la = %a, %lb = %b) : memref<128xi32>, memref<128xi32> {
    air.segment @s args(%sa = %la, %sb = %lb) : memref<128xi32>, memref<128xi32> {
      %c1_0 = arith.constant 1 : index
      air.herd @copy tile (%x, %y) in (%nx = %c1_0, %ny = %c1_0) args(%ha = %sa, %hb = %sb) : memref<128xi32>, memref<128xi32> {
        %t = memref.alloc() : memref<128xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %ha[] [] []) : (memref<128xi32, 2>, memref<128xi32>)
        air.dma_memcpy_nd (%hb[] [] [], %t[] [] []) : (memref<128xi32>, memref<128xi32, 2>)
        memref.dealloc %t : memref<128xi32, 2>
      }
    }
  }
  return
}
// -----
// A transposition by strides.
func.func @transpose(%a: memref<16x24xi32>, %b: memref<24x16xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%nx = %c1, %ny = %c1) args(%ha = %a, %hb = %b) : memref<16x24xi32>, memref<24x16xi32> {
    %t = memref.alloc() : memref<24x16xi32, 2>
    air.dma_memcpy_nd (%t[] [] [], %ha[0, 0] [24, 16] [1, 24]) : (memref<24x16xi32, 2>, memref<16x24xi32>)
    air.dma_memcpy_nd (%hb[] [] [], %t[] [] []) : (memref<24x16xi32>, memref<24x16xi32, 2>)
  }
  return
}
// -----
// linalg.transpose of tiles; the tiles change places.
func.func @transpose_tiles(%a: memref<16x16xi32>, %b: memref<16x16xi32>) {
  %c2 = arith.constant 2 : index
  air.herd tile (%x, %y) in (%nx = %c2, %ny = %c2) args(%ha = %a, %hb = %b) : memref<16x16xi32>, memref<16x16xi32> {
    %c8 = arith.constant 8 : index
    %i = arith.muli %x, %c8 : index
    %j = arith.muli %y, %c8 : index
    %p = memref.alloc() : memref<8x8xi32, 2>
    %q = memref.alloc() : memref<8x8xi32, 2>
    air.dma_memcpy_nd (%p[] [] [], %ha[%i, %j] [8, 8] [16, 1]) : (memref<8x8xi32, 2>, memref<16x16xi32>)
    linalg.transpose ins(%p : memref<8x8xi32, 2>) outs(%q : memref<8x8xi32, 2>) permutation = [1, 0]
    air.dma_memcpy_nd (%hb[%j, %i] [8, 8] [16, 1], %q[] [] []) : (memref<16x16xi32>, memref<8x8xi32, 2>)
  }
  return
}
// -----
// Zeros around the data.
func.func @padded(%a: memref<6x6xi32>, %b: memref<8x9xi32>) {
  %c1 = arith.constant 1 : index
  air.segment args(%sa = %a, %sb = %b) : memref<6x6xi32>, memref<8x9xi32> {
    %l2 = memref.alloc() : memref<8x9xi32, 1>
    air.dma_memcpy_nd (%l2[] [] [], %sa[0, 0] [6, 6] [6, 1]) {pad_before = array<i32: 1, 2>, pad_after = array<i32: 1, 1>} : (memref<8x9xi32, 1>, memref<6x6xi32>)
    air.dma_memcpy_nd (%sb[] [] [], %l2[] [] []) : (memref<8x9xi32>, memref<8x9xi32, 1>)
  }
  return
}
// -----
// Padding into L1 from a part of L3.
func.func @padded_l1(%a: memref<8x8xi32>, %b: memref<2x6x4xi32>) {
  %c2 = arith.constant 2 : index
  air.herd tile (%x) in (%n = %c2) args(%ha = %a, %hb = %b) : memref<8x8xi32>, memref<2x6x4xi32> {
    %c4 = arith.constant 4 : index
    %i = arith.muli %x, %c4 : index
    %t = memref.alloc() : memref<6x4xi32, 2>
    air.dma_memcpy_nd (%t[] [] [], %ha[%i, 1] [4, 3] [8, 1]) {pad_before = array<i32: 1, 0>, pad_after = array<i32: 1, 1>} : (memref<6x4xi32, 2>, memref<8x8xi32>)
    air.dma_memcpy_nd (%hb[%x, 0, 0] [1, 6, 4] [24, 4, 1], %t[] [] []) : (memref<2x6x4xi32>, memref<6x4xi32, 2>)
  }
  return
}
// -----
// Blocks of 4 x 4 in block order: four dimensions on one side.
func.func @to_blocks(%a: memref<8x16xi32>, %b: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%nx = %c1, %ny = %c1) args(%ha = %a, %hb = %b) : memref<8x16xi32>, memref<128xi32> {
    %t = memref.alloc() : memref<2x4x4x4xi32, 2>
    air.dma_memcpy_nd (%t[] [] [], %ha[0, 0, 0, 0] [2, 4, 4, 4] [64, 4, 16, 1]) : (memref<2x4x4x4xi32, 2>, memref<8x16xi32>)
    air.dma_memcpy_nd (%hb[] [] [], %t[] [] []) : (memref<128xi32>, memref<2x4x4x4xi32, 2>)
  }
  return
}
// -----
// A scattered target: every second column.
func.func @scatter(%a: memref<8x8xi32>, %b: memref<8x16xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%nx = %c1, %ny = %c1) args(%ha = %a, %hb = %b) : memref<8x8xi32>, memref<8x16xi32> {
    %t = memref.alloc() : memref<8x8xi32, 2>
    air.dma_memcpy_nd (%t[] [] [], %ha[] [] []) : (memref<8x8xi32, 2>, memref<8x8xi32>)
    air.dma_memcpy_nd (%hb[0, 1] [8, 8] [16, 2], %t[] [] []) : (memref<8x16xi32>, memref<8x8xi32, 2>)
  }
  return
}
// -----
// A row for each row of the target: stride 0 in the source.
func.func @broadcast_row(%a: memref<16xi32>, %b: memref<4x16xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%nx = %c1, %ny = %c1) args(%ha = %a, %hb = %b) : memref<16xi32>, memref<4x16xi32> {
    %t = memref.alloc() : memref<4x16xi32, 2>
    air.dma_memcpy_nd (%t[] [] [], %ha[0, 0] [4, 16] [0, 1]) : (memref<4x16xi32, 2>, memref<16xi32>)
    air.dma_memcpy_nd (%hb[] [] [], %t[] [] []) : (memref<4x16xi32>, memref<4x16xi32, 2>)
  }
  return
}
// -----
// Sizes and offsets that are known at run time only.
func.func @dynamic_offsets(%a: memref<4x32xi32>, %b: memref<4x32xi32>) {
  %c4 = arith.constant 4 : index
  air.herd tile (%x) in (%n = %c4) args(%ha = %a, %hb = %b, %count = %c4) : memref<4x32xi32>, memref<4x32xi32>, index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    scf.for %i = %c0 to %count step %c1 {
      %o = arith.muli %i, %c8 : index
      %t = memref.alloc() : memref<8xi32, 2>
      air.dma_memcpy_nd (%t[] [] [], %ha[%x, %o] [%c1, %c8] [%c32, %c1]) : (memref<8xi32, 2>, memref<4x32xi32>)
      air.dma_memcpy_nd (%hb[%x, %o] [%c1, %c8] [%c32, %c1], %t[] [] []) : (memref<4x32xi32>, memref<8xi32, 2>)
      memref.dealloc %t : memref<8xi32, 2>
    } {keep = true}
  }
  return
}
// -----
// L2 in between, with parts of it for each PE in two dimensions.
func.func @l2_parts(%a: memref<16x16xi32>, %b: memref<16x16xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<16x16xi32>, memref<16x16xi32> {
    air.segment args(%sa = %la, %sb = %lb) : memref<16x16xi32>, memref<16x16xi32> {
      %c2 = arith.constant 2 : index
      %l2a = memref.alloc() : memref<16x16xi32, 1>
      %l2b = memref.alloc() : memref<16x16xi32, 1>
      air.dma_memcpy_nd (%l2a[] [] [], %sa[] [] []) : (memref<16x16xi32, 1>, memref<16x16xi32>)
      air.herd tile (%x, %y) in (%nx = %c2, %ny = %c2) args(%p = %l2a, %q = %l2b) : memref<16x16xi32, 1>, memref<16x16xi32, 1> {
        %c8 = arith.constant 8 : index
        %i = arith.muli %x, %c8 : index
        %j = arith.muli %y, %c8 : index
        %t = memref.alloc() : memref<8x8xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %p[%i, %j] [8, 8] [16, 1]) : (memref<8x8xi32, 2>, memref<16x16xi32, 1>)
        linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%t : memref<8x8xi32, 2>) {
        ^bb0(%v: i32):
          %w = arith.muli %v, %v : i32
          linalg.yield %w : i32
        }
        air.dma_memcpy_nd (%q[%j, %i] [8, 8] [16, 1], %t[] [] []) : (memref<16x16xi32, 1>, memref<8x8xi32, 2>)
      }
      air.dma_memcpy_nd (%sb[] [] [], %l2b[] [] []) : (memref<16x16xi32>, memref<16x16xi32, 1>)
      memref.dealloc %l2a : memref<16x16xi32, 1>
      memref.dealloc %l2b : memref<16x16xi32, 1>
    }
  }
  return
}
// -----
// A DMA from L3 to L3, next to nothing.
func.func @l3_to_l3(%a: memref<8x8xi32>, %b: memref<8x8xi32>) {
  air.dma_memcpy_nd (%b[0, 0] [8, 8] [8, 1], %a[0, 0] [8, 8] [1, 8]) : (memref<8x8xi32>, memref<8x8xi32>)
  return
}
// -----
// 3-D tiles.
func.func @three_dimensions(%a: memref<4x6x8xi32>, %b: memref<4x6x8xi32>) {
  %c2 = arith.constant 2 : index
  air.herd tile (%x, %y) in (%nx = %c2, %ny = %c2) args(%ha = %a, %hb = %b) : memref<4x6x8xi32>, memref<4x6x8xi32> {
    %c3 = arith.constant 3 : index
    %d2 = arith.constant 2 : index
    %i = arith.muli %x, %d2 : index
    %j = arith.muli %y, %c3 : index
    %t = memref.alloc() : memref<2x3x8xi32, 2>
    air.dma_memcpy_nd (%t[] [] [], %ha[%i, %j, 0] [2, 3, 8] [48, 8, 1]) : (memref<2x3x8xi32, 2>, memref<4x6x8xi32>)
    affine.for %p = 0 to 2 {
      affine.for %q = 0 to 3 {
        affine.for %r = 0 to 8 {
          %v = affine.load %t[%p, %q, %r] : memref<2x3x8xi32, 2>
          %w = arith.addi %v, %v : i32
          affine.store %w, %t[%p, %q, %r] : memref<2x3x8xi32, 2>
        }
      }
    }
    air.dma_memcpy_nd (%hb[%i, %j, 0] [2, 3, 8] [48, 8, 1], %t[] [] []) : (memref<4x6x8xi32>, memref<2x3x8xi32, 2>)
  }
  return
}
