// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx1100 -o %t.wave32 && %t.wave32
// RUN: %aircc %s --target bmg -o %t.xe && %t.xe
//
// Prefix sums in three launches that tokens order: parts of blocks by PEs, their
// sums put together by the segment and by a launch without one.

module {
  func.func @scan(%in: memref<4096xf32>, %out: memref<4096xf32>, %sums: memref<16xf32>) {
    %c16 = arith.constant 16 : index
    %c1 = arith.constant 1 : index
    // Blocks of 256: four PEs of 64 elements each, their sums put together by the segment.
    %t0 = air.launch @blocks async (%b) in (%nb=%c16) args(%i=%in, %o=%out, %s=%sums) : memref<4096xf32>, memref<4096xf32>, memref<16xf32> {
      air.segment args(%sb=%b, %si=%i, %so=%o, %ss=%s) : index, memref<4096xf32>, memref<4096xf32>, memref<16xf32> {
        %c256 = arith.constant 256 : index
        %c4 = arith.constant 4 : index
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %zero = arith.constant 0.0 : f32
        %base = arith.muli %sb, %c256 : index
        %l2 = memref.alloc() : memref<256xf32, 1>
        %parts = memref.alloc() : memref<4xf32, 1>
        air.dma_memcpy_nd (%l2[] [] [], %si[%base] [256] [1]) : (memref<256xf32, 1>, memref<4096xf32>)
        air.herd @part tile (%x) in (%nx=%c4) args(%hl=%l2, %hp=%parts) : memref<256xf32, 1>, memref<4xf32, 1> {
          %h0 = arith.constant 0 : index
          %h1 = arith.constant 1 : index
          %h64 = arith.constant 64 : index
          %z = arith.constant 0.0 : f32
          %off = arith.muli %x, %h64 : index
          %l1 = memref.alloc() : memref<64xf32, 2>
          air.dma_memcpy_nd (%l1[] [] [], %hl[%off] [64] [1]) : (memref<64xf32, 2>, memref<256xf32, 1>)
          %sum = scf.for %k = %h0 to %h64 step %h1 iter_args(%a = %z) -> (f32) {
            %v = memref.load %l1[%k] : memref<64xf32, 2>
            %a2 = arith.addf %a, %v : f32
            memref.store %a2, %l1[%k] : memref<64xf32, 2>
            scf.yield %a2 : f32
          }
          memref.store %sum, %hp[%x] : memref<4xf32, 1>
          air.dma_memcpy_nd (%hl[%off] [64] [1], %l1[] [] []) : (memref<256xf32, 1>, memref<64xf32, 2>)
        }
        %total = scf.for %k = %c0 to %c4 step %c1_0 iter_args(%a = %zero) -> (f32) {
          %v = memref.load %parts[%k] : memref<4xf32, 1>
          %a2 = arith.addf %a, %v : f32
          memref.store %a, %parts[%k] : memref<4xf32, 1>
          scf.yield %a2 : f32
        }
        memref.store %total, %ss[%sb] : memref<16xf32>
        air.herd @shift tile (%x) in (%nx=%c4) args(%hl=%l2, %hp=%parts) : memref<256xf32, 1>, memref<4xf32, 1> {
          %h64 = arith.constant 64 : index
          %off = arith.muli %x, %h64 : index
          %add = memref.load %hp[%x] : memref<4xf32, 1>
          %view = memref.subview %hl[%off] [64] [1] : memref<256xf32, 1> to memref<64xf32, strided<[1], offset: ?>, 1>
          linalg.generic {indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
              outs(%view : memref<64xf32, strided<[1], offset: ?>, 1>) {
          ^bb0(%v: f32):
            %w = arith.addf %v, %add : f32
            linalg.yield %w : f32
          }
        }
        air.dma_memcpy_nd (%so[%base] [256] [1], %l2[] [] []) : (memref<4096xf32>, memref<256xf32, 1>)
      }
    }
    %t1 = air.launch @sums async [%t0] (%b) in (%nb=%c1) args(%s=%sums) : memref<16xf32> {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %n = arith.constant 16 : index
      %zero = arith.constant 0.0 : f32
      %total = scf.for %k = %c0 to %n step %c1_0 iter_args(%a = %zero) -> (f32) {
        %v = memref.load %s[%k] : memref<16xf32>
        memref.store %a, %s[%k] : memref<16xf32>
        %a2 = arith.addf %a, %v : f32
        scf.yield %a2 : f32
      }
    }
    %t2 = air.launch @add async [%t1] (%b) in (%nb=%c16) args(%o=%out, %s=%sums) : memref<4096xf32>, memref<16xf32> {
      air.herd tile (%x) in (%nx=%nb) args(%hb=%b, %ho=%o, %hs=%s) : index, memref<4096xf32>, memref<16xf32> {
        %c256 = arith.constant 256 : index
        %c16_0 = arith.constant 16 : index
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %base0 = arith.muli %hb, %c256 : index
        %o16 = arith.muli %x, %c16_0 : index
        %base = arith.addi %base0, %o16 : index
        %add = memref.load %hs[%hb] : memref<16xf32>
        scf.for %k = %c0 to %c16_0 step %c1_0 {
          %at = arith.addi %base, %k : index
          %v = memref.load %ho[%at] : memref<4096xf32>
          %w = arith.addf %v, %add : f32
          memref.store %w, %ho[%at] : memref<4096xf32>
        }
      }
    }
    air.wait_all [%t2]
    return
  }
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %n = arith.constant 4096 : index
    %zero = arith.constant 0 : i32
    %fzero = arith.constant 0.0 : f32
    %in = gpu.alloc host_shared () : memref<4096xf32>
    %out = gpu.alloc host_shared () : memref<4096xf32>
    %sums = gpu.alloc host_shared () : memref<16xf32>
    scf.for %i = %c0 to %n step %c1 {
      %m = arith.remui %i, %c7 : index
      %mi = arith.index_cast %m : index to i32
      %mf = arith.sitofp %mi : i32 to f32
      memref.store %mf, %in[%i] : memref<4096xf32>
    }
    call @scan(%in, %out, %sums) : (memref<4096xf32>, memref<4096xf32>, memref<16xf32>) -> ()
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%b = %zero, %a = %fzero) -> (i32, f32) {
      %v = memref.load %in[%i] : memref<4096xf32>
      %a2 = arith.addf %a, %v : f32
      %g = memref.load %out[%i] : memref<4096xf32>
      %ne = arith.cmpf une, %g, %a2 : f32
      %k = arith.extui %ne : i1 to i32
      %b2 = arith.addi %b, %k : i32
      scf.yield %b2, %a2 : i32, f32
    }
    vector.print str "elements that differ: "
    vector.print %r#0 : i32
    return %r#0 : i32
  }
}
