// Lanes of many waves and workgroups print in branches and loops. The texts are those
// that the host prints; each comes whole, the workgroups one after the other, and the same
// order whatever threads there are.

// RUN: %aircc %s --target gfx942 -o %t.gfx942
// RUN: %t.gfx942 host > %t.host
// RUN: env AIRCC_SIM_THREADS=1 %t.gfx942 > %t.one
// RUN: env AIRCC_SIM_THREADS=4 %t.gfx942 > %t.four
// RUN: diff %t.one %t.four
// RUN: env LC_ALL=C sort %t.one | diff - %t.host
// RUN: cut -d" " -f1 %t.one | sort -n -c
// RUN: wc -l < %t.host | FileCheck %s
// CHECK: {{^}}648{{$}}
// RUN: env AIRCC_SIM_CHECK=1 %t.gfx942 | env LC_ALL=C sort | diff - %t.host
// RUN: %aircc %s --target gfx1201 -o %t.gfx1201
// RUN: %t.gfx1201 | env LC_ALL=C sort | diff - %t.host
// RUN: env AIRCC_SIM_CHECK=1 %t.gfx1201 | env LC_ALL=C sort | diff - %t.host
// RUN: %aircc %s --target pvc -o %t.pvc
// RUN: env AIRCC_SIM_THREADS=1 %t.pvc > %t.one
// RUN: env AIRCC_SIM_THREADS=4 %t.pvc | diff - %t.one
// RUN: env LC_ALL=C sort %t.one | diff - %t.host
// RUN: cut -d" " -f1 %t.one | sort -n -c
// RUN: env AIRCC_SIM_CHECK=1 %t.pvc | env LC_ALL=C sort | diff - %t.host

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%all: index) kernel {
      %group = gpu.block_id x
      %lane = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %rest = arith.remui %lane, %c3 : index
      %is = arith.cmpi eq, %rest, %c0 : index
      %iterations = arith.remui %lane, %c4 : index
      scf.if %is {
        scf.for %i = %c0 to %iterations step %c1 {
          gpu.printf "%d lane %03d iteration %d, of those that 3 divides\n", %group, %lane, %i : index, index, index
        }
      } else {
        %below = arith.cmpi ult, %lane, %all : index
        scf.if %below {
          gpu.printf "%d lane %03d\n", %group, %lane : index, index
        }
      }
      gpu.return
    }
  }
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @iteration("%ld lane %03ld iteration %ld, of those that 3 divides\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @line("%ld lane %03ld\0A\00") {addr_space = 0 : i32}
  func.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %groups = arith.constant 6 : index
    %lanes = arith.constant 150 : index
    %all = arith.constant 50 : index
    %on_host = arith.cmpi sgt, %argc, %one : i32
    scf.if %on_host {
      %iteration = llvm.mlir.addressof @iteration : !llvm.ptr
      %line = llvm.mlir.addressof @line : !llvm.ptr
      scf.for %group = %c0 to %groups step %c1 {
        scf.for %lane = %c0 to %lanes step %c1 {
          %rest = arith.remui %lane, %c3 : index
          %is = arith.cmpi eq, %rest, %c0 : index
          %iterations = arith.remui %lane, %c4 : index
          %g = arith.index_cast %group : index to i64
          %l = arith.index_cast %lane : index to i64
          scf.if %is {
            scf.for %i = %c0 to %iterations step %c1 {
              %n = arith.index_cast %i : index to i64
              llvm.call @printf(%iteration, %g, %l, %n) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64) -> i32
            }
          } else {
            %below = arith.cmpi ult, %lane, %all : index
            scf.if %below {
              llvm.call @printf(%line, %g, %l) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
            }
          }
        }
      }
    } else {
      gpu.launch_func @m::@k blocks in (%groups, %c1, %c1) threads in (%lanes, %c1, %c1) args(%all : index)
    }
    return %zero : i32
  }
}
