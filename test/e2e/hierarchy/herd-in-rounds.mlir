// RUN: %aircc run --check --target gfx942 --stage-option hierarchy.pe=wave %s 2>&1 | FileCheck %s
// RUN: %aircc run --check --target gfx1100 --stage-option hierarchy.pe=wave %s 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: %aircc run --check --target gfx1201 -O0 --stage-option hierarchy.pe=wave %s 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: %aircc run --check --target bmg --stage-option hierarchy.pe=wave %s 2>&1 | FileCheck %s --check-prefix=RESULT
//
// Herds of 150 PEs, more than a workgroup has waves on any chip. After each
// barrier, a PE reads what PEs of later and of earlier rounds wrote.
//
// CHECK: remark: runs in 10 rounds: it has 150 PEs, but a workgroup has only 15 waves, each of which executes several PEs one after another; values that are live across barriers take {{[0-9]+}} bytes per PE
// CHECK: remark: runs in 10 rounds
// CHECK: remark: runs in 10 rounds
// CHECK: wrong: 0, 0
// RESULT: wrong: 0, 0

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @text("wrong: %d, %d\0A\00") {addr_space = 0 : i32}

// PEs as a whole. PE p = (x, y) of 15 x 10 sums t[i] over a tile of 8 that it
// filled with in[p] + i, and n times the values of PE 149 - p, which it then
// replaces; the number of steps is in memory.
func.func @pes(%in: memref<150xi32>, %steps: memref<1xindex>, %out: memref<150xi32>) {
  air.launch () in () args(%li = %in, %ls = %steps, %lo = %out) : memref<150xi32>, memref<1xindex>, memref<150xi32> {
    air.segment args(%si = %li, %ss = %ls, %so = %lo) : memref<150xi32>, memref<1xindex>, memref<150xi32> {
      %c10 = arith.constant 10 : index
      %c15 = arith.constant 15 : index
      %l2 = memref.alloc() : memref<150xi32, 1>
      air.herd tile (%x, %y) in (%nx = %c15, %ny = %c10) args(%hi = %si, %hs = %ss, %ho = %so, %h2 = %l2)
          : memref<150xi32>, memref<1xindex>, memref<150xi32>, memref<150xi32, 1> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %c149 = arith.constant 149 : index
        %zero = arith.constant 0 : i32
        %row = arith.muli %y, %nx : index
        %p = arith.addi %row, %x : index
        %other = arith.subi %c149, %p : index
        %v = memref.load %hi[%p] : memref<150xi32>
        memref.store %v, %h2[%p] : memref<150xi32, 1>
        %tile = memref.alloc() : memref<8xi32, 2>
        scf.for %i = %c0 to %c8 step %c1 {
          %i32 = arith.index_cast %i : index to i32
          %e = arith.addi %v, %i32 : i32
          memref.store %e, %tile[%i] : memref<8xi32, 2>
        }
        %n = memref.load %hs[%c0] : memref<1xindex>
        gpu.barrier
        %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
          %u = memref.load %h2[%other] : memref<150xi32, 1>
          %t = arith.addi %s, %u : i32
          gpu.barrier
          %k32 = arith.index_cast %k : index to i32
          %w0 = arith.addi %u, %k32 : i32
          %w = arith.addi %w0, %v : i32
          memref.store %w, %h2[%p] : memref<150xi32, 1>
          gpu.barrier
          scf.yield %t : i32
        }
        %all = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %sum) -> (i32) {
          %e = memref.load %tile[%i] : memref<8xi32, 2>
          %t = arith.addi %s, %e : i32
          scf.yield %t : i32
        }
        memref.store %all, %ho[%p] : memref<150xi32>
        memref.dealloc %tile : memref<8xi32, 2>
      }
    }
  }
  return
}

