// RUN: %aircc %s --target gfx942 -o %t && %t
//
// Integers of 24 bits take four bytes in L2, as everywhere in memory.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("FAIL at %ld: got %d, expected %d\0A\00") {addr_space = 0 : i32}
  memref.global "private" constant @expected : memref<256xi32> = dense<[7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 256, 257, 258, 259, 260, 261, 262]>

  // in[i] = i, out[i] = -1
  func.func @k(%in: memref<1024xi32>, %out: memref<1024xi32>) {
    %k1 = arith.constant 1 : index
    air.launch (%lx) in (%nx = %k1) args(%li = %in, %lo = %out) : memref<1024xi32>, memref<1024xi32> {
      air.segment @s args(%si = %li, %so = %lo) : memref<1024xi32>, memref<1024xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c256 = arith.constant 256 : index
        %a = memref.alloc() : memref<256xi24, 1>
        %b = memref.alloc() : memref<256xi24, 1>
        scf.parallel (%p) = (%c0) to (%c256) step (%c1) {
          %pv = arith.index_cast %p : index to i24
          memref.store %pv, %a[%p] : memref<256xi24, 1>
        }
        scf.parallel (%p) = (%c0) to (%c256) step (%c1) {
          %z = arith.constant 7 : i24
          memref.store %z, %b[%p] : memref<256xi24, 1>
        }
        scf.parallel (%p) = (%c0) to (%c256) step (%c1) {
          %x = memref.load %a[%p] : memref<256xi24, 1>
          %y = memref.load %b[%p] : memref<256xi24, 1>
          %s = arith.addi %x, %y : i24
          %v = arith.extui %s : i24 to i32
          memref.store %v, %so[%p] : memref<1024xi32>
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
