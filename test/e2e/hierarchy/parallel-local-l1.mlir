// RUN: %aircc %s --target gfx942 -o %t && %t
//
// The iterations of a parallel loop with an L1 buffer of its own are distributed like those of any
// other: each executes once.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("FAIL at %ld: got %d, expected %d\0A\00") {addr_space = 0 : i32}
  memref.global "private" constant @expected : memref<64xi32> = dense<[-1, 3, 7, 11, 15, 19, 23, 27, 31, 35, 39, 43, 47, 51, 55, 59, 63, 67, 71, 75, 79, 83, 87, 91, 95, 99, 103, 107, 111, 115, 119, 123, 127, 131, 135, 139, 143, 147, 151, 155, 159, 163, 167, 171, 175, 179, 183, 187, 191, 195, 199, 203, 207, 211, 215, 219, 223, 227, 231, 235, 239, 243, 247, 251]>

  // in[i] = i, out[i] = -1
  func.func @k(%in: memref<1024xi32>, %out: memref<1024xi32>) {
    %k1 = arith.constant 1 : index
    air.launch (%lx) in (%nx = %k1) args(%li = %in, %lo = %out) : memref<1024xi32>, memref<1024xi32> {
      air.segment @s args(%si = %li, %so = %lo) : memref<1024xi32>, memref<1024xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %c64 = arith.constant 64 : index
        air.herd @h tile (%tx, %ty) in (%na = %c4, %nd = %c1) args(%ho = %so) : memref<1024xi32> {
          %hc256 = arith.constant 256 : index
          %hi0 = arith.constant 0 : i32
            memref.store %hi0, %ho[%hc256] : memref<1024xi32>
        }
        scf.parallel (%p) = (%c0) to (%c64) step (%c1) {
          %t = memref.alloc() : memref<4xi32, 2>
          %pv = arith.index_cast %p : index to i32
          scf.for %j = %c0 to %c4 step %c1 {
            memref.store %pv, %t[%j] : memref<4xi32, 2>
          }
          %o = memref.load %so[%p] : memref<1024xi32>
          %s = scf.for %j = %c0 to %c4 step %c1 iter_args(%a = %o) -> (i32) {
            %v = memref.load %t[%j] : memref<4xi32, 2>
            %a2 = arith.addi %a, %v : i32
            scf.yield %a2 : i32
          }
          memref.store %s, %so[%p] : memref<1024xi32>
        }
      }
    }
    return
  }
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %cn = arith.constant 64 : index
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
    %e = memref.get_global @expected : memref<64xi32>
    %bad = scf.for %i = %c0 to %cn step %c1 iter_args(%acc = %zero) -> (i32) {
      %x = memref.load %e[%i] : memref<64xi32>
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
