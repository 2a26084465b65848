// RUN: %aircc opt %s --split-input-file --verify-diagnostics --channels-lower-rank-transfers --channels-lower-ranks --channels-lower-translate --channels-lower-symmetric-heap

func.func @layout() {
  // expected-error@+1 {{where buffers must be contiguous and row-major}}
  %m = memref.alloc() : memref<4x4xf32, strided<[1, 4]>, #air.symmetric_heap>
  return
}

// -----

func.func @kernel() {
  air.launch () in () {
    // expected-error@+1 {{cannot allocate in the symmetric heap in a kernel; allocate on the host, on every rank, and pass the buffer in with args(...)}}
    %m = memref.alloc() : memref<4xf32, #air.symmetric_heap>
  }
  return
}

// -----

func.func @alignment() {
  // expected-error@+1 {{requires an alignment of 4096 bytes, but the symmetric heap provides only 256}}
  %m = memref.alloc() {alignment = 4096 : i64} : memref<4xf32, #air.symmetric_heap>
  return
}

// -----

func.func @stack() {
  // expected-error@+1 {{cannot create a buffer in #air.symmetric_heap; use memref.alloc}}
  %m = memref.alloca() : memref<4xf32, #air.symmetric_heap>
  return
}

// -----

func.func @universe() {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  // expected-note@+1 {{the universe is allocated here}}
  %u = air.universe.alloc(%c2)
  // expected-error@+1 {{has 4 ranks in a universe of 2 devices}}
  air.rank universe(%u) (%r) in (%n=%c4) {
  }
  return
}

// -----

func.func @l2(%m: memref<4xf32, 1>, %r: index, %bases: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{which is not in the symmetric heap}}
  %p = air.translate %m, %r, %c0, %bases : memref<4xf32, 1>, memref<?xindex>
  return
}

// -----

func.func @no_such_rank(%x: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  // expected-note@+1 {{the ranks are here}}
  air.rank (%r) in (%n=%c2) args(%m=%x) : memref<4xf32> {
    // expected-error@+1 {{names rank 2, but there are only 2 ranks}}
    air.dma_memcpy_nd (%m[] [] [], %m[] [] []) {src_rank = 2 : i64} : (memref<4xf32>, memref<4xf32>)
  }
  return
}

// -----

// expected-note@+1 {{the channel is declared here}}
air.channel @C {channel_type = "npu_cascade"}
func.func @npu(%x: memref<4xf32>, %n: index) {
  air.rank (%r) in (%size=%n) args(%m=%x) : memref<4xf32> {
    // expected-error@+1 {{through channel @C of type "npu_cascade", which is only supported on NPUs}}
    air.channel.put @C[] (%m[] [] []) : (memref<4xf32>)
  }
  return
}

// -----

// expected-error@+1 {{declares the runtime function mgpuGetRank with a type other than '() -> i32'}}
func.func private @mgpuGetRank() -> i64
func.func @declared(%n: index) {
  // expected-note@+1 {{the function is called here}}
  air.rank (%r) in (%size=%n) {
  }
  return
}

// -----

func.func @tf32() {
  // expected-error@+1 {{allocates elements of type 'tf32', which have no representation in memory; allocate f32 or integers and convert}}
  %m = memref.alloc() : memref<16xtf32, #air.symmetric_heap>
  return
}

// -----

func.func @in_segment(%n: index) {
  // expected-note@+1 {{the enclosing op is here}}
  air.segment args(%s=%n) : index {
    // expected-error@+1 {{is inside 'air.segment', which runs on the device; put it inside the 'air.rank' instead}}
    air.rank (%r) in (%sr=%s) {
    }
  }
  return
}

// -----

func.func @no_numbers(%x: memref<4xmemref<2xf32>>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%m=%x) : memref<4xmemref<2xf32>> {
    // expected-error@+1 {{transfers elements of type 'memref<2xf32>' between ranks; only numeric elements can be transferred}}
    air.dma_memcpy_nd (%m[] [] [], %m[] [] []) {src_rank = 1 : i64} : (memref<4xmemref<2xf32>>, memref<4xmemref<2xf32>>)
  }
  return
}

// -----

func.func @padded(%x: memref<4xf32>, %y: memref<5xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%m=%x, %d=%y) : memref<4xf32>, memref<5xf32> {
    // expected-error@+1 {{cannot pad in a transfer between ranks; pad in the kernel that produces the data or in the one that consumes it}}
    air.dma_memcpy_nd (%d[] [] [], %m[] [] []) {src_rank = 1 : i64, pad_before = array<i32: 1>} : (memref<5xf32>, memref<4xf32>)
  }
  return
}

// -----

air.channel @C [2] {channel_type = "gpu_symmetric_heap"}
func.func @indices(%x: memref<4xf32>, %n: index) {
  air.rank (%r) in (%size=%n) args(%m=%x) : memref<4xf32> {
    // expected-error@+1 {{has 0 indices for channel @C of 1 dimensions}}
    air.channel.put @C[] (%m[] [] []) : (memref<4xf32>)
  }
  return
}

// -----

func.func @empty() {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{has a space of size 0; each dimension must have at least one rank}}
  air.rank (%r) in (%n=%c0) {
  }
  return
}

// -----

func.func private @elsewhere(!air.universe)
func.func @passed_on() {
  %c2 = arith.constant 2 : index
  // expected-error@+1 {{must only be used by air.rank ops in the same function; a universe cannot be passed elsewhere}}
  %u = air.universe.alloc(%c2)
  call @elsewhere(%u) : (!air.universe) -> ()
  return
}

// -----

func.func @handed_in(%u: !air.universe) {
  %c2 = arith.constant 2 : index
  // expected-error@+1 {{takes a universe that is not the result of an air.universe.alloc in the same function}}
  air.rank universe(%u) (%r) in (%n=%c2) {
  }
  return
}

// -----

llvm.func @no_func() {
  // expected-error@+1 {{must be in a func.func, which sets up the symmetric heap on entry and tears it down on return}}
  %m = memref.alloc() : memref<4xf32, #air.symmetric_heap>
  llvm.return
}

// -----

func.func @pointers() {
  // expected-error@+1 {{allocates elements of type 'memref<2xf32>' in the symmetric heap; other ranks can only read numbers}}
  %m = memref.alloc() : memref<4xmemref<2xf32>, #air.symmetric_heap>
  return
}

// -----

func.func @undeclared(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n=%c2) args(%a=%m) : memref<4xf32> {
    // expected-error@+1 {{'air.channel.get' op uses an undeclared channel}}
    air.channel.get @missing[] (%a[] [] []) : (memref<4xf32>)
  }
  return
}
