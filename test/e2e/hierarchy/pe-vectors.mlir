// Vectors in the code of PEs and segments are those of the wave and the workgroup:
// if they multiply matrices or have anchors, they are distributed over lanes. Each
// program also runs as host code, on the same memory. The status is the number of
// wrong elements.

// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx950 -o %t && %t
// RUN: %aircc %s --target gfx1100 -o %t && %t
// RUN: %aircc %s --target bmg -o %t && %t
// RUN: %aircc %s --target gfx942 --emit=asm -o - | FileCheck %s --check-prefix=MFMA
// MFMA-LABEL: product_kernel:
// MFMA:         v_mfma_f32
// MFMA-LABEL: attention_kernel:
// MFMA:         v_mfma_f32
// MFMA:         v_mfma_f32
// MFMA-LABEL: attention_of_tiles_kernel:
// MFMA:         v_mfma_f32
// MFMA:         v_mfma_f32
// MFMA-LABEL: together_kernel:
// MFMA:         v_mfma_f32
// MFMA-LABEL: anchored_kernel:

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

//===-- A product, in steps along K; another constant is each lane's ------------===//

func.func @product(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>, %D: memref<64x32xf32>) {
  air.launch () in () args(%la=%A, %lb=%B, %lc=%C, %ld=%D)
      : memref<64x64xf16>, memref<64x64xf16>, memref<64x64xf32>, memref<64x32xf32> {
    air.segment @s args(%sa=%la, %sb=%lb, %sc=%lc, %sd=%ld)
        : memref<64x64xf16>, memref<64x64xf16>, memref<64x64xf32>, memref<64x32xf32> {
      %n2 = arith.constant 2 : index
      air.herd @h tile (%x, %y) in (%nx=%n2, %ny=%n2) args(%ha=%sa, %hb=%sb, %hc=%sc, %hd=%sd)
          : memref<64x64xf16>, memref<64x64xf16>, memref<64x64xf32>, memref<64x32xf32> {
        %pad = arith.constant 0.0 : f16
        %none = arith.constant dense<1.0> : vector<32x32xf32>
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %c32 = arith.constant 32 : index
        %c64 = arith.constant 64 : index
        %row = arith.muli %x, %c32 : index
        %column = arith.muli %y, %c32 : index
        %sum = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %none) -> (vector<32x32xf32>) {
          %a = vector.transfer_read %ha[%row, %k], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<32x16xf16>
          %b = vector.transfer_read %hb[%k, %column], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<16x32xf16>
          %c = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"],
              kind = #vector.kind<add>} %a, %b, %acc : vector<32x16xf16>, vector<16x32xf16> into vector<32x32xf32>
          scf.yield %c : vector<32x32xf32>
        }
        vector.transfer_write %sum, %hc[%row, %column] {in_bounds = [true, true]} : vector<32x32xf32>, memref<64x64xf32>
        // Iterations are distributed over lanes, each with a vector of its own.
        %two = arith.constant dense<1.0> : vector<16xf32>
        %padw = arith.constant 0.0 : f32
        scf.parallel (%i) = (%c0) to (%c32) step (%c1) {
          %at = arith.addi %row, %i : index
          %half = arith.muli %y, %c16 : index
          %v = vector.transfer_read %hd[%at, %half], %padw {in_bounds = [true]} : memref<64x32xf32>, vector<16xf32>
          %w = arith.addf %v, %two : vector<16xf32>
          vector.transfer_write %w, %hd[%at, %half] {in_bounds = [true]} : vector<16xf32>, memref<64x32xf32>
        }
      }
    }
  }
  return
}
func.func @product_host(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>, %D: memref<64x32xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%C : memref<64x64xf32>)
  linalg.matmul ins(%A, %B : memref<64x64xf16>, memref<64x64xf16>) outs(%C : memref<64x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%D : memref<64x32xf32>) {
  ^bb0(%v: f32):
    %w = arith.addf %v, %one : f32
    linalg.yield %w : f32
  }
  return
}

