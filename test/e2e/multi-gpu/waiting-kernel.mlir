// A kernel that waits for a flag which another rank does not set: because it has
// died, because it has failed, or because it never does.

// RUN: %aircc %s --target gfx942 -o %t
// RUN: sh %S/Inputs/ranks.sh 2 %t never 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: sh %S/Inputs/ranks.sh 2 %t killed 2>&1 | FileCheck %s --check-prefix=KILLED
// RUN: sh %S/Inputs/ranks.sh 2 %t exits 2>&1 | FileCheck %s --check-prefix=EXITS

// NEVER-DAG: rank 0 of 2: status 1
// NEVER-DAG: mgpuLaunchKernel(function="wait_for_flag", {{.*}}): kernel 'wait_for_flag', workgroup (0,0,0), wave 0: all waves have been waiting for 3 s (AIRCC_WAIT_LIMIT); this wave polls channel @Flag (rank 0's buffer, byte 64 of 128), address 0x{{[0-9a-f]+}}, which holds 0; at 0x{{[0-9a-f]+}} (wait_for_flag+0x{{[0-9a-f]+}}): {{.*}}load_dword
// NEVER-DAG: note: this is rank 0 of 2
// NEVER-DAG: rank 1 of 2: status 1
// NEVER-DAG: rank 0 (process {{[0-9]+}}) has failed: mgpuLaunchKernel({{.*}} channel @Flag {{.*}}; rank 1 stops

// KILLED-DAG: rank 1 (process {{[0-9]+}}) has died; rank 0 stops
// KILLED-DAG: rank 0 of 2: status 1
// KILLED-DAG: rank 1 of 2: status 137

// EXITS-DAG: rank 1 (process {{[0-9]+}}) has failed: it has ended with status 3; rank 0 stops
// EXITS-DAG: rank 0 of 2: status 1
// EXITS-DAG: rank 1 of 2: status 3

module attributes {gpu.container_module} {
  func.func private @mgpuSymmetricHeapInit(i64)
  func.func private @mgpuGetRank() -> i32
  func.func private @mgpuChannelAlloc(!llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  llvm.func @strcmp(!llvm.ptr, !llvm.ptr) -> i32
  llvm.func @raise(i32) -> i32
  llvm.func @exit(i32)
  llvm.func @usleep(i32) -> i32
  llvm.func @pause() -> i32
  llvm.mlir.global internal constant @name("@Flag\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @killed("killed\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @exits("exits\00") {addr_space = 0 : i32}

  gpu.module @kernels {
    gpu.func @wait_for_flag(%line: !llvm.ptr) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %flag = llvm.getelementptr %line[16] : (!llvm.ptr) -> !llvm.ptr, i32
      scf.while : () -> () {
        %seen = llvm.load %flag atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
        %early = arith.cmpi eq, %seen, %c0 : i32
        scf.condition(%early)
      } do {
        scf.yield
      }
      gpu.return
    }
  }

  func.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {
    %null = llvm.mlir.zero : !llvm.ptr
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %bytes = arith.constant 65536 : i64
    %line_bytes = arith.constant 128 : i64
    call @mgpuSymmetricHeapInit(%bytes) : (i64) -> ()
    %name = llvm.mlir.addressof @name : !llvm.ptr
    %line = call @mgpuChannelAlloc(%name, %line_bytes, %null) : (!llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
    %rank = call @mgpuGetRank() : () -> i32
    %first = arith.cmpi eq, %rank, %c0 : i32
    scf.if %first {
      gpu.launch_func @kernels::@wait_for_flag blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%line : !llvm.ptr)
    } else {
      // So that the other one waits.
      %moment = arith.constant 300000 : i32
      %slept = llvm.call @usleep(%moment) : (i32) -> i32
      %slot = llvm.getelementptr %argv[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
      %how = llvm.load %slot : !llvm.ptr -> !llvm.ptr
      %killed = llvm.mlir.addressof @killed : !llvm.ptr
      %exits = llvm.mlir.addressof @exits : !llvm.ptr
      %not_killed = llvm.call @strcmp(%how, %killed) : (!llvm.ptr, !llvm.ptr) -> i32
      %dies = arith.cmpi eq, %not_killed, %c0 : i32
      scf.if %dies {
        %sigkill = arith.constant 9 : i32
        %raised = llvm.call @raise(%sigkill) : (i32) -> i32
      }
      %not_exits = llvm.call @strcmp(%how, %exits) : (!llvm.ptr, !llvm.ptr) -> i32
      %ends = arith.cmpi eq, %not_exits, %c0 : i32
      scf.if %ends {
        %three = arith.constant 3 : i32
        llvm.call @exit(%three) : (i32) -> ()
      }
      %paused = llvm.call @pause() : () -> i32
    }
    return %c0 : i32
  }
}
