// RUN: %aircc opt --dispatch-donate-arguments --split-input-file --verify-diagnostics %s | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#transposed = affine_map<(i, j) -> (j, i)>

// An elementwise op can overwrite the argument that it reads. The second result has no argument.
// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME: %[[X:.*]]: tensor<4x4xf32> {air.donated}, %[[Y:.*]]: tensor<4x4xf32>)
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[X]], %[[Y]] : {{.*}}) outs(%[[X]] :
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[Y]] : {{.*}}) outs(%{{.*}} :
func.func @elementwise(%x: tensor<4x4xf32> {air.donated}, %y: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %z, %w : tensor<4x4xf32>, tensor<4x4xf32>
}

// A transposition reads elements that it has overwritten.
// CHECK-LABEL: func.func @transpose(
// CHECK-SAME: %[[X:.*]]: tensor<4x4xf32> {air.donated})
// CHECK: %[[E:.*]] = tensor.empty
// CHECK: outs(%[[E]] :
func.func @transpose(%x: tensor<4x4xf32> {air.donated}) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.generic {indexing_maps = [#transposed, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}

// The argument is read later, through a slice.
// CHECK-LABEL: func.func @later(
// CHECK: %[[E:.*]] = tensor.empty
// CHECK: outs(%[[E]] :
func.func @later(%x: tensor<4x4xf32> {jax.buffer_donor = true}) -> (tensor<4x4xf32>, tensor<2x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %slice = tensor.extract_slice %x[0, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %z, %slice : tensor<4x4xf32>, tensor<2x4xf32>
}

// The loop over workgroups is the last op that uses the argument.
// CHECK-LABEL: func.func @kernel(
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<8x8xf32> {air.donated}
// CHECK: %[[M:.*]] = linalg.exp {{.*}} outs(%[[N:.*]] :
// CHECK: scf.forall {{.*}} shared_outs(%{{.*}} = %[[X]])
func.func @kernel(%x: tensor<8x8xf32> {air.donated}, %y: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %n = tensor.empty() : tensor<8x8xf32>
  %m = linalg.exp ins(%x : tensor<8x8xf32>) outs(%n : tensor<8x8xf32>) -> tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %z = scf.forall (%i) = (0) to (8) step (4) shared_outs(%o = %e) -> (tensor<8x8xf32>) {
    %t = tensor.extract_slice %m[%i, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
    }
  } {mapping = [#gpu.block<x>]}
  return %z : tensor<8x8xf32>
}

// Dynamic sizes must be equal.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<?xf32> {air.donated}, %{{.*}}: tensor<?xf32> {air.donated}
// CHECK: outs(%[[X]] :
// CHECK: outs(%{{[0-9]+}} :
func.func @dynamic(%x: tensor<?xf32> {air.donated}, %y: tensor<?xf32> {air.donated}, %v: f32, %n: index)
    -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %p = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %f = tensor.empty(%n) : tensor<?xf32>
  %q = linalg.fill ins(%v : f32) outs(%f : tensor<?xf32>) -> tensor<?xf32>
  return %p, %q : tensor<?xf32>, tensor<?xf32>
}

// The caller asks for the second result, which cannot be computed in the argument: it is copied.
// CHECK-LABEL: func.func @aliasing(
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<4x4xf32> {air.donated})
// CHECK-NOT: tf.
// CHECK: %[[A:.*]] = linalg.exp ins(%[[X]] : {{.*}}) outs(%[[E:.*]] :
// CHECK: %[[B:.*]] = linalg.transpose ins(%[[X]] :
// CHECK: %[[COPY:.*]] = linalg.copy ins(%[[B]] : {{.*}}) outs(%[[X]] :
// CHECK: return %[[A]], %[[COPY]]
func.func @aliasing(%x: tensor<4x4xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %a = linalg.exp ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  return %a, %b : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// A function that the program calls.
// CHECK-LABEL: func.func @called(
// CHECK-NOT: air.donated
// expected-remark @below {{argument 0 of 'called' is donated, but its memory is not overwritten: the function is also called within the program}}
func.func @called(%x: tensor<4xf32> {air.donated}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @called(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error @below {{expects 'tf.aliasing_output' of argument 0 to be a result number, but got 1 : i32}}
func.func @no_result(%x: tensor<4xf32> {tf.aliasing_output = 1 : i32}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{cannot compute result 0 of type 'tensor<2xf32>' in the memory of argument 0, whose type is 'tensor<4xf32>'}}
func.func @other_type(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2xf32> {
  %s = tensor.extract_slice %x[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %s : tensor<2xf32>
}

// -----

// expected-remark @below {{argument 0 of 'declared' is donated, but its memory is not overwritten: the function has no callers outside the program}}
func.func private @declared(tensor<4xf32> {air.donated})
