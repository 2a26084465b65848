// RUN: %aircc opt --dispatch-structure-control-flow --split-input-file %s | FileCheck %s

// CHECK-LABEL: @branch
// CHECK: scf.if
// CHECK-NOT: cf.cond_br
func.func @branch(%c: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %c, ^end(%x : tensor<4xf32>), ^end(%y : tensor<4xf32>)
^end(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}

// -----

// A loop of blocks has values that are undefined on the way out.
// CHECK-LABEL: @loop
// CHECK-NOT: ub.poison : tensor
// CHECK: tensor.empty(%{{.*}}) : tensor<?xf32>
// CHECK: scf.while
func.func @loop(%n: index, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^header(%c0, %x : index, tensor<?xf32>)
^header(%i: index, %v: tensor<?xf32>):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^end
^body:
  %w = arith.addf %v, %v : tensor<?xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^header(%j, %w : index, tensor<?xf32>)
^end:
  return %v : tensor<?xf32>
}

// -----

// CHECK-LABEL: @affine
// CHECK: scf.for
// CHECK-LABEL: @shape
// CHECK: tensor.from_elements
func.func @affine(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = affine.for %i = 0 to 3 iter_args(%v = %x) -> (tensor<4xf32>) {
    %w = arith.addf %v, %x : tensor<4xf32>
    affine.yield %w : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func @shape(%x: tensor<?x8xf32>) -> tensor<2xindex> {
  %s = shape.shape_of %x : tensor<?x8xf32> -> tensor<2xindex>
  return %s : tensor<2xindex>
}

// -----

// Functions without tensors keep their blocks.
// CHECK-LABEL: @scalars
// CHECK: cf.cond_br
func.func @scalars(%c: i1, %x: f32, %y: f32) -> f32 {
  cf.cond_br %c, ^end(%x : f32), ^end(%y : f32)
^end(%r: f32):
  return %r : f32
}

// -----

// CHECK-LABEL: @constraint
// CHECK-NOT: shape.
// CHECK: cf.assert
// CHECK-NOT: shape.
// CHECK: arith.addf
func.func @constraint(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = shape.shape_of %x : tensor<?xf32> -> tensor<1xindex>
  %1 = shape.shape_of %y : tensor<?xf32> -> tensor<1xindex>
  %w = shape.cstr_broadcastable %0, %1 : tensor<1xindex>, tensor<1xindex>
  %r = shape.assuming %w -> (tensor<?xf32>) {
    %z = arith.addf %x, %y : tensor<?xf32>
    shape.assuming_yield %z : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
