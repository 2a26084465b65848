// RUN: %aircc opt %s --codegen-check-codegen-input --verify-diagnostics

// Sizes of groups are part of ops that have groups. Upstream conversions copy
// the attribute from other ops, too.

func.func private @callee(%x: index)

func.func @caller(%x: index) {
  // expected-error @below {{cannot have the attribute 'operandSegmentSizes': its operands and results form no groups}}
  call @callee(%x) {operandSegmentSizes = array<i32: 1>} : (index) -> ()
  return
}
