// Errors of the parsers and verifiers.
// RUN: %aircc opt --split-input-file --verify-diagnostics %s

//===--- kernel.barrier ---------------------------------------------------===//

func.func @no_scope() {
  // expected-error @below {{expected a scope: lane, wave, workgroup, device or system}}
  kernel.barrier 3
}

// -----

func.func @unknown_scope() {
  // expected-error @below {{'subgroup' is not a scope; expected lane, wave, workgroup, device or system}}
  kernel.barrier subgroup
}

// -----

func.func @lane() {
  // expected-error @below {{'kernel.barrier' op cannot have scope lane; the scope of a barrier must be wave or workgroup}}
  kernel.barrier lane
  return
}

// -----

func.func @device() {
  // expected-error @below {{cannot have scope device; the scope of a barrier must be wave or workgroup}}
  kernel.barrier device
  return
}

// -----

func.func @private() {
  // expected-error @below {{lists private memory, which other lanes cannot access; list #gpu.address_space<global>, #gpu.address_space<workgroup> or both}}
  kernel.barrier workgroup memory [#gpu.address_space<private>]
  return
}

// -----

func.func @twice() {
  // expected-error @below {{lists #gpu.address_space<global> twice}}
  kernel.barrier workgroup memory [#gpu.address_space<global>, #gpu.address_space<global>]
  return
}

// -----

func.func @number() {
  // expected-error @below {{attribute 'memory' failed to satisfy constraint: list of memory spaces}}
  kernel.barrier workgroup memory [3]
  return
}

// -----

//===--- kernel.fence -----------------------------------------------------===//

func.func @ordering() {
  // expected-error @below {{'seq_cst' is not an ordering; expected acquire, release or acq_rel}}
  kernel.fence system seq_cst
}

// -----

func.func @fence_lane() {
  // expected-error @below {{has scope lane, but accesses of a lane are ordered without a fence; use wave, workgroup, device or system}}
  kernel.fence lane acq_rel
  return
}

// -----

func.func @nothing() {
  // expected-error @below {{orders no memory; list memory spaces, or omit 'memory' to order all}}
  kernel.fence wave acq_rel memory []
  return
}

// -----

func.func @fence_private() {
  // expected-error @below {{lists private memory}}
  kernel.fence wave acq_rel memory [#gpu.address_space<private>]
  return
}

// -----

func.func @unseen() {
  // expected-error @below {{orders only workgroup memory for scope system, but other workgroups cannot access it; use scope wave or workgroup}}
  kernel.fence system release memory [#gpu.address_space<workgroup>]
  return
}

// -----

func.func @access_scope(%m: memref<4xf32>) {
  // expected-error @below {{cannot order accesses of scope device with a barrier; the scope must be wave or workgroup}}
  kernel.access device writes(%m : memref<4xf32>)
  return
}

// -----

func.func @access_memory(%m: memref<4xf32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{accesses a buffer in #gpu.address_space<workgroup>, which the listed memory spaces do not contain}}
  kernel.access wave reads(%m : memref<4xf32, #gpu.address_space<workgroup>>) memory [#gpu.address_space<global>]
  return
}

// -----

func.func @access_private(%m: memref<4xf32>) {
  // expected-error @below {{lists private memory}}
  kernel.access wave reads(%m : memref<4xf32>) memory [#gpu.address_space<private>]
  return
}

// -----

func.func @access_nothing() {
  // expected-error @below {{declares no access: list buffers in 'writes' or 'reads'}}
  kernel.access wave
  return
}

// -----

func.func @access_memory_of_second(%m: memref<4xf32>, %n: memref<4xf32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{accesses a buffer in #gpu.address_space<workgroup>, which the listed memory spaces do not contain}}
  kernel.access wave writes(%m : memref<4xf32>) reads(%n : memref<4xf32, #gpu.address_space<workgroup>>) memory [#gpu.address_space<global>]
  return
}

// -----

func.func @publish_scope() {
  // expected-error @below {{cannot wait for the workers of scope device; the scope must be wave or workgroup}}
  kernel.publish device to system
  return
}

// -----

func.func @publish_observers() {
  // expected-error @below {{publishes to the scope workgroup, whose workers kernel.access orders: the observers are device or system}}
  kernel.publish wave to workgroup
  return
}

// -----

func.func @arena_space(%bytes: index) {
  // expected-error @below {{has the result 'memref<?xi8, 1>'; an arena is a memref<?xi8> in the default memory space}}
  %m = kernel.arena 0 bytes(%bytes) : memref<?xi8, 1>
  return
}
