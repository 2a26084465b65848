// RUN: %aircc opt %s --hierarchy-check-hierarchy | FileCheck %s

// A channel that nothing uses moves no data and does no harm.

// CHECK-LABEL: module
// CHECK-NOT: air.channel
air.channel @unused [4]
func.func @f() {
  return
}
