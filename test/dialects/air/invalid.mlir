// Messages of the verifiers.
// RUN: %aircc opt --split-input-file --verify-diagnostics %s

//===--- Hierarchy --------------------------------------------------------===//

func.func @too_few_arguments(%n: index) {
  // expected-error @below {{'air.launch' op expects 2 block arguments (1 ids, 1 sizes and 0 kernel arguments), but its body has 1}}
  "air.launch"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0>}> ({
  ^bb0(%x: index):
    "air.launch_terminator"() : () -> ()
  }) : (index) -> ()
  return
}

// -----

func.func @id_type(%n: index) {
  // expected-error @below {{'air.herd' op expects block argument 0 (an id) to have type 'index', but got 'i32'}}
  "air.herd"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0>}> ({
  ^bb0(%x: i32, %sx: index):
    "air.herd_terminator"() : () -> ()
  }) : (index) -> ()
  return
}

// -----

func.func @size_type(%n: index) {
  // expected-error @below {{'air.herd' op expects block argument 1 (a size) to have type 'index', but got 'i32'}}
  "air.herd"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0>}> ({
  ^bb0(%x: index, %sx: i32):
    "air.herd_terminator"() : () -> ()
  }) : (index) -> ()
  return
}

// -----

func.func @kernel_argument_type(%v: f32) {
  // expected-error @below {{'air.segment' op expects block argument 0 to have the type of its kernel operand, 'f32', but got 'f64'}}
  "air.segment"(%v) <{operandSegmentSizes = array<i32: 0, 0, 1>}> ({
  ^bb0(%k: f64):
    "air.segment_terminator"() : () -> ()
  }) : (f32) -> ()
  return
}

// -----

func.func @captures(%v: i32) {
  // expected-note @below {{required by region isolation constraints}}
  air.segment {
    // expected-error @below {{'arith.addi' op using value defined outside the region}}
    %w = arith.addi %v, %v : i32
  }
  return
}

// -----

func.func @terminator_elsewhere() {
  air.segment {
    // expected-error @below {{'air.herd_terminator' op expects parent op 'air.herd'}}
    air.herd_terminator
  }
  return
}

// -----

func.func @rank_in_rank(%n: index) {
  // expected-note @below {{the enclosing op is here}}
  air.rank (%r) in (%sr=%n) {
    // expected-error @below {{'air.rank' op cannot be nested in another 'air.rank'; a process has exactly one rank}}
    air.rank (%q) in (%sq=%sr) {
    }
  }
  return
}

// -----

func.func @no_devices() {
  %c0 = arith.constant 0 : index
  // expected-error @below {{'air.universe.alloc' op has a capacity of 0; a universe must have at least one device}}
  %u = air.universe.alloc(%c0)
  return
}

// -----

//===--- Execute ----------------------------------------------------------===//

func.func @execute_count() {
  // expected-error @below {{'air.execute' op expects its terminator to yield 1 values, one for each result besides the token, but got 0}}
  %t, %v = air.execute -> (index) {
  }
  return
}

// -----

func.func @execute_type(%i: index) {
  // expected-error @below {{'air.execute' op result 1 has type 'i32', but the terminator yields a value of type 'index'}}
  %t, %v:2 = air.execute -> (index, i32) {
    air.execute_terminator %i, %i : index, index
  }
  return
}

// -----

//===--- Transfers --------------------------------------------------------===//

func.func @src_lists(%a: memref<64xi32>, %b: memref<64xi32, 2>) {
  // expected-error @below {{'air.dma_memcpy_nd' op src sizes and strides must have the same number of dimensions, but got 2 and 1}}
  air.dma_memcpy_nd (%b[] [] [], %a[0, 0] [64, 64] [1]) : (memref<64xi32, 2>, memref<64xi32>)
  return
}

// -----

