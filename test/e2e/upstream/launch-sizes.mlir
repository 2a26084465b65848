// RUN: split-file %s %t
// RUN: %aircc %t/launch.mlir --target gfx942 -o %t/gfx942
// RUN: %t/gfx942 | FileCheck %t/launch.mlir
// RUN: not %t/gfx942 block 2>&1 | FileCheck %t/launch.mlir --check-prefix=BLOCK
// RUN: not %t/gfx942 grid 2 2>&1 | FileCheck %t/launch.mlir --check-prefix=GRID
// RUN: %aircc %t/device.mlir --target gfx942 --emit=hsaco -o %t/device.hsaco
// RUN: %aircc sim %t/device.hsaco --grid 5 --block 1 --arg i64:1 --arg same:0 --arg i64=0 --print 0 | FileCheck %t/device.mlir --check-prefix=FIVE
// RUN: not %aircc sim %t/device.hsaco --grid 5 --block 2 --arg i64:1 --arg same:0 --arg i64=0 2>&1 | FileCheck %t/device.mlir --check-prefix=TWO
// RUN: llvm-readelf --notes %t/device.hsaco | FileCheck %t/device.mlir

// Sizes that a kernel states and a launch decides at run time.

//--- launch.mlir
// CHECK: sizes: 64 3
// BLOCK: error: mgpuCheckLaunchSize(kernel="sizes", attribute="known_block_size", x=63, y=1, z=1, statedX=64, statedY=1, statedZ=1): the kernel was compiled for launches of another size
// GRID: error: mgpuCheckLaunchSize(kernel="sizes", attribute="known_grid_size", x=2, y=1, z=1, statedX=3, statedY=1, statedZ=1): the kernel was compiled for launches of another size
module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("sizes: %ld %ld\0A\00") {addr_space = 0 : i32}

gpu.module @kernels {
  gpu.func @sizes(%out: memref<2xindex>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 3, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %block = gpu.block_dim x
    %grid = gpu.grid_dim x
    memref.store %block, %out[%c0] : memref<2xindex>
    memref.store %grid, %out[%c1] : memref<2xindex>
    gpu.return
  }
}

// One argument: a smaller block. Two: a smaller grid.
func.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %lessBlock = arith.cmpi eq, %argc, %two : i32
  %lessGrid = arith.cmpi eq, %argc, %three : i32
  %b = arith.index_castui %lessBlock : i1 to index
  %g = arith.index_castui %lessGrid : i1 to index
  %block = arith.subi %c64, %b : index
  %grid = arith.subi %c3, %g : index
  %out = memref.alloc() : memref<2xindex>
  %any = memref.cast %out : memref<2xindex> to memref<*xindex>
  gpu.host_register %any : memref<*xindex>
  gpu.launch_func @kernels::@sizes blocks in (%grid, %c1, %c1) threads in (%block, %c1, %c1) args(%out : memref<2xindex>)
  %x = memref.load %out[%c0] : memref<2xindex>
  %y = memref.load %out[%c1] : memref<2xindex>
  %xl = arith.index_cast %x : index to i64
  %yl = arith.index_cast %y : index to i64
  %format = llvm.mlir.addressof @format : !llvm.ptr
  llvm.call @printf(%format, %xl, %yl) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  %status = arith.constant 0 : i32
  return %status : i32
}
}

//--- device.mlir
// Device code alone reads its grid from the launch, whatever launches are here.
// FIVE: {{(^|[^0-9])5([^0-9]|$)}}
// TWO: error: {{.*}}kernel 'sizes' was compiled for workgroups of 1x1x1 lanes, but is launched with 2x1x1
// CHECK-DAG: hidden_block_count_x
// CHECK-DAG: .reqd_workgroup_size:
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @sizes(%out: memref<index>) kernel {
    %grid = gpu.grid_dim x
    memref.store %grid, %out[] : memref<index>
    gpu.return
  }
}
func.func @f(%out: memref<index>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  gpu.launch_func @kernels::@sizes blocks in (%c3, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : memref<index>)
  return
}
}
