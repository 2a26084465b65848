// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx1100 -o %t.wave32 && %t.wave32
// RUN: %aircc %s --target bmg -o %t.xe && %t.xe
//
// A stencil of 7 points on two volumes: the volume is copied to L2 with zeros around it in three
// dimensions, a box of it to each of eight PEs, and back by strides.

module {
  func.func @stencil(%in: memref<2x8x12x16xf32>, %out: memref<2x8x12x16xf32>) {
    %c2 = arith.constant 2 : index
    air.launch (%v) in (%nv=%c2) args(%i=%in, %o=%out) : memref<2x8x12x16xf32>, memref<2x8x12x16xf32> {
      air.segment args(%sv=%v, %si=%i, %so=%o) : index, memref<2x8x12x16xf32>, memref<2x8x12x16xf32> {
        %c2_0 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %l2 = memref.alloc() : memref<10x14x18xf32, 1>
        air.dma_memcpy_nd (%l2[] [] [], %si[%sv, 0, 0, 0] [8, 12, 16] [192, 16, 1])
            {pad_before = array<i32: 1, 1, 1>, pad_after = array<i32: 1, 1, 1>} : (memref<10x14x18xf32, 1>, memref<2x8x12x16xf32>)
        air.herd tile (%x, %y) in (%nx=%c4, %ny=%c2_0) args(%hl=%l2, %hv=%sv, %ho=%so) : memref<10x14x18xf32, 1>, index, memref<2x8x12x16xf32> {
          %c2_1 = arith.constant 2 : index
          %c6 = arith.constant 6 : index
          %z = arith.muli %x, %c2_1 : index
          %r = arith.muli %y, %c6 : index
          %box = memref.alloc() : memref<4x8x18xf32, 2>
          %res = memref.alloc() : memref<2x6x16xf32, 2>
          air.dma_memcpy_nd (%box[] [] [], %hl[%z, %r, 0] [4, 8, 18] [252, 18, 1]) : (memref<4x8x18xf32, 2>, memref<10x14x18xf32, 1>)
          affine.for %a = 0 to 2 {
            affine.for %b = 0 to 6 {
              affine.for %c = 0 to 16 {
                %w = arith.constant -6.0 : f32
                %m = affine.load %box[%a + 1, %b + 1, %c + 1] : memref<4x8x18xf32, 2>
                %n0 = affine.load %box[%a, %b + 1, %c + 1] : memref<4x8x18xf32, 2>
                %n1 = affine.load %box[%a + 2, %b + 1, %c + 1] : memref<4x8x18xf32, 2>
                %n2 = affine.load %box[%a + 1, %b, %c + 1] : memref<4x8x18xf32, 2>
                %n3 = affine.load %box[%a + 1, %b + 2, %c + 1] : memref<4x8x18xf32, 2>
                %n4 = affine.load %box[%a + 1, %b + 1, %c] : memref<4x8x18xf32, 2>
                %n5 = affine.load %box[%a + 1, %b + 1, %c + 2] : memref<4x8x18xf32, 2>
                %s0 = arith.mulf %m, %w : f32
                %s1 = arith.addf %s0, %n0 : f32
                %s2 = arith.addf %s1, %n1 : f32
                %s3 = arith.addf %s2, %n2 : f32
                %s4 = arith.addf %s3, %n3 : f32
                %s5 = arith.addf %s4, %n4 : f32
                %s6 = arith.addf %s5, %n5 : f32
                affine.store %s6, %res[%a, %b, %c] : memref<2x6x16xf32, 2>
              }
            }
          }
          air.dma_memcpy_nd (%ho[%hv, %z, %r, 0] [2, 6, 16] [192, 16, 1], %res[] [] []) : (memref<2x8x12x16xf32>, memref<2x6x16xf32, 2>)
        }
      }
    }
    return
  }
  func.func private @at(%in: memref<2x8x12x16xf32>, %v: index, %z: index, %y: index, %x: index) -> f32 {
    %zero = arith.constant 0.0 : f32
    %c8 = arith.constant 8 : index
    %c12 = arith.constant 12 : index
    %c16 = arith.constant 16 : index
    %a = arith.cmpi ult, %z, %c8 : index
    %b = arith.cmpi ult, %y, %c12 : index
    %c = arith.cmpi ult, %x, %c16 : index
    %ab = arith.andi %a, %b : i1
    %abc = arith.andi %ab, %c : i1
    %r = scf.if %abc -> f32 {
      %l = memref.load %in[%v, %z, %y, %x] : memref<2x8x12x16xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    return %r : f32
  }
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c12 = arith.constant 12 : index
    %c16 = arith.constant 16 : index
    %c37 = arith.constant 37 : index
    %c11 = arith.constant 11 : index
    %w = arith.constant -6.0 : f32
    %zero = arith.constant 0 : i32
    %in = gpu.alloc host_shared () : memref<2x8x12x16xf32>
    %out = gpu.alloc host_shared () : memref<2x8x12x16xf32>
    scf.for %v = %c0 to %c2 step %c1 {
      scf.for %z = %c0 to %c8 step %c1 {
        scf.for %y = %c0 to %c12 step %c1 {
          scf.for %x = %c0 to %c16 step %c1 {
            %a = arith.muli %v, %c37 : index
            %b = arith.muli %z, %c11 : index
            %c = arith.muli %y, %x : index
            %d = arith.addi %a, %b : index
            %e = arith.addi %d, %c : index
            %f = arith.addi %e, %x : index
            %m = arith.remui %f, %c37 : index
            %mi = arith.index_cast %m : index to i32
            %mf = arith.sitofp %mi : i32 to f32
            memref.store %mf, %in[%v, %z, %y, %x] : memref<2x8x12x16xf32>
          }
        }
      }
    }
    call @stencil(%in, %out) : (memref<2x8x12x16xf32>, memref<2x8x12x16xf32>) -> ()
    %bad = scf.for %v = %c0 to %c2 step %c1 iter_args(%b0 = %zero) -> (i32) {
      %r0 = scf.for %z = %c0 to %c8 step %c1 iter_args(%b1 = %b0) -> (i32) {
        %r1 = scf.for %y = %c0 to %c12 step %c1 iter_args(%b2 = %b1) -> (i32) {
          %r2 = scf.for %x = %c0 to %c16 step %c1 iter_args(%b3 = %b2) -> (i32) {
            %zm = arith.subi %z, %c1 : index
            %zp = arith.addi %z, %c1 : index
            %ym = arith.subi %y, %c1 : index
            %yp = arith.addi %y, %c1 : index
            %xm = arith.subi %x, %c1 : index
            %xp = arith.addi %x, %c1 : index
            %m = func.call @at(%in, %v, %z, %y, %x) : (memref<2x8x12x16xf32>, index, index, index, index) -> f32
            %n0 = func.call @at(%in, %v, %zm, %y, %x) : (memref<2x8x12x16xf32>, index, index, index, index) -> f32
            %n1 = func.call @at(%in, %v, %zp, %y, %x) : (memref<2x8x12x16xf32>, index, index, index, index) -> f32
            %n2 = func.call @at(%in, %v, %z, %ym, %x) : (memref<2x8x12x16xf32>, index, index, index, index) -> f32
            %n3 = func.call @at(%in, %v, %z, %yp, %x) : (memref<2x8x12x16xf32>, index, index, index, index) -> f32
            %n4 = func.call @at(%in, %v, %z, %y, %xm) : (memref<2x8x12x16xf32>, index, index, index, index) -> f32
            %n5 = func.call @at(%in, %v, %z, %y, %xp) : (memref<2x8x12x16xf32>, index, index, index, index) -> f32
            %s0 = arith.mulf %m, %w : f32
            %s1 = arith.addf %s0, %n0 : f32
            %s2 = arith.addf %s1, %n1 : f32
            %s3 = arith.addf %s2, %n2 : f32
            %s4 = arith.addf %s3, %n3 : f32
            %s5 = arith.addf %s4, %n4 : f32
            %s6 = arith.addf %s5, %n5 : f32
            %g = memref.load %out[%v, %z, %y, %x] : memref<2x8x12x16xf32>
            %ne = arith.cmpf une, %g, %s6 : f32
            %k = arith.extui %ne : i1 to i32
            %b4 = arith.addi %b3, %k : i32
            scf.yield %b4 : i32
          }
          scf.yield %r2 : i32
        }
        scf.yield %r1 : i32
      }
      scf.yield %r0 : i32
    }
    vector.print str "elements that differ: "
    vector.print %bad : i32
    return %bad : i32
  }
}
