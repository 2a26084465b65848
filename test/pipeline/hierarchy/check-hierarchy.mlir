// RUN: %aircc opt %s --hierarchy-check-hierarchy --split-input-file --verify-diagnostics

air.channel @stream [1]
func.func @put_to(%m: memref<64xf32>, %to: index) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'air.channel.put' op has a 'dest' operand, which is only supported on packet channels of NPUs; use an array of channels}}
  air.channel.put @stream[%c0] (%m[] [] []) dest(%to) : (memref<64xf32>)
  return
}

// -----

air.channel @stream [1]
func.func @padded_get(%m: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{cannot pad the data that it gets; set pad_before and pad_after on the put instead}}
  air.channel.get @stream[%c0] (%m[0] [32] [1]) {pad_before = array<i32: 16>, pad_after = array<i32: 16>} : (memref<64xf32>)
  return
}

// -----

air.channel @stream [1]
func.func @unranked(%m: memref<*xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{has an unranked memref; cast it to a ranked one with memref.cast}}
  air.channel.get @stream[%c0] (%m[0] [32] [1]) : (memref<*xf32>)
  return
}

// -----

air.channel @peers {channel_type = "gpu_symmetric_heap"}
func.func @one_op_for_both_ends(%m: memref<64xf32>, %l: memref<64xf32, 1>) {
  // expected-error@+1 {{names channel @peers of type "gpu_symmetric_heap"; to transfer data between GPUs, use air.channel.put and air.channel.get}}
  air.dma_memcpy_nd (%l[] [] [], %m[] [] []) {channel = @peers} : (memref<64xf32, 1>, memref<64xf32>)
  return
}

// -----

func.func @packet(%m: memref<64xf32>, %l: memref<64xf32, 1>, %to: index) {
  // expected-error@+1 {{has a 'dest' operand, which is only supported on packet channels of NPUs}}
  air.dma_memcpy_nd (%l[] [] [], %m[] [] []) dest(%to) : (memref<64xf32, 1>, memref<64xf32>)
  return
}

// -----

air.channel @heap {channel_type = "gpu_symmetric_heap"}
func.func @put(%m: memref<64xf32, #air.symmetric_heap>) {
  %c2 = arith.constant 2 : index
  // expected-error@+1 {{must be lowered by stage 'channels' before stage 'hierarchy'}}
  air.rank (%r) in (%n = %c2) args(%a = %m) : memref<64xf32, #air.symmetric_heap> {
    // expected-error@+1 {{uses channel @heap in the symmetric heap, which stage 'channels' must lower before stage 'hierarchy'}}
    air.channel.put @heap[] (%a[] [] []) : (memref<64xf32, #air.symmetric_heap>)
  }
  return
}

// -----

func.func @rank() {
  %c2 = arith.constant 2 : index
  // expected-error@+1 {{must be lowered by stage 'channels' before stage 'hierarchy'}}
  air.rank (%r) in (%n = %c2) {
  }
  return
}

// -----

func.func @heap() {
  // expected-error@+1 {{allocates in the symmetric heap}}
  %m = memref.alloc() : memref<64xf32, #air.symmetric_heap>
  return
}

// -----

func.func @custom() {
  // expected-error@+1 {{represents work that the compiler cannot analyze}}
  air.custom
  return
}

// -----

func.func @symmetric_operand(%m: memref<64xf32, #air.symmetric_heap>) {
  // expected-error@+1 {{takes a memref in #air.symmetric_heap}}
  air.launch () in () args(%a = %m) : memref<64xf32, #air.symmetric_heap> {
    %c0 = arith.constant 0 : index
    %v = memref.load %a[%c0] : memref<64xf32, #air.symmetric_heap>
    memref.store %v, %a[%c0] : memref<64xf32, #air.symmetric_heap>
  }
  return
}

// -----

func.func @tensor(%t: tensor<4xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{takes a tensor; bufferize the program before stage 'hierarchy'}}
  air.launch (%x) in (%n = %c1) args(%a = %t) : tensor<4xf32> {
    %v = tensor.extract %a[%x] : tensor<4xf32>
  }
  return
}

// -----

func.func @space(%m: memref<4xf32, 9>) {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{uses memory space 9, which is not a level of the hierarchy; use 0 for L3, 1 for L2, or 2 for L1}}
  air.launch (%x) in (%n = %c1) args(%a = %m) : memref<4xf32, 9> {
    // expected-error@+1 {{uses memory space 9}}
    %v = memref.load %a[%x] : memref<4xf32, 9>
  }
  return
}

// -----

func.func @named_space() {
  air.segment {
    // expected-error@+1 {{uses memory space "L2", which is not a level of the hierarchy}}
    %l = memref.alloc() : memref<4xf32, "L2">
  }
  return
}

// -----

func.func @between_ranks(%m: memref<64xf32>) {
  %c2 = arith.constant 2 : index
  // expected-error@+1 {{must be lowered by stage 'channels' before stage 'hierarchy'}}
  air.rank (%r) in (%n = %c2) args(%a = %m) : memref<64xf32> {
    // expected-error@+1 {{copies between ranks, which stage 'channels' must lower before stage 'hierarchy'}}
    air.dma_memcpy_nd (%a[] [] [], %a[] [] []) {src_rank = 1 : i64} : (memref<64xf32>, memref<64xf32>)
  }
  return
}

// -----

func.func @heap_buffer() {
  // expected-error@+1 {{allocates in the symmetric heap, which stage 'channels' must lower before stage 'hierarchy'}}
  %m = memref.alloc() : memref<64xf32, #air.symmetric_heap>
  return
}

// -----

func.func @heap_argument(%m: memref<64xf32, #air.symmetric_heap>) {
  // expected-error@+1 {{takes a memref in #air.symmetric_heap, which stage 'channels' must lower before stage 'hierarchy'; run it, or use a memref without a memory space}}
  air.launch () in () args(%a = %m) : memref<64xf32, #air.symmetric_heap> {
  }
  return
}
