// What upstream dialects offer inside of a gpu.module compiles for every chip.
//
// RUN: %aircc %s --target gfx90a --emit=hsaco -o %t.gfx90a
// RUN: %aircc %s --target gfx942 --emit=hsaco -o %t.gfx942
// RUN: %aircc %s --target gfx950 --emit=hsaco -o %t.gfx950
// RUN: %aircc %s --target gfx1100 --emit=hsaco -o %t.gfx1100
// RUN: %aircc %s --target gfx1201 --emit=hsaco -o %t.gfx1201
// RUN: llvm-readelf --notes %t.gfx90a | FileCheck %s --check-prefixes=CHECK,WAVE64 -DCHIP=gfx90a
// RUN: llvm-readelf --notes %t.gfx942 | FileCheck %s --check-prefixes=CHECK,WAVE64 -DCHIP=gfx942
// RUN: llvm-readelf --notes %t.gfx950 | FileCheck %s --check-prefixes=CHECK,WAVE64 -DCHIP=gfx950
// RUN: llvm-readelf --notes %t.gfx1100 | FileCheck %s --check-prefixes=CHECK,WAVE32 -DCHIP=gfx1100
// RUN: llvm-readelf --notes %t.gfx1201 | FileCheck %s --check-prefixes=CHECK,WAVE32 -DCHIP=gfx1201
//
// Compiling without optimization, or with line tables, uses other parts of the backend.
// RUN: %aircc %s --target gfx942 --emit=hsaco -O0 -o %t.O0
// RUN: %aircc %s --target gfx942 --emit=obj -g -o %t.g
// RUN: llvm-dwarfdump --debug-line %t.g | FileCheck %s --check-prefix=LINES
// LINES: name: "{{.*}}upstream-kernels.mlir"
// LINES: is_stmt

// CHECK:      .name: linalg
// CHECK:      .name: vectors
// CHECK:      .name: memory
// CHECK:      .name: reductions
// CHECK:      .name: functions
// WAVE64:     .wavefront_size: 64
// WAVE32:     .wavefront_size: 32
// CHECK:      amdhsa.target: amdgcn-amd-amdhsa--[[CHIP]]

