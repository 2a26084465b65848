// RUN: %aircc %s --target gfx90a -o %t && %t | FileCheck %s
// RUN: %aircc %s --target gfx942 -o %t && %t | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t && %t | FileCheck %s
// RUN: %aircc %s --target gfx1201 -o %t && %t | FileCheck %s
// RUN: %aircc %s --target gfx1201 -O0 -o %t && %t | FileCheck %s
// RUN: %aircc %s --target gfx1201 -S -o - | FileCheck %s --check-prefix=ASM

// 64-bit products of values that lanes read from their neighbors. gfx12 has no
// 64-bit multiplication that reads its operand through DPP.
// ASM-LABEL: products:
// ASM-NOT: v_mad_{{.*}}_dpp
// ASM: v_mad_co_u64_u32
// ASM-NOT: v_mad_{{.*}}_dpp
// ASM: s_endpgm

// 1000^4 * 4!, 8!/4!, 12!/8!, 16!/12!, and of each lane's number times its neighbor's.
// CHECK: ( 24000000000000, 1680000000000000, 11880000000000000, 43680000000000000 )
// CHECK: ( 2, 2, 12, 12, 30, 30, 56, 56 )

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @products(%out: memref<4xi64>, %pairs: memref<16xi64>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %tid = gpu.thread_id x
    %next = arith.addi %tid, %c1 : index
    %number = arith.index_cast %next : index to i64
    %thousand = arith.constant 1000 : i64
    %mine = arith.muli %number, %thousand : i64
    %product = gpu.subgroup_reduce mul %mine cluster(size = 4) : (i64) -> i64
    %group = arith.divui %tid, %c4 : index
    memref.store %product, %out[%group] : memref<4xi64>
    %one = arith.constant 1 : i32
    %width = arith.constant 16 : i32
    %other, %valid = gpu.shuffle xor %number, %one, %width : i64
    %more = arith.muli %other, %number : i64
    memref.store %more, %pairs[%tid] : memref<16xi64>
    gpu.return
  }
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %out = gpu.alloc host_shared () : memref<4xi64>
  %pairs = gpu.alloc host_shared () : memref<16xi64>
  gpu.launch_func @kernels::@products blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%out : memref<4xi64>, %pairs : memref<16xi64>)
  %o = vector.load %out[%c0] : memref<4xi64>, vector<4xi64>
  vector.print %o : vector<4xi64>
  %p = vector.load %pairs[%c0] : memref<16xi64>, vector<8xi64>
  vector.print %p : vector<8xi64>
  %zero = arith.constant 0 : i32
  return %zero : i32
}
}