func.func @dst_lists(%a: memref<64xi32>, %b: memref<64xi32, 2>) {
  // expected-error @below {{'air.dma_memcpy_nd' op dst sizes and strides must have the same number of dimensions, but got 1 and 2}}
  air.dma_memcpy_nd (%b[0] [64] [1, 1], %a[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
  return
}

// -----

func.func @negative_size(%a: memref<64xi32>, %b: memref<64xi32, 2>) {
  // expected-error @below {{'air.dma_memcpy_nd' op src size 1 is -4, but a size cannot be negative}}
  air.dma_memcpy_nd (%b[] [] [], %a[0] [1, -4] [64, 1]) : (memref<64xi32, 2>, memref<64xi32>)
  return
}

// -----

func.func @negative_padding(%a: memref<64xi32>, %b: memref<64xi32, 2>) {
  // expected-error @below {{'air.dma_memcpy_nd' op 'pad_after' is -1 in dimension 1, but padding cannot be negative}}
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) {pad_before = array<i32: 0, 0>, pad_after = array<i32: 0, -1>}
      : (memref<64xi32, 2>, memref<64xi32>)
  return
}

// -----

func.func @padding_lengths(%a: memref<64xi32>, %b: memref<64xi32, 2>) {
  // expected-error @below {{'air.dma_memcpy_nd' op 'pad_before' and 'pad_after' must have the same length, but got 1 and 2}}
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) {pad_before = array<i32: 0>, pad_after = array<i32: 0, 0>}
      : (memref<64xi32, 2>, memref<64xi32>)
  return
}

// -----

func.func @no_rank(%a: memref<8xf32>, %b: memref<8xf32, 2>) {
  // expected-error @below {{'air.dma_memcpy_nd' op src_rank and dst_rank require an enclosing air.rank}}
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) {src_rank = 0 : i64} : (memref<8xf32, 2>, memref<8xf32>)
  return
}

// -----

func.func @negative_rank(%n: index) {
  air.rank (%r) in (%s=%n) {
    %a = memref.alloc() : memref<8xf32, #air.symmetric_heap>
    // expected-error @below {{'air.dma_memcpy_nd' op dst_rank must be at least 0, but got -3}}
    air.dma_memcpy_nd (%a[] [] [], %a[] [] []) {dst_rank = -3 : i64}
        : (memref<8xf32, #air.symmetric_heap>, memref<8xf32, #air.symmetric_heap>)
  }
  return
}

// -----

func.func @not_in_the_heap(%n: index) {
  air.rank (%r) in (%s=%n) {
    // expected-note @below {{the memref is allocated here}}
    %a = memref.alloc() : memref<8xf32>
    %b = memref.alloc() : memref<8xf32, 2>
    // expected-error @below {{'air.dma_memcpy_nd' op src memref is accessed on another rank, but is not allocated in the symmetric heap; allocate it with memory space #air.symmetric_heap}}
    air.dma_memcpy_nd (%b[] [] [], %a[] [] []) {src_rank = 1} : (memref<8xf32, 2>, memref<8xf32>)
  }
  return
}

// -----

func.func @indices_without_channel(%a: memref<8xf32>, %b: memref<8xf32, 2>) {
  // expected-error @below {{'air.dma_memcpy_nd' op 'channel_indices' requires a 'channel' attribute}}
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) {channel_indices = array<i64: 0>} : (memref<8xf32, 2>, memref<8xf32>)
  return
}

// -----

air.channel @two [2, 2]
func.func @index_count(%a: memref<8xf32>, %b: memref<8xf32, 2>) {
  // expected-error @below {{'air.dma_memcpy_nd' op channel_indices has 1 entries, but @two is declared with 2 bundle dimensions}}
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) {channel = @two, channel_indices = array<i64: 0>}
      : (memref<8xf32, 2>, memref<8xf32>)
  return
}

// -----

air.channel @four [4]
func.func @index_bounds(%a: memref<8xf32>, %b: memref<8xf32, 2>) {
  // expected-error @below {{'air.dma_memcpy_nd' op channel_indices[0] = 4 is out of bounds for @four bundle dimension 0 of size 4}}
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) {channel = @four, channel_indices = array<i64: 4>}
      : (memref<8xf32, 2>, memref<8xf32>)
  return
}

// -----

