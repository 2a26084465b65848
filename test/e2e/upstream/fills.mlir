// gpu.memset with elements of every width, of sizes known only at run time, and
// through a layout. The status of the program is the number of wrong elements.

// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx942 -O0 -o %t && %t

func.func private @i8(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %value = arith.constant 0x5a : i8
  %device = gpu.alloc (%n) : memref<?xi8>
  %host = memref.alloc(%n) : memref<?xi8>
  gpu.memset %device, %value : memref<?xi8>, i8
  gpu.memcpy %host, %device : memref<?xi8>, memref<?xi8>
  %failures = scf.for %i = %c0 to %n step %c1 iter_args(%count = %zero) -> (i32) {
    %v = memref.load %host[%i] : memref<?xi8>
    %wrong = arith.cmpi ne, %v, %value : i8
    %one = arith.extui %wrong : i1 to i32
    %sum = arith.addi %count, %one : i32
    scf.yield %sum : i32
  }
  gpu.dealloc %device : memref<?xi8>
  memref.dealloc %host : memref<?xi8>
  return %failures : i32
}

func.func private @f64(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %value = arith.constant 1.25e100 : f64
  %device = gpu.alloc (%n) : memref<?xf64>
  %host = memref.alloc(%n) : memref<?xf64>
  gpu.memset %device, %value : memref<?xf64>, f64
  gpu.memcpy %host, %device : memref<?xf64>, memref<?xf64>
  %failures = scf.for %i = %c0 to %n step %c1 iter_args(%count = %zero) -> (i32) {
    %v = memref.load %host[%i] : memref<?xf64>
    %wrong = arith.cmpf une, %v, %value : f64
    %one = arith.extui %wrong : i1 to i32
    %sum = arith.addi %count, %one : i32
    scf.yield %sum : i32
  }
  gpu.dealloc %device : memref<?xf64>
  memref.dealloc %host : memref<?xf64>
  return %failures : i32
}

// Columns 1 to 3 of 5 are filled; the others keep their values.
func.func private @window(%rows: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0 : i32
  %outside = arith.constant 7 : i64
  %inside = arith.constant 0x123456789abcdef : i64
  %device = gpu.alloc (%rows) : memref<?x5xi64>
  %host = memref.alloc(%rows) : memref<?x5xi64>
  %window = memref.subview %device[0, 1] [%rows, 3] [1, 1]
    : memref<?x5xi64> to memref<?x3xi64, strided<[5, 1], offset: 1>>
  gpu.memset %device, %outside : memref<?x5xi64>, i64
  gpu.memset %window, %inside : memref<?x3xi64, strided<[5, 1], offset: 1>>, i64
  gpu.memcpy %host, %device : memref<?x5xi64>, memref<?x5xi64>
  %failures = scf.for %i = %c0 to %rows step %c1 iter_args(%rows_wrong = %zero) -> (i32) {
    %row = scf.for %j = %c0 to %c5 step %c1 iter_args(%count = %rows_wrong) -> (i32) {
      %v = memref.load %host[%i, %j] : memref<?x5xi64>
      %after = arith.cmpi uge, %j, %c1 : index
      %before = arith.cmpi ult, %j, %c4 : index
      %is_in = arith.andi %after, %before : i1
      %expected = arith.select %is_in, %inside, %outside : i64
      %wrong = arith.cmpi ne, %v, %expected : i64
      %one = arith.extui %wrong : i1 to i32
      %sum = arith.addi %count, %one : i32
      scf.yield %sum : i32
    }
    scf.yield %row : i32
  }
  gpu.dealloc %device : memref<?x5xi64>
  memref.dealloc %host : memref<?x5xi64>
  return %failures : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %zero = arith.constant 0 : i32
  %failures = scf.for %n = %c1 to %c40 step %c1 iter_args(%count = %zero) -> (i32) {
    %a = func.call @i8(%n) : (index) -> i32
    %b = func.call @f64(%n) : (index) -> i32
    %c = func.call @window(%n) : (index) -> i32
    %s0 = arith.addi %count, %a : i32
    %s1 = arith.addi %s0, %b : i32
    %s2 = arith.addi %s1, %c : i32
    scf.yield %s2 : i32
  }
  %empty = func.call @i8(%c0) : (index) -> i32
  %all = arith.addi %failures, %empty : i32
  return %all : i32
}
