// RUN: %aircc %s --target gfx942 --emit asm -o - | FileCheck %s --check-prefixes=CHECK,GFX942
// RUN: %aircc %s --target gfx950 --emit asm -o - | FileCheck %s --check-prefixes=CHECK,GFX950
// RUN: %aircc %s --target gfx1201 --emit asm -o - | FileCheck %s --check-prefixes=CHECK,GFX12

// The operands are results of arithmetic, which need no canonicalization: one
// instruction each. gfx942 has no instruction for arith.maximumf.

// CHECK-LABEL: k:
// CHECK:       v_mul_f32
// GFX942:      v_max_f32
// GFX942:      v_cmp_o_f32
// GFX942:      v_cndmask
// GFX942-NEXT: v_exp_f32
// GFX950:      v_max_f32
// GFX950-NEXT: v_maximum3_f32
// GFX950-NEXT: v_exp_f32
// GFX12:       v_max_num_f32
// GFX12-NEXT:  v_maximum_f32
// GFX12:       v_exp_f32
// CHECK-NEXT:  global_store
gpu.module @kernels {
  gpu.func @k(%m: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %x = memref.load %m[%t] : memref<64xf32>
    %y = arith.addf %x, %x : f32
    %z = arith.mulf %x, %x : f32
    %r = arith.maxnumf %y, %z : f32
    %c = arith.constant 3.0 : f32
    %s = arith.maximumf %r, %c : f32
    %e = math.exp2 %s fastmath<fast> : f32
    memref.store %e, %m[%t] : memref<64xf32>
    gpu.return
  }
}
