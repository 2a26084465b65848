// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx1100 -o %t.wave32 && %t.wave32
// RUN: %aircc %s --target bmg -o %t.xe && %t.xe
//
// Softmax of rows by PEs that work on vectors of bf16, as programs for NPUs do:
// reductions with a start, memory of one element as accumulator, views of rows.

module {
  func.func @softmax(%S: memref<64x256xbf16>, %P: memref<64x256xbf16>) {
    %c16 = arith.constant 16 : index
    %c1 = arith.constant 1 : index
    air.launch (%bx, %by, %bz) in (%nx=%c16, %ny=%c1, %nz=%c1) args(%arg_S=%S, %arg_P=%P) : memref<64x256xbf16>, memref<64x256xbf16> {
      air.segment @softmax args(%seg_idx=%bx, %seg_S=%arg_S, %seg_P=%arg_P) : index, memref<64x256xbf16>, memref<64x256xbf16> {
        %c0_s = arith.constant 0 : index
        %c1_s = arith.constant 1 : index
        %c4_s = arith.constant 4 : index
        %c256_s = arith.constant 256 : index
        %row_offset = arith.muli %seg_idx, %c4_s : index
        %l2_in = memref.alloc() : memref<4x256xbf16, 1>
        %l2_out = memref.alloc() : memref<4x256xbf16, 1>
        air.dma_memcpy_nd (%l2_in[] [] [], %seg_S[%row_offset, %c0_s] [%c4_s, %c256_s] [%c256_s, %c1_s]) : (memref<4x256xbf16, 1>, memref<64x256xbf16>)
        air.herd @softmax_herd tile (%tx, %ty) in (%sx=%c4_s, %sy=%c1_s) args(%herd_in=%l2_in, %herd_out=%l2_out) : memref<4x256xbf16, 1>, memref<4x256xbf16, 1> {
          %c0_h = arith.constant 0 : index
          %c1_h = arith.constant 1 : index
          %c32_h = arith.constant 32 : index
          %c256_h = arith.constant 256 : index
          %zero = arith.constant 0.000000e+00 : f32
          %least = arith.constant 0xFF800000 : f32
          %poison = ub.poison : bf16
          %l1_row = memref.alloc() : memref<1x256xbf16, 2>
          %l1_out = memref.alloc() : memref<1x256xbf16, 2>
          air.dma_memcpy_nd (%l1_row[] [] [], %herd_in[%tx, %c0_h] [%c1_h, %c256_h] [%c256_h, %c1_h]) : (memref<1x256xbf16, 2>, memref<4x256xbf16, 1>)
          %max_val = memref.alloc() : memref<1xf32, 2>
          memref.store %least, %max_val[%c0_h] : memref<1xf32, 2>
          scf.for %j = %c0_h to %c256_h step %c32_h {
            %subview = memref.subview %l1_row[0, %j] [1, 32] [1, 1] : memref<1x256xbf16, 2> to memref<1x32xbf16, strided<[256, 1], offset: ?>, 2>
            %vec = vector.transfer_read %subview[%c0_h, %c0_h], %poison {in_bounds = [true]} : memref<1x32xbf16, strided<[256, 1], offset: ?>, 2>, vector<32xbf16>
            %curr = memref.load %max_val[%c0_h] : memref<1xf32, 2>
            %curr_bf16 = arith.truncf %curr : f32 to bf16
            %chunk_max = vector.reduction <maxnumf>, %vec, %curr_bf16 : vector<32xbf16> into bf16
            %chunk_max_f32 = arith.extf %chunk_max : bf16 to f32
            memref.store %chunk_max_f32, %max_val[%c0_h] : memref<1xf32, 2>
          }
          %sum_val = memref.alloc() : memref<1xf32, 2>
          memref.store %zero, %sum_val[%c0_h] : memref<1xf32, 2>
          scf.for %j = %c0_h to %c256_h step %c32_h {
            %subview = memref.subview %l1_row[0, %j] [1, 32] [1, 1] : memref<1x256xbf16, 2> to memref<1x32xbf16, strided<[256, 1], offset: ?>, 2>
            %vec = vector.transfer_read %subview[%c0_h, %c0_h], %poison {in_bounds = [true]} : memref<1x32xbf16, strided<[256, 1], offset: ?>, 2>, vector<32xbf16>
            %max_f32 = memref.load %max_val[%c0_h] : memref<1xf32, 2>
            %curr_sum = memref.load %sum_val[%c0_h] : memref<1xf32, 2>
            %vec_f32 = arith.extf %vec : vector<32xbf16> to vector<32xf32>
            %max_bc = vector.broadcast %max_f32 : f32 to vector<32xf32>
            %shifted = arith.subf %vec_f32, %max_bc : vector<32xf32>
            %e = math.exp %shifted : vector<32xf32>
            %s = vector.reduction <add>, %e, %curr_sum : vector<32xf32> into f32
            memref.store %s, %sum_val[%c0_h] : memref<1xf32, 2>
            %eb = arith.truncf %e : vector<32xf32> to vector<32xbf16>
            %sub2 = memref.subview %l1_out[0, %j] [1, 32] [1, 1] : memref<1x256xbf16, 2> to memref<1x32xbf16, strided<[256, 1], offset: ?>, 2>
            vector.transfer_write %eb, %sub2[%c0_h, %c0_h] {in_bounds = [true]} : vector<32xbf16>, memref<1x32xbf16, strided<[256, 1], offset: ?>, 2>
          }
          %sum = memref.load %sum_val[%c0_h] : memref<1xf32, 2>
          %bc = vector.broadcast %sum : f32 to vector<32xf32>
          scf.for %j = %c0_h to %c256_h step %c32_h {
            %vec = vector.transfer_read %l1_out[%c0_h, %j], %poison {in_bounds = [true]} : memref<1x256xbf16, 2>, vector<32xbf16>
            %x = arith.extf %vec : vector<32xbf16> to vector<32xf32>
            %d = arith.divf %x, %bc : vector<32xf32>
            %o = arith.truncf %d : vector<32xf32> to vector<32xbf16>
            vector.transfer_write %o, %l1_out[%c0_h, %j] {in_bounds = [true]} : vector<32xbf16>, memref<1x256xbf16, 2>
          }
          air.dma_memcpy_nd (%herd_out[%tx, %c0_h] [%c1_h, %c256_h] [%c256_h, %c1_h], %l1_out[] [] []) : (memref<4x256xbf16, 1>, memref<1x256xbf16, 2>)
          memref.dealloc %l1_row : memref<1x256xbf16, 2>
        }
        air.dma_memcpy_nd (%seg_P[%row_offset, %c0_s] [%c4_s, %c256_s] [%c256_s, %c1_s], %l2_out[] [] []) : (memref<64x256xbf16>, memref<4x256xbf16, 1>)
      }
    }
    return
  }
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %c13 = arith.constant 13 : index
    %zero = arith.constant 0 : i32
    %fz = arith.constant 0.0 : f32
    %ninf = arith.constant 0xFF800000 : f32
    %q = arith.constant 0.25 : f32
    %S = gpu.alloc host_shared () : memref<64x256xbf16>
    %P = gpu.alloc host_shared () : memref<64x256xbf16>
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c256 step %c1 {
        %a = arith.muli %i, %j : index
        %b = arith.addi %a, %j : index
        %m = arith.remui %b, %c13 : index
        %mi = arith.index_cast %m : index to i32
        %mf = arith.sitofp %mi : i32 to f32
        %v = arith.mulf %mf, %q : f32
        %vb = arith.truncf %v : f32 to bf16
        memref.store %vb, %S[%i, %j] : memref<64x256xbf16>
      }
    }
    call @softmax(%S, %P) : (memref<64x256xbf16>, memref<64x256xbf16>) -> ()
    %tol = arith.constant 0.02 : f32
    %one = arith.constant 1 : i32
    %bad = scf.for %i = %c0 to %c64 step %c1 iter_args(%b0 = %zero) -> (i32) {
      %mx = scf.for %j = %c0 to %c256 step %c1 iter_args(%m = %ninf) -> (f32) {
        %x = memref.load %S[%i, %j] : memref<64x256xbf16>
        %xf = arith.extf %x : bf16 to f32
        %m2 = arith.maxnumf %m, %xf : f32
        scf.yield %m2 : f32
      }
      %sum = scf.for %j = %c0 to %c256 step %c1 iter_args(%s = %fz) -> (f32) {
        %x = memref.load %S[%i, %j] : memref<64x256xbf16>
        %xf = arith.extf %x : bf16 to f32
        %d = arith.subf %xf, %mx : f32
        %e = math.exp %d : f32
        %s2 = arith.addf %s, %e : f32
        scf.yield %s2 : f32
      }
      %bi = scf.for %j = %c0 to %c256 step %c1 iter_args(%b1 = %b0) -> (i32) {
        %x = memref.load %S[%i, %j] : memref<64x256xbf16>
        %xf = arith.extf %x : bf16 to f32
        %d = arith.subf %xf, %mx : f32
        %e = math.exp %d : f32
        %w = arith.divf %e, %sum : f32
        %g = memref.load %P[%i, %j] : memref<64x256xbf16>
        %gf = arith.extf %g : bf16 to f32
        %df = arith.subf %gf, %w : f32
        %ad = math.absf %df : f32
        %lim = arith.mulf %w, %tol : f32
        %ok = arith.cmpf ole, %ad, %lim : f32
        %inc = arith.select %ok, %zero, %one : i32
        %b2 = arith.addi %b1, %inc : i32
        scf.yield %b2 : i32
      }
      scf.yield %bi : i32
    }
    vector.print str "elements that differ: "
    vector.print %bad : i32
    return %bad : i32
  }
}
