// Loops of segments and herds that copy tiles to LDS and compute with them: the tiles of later
// iterations are prefetched. Each kernel is run for several numbers of iterations and compared with
// plain loops on the host. The status is the number of wrong elements.

// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx950 -o %t && %t
// RUN: %aircc %s --target gfx1100 -o %t && %t
// RUN: %aircc %s --target gfx942 --emit=gpu -o - | FileCheck %s
// RUN: %aircc %s --target gfx1100 --emit=gpu -o - | FileCheck %s --check-prefix=COPY
// COPY-NOT: layout.async_

// The launch gives the number of iterations, which may be zero.
// CHECK-LABEL: gpu.func @plain
// CHECK: scf.if
// CHECK: scf.for
// CHECK: layout.async_wait
// CHECK: kernel.barrier workgroup
// CHECK: layout.async_dma {{.*}} counted
// CHECK: layout.async_wait 0
func.func @plain(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
  air.launch () in () args(%lx=%x, %ly=%y, %ln=%n) : memref<4096xi32>, memref<256xi32>, index {
    air.segment @s args(%sx=%lx, %sy=%ly, %sn=%ln) : memref<4096xi32>, memref<256xi32>, index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c256 = arith.constant 256 : index
      %acc = memref.alloc() : memref<256xi32, 1>
      air.dma_memcpy_nd (%acc[] [] [], %sy[] [] []) : (memref<256xi32, 1>, memref<256xi32>)
      %t = memref.alloc() : memref<256xi32, 1>
      scf.for %k = %c0 to %sn step %c1 {
        %at = arith.muli %k, %c256 : index
        air.dma_memcpy_nd (%t[] [] [], %sx[%at] [%c256] [%c1]) : (memref<256xi32, 1>, memref<4096xi32>)
        air.herd @add tile (%p, %q) in (%np=%c4, %nq=%c1) args(%ht=%t, %ha=%acc) : memref<256xi32, 1>, memref<256xi32, 1> {
            %h64 = arith.constant 64 : index
            %h65 = arith.constant 65 : index
            %h256 = arith.constant 256 : index
            %lane = gpu.lane_id
            %wave = gpu.subgroup_size : index
            %first = arith.muli %p, %h64 : index
            scf.for %l = %lane to %h64 step %wave {
              %e = arith.addi %first, %l : index
              %f = arith.addi %e, %h65 : index
              %g = arith.remui %f, %h256 : index
              %old = memref.load %ha[%e] : memref<256xi32, 1>
              %v = memref.load %ht[%g] : memref<256xi32, 1>
              %three = arith.constant 3 : i32
              %more = arith.muli %old, %three : i32
              %new = arith.addi %more, %v : i32
              memref.store %new, %ha[%e] : memref<256xi32, 1>
            }
        }
      }
      air.dma_memcpy_nd (%sy[] [] [], %acc[] [] []) : (memref<256xi32>, memref<256xi32, 1>)
    }
  }
  return
}

