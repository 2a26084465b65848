// Memory that host and kernel both reach, of sizes known only at run time: the
// host fills it, a kernel transposes it, and the host reads it. The status of the
// program is the number of wrong elements.

// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx1100 -O0 -o %t && %t

func.func private @transposed(%rows: index, %columns: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %from = gpu.alloc host_shared (%rows, %columns) : memref<?x?xf64>
  %to = gpu.alloc host_shared (%columns, %rows) : memref<?x?xf64>
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %columns step %c1 {
      %k = arith.muli %i, %columns : index
      %l = arith.addi %k, %j : index
      %n = arith.index_cast %l : index to i64
      %v = arith.sitofp %n : i64 to f64
      memref.store %v, %from[%i, %j] : memref<?x?xf64>
    }
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %rows, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %columns, %sy = %c1, %sz = %c1) {
    %v = memref.load %from[%bx, %tx] : memref<?x?xf64>
    memref.store %v, %to[%tx, %bx] : memref<?x?xf64>
    gpu.terminator
  }
  %failures = scf.for %i = %c0 to %rows step %c1 iter_args(%outer = %zero) -> (i32) {
    %row = scf.for %j = %c0 to %columns step %c1 iter_args(%count = %outer) -> (i32) {
      %k = arith.muli %i, %columns : index
      %l = arith.addi %k, %j : index
      %n = arith.index_cast %l : index to i64
      %expected = arith.sitofp %n : i64 to f64
      %v = memref.load %to[%j, %i] : memref<?x?xf64>
      %wrong = arith.cmpf une, %v, %expected : f64
      %one = arith.extui %wrong : i1 to i32
      %sum = arith.addi %count, %one : i32
      scf.yield %sum : i32
    }
    scf.yield %row : i32
  }
  gpu.dealloc %from : memref<?x?xf64>
  gpu.dealloc %to : memref<?x?xf64>
  return %failures : i32
}

func.func @main() -> i32 {
  %c5 = arith.constant 5 : index
  %c37 = arith.constant 37 : index
  // An async transfer's token is ready immediately.
  %t0 = gpu.wait async
  %flag, %t1 = gpu.alloc async [%t0] host_shared () : memref<1xi32>
  gpu.wait [%t1]
  %c0 = arith.constant 0 : index
  %failures = call @transposed(%c5, %c37) : (index, index) -> i32
  memref.store %failures, %flag[%c0] : memref<1xi32>
  %status = memref.load %flag[%c0] : memref<1xi32>
  gpu.dealloc %flag : memref<1xi32>
  return %status : i32
}
