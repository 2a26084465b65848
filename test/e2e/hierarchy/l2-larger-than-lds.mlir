// RUN: %aircc run --check --target gfx942 %s 2>&1 | FileCheck %s
// RUN: %aircc run --check --target gfx1100 %s 2>&1 | FileCheck %s
// RUN: %aircc run --check --target gfx1201 %s 2>&1 | FileCheck %s
// RUN: %aircc run --check --target bmg %s 2>&1 | FileCheck %s
// RUN: %aircc run --check --target gfx942 --stage-option hierarchy.l2=global %s 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: %aircc run --target gfx950 -O0 %s 2>&1 | FileCheck %s
// RUN: not %aircc %s --target gfx942 --stage-option hierarchy.l2=lds -o %t 2>&1 | FileCheck %s --check-prefix=LDS
//
// L2 buffers that do not fit into LDS, one of constant and one of dynamic size,
// next to one that fits: two herds exchange elements through them, in six
// workgroups at a time. The launches have tokens.
//
// CHECK-DAG: remark: {{.*}}is in global memory: each launch allocates as many bytes as the buffer has for each workgroup
// CHECK-DAG: remark: {{.*}}is in global memory: 196608 bytes for each workgroup; in LDS, the buffers that are live at the same time would need 196864 bytes, but a workgroup may use only
// CHECK-NOT: remark:
// CHECK: wrong: 0
// GLOBAL-DAG: remark: {{.*}}is in global memory: each launch allocates as many bytes as the buffer has for each workgroup
// GLOBAL-DAG: remark: {{.*}}is in global memory: 196608 bytes for each workgroup
// GLOBAL-DAG: remark: {{.*}}is in global memory: 256 bytes for each workgroup
// GLOBAL: wrong: 0
// LDS: error: {{.*}}has a size without a known upper bound

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @text("wrong: %d\0A\00") {addr_space = 0 : i32}

// Workgroup w: big[i] = in[w, i]; fix[i] = 3 big[i] + i / (n / 4) by PE i / (n / 4);
// small[l] = l; out[w, i] = fix[n - 1 - i] - small[i mod 64], by another PE.
func.func @run(%in: memref<?xi32>, %out: memref<?xi32>, %n: index) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %t = air.launch async (%gx, %gy) in (%ngx = %c3, %ngy = %c2) args(%li = %in, %lo = %out, %ln = %n)
      : memref<?xi32>, memref<?xi32>, index {
    air.segment args(%si = %li, %so = %lo, %sn = %ln, %x = %gx, %y = %gy, %sx = %ngx)
        : memref<?xi32>, memref<?xi32>, index, index, index, index {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %row = arith.muli %y, %sx : index
      %w = arith.addi %row, %x : index
      %first = arith.muli %w, %sn : index
      %big = memref.alloc(%sn) : memref<?xi32, 1>
      %fix = memref.alloc() : memref<49152xi32, 1>
      %small = memref.alloc() : memref<64xi32, 1>
      air.dma_memcpy_nd (%big[] [] [], %si[%first] [%sn] [%c1]) : (memref<?xi32, 1>, memref<?xi32>)
      air.herd tile (%p) in (%np = %c4) args(%a = %big, %b = %fix, %s = %small, %hn = %sn)
          : memref<?xi32, 1>, memref<49152xi32, 1>, memref<64xi32, 1>, index {
        %three = arith.constant 3 : i32
        %h64 = arith.constant 64 : index
        %lane = gpu.lane_id
        %wave = gpu.subgroup_size : index
        %q = arith.divui %hn, %np : index
        %lo0 = arith.muli %p, %q : index
        %hi = arith.addi %lo0, %q : index
        %at = arith.addi %lo0, %lane : index
        %p32 = arith.index_cast %p : index to i32
        scf.for %i = %at to %hi step %wave {
          %v = memref.load %a[%i] : memref<?xi32, 1>
          %m = arith.muli %v, %three : i32
          %r = arith.addi %m, %p32 : i32
          memref.store %r, %b[%i] : memref<49152xi32, 1>
        }
        %h0 = arith.constant 0 : index
        %isFirst = arith.cmpi eq, %p, %h0 : index
        scf.if %isFirst {
          scf.for %i = %lane to %h64 step %wave {
            %v = arith.index_cast %i : index to i32
            memref.store %v, %s[%i] : memref<64xi32, 1>
          }
        }
      }
      air.herd tile (%p) in (%np = %c4) args(%b = %fix, %s = %small, %o = %so, %hn = %sn, %f = %first)
          : memref<49152xi32, 1>, memref<64xi32, 1>, memref<?xi32>, index, index {
        %h1 = arith.constant 1 : index
        %h64 = arith.constant 64 : index
        %lane = gpu.lane_id
        %wave = gpu.subgroup_size : index
        %q = arith.divui %hn, %np : index
        %lo0 = arith.muli %p, %q : index
        %hi = arith.addi %lo0, %q : index
        %at = arith.addi %lo0, %lane : index
        scf.for %i = %at to %hi step %wave {
          %last = arith.subi %hn, %h1 : index
          %m = arith.subi %last, %i : index
          %v = memref.load %b[%m] : memref<49152xi32, 1>
          %k = arith.remui %i, %h64 : index
          %u = memref.load %s[%k] : memref<64xi32, 1>
          %r = arith.subi %v, %u : i32
          %to = arith.addi %f, %i : index
          memref.store %r, %o[%to] : memref<?xi32>
        }
      }
      memref.dealloc %small : memref<64xi32, 1>
      memref.dealloc %fix : memref<49152xi32, 1>
      memref.dealloc %big : memref<?xi32, 1>
    }
  }
  air.wait_all [%t]
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %n = arith.constant 20000 : index
  %total = arith.constant 120000 : index
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %in = memref.alloc(%total) : memref<?xi32>
  %out = memref.alloc(%total) : memref<?xi32>
  scf.for %i = %c0 to %total step %c1 {
    %sq = arith.muli %i, %i : index
    %v = arith.index_cast %sq : index to i32
    memref.store %v, %in[%i] : memref<?xi32>
    memref.store %zero, %out[%i] : memref<?xi32>
  }
  call @run(%in, %out, %n) : (memref<?xi32>, memref<?xi32>, index) -> ()
  %q = arith.divui %n, %c4 : index
  %bad = scf.for %i = %c0 to %total step %c1 iter_args(%b = %zero) -> (i32) {
    %w = arith.divui %i, %n : index
    %k = arith.remui %i, %n : index
    %last = arith.subi %n, %c1 : index
    %m = arith.subi %last, %k : index
    %first = arith.muli %w, %n : index
    %at = arith.addi %first, %m : index
    %v = memref.load %in[%at] : memref<?xi32>
    %v3 = arith.muli %v, %three : i32
    %pe = arith.divui %m, %q : index
    %pe32 = arith.index_cast %pe : index to i32
    %sum = arith.addi %v3, %pe32 : i32
    %low = arith.remui %k, %c64 : index
    %low32 = arith.index_cast %low : index to i32
    %want = arith.subi %sum, %low32 : i32
    %got = memref.load %out[%i] : memref<?xi32>
    %ne = arith.cmpi ne, %got, %want : i32
    %more = arith.extui %ne : i1 to i32
    %next = arith.addi %b, %more : i32
    scf.yield %next : i32
  }
  %t = llvm.mlir.addressof @text : !llvm.ptr
  llvm.call @printf(%t, %bad) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  return %zero : i32
}