module attributes {gpu.container_module} {
  gpu.module @k {
    memref.global "private" constant @tab : memref<4xf32> = dense<[1.0,2.0,3.0,4.0]>
    memref.global "private" @shared : memref<64xf32, #gpu.address_space<workgroup>>
    func.func private @helper(%x: f32) -> f32 {
      %y = arith.mulf %x, %x : f32
      return %y : f32
    }
    gpu.func @linalg(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) kernel {
      linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
      gpu.return
    }
    gpu.func @vectors(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) kernel {
      %c0 = arith.constant 0 : index
      %z = arith.constant 0.0 : f32
      %va = vector.transfer_read %a[%c0, %c0], %z : memref<16x16xf32>, vector<4x4xf32>
      %vb = vector.transfer_read %b[%c0, %c0], %z : memref<16x16xf32>, vector<4x4xf32>
      %vc = vector.transfer_read %c[%c0, %c0], %z : memref<16x16xf32>, vector<4x4xf32>
      %r = vector.contract {indexing_maps = [affine_map<(i,j,k)->(i,k)>, affine_map<(i,j,k)->(k,j)>, affine_map<(i,j,k)->(i,j)>], iterator_types = ["parallel","parallel","reduction"]} %va, %vb, %vc : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32>
      %e = math.exp %r : vector<4x4xf32>
      vector.transfer_write %e, %c[%c0, %c0] : vector<4x4xf32>, memref<16x16xf32>
      gpu.return
    }
    gpu.func @memory(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %n: index, %dyn: memref<?xf32>, %ii: memref<?xi32>) workgroup(%w: memref<64xf32, #gpu.address_space<workgroup>>) private(%p: memref<8xf32, #gpu.address_space<private>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %s = memref.subview %a[0, %n] [4, 4] [2, 1] : memref<16x16xf32> to memref<4x4xf32, strided<[32, 1], offset: ?>>
      %t = memref.subview %b[0, 0] [4, 4] [1, 1] : memref<16x16xf32> to memref<4x4xf32, strided<[16, 1]>>
      memref.copy %s, %t : memref<4x4xf32, strided<[32, 1], offset: ?>> to memref<4x4xf32, strided<[16, 1]>>
      scf.for %i = %c0 to %n step %c1 {
        %l = memref.alloca() : memref<4xf32>
        affine.for %j = 0 to 4 {
          %x = affine.load %b[%j + 2, %j * 3] : memref<16x16xf32>
          affine.store %x, %l[%j] : memref<4xf32>
        }
        %v = memref.load %l[%i] : memref<4xf32>
        %h = func.call @helper(%v) : (f32) -> f32
        memref.store %h, %dyn[%i] : memref<?xf32>
      }
      %g = memref.get_global @tab : memref<4xf32>
      %sh = memref.get_global @shared : memref<64xf32, #gpu.address_space<workgroup>>
      %gv = memref.load %g[%n] : memref<4xf32>
      memref.store %gv, %sh[%n] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %sv = memref.load %sh[%c4] : memref<64xf32, #gpu.address_space<workgroup>>
      %old = memref.atomic_rmw addf %sv, %dyn[%c0] : (f32, memref<?xf32>) -> f32
      %d = memref.dim %dyn, %c0 : memref<?xf32>
      %di = arith.index_cast %d : index to i32
      %df = arith.sitofp %di : i32 to f32
      memref.store %df, %dyn[%c1] : memref<?xf32>
      %gr0 = memref.generic_atomic_rmw %ii[%c4] : memref<?xi32> {
        ^bb0(%cur: i32):
          %nn = arith.addi %cur, %di : i32
          memref.atomic_yield %nn : i32
      }
      %gr = arith.sitofp %gr0 : i32 to f32
      %am = memref.atomic_rmw maximumf %sv, %dyn[%c0] : (f32, memref<?xf32>) -> f32
      %cl = memref.collapse_shape %a [[0, 1]] : memref<16x16xf32> into memref<256xf32>
      memref.store %gr, %cl[%n] : memref<256xf32>
      scf.forall (%q) in (%n) {
        memref.store %gr, %cl[%q] : memref<256xf32>
      }
      scf.parallel (%q) = (%c0) to (%n) step (%c1) {
        memref.store %gr, %cl[%q] : memref<256xf32>
        scf.reduce
      }
      gpu.return
    }
    gpu.func @reductions(%a: memref<?xf32>, %ai: memref<?xi32>) kernel {
      %t = gpu.thread_id x
      %x = memref.load %a[%t] : memref<?xf32>
      %y = gpu.subgroup_reduce add %x : (f32) -> f32
      %w = gpu.subgroup_reduce maxnumf %x uniform : (f32) -> f32
      %al = gpu.all_reduce add %x uniform {} : (f32) -> f32
      %c8 = arith.constant 8 : i32
      %w32 = arith.constant 32 : i32
      %sh, %ok = gpu.shuffle xor %x, %c8, %w32 : f32
      %lane = gpu.lane_id
      %sg = gpu.subgroup_size : index
      %gid = gpu.global_id x
      %nsg = gpu.num_subgroups : index
      %sid = gpu.subgroup_id : index
      %s1 = arith.addf %y, %w : f32
      %s2 = arith.addf %s1, %al : f32
      %s3 = arith.addf %s2, %sh : f32
      memref.store %s3, %a[%gid] : memref<?xf32>
      %ii = arith.addi %lane, %sg : index
      %i2 = arith.addi %nsg, %sid : index
      %i3 = arith.addi %ii, %i2 : index
      %i4 = arith.index_cast %i3 : index to i32
      memref.store %i4, %ai[%t] : memref<?xi32>
      gpu.return
    }
    gpu.func @functions(%a: memref<?xf32>, %d: memref<?xf64>, %h: memref<?xf16>, %bf: memref<?xbf16>, %n: index) kernel {
      %x = memref.load %a[%n] : memref<?xf32>
      %0 = math.exp %x : f32
      %1 = math.log %0 : f32
      %2 = math.sin %1 : f32
      %3 = math.cos %2 : f32
      %4 = math.tanh %3 : f32
      %5 = math.erf %4 : f32
      %6 = math.powf %5, %x : f32
      %7 = math.rsqrt %6 : f32
      %8 = math.sqrt %7 : f32
      %9 = math.atan2 %8, %x : f32
      %10 = math.absf %9 : f32
      %11 = math.floor %10 : f32
      %12 = math.fma %11, %x, %x : f32
      %13 = math.roundeven %12 : f32
      %14 = math.log1p %13 : f32
      %15 = math.exp2 %14 : f32
      %16 = math.copysign %15, %x : f32
      %17 = math.cbrt %16 : f32
      %18 = math.asinh %17 : f32
      memref.store %18, %a[%n] : memref<?xf32>
      %y = memref.load %d[%n] : memref<?xf64>
      %y1 = math.exp %y : f64
      %y2 = math.sin %y1 : f64
      %y3 = math.sqrt %y2 : f64
      %y4 = math.log %y3 : f64
      memref.store %y4, %d[%n] : memref<?xf64>
      %z = memref.load %h[%n] : memref<?xf16>
      %z1 = math.exp %z : f16
      %z2 = math.tanh %z1 : f16
      %z3 = math.sqrt %z2 : f16
      memref.store %z3, %h[%n] : memref<?xf16>
      %b = memref.load %bf[%n] : memref<?xbf16>
      %b1 = math.exp %b : bf16
      %b2 = arith.addf %b1, %b : bf16
      %b3 = arith.maximumf %b2, %b : bf16
      memref.store %b3, %bf[%n] : memref<?xbf16>
      %i = arith.fptosi %x : f32 to i32
      %i1 = math.ctlz %i : i32
      %i2 = math.ctpop %i1 : i32
      %i3 = math.absi %i2 : i32
      %i5 = arith.ceildivsi %i3, %i3 : i32
      %i6 = arith.floordivsi %i5, %i3 : i32
      %f = arith.sitofp %i6 : i32 to f32
      %fp = math.fpowi %f, %i : f32, i32
      memref.store %fp, %a[%n] : memref<?xf32>
      gpu.return
    }
  }
}
