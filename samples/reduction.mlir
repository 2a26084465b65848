// The sum of an integer vector, computed with shuffles within a wave, LDS across
// the waves of a workgroup, and one atomic per workgroup.
//
//   aircc samples/reduction.mlir --target gfx942 -o reduction && ./reduction
//   ./reduction 5000           # another length (default 1000000)

module {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.func @atoi(!llvm.ptr) -> i32
  llvm.mlir.global internal constant @passed("reduction: PASS, the sum of %ld elements is %d\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("reduction: FAIL, the sum is %d, expected %d\0A\00") {addr_space = 0 : i32}

  func.func @sum(%values: memref<?xi32>, %total: memref<1xi32>) {
    %c0 = arith.constant 0 : index
    %c8192 = arith.constant 8192 : index
    %n = memref.dim %values, %c0 : memref<?xi32>
    %blocks = arith.ceildivui %n, %c8192 : index
    air.launch (%block) in (%nblocks = %blocks) args(%lv = %values, %lt = %total)
        : memref<?xi32>, memref<1xi32> {
      air.segment @reduce args(%sblock = %block, %sv = %lv, %st = %lt)
          : index, memref<?xi32>, memref<1xi32> {
        %s1 = arith.constant 1 : index
        %s4 = arith.constant 4 : index
        %partial = memref.alloc() : memref<4xi32, 1>

        // Each PE sums its part, first in each lane, then across its lanes.
        air.herd @waves tile (%pe, %pe_y) in (%npe = %s4, %npe_y = %s1)
            args(%hblock = %sblock, %hv = %sv, %hp = %partial)
            : index, memref<?xi32>, memref<4xi32, 1> {
          %h0 = arith.constant 0 : index
          %h1 = arith.constant 1 : index
          %h8192 = arith.constant 8192 : index
          %zero = arith.constant 0 : i32
          %one = arith.constant 1 : i32
          %len = memref.dim %hv, %h0 : memref<?xi32>
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          %lanes = arith.muli %npe, %wave : index
          %pe_first = arith.muli %pe, %wave : index
          %mine = arith.addi %pe_first, %lane : index
          %block_first = arith.muli %hblock, %h8192 : index
          %block_last = arith.addi %block_first, %h8192 : index
          %end = arith.minui %block_last, %len : index
          %first = arith.addi %block_first, %mine : index
          %lane_sum = scf.for %i = %first to %end step %lanes iter_args(%acc = %zero) -> (i32) {
            %v = memref.load %hv[%i] : memref<?xi32>
            %next = arith.addi %acc, %v : i32
            scf.yield %next : i32
          }
          %wave_i32 = arith.index_cast %wave : index to i32
          %half = arith.shrui %wave_i32, %one : i32
          %rest, %wave_sum = scf.while (%distance = %half, %acc = %lane_sum) : (i32, i32) -> (i32, i32) {
            %more = arith.cmpi ugt, %distance, %zero : i32
            scf.condition(%more) %distance, %acc : i32, i32
          } do {
          ^bb0(%distance: i32, %acc: i32):
            %other, %valid = gpu.shuffle xor %acc, %distance, %wave_i32 : i32
            %next = arith.addi %acc, %other : i32
            %smaller = arith.shrui %distance, %one : i32
            scf.yield %smaller, %next : i32, i32
          }
          %is_first = arith.cmpi eq, %lane, %h0 : index
          scf.if %is_first {
            memref.store %wave_sum, %hp[%pe] : memref<4xi32, 1>
          }
        }

        // One lane adds the four partial sums to the total.
        air.herd @workgroup tile (%pe, %pe_y) in (%npe = %s1, %npe_y = %s1)
            args(%hp = %partial, %ht = %st) : memref<4xi32, 1>, memref<1xi32> {
          %h0 = arith.constant 0 : index
          %h1 = arith.constant 1 : index
          %h4 = arith.constant 4 : index
          %zero = arith.constant 0 : i32
          %lane = gpu.lane_id
          %is_first = arith.cmpi eq, %lane, %h0 : index
          scf.if %is_first {
            %block_sum = scf.for %i = %h0 to %h4 step %h1 iter_args(%acc = %zero) -> (i32) {
              %v = memref.load %hp[%i] : memref<4xi32, 1>
              %next = arith.addi %acc, %v : i32
              scf.yield %next : i32
            }
            %old = memref.atomic_rmw addi %block_sum, %ht[%h0] : (i32, memref<1xi32>) -> i32
          }
        }
      }
    }
    return
  }

  // The first argument of the command line, or `default` without one.
  func.func private @argument(%argc: i32, %argv: !llvm.ptr, %default: index) -> index {
    %two = arith.constant 2 : i32
    %given = arith.cmpi sge, %argc, %two : i32
    %n = scf.if %given -> index {
      %slot = llvm.getelementptr %argv[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
      %text = llvm.load %slot : !llvm.ptr -> !llvm.ptr
      %value = llvm.call @atoi(%text) : (!llvm.ptr) -> i32
      %index = arith.index_cast %value : i32 to index
      scf.yield %index : index
    } else {
      scf.yield %default : index
    }
    return %n : index
  }

  func.func @main(%argc: i32, %argv: !llvm.ptr) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c37 = arith.constant 37 : index
    %c1000 = arith.constant 1000 : index
    %zero = arith.constant 0 : i32
    %default = arith.constant 1000000 : index
    %n = call @argument(%argc, %argv, %default) : (i32, !llvm.ptr, index) -> index

    %values = memref.alloc(%n) : memref<?xi32>
    %total = memref.alloc() : memref<1xi32>
    memref.store %zero, %total[%c0] : memref<1xi32>
    %expected = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (i32) {
      %scaled = arith.muli %i, %c37 : index
      %small = arith.remui %scaled, %c1000 : index
      %v = arith.index_cast %small : index to i32
      memref.store %v, %values[%i] : memref<?xi32>
      %next = arith.addi %acc, %v : i32
      scf.yield %next : i32
    }

    %dvalues = gpu.alloc (%n) : memref<?xi32>
    %dtotal = gpu.alloc () : memref<1xi32>
    gpu.memcpy %dvalues, %values : memref<?xi32>, memref<?xi32>
    gpu.memcpy %dtotal, %total : memref<1xi32>, memref<1xi32>
    call @sum(%dvalues, %dtotal) : (memref<?xi32>, memref<1xi32>) -> ()
    gpu.memcpy %total, %dtotal : memref<1xi32>, memref<1xi32>
    gpu.dealloc %dvalues : memref<?xi32>
    gpu.dealloc %dtotal : memref<1xi32>
    %got = memref.load %total[%c0] : memref<1xi32>
    memref.dealloc %values : memref<?xi32>
    memref.dealloc %total : memref<1xi32>

    %good = arith.cmpi eq, %got, %expected : i32
    %status = scf.if %good -> i32 {
      %n_i64 = arith.index_cast %n : index to i64
      %text = llvm.mlir.addressof @passed : !llvm.ptr
      llvm.call @printf(%text, %n_i64, %got) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64, i32) -> i32
      scf.yield %zero : i32
    } else {
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %got, %expected) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i32) -> i32
      %bad = arith.constant 1 : i32
      scf.yield %bad : i32
    }
    return %status : i32
  }
}