// Two buffers; a loop that carries a value, and does not begin at 0.
// CHECK-LABEL: gpu.func @two
// CHECK-NOT: scf.if
// CHECK: layout.async_dma
// CHECK: layout.async_dma
// CHECK: scf.for
// CHECK: layout.async_wait
// CHECK: layout.async_dma {{.*}} counted
// CHECK: layout.async_dma {{.*}} counted
// CHECK: layout.async_wait 0
func.func @two(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
  air.launch () in () args(%lx=%x, %ly=%y, %ln=%n) : memref<4096xi32>, memref<256xi32>, index {
    air.segment @s args(%sx=%lx, %sy=%ly, %sn=%ln) : memref<4096xi32>, memref<256xi32>, index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c256 = arith.constant 256 : index
      %acc = memref.alloc() : memref<256xi32, 1>
      air.dma_memcpy_nd (%acc[] [] [], %sy[] [] []) : (memref<256xi32, 1>, memref<256xi32>)
      %t = memref.alloc() : memref<256xi32, 1>
      %u = memref.alloc() : memref<256xi32, 1>
      %c1024 = arith.constant 1024 : index
      %c3584 = arith.constant 3584 : index
      %c512 = arith.constant 512 : index
      %sum = scf.for %k = %c1024 to %c3584 step %c512 iter_args(%s = %c0) -> (index) {
        %at = arith.addi %k, %c256 : index
        air.dma_memcpy_nd (%t[] [] [], %sx[%k] [%c256] [%c1]) : (memref<256xi32, 1>, memref<4096xi32>)
        air.dma_memcpy_nd (%u[] [] [], %sx[%at] [%c256] [%c1]) : (memref<256xi32, 1>, memref<4096xi32>)
        air.herd @add tile (%p, %q) in (%np=%c4, %nq=%c1) args(%ht=%t, %ha=%acc) : memref<256xi32, 1>, memref<256xi32, 1> {
            %h64 = arith.constant 64 : index
            %h65 = arith.constant 65 : index
            %h256 = arith.constant 256 : index
            %lane = gpu.lane_id
            %wave = gpu.subgroup_size : index
            %first = arith.muli %p, %h64 : index
            scf.for %l = %lane to %h64 step %wave {
              %e = arith.addi %first, %l : index
              %f = arith.addi %e, %h65 : index
              %g = arith.remui %f, %h256 : index
              %old = memref.load %ha[%e] : memref<256xi32, 1>
              %v = memref.load %ht[%g] : memref<256xi32, 1>
              %three = arith.constant 3 : i32
              %more = arith.muli %old, %three : i32
              %new = arith.addi %more, %v : i32
              memref.store %new, %ha[%e] : memref<256xi32, 1>
            }
        }
        air.herd @subtract tile (%p, %q) in (%np=%c4, %nq=%c1) args(%ht=%u, %ha=%acc) : memref<256xi32, 1>, memref<256xi32, 1> {
            %h64 = arith.constant 64 : index
            %h65 = arith.constant 65 : index
            %h256 = arith.constant 256 : index
            %lane = gpu.lane_id
            %wave = gpu.subgroup_size : index
            %first = arith.muli %p, %h64 : index
            scf.for %l = %lane to %h64 step %wave {
              %e = arith.addi %first, %l : index
              %f = arith.addi %e, %h65 : index
              %g = arith.remui %f, %h256 : index
              %old = memref.load %ha[%e] : memref<256xi32, 1>
              %v = memref.load %ht[%g] : memref<256xi32, 1>
              %two = arith.constant 2 : i32
              %more = arith.subi %old, %two : i32
              %new = arith.addi %more, %v : i32
              memref.store %new, %ha[%e] : memref<256xi32, 1>
            }
        }
        %r = arith.addi %s, %k : index
        scf.yield %r : index
      }
      %half = arith.divui %sum, %c512 : index
      %rest = arith.remui %half, %c4 : index
      %last = arith.muli %rest, %c256 : index
      %w = memref.alloc() : memref<256xi32, 1>
      air.dma_memcpy_nd (%w[] [] [], %sx[%last] [%c256] [%c1]) : (memref<256xi32, 1>, memref<4096xi32>)
      air.herd @last tile (%p, %q) in (%np=%c4, %nq=%c1) args(%ht=%w, %ha=%acc) : memref<256xi32, 1>, memref<256xi32, 1> {
          %h64 = arith.constant 64 : index
          %h65 = arith.constant 65 : index
          %h256 = arith.constant 256 : index
          %lane = gpu.lane_id
          %wave = gpu.subgroup_size : index
          %first = arith.muli %p, %h64 : index
          scf.for %l = %lane to %h64 step %wave {
            %e = arith.addi %first, %l : index
            %f = arith.addi %e, %h65 : index
            %g = arith.remui %f, %h256 : index
            %old = memref.load %ha[%e] : memref<256xi32, 1>
            %v = memref.load %ht[%g] : memref<256xi32, 1>
            %three = arith.constant 3 : i32
            %more = arith.muli %old, %three : i32
            %new = arith.addi %more, %v : i32
            memref.store %new, %ha[%e] : memref<256xi32, 1>
          }
      }
      air.dma_memcpy_nd (%sy[] [] [], %acc[] [] []) : (memref<256xi32>, memref<256xi32, 1>)
    }
  }
  return
}

