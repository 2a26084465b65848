// Ops are read and written, also in generic form and as bytecode.
// RUN: %aircc opt %s | FileCheck %s
// RUN: %aircc opt %s > %t.mlir
// RUN: %aircc opt %t.mlir | diff %t.mlir -
// RUN: %aircc opt --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC
// RUN: %aircc opt --mlir-print-op-generic %s | %aircc opt | diff %t.mlir -
// RUN: %aircc opt --emit-bytecode %s | %aircc opt | diff %t.mlir -

// CHECK-LABEL: func.func @barriers
// CHECK-NEXT: kernel.barrier workgroup{{$}}
// CHECK-NEXT: kernel.barrier wave{{$}}
// CHECK-NEXT: kernel.barrier workgroup memory []
// CHECK-NEXT: kernel.barrier wave memory [#gpu.address_space<workgroup>]
// CHECK-NEXT: kernel.barrier workgroup memory [#gpu.address_space<global>, #gpu.address_space<workgroup>] {note}
// GENERIC: "kernel.barrier"() <{scope = #kernel.scope<workgroup>}> : () -> ()
func.func @barriers() {
  kernel.barrier workgroup
  kernel.barrier wave
  kernel.barrier workgroup memory []
  kernel.barrier wave memory [#gpu.address_space<workgroup>]
  kernel.barrier workgroup memory [#gpu.address_space<global>, #gpu.address_space<workgroup>] {note}
  return
}

// CHECK-LABEL: func.func @fences
// CHECK-NEXT: kernel.fence wave acq_rel
// CHECK-NEXT: kernel.fence workgroup release memory [#gpu.address_space<workgroup>]
// CHECK-NEXT: kernel.fence device acquire memory [#gpu.address_space<global>]
// CHECK-NEXT: kernel.fence system release
// GENERIC: "kernel.fence"() <{ordering = #kernel.ordering<acq_rel>, scope = #kernel.scope<wave>}> : () -> ()
func.func @fences() {
  kernel.fence wave acq_rel
  kernel.fence workgroup release memory [#gpu.address_space<workgroup>]
  kernel.fence device acquire memory [#gpu.address_space<global>]
  kernel.fence system release
  return
}

// CHECK-LABEL: func.func @attributes
// CHECK-SAME: #kernel.ordering<acquire>, #kernel.scope<lane>, #kernel.scope<device>, #kernel.scope<system>
func.func @attributes() attributes {list = [#kernel.ordering<acquire>, #kernel.scope<lane>,
                                            #kernel.scope<device>, #kernel.scope<system>]} {
  return
}

// CHECK-LABEL: func.func @accesses
// CHECK-NEXT: kernel.access workgroup writes(%arg0 : memref<4xf32>)
// CHECK-NEXT: kernel.access wave reads(%arg0 : memref<4xf32>) memory [#gpu.address_space<global>]
// CHECK-NEXT: kernel.access wave writes(%arg0, %arg1 : memref<4xf32>, memref<2xi8>) reads(%arg1 : memref<2xi8>)
// GENERIC: "kernel.access"(%{{.*}}) <{operandSegmentSizes = array<i32: 1, 0>, scope = #kernel.scope<workgroup>}> : (memref<4xf32>) -> ()
func.func @accesses(%m: memref<4xf32>, %n: memref<2xi8>) {
  kernel.access workgroup writes(%m : memref<4xf32>)
  kernel.access wave reads(%m : memref<4xf32>) memory [#gpu.address_space<global>]
  kernel.access wave writes(%m, %n : memref<4xf32>, memref<2xi8>) reads(%n : memref<2xi8>)
  return
}

// CHECK-LABEL: func.func @publications
// CHECK-NEXT: kernel.publish wave to system
// CHECK-NEXT: kernel.publish workgroup to device
// GENERIC: "kernel.publish"() <{observers = #kernel.scope<system>, scope = #kernel.scope<wave>}> : () -> ()
func.func @publications() {
  kernel.publish wave to system
  kernel.publish workgroup to device
  return
}

// CHECK-LABEL: func.func @arenas
// CHECK: kernel.arena 3 bytes(%{{.*}}) : memref<?xi8>
// GENERIC: "kernel.arena"(%{{.*}}) <{number = 3 : i64}> : (index) -> memref<?xi8>
func.func @arenas(%bytes: index) -> memref<?xi8> {
  %m = kernel.arena 3 bytes(%bytes) : memref<?xi8>
  return %m : memref<?xi8>
}
