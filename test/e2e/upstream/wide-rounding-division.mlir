// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -O0 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// CHECK: wrong: 0

// arith.floordivsi and ceildivsi of 128 bits, in a kernel and on the host: the
// rounded quotient times the divisor is at most (at least) the dividend, and the
// next multiple is beyond it.

module attributes {gpu.container_module} {
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("wrong: %d\0A\00") {addr_space = 0 : i32}

gpu.module @kernels {
  gpu.func @k(%a: memref<4xi128>, %b: memref<4xi128>, %floor: memref<4xi128>, %ceil: memref<4xi128>) kernel {
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : memref<4xi128>
    %y = memref.load %b[%i] : memref<4xi128>
    %f = arith.floordivsi %x, %y : i128
    %c = arith.ceildivsi %x, %y : i128
    memref.store %f, %floor[%i] : memref<4xi128>
    memref.store %c, %ceil[%i] : memref<4xi128>
    gpu.return
  }
}

memref.global "private" constant @dividends : memref<4xi128> = dense<[
  -61412107008771204729738438162034722382, 61412107008771204729738438162034722382,
  -61412107008771204729738438162034722382, 36893488147419103232]>
memref.global "private" constant @divisors : memref<4xi128> = dense<[
  2338562098490598778763865639437396460, 2338562098490598778763865639437396460,
  -233856209849059877876386563943, -18446744073709551616]>

// 0 if q is the quotient rounded down.
func.func private @checkFloor(%x: i128, %y: i128, %q: i128) -> i32 {
  %zero = arith.constant 0 : i128
  %p = arith.muli %q, %y : i128
  %r = arith.subi %x, %p : i128
  // The rest has the sign of the divisor and is smaller.
  %neg = arith.subi %zero, %r : i128
  %negY = arith.subi %zero, %y : i128
  %below = arith.cmpi slt, %y, %zero : i128
  %rest = arith.select %below, %neg, %r : i128
  %size = arith.select %below, %negY, %y : i128
  %wrong = arith.cmpi uge, %rest, %size : i128
  %n = arith.extui %wrong : i1 to i32
  return %n : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i128
  %none = arith.constant 0 : i32
  %a0 = memref.get_global @dividends : memref<4xi128>
  %b0 = memref.get_global @divisors : memref<4xi128>
  %da = gpu.alloc () : memref<4xi128>
  %db = gpu.alloc () : memref<4xi128>
  %df = gpu.alloc () : memref<4xi128>
  %dc = gpu.alloc () : memref<4xi128>
  gpu.memcpy %da, %a0 : memref<4xi128>, memref<4xi128>
  gpu.memcpy %db, %b0 : memref<4xi128>, memref<4xi128>
  gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%da : memref<4xi128>, %db : memref<4xi128>, %df : memref<4xi128>, %dc : memref<4xi128>)
  %floor = memref.alloc() : memref<4xi128>
  %ceil = memref.alloc() : memref<4xi128>
  gpu.memcpy %floor, %df : memref<4xi128>, memref<4xi128>
  gpu.memcpy %ceil, %dc : memref<4xi128>, memref<4xi128>
  %wrong = scf.for %i = %c0 to %c4 step %c1 iter_args(%count = %none) -> (i32) {
    %x = memref.load %a0[%i] : memref<4xi128>
    %y = memref.load %b0[%i] : memref<4xi128>
    %f = memref.load %floor[%i] : memref<4xi128>
    %c = memref.load %ceil[%i] : memref<4xi128>
    %hf = arith.floordivsi %x, %y : i128
    %hc = arith.ceildivsi %x, %y : i128
    // Rounded up is rounded down with both signs changed.
    %minusX = arith.subi %zero, %x : i128
    %minusC = arith.subi %zero, %c : i128
    %minusHC = arith.subi %zero, %hc : i128
    %n0 = func.call @checkFloor(%x, %y, %f) : (i128, i128, i128) -> i32
    %n1 = func.call @checkFloor(%minusX, %y, %minusC) : (i128, i128, i128) -> i32
    %n2 = func.call @checkFloor(%x, %y, %hf) : (i128, i128, i128) -> i32
    %n3 = func.call @checkFloor(%minusX, %y, %minusHC) : (i128, i128, i128) -> i32
    %s0 = arith.addi %n0, %n1 : i32
    %s1 = arith.addi %n2, %n3 : i32
    %s2 = arith.addi %s0, %s1 : i32
    %s3 = arith.addi %s2, %count : i32
    scf.yield %s3 : i32
  }
  %format = llvm.mlir.addressof @format : !llvm.ptr
  llvm.call @printf(%format, %wrong) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  return %wrong : i32
}
}
