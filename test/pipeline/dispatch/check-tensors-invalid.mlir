// RUN: %aircc opt --dispatch-check-tensors --split-input-file --verify-diagnostics %s

// expected-error@below {{'func.func' op has a tensor of 'complex<f32>'; elements must be integers or floating-point numbers of at most 64 bits; split complex numbers into real and imaginary parts}}
func.func @complex(%x: tensor<4xcomplex<f32>>) {
  return
}

// -----

// expected-error@below {{'func.func' op has a tensor of 'i128'; integers may have at most 64 bits}}
func.func @wide(%x: tensor<4xi128>) {
  return
}

// -----

func.func @tf32(%x: tensor<4xf32>) {
  // expected-error@below {{'arith.truncf' op uses 'tf32', which devices support neither in memory nor in arithmetic; use f32}}
  %y = arith.truncf %x : tensor<4xf32> to tensor<4xtf32>
  return
}

// -----

#id = affine_map<(i) -> (i)>
func.func @tf32_in_body(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    // expected-error@below {{'arith.truncf' op uses 'tf32'}}
    %t = arith.truncf %a : f32 to tf32
    %r = arith.extf %t : tf32 to f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error@below {{'func.func' op uses 'tf32'}}
func.func @tf32_argument(%x: tensor<4xf32>, %s: tf32) {
  return
}

// -----

func.func @unranked(%x: tensor<4xf32>) {
  // expected-error@below {{'tensor.cast' op has the unranked tensor type 'tensor<*xf32>'; only tensors of known rank are supported}}
  %y = tensor.cast %x : tensor<4xf32> to tensor<*xf32>
  return
}

// -----

// expected-error@below {{'func.func' op has the tensor type 'tensor<4xf32, "sparse">', whose encoding is not supported; use a dense tensor}}
func.func @encoding(%x: tensor<4xf32, "sparse">) {
  return
}

// -----

func.func @in_launch() {
  air.launch () in () {
    // expected-error@below {{'tensor.empty' op operates on tensors inside 'air.launch'; use memrefs there, or move the op to a function on tensors, which aircc compiles to separate kernels}}
    %e = tensor.empty() : tensor<4xf32>
  }
  return
}

// -----

func.func @in_rank(%n: index) {
  air.rank (%r) in (%s = %n) {
    // expected-error@below {{'tensor.empty' op operates on tensors inside 'air.rank'}}
    %e = tensor.empty() : tensor<4xf32>
  }
  return
}

// -----

func.func @dialect(%x: tensor<4xf32>) {
  // expected-error@below {{'sparse_tensor.convert' op produces a tensor, but tensor ops of its dialect are not supported; use linalg, tensor, arith, math, scf or TOSA}}
  %y = sparse_tensor.convert %x : tensor<4xf32> to tensor<4xf32>
  return
}
