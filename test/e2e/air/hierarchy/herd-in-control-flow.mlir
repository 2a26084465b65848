// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --targets-dir %S/../../Inputs/targets --target gfx1201-wave64 -o %t.wave64 && %t.wave64 | FileCheck %s
// CHECK: herd_in_control_flow: PASS

// Herds in both branches of an scf.if whose condition is uniform but unknown at
// compile time, and in nested loops whose bounds depend on the ids of the
// launch.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("herd_in_control_flow: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("herd_in_control_flow: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<128xi32>, %out: memref<512xi32>) {
    %c4 = arith.constant 4 : index
    air.launch (%x) in (%sx = %c4) args(%a = %in, %b = %out) : memref<128xi32>, memref<512xi32> {
      air.segment @s args(%u = %x, %sa = %a, %sb = %b) : index, memref<128xi32>, memref<512xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %t = memref.alloc() : memref<128xi32, 1>
        scf.for %k = %c0 to %u step %c1 {
          scf.for %l = %k to %c2 step %c1 {
            %v0 = arith.addi %k, %u : index
            %v1 = arith.constant 2 : index
            %odd = arith.remui %v0, %v1 : index
            %v3 = arith.constant 1 : index
            %is_odd = arith.cmpi eq, %odd, %v3 : index
            scf.if %is_odd {
              air.dma_memcpy_nd (%t[] [] [], %sa[] [] []) : (memref<128xi32, 1>, memref<128xi32>)
              air.herd @h tile (%tx, %ty) in (%ntx = %c2, %nty = %c1) args(%hu = %u, %hb = %sb, %ht = %t) : index, memref<512xi32>, memref<128xi32, 1> {
                %lane = gpu.lane_id
                %v5 = arith.constant 64 : index
                %v6 = arith.muli %tx, %v5 : index
                %e = arith.addi %v6, %lane : index
                %v8 = arith.constant 128 : index
                %v9 = arith.muli %hu, %v8 : index
                %p = arith.addi %v9, %e : index
                %v11 = memref.load %hb[%p] : memref<512xi32>
                %v13 = arith.constant 2 : i32
                %v14 = arith.muli %v11, %v13 : i32
                %v15 = arith.constant 127 : index
                %v16 = arith.subi %v15, %e : index
                %v17 = memref.load %ht[%v16] : memref<128xi32, 1>
                %v18 = arith.addi %v14, %v17 : i32
                memref.store %v18, %hb[%p] : memref<512xi32>
              }
            } else {
              air.herd @g tile (%tx, %ty) in (%ntx = %c1, %nty = %c2) args(%hu = %u, %hb = %sb, %hl = %l) : index, memref<512xi32>, index {
                %lane = gpu.lane_id
                %v19 = arith.constant 128 : index
                %v20 = arith.muli %hu, %v19 : index
                %v21 = arith.constant 64 : index
                %v22 = arith.muli %ty, %v21 : index
                %v23 = arith.addi %v20, %v22 : index
                %p = arith.addi %v23, %lane : index
                %v25 = memref.load %hb[%p] : memref<512xi32>
                %v26 = arith.constant 5 : index
                %v27 = arith.muli %hl, %v26 : index
                %v28 = arith.constant 1 : index
                %v29 = arith.addi %v27, %v28 : index
                %v30 = arith.index_cast %v29 : index to i32
                %v31 = arith.addi %v25, %v30 : i32
                memref.store %v31, %hb[%p] : memref<512xi32>
              }
            }
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<128xi32>, %i: index) -> i32 {
    %v32 = arith.constant 128 : index
    %u = arith.divui %i, %v32 : index
    %v34 = arith.constant 127 : index
    %v35 = arith.constant 128 : index
    %v36 = arith.remui %i, %v35 : index
    %v37 = arith.subi %v34, %v36 : index
    %v = memref.load %in[%v37] : memref<128xi32>
    %zero = arith.constant 0 : i32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k2 = arith.constant 2 : index
    %result = scf.for %k = %k0 to %u step %k1 iter_args(%acc = %zero) -> (i32) {
      %inner = scf.for %l = %k to %k2 step %k1 iter_args(%w = %acc) -> (i32) {
        %v39 = arith.addi %k, %u : index
        %v40 = arith.constant 2 : index
        %odd = arith.remui %v39, %v40 : index
        %v43 = arith.constant 2 : i32
        %v44 = arith.muli %w, %v43 : i32
        %doubled = arith.addi %v44, %v : i32
        %v46 = arith.constant 5 : index
        %v47 = arith.muli %l, %v46 : index
        %v48 = arith.constant 1 : index
        %v49 = arith.addi %v47, %v48 : index
        %v50 = arith.index_cast %v49 : index to i32
        %plus = arith.addi %w, %v50 : i32
        %v52 = arith.constant 1 : index
        %v53 = arith.cmpi eq, %odd, %v52 : index
        %next = arith.select %v53, %doubled, %plus : i32
        scf.yield %next : i32
      }
      scf.yield %inner : i32
    }
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %in = memref.alloc() : memref<128xi32>
    %out = memref.alloc() : memref<512xi32>
    scf.for %i = %c0 to %c128 step %c1 {
      %v0 = arith.constant 7 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 3 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 101 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<128xi32>
    }
    scf.for %i = %c0 to %c512 step %c1 {
      %v8 = arith.constant 0 : i32
      memref.store %v8, %out[%i] : memref<512xi32>
    }
    %din = gpu.alloc () : memref<128xi32>
    %dout = gpu.alloc () : memref<512xi32>
    gpu.memcpy %din, %in : memref<128xi32>, memref<128xi32>
    gpu.memcpy %dout, %out : memref<512xi32>, memref<512xi32>
    call @test(%din, %dout) : (memref<128xi32>, memref<512xi32>) -> ()
    gpu.memcpy %out, %dout : memref<512xi32>, memref<512xi32>
    gpu.dealloc %din : memref<128xi32>
    gpu.dealloc %dout : memref<512xi32>

    %wrong, %at = scf.for %i = %c0 to %c512 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<512xi32>
      %want = func.call @expected(%in, %i) : (memref<128xi32>, index) -> i32
      %differs = arith.cmpi ne, %got, %want : i32
      %one_more = arith.addi %count, %c1 : index
      %next = arith.select %differs, %one_more, %count : index
      %place = arith.select %differs, %i, %last : index
      scf.yield %next, %place : index, index
    }
    %good = arith.cmpi eq, %wrong, %c0 : index
    %status = scf.if %good -> i32 {
      %text = llvm.mlir.addressof @passed : !llvm.ptr
      llvm.call @printf(%text) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
      %ok = arith.constant 0 : i32
      scf.yield %ok : i32
    } else {
      %got = memref.load %out[%at] : memref<512xi32>
      %want = func.call @expected(%in, %at) : (memref<128xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<128xi32>
    memref.dealloc %out : memref<512xi32>
    return %status : i32
  }
}
