// C = A * B with 4096x4096 f32 matrices: the program whose compile time
// run.py measures. The kernel is that of samples/matmul.mlir with static shapes.

module {
  func.func @matmul(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>, %C: memref<4096x4096xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %m = memref.dim %C, %c0 : memref<4096x4096xf32>
    %n = memref.dim %C, %c1 : memref<4096x4096xf32>
    %tiles_m = arith.divui %m, %c64 : index
    %tiles_n = arith.divui %n, %c64 : index
    air.launch (%tile_n, %tile_m) in (%ntiles_n = %tiles_n, %ntiles_m = %tiles_m)
        args(%la = %A, %lb = %B, %lc = %C)
        : memref<4096x4096xf32>, memref<4096x4096xf32>, memref<4096x4096xf32> {
      air.segment @tile args(%si = %tile_m, %sj = %tile_n, %sa = %la, %sb = %lb, %sc = %lc)
          : index, index, memref<4096x4096xf32>, memref<4096x4096xf32>, memref<4096x4096xf32> {
        %s0 = arith.constant 0 : index
        %s1 = arith.constant 1 : index
        %s4 = arith.constant 4 : index
        %s16 = arith.constant 16 : index
        %s64 = arith.constant 64 : index
        %row = arith.muli %si, %s64 : index
        %col = arith.muli %sj, %s64 : index
        %k = memref.dim %sa, %s1 : memref<4096x4096xf32>
        %width = memref.dim %sb, %s1 : memref<4096x4096xf32>

        %a_tile = memref.alloc() : memref<64x16xf32, 1>
        %b_tile = memref.alloc() : memref<16x64xf32, 1>
        // Memory for the sums of two columns: each lane of a wave of 32 owns two.
        %sums = memref.alloc() : memref<32xf32, 2>

        air.herd @clear tile (%pe, %pe_y) in (%npe = %s4, %npe_y = %s1)
            args(%hsums = %sums) : memref<32xf32, 2> {
          %h0 = arith.constant 0 : index
          %h1 = arith.constant 1 : index
          %h32 = arith.constant 32 : index
          %zero = arith.constant 0.0 : f32
          %lane = gpu.lane_id
          scf.for %i = %h0 to %h32 step %h1 {
            memref.store %zero, %hsums[%i] : memref<32xf32, 2>
          }
        }

        scf.for %k0 = %s0 to %k step %s16 {
          air.dma_memcpy_nd (%a_tile[] [] [], %sa[%row, %k0] [%s64, %s16] [%k, %s1])
              : (memref<64x16xf32, 1>, memref<4096x4096xf32>)
          air.dma_memcpy_nd (%b_tile[] [] [], %sb[%k0, %col] [%s16, %s64] [%width, %s1])
              : (memref<16x64xf32, 1>, memref<4096x4096xf32>)
          air.herd @multiply tile (%pe, %pe_y) in (%npe = %s4, %npe_y = %s1)
              args(%ha = %a_tile, %hb = %b_tile, %hsums = %sums)
              : memref<64x16xf32, 1>, memref<16x64xf32, 1>, memref<32xf32, 2> {
            %h0 = arith.constant 0 : index
            %h1 = arith.constant 1 : index
            %h16 = arith.constant 16 : index
            %h64 = arith.constant 64 : index
            %lane = gpu.lane_id
            %wave = gpu.subgroup_size : index
            %columns = arith.divui %h64, %wave : index
            %first_row = arith.muli %pe, %h16 : index
            scf.for %kk = %h0 to %h16 step %h1 {
              scf.for %c = %h0 to %columns step %h1 {
                %skipped = arith.muli %c, %wave : index
                %column = arith.addi %skipped, %lane : index
                %b = memref.load %hb[%kk, %column] : memref<16x64xf32, 1>
                %base = arith.muli %c, %h16 : index
                scf.for %r = %h0 to %h16 step %h1 {
                  %a_row = arith.addi %first_row, %r : index
                  %a = memref.load %ha[%a_row, %kk] : memref<64x16xf32, 1>
                  %slot = arith.addi %base, %r : index
                  %old = memref.load %hsums[%slot] : memref<32xf32, 2>
                  %new = math.fma %a, %b, %old : f32
                  memref.store %new, %hsums[%slot] : memref<32xf32, 2>
                }
              }
            }
          }
        }

        air.herd @write tile (%pe, %pe_y) in (%npe = %s4, %npe_y = %s1)
            args(%hc = %sc, %hrow = %row, %hcol = %col, %hsums = %sums)
            : memref<4096x4096xf32>, index, index, memref<32xf32, 2> {
          %h0 = arith.constant 0 : index
          %h1 = arith.constant 1 : index
          %h16 = arith.constant 16 : index
          %h64 = arith.constant 64 : index
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          %columns = arith.divui %h64, %wave : index
          %pe_row = arith.muli %pe, %h16 : index
          %first_row = arith.addi %hrow, %pe_row : index
          scf.for %c = %h0 to %columns step %h1 {
            %skipped = arith.muli %c, %wave : index
            %in_tile = arith.addi %skipped, %lane : index
            %column = arith.addi %hcol, %in_tile : index
            %base = arith.muli %c, %h16 : index
            scf.for %r = %h0 to %h16 step %h1 {
              %c_row = arith.addi %first_row, %r : index
              %slot = arith.addi %base, %r : index
              %sum = memref.load %hsums[%slot] : memref<32xf32, 2>
              memref.store %sum, %hc[%c_row, %column] : memref<4096x4096xf32>
            }
          }
        }
      }
    }
    return
  }

  func.func @main() {
    %A = gpu.alloc () : memref<4096x4096xf32>
    %B = gpu.alloc () : memref<4096x4096xf32>
    %C = gpu.alloc () : memref<4096x4096xf32>
    call @matmul(%A, %B, %C) : (memref<4096x4096xf32>, memref<4096x4096xf32>, memref<4096x4096xf32>) -> ()
    gpu.dealloc %A : memref<4096x4096xf32>
    gpu.dealloc %B : memref<4096x4096xf32>
    gpu.dealloc %C : memref<4096x4096xf32>
    return
  }
}
