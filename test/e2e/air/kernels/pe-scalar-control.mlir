// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx90a -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx950 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// CHECK: pe_scalar_control: PASS

// A PE-level herd of scalar code with data-dependent control: while loops,
// nested ifs, values carried around, and stores whose place depends on data.
// The result must be that of sequential execution.

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("pe_scalar_control: PASS\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("pe_scalar_control: FAIL, %ld elements differ; element %ld is %ld, expected %ld\0A\00") {addr_space = 0 : i32}

  func.func @test(%in: memref<64xi32>, %out: memref<128xi32>) {
    %c1 = arith.constant 1 : index
    air.launch (%x) in (%sx = %c1) args(%a = %in, %b = %out) : memref<64xi32>, memref<128xi32> {
      air.segment @s args(%sa = %a, %sb = %b) : memref<64xi32>, memref<128xi32> {
        %c2 = arith.constant 2 : index
        air.herd @h tile (%tx, %ty) in (%ntx = %c2, %nty = %c2) args(%ha = %sa, %hb = %sb) : memref<64xi32>, memref<128xi32> {
          %c0 = arith.constant 0 : index
          %c1_1 = arith.constant 1 : index
          %c16 = arith.constant 16 : index
          %zero = arith.constant 0 : i32
          %one = arith.constant 1 : i32
          %two = arith.constant 2 : i32
          %v0 = arith.constant 2 : index
          %v1 = arith.muli %tx, %v0 : index
          %pe = arith.addi %v1, %ty : index
          %v3 = arith.constant 32 : index
          %o = arith.muli %pe, %v3 : index
          // A histogram of the low three bits of 16 values: collisions within the loop.
          %v5 = arith.constant 0 : index
          %v6 = arith.constant 16 : index
          %v7 = arith.constant 1 : index
          scf.for %k = %v5 to %v6 step %v7 {
            %v8 = arith.constant 16 : index
            %v9 = arith.muli %pe, %v8 : index
            %p = arith.addi %v9, %k : index
            %v = memref.load %ha[%p] : memref<64xi32>
            %v12 = arith.index_cast %v : i32 to index
            %v13 = arith.constant 8 : index
            %v14 = arith.remui %v12, %v13 : index
            %bucket = arith.addi %o, %v14 : index
            %v16 = memref.load %hb[%bucket] : memref<128xi32>
            %v18 = arith.constant 1 : i32
            %v19 = arith.addi %v16, %v18 : i32
            memref.store %v19, %hb[%bucket] : memref<128xi32>
          }
          // Sort the 16 values by insertion into an L1 buffer.
          %t = memref.alloc() : memref<17xi32, 2>
          %v20 = arith.constant 0 : index
          %v21 = arith.constant 16 : index
          %v22 = arith.constant 1 : index
          scf.for %k = %v20 to %v21 step %v22 {
            %v23 = arith.constant 16 : index
            %v24 = arith.muli %pe, %v23 : index
            %p = arith.addi %v24, %k : index
            %v = memref.load %ha[%p] : memref<64xi32>
            %place = scf.while (%j = %k) : (index) -> index {
              %v27 = arith.constant 0 : index
              %more = arith.cmpi ugt, %j, %v27 : index
              %go = scf.if %more -> (i1) {
                %v29 = arith.constant 1 : index
                %last = arith.subi %j, %v29 : index
                %above = memref.load %t[%last] : memref<17xi32, 2>
                %larger = arith.cmpi sgt, %above, %v : i32
                scf.yield %larger : i1
              } else {
                %false = arith.constant false
                scf.yield %false : i1
              }
              scf.condition(%go) %j : index
            } do {
            ^bb0(%j: index):
              %v33 = arith.constant 1 : index
              %last = arith.subi %j, %v33 : index
              %v35 = memref.load %t[%last] : memref<17xi32, 2>
              memref.store %v35, %t[%j] : memref<17xi32, 2>
              scf.yield %last : index
            }
            %v37 = arith.constant 0 : i32
            %v38 = arith.addi %v, %v37 : i32
            memref.store %v38, %t[%place] : memref<17xi32, 2>
          }
          // Collatz steps of pe + 27.
          %v39 = arith.constant 27 : index
          %v40 = arith.addi %pe, %v39 : index
          %first = arith.index_cast %v40 : index to i32
          %end, %steps = scf.while (%n = %first, %s = %zero) : (i32, i32) -> (i32, i32) {
            %v43 = arith.constant 1 : i32
            %more = arith.cmpi sgt, %n, %v43 : i32
            scf.condition(%more) %n, %s : i32, i32
          } do {
          ^bb0(%n: i32, %s: i32):
            %v46 = arith.constant 2 : i32
            %odd = arith.remsi %n, %v46 : i32
            %v49 = arith.constant 2 : i32
            %half = arith.divsi %n, %v49 : i32
            %v52 = arith.constant 3 : i32
            %v53 = arith.muli %n, %v52 : i32
            %v55 = arith.constant 1 : i32
            %triple = arith.addi %v53, %v55 : i32
            %v58 = arith.constant 1 : i32
            %v59 = arith.cmpi eq, %odd, %v58 : i32
            %next = arith.select %v59, %triple, %half : i32
            %v62 = arith.constant 1 : i32
            %s1 = arith.addi %s, %v62 : i32
            scf.yield %next, %s1 : i32, i32
          }
          %v65 = arith.constant 0 : i32
          %v66 = arith.addi %steps, %v65 : i32
          %v67 = arith.constant 8 : index
          %v68 = arith.addi %o, %v67 : index
          memref.store %v66, %hb[%v68] : memref<128xi32>
          %v69 = arith.constant 0 : index
          %v70 = arith.constant 16 : index
          %v71 = arith.constant 1 : index
          scf.for %k = %v69 to %v70 step %v71 {
            %v72 = arith.constant 16 : index
            %v73 = arith.addi %o, %v72 : index
            %p = arith.addi %v73, %k : index
            %v75 = memref.load %t[%k] : memref<17xi32, 2>
            memref.store %v75, %hb[%p] : memref<128xi32>
          }
        }
      }
    }
    return
  }

  // The expected value of element i of the output.
  func.func private @expected(%in: memref<64xi32>, %i: index) -> i32 {
    %v76 = arith.constant 32 : index
    %pe = arith.divui %i, %v76 : index
    %v78 = arith.constant 32 : index
    %k = arith.remui %i, %v78 : index
    %v80 = arith.constant 16 : index
    %pe16 = arith.muli %pe, %v80 : index
    %zero = arith.constant 0 : i32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k16 = arith.constant 16 : index
    %count = scf.for %j = %k0 to %k16 step %k1 iter_args(%acc = %zero) -> (i32) {
      %p = arith.addi %pe16, %j : index
      %v83 = memref.load %in[%p] : memref<64xi32>
      %v84 = arith.index_cast %v83 : i32 to index
      %v85 = arith.constant 8 : index
      %b = arith.remui %v84, %v85 : index
      %v87 = arith.cmpi eq, %b, %k : index
      %v88 = arith.constant 1 : index
      %v89 = arith.constant 0 : index
      %v90 = arith.select %v87, %v88, %v89 : index
      %hit = arith.index_cast %v90 : index to i32
      %w = arith.addi %acc, %hit : i32
      scf.yield %w : i32
    }
    // The value that has k - 16 smaller ones: all of the input differ.
    %sorted = scf.for %j = %k0 to %k16 step %k1 iter_args(%acc = %zero) -> (i32) {
      %p = arith.addi %pe16, %j : index
      %v = memref.load %in[%p] : memref<64xi32>
      %rank = scf.for %l = %k0 to %k16 step %k1 iter_args(%n = %k16) -> (index) {
        %q = arith.addi %pe16, %l : index
        %v96 = memref.load %in[%q] : memref<64xi32>
        %less = arith.cmpi slt, %v96, %v : i32
        %v98 = arith.constant 1 : index
        %up = arith.addi %n, %v98 : index
        %next = arith.select %less, %up, %n : index
        scf.yield %next : index
      }
      %hit = arith.cmpi eq, %rank, %k : index
      %w = arith.select %hit, %v, %acc : i32
      scf.yield %w : i32
    }
    // Collatz steps of 27, 28, 29 and 30.
    %v103 = arith.constant 0 : index
    %v104 = arith.cmpi eq, %pe, %v103 : index
    %v105 = arith.constant 111 : index
    %v106 = arith.constant 3 : index
    %v107 = arith.cmpi eq, %pe, %v106 : index
    %v108 = arith.constant 18 : index
    %v109 = arith.constant 18 : index
    %v110 = arith.select %v107, %v108, %v109 : index
    %v111 = arith.select %v104, %v105, %v110 : index
    %collatz = arith.index_cast %v111 : index to i32
    %v113 = arith.constant 8 : index
    %v114 = arith.cmpi ult, %k, %v113 : index
    %v115 = arith.constant 8 : index
    %v116 = arith.cmpi eq, %k, %v115 : index
    %v117 = arith.select %v116, %collatz, %zero : i32
    %low = arith.select %v114, %count, %v117 : i32
    %v119 = arith.constant 16 : index
    %v120 = arith.cmpi ult, %k, %v119 : index
    %result = arith.select %v120, %low, %sorted : i32
    return %result : i32
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %in = memref.alloc() : memref<64xi32>
    %out = memref.alloc() : memref<128xi32>
    scf.for %i = %c0 to %c64 step %c1 {
      %v0 = arith.constant 37 : index
      %v1 = arith.muli %i, %v0 : index
      %v2 = arith.constant 5 : index
      %v3 = arith.addi %v1, %v2 : index
      %v4 = arith.constant 64 : index
      %v5 = arith.remui %v3, %v4 : index
      %v6 = arith.index_cast %v5 : index to i32
      memref.store %v6, %in[%i] : memref<64xi32>
    }
    scf.for %i = %c0 to %c128 step %c1 {
      %v8 = arith.constant 0 : i32
      memref.store %v8, %out[%i] : memref<128xi32>
    }
    %din = gpu.alloc () : memref<64xi32>
    %dout = gpu.alloc () : memref<128xi32>
    gpu.memcpy %din, %in : memref<64xi32>, memref<64xi32>
    gpu.memcpy %dout, %out : memref<128xi32>, memref<128xi32>
    call @test(%din, %dout) : (memref<64xi32>, memref<128xi32>) -> ()
    gpu.memcpy %out, %dout : memref<128xi32>, memref<128xi32>
    gpu.dealloc %din : memref<64xi32>
    gpu.dealloc %dout : memref<128xi32>

    %wrong, %at = scf.for %i = %c0 to %c128 step %c1 iter_args(%count = %c0, %last = %c0) -> (index, index) {
      %got = memref.load %out[%i] : memref<128xi32>
      %want = func.call @expected(%in, %i) : (memref<64xi32>, index) -> i32
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
      %got = memref.load %out[%at] : memref<128xi32>
      %want = func.call @expected(%in, %at) : (memref<64xi32>, index) -> i32
      %got_shown = arith.extsi %got : i32 to i64
      %want_shown = arith.extsi %want : i32 to i64
      %wrong_i64 = arith.index_cast %wrong : index to i64
      %at_i64 = arith.index_cast %at : index to i64
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong_i64, %at_i64, %got_shown, %want_shown) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i64, i64, i64) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    memref.dealloc %in : memref<64xi32>
    memref.dealloc %out : memref<128xi32>
    return %status : i32
  }
}
