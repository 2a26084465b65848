// RUN: not %aircc run %s --target gfx942 --check 2>&1 | FileCheck %s
// RUN: not %aircc run %s --target gfx1100 --check 2>&1 | FileCheck %s
// RUN: not %aircc run %s --target gfx1201 --check 2>&1 | FileCheck %s
// RUN: env AIRCC_SIM_CHECK=0 %aircc run %s --target gfx942

// A barrier is missing between the waves that write LDS and those that read it.
// The checker names both accesses, and their lines in this file.

// CHECK: aircc runtime: error: mgpuLaunchKernel(
// CHECK-SAME: the checker found {{.*}} in kernel 'main_kernel'
// CHECK: data race in LDS: {{read|write}} of 4 bytes at LDS address
// CHECK-NEXT: kernel 'main_kernel', workgroup (0,0,0), wave {{[0-9]}}, lane
// CHECK-NEXT: ds_{{.*}}check.mlir:{{[0-9]+}}:
// CHECK-NEXT: after the {{read|write}} by workgroup (0,0,0), wave
// CHECK-NEXT: ds_{{.*}}check.mlir:{{[0-9]+}}:
// CHECK-NEXT: no barrier that both waves pass

module attributes {gpu.container_module} {
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %out = gpu.alloc () : memref<256xi32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) workgroup(%lds : memref<256xi32, #gpu.address_space<workgroup>>) {
      %v = arith.index_cast %tx : index to i32
      memref.store %v, %lds[%tx] : memref<256xi32, #gpu.address_space<workgroup>>
      %c255 = arith.constant 255 : index
      %q = arith.subi %c255, %tx : index
      %w = memref.load %lds[%q] : memref<256xi32, #gpu.address_space<workgroup>>
      memref.store %w, %out[%tx] : memref<256xi32>
      gpu.terminator
    }
    gpu.dealloc %out : memref<256xi32>
    return %c0 : i32
  }
}
