// RUN: %aircc opt --dispatch-bufferize-functions %s | FileCheck %s

// The types of the function, for callers.
// CHECK: memref.global constant @aircc_signature_scale

// The entry point copies its argument and its result.
// CHECK-LABEL: func.func @scale(
// CHECK-SAME: %[[X:.*]]: memref<?x8xf32>, %[[S:.*]]: f32, %[[OUT:.*]]: memref<?x8xf32>
// CHECK-SAME: #air.entry_point<arguments = [memref<?x8xf32>, f32], results = [memref<?x8xf32>]>
// CHECK: %[[SHARED:.*]] = gpu.alloc host_shared
// CHECK: memref.copy %[[X]], %[[SHARED]]
// CHECK: %[[R:.*]] = call @scale__device(%[[SHARED]], %[[S]])
// CHECK: memref.copy %[[R]], %[[OUT]]
// CHECK-DAG: gpu.dealloc %[[R]]
// CHECK-DAG: gpu.dealloc %[[SHARED]]

// CHECK-LABEL: func.func private @scale__device(
// CHECK: gpu.alloc host_shared
// CHECK: linalg.generic
// CHECK-SAME: air.offload
func.func @scale(%x: tensor<?x8xf32>, %s: f32) -> tensor<?x8xf32>
    attributes {air.entry_point = #air.entry_point} {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%d) : tensor<?x8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %v = arith.mulf %a, %s : f32
    linalg.yield %v : f32
  } -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// Functions on memrefs are not changed.
// CHECK-LABEL: func.func @other(
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: linalg.fill ins
func.func @other(%v: f32) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  return %m : memref<4xf32>
}

// The caller frees each result, so a value that is returned twice is copied.
// CHECK-LABEL: func.func private @twice__device(
// CHECK: %[[COPY:.*]] = gpu.alloc
// CHECK: linalg.copy
// CHECK: return %[[FIRST:.*]], %[[COPY]]
func.func @twice(%x: tensor<4xf32>, %v: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = linalg.fill ins(%v : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y, %y : tensor<4xf32>, tensor<4xf32>
}

// The branch may yield the buffer that is returned as well.
// CHECK-LABEL: func.func private @may_share__device(
// CHECK: %[[R:.*]] = arith.select
// CHECK: linalg.copy {{.*}} ins(%[[R]]
// CHECK: return
func.func @may_share(%c: i1, %x: tensor<4xf32>, %y: tensor<4xf32>, %v: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %z = linalg.fill ins(%v : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.if %c -> (tensor<4xf32>) {
    scf.yield %z : tensor<4xf32>
  } else {
    scf.yield %y : tensor<4xf32>
  }
  return %z, %r : tensor<4xf32>, tensor<4xf32>
}

// The slice has rows of 5 elements, the result of %n.
// CHECK-LABEL: func.func private @dynamic_slice__device(
// CHECK: %[[SLICE:.*]] = memref.subview
// CHECK-NOT: memref.cast
// CHECK: %[[COPY:.*]] = gpu.alloc host_shared (%{{.*}}) : memref<4x?xi8>
// CHECK: linalg.copy {{.*}} ins(%[[SLICE]] : {{.*}}) outs(%[[COPY]] :
// CHECK: return %[[COPY]]
func.func @dynamic_slice(%x: tensor<4x5xi8>, %v: i8, %n: index) -> tensor<4x?xi8> {
  %y = linalg.fill ins(%v : i8) outs(%x : tensor<4x5xi8>) -> tensor<4x5xi8>
  %s = tensor.extract_slice %y[0, 0] [4, %n] [1, 1] : tensor<4x5xi8> to tensor<4x?xi8>
  return %s : tensor<4x?xi8>
}

// A function on tensors that is called main is not the start of a program: it gets another symbol.
// CHECK: memref.global constant @aircc_signature_main
// CHECK: func.func @main__entry(%{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32>)
// CHECK-SAME: callerName = "main"
// CHECK: gpu.alloc host_shared
// CHECK: call @main__device
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {air.entry_point = #air.entry_point} {
  return %x : tensor<4xf32>
}
