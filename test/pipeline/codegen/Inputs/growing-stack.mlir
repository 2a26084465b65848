gpu.module @m {
  gpu.func @dynamic(%n: index, %c: i1) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: growing-stack.mlir:[[#@LINE+4]]:14: error: 'memref.alloca' op allocates stack memory of dynamic size in each iteration of a loop
    // CHECK: growing-stack.mlir:[[#@LINE+1]]:5: note: the loop is here
    scf.for %i = %c0 to %n step %c1 {
      scf.if %c {
        %a = memref.alloca(%i) : memref<?xf32>
      }
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @handed_on(%n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %first = memref.alloca() : memref<4xf32>
    cf.br ^loop(%c0, %first : index, memref<4xf32>)
  ^loop(%i: index, %last: memref<4xf32>):
    // CHECK: growing-stack.mlir:[[#@LINE+1]]:10: error: 'memref.alloca' op allocates stack memory in a loop that passes memrefs to its next iteration
    %a = memref.alloca() : memref<4xf32>
    %x = memref.load %last[%c0] : memref<4xf32>
    memref.store %x, %a[%c0] : memref<4xf32>
    %next = arith.addi %i, %c1 : index
    %more = arith.cmpi ult, %next, %n : index
    cf.cond_br %more, ^loop(%next, %a : index, memref<4xf32>), ^end
  ^end:
    gpu.return
  }
}
