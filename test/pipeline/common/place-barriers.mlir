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
    kernel.access workgroup writes(%b : !lds)
    memref.store %v, %b[%i] : !lds
    kernel.access workgroup reads(%b : !lds)
    %0 = memref.load %b[%i] : !lds
    kernel.access workgroup reads(%b : !lds)
    %1 = memref.load %b[%i] : !lds
    kernel.access workgroup writes(%b : !lds)
    memref.store %v, %b[%i] : !lds
    kernel.access workgroup writes(%b : !lds)
    memref.store %v, %b[%i] : !lds
    gpu.return
  }

  // A barrier of the program is taken into account if it orders LDS.
  // CHECK-LABEL: gpu.func @own_barrier
  // CHECK: memref.store
  // CHECK-NEXT: kernel.barrier workgroup{{$}}
  // CHECK-NEXT: memref.load
  // CHECK-NEXT: kernel.barrier workgroup memory [#gpu.address_space<global>]
  // CHECK-NEXT: kernel.barrier workgroup{{$}}
  // CHECK-NEXT: memref.store
  gpu.func @own_barrier(%i: index, %v: f32) workgroup(%b: !lds) kernel {
    kernel.access workgroup writes(%b : !lds)
    memref.store %v, %b[%i] : !lds
    kernel.barrier workgroup
    kernel.access workgroup reads(%b : !lds)
    %0 = memref.load %b[%i] : !lds
    kernel.barrier workgroup memory [#gpu.address_space<global>]
    kernel.access workgroup writes(%b : !lds)
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
      kernel.access workgroup writes(%b : !lds)
      memref.store %v, %b[%i] : !lds
      kernel.access workgroup reads(%b : !lds)
      %0 = memref.load %b[%i] : !lds
    }
    scf.for %i = %c0 to %n step %c1 {
      kernel.barrier workgroup
      kernel.access workgroup writes(%c : !lds)
      memref.store %v, %c[%i] : !lds
      kernel.access workgroup reads(%c : !lds)
      %0 = memref.load %c[%i] : !lds
    }
    gpu.return
  }

  // One branch ends with a pending write, the other with a barrier.
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
      kernel.access workgroup writes(%b : !lds)
      memref.store %v, %b[%i] : !lds
    } else {
      kernel.barrier workgroup
    }
    kernel.access workgroup reads(%b : !lds)
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
    kernel.access workgroup writes(%b : !lds)
    memref.store %v, %b[%i] : !lds
    kernel.access workgroup reads(%b : !lds)
    %0 = memref.load %b[%i] : !lds
    cf.cond_br %c, ^loop, ^end
  ^end:
    gpu.return
  }

  // Separate buffers do not overlap; views of one buffer do.
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
    kernel.access workgroup writes(%b : memref<512xi8, #gpu.address_space<workgroup>>)
    kernel.access workgroup writes(%c : !lds)
    memref.store %v, %c[%i] : !lds
    %g = memref.get_global @first : !lds
    kernel.access workgroup writes(%g : !lds)
    memref.store %v, %g[%i] : !lds
    %h = memref.get_global @second : !lds
    kernel.access workgroup writes(%h : !lds)
    memref.store %v, %h[%i] : !lds
    kernel.access workgroup reads(%view : !lds)
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
    kernel.access wave writes(%b : !lds) memory [#gpu.address_space<workgroup>]
    memref.store %v, %b[%i] : !lds
    kernel.access wave reads(%b : !lds) memory [#gpu.address_space<workgroup>]
    %0 = memref.load %b[%i] : !lds
    kernel.barrier workgroup
    kernel.access wave writes(%b : !lds) memory [#gpu.address_space<workgroup>]
    memref.store %v, %b[%i] : !lds
    gpu.return
  }

  // A function may be called twice, so others may still read.
  // CHECK-LABEL: gpu.func @function
  // CHECK-NEXT: kernel.barrier workgroup
  // CHECK-NEXT: memref.store
  gpu.func @function(%b: !lds, %i: index, %v: f32) {
    kernel.access workgroup writes(%b : !lds)
    memref.store %v, %b[%i] : !lds
    gpu.return
  }

  // The buffers of one kernel.access need one barrier; its reads do not conflict with its writes.
  // CHECK-LABEL: gpu.func @several
  // CHECK: memref.store {{.*}}%arg3
  // CHECK-NEXT: kernel.barrier workgroup
  // CHECK-NEXT: memref.load
  // CHECK-NEXT: memref.load
  // CHECK-NEXT: gpu.return
  gpu.func @several(%i: index, %v: f32) workgroup(%b: !lds, %c: !lds) kernel {
    kernel.access workgroup writes(%b, %c : !lds, !lds)
    memref.store %v, %b[%i] : !lds
    memref.store %v, %c[%i] : !lds
    kernel.access workgroup writes(%b : !lds) reads(%b, %c : !lds, !lds)
    %0 = memref.load %b[%i] : !lds
    %1 = memref.load %c[%i] : !lds
    gpu.return
  }

  // Undeclared accesses of lanes are ordered with declared ones, but not with each other.
  // CHECK-LABEL: gpu.func @lanes
  // CHECK: memref.store {{.*}}%arg3
  // CHECK-NEXT: memref.load {{.*}}%arg3
  // CHECK-NEXT: kernel.barrier wave
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: memref.store {{.*}}%arg4
  // CHECK-NEXT: }
  // CHECK-NEXT: kernel.barrier wave
  // CHECK-NEXT: memref.store {{.*}}%arg4
  // CHECK-NEXT: gpu.return
  gpu.func @lanes(%i: index, %v: f32, %f: i1) workgroup(%b: !lds, %c: !lds) kernel {
    memref.store %v, %b[%i] : !lds
    %0 = memref.load %b[%i] : !lds
    kernel.access wave reads(%b : !lds)
    scf.if %f {
      memref.store %v, %c[%i] : !lds
    }
    kernel.access wave reads(%b : !lds)
    kernel.access wave reads(%c : !lds)
    memref.store %v, %c[%i] : !lds
    gpu.return
  }

  // Unknown code accesses a buffer only if the buffer or a part of it is passed to it.
  // CHECK-LABEL: gpu.func @unknown
  // CHECK-NEXT: func.call @other
  // CHECK-NEXT: memref.subview
  // CHECK-NEXT: func.call @user
  // CHECK-NEXT: memref.store {{.*}}%arg2
  // CHECK-NEXT: kernel.barrier workgroup
  // CHECK-NEXT: memref.store {{.*}}%arg3
  func.func private @other()
  func.func private @user(memref<4xf32, strided<[1]>, #gpu.address_space<workgroup>>)
  gpu.func @unknown(%i: index, %v: f32) workgroup(%b: !lds, %c: !lds) kernel {
    func.call @other() : () -> ()
    %part = memref.subview %c[0] [4] [1] : !lds to memref<4xf32, strided<[1]>, #gpu.address_space<workgroup>>
    func.call @user(%part) : (memref<4xf32, strided<[1]>, #gpu.address_space<workgroup>>) -> ()
    kernel.access workgroup writes(%b : !lds)
    memref.store %v, %b[%i] : !lds
    kernel.access workgroup writes(%c : !lds)
    memref.store %v, %c[%i] : !lds
    gpu.return
  }

  // A barrier that orders LDS leaves accesses to global memory unordered.
  // CHECK-LABEL: gpu.func @global
  // CHECK: memref.store
  // CHECK-NEXT: kernel.barrier workgroup memory [#gpu.address_space<workgroup>]
  // CHECK-NEXT: kernel.barrier workgroup{{$}}
  // CHECK-NEXT: memref.load
  // CHECK-NEXT: amdgpu.lds_barrier
  // CHECK-NEXT: memref.load
  gpu.func @global(%m: memref<64xf32>, %i: index, %v: f32) workgroup(%b: !lds) kernel {
    kernel.access workgroup writes(%m : memref<64xf32>)
    memref.store %v, %m[%i] : memref<64xf32>
    kernel.barrier workgroup memory [#gpu.address_space<workgroup>]
    kernel.access workgroup reads(%m : memref<64xf32>)
    %0 = memref.load %m[%i] : memref<64xf32>
    kernel.access workgroup writes(%b : !lds)
    amdgpu.lds_barrier
    kernel.access workgroup reads(%b : !lds)
    %1 = memref.load %b[%i] : !lds
    gpu.return
  }

  // The accesses of the observers are not in this code.
  // CHECK-LABEL: gpu.func @publish
  // CHECK-NEXT: memref.store
  // CHECK-NEXT: kernel.fence system release
  // CHECK-NEXT: kernel.barrier wave memory []
  // CHECK-NEXT: memref.store
  // CHECK-NEXT: gpu.return
  gpu.func @publish(%m: memref<64xf32>, %flag: memref<64xf32>, %i: index, %v: f32) kernel {
    memref.store %v, %m[%i] : memref<64xf32>
    kernel.publish wave to system
    memref.store %v, %flag[%i] : memref<64xf32>
    gpu.return
  }
}
