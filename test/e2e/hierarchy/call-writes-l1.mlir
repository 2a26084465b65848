// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --targets-dir %S/../Inputs/targets --target gfx1100-wave64 -o %t.wave64 && %t.wave64
//
// A function that segment code calls with an L1 buffer of lanes writes that of
// each lane.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("FAIL at %ld: got %d, expected %d\0A\00") {addr_space = 0 : i32}
  memref.global "private" constant @expected : memref<256xi32> = dense<[0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64, 66, 68, 70, 72, 74, 76, 78, 80, 82, 84, 86, 88, 90, 92, 94, 96, 98, 100, 102, 104, 106, 108, 110, 112, 114, 116, 118, 120, 122, 124, 126, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64, 66, 68, 70, 72, 74, 76, 78, 80, 82, 84, 86, 88, 90, 92, 94, 96, 98, 100, 102, 104, 106, 108, 110, 112, 114, 116, 118, 120, 122, 124, 126, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64, 66, 68, 70, 72, 74, 76, 78, 80, 82, 84, 86, 88, 90, 92, 94, 96, 98, 100, 102, 104, 106, 108, 110, 112, 114, 116, 118, 120, 122, 124, 126, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64, 66, 68, 70, 72, 74, 76, 78, 80, 82, 84, 86, 88, 90, 92, 94, 96, 98, 100, 102, 104, 106, 108, 110, 112, 114, 116, 118, 120, 122, 124, 126]>
  func.func private @fill(%l1: memref<64xi32, 2>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c64 step %c1 {
      %v = arith.index_cast %i : index to i32
      %v2 = arith.addi %v, %v : i32
      memref.store %v2, %l1[%i] : memref<64xi32, 2>
    }
    return
  }

  // in[i] = i, out[i] = -1
  func.func @k(%in: memref<1024xi32>, %out: memref<1024xi32>) {
    %k1 = arith.constant 1 : index
    air.launch (%x) in (%nx = %k1) args(%li = %in, %lo = %out) : memref<1024xi32>, memref<1024xi32> {
      air.segment @s args(%si = %li, %so = %lo) : memref<1024xi32>, memref<1024xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %c64 = arith.constant 64 : index
        %l1 = memref.alloc() : memref<64xi32, 2>
        func.call @fill(%l1) : (memref<64xi32, 2>) -> ()
        air.herd @h tile (%tx, %ty) in (%na = %c4, %nd = %c1) args(%ho = %so, %h1 = %l1) : memref<1024xi32>, memref<64xi32, 2> {
          %hc64 = arith.constant 64 : index
            %lane = gpu.lane_id
            %w = arith.muli %tx, %hc64 : index
            %i = arith.addi %w, %lane : index
            %a = memref.load %h1[%lane] : memref<64xi32, 2>
            memref.store %a, %ho[%i] : memref<1024xi32>
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
