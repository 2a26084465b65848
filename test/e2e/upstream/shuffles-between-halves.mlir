// RUN: %aircc %s --target gfx942 -o %t && %t | FileCheck %s
// RUN: %aircc %s --target gfx1100 --wave-size 64 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1100 --wave-size 64 -O0 -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %aircc %s --target gfx1201 --wave-size 64 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s
// CHECK:      64 lanes: wrong at -1
// CHECK-NEXT: 48 lanes: wrong at -1
// CHECK-NEXT: 64 lanes: wrong at -1

// gpu.shuffle between the halves of a wave of 64 lanes: in a whole wave, in a wave that the workgroup does not fill,
// and in a branch. In the last two, the lane that has the number of the source in the other half may be inactive.
// The host computes the sources again.

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("%ld lanes: wrong at %ld\0A\00") {addr_space = 0 : i32}

gpu.module @kernels {
  gpu.func @all(%out: memref<64xi32>, %lanes: i32) kernel {
    %tid = gpu.thread_id x
    %lane = arith.index_cast %tid : index to i32
    %c64 = arith.constant 64 : i32
    %c7 = arith.constant 7 : i32
    %c5 = arith.constant 5 : i32
    %c100 = arith.constant 100 : i32
    %value = arith.addi %lane, %c100 : i32
    %a = arith.muli %lane, %c7 : i32
    %b = arith.addi %a, %c5 : i32
    %source = arith.remui %b, %lanes : i32
    %r, %valid = gpu.shuffle idx %value, %source, %c64 : i32
    memref.store %r, %out[%tid] : memref<64xi32>
    gpu.return
  }
  gpu.func @branch(%out: memref<64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %tid = gpu.thread_id x
    %lane = arith.index_cast %tid : index to i32
    %c64 = arith.constant 64 : i32
    %c3 = arith.constant 3 : i32
    %c37 = arith.constant 37 : i32
    %c100 = arith.constant 100 : i32
    %c0 = arith.constant 0 : i32
    // The lanes 3n execute the shuffle, and lane i has the source 3 * ((37 * i / 3) mod 22).
    %rest = arith.remui %lane, %c3 : i32
    %active = arith.cmpi eq, %rest, %c0 : i32
    scf.if %active {
      %c22 = arith.constant 22 : i32
      %third = arith.divui %lane, %c3 : i32
      %value = arith.addi %lane, %c100 : i32
      %a = arith.muli %third, %c37 : i32
      %b = arith.remui %a, %c22 : i32
      %source = arith.muli %b, %c3 : i32
      %r, %valid = gpu.shuffle idx %value, %source, %c64 : i32
      memref.store %r, %out[%tid] : memref<64xi32>
    }
    gpu.return
  }
}

func.func private @clear(%m: memref<64xi32>) {
  %c0 = arith.constant 0 : i32
  linalg.fill ins(%c0 : i32) outs(%m : memref<64xi32>)
  return
}

// Prints the last lane that has not the value in %wanted.
func.func private @report(%got: memref<64xi32>, %wanted: memref<64xi32>, %lanes: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant -1 : i64
  %wrong = scf.for %i = %c0 to %c64 step %c1 iter_args(%last = %none) -> (i64) {
    %g = memref.load %got[%i] : memref<64xi32>
    %w = memref.load %wanted[%i] : memref<64xi32>
    %differs = arith.cmpi ne, %g, %w : i32
    %at = arith.index_cast %i : index to i64
    %next = arith.select %differs, %at, %last : i64
    scf.yield %next : i64
  }
  %format = llvm.mlir.addressof @format : !llvm.ptr
  %printed = llvm.call @printf(%format, %lanes, %wrong) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64) -> i32
  return
}

func.func private @runAll(%lanes: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  %out = gpu.alloc () : memref<64xi32>
  %host = memref.alloc() : memref<64xi32>
  %wanted = memref.alloc() : memref<64xi32>
  func.call @clear(%host) : (memref<64xi32>) -> ()
  func.call @clear(%wanted) : (memref<64xi32>) -> ()
  gpu.memcpy %out, %host : memref<64xi32>, memref<64xi32>
  %n = arith.index_cast %lanes : index to i32
  gpu.launch_func @kernels::@all blocks in (%c1, %c1, %c1) threads in (%lanes, %c1, %c1) args(%out : memref<64xi32>, %n : i32)
  gpu.memcpy %host, %out : memref<64xi32>, memref<64xi32>
  scf.for %i = %c0 to %lanes step %c1 {
    %a = arith.muli %i, %c7 : index
    %b = arith.addi %a, %c5 : index
    %source = arith.remui %b, %lanes : index
    %value = arith.addi %source, %c100 : index
    %w = arith.index_cast %value : index to i32
    memref.store %w, %wanted[%i] : memref<64xi32>
  }
  %count = arith.index_cast %lanes : index to i64
  func.call @report(%host, %wanted, %count) : (memref<64xi32>, memref<64xi32>, i64) -> ()
  return
}

func.func private @runBranch() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c22 = arith.constant 22 : index
  %c37 = arith.constant 37 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  %out = gpu.alloc () : memref<64xi32>
  %host = memref.alloc() : memref<64xi32>
  %wanted = memref.alloc() : memref<64xi32>
  func.call @clear(%host) : (memref<64xi32>) -> ()
  func.call @clear(%wanted) : (memref<64xi32>) -> ()
  gpu.memcpy %out, %host : memref<64xi32>, memref<64xi32>
  gpu.launch_func @kernels::@branch blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%out : memref<64xi32>)
  gpu.memcpy %host, %out : memref<64xi32>, memref<64xi32>
  scf.for %third = %c0 to %c22 step %c1 {
    %a = arith.muli %third, %c37 : index
    %b = arith.remui %a, %c22 : index
    %source = arith.muli %b, %c3 : index
    %value = arith.addi %source, %c100 : index
    %w = arith.index_cast %value : index to i32
    %lane = arith.muli %third, %c3 : index
    memref.store %w, %wanted[%lane] : memref<64xi32>
  }
  %count = arith.index_cast %c64 : index to i64
  func.call @report(%host, %wanted, %count) : (memref<64xi32>, memref<64xi32>, i64) -> ()
  return
}

func.func @main() -> i32 {
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  call @runAll(%c64) : (index) -> ()
  call @runAll(%c48) : (index) -> ()
  call @runBranch() : () -> ()
  %c0 = arith.constant 0 : i32
  return %c0 : i32
}
}
