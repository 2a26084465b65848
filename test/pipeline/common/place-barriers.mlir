// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(aircc-place-barriers))' | FileCheck %s --implicit-check-not=kernel.access

!lds = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  memref.global "private" @first : !lds
  memref.global "private" @second : !lds

  // Nothing precedes the first write. Then reads and writes conflict, reads and
  // reads do not.
  // CHECK-LABEL: gpu.func @sequence
  // CHECK-NOT: kernel.barrier
  // CHECK: memref.store %arg1
  // CHECK-NEXT: kernel.barrier workgroup{{$}}
  // CHECK-NEXT: memref.load
  // CHECK-NEXT: memref.load
  // CHECK-NEXT: kernel.barrier workgroup{{$}}
  // CHECK-NEXT: memref.store %arg1
  // CHECK-NEXT: kernel.barrier workgroup{{$}}
  // CHECK-NEXT: memref.store %arg1
  // CHECK-NEXT: gpu.return
  gpu.func @sequence(%i: index, %v: f32) workgroup(%b: !lds) kernel {
    kernel.access workgroup writes %b : !lds
    memref.store %v, %b[%i] : !lds
    kernel.access workgroup reads %b : !lds
    %0 = memref.load %b[%i] : !lds
    kernel.access workgroup reads %b : !lds
    %1 = memref.load %b[%i] : !lds
    kernel.access workgroup writes %b : !lds
    memref.store %v, %b[%i] : !lds
    kernel.access workgroup writes %b : !lds
    memref.store %v, %b[%i] : !lds
    gpu.return
  }

  // A barrier of the program counts, if it orders LDS.
  // CHECK-LABEL: gpu.func @own_barrier
  // CHECK: memref.store
  // CHECK-NEXT: kernel.barrier workgroup{{$}}
  // CHECK-NEXT: memref.load
  // CHECK-NEXT: kernel.barrier workgroup memory [#gpu.address_space<global>]
  // CHECK-NEXT: kernel.barrier workgroup{{$}}
  // CHECK-NEXT: memref.store
  gpu.func @own_barrier(%i: index, %v: f32) workgroup(%b: !lds) kernel {
    kernel.access workgroup writes %b : !lds
    memref.store %v, %b[%i] : !lds
    kernel.barrier workgroup
    kernel.access workgroup reads %b : !lds
    %0 = memref.load %b[%i] : !lds
    kernel.barrier workgroup memory [#gpu.address_space<global>]
    kernel.access workgroup writes %b : !lds
    memref.store %v, %b[%i] : !lds
    gpu.return
  }

  // The write conflicts with the read of the iteration before, unless the loop
  // has a barrier.
  // CHECK-LABEL: gpu.func @loops
  // CHECK: scf.for
  // CHECK-NEXT: kernel.barrier workgroup
  // CHECK-NEXT: memref.store
  // CHECK-NEXT: kernel.barrier workgroup
  // CHECK-NEXT: memref.load
  // CHECK: scf.for
  // CHECK-NEXT: kernel.barrier workgroup
  // CHECK-NEXT: memref.store
  // CHECK-NEXT: kernel.barrier workgroup
  // CHECK-NEXT: memref.load
  // CHECK-NEXT: }
  // CHECK-NEXT: gpu.return
  gpu.func @loops(%n: index, %v: f32) workgroup(%b: !lds, %c: !lds) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      kernel.access workgroup writes %b : !lds
      memref.store %v, %b[%i] : !lds
      kernel.access workgroup reads %b : !lds
      %0 = memref.load %b[%i] : !lds
    }
    scf.for %i = %c0 to %n step %c1 {
      kernel.barrier workgroup
      kernel.access workgroup writes %c : !lds
      memref.store %v, %c[%i] : !lds
      kernel.access workgroup reads %c : !lds
      %0 = memref.load %c[%i] : !lds
    }
    gpu.return
  }

  // One branch leaves a write pending, the other a barrier.
  // CHECK-LABEL: gpu.func @branch
  // CHECK: scf.if
  // CHECK-NEXT: memref.store
  // CHECK: else
  // CHECK-NEXT: kernel.barrier
  // CHECK-NEXT: }
  // CHECK-NEXT: kernel.barrier
  // CHECK-NEXT: memref.load
  gpu.func @branch(%c: i1, %i: index, %v: f32) workgroup(%b: !lds) kernel {
    scf.if %c {
      kernel.access workgroup writes %b : !lds
      memref.store %v, %b[%i] : !lds
    } else {
      kernel.barrier workgroup
    }
    kernel.access workgroup reads %b : !lds
    %0 = memref.load %b[%i] : !lds
    gpu.return
  }

  // Branches between blocks may lead back.
  // CHECK-LABEL: gpu.func @blocks
  // CHECK: ^bb1:
  // CHECK-NEXT: kernel.barrier
  // CHECK-NEXT: memref.store
  // CHECK-NEXT: kernel.barrier
  // CHECK-NEXT: memref.load
  gpu.func @blocks(%c: i1, %i: index, %v: f32) workgroup(%b: !lds) kernel {
    cf.br ^loop
  ^loop:
    kernel.access workgroup writes %b : !lds
    memref.store %v, %b[%i] : !lds
    kernel.access workgroup reads %b : !lds
    %0 = memref.load %b[%i] : !lds
    cf.cond_br %c, ^loop, ^end
  ^end:
    gpu.return
  }

  // Buffers of their own do not overlap; views of one do.
  // CHECK-LABEL: gpu.func @buffers
  // CHECK-NOT: kernel.barrier
  // CHECK: memref.store {{.*}}%arg3
  // CHECK: memref.get_global @second
  // CHECK-NEXT: memref.store
  // CHECK-NEXT: kernel.barrier
  // CHECK-NEXT: memref.load {{.*}}%view
  gpu.func @buffers(%i: index, %v: f32) workgroup(%b: memref<512xi8, #gpu.address_space<workgroup>>, %c: !lds) kernel {
    %c0 = arith.constant 0 : index
    %view = memref.view %b[%c0][] : memref<512xi8, #gpu.address_space<workgroup>> to !lds
    kernel.access workgroup writes %b : memref<512xi8, #gpu.address_space<workgroup>>
    kernel.access workgroup writes %c : !lds
    memref.store %v, %c[%i] : !lds
    %g = memref.get_global @first : !lds
    kernel.access workgroup writes %g : !lds
    memref.store %v, %g[%i] : !lds
    %h = memref.get_global @second : !lds
    kernel.access workgroup writes %h : !lds
    memref.store %v, %h[%i] : !lds
    kernel.access workgroup reads %view : !lds
    %0 = memref.load %view[%i] : !lds
    gpu.return
  }

  // A wave orders its own part, and a barrier of the workgroup orders it too.
  // CHECK-LABEL: gpu.func @waves
  // CHECK: memref.store
  // CHECK-NEXT: kernel.barrier wave memory [#gpu.address_space<workgroup>]
  // CHECK-NEXT: memref.load
  // CHECK-NEXT: kernel.barrier workgroup
  // CHECK-NEXT: memref.store
  gpu.func @waves(%i: index, %v: f32) workgroup(%b: !lds) kernel {
    kernel.access wave writes %b memory [#gpu.address_space<workgroup>] : !lds
    memref.store %v, %b[%i] : !lds
    kernel.access wave reads %b memory [#gpu.address_space<workgroup>] : !lds
    %0 = memref.load %b[%i] : !lds
    kernel.barrier workgroup
    kernel.access wave writes %b memory [#gpu.address_space<workgroup>] : !lds
    memref.store %v, %b[%i] : !lds
    gpu.return
  }

  // A function may be called twice, so others may still read.
  // CHECK-LABEL: gpu.func @function
  // CHECK-NEXT: kernel.barrier workgroup
  // CHECK-NEXT: memref.store
  gpu.func @function(%b: !lds, %i: index, %v: f32) {
    kernel.access workgroup writes %b : !lds
    memref.store %v, %b[%i] : !lds
    gpu.return
  }
}
