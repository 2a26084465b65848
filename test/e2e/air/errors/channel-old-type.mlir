// RUN: rm -f %t.gfx942
// RUN: python3 %S/../Inputs/exits.py 1 %aircc %s --target gfx942 -o %t.gfx942 2>&1 | FileCheck %s
// RUN: test ! -e %t.gfx942

// Channel types without a prefix are no longer valid; the message lists the valid types.

// CHECK: errors/channel-old-type.mlir:[[@LINE+1]]:{{[0-9]+}}: error: {{.*dma_stream.*npu_dma_stream}}
air.channel @c [1, 1] {channel_type = "dma_stream"}
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}
