// Discardable attributes of the dialect: values that the verifiers accept, and errors for others.
// RUN: %aircc opt --split-input-file --verify-diagnostics --allow-unregistered-dialect %s

// Accepted: the attributes that stage hierarchy creates.
gpu.module @accepted {
  gpu.func @kernel(%lds: memref<64xi8, #gpu.address_space<workgroup>>) kernel
      attributes {kernel.scope = #kernel.scope<workgroup>, kernel.wave_size = 64 : i64, kernel.pe_is_lane,
                  kernel.has_wave_ids, kernel.pes_in_row} {
    %c0 = arith.constant 0 : index
    %v = memref.view %lds[%c0][] {kernel.lds_range = array<i64: 0, 64>, kernel.per_wave}
        : memref<64xi8, #gpu.address_space<workgroup>> to memref<16xf32, #gpu.address_space<workgroup>>
    scf.execute_region {
      scf.yield
    } {kernel.scope = #kernel.scope<lane>, kernel.own_buffers = array<i64: 0, 2>, kernel.every_lane}
    gpu.return
  }
}

// -----

// expected-error @below {{has the attribute 'kernel.wavesize', but the kernel dialect defines no such attribute; did you mean 'kernel.wave_size'?}}
func.func private @similar() attributes {kernel.wavesize = 64 : i64}

// -----

// expected-error @below {{has the attribute 'kernel.color', but the kernel dialect defines no such attribute}}
func.func private @unknown() attributes {kernel.color}

// -----

// expected-error @below {{expects 'kernel.scope' to be #kernel.scope<lane>, #kernel.scope<wave> or #kernel.scope<workgroup>, but got "wave"}}
func.func private @text() attributes {kernel.scope = "wave"}

// -----

// expected-error @below {{expects 'kernel.scope' to be #kernel.scope<lane>, #kernel.scope<wave> or #kernel.scope<workgroup>, but got #kernel.scope<device>}}
func.func private @device() attributes {kernel.scope = #kernel.scope<device>}

// -----

// expected-error @below {{cannot have the attribute 'kernel.scope', which is only allowed on kernels and ops with regions}}
"test.op"() {kernel.scope = #kernel.scope<wave>} : () -> ()

// -----

// expected-error @below {{expects 'kernel.wave_size' to be an i64 that is a power of two, but got 48 : i64}}
func.func private @wave_size() attributes {kernel.wave_size = 48 : i64}

// -----

// expected-error @below {{cannot have the attribute 'kernel.wave_size', which is only allowed on a gpu.launch or a function}}
"test.op"() {kernel.wave_size = 64 : i64} : () -> ()

// -----

// expected-error @below {{cannot have the attribute 'kernel.pe_is_lane', which is only allowed on air.launch, gpu.launch or a function}}
"test.op"() {kernel.pe_is_lane} : () -> ()

// -----

// expected-error @below {{expects 'kernel.has_wave_ids' to be a unit attribute, but got true}}
func.func private @has_wave_ids() attributes {kernel.has_wave_ids = true}

// -----

// expected-error @below {{expects 'kernel.pes_in_row' to be a unit attribute, but got 1 : i64}}
func.func private @pes_in_row() attributes {kernel.pes_in_row = 1 : i64}

// -----

// expected-error @below {{cannot have the attribute 'kernel.name', which is only allowed on gpu.launch and air.launch}}
func.func private @name() attributes {kernel.name = "k"}

// -----

func.func @empty_name() {
  // expected-error @below {{expects 'kernel.name' to be a nonempty string, but got ""}}
  air.launch () in () attributes {kernel.name = ""} {
  }
  return
}

// -----

// expected-error @below {{expects 'kernel.every_lane' to be a unit attribute, but got 1 : i64}}
"test.op"() {kernel.every_lane = 1 : i64} : () -> ()

// -----

// expected-error @below {{cannot have the attribute 'kernel.lds_range', which is only allowed on ops with a single memref result}}
"test.op"() {kernel.lds_range = array<i64: 0, 4>} : () -> ()

// -----

// expected-error @below {{expects 'kernel.lds_range' to be array<i64: first, end> with 0 <= first <= end, but got array<i64: 8, 4>}}
%0 = "test.op"() {kernel.lds_range = array<i64: 8, 4>} : () -> memref<f32>

// -----

// expected-error @below {{cannot have the attribute 'kernel.per_wave', which is only allowed on views of LDS buffers with 'kernel.lds_range'}}
%0 = "test.op"() {kernel.per_wave} : () -> memref<f32>

// -----

// expected-error @below {{cannot have the attribute 'kernel.own_buffers', which is only allowed on ops with regions}}
"test.op"() {kernel.own_buffers = array<i64: 0>} : () -> ()

// -----

// expected-error @below {{expects 'kernel.own_buffers' to be array<i64: ...> of distinct indices of private attributions, but got array<i64: 1, 1>}}
func.func private @own_buffers() attributes {kernel.own_buffers = array<i64: 1, 1>}

// -----

// expected-error @below {{cannot have the attribute 'kernel.prefetch', which is only allowed on air.dma_memcpy_nd}}
"test.op"() {kernel.prefetch} : () -> ()

// -----

// expected-error @below {{expects 'kernel.device_libraries' to be a list of strings, but got [1]}}
gpu.module @libraries attributes {kernel.device_libraries = [1]} {
}

// -----

// expected-error @below {{cannot have the attribute 'kernel.device_libraries', which is only allowed on gpu.module and gpu.binary}}
func.func private @libraries() attributes {kernel.device_libraries = []}

// -----

// expected-error @below {{expects 'kernel.pe_is_lane' to be a unit attribute, but got false}}
func.func private @pe_is_lane() attributes {kernel.pe_is_lane = false}

// -----

// expected-error @below {{cannot have the attribute 'kernel.has_wave_ids', which is only allowed on a gpu.launch or a function}}
"test.op"() {kernel.has_wave_ids} : () -> ()

// -----

// expected-error @below {{cannot have the attribute 'kernel.pes_in_row', which is only allowed on a gpu.launch or a function}}
"test.op"() {kernel.pes_in_row} : () -> ()

// -----

// expected-error @below {{expects 'kernel.per_wave' to be a unit attribute, but got false}}
%0 = "test.op"() {kernel.lds_range = array<i64: 0, 4>, kernel.per_wave = false} : () -> memref<f32>

// -----

func.func @prefetch(%m: memref<4xf32>) {
  // expected-error @below {{expects 'kernel.prefetch' to be a unit attribute, but got false}}
  air.dma_memcpy_nd (%m[] [] [], %m[] [] []) {kernel.prefetch = false} : (memref<4xf32>, memref<4xf32>)
  return
}
