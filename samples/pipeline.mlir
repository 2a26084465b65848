// Three launches ordered by tokens: two independent ones, and a third that
// depends on both.
//
//   aircc samples/pipeline.mlir --target gfx942 -o pipeline && ./pipeline

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("pipeline: PASS, 3 launches, 8192 elements\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("pipeline: FAIL, %ld elements differ\0A\00") {addr_space = 0 : i32}

  // Computes squares[i] = in[i] * in[i] and, concurrently, triples[i] = 3 *
  // in[i]; then out[i] = squares[i] + triples[8191 - i].
  func.func @pipeline(%in: memref<8192xi32>, %squares: memref<8192xi32>,
                      %triples: memref<8192xi32>, %out: memref<8192xi32>) {
    %c8 = arith.constant 8 : index
    %squared = air.launch async (%b) in (%nb = %c8) args(%lin = %in, %lout = %squares)
        : memref<8192xi32>, memref<8192xi32> {
      air.segment @square args(%sb = %b, %sin = %lin, %sout = %lout)
          : index, memref<8192xi32>, memref<8192xi32> {
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        air.herd @square tile (%pe, %pe_y) in (%npe = %c2, %npe_y = %c1)
            args(%hb = %sb, %hin = %sin, %hout = %sout)
            : index, memref<8192xi32>, memref<8192xi32> {
          %h1024 = arith.constant 1024 : index
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          %lanes = arith.muli %npe, %wave : index
          %pe_first = arith.muli %pe, %wave : index
          %mine = arith.addi %pe_first, %lane : index
          %base = arith.muli %hb, %h1024 : index
          %first = arith.addi %base, %mine : index
          %end = arith.addi %base, %h1024 : index
          scf.for %i = %first to %end step %lanes {
            %x = memref.load %hin[%i] : memref<8192xi32>
            %y = arith.muli %x, %x : i32
            memref.store %y, %hout[%i] : memref<8192xi32>
          }
        }
      }
    }
    %tripled = air.launch async (%b) in (%nb = %c8) args(%lin = %in, %lout = %triples)
        : memref<8192xi32>, memref<8192xi32> {
      air.segment @triple args(%sb = %b, %sin = %lin, %sout = %lout)
          : index, memref<8192xi32>, memref<8192xi32> {
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        air.herd @triple tile (%pe, %pe_y) in (%npe = %c2, %npe_y = %c1)
            args(%hb = %sb, %hin = %sin, %hout = %sout)
            : index, memref<8192xi32>, memref<8192xi32> {
          %h1024 = arith.constant 1024 : index
          %three = arith.constant 3 : i32
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          %lanes = arith.muli %npe, %wave : index
          %pe_first = arith.muli %pe, %wave : index
          %mine = arith.addi %pe_first, %lane : index
          %base = arith.muli %hb, %h1024 : index
          %first = arith.addi %base, %mine : index
          %end = arith.addi %base, %h1024 : index
          scf.for %i = %first to %end step %lanes {
            %x = memref.load %hin[%i] : memref<8192xi32>
            %y = arith.muli %x, %three : i32
            memref.store %y, %hout[%i] : memref<8192xi32>
          }
        }
      }
    }
    %added = air.launch async [%squared, %tripled] (%b) in (%nb = %c8)
        args(%lx = %squares, %ly = %triples, %lout = %out)
        : memref<8192xi32>, memref<8192xi32>, memref<8192xi32> {
      air.segment @add args(%sb = %b, %sx = %lx, %sy = %ly, %sout = %lout)
          : index, memref<8192xi32>, memref<8192xi32>, memref<8192xi32> {
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        air.herd @add tile (%pe, %pe_y) in (%npe = %c4, %npe_y = %c1)
            args(%hb = %sb, %hx = %sx, %hy = %sy, %hout = %sout)
            : index, memref<8192xi32>, memref<8192xi32>, memref<8192xi32> {
          %h1024 = arith.constant 1024 : index
          %h8191 = arith.constant 8191 : index
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          %lanes = arith.muli %npe, %wave : index
          %pe_first = arith.muli %pe, %wave : index
          %mine = arith.addi %pe_first, %lane : index
          %base = arith.muli %hb, %h1024 : index
          %first = arith.addi %base, %mine : index
          %end = arith.addi %base, %h1024 : index
          scf.for %i = %first to %end step %lanes {
            %opposite = arith.subi %h8191, %i : index
            %x = memref.load %hx[%i] : memref<8192xi32>
            %y = memref.load %hy[%opposite] : memref<8192xi32>
            %z = arith.addi %x, %y : i32
            memref.store %z, %hout[%i] : memref<8192xi32>
          }
        }
      }
    }
    air.wait_all [%added]
    return
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8191 = arith.constant 8191 : index
    %c8192 = arith.constant 8192 : index
    %three = arith.constant 3 : i32
    %in = memref.alloc() : memref<8192xi32>
    %out = memref.alloc() : memref<8192xi32>
    scf.for %i = %c0 to %c8192 step %c1 {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %in[%i] : memref<8192xi32>
    }

    %din = gpu.alloc () : memref<8192xi32>
    %dsquares = gpu.alloc () : memref<8192xi32>
    %dtriples = gpu.alloc () : memref<8192xi32>
    %dout = gpu.alloc () : memref<8192xi32>
    gpu.memcpy %din, %in : memref<8192xi32>, memref<8192xi32>
    call @pipeline(%din, %dsquares, %dtriples, %dout)
        : (memref<8192xi32>, memref<8192xi32>, memref<8192xi32>, memref<8192xi32>) -> ()
    gpu.memcpy %out, %dout : memref<8192xi32>, memref<8192xi32>
    gpu.dealloc %din : memref<8192xi32>
    gpu.dealloc %dsquares : memref<8192xi32>
    gpu.dealloc %dtriples : memref<8192xi32>
    gpu.dealloc %dout : memref<8192xi32>

    %wrong = scf.for %i = %c0 to %c8192 step %c1 iter_args(%count = %c0) -> (index) {
      %opposite = arith.subi %c8191, %i : index
      %x = memref.load %in[%i] : memref<8192xi32>
      %y = memref.load %in[%opposite] : memref<8192xi32>
      %square = arith.muli %x, %x : i32
      %triple = arith.muli %y, %three : i32
      %expected = arith.addi %square, %triple : i32
      %got = memref.load %out[%i] : memref<8192xi32>
      %differs = arith.cmpi ne, %got, %expected : i32
      %one_more = arith.addi %count, %c1 : index
      %next = arith.select %differs, %one_more, %count : index
      scf.yield %next : index
    }
    memref.dealloc %in : memref<8192xi32>
    memref.dealloc %out : memref<8192xi32>

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
