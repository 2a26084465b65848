// RUN: %aircc opt --dispatch-normalize-tensors --split-input-file %s | FileCheck %s

// CHECK-LABEL: @elementwise
// CHECK: linalg.generic
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
func.func @elementwise(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %z = arith.addf %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// CHECK-LABEL: @named
// CHECK-NOT: linalg.exp
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: linalg.matmul
func.func @named(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %y = linalg.exp ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = linalg.matmul ins(%y, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: @softmax
// CHECK-NOT: linalg.softmax
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.divf
func.func @softmax(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %e = tensor.empty() : tensor<2x8xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}

// -----

// The outer dimensions are swapped: dimension 1 of the source comes first.
// CHECK-LABEL: @pack(
// CHECK-SAME: %[[X:.*]]: tensor<?x8xf32>, %[[T:.*]]: index
// CHECK: linalg.generic
// CHECK-DAG: %[[A:.*]] = linalg.index 0
// CHECK-DAG: %[[B:.*]] = linalg.index 1
// CHECK-DAG: %[[C:.*]] = linalg.index 2
// CHECK: %[[START:.*]] = arith.muli %[[B]], %[[T]]
// CHECK: %[[ROW:.*]] = arith.addi %[[START]], %[[C]]
// CHECK: tensor.extract %[[X]][%[[ROW]], %[[A]]]
func.func @pack(%x: tensor<?x8xf32>, %t: index, %d: tensor<8x?x?xf32>) -> tensor<8x?x?xf32> {
  %p = linalg.pack %x outer_dims_perm = [1, 0] inner_dims_pos = [0] inner_tiles = [%t] into %d
      : tensor<?x8xf32> -> tensor<8x?x?xf32>
  return %p : tensor<8x?x?xf32>
}

// -----

// CHECK-LABEL: @unpack(
// CHECK: linalg.generic
// CHECK: arith.divui
// CHECK: arith.remui
// CHECK: tensor.extract
func.func @unpack(%x: tensor<2x8x4xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %u = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [4] into %e : tensor<2x8x4xf32> -> tensor<8x8xf32>
  return %u : tensor<8x8xf32>
}

// -----

// CHECK-LABEL: @gather(
// CHECK-SAME: %[[X:.*]]: tensor<20x16xf32>, %[[IDS:.*]]: tensor<3x1xi32>
// CHECK: linalg.generic
// CHECK: %[[ID:.*]] = tensor.extract %[[IDS]]
// CHECK: %[[ROW:.*]] = arith.index_cast %[[ID]]
// CHECK: tensor.extract %[[X]][%[[ROW]],
func.func @gather(%x: tensor<20x16xf32>, %ids: tensor<3x1xi32>) -> tensor<3x16xf32> {
  %r = tensor.gather %x[%ids] gather_dims([0]) : (tensor<20x16xf32>, tensor<3x1xi32>) -> tensor<3x16xf32>
  return %r : tensor<3x16xf32>
}

// -----

// CHECK-LABEL: @bitcast
// CHECK: arith.bitcast %{{.*}} : f32 to i32
func.func @bitcast(%x: tensor<4xf32>) -> tensor<4xi32> {
  %y = tensor.bitcast %x : tensor<4xf32> to tensor<4xi32>
  return %y : tensor<4xi32>
}

// -----

// Only the elements of casts between types with and without a sign are cast: arith has no ops on signed types.

// CHECK-LABEL: @signs
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<?xui32>) outs(%{{.*}} : tensor<?xi32>)
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : ui32 to i32
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<?xui32>) outs(%{{.*}} : tensor<?xf32>)
// CHECK: %[[BITS:.+]] = builtin.unrealized_conversion_cast %{{.*}} : ui32 to i32
// CHECK: arith.bitcast %[[BITS]] : i32 to f32
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<si8>) outs(%{{.*}} : tensor<ui8>)
// CHECK: %[[BYTE:.+]] = builtin.unrealized_conversion_cast %{{.*}} : si8 to i8
// CHECK: builtin.unrealized_conversion_cast %[[BYTE]] : i8 to ui8
func.func @signs(%x: tensor<?xui32>, %y: tensor<si8>) -> (tensor<?xi32>, tensor<?xf32>, tensor<ui8>) {
  %r = builtin.unrealized_conversion_cast %x : tensor<?xui32> to tensor<?xi32>
  %s = tensor.bitcast %x : tensor<?xui32> to tensor<?xf32>
  %t = tensor.bitcast %y : tensor<si8> to tensor<ui8>
  return %r, %s, %t : tensor<?xi32>, tensor<?xf32>, tensor<ui8>
}

// -----

