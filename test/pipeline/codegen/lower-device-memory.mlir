// RUN: %aircc opt %s --split-input-file --pass-pipeline="builtin.module(gpu.module(codegen-lower-device-memory))" | FileCheck %s
// RUN: not %aircc opt %S/Inputs/unranked-copy.mlir --pass-pipeline="builtin.module(gpu.module(codegen-lower-device-memory))" 2>&1 | FileCheck %s --check-prefix=UNRANKED
// RUN: not %aircc opt %S/Inputs/growing-stack.mlir --split-input-file --pass-pipeline="builtin.module(gpu.module(codegen-lower-device-memory))" 2>&1 | FileCheck %S/Inputs/growing-stack.mlir
// UNRANKED: error: 'memref.copy' op copies unranked memrefs, which is not supported in kernels

gpu.module @m {
  // An alloca in a loop gets one slot in the entry block.
  // CHECK-LABEL: gpu.func @in_loop
  // CHECK-NEXT:    %[[SLOT:.*]] = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
  // CHECK-NEXT:    %[[CAST:.*]] = memref.memory_space_cast %[[SLOT]] : memref<4xf32, #gpu.address_space<private>> to memref<4xf32>
  // CHECK:         scf.for
  // CHECK-NOT:       memref.alloca
  // CHECK:           memref.store %{{.*}}, %[[CAST]]
  gpu.func @in_loop(%n: index, %x: f32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.alloca() : memref<4xf32>
      memref.store %x, %a[%c0] : memref<4xf32>
    }
    gpu.return
  }

  // This holds also in a branch in the loop, which is not an allocation scope.
  // CHECK-LABEL: gpu.func @in_branch
  // CHECK-NEXT:    memref.alloca()
  // CHECK:         scf.for
  // CHECK-NOT:       memref.alloca
  // CHECK:         gpu.return
  gpu.func @in_branch(%n: index, %x: f32, %c: i1) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      scf.if %c {
        %a = memref.alloca() : memref<4xf32>
        memref.store %x, %a[%c0] : memref<4xf32>
      }
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @in_while
  // CHECK-NEXT:    memref.alloca()
  // CHECK:         scf.while
  // CHECK-NOT:       memref.alloca
  // CHECK:         gpu.return
  gpu.func @in_while(%n: index, %x: f32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %end = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi ult, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      %a = memref.alloca() : memref<4xf32>
      memref.store %x, %a[%c0] : memref<4xf32>
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }

  // A size of run time, once.
  // CHECK-LABEL: gpu.func @dynamic
  // CHECK:         memref.alloca(%{{.*}}) : memref<?xf32, #gpu.address_space<private>>
  gpu.func @dynamic(%n: index, %x: f32) kernel {
    %c0 = arith.constant 0 : index
    %a = memref.alloca(%n) : memref<?xf32>
    memref.store %x, %a[%c0] : memref<?xf32>
    gpu.return
  }

  // A pointer with a memory space is not cast.
  // CHECK-LABEL: gpu.func @in_cfg
  // CHECK-NEXT:    memref.alloca() : memref<4xf32, #gpu.address_space<private>>
  // CHECK-NOT:     memory_space_cast
  // CHECK:         cf.br
  gpu.func @in_cfg(%x: f32, %i: index) kernel {
    cf.br ^bb1
  ^bb1:
    %a = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
    memref.store %x, %a[%i] : memref<4xf32, #gpu.address_space<private>>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @copy
  // CHECK-SAME:    %[[A:.*]]: memref<4x?xf32, strided<[?, 1]>>, %[[B:.*]]: memref<4x?xf32>)
  // CHECK-NOT:     memref.copy
  // CHECK:         linalg.generic {{.*}} ins(%[[A]] : {{.*}}) outs(%[[B]] :
  gpu.func @copy(%a: memref<4x?xf32, strided<[?, 1]>>, %b: memref<4x?xf32>) kernel {
    memref.copy %a, %b : memref<4x?xf32, strided<[?, 1]>> to memref<4x?xf32>
    gpu.return
  }
}

// -----

// A descriptor whose memref keeps its offset reaches that much further.
gpu.module @m {
  // CHECK-LABEL: gpu.func @offset
  // CHECK: %[[BASE:.*]], %[[OFFSET:.*]], %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata
  // CHECK: arith.addi %[[OFFSET]]
  // CHECK: %[[BYTES:.*]] = arith.index_cast %{{.*}} : index to i64
  // CHECK: amdgpu.fat_raw_buffer_cast %{{.*}} validBytes(%[[BYTES]])
  // CHECK: amdgpu.fat_raw_buffer_cast %{{[a-z0-9]+}} resetOffset
  // CHECK: amdgpu.fat_raw_buffer_cast %{{[a-z0-9]+}} : memref<8xf16>
  gpu.func @offset(%a: memref<16x64xf16, strided<[64, 1], offset: 5>>, %b: memref<8xf16>) kernel {
    %0 = amdgpu.fat_raw_buffer_cast %a : memref<16x64xf16, strided<[64, 1], offset: 5>>
        to memref<16x64xf16, strided<[64, 1], offset: 5>, #amdgpu.address_space<fat_raw_buffer>>
    %1 = amdgpu.fat_raw_buffer_cast %a resetOffset : memref<16x64xf16, strided<[64, 1], offset: 5>>
        to memref<16x64xf16, #amdgpu.address_space<fat_raw_buffer>>
    %2 = amdgpu.fat_raw_buffer_cast %b : memref<8xf16> to memref<8xf16, #amdgpu.address_space<fat_raw_buffer>>
    gpu.return
  }
}
