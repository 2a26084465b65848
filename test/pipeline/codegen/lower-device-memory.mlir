// RUN: %aircc opt %s --split-input-file --pass-pipeline="builtin.module(gpu.module(air-lower-device-memory))" | FileCheck %s
// RUN: not %aircc opt %S/Inputs/unranked-copy.mlir --pass-pipeline="builtin.module(gpu.module(air-lower-device-memory))" 2>&1 | FileCheck %s --check-prefix=UNRANKED
// UNRANKED: error: 'memref.copy' op of unranked memrefs cannot be done in a kernel

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

  // One with a memory space, or in unstructured control flow, stays where it is.
  // CHECK-LABEL: gpu.func @in_cfg
  // CHECK:         cf.br
  // CHECK:         memref.alloca() : memref<4xf32, #gpu.address_space<private>>
  // CHECK-NOT:     memory_space_cast
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
