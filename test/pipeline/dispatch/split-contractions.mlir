// RUN: %aircc opt %s --dispatch-split-contractions=target=%targets/gfx942.json | FileCheck %s
// RUN: %aircc opt %s --dispatch-split-contractions=target=%targets/bmg.json | FileCheck %s --check-prefix=XE

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

// Both factors are divided along the reduced dimension, and products are added in order.
// CHECK-DAG: #[[$A:.+]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
// CHECK-DAG: #[[$B:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[$C:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @few_rows(
// CHECK-SAME: %[[A:.+]]: tensor<16x4096xf16>, %[[B:.+]]: tensor<4096x512xf16>
// CHECK-DAG: %[[X:.+]] = tensor.expand_shape %[[A]] {{\[\[}}0], [1, 2]] output_shape [16, [[N:[0-9]+]], [[K:[0-9]+]]]
// CHECK-DAG: %[[Y:.+]] = tensor.expand_shape %[[B]] {{\[\[}}0, 1], [2]] output_shape {{\[}}[[N]], [[K]], 512]
// CHECK: %[[PRODUCTS:.+]] = linalg.generic {indexing_maps = [#[[$A]], #[[$B]], #[[$C]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[X]], %[[Y]] : {{.*}}) outs(%{{.+}} : tensor<[[N]]x16x512xf32>)
// CHECK-DAG: %[[P0:.+]] = tensor.extract_slice %[[PRODUCTS]][0, 0, 0] [1, 16, 512]
// CHECK-DAG: %[[P1:.+]] = tensor.extract_slice %[[PRODUCTS]][1, 0, 0] [1, 16, 512]
// CHECK-DAG: %[[P2:.+]] = tensor.extract_slice %[[PRODUCTS]][2, 0, 0] [1, 16, 512]
// CHECK: scf.forall
// CHECK-DAG: %[[T0:.+]] = tensor.extract_slice %[[P0]][
// CHECK-DAG: %[[T1:.+]] = tensor.extract_slice %[[P1]][
// CHECK-DAG: %[[T2:.+]] = tensor.extract_slice %[[P2]][
// CHECK: linalg.generic {{.*}} ins(%[[T0]], %[[T1]], %[[T2]],
// CHECK-NEXT: ^bb0(%[[V0:[a-z0-9_]+]]: f32, %[[V1:[a-z0-9_]+]]: f32, %[[V2:[a-z0-9_]+]]: f32,
// CHECK-NEXT: %[[S1:.+]] = arith.addf %[[V0]], %[[V1]] : f32
// CHECK-NEXT: arith.addf %[[S1]], %[[V2]] : f32
// CHECK: mapping = [#gpu.block<
// XE-LABEL: func.func @few_rows(
// XE: linalg.matmul
func.func @few_rows(%a: tensor<16x4096xf16>, %b: tensor<4096x512xf16>) -> tensor<16x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x512xf32>) -> tensor<16x512xf32>
  %c = linalg.matmul ins(%a, %b : tensor<16x4096xf16>, tensor<4096x512xf16>)
      outs(%f : tensor<16x512xf32>) -> tensor<16x512xf32>
  return %c : tensor<16x512xf32>
}

// Sums are of f32 and rounded once. The initial value is the first addend, and the user is computed with the sum.
// CHECK-LABEL: func.func @fused(
// CHECK: %[[PRODUCTS:.+]] = linalg.generic {{.*}} outs(%{{.+}} : tensor<{{[0-9]+}}x16x512xf32>)
// CHECK-NEXT: ^bb0(%[[P:[a-z0-9_]+]]: bf16, %[[Q:[a-z0-9_]+]]: bf16, %[[O:[a-z0-9_]+]]: f32):
// CHECK-NEXT: arith.extf %[[P]] : bf16 to f32
// CHECK: scf.forall
// CHECK: linalg.generic {{.*}} outs(%{{.+}} : tensor<{{.*}}xbf16>)
// CHECK-NEXT: ^bb0(%[[INIT:[a-z0-9_]+]]: bf16, %[[P0:[a-z0-9_]+]]: f32, %[[P1:[a-z0-9_]+]]: f32
// CHECK-NEXT: %[[START:.+]] = arith.extf %[[INIT]] : bf16 to f32
// CHECK-NEXT: %[[S0:.+]] = arith.addf %[[START]], %[[P0]] : f32
// CHECK-NEXT: arith.addf %[[S0]], %[[P1]] : f32
// CHECK: %[[SUM:.+]] = arith.truncf %{{.+}} : f32 to bf16
// CHECK-NEXT: %[[R:.+]] = arith.maximumf %[[SUM]],
// CHECK-NEXT: linalg.yield %[[R]] : bf16
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @fused(%a: tensor<16x4096xbf16>, %b: tensor<4096x512xbf16>, %bias: tensor<512xbf16>) -> tensor<16x512xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<16x512xbf16>
  %f = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%bias : tensor<512xbf16>) outs(%e : tensor<16x512xbf16>) {
  ^bb0(%v: bf16, %o: bf16):
    linalg.yield %v : bf16
  } -> tensor<16x512xbf16>
  %c = linalg.matmul ins(%a, %b : tensor<16x4096xbf16>, tensor<4096x512xbf16>)
      outs(%f : tensor<16x512xbf16>) -> tensor<16x512xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<16x512xbf16>) outs(%e : tensor<16x512xbf16>) {
  ^bb0(%v: bf16, %o: bf16):
    %m = arith.maximumf %v, %zero : bf16
    linalg.yield %m : bf16
  } -> tensor<16x512xbf16>
  return %r : tensor<16x512xbf16>
}

// Not split: short sums, enough tiles, unknown sizes, and a factor that the kernel computes.
// CHECK-LABEL: func.func @whole(
// CHECK-NOT: scf.forall
// CHECK-NOT: tensor.expand_shape
// CHECK-COUNT-4: linalg.matmul
func.func @whole(%a: tensor<16x64xf16>, %b: tensor<64x512xf16>, %c: tensor<16x512xf32>,
                 %d: tensor<4096x4096xf16>, %e: tensor<4096x4096xf32>,
                 %g: tensor<16x?xf16>, %h: tensor<?x512xf16>,
                 %k: tensor<16x4096xf16>, %w: tensor<4096x512xi8>)
    -> (tensor<16x512xf32>, tensor<4096x4096xf32>, tensor<16x512xf32>, tensor<16x512xf32>) {
  %short = linalg.matmul ins(%a, %b : tensor<16x64xf16>, tensor<64x512xf16>) outs(%c : tensor<16x512xf32>) -> tensor<16x512xf32>
  %large = linalg.matmul ins(%d, %d : tensor<4096x4096xf16>, tensor<4096x4096xf16>) outs(%e : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %unknown = linalg.matmul ins(%g, %h : tensor<16x?xf16>, tensor<?x512xf16>) outs(%c : tensor<16x512xf32>) -> tensor<16x512xf32>
  %empty = tensor.empty() : tensor<4096x512xf16>
  %weights = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<4096x512xi8>) outs(%empty : tensor<4096x512xf16>) {
  ^bb0(%v: i8, %o: f16):
    %f = arith.sitofp %v : i8 to f16
    linalg.yield %f : f16
  } -> tensor<4096x512xf16>
  %computed = linalg.matmul ins(%k, %weights : tensor<16x4096xf16>, tensor<4096x512xf16>) outs(%c : tensor<16x512xf32>) -> tensor<16x512xf32>
  return %short, %large, %unknown, %computed : tensor<16x512xf32>, tensor<4096x4096xf32>, tensor<16x512xf32>, tensor<16x512xf32>
}
