// RUN: %aircc %s --target gfx90a -O1 -o %t.gfx90a && %t.gfx90a | FileCheck %s
// RUN: %aircc %s --target gfx942 -o %t.gfx942 && %t.gfx942 | FileCheck %s
// RUN: %aircc %s --target gfx942 -O0 -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %aircc %s --target gfx950 -O3 -o %t.gfx950 && %t.gfx950 | FileCheck %s
// RUN: %aircc %s --target gfx1100 -o %t.gfx1100 && %t.gfx1100 | FileCheck %s
// RUN: %aircc %s --target gfx1201 -O3 -o %t.gfx1201 && %t.gfx1201 | FileCheck %s

// One lane executes code alone at the beginning and at the end of each iteration, and a barrier is
// between them. The other lanes must not start the next iteration without it.
// CHECK: claimed after a barrier: ( 1, 3, 5, 7, 9, 11, 13, 15 )
// CHECK: claimed after a shuffle: ( 1, 3, 5, 7, 9, 11, 13, 15 )
// CHECK: of a loop that counts: ( 0, 0, 1, 3, 6, 10, 15, 21 )

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @barrier(%next: memref<1xi32>, %out: memref<8xi32>)
      workgroup(%lds: memref<1xi32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %eight = arith.constant 8 : i32
    %true = arith.constant true
    %tid = gpu.thread_id x
    %alone = arith.cmpi eq, %tid, %c0 : index
    %end = scf.while (%go = %true) : (i1) -> i1 {
      scf.condition(%go) %go : i1
    } do {
    ^bb0(%ignored: i1):
      %mine = scf.if %alone -> (i32) {
        %ticket = memref.atomic_rmw addi %one, %next[%c0] : (i32, memref<1xi32>) -> i32
        scf.yield %ticket : i32
      } else {
        scf.yield %zero : i32
      }
      gpu.barrier
      scf.if %alone {
        memref.store %mine, %lds[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %ticket = memref.load %lds[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
      %more = arith.cmpi ult, %ticket, %eight : i32
      scf.if %more {
        scf.if %alone {
          %i = arith.index_cast %ticket : i32 to index
          %double = arith.addi %ticket, %ticket : i32
          %odd = arith.addi %double, %one : i32
          memref.store %odd, %out[%i] : memref<8xi32>
        }
      }
      scf.yield %more : i1
    }
    gpu.return
  }

  gpu.func @shuffle(%next: memref<1xi32>, %out: memref<8xi32>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %eight = arith.constant 8 : i32
    %lanes = arith.constant 32 : i32
    %tid = gpu.thread_id x
    %alone = arith.cmpi eq, %tid, %c0 : index
    scf.while : () -> () {
      %mine = scf.if %alone -> (i32) {
        %ticket = memref.atomic_rmw addi %one, %next[%c0] : (i32, memref<1xi32>) -> i32
        scf.yield %ticket : i32
      } else {
        scf.yield %zero : i32
      }
      %ticket, %valid = gpu.shuffle idx %mine, %zero, %lanes : i32
      %more = arith.cmpi ult, %ticket, %eight : i32
      scf.if %more {
        scf.if %alone {
          %i = arith.index_cast %ticket : i32 to index
          %double = arith.addi %ticket, %ticket : i32
          %odd = arith.addi %double, %one : i32
          memref.store %odd, %out[%i] : memref<8xi32>
        }
      }
      scf.condition(%more)
    } do {
      scf.yield
    }
    gpu.return
  }

  gpu.func @count(%n: index, %out: memref<8xi32>)
      workgroup(%lds: memref<1xi32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %tid = gpu.thread_id x
    %alone = arith.cmpi eq, %tid, %c0 : index
    scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (i32) {
      scf.if %alone {
        memref.store %sum, %lds[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %same = memref.load %lds[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %ticket = arith.index_cast %i : index to i32
      %more = arith.addi %same, %ticket : i32
      scf.if %alone {
        memref.store %same, %out[%i] : memref<8xi32>
      }
      scf.yield %more : i32
    }
    gpu.return
  }
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i32
  %next = memref.alloc() : memref<1xi32>
  %out = memref.alloc() : memref<8xi32>
  %dnext = gpu.alloc () : memref<1xi32>
  %dout = gpu.alloc () : memref<8xi32>

  linalg.fill ins(%zero : i32) outs(%next : memref<1xi32>)
  gpu.memcpy %dnext, %next : memref<1xi32>, memref<1xi32>
  gpu.launch_func @kernels::@barrier blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1) args(%dnext : memref<1xi32>, %dout : memref<8xi32>)
  gpu.memcpy %out, %dout : memref<8xi32>, memref<8xi32>
  vector.print str "claimed after a barrier: "
  func.call @print(%out) : (memref<8xi32>) -> ()

  gpu.memcpy %dnext, %next : memref<1xi32>, memref<1xi32>
  gpu.launch_func @kernels::@shuffle blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%dnext : memref<1xi32>, %dout : memref<8xi32>)
  gpu.memcpy %out, %dout : memref<8xi32>, memref<8xi32>
  vector.print str "claimed after a shuffle: "
  func.call @print(%out) : (memref<8xi32>) -> ()

  gpu.launch_func @kernels::@count blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1) args(%c8 : index, %dout : memref<8xi32>)
  gpu.memcpy %out, %dout : memref<8xi32>, memref<8xi32>
  vector.print str "of a loop that counts: "
  func.call @print(%out) : (memref<8xi32>) -> ()
  return
}

func.func @print(%values: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %v = vector.transfer_read %values[%c0], %zero {in_bounds = [true]} : memref<8xi32>, vector<8xi32>
  vector.print %v : vector<8xi32>
  return
}
}
