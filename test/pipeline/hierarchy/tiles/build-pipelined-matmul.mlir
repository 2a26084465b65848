// RUN: %aircc opt %s --hierarchy-build-matmul-kernels=target=%targets/gfx942.json | FileCheck %s
// RUN: %aircc opt %s --hierarchy-build-matmul-kernels=target=%targets/gfx950.json | FileCheck %s --check-prefix=DIRECT

// Rows of A and B are along K: the loop carries the first half of both tiles,
// reads the second one, multiplies the first one, reads the first half of the
// next tiles, and multiplies the second one.

// CHECK-LABEL: func.func @nt
// CHECK: scf.for {{.*}} iter_args(%[[SUMS:[^ ]*]] = %{{[^ ]*}}, %[[A:[^ ]*]] = %{{[^ ]*}}, %[[B:[^ ]*]] = %
// CHECK: %[[A2:.*]] = vector.transfer_read {{.*}}#gpu.address_space<workgroup>>
// CHECK: %[[B2:.*]] = vector.transfer_read {{.*}}#gpu.address_space<workgroup>>
// CHECK: %[[PRODUCT:.*]] = vector.contract {{.*}} %[[A]], %[[B]], %[[SUMS]]
// CHECK: kernel.access workgroup
// CHECK: %[[A1:.*]] = vector.transfer_read {{.*}}#gpu.address_space<workgroup>>
// CHECK: %[[B1:.*]] = vector.transfer_read {{.*}}#gpu.address_space<workgroup>>
// CHECK: %[[NEXT:.*]] = vector.contract {{.*}} %[[A2]], %[[B2]], %[[PRODUCT]]
// CHECK: scf.yield %[[NEXT]], %[[A1]], %[[B1]]

// Tiles that go straight to LDS are moved behind the reads of the next ones.
// DIRECT-LABEL: func.func @nt
// DIRECT: scf.for {{.*}} iter_args(%[[SUMS:[^ ]*]] = %{{[^ ]*}}, %[[A:[^ ]*]] = %{{[^ ]*}}, %[[B:[^ ]*]] = %
// DIRECT: %[[PRODUCT:.*]] = vector.contract {{.*}} %[[A]], %[[B]], %[[SUMS]]
// DIRECT: layout.async_wait
// DIRECT: %[[A1:.*]] = vector.transfer_read {{.*}}#gpu.address_space<workgroup>>
// DIRECT: layout.async_dma
// DIRECT: %[[B1:.*]] = vector.transfer_read {{.*}}#gpu.address_space<workgroup>>
// DIRECT: layout.async_dma
// DIRECT: %[[NEXT:.*]] = vector.contract {{.*}}, %[[PRODUCT]]
// DIRECT: scf.yield %[[NEXT]], %[[A1]], %[[B1]]
func.func @nt(%a: memref<512x512xf16>, %b: memref<512x512xf16>, %c: memref<512x512xf32>) {
  air.launch () in () args(%x=%a, %y=%b, %z=%c) : memref<512x512xf16>, memref<512x512xf16>, memref<512x512xf32> {
    linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                   affine_map<(m, n, k) -> (m, n)>]
        ins(%x, %y : memref<512x512xf16>, memref<512x512xf16>) outs(%z : memref<512x512xf32>)
  }
  return
}
