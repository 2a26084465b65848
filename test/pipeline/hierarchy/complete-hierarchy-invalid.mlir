// RUN: %aircc opt %s --hierarchy-complete-hierarchy --split-input-file --verify-diagnostics

func.func @launch_in_launch() {
  %c2 = arith.constant 2 : index
  air.launch (%x) in (%n = %c2) {
    // expected-error@+1 {{cannot be in an air.launch, because a kernel cannot launch a grid; put all the points in the outer launch, or use an air.segment with a space (unroll)}}
    air.launch (%y) in (%m = %n) {
    }
  }
  return
}

// -----

func.func private @starts_a_grid(%n: index) {
  // expected-error@+1 {{cannot be in an air.segment, because a kernel cannot launch a grid}}
  air.launch (%y) in (%m = %n) {
  }
  return
}
func.func @launch_in_segment() {
  air.segment {
    %c2 = arith.constant 2 : index
    func.call @starts_a_grid(%c2) : (index) -> ()
  }
  return
}

// -----

func.func @herd_in_herd() {
  %c2 = arith.constant 2 : index
  air.herd tile (%x) in (%n = %c2) {
    %l1 = memref.alloc() : memref<4xi32, 2>
    // expected-error@+1 {{cannot be nested in an air.herd that does other work, each point of which is a single PE}}
    air.herd tile (%y) in (%m = %n) {
    }
  }
  return
}

// -----

func.func @herd_in_gpu_launch() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{cannot be in a kernel of the gpu dialect, which is already per-lane code}}
    air.herd tile (%x) in (%n = %c1) {
    }
    gpu.terminator
  }
  return
}

// -----

gpu.module @kernels {
  gpu.func @k(%n: index) kernel {
    // expected-error@+1 {{cannot be in a kernel of the gpu dialect, which is already per-lane code; write the whole kernel with air.launch, air.segment and air.herd, or without them}}
    air.segment {
    }
    gpu.return
  }
}

// -----

func.func private @blocks(%c: i1) {
  %l = memref.alloc() : memref<4xf32, 1>
  cf.cond_br %c, ^bb1, ^bb1
^bb1:
  return
}
func.func @several_blocks(%c: i1) {
  air.segment args(%p = %c) : i1 {
    // expected-error@+1 {{calls a function that must be inlined because of its AIR ops, barriers, allocations or L1 buffers, but has several blocks; use structured control flow (scf) in it}}
    func.call @blocks(%p) : (i1) -> ()
  }
  return
}

// -----

func.func private @ping() {
  %l = memref.alloc() : memref<4xf32, 1>
  func.call @pong() : () -> ()
  return
}
func.func private @pong() {
  func.call @ping() : () -> ()
  return
}
func.func @without_end() {
  // expected-error@+1 {{recursively calls functions that must be inlined because of their AIR ops, barriers, allocations or L1 buffers}}
  air.launch () in () {
    func.call @ping() : () -> ()
  }
  return
}

// -----

func.func @launches_itself() {
  air.launch () in () {
    // expected-error@+1 {{cannot recursively call the function that contains its launch}}
    func.call @launches_itself() : () -> ()
  }
  return
}
