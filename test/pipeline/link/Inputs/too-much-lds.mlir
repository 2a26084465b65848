// CHECK: too-much-lds.mlir:[[#@LINE+3]]:77: error: this buffer of 70000 bytes does not fit: {{.*}}a workgroup may use only 65536
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%i: index, %j: index, %x: i8, %out: memref<?xi8>) workgroup(%lds: memref<70000xi8, #gpu.address_space<workgroup>>) kernel {
      memref.store %x, %lds[%i] : memref<70000xi8, #gpu.address_space<workgroup>>
      gpu.barrier
      %0 = memref.load %lds[%j] : memref<70000xi8, #gpu.address_space<workgroup>>
      memref.store %0, %out[%i] : memref<?xi8>
      gpu.return
    }
  }
  func.func @f(%i: index, %x: i8, %out: memref<?xi8>) {
    gpu.launch_func @m::@k blocks in (%i, %i, %i) threads in (%i, %i, %i)
        args(%i : index, %i : index, %x : i8, %out : memref<?xi8>)
    return
  }
}
