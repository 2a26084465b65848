// A loop whose result is only known at run time.
gpu.module @kernels {
  gpu.func @count(%m: memref<4xi32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %start = memref.load %m[%c0] : memref<4xi32>
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%x = %start) -> i32 {
      %y = arith.muli %x, %three : i32
      %z = arith.addi %y, %one : i32
      scf.yield %z : i32
    }
    memref.store %end, %m[%c0] : memref<4xi32>
    gpu.return
  }
}