//===-- Attention: each PE has 16 queries ----------------------------------------===//

func.func @attention(%Q: memref<32x32xf16>, %K: memref<32x32xf16>, %V: memref<32x32xf16>, %O: memref<32x32xf32>) {
  air.launch () in () args(%lq=%Q, %lk=%K, %lv=%V, %lo=%O)
      : memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf32> {
    air.segment @s args(%sq=%lq, %sk=%lk, %sv=%lv, %so=%lo)
        : memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf32> {
      %n2 = arith.constant 2 : index
      %n1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%nx=%n2, %ny=%n1) args(%hq=%sq, %hk=%sk, %hv=%sv, %ho=%so)
          : memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf32> {
        %pad = arith.constant 0.0 : f16
        %c0 = arith.constant 0 : index
        %c16 = arith.constant 16 : index
        %c32 = arith.constant 32 : index
        %row = arith.muli %x, %c16 : index
        %q = vector.transfer_read %hq[%row, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf16>, vector<16x32xf16>
        %none = arith.constant dense<0.0> : vector<16x32xf32>
        %nothing = arith.constant dense<0.0> : vector<16x16xf32>
        %low = arith.constant dense<-1.0e30> : vector<16xf32>
        %empty = arith.constant dense<0.0> : vector<16xf32>
        %r:3 = scf.for %i = %c0 to %c32 step %c16 iter_args(%acc = %none, %m = %low, %l = %empty)
            -> (vector<16x32xf32>, vector<16xf32>, vector<16xf32>) {
          %k = vector.transfer_read %hk[%i, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf16>, vector<16x32xf16>
          %s = vector.contract {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"],
              kind = #vector.kind<add>} %q, %k, %nothing : vector<16x32xf16>, vector<16x32xf16> into vector<16x16xf32>
          %max = vector.multi_reduction <maximumf>, %s, %m [1] : vector<16x16xf32> to vector<16xf32>
          %maxb = vector.broadcast %max : vector<16xf32> to vector<16x16xf32>
          %maxt = vector.transpose %maxb, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
          %sub = arith.subf %s, %maxt : vector<16x16xf32>
          %p = math.exp %sub : vector<16x16xf32>
          %dm = arith.subf %m, %max : vector<16xf32>
          %scale = math.exp %dm : vector<16xf32>
          %ls = arith.mulf %l, %scale : vector<16xf32>
          %ln = vector.multi_reduction <add>, %p, %ls [1] : vector<16x16xf32> to vector<16xf32>
          %scaleb = vector.broadcast %scale : vector<16xf32> to vector<32x16xf32>
          %scalet = vector.transpose %scaleb, [1, 0] : vector<32x16xf32> to vector<16x32xf32>
          %accs = arith.mulf %acc, %scalet : vector<16x32xf32>
          %ph = arith.truncf %p : vector<16x16xf32> to vector<16x16xf16>
          %v = vector.transfer_read %hv[%i, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf16>, vector<16x32xf16>
          %next = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"],
              kind = #vector.kind<add>} %ph, %v, %accs : vector<16x16xf16>, vector<16x32xf16> into vector<16x32xf32>
          scf.yield %next, %max, %ln : vector<16x32xf32>, vector<16xf32>, vector<16xf32>
        }
        %lb = vector.broadcast %r#2 : vector<16xf32> to vector<32x16xf32>
        %lt = vector.transpose %lb, [1, 0] : vector<32x16xf32> to vector<16x32xf32>
        %o = arith.divf %r#0, %lt : vector<16x32xf32>
        vector.transfer_write %o, %ho[%row, %c0] {in_bounds = [true, true]} : vector<16x32xf32>, memref<32x32xf32>
      }
    }
  }
  return
}
func.func @attention_host(%Q: memref<32x32xf16>, %K: memref<32x32xf16>, %V: memref<32x32xf16>, %O: memref<32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<32x32xf32>
  %l = memref.alloc() : memref<32xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<32x32xf32>)
  linalg.fill ins(%zero : f32) outs(%l : memref<32xf32>)
  linalg.fill ins(%zero : f32) outs(%O : memref<32x32xf32>)
  linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%Q, %K : memref<32x32xf16>, memref<32x32xf16>) outs(%s : memref<32x32xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %aw = arith.extf %a : f16 to f32
    %bw = arith.extf %b : f16 to f32
    %ab = arith.mulf %aw, %bw : f32
    %r = arith.addf %c, %ab : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
      outs(%s, %l : memref<32x32xf32>, memref<32xf32>) {
  ^bb0(%a: f32, %c: f32):
    %e = math.exp %a : f32
    %r = arith.addf %e, %c : f32
    linalg.yield %e, %r : f32, f32
  }
  linalg.generic {indexing_maps = [#mk, affine_map<(m, n, k) -> (m)>, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s, %l, %V : memref<32x32xf32>, memref<32xf32>, memref<32x32xf16>) outs(%O : memref<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %v: f16, %c: f32):
    %p = arith.divf %a, %b : f32
    %vw = arith.extf %v : f16 to f32
    %pv = arith.mulf %p, %vw : f32
    %r = arith.addf %c, %pv : f32
    linalg.yield %r : f32
  }
  return
}

//===-- The same of buffers of a PE, by ops of linalg ---------------------------------===//

func.func @attention_of_tiles(%Q: memref<32x32xf16>, %K: memref<32x32xf16>, %V: memref<32x32xf16>, %O: memref<32x32xf32>) {
  air.launch () in () args(%lq=%Q, %lk=%K, %lv=%V, %lo=%O) : memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf32> {
    air.segment @s args(%sq=%lq, %sk=%lk, %sv=%lv, %so=%lo) : memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf32> {
      %n2 = arith.constant 2 : index
      %n1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%nx=%n2, %ny=%n1) args(%hq=%sq, %hk=%sk, %hv=%sv, %ho=%so)
          : memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf32> {
        %zero = arith.constant 0.0 : f32
        %low = arith.constant 0xFF800000 : f32
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %c32 = arith.constant 32 : index
        %row = arith.muli %x, %c16 : index
        %q = memref.alloc() : memref<16x32xf16, 2>
        %s = memref.alloc() : memref<16x32xf32, 2>
        %p = memref.alloc() : memref<16x32xf16, 2>
        %m = memref.alloc() : memref<16xf32, 2>
        %l = memref.alloc() : memref<16xf32, 2>
        %o = memref.alloc() : memref<16x32xf32, 2>
        air.dma_memcpy_nd (%q[] [] [], %hq[%row, %c0] [%c16, %c32] [%c32, %c1]) : (memref<16x32xf16, 2>, memref<32x32xf16>)
        linalg.fill ins(%zero : f32) outs(%s : memref<16x32xf32, 2>)
        linalg.generic {indexing_maps = [#mk, #nk, #mn],
            iterator_types = ["parallel", "parallel", "reduction"]}
            ins(%q, %hk : memref<16x32xf16, 2>, memref<32x32xf16>) outs(%s : memref<16x32xf32, 2>) {
        ^bb0(%a: f16, %b: f16, %c: f32):
          %aw = arith.extf %a : f16 to f32
          %bw = arith.extf %b : f16 to f32
          %ab = arith.mulf %aw, %bw : f32
          %r = arith.addf %c, %ab : f32
          linalg.yield %r : f32
        }
        linalg.fill ins(%low : f32) outs(%m : memref<16xf32, 2>)
        linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
            ins(%s : memref<16x32xf32, 2>) outs(%m : memref<16xf32, 2>) {
        ^bb0(%a: f32, %c: f32):
          %r = arith.maximumf %a, %c : f32
          linalg.yield %r : f32
        }
        linalg.generic {indexing_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
            ins(%m : memref<16xf32, 2>) outs(%s : memref<16x32xf32, 2>) {
        ^bb0(%a: f32, %c: f32):
          %d = arith.subf %c, %a : f32
          %r = math.exp %d : f32
          linalg.yield %r : f32
        }
        linalg.fill ins(%zero : f32) outs(%l : memref<16xf32, 2>)
        linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
            ins(%s : memref<16x32xf32, 2>) outs(%l : memref<16xf32, 2>) {
        ^bb0(%a: f32, %c: f32):
          %r = arith.addf %a, %c : f32
          linalg.yield %r : f32
        }
        linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
            ins(%s, %l : memref<16x32xf32, 2>, memref<16xf32, 2>) outs(%p : memref<16x32xf16, 2>) {
        ^bb0(%a: f32, %b: f32, %c: f16):
          %d = arith.divf %a, %b : f32
          %r = arith.truncf %d : f32 to f16
          linalg.yield %r : f16
        }
        linalg.fill ins(%zero : f32) outs(%o : memref<16x32xf32, 2>)
        linalg.matmul ins(%p, %hv : memref<16x32xf16, 2>, memref<32x32xf16>) outs(%o : memref<16x32xf32, 2>)
        air.dma_memcpy_nd (%ho[%row, %c0] [%c16, %c32] [%c32, %c1], %o[] [] []) : (memref<32x32xf32>, memref<16x32xf32, 2>)
      }
    }
  }
  return
}

//===-- The workgroup multiplies, with what is in LDS ------------------------------===//

func.func @together(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) {
  air.launch () in () args(%la=%A, %lb=%B, %lc=%C) : memref<64x64xf16>, memref<64x64xf16>, memref<64x64xf32> {
    air.segment @s args(%sa=%la, %sb=%lb, %sc=%lc) : memref<64x64xf16>, memref<64x64xf16>, memref<64x64xf32> {
      %pad = arith.constant 0.0 : f16
      %none = arith.constant dense<1.0> : vector<64x64xf32>
      %c0 = arith.constant 0 : index
      %lds = memref.alloc() : memref<64x64xf16, 1>
      air.dma_memcpy_nd (%lds[] [] [], %sb[] [] []) : (memref<64x64xf16, 1>, memref<64x64xf16>)
      %a = vector.transfer_read %sa[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
      %b = vector.transfer_read %lds[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16, 1>, vector<64x64xf16>
      %c = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"],
          kind = #vector.kind<add>} %a, %b, %none : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      vector.transfer_write %c, %sc[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    }
  }
  return
}

//===-- An anchor, in one branch ---------------------------------------------------===//

#rows = #layout.nested<subgroup_tile = [1, 1], batch_tile = [4, 1], outer_tile = [1, 1], thread_tile = [4, 4],
                       element_tile = [1, 8], subgroup_strides = [0, 0], thread_strides = [4, 1]>
func.func @anchored(%D: memref<64x32xf32>) {
  air.launch () in () args(%ld=%D) : memref<64x32xf32> {
    air.segment @s args(%sd=%ld) : memref<64x32xf32> {
      %n4 = arith.constant 4 : index
      %n1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%nx=%n4, %ny=%n1) args(%hd=%sd) : memref<64x32xf32> {
        %pad = arith.constant 0.0 : f32
        %three = arith.constant dense<3.0> : vector<16x32xf32>
        %c0 = arith.constant 0 : index
        %c2 = arith.constant 2 : index
        %c16 = arith.constant 16 : index
        %row = arith.muli %x, %c16 : index
        %v = vector.transfer_read %hd[%row, %c0], %pad {in_bounds = [true, true]} : memref<64x32xf32>, vector<16x32xf32>
        %is = arith.cmpi ult, %x, %c2 : index
        %w = scf.if %is -> (vector<16x32xf32>) {
          %l = layout.to_layout %v to layout(#rows) : vector<16x32xf32>
          %t = arith.mulf %l, %three : vector<16x32xf32>
          scf.yield %t : vector<16x32xf32>
        } else {
          scf.yield %three : vector<16x32xf32>
        }
        vector.transfer_write %w, %hd[%row, %c0] {in_bounds = [true, true]} : vector<16x32xf32>, memref<64x32xf32>
      }
    }
  }
  return
}
func.func @anchored_host(%D: memref<64x32xf32>) {
  %three = arith.constant 3.0 : f32
  %one = arith.constant 1.0 : f32
  %c32 = arith.constant 32 : index
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%D : memref<64x32xf32>) {
  ^bb0(%v: f32):
    %i = linalg.index 0 : index
    %is = arith.cmpi ult, %i, %c32 : index
    %u = arith.select %is, %v, %one : f32
    %w = arith.mulf %u, %three : f32
    linalg.yield %w : f32
  }
  return
}

//===-- Running ----------------------------------------------------------------------===//

// Sixteenths from -1/2 to 1/2, different in each row.
func.func private @fill_f16(%m: memref<?x?xf16>, %salt: index) {
  %c16 = arith.constant 16 : i64
  %c17 = arith.constant 17 : index
  %c8 = arith.constant 8 : i64
  %c31 = arith.constant 31 : index
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%m : memref<?x?xf16>) {
  ^bb0(%v: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = arith.muli %i, %c31 : index
    %b = arith.muli %j, %salt : index
    %c = arith.addi %a, %b : index
    %d = arith.remui %c, %c17 : index
    %e = arith.index_cast %d : index to i64
    %f = arith.subi %e, %c8 : i64
    %g = arith.sitofp %f : i64 to f16
    %s = arith.constant 16.0 : f16
    %x = arith.divf %g, %s : f16
    linalg.yield %x : f16
  }
  return
}
func.func private @fill_f32(%m: memref<?x?xf32>) {
  %c5 = arith.constant 5 : index
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%m : memref<?x?xf32>) {
  ^bb0(%v: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = arith.muli %i, %c5 : index
    %b = arith.addi %a, %j : index
    %e = arith.index_cast %b : index to i64
    %x = arith.sitofp %e : i64 to f32
    linalg.yield %x : f32
  }
  return
}
func.func private @wrong(%got: memref<?x?xf32>, %want: memref<?x?xf32>, %before: i32) -> i32 {
  %n = memref.alloc() : memref<i32>
  memref.store %before, %n[] : memref<i32>
  %limit = arith.constant 0.002 : f32
  %one = arith.constant 1 : i32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]} ins(%got, %want : memref<?x?xf32>, memref<?x?xf32>) outs(%n : memref<i32>) {
  ^bb0(%a: f32, %b: f32, %c: i32):
    %d = arith.subf %a, %b : f32
    %e = math.absf %d : f32
    %is = arith.cmpf ugt, %e, %limit : f32
    %f = arith.addi %c, %one : i32
    %g = arith.select %is, %f, %c : i32
    linalg.yield %g : i32
  }
  %r = memref.load %n[] : memref<i32>
  return %r : i32
}

func.func @main() -> i32 {
  %none = arith.constant 0 : i32
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %a = gpu.alloc host_shared () : memref<64x64xf16>
  %b = gpu.alloc host_shared () : memref<64x64xf16>
  %c = gpu.alloc host_shared () : memref<64x64xf32>
  %d = gpu.alloc host_shared () : memref<64x32xf32>
  %cw = gpu.alloc host_shared () : memref<64x64xf32>
  %dw = gpu.alloc host_shared () : memref<64x32xf32>
  %ad = memref.cast %a : memref<64x64xf16> to memref<?x?xf16>
  %bd = memref.cast %b : memref<64x64xf16> to memref<?x?xf16>
  %cd = memref.cast %c : memref<64x64xf32> to memref<?x?xf32>
  %dd = memref.cast %d : memref<64x32xf32> to memref<?x?xf32>
  %cwd = memref.cast %cw : memref<64x64xf32> to memref<?x?xf32>
  %dwd = memref.cast %dw : memref<64x32xf32> to memref<?x?xf32>
  func.call @fill_f16(%ad, %c3) : (memref<?x?xf16>, index) -> ()
  func.call @fill_f16(%bd, %c7) : (memref<?x?xf16>, index) -> ()
  func.call @fill_f32(%dd) : (memref<?x?xf32>) -> ()
  func.call @fill_f32(%dwd) : (memref<?x?xf32>) -> ()
  func.call @product(%a, %b, %c, %d) : (memref<64x64xf16>, memref<64x64xf16>, memref<64x64xf32>, memref<64x32xf32>) -> ()
  func.call @product_host(%a, %b, %cw, %dw) : (memref<64x64xf16>, memref<64x64xf16>, memref<64x64xf32>, memref<64x32xf32>) -> ()
  %w0 = func.call @wrong(%cd, %cwd, %none) : (memref<?x?xf32>, memref<?x?xf32>, i32) -> i32
  %w1 = func.call @wrong(%dd, %dwd, %w0) : (memref<?x?xf32>, memref<?x?xf32>, i32) -> i32

  func.call @fill_f32(%cd) : (memref<?x?xf32>) -> ()
  func.call @together(%a, %b, %c) : (memref<64x64xf16>, memref<64x64xf16>, memref<64x64xf32>) -> ()
  %w2 = func.call @wrong(%cd, %cwd, %w1) : (memref<?x?xf32>, memref<?x?xf32>, i32) -> i32

  func.call @anchored(%d) : (memref<64x32xf32>) -> ()
  func.call @anchored_host(%dw) : (memref<64x32xf32>) -> ()
  %w3 = func.call @wrong(%dd, %dwd, %w2) : (memref<?x?xf32>, memref<?x?xf32>, i32) -> i32

  %q = gpu.alloc host_shared () : memref<32x32xf16>
  %k = gpu.alloc host_shared () : memref<32x32xf16>
  %v = gpu.alloc host_shared () : memref<32x32xf16>
  %o = gpu.alloc host_shared () : memref<32x32xf32>
  %ow = gpu.alloc host_shared () : memref<32x32xf32>
  %qd = memref.cast %q : memref<32x32xf16> to memref<?x?xf16>
  %kd = memref.cast %k : memref<32x32xf16> to memref<?x?xf16>
  %vd = memref.cast %v : memref<32x32xf16> to memref<?x?xf16>
  %od = memref.cast %o : memref<32x32xf32> to memref<?x?xf32>
  %owd = memref.cast %ow : memref<32x32xf32> to memref<?x?xf32>
  func.call @fill_f16(%qd, %c3) : (memref<?x?xf16>, index) -> ()
  func.call @fill_f16(%kd, %c7) : (memref<?x?xf16>, index) -> ()
  func.call @fill_f16(%vd, %c11) : (memref<?x?xf16>, index) -> ()
  func.call @attention(%q, %k, %v, %o) : (memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf32>) -> ()
  func.call @attention_host(%q, %k, %v, %ow) : (memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf32>) -> ()
  %w4 = func.call @wrong(%od, %owd, %w3) : (memref<?x?xf32>, memref<?x?xf32>, i32) -> i32
  func.call @fill_f32(%od) : (memref<?x?xf32>) -> ()
  func.call @attention_of_tiles(%q, %k, %v, %o) : (memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf16>, memref<32x32xf32>) -> ()
  %w5 = func.call @wrong(%od, %owd, %w4) : (memref<?x?xf32>, memref<?x?xf32>, i32) -> i32
  return %w5 : i32
}
