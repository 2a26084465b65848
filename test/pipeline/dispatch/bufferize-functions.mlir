// RUN: %aircc opt --dispatch-bufferize-functions %s | FileCheck %s

// The types of the function, for callers.
// CHECK: memref.global constant @aircc_signature_scale

// The entry point copies its argument and its result, for callers that do not call it through the runtime. The function
// that the runtime calls works on memory of the device.
// CHECK-LABEL: func.func @scale__entry(
// CHECK-SAME: %[[X:.*]]: memref<?x8xf32>, %[[S:.*]]: f32, %[[OUT:.*]]: memref<?x8xf32>
// CHECK-SAME: #air.entry_point<arguments = [memref<?x8xf32>, f32], results = [memref<?x8xf32>], inPlace = @scale__device, uses = [1, 0, 1], computesOnHost = false, callerName = "scale">
// CHECK: %[[SHARED:.*]] = gpu.alloc host_shared
// CHECK: memref.copy %[[X]], %[[SHARED]]
// CHECK: %[[R:.*]] = gpu.alloc host_shared
// CHECK: call @scale__device(%[[SHARED]], %[[S]], %[[R]])
// CHECK: memref.copy %[[R]], %[[OUT]]
// CHECK-DAG: gpu.dealloc %[[R]]
// CHECK-DAG: gpu.dealloc %[[SHARED]]

// CHECK-LABEL: func.func private @scale__device(
// CHECK-SAME: %[[OUT:[a-z0-9]*]]: memref<?x8xf32> {air.separate})
// CHECK-NOT: alloc
// CHECK: linalg.generic
// CHECK-SAME: outs(%[[OUT]] :
// CHECK-SAME: air.offload
// CHECK: return{{$}}
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

// Each result has memory of its own, so a value that is returned twice is copied.
// CHECK-LABEL: func.func private @twice__device(
// CHECK-SAME: %[[FIRST:[a-z0-9]*]]: memref<4xf32> {air.separate}, %[[SECOND:[a-z0-9]*]]: memref<4xf32> {air.separate})
// CHECK: linalg.copy {{.*}} ins(%[[FIRST]] : {{.*}}) outs(%[[SECOND]] :
// CHECK: return{{$}}
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
// CHECK: linalg.copy {{.*}} ins(%[[SLICE]] : {{.*}}) outs(%{{.*}} : memref<4x?xi8>)
func.func @dynamic_slice(%x: tensor<4x5xi8>, %v: i8, %n: index) -> tensor<4x?xi8> {
  %y = linalg.fill ins(%v : i8) outs(%x : tensor<4x5xi8>) -> tensor<4x5xi8>
  %s = tensor.extract_slice %y[0, 0] [4, %n] [1, 1] : tensor<4x5xi8> to tensor<4x?xi8>
  return %s : tensor<4x?xi8>
}

// All functions get other symbols: `main` on tensors is not the entry point of a program, `memcpy` is also a function
// of C, and `a b` is not a name in C.
// CHECK: memref.global constant @aircc_signature_main
// CHECK: func.func @main__entry(%{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32>)
// CHECK-SAME: callerName = "main"
// CHECK: gpu.alloc host_shared
// CHECK: call @main__device
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {air.entry_point = #air.entry_point} {
  return %x : tensor<4xf32>
}

// A result that is an argument is copied by the device.
// CHECK-LABEL: func.func @same__entry(
// CHECK-SAME: inPlace = @same__device, uses = [1, 1], computesOnHost = false
// CHECK-LABEL: func.func private @same__device(
// CHECK: linalg.copy {air.offload}
func.func @same(%x: tensor<4xf32>) -> tensor<4xf32> attributes {air.entry_point = #air.entry_point} {
  return %x : tensor<4xf32>
}

// Another function calls it, so the function for the runtime is a third one.
// CHECK-LABEL: func.func private @called__device_in_place(
// CHECK-SAME: %[[X:.*]]: memref<4xf32>, %[[OUT:.*]]: memref<4xf32> {air.separate})
// CHECK: %[[R:.*]] = call @called__device(%[[X]])
// CHECK: linalg.copy {air.offload} ins(%[[R]] : {{.*}}) outs(%[[OUT]] :
// CHECK: gpu.dealloc %[[R]]
// CHECK-LABEL: func.func @called__entry(
// CHECK-SAME: inPlace = @called__device_in_place, uses = [1, 1], computesOnHost = false
// The argument is not changed.
// CHECK-LABEL: func.func private @called__device(
// CHECK: %[[NEW:.*]] = gpu.alloc
// CHECK: linalg.fill {{.*}} outs(%[[NEW]] :
func.func @called(%x: tensor<4xf32>) -> tensor<4xf32> attributes {air.entry_point = #air.entry_point} {
  %c = arith.constant 1.0 : f32
  %y = linalg.fill ins(%c : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @calls__entry(
// CHECK-SAME: inPlace = @calls__device, uses = [1, 1], computesOnHost = false
func.func @calls(%x: tensor<4xf32>) -> tensor<4xf32> attributes {air.entry_point = #air.entry_point} {
  %y = call @called(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// Code of the host reads the argument %x and writes the number; only the size of %y is used.
// CHECK-LABEL: func.func @element__entry(
// CHECK-SAME: uses = [3, 0, 0, 3, 3], callerName = "element">
// CHECK-LABEL: func.func private @element__device(
func.func @element(%x: tensor<4xf32>, %y: tensor<?xf32>, %z: tensor<4xf32>) -> (f32, index)
    attributes {air.entry_point = #air.entry_point} {
  %c0 = arith.constant 0 : index
  %v = tensor.extract %x[%c0] : tensor<4xf32>
  %d = tensor.dim %y, %c0 : tensor<?xf32>
  %f = linalg.fill ins(%v : f32) outs(%z : tensor<4xf32>) -> tensor<4xf32>
  %w = tensor.extract %f[%c0] : tensor<4xf32>
  return %w, %d : f32, index
}

// CHECK: memref.global constant @aircc_signature_a_20b
// CHECK: func.func @a_20b__entry(
// CHECK-SAME: callerName = "a b"
// CHECK: func.func private @a_20b__device(
// CHECK: call @memcpy__device(
// CHECK: func.func private @memcpy__device(
func.func @"a b"(%x: tensor<4xf32>) -> tensor<4xf32> attributes {air.entry_point = #air.entry_point} {
  %y = call @memcpy(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @memcpy(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// Each op starts from a fill of its own, next to it.
// CHECK-LABEL: func.func private @fills__device(
// CHECK-SAME: %[[A:[a-z0-9]*]]: memref<4x4xf32>, %{{.*}}: memref<4x4xf32> {air.separate}, %{{.*}}: memref<4x4xf32> {air.separate}
// CHECK: linalg.fill {{.*}} outs(%[[X:[a-z0-9]+]] :
// CHECK-NEXT: linalg.matmul {{.*}} outs(%[[X]] :
// CHECK: linalg.fill {{.*}} outs(%[[Y:[a-z0-9]+]] :
// CHECK-NEXT: linalg.matmul {{.*}} outs(%[[Y]] :
// CHECK-NOT: linalg.fill
// CHECK: return
func.func @fills(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %x = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = linalg.matmul ins(%x, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %x, %y : tensor<4x4xf32>, tensor<4x4xf32>
}