// SIMT code of 150 PEs; L1 of the segment: each PE has one number for each lane, which
// a first herd writes and a second one reads. out[p] = the sum over the lanes 0..15
// of (p + lane) + (2 (149 - p) + lane).
func.func @lanes(%flag: i1, %out: memref<150xi32>) {
  air.launch () in () args(%lf = %flag, %lo = %out) : i1, memref<150xi32> {
    air.segment args(%sf = %lf, %so = %lo) : i1, memref<150xi32> {
      %c150 = arith.constant 150 : index
      %l1 = memref.alloc() : memref<1xi32, 2>
      %l2 = memref.alloc() : memref<150x16xi32, 1>
      air.herd tile (%p) in (%np = %c150) args(%b = %l1) : memref<1xi32, 2> {
        %c0 = arith.constant 0 : index
        %lane = gpu.lane_id
        %n = arith.addi %p, %lane : index
        %v = arith.index_cast %n : index to i32
        memref.store %v, %b[%c0] : memref<1xi32, 2>
      }
      air.herd tile (%p) in (%np = %c150) args(%b = %l1, %h2 = %l2, %f = %sf, %ho = %so)
          : memref<1xi32, 2>, memref<150x16xi32, 1>, i1, memref<150xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %c149 = arith.constant 149 : index
        %zero = arith.constant 0 : i32
        %wave = gpu.subgroup_size : index
        %tid = gpu.thread_id x
        %first = arith.muli %p, %wave : index
        %lane = arith.subi %tid, %first : index
        %isIn = arith.cmpi ult, %lane, %c16 : index
        scf.if %isIn {
          %d = arith.addi %p, %p : index
          %e = arith.addi %d, %lane : index
          %v = arith.index_cast %e : index to i32
          memref.store %v, %h2[%p, %lane] : memref<150x16xi32, 1>
        }
        %mine = memref.load %b[%c0] : memref<1xi32, 2>
        %both = scf.if %f -> (i32) {
          gpu.barrier
          %m = arith.subi %c149, %p : index
          %t = scf.if %isIn -> (i32) {
            %u = memref.load %h2[%m, %lane] : memref<150x16xi32, 1>
            %w = arith.addi %u, %mine : i32
            scf.yield %w : i32
          } else {
            scf.yield %zero : i32
          }
          gpu.barrier
          scf.yield %t : i32
        } else {
          scf.yield %mine : i32
        }
        scf.if %isIn {
          memref.store %both, %h2[%p, %lane] : memref<150x16xi32, 1>
        }
        gpu.barrier
        %isFirst = arith.cmpi eq, %lane, %c0 : index
        scf.if %isFirst {
          %sum = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %zero) -> (i32) {
            %e = memref.load %h2[%p, %i] : memref<150x16xi32, 1>
            %t = arith.addi %s, %e : i32
            scf.yield %t : i32
          }
          memref.store %sum, %ho[%p] : memref<150xi32>
        }
      }
    }
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c149 = arith.constant 149 : index
  %c150 = arith.constant 150 : index
  %zero = arith.constant 0 : i32
  %true = arith.constant true
  %in = memref.alloc() : memref<150xi32>
  %steps = memref.alloc() : memref<1xindex>
  %out = memref.alloc() : memref<150xi32>
  %sums = memref.alloc() : memref<150xi32>
  %state = memref.alloc() : memref<150xi32>
  %next = memref.alloc() : memref<150xi32>
  %want = memref.alloc() : memref<150xi32>
  memref.store %c3, %steps[%c0] : memref<1xindex>
  scf.for %p = %c0 to %c150 step %c1 {
    %sq = arith.muli %p, %p : index
    %v = arith.index_cast %sq : index to i32
    memref.store %v, %in[%p] : memref<150xi32>
    memref.store %v, %state[%p] : memref<150xi32>
    %c28 = arith.constant 28 : i32
    %c8i = arith.constant 8 : i32
    %m = arith.muli %v, %c8i : i32
    %t = arith.addi %m, %c28 : i32
    memref.store %t, %want[%p] : memref<150xi32>
  }
  // The host steps all PEs together.
  scf.for %k = %c0 to %c3 step %c1 {
    scf.for %p = %c0 to %c150 step %c1 {
      %o = arith.subi %c149, %p : index
      %u = memref.load %state[%o] : memref<150xi32>
      %v = memref.load %in[%p] : memref<150xi32>
      %w = memref.load %want[%p] : memref<150xi32>
      %t = arith.addi %w, %u : i32
      memref.store %t, %want[%p] : memref<150xi32>
      %k32 = arith.index_cast %k : index to i32
      %a = arith.addi %u, %k32 : i32
      %b = arith.addi %a, %v : i32
      memref.store %b, %next[%p] : memref<150xi32>
    }
    memref.copy %next, %state : memref<150xi32> to memref<150xi32>
  }
  call @pes(%in, %steps, %out) : (memref<150xi32>, memref<1xindex>, memref<150xi32>) -> ()
  call @lanes(%true, %sums) : (i1, memref<150xi32>) -> ()
  %bad:2 = scf.for %p = %c0 to %c150 step %c1 iter_args(%a = %zero, %b = %zero) -> (i32, i32) {
    %w = memref.load %want[%p] : memref<150xi32>
    %g = memref.load %out[%p] : memref<150xi32>
    %ne = arith.cmpi ne, %w, %g : i32
    %d = arith.extui %ne : i1 to i32
    %a1 = arith.addi %a, %d : i32
    // 16 p + 32 (149 - p) + 2 * 120
    %c16i = arith.constant 16 : index
    %c32i = arith.constant 32 : index
    %c240 = arith.constant 240 : index
    %m = arith.subi %c149, %p : index
    %x = arith.muli %p, %c16i : index
    %y = arith.muli %m, %c32i : index
    %s0 = arith.addi %x, %y : index
    %s1 = arith.addi %s0, %c240 : index
    %ws = arith.index_cast %s1 : index to i32
    %gs = memref.load %sums[%p] : memref<150xi32>
    %nes = arith.cmpi ne, %ws, %gs : i32
    %ds = arith.extui %nes : i1 to i32
    %b1 = arith.addi %b, %ds : i32
    scf.yield %a1, %b1 : i32, i32
  }
  %t = llvm.mlir.addressof @text : !llvm.ptr
  llvm.call @printf(%t, %bad#0, %bad#1) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32) -> i32
  return %zero : i32
}
