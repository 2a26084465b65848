// RUN: %aircc %s --target gfx90a -O1 -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx942 -O0 -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -O3 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx942 --emit=llvm -o - | FileCheck %s --check-prefix=IR
// CHECK: wrong: 0

// An entire private array is read, and the value is stored back in another block,
// between stores of parts. (If the load itself is stored, LLVM accesses memory that
// it has freed.)
// IR: %[[LOAD:.*]] = load <5 x double>, ptr addrspace(5)
// IR: %[[FROZEN:.*]] = freeze <5 x double> %[[LOAD]]
// IR: store <5 x double> %[[FROZEN]], ptr addrspace(5)

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("wrong: %ld\0A\00") {addr_space = 0 : i32}

gpu.module @kernels {
  gpu.func @k(%in: memref<64xf64>, %out: memref<64xf64>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %minus = arith.constant dense<-1.0> : vector<2xf64>
    %tid = gpu.thread_id x
    %x = memref.load %in[%tid] : memref<64xf64>
    %array = memref.alloca() : memref<5xf64>
    scf.for %i = %c0 to %c5 step %c1 {
      %n = arith.index_cast %i : index to i32
      %f = arith.sitofp %n : i32 to f64
      %y = arith.addf %x, %f : f64
      memref.store %y, %array[%i] : memref<5xf64>
    }
    %rest = arith.andi %tid, %c1 : index
    %odd = arith.cmpi eq, %rest, %c1 : index
    scf.if %odd {
    } else {
      vector.store %minus, %array[%c2] : memref<5xf64>, vector<2xf64>
    }
    %whole = vector.load %array[%c0] : memref<5xf64>, vector<5xf64>
    scf.if %odd {
      vector.store %minus, %array[%c0] : memref<5xf64>, vector<2xf64>
    }
    %some = arith.andi %tid, %c4 : index
    %again = arith.cmpi eq, %some, %c4 : index
    scf.if %again {
      vector.store %whole, %array[%c0] : memref<5xf64>, vector<5xf64>
    } else {
      vector.store %minus, %array[%c1] : memref<5xf64>, vector<2xf64>
    }
    %place = arith.remui %tid, %c5 : index
    %r = memref.load %array[%place] : memref<5xf64>
    memref.store %r, %out[%tid] : memref<64xf64>
    gpu.return
  }
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %n = arith.constant 64 : index
  %minus = arith.constant -1.0 : f64
  %in = memref.alloc() : memref<64xf64>
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f64
    memref.store %f, %in[%i] : memref<64xf64>
  }
  %out = memref.alloc() : memref<64xf64>
  %any_in = memref.cast %in : memref<64xf64> to memref<*xf64>
  gpu.host_register %any_in : memref<*xf64>
  %any_out = memref.cast %out : memref<64xf64> to memref<*xf64>
  gpu.host_register %any_out : memref<*xf64>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%in : memref<64xf64>, %out : memref<64xf64>)
  %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%count = %c0) -> (index) {
    // The element is x + its index, unless a part was stored over it.
    %place = arith.remui %i, %c5 : index
    %sum = arith.addi %i, %place : index
    %k = arith.index_cast %sum : index to i32
    %plain = arith.sitofp %k : i32 to f64
    %some = arith.andi %i, %c4 : index
    %again = arith.cmpi eq, %some, %c4 : index
    %rest = arith.andi %i, %c1 : index
    %odd = arith.cmpi eq, %rest, %c1 : index
    %at0 = arith.cmpi eq, %place, %c0 : index
    %at1 = arith.cmpi eq, %place, %c1 : index
    %at2 = arith.cmpi eq, %place, %c2 : index
    %at3 = arith.cmpi eq, %place, %c3 : index
    %even = arith.cmpi eq, %rest, %c0 : index
    %late = arith.ori %at2, %at3 : i1
    %before = arith.andi %even, %late : i1
    %whole = arith.select %before, %minus, %plain : f64
    %first = arith.andi %odd, %at0 : i1
    %middle = arith.ori %at1, %at2 : i1
    %parts = arith.ori %first, %middle : i1
    %after = arith.select %parts, %minus, %whole : f64
    %want = arith.select %again, %whole, %after : f64
    %got = memref.load %out[%i] : memref<64xf64>
    %differs = arith.cmpf une, %want, %got : f64
    %more = arith.addi %count, %c1 : index
    %next = arith.select %differs, %more, %count : index
    scf.yield %next : index
  }
  %text = llvm.mlir.addressof @format : !llvm.ptr
  %arg = arith.index_cast %wrong : index to i64
  %r = llvm.call @printf(%text, %arg) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
  %status = arith.constant 0 : i32
  return %status : i32
}
}
