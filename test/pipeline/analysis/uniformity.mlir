// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(test-print-uniformity))' | FileCheck %s
// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(test-print-uniformity{reads-are-uniform=false}))' | FileCheck %s --check-prefix=RACY

gpu.module @kernels {
  // Ids and sizes. Rows of whole waves make thread_id y uniform in each wave.
  // CHECK-LABEL: gpu.func @ids
  // CHECK-SAME: args_uniform_over = ["device", "device"]
  gpu.func @ids(%m: memref<64xi32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 2, 1>} {
    // CHECK: gpu.block_dim {{.*}}uniform_over = ["device"]
    // CHECK: gpu.block_id {{.*}}uniform_over = ["workgroup"]
    // CHECK: gpu.thread_id  x {{.*}}uniform_over = ["lane"]
    // CHECK: gpu.thread_id  y {{.*}}uniform_over = ["wave"]
    // CHECK: gpu.lane_id {{.*}}uniform_over = ["lane"]
    // CHECK: gpu.subgroup_id {{.*}}uniform_over = ["wave"]
    %dim = gpu.block_dim x
    %block = gpu.block_id x
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %lane = gpu.lane_id
    %wave = gpu.subgroup_id : index
    // The result is as uniform as the least uniform operand.
    // CHECK: arith.addi %{{.*}}uniform_over = ["workgroup"]
    // CHECK: arith.addi %{{.*}}uniform_over = ["wave"]
    // CHECK: arith.addi %{{.*}}uniform_over = ["lane"]
    %sum0 = arith.addi %block, %n : index
    %sum1 = arith.addi %sum0, %wave : index
    %sum2 = arith.addi %sum1, %tx : index
    // A broadcast of a lane's value is uniform in the wave, of the
    // workgroup's in the workgroup.
    // CHECK: gpu.subgroup_broadcast {{.*}}uniform_over = ["wave"]
    // CHECK: gpu.subgroup_broadcast {{.*}}uniform_over = ["workgroup"]
    %b0 = gpu.subgroup_broadcast %tx, first_active_lane : index
    %b1 = gpu.subgroup_broadcast %block, first_active_lane : index
    // Clusters of a wave have different results.
    // CHECK: gpu.subgroup_reduce {{.*}}uniform_over = ["wave"]
    // CHECK: gpu.subgroup_reduce {{.*}}uniform_over = ["lane"]
    // CHECK: gpu.all_reduce
    // CHECK: {uniform_over = ["workgroup"]}
    %i = arith.index_cast %tx : index to i32
    %r0 = gpu.subgroup_reduce add %i : (i32) -> i32
    %r1 = gpu.subgroup_reduce add %i cluster(size = 4) : (i32) -> i32
    %r2 = gpu.all_reduce add %i uniform {} : (i32) -> i32
    gpu.return
  }

  // Rows that are parts of waves.
  // CHECK-LABEL: gpu.func @short_rows
  // CHECK: gpu.thread_id  y {{.*}}uniform_over = ["lane"]
  gpu.func @short_rows() kernel attributes {known_block_size = array<i32: 16, 4, 1>} {
    %ty = gpu.thread_id y
    gpu.return
  }

  // Reads are as uniform as the address and the memory, if reads are trusted.
  // CHECK-LABEL: gpu.func @reads
  // RACY-LABEL: gpu.func @reads
  gpu.func @reads(%m: memref<64xi32>) workgroup(%w: memref<64xi32, #gpu.address_space<workgroup>>) private(%p: memref<64xi32, #gpu.address_space<private>>) kernel {
    %c0 = arith.constant 0 : index
    %tx = gpu.thread_id x
    // CHECK: memref.load {{.*}}uniform_over = ["device"]
    // CHECK: memref.load {{.*}}uniform_over = ["lane"]
    // CHECK: memref.load {{.*}}uniform_over = ["workgroup"]
    // CHECK: memref.load {{.*}}uniform_over = ["lane"]
    // RACY-COUNT-4: memref.load {{.*}}uniform_over = ["lane"]
    %0 = memref.load %m[%c0] : memref<64xi32>
    %1 = memref.load %m[%tx] : memref<64xi32>
    %2 = memref.load %w[%c0] : memref<64xi32, #gpu.address_space<workgroup>>
    %3 = memref.load %p[%c0] : memref<64xi32, #gpu.address_space<private>>
    // An atomic gives each lane a value of its own.
    // CHECK: memref.atomic_rmw {{.*}}uniform_over = ["lane"]
    %4 = memref.atomic_rmw addi %0, %m[%c0] : (i32, memref<64xi32>) -> i32
    gpu.return
  }

  // What control flow chooses between is as uniform as the condition.
  // CHECK-LABEL: gpu.func @control
  gpu.func @control(%n: index) kernel attributes {known_block_size = array<i32: 64, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %block = gpu.block_id x
    %byLane = arith.cmpi eq, %tx, %c0 : index
    %byWave = arith.cmpi eq, %ty, %c0 : index
    // CHECK: scf.if
    // CHECK: memref.alloca() {reached_by = "lane"
    // CHECK: } {uniform_over = ["lane"]}
    %0 = scf.if %byLane -> index {
      %a = memref.alloca() : memref<1xi32>
      scf.yield %c0 : index
    } else {
      scf.yield %c1 : index
    }
    // CHECK: scf.if
    // CHECK: memref.alloca() {reached_by = "wave"
    // CHECK: } {uniform_over = ["wave"]}
    %1 = scf.if %byWave -> index {
      %a = memref.alloca() : memref<1xi32>
      scf.yield %c0 : index
    } else {
      scf.yield %c1 : index
    }
    // The carried value becomes less uniform in the second iteration.
    // CHECK: scf.for
    // CHECK-NOT: reached_by
    // CHECK: } {args_uniform_over = ["workgroup", "lane", "workgroup"], uniform_over = ["lane", "workgroup"]}
    %2:2 = scf.for %i = %c0 to %block step %c1 iter_args(%x = %c0, %y = %c1) -> (index, index) {
      %a = memref.alloca() : memref<1xi32>
      %next = arith.addi %x, %tx : index
      %other = arith.addi %y, %c1 : index
      scf.yield %next, %other : index, index
    }
    // Lanes leave this loop at different iterations.
    // CHECK: scf.while
    // CHECK: memref.alloca() {reached_by = "lane"
    // CHECK: } attributes {args_uniform_over = ["lane", "lane"], uniform_over = ["lane"]}
    %3 = scf.while (%x = %c0) : (index) -> index {
      %more = arith.cmpi ult, %x, %tx : index
      scf.condition(%more) %x : index
    } do {
    ^bb0(%x: index):
      %a = memref.alloca() : memref<1xi32>
      %next = arith.addi %x, %c1 : index
      scf.yield %next : index
    }
    // All lanes run all iterations, so what they reduce is as uniform as that.
    // CHECK: scf.parallel
    // CHECK: } {args_uniform_over = ["device"], uniform_over = ["device"]}
    %4 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%c0) -> index {
      scf.reduce(%i : index) {
      ^bb0(%x: index, %y: index):
        %s = arith.addi %x, %y : index
        scf.reduce.return %s : index
      }
    }
    gpu.return
  }

  // Branches between blocks.
  // CHECK-LABEL: gpu.func @branches
  gpu.func @branches(%n: index, %c: i1) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tx = gpu.thread_id x
    cf.cond_br %c, ^uniform(%c0 : index), ^uniform(%c1 : index)
  // CHECK: memref.alloca() {uniform_over
  ^uniform(%x: index):
    %a = memref.alloca() : memref<1xi32>
    %y = arith.addi %x, %n {of_uniform} : index
    // CHECK: of_uniform, uniform_over = ["device"]
    gpu.return
  }
  // CHECK-LABEL: gpu.func @divergent_branches
  gpu.func @divergent_branches(%n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tx = gpu.thread_id x
    %c = arith.cmpi eq, %tx, %c0 : index
    cf.cond_br %c, ^next(%c0 : index), ^next(%c1 : index)
  // CHECK: memref.alloca() {reached_by = "lane"
  ^next(%x: index):
    %a = memref.alloca() : memref<1xi32>
    // CHECK: of_lane, reached_by = "lane", uniform_over = ["lane"]
    %y = arith.addi %x, %n {of_lane} : index
    gpu.return
  }

  // The callers of a function are unknown.
  // CHECK-LABEL: gpu.func @function
  // CHECK-SAME: args_uniform_over = ["lane"]
  // CHECK: memref.alloca() {reached_by = "lane"
  gpu.func @function(%n: index) {
    %a = memref.alloca() : memref<1xi32>
    gpu.return
  }
}
