// RUN: %aircc opt %s --verify-diagnostics --link-lower-shared-allocations

// Only plain memory can be shared with the host.

func.func @strided() -> memref<4x8xf32, strided<[16, 1]>> {
  // expected-error @below {{has the type 'memref<4x8xf32, strided<[16, 1]>>'; host-shared memory must have numeric or vector elements and an identity layout}}
  %m = gpu.alloc host_shared () : memref<4x8xf32, strided<[16, 1]>>
  return %m : memref<4x8xf32, strided<[16, 1]>>
}
