// RUN: %aircc opt %s --link-lower-host-vectors | FileCheck %s

// A thread of the host holds complete vectors: an anchor changes nothing.
// CHECK-LABEL: func.func @anchored
// CHECK-SAME:      (%[[V:.*]]: vector<16xf32>)
// CHECK-NOT:     layout.to_layout
// CHECK:         %[[SUM:.*]] = arith.addf %[[V]], %[[V]] : vector<16xf32>
// CHECK:         return %[[SUM]] : vector<16xf32>
#l = #layout.nested<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [8], element_tile = [2],
                    subgroup_strides = [0], thread_strides = [1]>
func.func @anchored(%v: vector<16xf32>) -> vector<16xf32> {
  %w = layout.to_layout %v to layout(#l) : vector<16xf32>
  %x = arith.addf %w, %w : vector<16xf32>
  %y = layout.to_layout %x to layout(#l) {shared_memory_conversion} : vector<16xf32>
  return %y : vector<16xf32>
}