func.func @generic_lists(%a: memref<8xf32>, %i: index) {
  // expected-error @below {{'air.dma_memcpy_nd' op expects 'static_src_sizes' to have one placeholder (-9223372036854775808) for each of the 1 values in the list, but got 0}}
  "air.dma_memcpy_nd"(%a, %a, %i) <{
    operandSegmentSizes = array<i32: 0, 1, 0, 0, 0, 1, 0, 1, 0, 0>,
    static_dst_offsets = array<i64>, static_dst_sizes = array<i64>, static_dst_strides = array<i64>,
    static_src_offsets = array<i64>, static_src_sizes = array<i64>, static_src_strides = array<i64>
  }> : (memref<8xf32>, memref<8xf32>, index) -> ()
  return
}

// -----

//===--- Channels ---------------------------------------------------------===//

// expected-error @below {{'air.channel' op unsupported channel_type "dma_stream"; expected one of "npu_dma_stream", "npu_dma_packet", "npu_cascade", "npu_mmio", or "gpu_symmetric_heap"}}
air.channel @old_name [] {channel_type = "dma_stream"}

// -----

// expected-error @below {{'air.channel' op size[1] (0) must be at least 1}}
air.channel @empty_dimension [2, 0]

// -----

// expected-error @below {{'air.channel' op bundle rank should match broadcast_shape rank (2 and 3)}}
air.channel @broadcast_rank [2, 2] {broadcast_shape = [4, 4, 4]}

// -----

// expected-error @below {{'air.channel' op broadcast_shape[0] (1) must be >= size[0] (2): broadcasting cannot shrink a dimension}}
air.channel @shrink [2, 2] {broadcast_shape = [1, 2]}

// -----

// expected-error @below {{'air.channel' op size[1] (3) is incompatible with broadcast_shape[1] (4): size must be 1 or equal to broadcast_shape (NumPy broadcasting rules)}}
air.channel @uneven [1, 3] {broadcast_shape = [1, 4]}

// -----

// expected-error @below {{'air.channel' op "broadcast_shape" elements must be integer attributes}}
air.channel @broadcast_kind [1] {broadcast_shape = ["4"]}

// -----

// expected-error @below {{'air.channel' op "packet_ids" is only valid on a "npu_dma_packet" channel}}
air.channel @ids_of_stream [] {packet_ids = [1]}

// -----

// expected-error @below {{'air.channel' op "packet_ids" id (32) must be in [0, 31]}}
air.channel @id_range [] {channel_type = "npu_dma_packet", packet_ids = [32]}

// -----

// expected-error @below {{'air.channel' op "packet_ids" id (3) appears more than once}}
air.channel @id_twice [] {channel_type = "npu_dma_packet", packet_ids = [3, 3]}

// -----

// expected-error @below {{'air.channel' op "packet_ids" elements must be integer attributes}}
air.channel @id_kind [] {channel_type = "npu_dma_packet", packet_ids = ["x"]}

// -----

// expected-error @below {{'air.channel' op "depth" (0) must be in [1, INT32_MAX]}}
air.channel @no_depth [] {depth = 0}

// -----

// expected-error @below {{'air.channel' op "air.refeed_count" (-2) must be in [1, INT32_MAX]}}
air.channel @refeed_negative [] {air.refeed_count = -2 : i32}

// -----

// expected-error @below {{'air.channel' op "air.refeed_count" (4294967296) must be in [1, INT32_MAX]}}
air.channel @refeed_huge [] {air.refeed_count = 4294967296 : i64}

// -----

// expected-error @below {{'air.channel' op "air.refeed_count" must be an integer attribute}}
air.channel @refeed_kind [] {air.refeed_count = "4"}

// -----

// expected-note @below {{the symbol is declared here}}
func.func private @function()
func.func @put_into_function(%m: memref<8xf32>) {
  // expected-error @below {{'air.channel.put' op @function is not a channel, but 'func.func'; declare a channel with 'air.channel'}}
  air.channel.put @function[] (%m[] [] []) : (memref<8xf32>)
  return
}

// -----

// expected-note @below {{the symbol is declared here}}
func.func private @function()
func.func @dma_of_function(%a: memref<8xf32>, %b: memref<8xf32, 2>) {
  // expected-error @below {{'air.dma_memcpy_nd' op @function is not a channel, but 'func.func'; declare a channel with 'air.channel'}}
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) {channel = @function} : (memref<8xf32, 2>, memref<8xf32>)
  return
}

