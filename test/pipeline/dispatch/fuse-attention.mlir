// RUN: %aircc opt %s --dispatch-normalize-tensors --dispatch-fuse-elementwise --dispatch-fuse-attention=matrix-types=f16 | FileCheck %s
// RUN: %aircc opt %s --dispatch-normalize-tensors --dispatch-fuse-elementwise --dispatch-fuse-attention=matrix-types=bf16 | FileCheck %s --check-prefix=OTHER
// RUN: %aircc opt %s --dispatch-normalize-tensors --dispatch-fuse-elementwise "--dispatch-fuse-attention=matrix-types=f16 max-head-size=16" | FileCheck %s --check-prefix=OTHER

// OTHER-NOT: scf.forall

#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#key = affine_map<(b, i, j) -> (j)>

// Scale, mask, softmax, conversions and both contractions are one kernel.

// CHECK-LABEL: func.func @fused
// CHECK: scf.forall () in ()
// CHECK: linalg.contract
// CHECK: arith.mulf
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: arith.divf
// CHECK: linalg.batch_matmul
// CHECK: arith.truncf
// CHECK: tensor.parallel_insert_slice {{.*}} : tensor<2x64x32xf16> into tensor<2x64x32xf16>
// CHECK-NOT: linalg
// CHECK: return
func.func @fused(%q: tensor<2x64x32xf16>, %k: tensor<2x64x32xf16>, %v: tensor<2x64x32xf16>, %mask: tensor<64xf32>)
    -> tensor<2x64x32xf16> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %es = tensor.empty() : tensor<2x64x64xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x64x32xf16>, tensor<2x64x32xf16>) outs(%fs : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %l = linalg.generic {indexing_maps = [#id, #key, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %mask : tensor<2x64x64xf32>, tensor<64xf32>) outs(%es : tensor<2x64x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %t = arith.mulf %a, %scale : f32
    %u = arith.addf %t, %m : f32
    linalg.yield %u : f32
  } -> tensor<2x64x64xf32>
  %p = linalg.softmax dimension(2) ins(%l : tensor<2x64x64xf32>) outs(%es : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %h = arith.truncf %p : tensor<2x64x64xf32> to tensor<2x64x64xf16>
  %e = tensor.empty() : tensor<2x64x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
  %r = linalg.batch_matmul ins(%h, %v : tensor<2x64x64xf16>, tensor<2x64x32xf16>)
      outs(%f : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
  %n = arith.truncf %r : tensor<2x64x32xf32> to tensor<2x64x32xf16>
  return %n : tensor<2x64x32xf16>
}

// The weights leave the function, and the softmax of the second is along the queries.

// CHECK-LABEL: func.func @apart
// CHECK-NOT: scf.forall
func.func @apart(%q: tensor<2x64x32xf16>, %k: tensor<2x64x32xf16>, %v: tensor<2x64x32xf16>)
    -> (tensor<2x64x32xf32>, tensor<2x64x64xf16>, tensor<2x64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x64x64xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x64x32xf16>, tensor<2x64x32xf16>) outs(%fs : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x64x64xf32>) outs(%es : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %h = arith.truncf %p : tensor<2x64x64xf32> to tensor<2x64x64xf16>
  %e = tensor.empty() : tensor<2x64x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
  %r = linalg.batch_matmul ins(%h, %v : tensor<2x64x64xf16>, tensor<2x64x32xf16>)
      outs(%f : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
  %s1 = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%k, %q : tensor<2x64x32xf16>, tensor<2x64x32xf16>) outs(%fs : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %p1 = linalg.softmax dimension(1) ins(%s1 : tensor<2x64x64xf32>) outs(%es : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %h1 = arith.truncf %p1 : tensor<2x64x64xf32> to tensor<2x64x64xf16>
  %r1 = linalg.batch_matmul ins(%h1, %v : tensor<2x64x64xf16>, tensor<2x64x32xf16>)
      outs(%f : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
  return %r, %h, %r1 : tensor<2x64x32xf32>, tensor<2x64x64xf16>, tensor<2x64x32xf32>
}
