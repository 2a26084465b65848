// RUN: not %aircc opt %s --split-input-file --link-share-host-memory 2>&1 | FileCheck %s

module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @k(%m: memref<4xf32>) kernel { gpu.return }
}

// Callers that the compiler does not see would free the memory as the host's.
// CHECK: :[[#@LINE+3]]:8: error: 'memref.alloc' op is accessed by a kernel, but kernels cannot access ordinary host memory; allocate the memory with 'gpu.alloc host_shared', or register it with 'gpu.host_register' (mgpuMemHostRegister).{{.*}}the public function @make returns it
// CHECK: :[[#@LINE+4]]:3: note: it is passed to this op
func.func @make() -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %c1 = arith.constant 1 : index
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<4xf32>)
  return %m : memref<4xf32>
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @k(%m: memref<4xf32>) kernel { gpu.return }
}
func.func private @elsewhere() -> memref<4xf32>

// What an external function returns may be any memory.
func.func @mixed(%c: i1) {
  %c1 = arith.constant 1 : index
  // CHECK: :[[#@LINE+1]]:8: error: 'memref.alloc' op is accessed by a kernel{{.*}}one 'memref.dealloc' may free this memory or other host memory
  %a = memref.alloc() : memref<4xf32>
  %b = call @elsewhere() : () -> memref<4xf32>
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>)
  %s = arith.select %c, %a, %b : memref<4xf32>
  // CHECK: :[[#@LINE+1]]:3: note: the deallocation is here
  memref.dealloc %s : memref<4xf32>
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @k(%m: memref<4xf32>) kernel { gpu.return }
}
memref.global "private" @counts : memref<4xf32> = dense<0.0>

func.func @global() {
  %c1 = arith.constant 1 : index
  // CHECK: :[[#@LINE+1]]:8: error: 'memref.get_global' op is accessed by a kernel{{.*}}the global is not constant
  %a = memref.get_global @counts : memref<4xf32>
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>)
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @k(%m: memref<4xf32>) kernel { gpu.return }
}
memref.global "private" constant @table : memref<4xf32> = dense<0.0>

func.func @constant() -> memref<4xf32> {
  %c1 = arith.constant 1 : index
  // CHECK: :[[#@LINE+1]]:8: error: 'memref.get_global' op is accessed by a kernel{{.*}}its function returns it
  %a = memref.get_global @table : memref<4xf32>
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>)
  return %a : memref<4xf32>
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @k(%m: memref<?xf32>) kernel { gpu.return }
}

func.func @stack(%c: i1, %n: index) {
  %c1 = arith.constant 1 : index
  scf.if %c {
    // CHECK: :[[#@LINE+1]]:10: error: 'memref.alloca' op is accessed by a kernel{{.*}}its size is known only at run time
    %a = memref.alloca(%n) : memref<?xf32>
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<?xf32>)
  }
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @k(%m: memref<4xf32>, %n: memref<4x4xf32, strided<[8, 1]>>) kernel { gpu.return }
}

func.func @form() {
  %c1 = arith.constant 1 : index
  // CHECK: :[[#@LINE+1]]:8: error: 'memref.alloc' op is accessed by a kernel{{.*}}it is aligned to more than 256 bytes
  %a = memref.alloc() {alignment = 512} : memref<4xf32>
  // CHECK: :[[#@LINE+1]]:8: error: 'memref.alloc' op is accessed by a kernel{{.*}}it has a layout other than row-major
  %b = memref.alloc() : memref<4x4xf32, strided<[8, 1]>>
  gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>, %b : memref<4x4xf32, strided<[8, 1]>>)
  return
}
}
