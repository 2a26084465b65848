// RUN: %aircc opt %s --link-prepare-host --split-input-file --verify-diagnostics
// RUN: %aircc opt %s --split-input-file --one-shot-bufferize=bufferize-function-boundaries --link-prepare-host

func.func @ops() -> f32 {
  // expected-error @+1 {{operates on tensors; bufferize the program first, for example with 'aircc opt --one-shot-bufferize=bufferize-function-boundaries'}}
  %a = arith.constant dense<1.0> : tensor<4x4xf32>
  %c = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  %zero = arith.constant 0 : index
  %x = tensor.extract %c[%zero, %zero] : tensor<4x4xf32>
  return %x : f32
}

// -----

// expected-error @+1 {{operates on tensors; bufferize the program first, for example with 'aircc opt --one-shot-bufferize=bufferize-function-boundaries'}}
func.func @argument(%a: tensor<4xf32>) {
  return
}
