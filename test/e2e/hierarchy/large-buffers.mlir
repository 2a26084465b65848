// RUN: %aircc run %s --target gfx942 | FileCheck %s
// RUN: %aircc run %s --target gfx1201 | FileCheck %s
// RUN: %aircc run %s --target bmg | FileCheck %s
//
// Accesses to elements beyond 2**31 and 2**32 of a buffer of more than 4 GiB, of
// which few pages are used: by lanes, by DMAs, and by vector transfers at the end
// of the buffer, whose other elements are out of bounds.
// CHECK:      lanes: 0 wrong
// CHECK-NEXT: copied by lanes: 0 wrong
// CHECK-NEXT: copied by DMAs: 0 wrong
// CHECK-NEXT: read at the end: 0 wrong
// CHECK-NEXT: written at the end: 0 wrong

!buffer = memref<4294967330xi8>
!part = memref<34xi8, strided<[1], offset: ?>>

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @format("%s: %ld wrong\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @lanes("lanes\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @copied("copied by lanes\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @dma("copied by DMAs\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @read("read at the end\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @written("written at the end\00") {addr_space = 0 : i32}

  // Prints how many of %n elements differ from %scale * i, and of the rest, from -1.
  func.func @report(%name: !llvm.ptr, %h: memref<64xi8>, %n: index, %valid: index, %scale: i8) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %pad = arith.constant -1 : i8
    %bad = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (i64) {
      %v = memref.load %h[%i] : memref<64xi8>
      %i8 = arith.index_cast %i : index to i8
      %product = arith.muli %i8, %scale : i8
      %inside = arith.cmpi ult, %i, %valid : index
      %e = arith.select %inside, %product, %pad : i8
      %differs = arith.cmpi ne, %v, %e : i8
      %more = arith.addi %sum, %one : i64
      %r = arith.select %differs, %more, %sum : i64
      scf.yield %r : i64
    }
    %f = llvm.mlir.addressof @format : !llvm.ptr
    llvm.call @printf(%f, %name, %bad) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, !llvm.ptr, i64) -> i32
    return
  }

  func.func @report_part(%name: !llvm.ptr, %b: !buffer, %at: index, %scale: i8) {
    %c34 = arith.constant 34 : index
    %h = memref.alloc() : memref<64xi8>
    %to = memref.subview %h[0] [34] [1] : memref<64xi8> to memref<34xi8, strided<[1]>>
    %to_any = memref.cast %to : memref<34xi8, strided<[1]>> to !part
    %from = memref.subview %b[%at] [34] [1] : !buffer to !part
    gpu.memcpy %to_any, %from : !part, !part
    call @report(%name, %h, %c34, %c34, %scale) : (!llvm.ptr, memref<64xi8>, index, index, i8) -> ()
    memref.dealloc %h : memref<64xi8>
    return
  }

  func.func @kernels(%b: !buffer, %o: memref<64xi8>) {
    %c1 = arith.constant 1 : index
    %c34 = arith.constant 34 : index
    %far = arith.constant 4294967296 : index
    %middle = arith.constant 2147483648 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c34, %sy = %c1, %sz = %c1) {
      %v = arith.index_cast %tx : index to i8
      %at = arith.addi %tx, %far : index
      memref.store %v, %b[%at] : !buffer
      gpu.terminator
    }
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c34, %sy = %c1, %sz = %c1) {
      %at = arith.addi %tx, %far : index
      %v = memref.load %b[%at] : !buffer
      %w = arith.addi %v, %v : i8
      %to = arith.addi %tx, %middle : index
      memref.store %w, %b[%to] : !buffer
      gpu.terminator
    }
    air.launch (%x) in (%nx = %c1) args(%lb = %b, %lo = %o) : !buffer, memref<64xi8> {
      air.segment @s args(%sb = %lb, %so = %lo) : !buffer, memref<64xi8> {
        %s1 = arith.constant 1 : index
        %s34 = arith.constant 34 : index
        %sfar = arith.constant 4294967296 : index
        %t = memref.alloc() : memref<34xi8, 1>
        air.dma_memcpy_nd (%t[] [] [], %sb[%sfar] [%s34] [%s1]) : (memref<34xi8, 1>, !buffer)
        air.herd @copy tile (%tx, %ty) in (%na = %s1, %nd = %s1) args(%ht = %t, %hb = %sb, %ho = %so)
            : memref<34xi8, 1>, !buffer, memref<64xi8> {
          %h1 = arith.constant 1 : index
          %h34 = arith.constant 34 : index
          %hto = arith.constant 3000000000 : index
          %l = memref.alloc() : memref<34xi8, 2>
          air.dma_memcpy_nd (%l[] [] [], %ht[] [] []) : (memref<34xi8, 2>, memref<34xi8, 1>)
          air.dma_memcpy_nd (%hb[%hto] [%h34] [%h1], %l[] [] []) : (!buffer, memref<34xi8, 2>)
        }
        air.herd @ends tile (%tx, %ty) in (%na = %s1, %nd = %s1) args(%hb = %sb, %ho = %so)
            : !buffer, memref<64xi8> {
          %h0 = arith.constant 0 : index
          %hfar = arith.constant 4294967296 : index
          %pad = arith.constant -1 : i8
          %v = vector.transfer_read %hb[%hfar], %pad : !buffer, vector<64xi8>
          vector.transfer_write %v, %ho[%h0] {in_bounds = [true]} : vector<64xi8>, memref<64xi8>
        }
      }
    }
    air.launch (%x) in (%nx = %c1) args(%lb = %b) : !buffer {
      air.segment @s args(%sb = %lb) : !buffer {
        %s1 = arith.constant 1 : index
        air.herd @h tile (%tx, %ty) in (%na = %s1, %nd = %s1) args(%hb = %sb) : !buffer {
          %hfar = arith.constant 4294967296 : index
          %pad = arith.constant -1 : i8
          %v = vector.transfer_read %hb[%hfar], %pad : !buffer, vector<64xi8>
          %w = arith.addi %v, %v : vector<64xi8>
          %x3 = arith.addi %w, %v : vector<64xi8>
          vector.transfer_write %x3, %hb[%hfar] : vector<64xi8>, !buffer
        }
      }
    }
    return
  }

  func.func @main() -> i32 {
    %c34 = arith.constant 34 : index
    %c64 = arith.constant 64 : index
    %far = arith.constant 4294967296 : index
    %middle = arith.constant 2147483648 : index
    %dma_to = arith.constant 3000000000 : index
    %one = arith.constant 1 : i8
    %two = arith.constant 2 : i8
    %three = arith.constant 3 : i8
    %b = gpu.alloc () : !buffer
    %o = gpu.alloc () : memref<64xi8>
    call @kernels(%b, %o) : (!buffer, memref<64xi8>) -> ()
    %h = memref.alloc() : memref<64xi8>
    gpu.memcpy %h, %o : memref<64xi8>, memref<64xi8>
    %lanes = llvm.mlir.addressof @lanes : !llvm.ptr
    %copied = llvm.mlir.addressof @copied : !llvm.ptr
    %dma = llvm.mlir.addressof @dma : !llvm.ptr
    %read = llvm.mlir.addressof @read : !llvm.ptr
    %written = llvm.mlir.addressof @written : !llvm.ptr
    // Before the last kernel, the host has read the values that the lanes wrote.
    call @report(%lanes, %h, %c34, %c34, %one) : (!llvm.ptr, memref<64xi8>, index, index, i8) -> ()
    call @report_part(%copied, %b, %middle, %two) : (!llvm.ptr, !buffer, index, i8) -> ()
    call @report_part(%dma, %b, %dma_to, %one) : (!llvm.ptr, !buffer, index, i8) -> ()
    call @report(%read, %h, %c64, %c34, %one) : (!llvm.ptr, memref<64xi8>, index, index, i8) -> ()
    call @report_part(%written, %b, %far, %three) : (!llvm.ptr, !buffer, index, i8) -> ()
    %status = arith.constant 0 : i32
    return %status : i32
  }
}