// -----

air.channel @c [1]
func.func @put_lists(%m: memref<64xi32>) {
  // expected-error @below {{'air.channel.put' op src sizes and strides must have the same number of dimensions, but got 1 and 2}}
  air.channel.put @c[] (%m[0, 0] [64] [1, 1]) : (memref<64xi32>)
  return
}

// -----

air.channel @c [1]
func.func @get_lists(%m: memref<64xi32>) {
  // expected-error @below {{'air.channel.get' op dst sizes and strides must have the same number of dimensions, but got 2 and 1}}
  air.channel.get @c[] (%m[0] [64, 64] [1]) : (memref<64xi32>)
  return
}

// -----

air.channel @c [1]
func.func @get_padding(%m: memref<64xi32>) {
  // expected-error @below {{'air.channel.get' op 'pad_before' is -1 in dimension 0, but padding cannot be negative}}
  air.channel.get @c[] (%m[] [] []) {pad_before = array<i32: -1>} : (memref<64xi32>)
  return
}

// -----

air.channel @mmio [] {channel_type = "npu_mmio"}
func.func @mmio_put(%m: memref<8xi32, 2>) {
  // expected-error @below {{'air.channel.put' op channel_type="npu_mmio" put source must be in L3 (memory_space=0), got memory_space=2}}
  air.channel.put @mmio[] (%m[] [] []) : (memref<8xi32, 2>)
  return
}

// -----

air.channel @mmio [] {channel_type = "npu_mmio"}
func.func @mmio_get(%m: memref<8xi32>) {
  // expected-error @below {{'air.channel.get' op channel_type="npu_mmio" get destination must be in L1 (memory_space=2), got memory_space=0}}
  air.channel.get @mmio[] (%m[] [] []) : (memref<8xi32>)
  return
}

// -----

air.channel @mmio [] {channel_type = "npu_mmio"}
func.func @mmio_heap(%m: memref<8xi32, #air.symmetric_heap>) {
  // expected-error @below {{'air.channel.put' op channel_type="npu_mmio" put source must be in L3 (memory_space=0), got memory_space=#air.symmetric_heap}}
  air.channel.put @mmio[] (%m[] [] []) : (memref<8xi32, #air.symmetric_heap>)
  return
}

// -----

air.channel @heap [] {channel_type = "gpu_symmetric_heap"}
func.func @heap_without_rank(%m: memref<8xi32>) {
  // expected-error @below {{'air.channel.put' op channel_type="gpu_symmetric_heap" put requires an enclosing air.rank scope}}
  air.channel.put @heap[] (%m[] [] []) : (memref<8xi32>)
  return
}

// -----

//===--- Peers ------------------------------------------------------------===//

func.func @bases_type(%m: memref<8xi32>, %i: index, %bases: memref<?xi32>) {
  // expected-error @below {{'air.translate' op operand #3 must be 1D memref of index values, but got 'memref<?xi32>'}}
  %p = air.translate %m, %i, %i, %bases : memref<8xi32>, memref<?xi32>
  return
}

// -----

func.func @translate_negative(%m: memref<8xi32>, %i: index, %bases: memref<?xindex>) {
  %c = arith.constant -1 : index
  // expected-error @below {{'air.translate' op translates an address to rank -1; ranks are numbered from 0}}
  %p = air.translate %m, %i, %c, %bases : memref<8xi32>, memref<?xindex>
  return
}

// -----

//===--- Messages ---------------------------------------------------------===//

func.func @depth(%m: memref<8xi32>, %ring: memref<?xi32>) {
  // expected-error @below {{has a depth of 3; it must be a power of two}}
  air.message.send (%m[] [] []) through %ring, %ring {depth = 3, lines = 1} : (memref<8xi32>), memref<?xi32>, memref<?xi32>
  return
}

// -----

func.func @lines(%m: memref<8xi32>, %ring: memref<?xi32>) {
  // expected-error @below {{has -1 lines; a message must have at least one}}
  air.message.send (%m[] [] []) through %ring, %ring {depth = 1, lines = -1} : (memref<8xi32>), memref<?xi32>, memref<?xi32>
  return
}
