// RUN: %aircc opt --dispatch-lower-tosa --verify-diagnostics %s

func.func @custom(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@below {{'tosa.custom' op has no lowering to linalg; rewrite it with ops that do}}
  %r = tosa.custom %x {operator_name = "f", domain_name = "test", implementation_attrs = ""}
      : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