// A loop in a loop, each with a tile of its own.
// CHECK-LABEL: gpu.func @nested
// CHECK: layout.async_dma {{.*}} counted
// CHECK: layout.async_dma {{.*}} counted
func.func @nested(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
  air.launch () in () args(%lx=%x, %ly=%y, %ln=%n) : memref<4096xi32>, memref<256xi32>, index {
    air.segment @s args(%sx=%lx, %sy=%ly, %sn=%ln) : memref<4096xi32>, memref<256xi32>, index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c256 = arith.constant 256 : index
      %acc = memref.alloc() : memref<256xi32, 1>
      air.dma_memcpy_nd (%acc[] [] [], %sy[] [] []) : (memref<256xi32, 1>, memref<256xi32>)
      %t = memref.alloc() : memref<256xi32, 1>
      %u = memref.alloc() : memref<256xi32, 1>
      scf.for %i = %c0 to %c3 step %c1 {
        %own = arith.muli %i, %c256 : index
        air.dma_memcpy_nd (%t[] [] [], %sx[%own] [%c256] [%c1]) : (memref<256xi32, 1>, memref<4096xi32>)
        scf.for %k = %c0 to %sn step %c1 {
          %sum = arith.addi %i, %k : index
          %at = arith.muli %sum, %c256 : index
          air.dma_memcpy_nd (%u[] [] [], %sx[%at] [%c256] [%c1]) : (memref<256xi32, 1>, memref<4096xi32>)
          air.herd @add tile (%p, %q) in (%np=%c4, %nq=%c1) args(%ht=%u, %ha=%acc) : memref<256xi32, 1>, memref<256xi32, 1> {
              %h64 = arith.constant 64 : index
              %h65 = arith.constant 65 : index
              %h256 = arith.constant 256 : index
              %lane = gpu.lane_id
              %wave = gpu.subgroup_size : index
              %first = arith.muli %p, %h64 : index
              scf.for %l = %lane to %h64 step %wave {
                %e = arith.addi %first, %l : index
                %f = arith.addi %e, %h65 : index
                %g = arith.remui %f, %h256 : index
                %old = memref.load %ha[%e] : memref<256xi32, 1>
                %v = memref.load %ht[%g] : memref<256xi32, 1>
                %three = arith.constant 3 : i32
                %more = arith.muli %old, %three : i32
                %new = arith.addi %more, %v : i32
                memref.store %new, %ha[%e] : memref<256xi32, 1>
              }
          }
        }
        air.herd @outer tile (%p, %q) in (%np=%c4, %nq=%c1) args(%ht=%t, %ha=%acc) : memref<256xi32, 1>, memref<256xi32, 1> {
            %h64 = arith.constant 64 : index
            %h65 = arith.constant 65 : index
            %h256 = arith.constant 256 : index
            %lane = gpu.lane_id
            %wave = gpu.subgroup_size : index
            %first = arith.muli %p, %h64 : index
            scf.for %l = %lane to %h64 step %wave {
              %e = arith.addi %first, %l : index
              %f = arith.addi %e, %h65 : index
              %g = arith.remui %f, %h256 : index
              %old = memref.load %ha[%e] : memref<256xi32, 1>
              %v = memref.load %ht[%g] : memref<256xi32, 1>
              %two = arith.constant 2 : i32
              %more = arith.subi %old, %two : i32
              %new = arith.addi %more, %v : i32
              memref.store %new, %ha[%e] : memref<256xi32, 1>
            }
        }
      }
      air.dma_memcpy_nd (%sy[] [] [], %acc[] [] []) : (memref<256xi32>, memref<256xi32, 1>)
    }
  }
  return
}

