// RUN: %aircc opt %s --dispatch-pack-floats --split-input-file --verify-diagnostics

// expected-error @below {{'func.func' op has the argument #1 of type 'tensor<4x?xf4E2M1FN>', but two elements of 'f4E2M1FN' share a byte in memory, so the last dimension must be static and even}}
func.func @dynamic(%a: tensor<?x4xf4E2M1FN>, %x: tensor<4x?xf4E2M1FN>) {
  return
}

// -----

// expected-error @below {{'func.func' op has the result #0 of type 'tensor<5xf4E2M1FN>', but two elements of 'f4E2M1FN' share a byte in memory, so the last dimension must be static and even}}
func.func @odd(%x: tensor<5xf32>) -> tensor<5xf4E2M1FN> {
  %r = arith.truncf %x : tensor<5xf32> to tensor<5xf4E2M1FN>
  return %r : tensor<5xf4E2M1FN>
}
