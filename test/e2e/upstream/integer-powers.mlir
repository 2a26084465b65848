// math.ipowi in kernels gives what it gives on the host, for every sign of base
// and exponent, also as a vector and in other widths. The status of the program
// is the number of lanes that disagree.

// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx1100 -O0 -o %t && %t

func.func private @operands(%lane: index) -> (i32, i32) {
  %c8 = arith.constant 8 : index
  %c3 = arith.constant 3 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant 0 : i32
  %high = arith.divui %lane, %c8 : index
  %low = arith.remui %lane, %c8 : index
  %h = arith.index_cast %high : index to i32
  %l = arith.index_cast %low : index to i32
  %base = arith.subi %h, %c3 : i32
  %exponent = arith.subi %l, %c2 : i32
  // 0 to a negative power is a division by zero.
  %is_zero = arith.cmpi eq, %base, %zero : i32
  %no_less = arith.maxsi %exponent, %zero : i32
  %allowed = arith.select %is_zero, %no_less, %exponent : i32
  return %base, %allowed : i32, i32
}

func.func private @wrong(%a: i32, %b: i32) -> i32 {
  %differ = arith.cmpi ne, %a, %b : i32
  %one = arith.extui %differ : i1 to i32
  return %one : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %i32s = gpu.alloc () : memref<64xi32>
  %i64s = gpu.alloc () : memref<64xi64>
  %i8s = gpu.alloc () : memref<64xi8>
  %vectors = gpu.alloc () : memref<64xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%lane, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %b, %e = func.call @operands(%lane) : (index) -> (i32, i32)
    %p32 = math.ipowi %b, %e : i32
    memref.store %p32, %i32s[%lane] : memref<64xi32>
    %b64 = arith.extsi %b : i32 to i64
    %e64 = arith.extsi %e : i32 to i64
    %p64 = math.ipowi %b64, %e64 : i64
    memref.store %p64, %i64s[%lane] : memref<64xi64>
    %b8 = arith.trunci %b : i32 to i8
    %e8 = arith.trunci %e : i32 to i8
    %p8 = math.ipowi %b8, %e8 : i8
    memref.store %p8, %i8s[%lane] : memref<64xi8>
    %bv = vector.from_elements %b, %e : vector<2xi32>
    %one = arith.constant 1 : i32
    %ev = vector.from_elements %e, %one : vector<2xi32>
    %pv = math.ipowi %bv, %ev : vector<2xi32>
    // base ** exponent + exponent ** 1
    %sum = vector.reduction <add>, %pv : vector<2xi32> into i32
    %first = arith.subi %sum, %e : i32
    memref.store %first, %vectors[%lane] : memref<64xi32>
    gpu.terminator
  }
  %i32s_host = memref.alloc() : memref<64xi32>
  gpu.memcpy %i32s_host, %i32s : memref<64xi32>, memref<64xi32>
  %i64s_host = memref.alloc() : memref<64xi64>
  gpu.memcpy %i64s_host, %i64s : memref<64xi64>, memref<64xi64>
  %i8s_host = memref.alloc() : memref<64xi8>
  gpu.memcpy %i8s_host, %i8s : memref<64xi8>, memref<64xi8>
  %vectors_host = memref.alloc() : memref<64xi32>
  gpu.memcpy %vectors_host, %vectors : memref<64xi32>, memref<64xi32>
  %failures = scf.for %i = %c0 to %c64 step %c1 iter_args(%count = %zero) -> (i32) {
    %b, %e = func.call @operands(%i) : (index) -> (i32, i32)
    %expected = math.ipowi %b, %e : i32
    %p32 = memref.load %i32s_host[%i] : memref<64xi32>
    %p64 = memref.load %i64s_host[%i] : memref<64xi64>
    %p8 = memref.load %i8s_host[%i] : memref<64xi8>
    %pv = memref.load %vectors_host[%i] : memref<64xi32>
    %t64 = arith.trunci %p64 : i64 to i32
    %expected8 = arith.trunci %expected : i32 to i8
    %t8 = arith.extsi %p8 : i8 to i32
    %x8 = arith.extsi %expected8 : i8 to i32
    %w0 = func.call @wrong(%p32, %expected) : (i32, i32) -> i32
    %w1 = func.call @wrong(%t64, %expected) : (i32, i32) -> i32
    %w2 = func.call @wrong(%t8, %x8) : (i32, i32) -> i32
    %w3 = func.call @wrong(%pv, %expected) : (i32, i32) -> i32
    %s0 = arith.addi %count, %w0 : i32
    %s1 = arith.addi %s0, %w1 : i32
    %s2 = arith.addi %s1, %w2 : i32
    %s3 = arith.addi %s2, %w3 : i32
    scf.yield %s3 : i32
  }
  return %failures : i32
}
