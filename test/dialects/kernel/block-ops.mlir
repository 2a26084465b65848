// Ops of Xe's subgroups are read and written, also in generic form and as bytecode.
// RUN: %aircc opt %s | FileCheck %s
// RUN: %aircc opt %s > %t.mlir
// RUN: %aircc opt %t.mlir | diff %t.mlir -
// RUN: %aircc opt --mlir-print-op-generic %s | %aircc opt | diff %t.mlir -
// RUN: %aircc opt --emit-bytecode %s | %aircc opt | diff %t.mlir -

// CHECK-LABEL: func.func @blocks
// CHECK-NEXT: kernel.block_load %arg0[%arg4, %arg5] in(%arg1, %arg2, %arg3) rows 8 columns 16 blocks 2 bits 16 {l1_hint = #xegpu.cache_hint<uncached>} : vector<16xi16>
// CHECK-NEXT: kernel.block_load packed %{{.*}} rows 32 columns 16 blocks 2 bits 8 : vector<16xi32>
// CHECK-NEXT: kernel.block_load transposed %{{.*}} rows 16 columns 8 blocks 1 bits 32 : vector<8xi32>
// CHECK-NEXT: kernel.block_load %{{.*}} rows 8 columns 32 blocks 1 bits 8 : vector<8xi16>
// CHECK-NEXT: kernel.block_store %{{.*}}, %arg0[%arg4, %arg5] in(%arg1, %arg2, %arg3) rows 8 columns 16 bits 32 {l1_hint = #xegpu.cache_hint<write_back>, l3_hint = #xegpu.cache_hint<uncached>} : vector<8xi32>
// CHECK-NEXT: kernel.block_prefetch %arg0[%arg4, %arg5] in(%arg1, %arg2, %arg3) rows 32 columns 16 blocks 2 bits 16 {note}
// CHECK-NEXT: kernel.prefetch %arg0
func.func @blocks(%p: i64, %w: i32, %h: i32, %pitch: i32, %x: i32, %y: i32) {
  %0 = kernel.block_load %p[%x, %y] in (%w, %h, %pitch) rows 8 columns 16 blocks 2 bits 16 {l1_hint = #xegpu.cache_hint<uncached>} : vector<16xi16>
  %1 = kernel.block_load packed %p[%x, %y] in (%w, %h, %pitch) rows 32 columns 16 blocks 2 bits 8 : vector<16xi32>
  %2 = kernel.block_load transposed %p[%x, %y] in (%w, %h, %pitch) rows 16 columns 8 blocks 1 bits 32 : vector<8xi32>
  %3 = kernel.block_load %p[%x, %y] in (%w, %h, %pitch) rows 8 columns 32 blocks 1 bits 8 : vector<8xi16>
  kernel.block_store %2, %p[%x, %y] in (%w, %h, %pitch) rows 8 columns 16 bits 32 {l1_hint = #xegpu.cache_hint<write_back>, l3_hint = #xegpu.cache_hint<uncached>} : vector<8xi32>
  kernel.block_prefetch %p[%x, %y] in (%w, %h, %pitch) rows 32 columns 16 blocks 2 bits 16 {note}
  kernel.prefetch %p
  return
}

// CHECK-LABEL: func.func @products
// CHECK-NEXT: kernel.dpas %{{.*}} as bf16, %{{.*}} as bf16, %{{.*}} : vector<8xi16>, vector<8xi32>, vector<8xbf16>
// CHECK-NEXT: kernel.dpas %{{.*}} as i8, %{{.*}} as ui8, %{{.*}} : vector<4xi16>, vector<8xi32>, vector<4xi32>
// CHECK-NEXT: kernel.dpas %{{.*}} as tf32, %{{.*}} as tf32, %{{.*}} : vector<1xf32>, vector<8xf32>, vector<1xf32>
// CHECK-NEXT: kernel.dpas %{{.*}} as tf32, %{{.*}} as tf32, %{{.*}} : vector<4xf32>, vector<8xf32>, vector<8xf32>
func.func @products(%a8: vector<8xi16>, %a4: vector<4xi16>, %b: vector<8xi32>, %f1: vector<1xf32>,
                    %f4: vector<4xf32>, %f8: vector<8xf32>, %h8: vector<8xbf16>, %i4: vector<4xi32>) {
  %0 = kernel.dpas %a8 as bf16, %b as bf16, %h8 : vector<8xi16>, vector<8xi32>, vector<8xbf16>
  %1 = kernel.dpas %a4 as i8, %b as ui8, %i4 : vector<4xi16>, vector<8xi32>, vector<4xi32>
  %2 = kernel.dpas %f1 as tf32, %f8 as tf32, %f1 : vector<1xf32>, vector<8xf32>, vector<1xf32>
  %3 = kernel.dpas %f4 as tf32, %f8 as tf32, %f8 : vector<4xf32>, vector<8xf32>, vector<8xf32>
  return
}
