// Softmax over the rows of a matrix; each PE handles a whole row.
//
//   aircc samples/softmax.mlir --target gfx942 -o softmax && ./softmax
//
// Each PE loads a row into L1, finds its maximum, computes exponentials (from
// the ROCm device libraries on AMD GPUs), sums and divides. The body of the
// herd does not mention lanes; the compiler distributes the row over them.

#row = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("softmax: PASS, 64 rows of 384 f32, largest relative error %.1e\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("softmax: FAIL, largest relative error %.1e\0A\00") {addr_space = 0 : i32}

  func.func @softmax(%in: memref<64x384xf32>, %out: memref<64x384xf32>) {
    %c16 = arith.constant 16 : index
    air.launch (%group) in (%ngroups = %c16) args(%lin = %in, %lout = %out)
        : memref<64x384xf32>, memref<64x384xf32> {
      air.segment @rows args(%sgroup = %group, %sin = %lin, %sout = %lout)
          : index, memref<64x384xf32>, memref<64x384xf32> {
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        air.herd @row tile (%pe, %pe_y) in (%npe = %c4, %npe_y = %c1)
            args(%hgroup = %sgroup, %hin = %sin, %hout = %sout)
            : index, memref<64x384xf32>, memref<64x384xf32> {
          %lowest = arith.constant 0xFF800000 : f32
          %zero = arith.constant 0.0 : f32
          %first = arith.muli %hgroup, %npe : index
          %index = arith.addi %first, %pe : index
          %row = memref.alloc() : memref<384xf32, 2>
          %max = memref.alloc() : memref<f32, 2>
          %sum = memref.alloc() : memref<f32, 2>
          air.dma_memcpy_nd (%row[] [] [], %hin[%index, 0] [1, 384] [384, 1])
              : (memref<384xf32, 2>, memref<64x384xf32>)
          linalg.fill ins(%lowest : f32) outs(%max : memref<f32, 2>)
          linalg.generic {indexing_maps = [#row, #scalar], iterator_types = ["reduction"]}
              ins(%row : memref<384xf32, 2>) outs(%max : memref<f32, 2>) {
          ^bb0(%x: f32, %m: f32):
            %larger = arith.maximumf %x, %m : f32
            linalg.yield %larger : f32
          }
          linalg.generic {indexing_maps = [#scalar, #row], iterator_types = ["parallel"]}
              ins(%max : memref<f32, 2>) outs(%row : memref<384xf32, 2>) {
          ^bb0(%m: f32, %x: f32):
            %shifted = arith.subf %x, %m : f32
            %e = math.exp %shifted : f32
            linalg.yield %e : f32
          }
          linalg.fill ins(%zero : f32) outs(%sum : memref<f32, 2>)
          linalg.generic {indexing_maps = [#row, #scalar], iterator_types = ["reduction"]}
              ins(%row : memref<384xf32, 2>) outs(%sum : memref<f32, 2>) {
          ^bb0(%x: f32, %s: f32):
            %next = arith.addf %s, %x : f32
            linalg.yield %next : f32
          }
          linalg.generic {indexing_maps = [#scalar, #row], iterator_types = ["parallel"]}
              ins(%sum : memref<f32, 2>) outs(%row : memref<384xf32, 2>) {
          ^bb0(%s: f32, %x: f32):
            %p = arith.divf %x, %s : f32
            linalg.yield %p : f32
          }
          air.dma_memcpy_nd (%hout[%index, 0] [1, 384] [384, 1], %row[] [] [])
              : (memref<64x384xf32>, memref<384xf32, 2>)
        }
      }
    }
    return
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c384 = arith.constant 384 : index
    %c29 = arith.constant 29 : index
    %c53 = arith.constant 53 : index
    %c97 = arith.constant 97 : index
    %eighth = arith.constant 0.125 : f32
    %zero = arith.constant 0.0 : f64
    %lowest = arith.constant 0xFFF0000000000000 : f64
    %in = memref.alloc() : memref<64x384xf32>
    %out = memref.alloc() : memref<64x384xf32>
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c384 step %c1 {
        %i29 = arith.muli %i, %c29 : index
        %j53 = arith.muli %j, %c53 : index
        %ij = arith.addi %i29, %j53 : index
        %r = arith.remui %ij, %c97 : index
        %int = arith.index_cast %r : index to i32
        %float = arith.sitofp %int : i32 to f32
        %v = arith.mulf %float, %eighth : f32
        memref.store %v, %in[%i, %j] : memref<64x384xf32>
      }
    }

    %din = gpu.alloc () : memref<64x384xf32>
    %dout = gpu.alloc () : memref<64x384xf32>
    gpu.memcpy %din, %in : memref<64x384xf32>, memref<64x384xf32>
    call @softmax(%din, %dout) : (memref<64x384xf32>, memref<64x384xf32>) -> ()
    gpu.memcpy %out, %dout : memref<64x384xf32>, memref<64x384xf32>
    gpu.dealloc %din : memref<64x384xf32>
    gpu.dealloc %dout : memref<64x384xf32>

    // The host computes in f64. A NaN from the device makes the error NaN,
    // which the last comparison rejects.
    %error = scf.for %i = %c0 to %c64 step %c1 iter_args(%worst_i = %zero) -> (f64) {
      %max = scf.for %j = %c0 to %c384 step %c1 iter_args(%m = %lowest) -> (f64) {
        %x32 = memref.load %in[%i, %j] : memref<64x384xf32>
        %x = arith.extf %x32 : f32 to f64
        %larger = arith.maximumf %m, %x : f64
        scf.yield %larger : f64
      }
      %sum = scf.for %j = %c0 to %c384 step %c1 iter_args(%s = %zero) -> (f64) {
        %x32 = memref.load %in[%i, %j] : memref<64x384xf32>
        %x = arith.extf %x32 : f32 to f64
        %shifted = arith.subf %x, %max : f64
        %e = math.exp %shifted : f64
        %next = arith.addf %s, %e : f64
        scf.yield %next : f64
      }
      %worst_row = scf.for %j = %c0 to %c384 step %c1 iter_args(%worst = %worst_i) -> (f64) {
        %x32 = memref.load %in[%i, %j] : memref<64x384xf32>
        %x = arith.extf %x32 : f32 to f64
        %shifted = arith.subf %x, %max : f64
        %e = math.exp %shifted : f64
        %expected = arith.divf %e, %sum : f64
        %got32 = memref.load %out[%i, %j] : memref<64x384xf32>
        %got = arith.extf %got32 : f32 to f64
        %difference = arith.subf %got, %expected : f64
        %relative = arith.divf %difference, %expected : f64
        %size = math.absf %relative : f64
        %larger = arith.maximumf %worst, %size : f64
        scf.yield %larger : f64
      }
      scf.yield %worst_row : f64
    }
    memref.dealloc %in : memref<64x384xf32>
    memref.dealloc %out : memref<64x384xf32>

    %tolerance = arith.constant 4.0e-6 : f64
    %good = arith.cmpf ole, %error, %tolerance : f64
    %status = scf.if %good -> i32 {
      %text = llvm.mlir.addressof @passed : !llvm.ptr
      llvm.call @printf(%text, %error) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f64) -> i32
      %ok = arith.constant 0 : i32
      scf.yield %ok : i32
    } else {
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %error) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    return %status : i32
  }
}
