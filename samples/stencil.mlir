// A five-point stencil on a batch of images, with zeros outside each image.
//
//   aircc samples/stencil.mlir --target gfx942 -o stencil && ./stencil
//
// The DMA that copies an image to LDS pads it by one element on every side, so
// the kernel has no special cases at the borders.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("stencil: PASS, 12 images of 62x46 f32\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("stencil: FAIL, %ld elements differ\0A\00") {addr_space = 0 : i32}

  func.func @stencil(%in: memref<12x62x46xf32>, %out: memref<12x62x46xf32>) {
    %c12 = arith.constant 12 : index
    air.launch (%image) in (%nimages = %c12) args(%lin = %in, %lout = %out)
        : memref<12x62x46xf32>, memref<12x62x46xf32> {
      air.segment @image args(%simage = %image, %sin = %lin, %sout = %lout)
          : index, memref<12x62x46xf32>, memref<12x62x46xf32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %padded = memref.alloc() : memref<64x48xf32, 1>
        air.dma_memcpy_nd (%padded[] [] [], %sin[%simage, 0, 0] [1, 62, 46] [2852, 46, 1])
            {pad_before = array<i32: 0, 1, 1>, pad_after = array<i32: 0, 1, 1>}
            : (memref<64x48xf32, 1>, memref<12x62x46xf32>)
        air.herd @points tile (%pe, %pe_y) in (%npe = %c4, %npe_y = %c1)
            args(%himage = %simage, %hp = %padded, %hout = %sout)
            : index, memref<64x48xf32, 1>, memref<12x62x46xf32> {
          %h1 = arith.constant 1 : index
          %h2 = arith.constant 2 : index
          %h62 = arith.constant 62 : index
          %h46 = arith.constant 46 : index
          %four = arith.constant 4.0 : f32
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          scf.for %i = %pe to %h62 step %npe {
            scf.for %j = %lane to %h46 step %wave {
              %i1 = arith.addi %i, %h1 : index
              %j1 = arith.addi %j, %h1 : index
              %i2 = arith.addi %i, %h2 : index
              %j2 = arith.addi %j, %h2 : index
              %north = memref.load %hp[%i, %j1] : memref<64x48xf32, 1>
              %south = memref.load %hp[%i2, %j1] : memref<64x48xf32, 1>
              %west = memref.load %hp[%i1, %j] : memref<64x48xf32, 1>
              %east = memref.load %hp[%i1, %j2] : memref<64x48xf32, 1>
              %center = memref.load %hp[%i1, %j1] : memref<64x48xf32, 1>
              %ns = arith.addf %north, %south : f32
              %we = arith.addf %west, %east : f32
              %around = arith.addf %ns, %we : f32
              %weighted = arith.mulf %center, %four : f32
              %value = arith.subf %around, %weighted : f32
              memref.store %value, %hout[%himage, %i, %j] : memref<12x62x46xf32>
            }
          }
        }
      }
    }
    return
  }

  // Returns in[b, i, j], or 0 if (i, j) is outside the image.
  func.func private @at(%in: memref<12x62x46xf32>, %b: index, %i: index, %j: index) -> f32 {
    %c0 = arith.constant 0 : index
    %c62 = arith.constant 62 : index
    %c46 = arith.constant 46 : index
    %zero = arith.constant 0.0 : f32
    %i_inside = arith.cmpi ult, %i, %c62 : index
    %j_inside = arith.cmpi ult, %j, %c46 : index
    %inside = arith.andi %i_inside, %j_inside : i1
    %value = scf.if %inside -> f32 {
      %v = memref.load %in[%b, %i, %j] : memref<12x62x46xf32>
      scf.yield %v : f32
    } else {
      scf.yield %zero : f32
    }
    return %value : f32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c12 = arith.constant 12 : index
    %c46 = arith.constant 46 : index
    %c62 = arith.constant 62 : index
    %c7 = arith.constant 7 : index
    %c13 = arith.constant 13 : index
    %c101 = arith.constant 101 : index
    %four = arith.constant 4.0 : f32
    %in = memref.alloc() : memref<12x62x46xf32>
    %out = memref.alloc() : memref<12x62x46xf32>
    scf.for %b = %c0 to %c12 step %c1 {
      scf.for %i = %c0 to %c62 step %c1 {
        scf.for %j = %c0 to %c46 step %c1 {
          %i7 = arith.muli %i, %c7 : index
          %j13 = arith.muli %j, %c13 : index
          %ij = arith.addi %i7, %j13 : index
          %bij = arith.addi %ij, %b : index
          %r = arith.remui %bij, %c101 : index
          %int = arith.index_cast %r : index to i32
          %v = arith.sitofp %int : i32 to f32
          memref.store %v, %in[%b, %i, %j] : memref<12x62x46xf32>
        }
      }
    }

    %din = gpu.alloc () : memref<12x62x46xf32>
    %dout = gpu.alloc () : memref<12x62x46xf32>
    gpu.memcpy %din, %in : memref<12x62x46xf32>, memref<12x62x46xf32>
    call @stencil(%din, %dout) : (memref<12x62x46xf32>, memref<12x62x46xf32>) -> ()
    gpu.memcpy %out, %dout : memref<12x62x46xf32>, memref<12x62x46xf32>
    gpu.dealloc %din : memref<12x62x46xf32>
    gpu.dealloc %dout : memref<12x62x46xf32>

    %wrong = scf.for %b = %c0 to %c12 step %c1 iter_args(%count_b = %c0) -> (index) {
      %count_image = scf.for %i = %c0 to %c62 step %c1 iter_args(%count_i = %count_b) -> (index) {
        %count_row = scf.for %j = %c0 to %c46 step %c1 iter_args(%count = %count_i) -> (index) {
          %before_i = arith.subi %i, %c1 : index
          %after_i = arith.addi %i, %c1 : index
          %before_j = arith.subi %j, %c1 : index
          %after_j = arith.addi %j, %c1 : index
          %north = func.call @at(%in, %b, %before_i, %j) : (memref<12x62x46xf32>, index, index, index) -> f32
          %south = func.call @at(%in, %b, %after_i, %j) : (memref<12x62x46xf32>, index, index, index) -> f32
          %west = func.call @at(%in, %b, %i, %before_j) : (memref<12x62x46xf32>, index, index, index) -> f32
          %east = func.call @at(%in, %b, %i, %after_j) : (memref<12x62x46xf32>, index, index, index) -> f32
          %center = memref.load %in[%b, %i, %j] : memref<12x62x46xf32>
          %ns = arith.addf %north, %south : f32
          %we = arith.addf %west, %east : f32
          %around = arith.addf %ns, %we : f32
          %weighted = arith.mulf %center, %four : f32
          %expected = arith.subf %around, %weighted : f32
          %got = memref.load %out[%b, %i, %j] : memref<12x62x46xf32>
          %differs = arith.cmpf une, %got, %expected : f32
          %one_more = arith.addi %count, %c1 : index
          %next = arith.select %differs, %one_more, %count : index
          scf.yield %next : index
        }
        scf.yield %count_row : index
      }
      scf.yield %count_image : index
    }
    memref.dealloc %in : memref<12x62x46xf32>
    memref.dealloc %out : memref<12x62x46xf32>

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