// The loop modifies the tile in place and allocates it in each iteration; an affine loop.
// CHECK-LABEL: gpu.func @inside
// CHECK: scf.for
// CHECK: layout.async_wait
// CHECK: kernel.barrier workgroup
// CHECK: layout.async_dma {{.*}} counted
// CHECK: layout.async_wait 0
func.func @inside(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
  air.launch () in () args(%lx=%x, %ly=%y, %ln=%n) : memref<4096xi32>, memref<256xi32>, index {
    air.segment @s args(%sx=%lx, %sy=%ly, %sn=%ln) : memref<4096xi32>, memref<256xi32>, index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c256 = arith.constant 256 : index
      %acc = memref.alloc() : memref<256xi32, 1>
      air.dma_memcpy_nd (%acc[] [] [], %sy[] [] []) : (memref<256xi32, 1>, memref<256xi32>)
      affine.for %k = 0 to %sn {
        %t = memref.alloc() : memref<256xi32, 1>
        %at = affine.apply affine_map<(d0) -> (d0 * 512)>(%k)
        air.dma_memcpy_nd (%t[] [] [], %sx[%at] [%c256] [%c1]) : (memref<256xi32, 1>, memref<4096xi32>)
        air.herd @change tile (%p, %q) in (%np=%c4, %nq=%c1) args(%ht=%t) : memref<256xi32, 1> {
            %h64 = arith.constant 64 : index
            %lane = gpu.lane_id
            %wave = gpu.subgroup_size : index
            %first = arith.muli %p, %h64 : index
            scf.for %l = %lane to %h64 step %wave {
              %e = arith.addi %first, %l : index
              %v = memref.load %ht[%e] : memref<256xi32, 1>
              %seven = arith.constant 7 : i32
              %w = arith.muli %v, %seven : i32
              memref.store %w, %ht[%e] : memref<256xi32, 1>
            }
        }
        air.herd @add tile (%p, %q) in (%np=%c4, %nq=%c1) args(%ht=%t, %ha=%acc) : memref<256xi32, 1>, memref<256xi32, 1> {
            %h64 = arith.constant 64 : index
            %h65 = arith.constant 65 : index
            %h256 = arith.constant 256 : index
            %lane = gpu.lane_id
            %wave = gpu.subgroup_size : index
            %first = arith.muli %p, %h64 : index
            scf.for %l = %lane to %h64 step %wave {
              %e = arith.addi %first, %l : index
              %f = arith.addi %e, %h65 : index
              %g = arith.remui %f, %h256 : index
              %old = memref.load %ha[%e] : memref<256xi32, 1>
              %v = memref.load %ht[%g] : memref<256xi32, 1>
              %three = arith.constant 3 : i32
              %more = arith.muli %old, %three : i32
              %new = arith.addi %more, %v : i32
              memref.store %new, %ha[%e] : memref<256xi32, 1>
            }
        }
        memref.dealloc %t : memref<256xi32, 1>
      }
      air.dma_memcpy_nd (%sy[] [] [], %acc[] [] []) : (memref<256xi32>, memref<256xi32, 1>)
    }
  }
  return
}

// A wave that fetches for itself: no barrier.
// CHECK-LABEL: gpu.func @waves
// CHECK: scf.for
// CHECK: layout.async_wait
// CHECK-NOT: kernel.barrier workgroup
// CHECK: layout.async_dma {{.*}} counted {layout.scope = #layout.scope<wave>}
// CHECK-NOT: kernel.barrier workgroup
// CHECK: layout.async_wait 0
func.func @waves(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
  air.launch () in () args(%lx=%x, %ly=%y, %ln=%n) : memref<4096xi32>, memref<256xi32>, index {
    air.segment @s args(%sx=%lx, %sy=%ly, %sn=%ln) : memref<4096xi32>, memref<256xi32>, index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c256 = arith.constant 256 : index
      %acc = memref.alloc() : memref<256xi32, 1>
      air.dma_memcpy_nd (%acc[] [] [], %sy[] [] []) : (memref<256xi32, 1>, memref<256xi32>)
      air.herd @h tile (%p, %q) in (%np=%c4, %nq=%c1) args(%hx=%sx, %hacc=%acc, %hn=%sn) : memref<4096xi32>, memref<256xi32, 1>, index {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h64 = arith.constant 64 : index
        %h256 = arith.constant 256 : index
        %t = memref.alloc() : memref<64xi32, 2>
        %own = arith.muli %p, %h64 : index
        %part = memref.subview %hacc[%own] [64] [1] : memref<256xi32, 1> to memref<64xi32, strided<[1], offset: ?>, 1>
        scf.for %k = %h0 to %hn step %h1 {
          %row = arith.muli %k, %h256 : index
          %at = arith.addi %row, %own : index
          air.dma_memcpy_nd (%t[] [] [], %hx[%at] [%h64] [%h1]) : (memref<64xi32, 2>, memref<4096xi32>)
          linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
              ins(%t : memref<64xi32, 2>) outs(%part : memref<64xi32, strided<[1], offset: ?>, 1>) {
          ^bb0(%v: i32, %old: i32):
            %three = arith.constant 3 : i32
            %more = arith.muli %old, %three : i32
            %new = arith.addi %more, %v : i32
            linalg.yield %new : i32
          }
        }
      }
      air.dma_memcpy_nd (%sy[] [] [], %acc[] [] []) : (memref<256xi32>, memref<256xi32, 1>)
    }
  }
  return
}

