// RUN: %aircc opt %s --split-input-file --link-drop-host-memory-spaces --verify-diagnostics | FileCheck %s

#global = #gpu.address_space<global>

// CHECK-LABEL: func.func @f
// CHECK-SAME:    (%[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<*xf32>) -> memref<?xf32>
// CHECK-NEXT:    %[[C:.*]] = memref.cast %[[A]] : memref<4xf32> to memref<?xf32>
// CHECK-NEXT:    memref.copy %[[A]], %[[A]] : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:    return %[[C]] : memref<?xf32>
func.func @f(%a: memref<4xf32, #global>, %b: memref<*xf32, 1>) -> memref<?xf32, #global> {
  %c = memref.cast %a : memref<4xf32, #global> to memref<?xf32, #global>
  %d = memref.memory_space_cast %a : memref<4xf32, #global> to memref<4xf32>
  memref.copy %a, %d : memref<4xf32, #global> to memref<4xf32>
  return %c : memref<?xf32, #global>
}

// The kernel's own types stay.
// CHECK: gpu.func @k(%{{.*}}: memref<4xf32, #gpu.address_space<global>>)
gpu.module @m {
  gpu.func @k(%a: memref<4xf32, #global>) kernel { gpu.return }
}

// -----

func.func @lds() {
  // expected-error@+1 {{is host code, but produces a memref in memory space #gpu.address_space<workgroup>, which only kernels have; use a memref without a memory space}}
  %a = memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>>
  return
}
