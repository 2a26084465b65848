// Kernels for `aircc sim`: lanes that part and come together, and shared local
// memory whose size the launch gives.

gpu.module @kernels {
  // Each lane adds up 1.5 as often as the lowest two bits of its number say, with
  // its element the first time; then it takes the result of the adjacent lane.
  gpu.func @walk(%out: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0.0 : f32
    %step = arith.constant 1.5 : f32
    %one = arith.constant 1 : i32
    %width = arith.constant 16 : i32
    %lane = gpu.thread_id x
    %first = arith.constant 32 : index
    %group = gpu.block_id x
    %start = arith.muli %group, %first : index
    %i = arith.addi %start, %lane : index
    %times = arith.andi %lane, %c3 : index
    %sum = scf.for %k = %c0 to %times step %c1 iter_args(%s = %zero) -> f32 {
      %old = memref.load %out[%i] : memref<?xf32>
      %next = arith.addf %s, %step : f32
      %both = arith.addf %next, %old : f32
      memref.store %zero, %out[%i] : memref<?xf32>
      scf.yield %both : f32
    }
    %beside, %valid = gpu.shuffle xor %sum, %one, %width : f32
    memref.store %beside, %out[%i] : memref<?xf32>
    gpu.return
  }

  // The lanes of the workgroup in the opposite order.
  gpu.func @reverse(%out: memref<?xi32>) kernel {
    %dynamic = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = gpu.block_dim x
    %shared = memref.view %dynamic[%c0][%n] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xi32, #gpu.address_space<workgroup>>
    %i = gpu.thread_id x
    %v = arith.index_cast %i : index to i32
    memref.store %v, %shared[%i] : memref<?xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %last = arith.subi %n, %c1 : index
    %other = arith.subi %last, %i : index
    %w = memref.load %shared[%other] : memref<?xi32, #gpu.address_space<workgroup>>
    memref.store %w, %out[%i] : memref<?xi32>
    gpu.return
  }
}