// The expected results: y[e] = y[e] * 3 (or - 2) + scale * x[first + (e + 65) % 256].
func.func private @add(%x: memref<4096xi32>, %y: memref<256xi32>, %first: index, %multiply: i1, %scale: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c65 = arith.constant 65 : index
  %c256 = arith.constant 256 : index
  %m3 = arith.constant 3 : i32
  %m2 = arith.constant 2 : i32
  scf.for %e = %c0 to %c256 step %c1 {
    %f = arith.addi %e, %c65 : index
    %g = arith.remui %f, %c256 : index
    %at = arith.addi %first, %g : index
    %v = memref.load %x[%at] : memref<4096xi32>
    %old = memref.load %y[%e] : memref<256xi32>
    %product = arith.muli %old, %m3 : i32
    %difference = arith.subi %old, %m2 : i32
    %more = arith.select %multiply, %product, %difference : i32
    %scaled = arith.muli %v, %scale : i32
    %new = arith.addi %more, %scaled : i32
    memref.store %new, %y[%e] : memref<256xi32>
  }
  return
}

func.func private @ref_plain(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %m3 = arith.constant 3 : i32
  %m7 = arith.constant 7 : i32
  %m2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %c256 = arith.constant 256 : index
  %one = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 {
    %at = arith.muli %k, %c256 : index
    func.call @add(%x, %y, %at, %true, %one) : (memref<4096xi32>, memref<256xi32>, index, i1, i32) -> ()
  }
  return
}

func.func private @ref_two(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %m3 = arith.constant 3 : i32
  %m7 = arith.constant 7 : i32
  %m2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %c256 = arith.constant 256 : index
  %one = arith.constant 1 : i32
  %c5 = arith.constant 5 : index
  scf.for %k = %c0 to %c5 step %c1 {
    %c512 = arith.constant 512 : index
    %c1024 = arith.constant 1024 : index
    %step = arith.muli %k, %c512 : index
    %at = arith.addi %step, %c1024 : index
    %and = arith.addi %at, %c256 : index
    func.call @add(%x, %y, %at, %true, %one) : (memref<4096xi32>, memref<256xi32>, index, i1, i32) -> ()
    func.call @add(%x, %y, %and, %false, %one) : (memref<4096xi32>, memref<256xi32>, index, i1, i32) -> ()
  }
  // (1024 + 1536 + 2048 + 2560 + 3072) / 512 mod 4 = 0
  func.call @add(%x, %y, %c0, %true, %one) : (memref<4096xi32>, memref<256xi32>, index, i1, i32) -> ()
  return
}

func.func private @ref_nested(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %m3 = arith.constant 3 : i32
  %m7 = arith.constant 7 : i32
  %m2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %c256 = arith.constant 256 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %sum = arith.addi %i, %k : index
      %at = arith.muli %sum, %c256 : index
      func.call @add(%x, %y, %at, %true, %one) : (memref<4096xi32>, memref<256xi32>, index, i1, i32) -> ()
    }
    %own = arith.muli %i, %c256 : index
    func.call @add(%x, %y, %own, %false, %one) : (memref<4096xi32>, memref<256xi32>, index, i1, i32) -> ()
  }
  return
}

func.func private @ref_inside(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %m3 = arith.constant 3 : i32
  %m7 = arith.constant 7 : i32
  %m2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %c256 = arith.constant 256 : index
  scf.for %k = %c0 to %n step %c1 {
    %c512 = arith.constant 512 : index
    %at = arith.muli %k, %c512 : index
    func.call @add(%x, %y, %at, %true, %m7) : (memref<4096xi32>, memref<256xi32>, index, i1, i32) -> ()
  }
  return
}

func.func private @ref_waves(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %m3 = arith.constant 3 : i32
  %m7 = arith.constant 7 : i32
  %m2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %c256 = arith.constant 256 : index
  scf.for %k = %c0 to %n step %c1 {
    %at = arith.muli %k, %c256 : index
    scf.for %e = %c0 to %c256 step %c1 {
      %from = arith.addi %at, %e : index
      %v = memref.load %x[%from] : memref<4096xi32>
      %old = memref.load %y[%e] : memref<256xi32>
      %more = arith.muli %old, %m3 : i32
      %new = arith.addi %more, %v : i32
      memref.store %new, %y[%e] : memref<256xi32>
    }
  }
  return
}

// x is any numbers, y its own; the device and the host compute with their own copies.
func.func private @fill(%x: memref<4096xi32>, %y: memref<256xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %c4096 = arith.constant 4096 : index
  %m = arith.constant 40503 : i32
  scf.for %i = %c0 to %c4096 step %c1 {
    %v = arith.index_cast %i : index to i32
    %w = arith.muli %v, %m : i32
    memref.store %w, %x[%i] : memref<4096xi32>
  }
  scf.for %i = %c0 to %c256 step %c1 {
    %v = arith.index_cast %i : index to i32
    memref.store %v, %y[%i] : memref<256xi32>
  }
  return
}

