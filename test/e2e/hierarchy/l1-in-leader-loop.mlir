// RUN: %aircc %s --target gfx942 -o %t && %t
//
// A loop that one lane runs, with an L1 buffer of its own, may also store to L3.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("FAIL at %ld: got %d, expected %d\0A\00") {addr_space = 0 : i32}
  memref.global "private" constant @expected : memref<256xi32> = dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63]>

  // in[i] = i, out[i] = -1
  func.func @k(%in: memref<1024xi32>, %out: memref<1024xi32>) {
    %k1 = arith.constant 1 : index
    air.launch (%lx) in (%nx = %k1) args(%li = %in, %lo = %out) : memref<1024xi32>, memref<1024xi32> {
      air.segment @s args(%si = %li, %so = %lo) : memref<1024xi32>, memref<1024xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        air.herd @h tile (%tx, %ty) in (%na = %c4, %nd = %c1) args(%ho = %so) : memref<1024xi32> {
          %hc0 = arith.constant 0 : index
          %hc1 = arith.constant 1 : index
          %hc2 = arith.constant 2 : index
          %hc64 = arith.constant 64 : index
            %off = arith.muli %tx, %hc64 : index
            scf.for %p = %hc0 to %hc64 step %hc1 {
              %t = memref.alloc() : memref<4xi32, 2>
              %pv = arith.index_cast %p : index to i32
              memref.store %pv, %t[%hc2] : memref<4xi32, 2>
              %v = memref.load %t[%hc2] : memref<4xi32, 2>
              %o = arith.addi %off, %p : index
              memref.store %v, %ho[%o] : memref<1024xi32>
            }
        }
      }
    }
    return
  }
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %cn = arith.constant 256 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %m1 = arith.constant -1 : i32
    %a = memref.alloc() : memref<1024xi32>
    %b = memref.alloc() : memref<1024xi32>
    scf.for %i = %c0 to %c1024 step %c1 {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %a[%i] : memref<1024xi32>
      memref.store %m1, %b[%i] : memref<1024xi32>
    }
    %da = gpu.alloc () : memref<1024xi32>
    %db = gpu.alloc () : memref<1024xi32>
    gpu.memcpy %da, %a : memref<1024xi32>, memref<1024xi32>
    gpu.memcpy %db, %b : memref<1024xi32>, memref<1024xi32>
    call @k(%da, %db) : (memref<1024xi32>, memref<1024xi32>) -> ()
    gpu.memcpy %b, %db : memref<1024xi32>, memref<1024xi32>
    %e = memref.get_global @expected : memref<256xi32>
    %bad = scf.for %i = %c0 to %cn step %c1 iter_args(%acc = %zero) -> (i32) {
      %x = memref.load %e[%i] : memref<256xi32>
      %y = memref.load %b[%i] : memref<1024xi32>
      %ne = arith.cmpi ne, %x, %y : i32
      %first = arith.cmpi slt, %acc, %one : i32
      %say = arith.andi %ne, %first : i1
      scf.if %say {
        %text = llvm.mlir.addressof @failed : !llvm.ptr
        %il = arith.index_cast %i : index to i64
        llvm.call @printf(%text, %il, %y, %x) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i32, i32) -> i32
      }
      %d = arith.extui %ne : i1 to i32
      %s = arith.addi %acc, %d : i32
      scf.yield %s : i32
    }
    %good = arith.cmpi eq, %bad, %zero : i32
    scf.if %good {
      %text = llvm.mlir.addressof @passed : !llvm.ptr
      llvm.call @printf(%text) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
    }
    %status = arith.select %good, %zero, %one : i32
    return %status : i32
  }
}
