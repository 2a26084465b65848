// RUN: %aircc opt %s --codegen-verify-input --split-input-file --verify-diagnostics

// Sizes of groups are part of ops that have groups. Upstream conversions copy
// the attribute from other ops, too.

func.func private @callee(%x: index)

func.func @caller(%x: index) {
  // expected-error @below {{cannot have the attribute 'operandSegmentSizes', because its operands and results form no groups}}
  call @callee(%x) {operandSegmentSizes = array<i32: 1>} : (index) -> ()
  return
}

// -----

gpu.module @kernels {
  // expected-error @below {{expects 'kernel.alignment' to be an i64 that is a power of two, but got 24 : i64}}
  gpu.func @k() workgroup(%0 : memref<64xf32, #gpu.address_space<workgroup>> {kernel.alignment = 24 : i64}) kernel {
    gpu.return
  }
}