// The buffers of this loop would be in no memory that a kernel can allocate.
// CHECK-LABEL: @forall
// CHECK: scf.forall
// CHECK-NOT: mapping
func.func @forall(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = scf.forall (%i) in (8) shared_outs(%o = %x) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %x[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %y = math.absf %s : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  } {mapping = [#gpu.block<x>]}
  return %r : tensor<8xf32>
}

// -----

// Upstream folds this to a constant of dynamic size, which cannot be bufferized.
// CHECK-LABEL: @folds_dynamic
// CHECK-NOT: dense
// CHECK: linalg.generic
// CHECK: return
func.func @folds_dynamic(%x: tensor<?xi32>) -> tensor<?xi32> {
  %y = arith.xori %x, %x : tensor<?xi32>
  return %y : tensor<?xi32>
}

// -----

// memref.subview cannot tell which unit dimension of a strided slice is dropped.
// CHECK-LABEL: @ambiguous_extract
// CHECK: tensor.extract_slice %{{.*}} [1, 1, 3] [3, 1, 2] : tensor<4x5x8xf32> to tensor<1x1x3xf32>
// CHECK: tensor.collapse_shape %{{.*}} : tensor<1x1x3xf32> into tensor<1x3xf32>
func.func @ambiguous_extract(%x: tensor<4x5x8xf32>, %i: index) -> tensor<1x3xf32> {
  %s = tensor.extract_slice %x[%i, 0, 0] [1, 1, 3] [3, 1, 2] : tensor<4x5x8xf32> to tensor<1x3xf32>
  return %s : tensor<1x3xf32>
}
// CHECK-LABEL: @ambiguous_insert
// CHECK: tensor.expand_shape %{{.*}} : tensor<1x3xf32> into tensor<1x1x3xf32>
// CHECK: tensor.insert_slice %{{.*}} [1, 1, 3] [3, 1, 2] : tensor<1x1x3xf32> into tensor<4x5x8xf32>
func.func @ambiguous_insert(%s: tensor<1x3xf32>, %x: tensor<4x5x8xf32>, %i: index) -> tensor<4x5x8xf32> {
  %y = tensor.insert_slice %s into %x[0, %i, 0] [1, 1, 3] [3, 1, 2] : tensor<1x3xf32> into tensor<4x5x8xf32>
  return %y : tensor<4x5x8xf32>
}

// -----

// Upstream's memref.collapse_shape has a static size 0 here.
// CHECK-LABEL: @empty_reshapes
// CHECK-NOT: tensor.collapse_shape
// CHECK: tensor.empty(%{{.*}}) : tensor<?xf32>
// CHECK: return
func.func @empty_reshapes(%x: tensor<0x16x?xf32>) -> tensor<?xf32> {
  %y = tensor.collapse_shape %x [[0, 1, 2]] : tensor<0x16x?xf32> into tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// The size of %d is constant, though not in its type.
// CHECK-LABEL: @scatter_into_cast
// CHECK: scf.for
// CHECK: tensor.extract_slice %{{.*}} [1, 4, 1, 1] [1, 1, 1, 1] : tensor<3x?x1x1xi8> to tensor<4x1x1xi8>
func.func @scatter_into_cast(%x: tensor<3x?x1x1xi8>, %c: tensor<4x1x16xi8>, %i: tensor<3x1xi32>) -> tensor<?x1x16xi8> {
  %d = tensor.cast %c : tensor<4x1x16xi8> to tensor<?x1x16xi8>
  %r = tensor.scatter %x into %d[%i] scatter_dims([2]) unique : (tensor<3x?x1x1xi8>, tensor<?x1x16xi8>, tensor<3x1xi32>) -> tensor<?x1x16xi8>
  return %r : tensor<?x1x16xi8>
}

// Padding by a constant selects an element or the constant. Upstream's lowering
// remains for dynamic sizes, and for sources without elements.
// CHECK-LABEL: func.func @pad(
// CHECK: linalg.generic
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: tensor.extract
// CHECK: arith.select
// CHECK: tensor.pad
// CHECK: tensor.pad
func.func @pad(%x: tensor<4xf32>, %y: tensor<?xf32>, %z: tensor<0xf32>, %c: f32)
    -> (tensor<7xf32>, tensor<?xf32>, tensor<2xf32>) {
  %0 = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<4xf32> to tensor<7xf32>
  %1 = tensor.pad %y low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<?xf32> to tensor<?xf32>
  %2 = tensor.pad %z low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<0xf32> to tensor<2xf32>
  return %0, %1, %2 : tensor<7xf32>, tensor<?xf32>, tensor<2xf32>
}

ml_program.global private @weights(dense<[1.0, 2.0]> : tensor<2xf32>) : tensor<2xf32>
// CHECK-LABEL: func.func @constant_global
// CHECK: arith.constant dense<[1.000000e+00, 2.000000e+00]>
// CHECK-NOT: ml_program.global_load_const
func.func @constant_global() -> tensor<2xf32> {
  %w = ml_program.global_load_const @weights : tensor<2xf32>
  return %w : tensor<2xf32>
}
