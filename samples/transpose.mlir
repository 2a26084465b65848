// The transpose of a matrix, through a tile in LDS whose rows are padded by one
// element: both reads and writes of global memory are then contiguous, without
// bank conflicts.
//
//   aircc samples/transpose.mlir --target gfx942 -o transpose && ./transpose
//
// No herd is needed: all lanes of the workgroup execute a DMA together, and its
// strides specify the destination of each element.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("transpose: PASS, 192x320 i32\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("transpose: FAIL, %ld elements differ\0A\00") {addr_space = 0 : i32}

  func.func @transpose(%in: memref<192x320xi32>, %out: memref<320x192xi32>) {
    %c6 = arith.constant 6 : index
    %c10 = arith.constant 10 : index
    air.launch (%bx, %by) in (%nbx = %c10, %nby = %c6) args(%lin = %in, %lout = %out)
        : memref<192x320xi32>, memref<320x192xi32> {
      air.segment @tile args(%sx = %bx, %sy = %by, %sin = %lin, %sout = %lout)
          : index, index, memref<192x320xi32>, memref<320x192xi32> {
        %c1 = arith.constant 1 : index
        %c32 = arith.constant 32 : index
        %c33 = arith.constant 33 : index
        %c192 = arith.constant 192 : index
        %c320 = arith.constant 320 : index
        %row = arith.muli %sy, %c32 : index
        %col = arith.muli %sx, %c32 : index
        %tile = memref.alloc() : memref<32x33xi32, 1>
        %o0 = arith.constant 0 : index
        air.dma_memcpy_nd (%tile[%o0, %o0] [%c32, %c32] [%c33, %c1],
                           %sin[%row, %col] [%c32, %c32] [%c320, %c1])
            : (memref<32x33xi32, 1>, memref<192x320xi32>)
        air.dma_memcpy_nd (%sout[%col, %row] [%c32, %c32] [%c192, %c1],
                           %tile[%o0, %o0] [%c32, %c32] [%c1, %c33])
            : (memref<320x192xi32>, memref<32x33xi32, 1>)
        memref.dealloc %tile : memref<32x33xi32, 1>
      }
    }
    return
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c192 = arith.constant 192 : index
    %c320 = arith.constant 320 : index
    %in = memref.alloc() : memref<192x320xi32>
    %out = memref.alloc() : memref<320x192xi32>
    scf.for %i = %c0 to %c192 step %c1 {
      scf.for %j = %c0 to %c320 step %c1 {
        %first = arith.muli %i, %c320 : index
        %number = arith.addi %first, %j : index
        %v = arith.index_cast %number : index to i32
        memref.store %v, %in[%i, %j] : memref<192x320xi32>
      }
    }

    %din = gpu.alloc () : memref<192x320xi32>
    %dout = gpu.alloc () : memref<320x192xi32>
    gpu.memcpy %din, %in : memref<192x320xi32>, memref<192x320xi32>
    call @transpose(%din, %dout) : (memref<192x320xi32>, memref<320x192xi32>) -> ()
    gpu.memcpy %out, %dout : memref<320x192xi32>, memref<320x192xi32>
    gpu.dealloc %din : memref<192x320xi32>
    gpu.dealloc %dout : memref<320x192xi32>

    %wrong = scf.for %i = %c0 to %c192 step %c1 iter_args(%count_i = %c0) -> (index) {
      %count_row = scf.for %j = %c0 to %c320 step %c1 iter_args(%count = %count_i) -> (index) {
        %expected = memref.load %in[%i, %j] : memref<192x320xi32>
        %got = memref.load %out[%j, %i] : memref<320x192xi32>
        %differs = arith.cmpi ne, %got, %expected : i32
        %one_more = arith.addi %count, %c1 : index
        %next = arith.select %differs, %one_more, %count : index
        scf.yield %next : index
      }
      scf.yield %count_row : index
    }
    memref.dealloc %in : memref<192x320xi32>
    memref.dealloc %out : memref<320x192xi32>

    %good = arith.cmpi eq, %wrong, %c0 : index
    %status = scf.if %good -> i32 {
      %text = llvm.mlir.addressof @passed : !llvm.ptr
      llvm.call @printf(%text) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
      %ok = arith.constant 0 : i32
      scf.yield %ok : i32
    } else {
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    return %status : i32
  }
}
