// RUN: %aircc opt %s --canonicalize --cse | FileCheck %s

#rows = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1],
                       thread_tile = [8, 8], element_tile = [1, 2],
                       subgroup_strides = [0, 0], thread_strides = [8, 1]>
#cols = #layout.nested<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1],
                       thread_tile = [8, 8], element_tile = [1, 2],
                       subgroup_strides = [0, 0], thread_strides = [1, 8]>

// A second conversion to the same layout for the same reason is erased. Others are kept:
// they are anchors, or conversions.
// CHECK-LABEL: func.func @to_layout(
func.func @to_layout(%v: vector<8x16xf16>) -> (vector<8x16xf16>, vector<8x16xf16>, vector<8x16xf16>) {
  // CHECK: %[[A:.*]] = layout.to_layout %{{.*}} to layout(#{{[a-z0-9]*}}) : vector<8x16xf16>
  %a = layout.to_layout %v to layout(#rows) : vector<8x16xf16>
  %b = layout.to_layout %a to layout(#rows) : vector<8x16xf16>
  // CHECK: %[[C:.*]] = layout.to_layout %[[A]]
  %c = layout.to_layout %b to layout(#cols) : vector<8x16xf16>
  // CHECK: %[[D:.*]] = layout.to_layout %[[C]] to layout(#{{.*}}) {shared_memory_conversion}
  %d = layout.to_layout %c to layout(#cols) {shared_memory_conversion} : vector<8x16xf16>
  // CHECK: return %[[A]], %[[C]], %[[D]]
  return %b, %c, %d : vector<8x16xf16>, vector<8x16xf16>, vector<8x16xf16>
}

// A transfer to LDS has effects.
// CHECK-LABEL: func.func @async_dma(
func.func @async_dma(%a: memref<128xf16>, %b: memref<64xf16, #gpu.address_space<workgroup>>, %i: index) {
  // CHECK-COUNT-2: layout.async_dma
  layout.async_dma %a[%i] to %b[%i], vector<64xf16> : memref<128xf16>, memref<64xf16, #gpu.address_space<workgroup>>
  layout.async_dma %a[%i] to %b[%i], vector<64xf16> : memref<128xf16>, memref<64xf16, #gpu.address_space<workgroup>>
  return
}