func.func private @differ(%y: memref<256xi32>, %dy: memref<256xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %got = memref.alloc() : memref<256xi32>
  gpu.memcpy %got, %dy : memref<256xi32>, memref<256xi32>
  %wrong = scf.for %i = %c0 to %c256 step %c1 iter_args(%w = %zero) -> i32 {
    %a = memref.load %y[%i] : memref<256xi32>
    %b = memref.load %got[%i] : memref<256xi32>
    %ne = arith.cmpi ne, %a, %b : i32
    %more = arith.select %ne, %one, %zero : i32
    %sum = arith.addi %w, %more : i32
    scf.yield %sum : i32
  }
  memref.dealloc %got : memref<256xi32>
  return %wrong : i32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0 : i32
  %most = arith.constant 255 : i32
  %x = memref.alloc() : memref<4096xi32>
  %y = memref.alloc() : memref<256xi32>
  %dx = gpu.alloc () : memref<4096xi32>
  %dy = gpu.alloc () : memref<256xi32>
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%sofar = %zero) -> i32 {
    // 0, 1, 2 and 5 iterations.
    %three = arith.constant 3 : index
    %is3 = arith.cmpi eq, %i, %three : index
    %n = arith.select %is3, %c5, %i : index
    func.call @fill(%x, %y) : (memref<4096xi32>, memref<256xi32>) -> ()
    gpu.memcpy %dx, %x : memref<4096xi32>, memref<4096xi32>
    gpu.memcpy %dy, %y : memref<256xi32>, memref<256xi32>
    func.call @plain(%dx, %dy, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    func.call @ref_plain(%x, %y, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    %d_plain = func.call @differ(%y, %dy) : (memref<256xi32>, memref<256xi32>) -> i32
    %s_plain = arith.addi %sofar, %d_plain : i32
    func.call @fill(%x, %y) : (memref<4096xi32>, memref<256xi32>) -> ()
    gpu.memcpy %dx, %x : memref<4096xi32>, memref<4096xi32>
    gpu.memcpy %dy, %y : memref<256xi32>, memref<256xi32>
    func.call @two(%dx, %dy, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    func.call @ref_two(%x, %y, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    %d_two = func.call @differ(%y, %dy) : (memref<256xi32>, memref<256xi32>) -> i32
    %s_two = arith.addi %s_plain, %d_two : i32
    func.call @fill(%x, %y) : (memref<4096xi32>, memref<256xi32>) -> ()
    gpu.memcpy %dx, %x : memref<4096xi32>, memref<4096xi32>
    gpu.memcpy %dy, %y : memref<256xi32>, memref<256xi32>
    func.call @nested(%dx, %dy, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    func.call @ref_nested(%x, %y, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    %d_nested = func.call @differ(%y, %dy) : (memref<256xi32>, memref<256xi32>) -> i32
    %s_nested = arith.addi %s_two, %d_nested : i32
    func.call @fill(%x, %y) : (memref<4096xi32>, memref<256xi32>) -> ()
    gpu.memcpy %dx, %x : memref<4096xi32>, memref<4096xi32>
    gpu.memcpy %dy, %y : memref<256xi32>, memref<256xi32>
    func.call @inside(%dx, %dy, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    func.call @ref_inside(%x, %y, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    %d_inside = func.call @differ(%y, %dy) : (memref<256xi32>, memref<256xi32>) -> i32
    %s_inside = arith.addi %s_nested, %d_inside : i32
    func.call @fill(%x, %y) : (memref<4096xi32>, memref<256xi32>) -> ()
    gpu.memcpy %dx, %x : memref<4096xi32>, memref<4096xi32>
    gpu.memcpy %dy, %y : memref<256xi32>, memref<256xi32>
    func.call @waves(%dx, %dy, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    func.call @ref_waves(%x, %y, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    %d_waves = func.call @differ(%y, %dy) : (memref<256xi32>, memref<256xi32>) -> i32
    %s_waves = arith.addi %s_inside, %d_waves : i32
    scf.yield %s_waves : i32
  }
  %status = arith.minui %sum, %most : i32
  return %status : i32
}
