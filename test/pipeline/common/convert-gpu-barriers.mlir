// RUN: %aircc opt --aircc-convert-gpu-barriers %s | FileCheck %s --check-prefixes=CHECK,KEPT
// RUN: %aircc opt --aircc-convert-gpu-barriers=lds-barriers %s | FileCheck %s --check-prefixes=CHECK,LDS

// A gpu.barrier in kernels, and in functions that kernels call, becomes a kernel.barrier, so that
// passes handle one op. In host code it is kept, and later rejected.

// CHECK-LABEL: gpu.func @kernel
// CHECK-NEXT: kernel.barrier workgroup {note}
// KEPT-NEXT: amdgpu.lds_barrier
// LDS-NEXT: kernel.barrier workgroup memory [#gpu.address_space<workgroup>]
gpu.module @m {
  gpu.func @kernel() kernel {
    gpu.barrier {note}
    amdgpu.lds_barrier
    gpu.return
  }
}

// CHECK-LABEL: func.func private @called_twice
// CHECK-NEXT: kernel.barrier workgroup
func.func private @called_twice() {
  gpu.barrier
  return
}

// CHECK-LABEL: func.func private @called
// CHECK-NEXT: kernel.barrier workgroup
func.func private @called() {
  gpu.barrier
  call @called_twice() : () -> ()
  return
}

// CHECK-LABEL: func.func @host
// CHECK-NEXT: gpu.barrier
// CHECK: gpu.launch
// CHECK-NEXT: kernel.barrier workgroup
// CHECK: air.herd
// CHECK-NEXT: kernel.barrier workgroup
func.func @host(%n: index) {
  gpu.barrier
  gpu.launch blocks(%bx, %by, %bz) in (%sx = %n, %sy = %n, %sz = %n)
      threads(%tx, %ty, %tz) in (%bsx = %n, %bsy = %n, %bsz = %n) {
    gpu.barrier
    func.call @called() : () -> ()
    gpu.terminator
  }
  air.herd tile (%x) in (%s = %n) {
    gpu.barrier
  }
  return
}
