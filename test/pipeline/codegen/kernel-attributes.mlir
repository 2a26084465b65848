// RUN: split-file %s %t
// RUN: %aircc opt %t/good.mlir --codegen-set-kernel-attributes | FileCheck %t/good.mlir
// RUN: not %aircc opt %t/large.mlir --codegen-set-kernel-attributes=max-threads=512 2>&1 | FileCheck %t/large.mlir
// RUN: not %aircc opt %t/contradiction.mlir --codegen-set-kernel-attributes 2>&1 | FileCheck %t/contradiction.mlir
// RUN: not %aircc opt %t/grid.mlir --codegen-set-kernel-attributes 2>&1 | FileCheck %t/grid.mlir
// RUN: not %aircc opt %t/clusters.mlir --codegen-set-kernel-attributes 2>&1 | FileCheck %t/clusters.mlir
// RUN: %aircc opt %t/dynamic.mlir --codegen-set-kernel-attributes | FileCheck %t/dynamic.mlir
// RUN: %aircc opt %t/elsewhere.mlir --codegen-set-kernel-attributes=has-external-launches | FileCheck %t/elsewhere.mlir

//--- good.mlir
module attributes {gpu.container_module} {
  gpu.module @m {
    // All launches agree on the block, not on the grid.
    // CHECK-LABEL: gpu.func @agreed
    // CHECK-NOT: known_grid_size
    // CHECK-SAME: known_block_size = array<i32: 64, 2, 1>
    gpu.func @agreed() kernel {
      gpu.return
    }
    // CHECK-LABEL: gpu.func @differing
    // CHECK-SAME: known_grid_size = array<i32: 8, 1, 1>
    // CHECK-SAME: rocdl.flat_work_group_size = "1,1024"
    gpu.func @differing() kernel {
      gpu.return
    }
    // CHECK-LABEL: gpu.func @dynamic
    // CHECK-NOT: known_block_size
    // CHECK-SAME: rocdl.flat_work_group_size = "1,1024"
    gpu.func @dynamic() kernel {
      gpu.return
    }
    // CHECK-LABEL: gpu.func @launched_elsewhere
    // CHECK-SAME: rocdl.flat_work_group_size = "1,1024"
    gpu.func @launched_elsewhere() kernel {
      gpu.return
    }
    // CHECK-LABEL: gpu.func @own
    // CHECK-SAME: rocdl.flat_work_group_size = "64,128"
    gpu.func @own() kernel attributes {rocdl.flat_work_group_size = "64,128"} {
      gpu.return
    }
    // CHECK-LABEL: gpu.func @no_kernel
    // CHECK-NOT: rocdl
    gpu.func @no_kernel() {
      gpu.return
    }
  }
  func.func @f(%n: index) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@agreed blocks in (%c8, %c1, %c1) threads in (%c64, %c2, %c1)
    gpu.launch_func @m::@agreed blocks in (%n, %c1, %c1) threads in (%c64, %c2, %c1)
    gpu.launch_func @m::@differing blocks in (%c8, %c1, %c1) threads in (%c64, %c2, %c1)
    gpu.launch_func @m::@differing blocks in (%c8, %c1, %c1) threads in (%c64, %c1, %c1)
    gpu.launch_func @m::@dynamic blocks in (%n, %c1, %c1) threads in (%n, %c1, %c1)
    return
  }
}

//--- large.mlir
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @f() {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c3 = arith.constant 3 : index
    // CHECK: large.mlir:[[#@LINE+1]]:5: error: a workgroup of 256 x 3 x 1 is 768 threads, but the target allows only 512
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c256, %c3, %c1)
    return
  }
}

//--- contradiction.mlir
module attributes {gpu.container_module} {
  gpu.module @m {
    // CHECK: contradiction.mlir:[[#@LINE+9]]:5: error: 'gpu.launch_func' op launches workgroups of 64 x 1 x 1 threads, but the kernel specifies 128 x 1 x 1
    // CHECK: note: known_block_size is specified here
    gpu.func @k() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      gpu.return
    }
  }
  func.func @f() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
    return
  }
}

//--- grid.mlir
module attributes {gpu.container_module} {
  gpu.module @m {
    // CHECK: grid.mlir:[[#@LINE+9]]:5: error: 'gpu.launch_func' op launches a grid of 1 x 1 x 1 workgroups, but the kernel specifies 64 x 1 x 1
    // CHECK: note: known_grid_size is specified here
    gpu.func @k() kernel attributes {known_grid_size = array<i32: 64, 1, 1>} {
      gpu.return
    }
  }
  func.func @f() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
    return
  }
}

//--- clusters.mlir
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @f() {
    %c1 = arith.constant 1 : index
    // CHECK: clusters.mlir:[[#@LINE+1]]:5: error: 'gpu.launch_func' op launches workgroups in clusters, which this backend does not support
    gpu.launch_func @m::@k clusters in (%c1, %c1, %c1) blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

//--- dynamic.mlir
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k() kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 3, 2, 1>} {
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @f
  // CHECK:         %[[KERNEL:.*]] = llvm.mlir.addressof @launch_check_k
  // CHECK:         %[[BLOCK:.*]] = llvm.mlir.addressof @launch_check_known_block_size
  // CHECK:         call @mgpuCheckLaunchSize(%[[KERNEL]], %[[BLOCK]], %arg0, %c1, %c1, %c64, %c1{{.*}}, %c1{{.*}})
  // CHECK:         call @mgpuCheckLaunchSize({{.*}}, %c3, %arg0, %c1, %c3{{.*}}, %c2{{.*}}, %c1{{.*}})
  // CHECK:         gpu.launch_func
  func.func @f(%n: index) {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    gpu.launch_func @m::@k blocks in (%c3, %n, %c1) threads in (%n, %c1, %c1)
    return
  }
}

//--- elsewhere.mlir
module attributes {gpu.container_module} {
  gpu.module @m {
    // CHECK-LABEL: gpu.func @k
    // CHECK-NOT: known_grid_size
    // CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @f() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
    return
  }
}
