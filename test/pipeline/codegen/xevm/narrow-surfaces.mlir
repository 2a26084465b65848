// RUN: %aircc opt %s --codegen-lower-narrow-surfaces | FileCheck %s

gpu.module @kernels {
  // Rows of 32 bytes.
  // CHECK-LABEL: gpu.func @narrow
  // CHECK-NOT: xegpu.load_nd
  // CHECK: %[[LANE:.*]] = gpu.lane_id
  // CHECK: %[[COLUMN:.*]] = arith.addi %{{.*}}, %[[LANE]]
  // CHECK: arith.cmpi ult, %[[COLUMN]], %c16
  // CHECK-COUNT-8: memref.load %arg0[%{{.*}}, %[[COLUMN]]] : memref<20x16xf16>
  // CHECK: vector.from_elements
  // CHECK-NOT: xegpu.prefetch_nd
  // CHECK-COUNT-8: memref.store %{{.*}}, %arg1[
  // CHECK-NOT: xegpu.store_nd
  gpu.func @narrow(%a: memref<20x16xf16>, %b: memref<20x16xf16>, %row: index) kernel {
    %da = xegpu.create_nd_tdesc %a : memref<20x16xf16> -> !xegpu.tensor_desc<8x16xf16>
    %db = xegpu.create_nd_tdesc %b : memref<20x16xf16> -> !xegpu.tensor_desc<8x16xf16>
    xegpu.prefetch_nd %da[%row, 0] : !xegpu.tensor_desc<8x16xf16>
    %v = xegpu.load_nd %da[%row, 0] : !xegpu.tensor_desc<8x16xf16> -> vector<8xf16>
    xegpu.store_nd %v, %db[%row, 0] : vector<8xf16>, !xegpu.tensor_desc<8x16xf16>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @wide
  // CHECK: xegpu.load_nd
  // CHECK: xegpu.store_nd
  gpu.func @wide(%a: memref<20x32xf16>, %row: index) kernel {
    %da = xegpu.create_nd_tdesc %a : memref<20x32xf16> -> !xegpu.tensor_desc<8x16xf16>
    %v = xegpu.load_nd %da[%row, 0] : !xegpu.tensor_desc<8x16xf16> -> vector<8xf16>
    xegpu.store_nd %v, %da[%row, 16] : vector<8xf16>, !xegpu.tensor_desc<8x16xf16>
    gpu.return
  }
}
