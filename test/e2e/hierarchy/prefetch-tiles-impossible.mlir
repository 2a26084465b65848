// Loops like those of prefetch-tiles.mlir, but the tiles of later iterations must not be
// prefetched, or there is not enough LDS for them. Each kernel is run for several numbers of
// iterations and compared with plain loops on the host. The status is the number of wrong elements.

// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx950 -o %t && %t
// RUN: %aircc %s --target gfx1100 -o %t && %t
// RUN: %aircc %s --target gfx942 --emit=gpu -o - | FileCheck %s

// Each iteration writes the data that the next one reads.
// CHECK-LABEL: gpu.func @chain
// CHECK-NOT: counted
func.func @chain(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
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
        %next = arith.addi %at, %c256 : index
        air.dma_memcpy_nd (%sx[%next] [%c256] [%c1], %t[] [] []) : (memref<4096xi32>, memref<256xi32, 1>)
      }
      air.dma_memcpy_nd (%sy[] [] [], %acc[] [] []) : (memref<256xi32>, memref<256xi32, 1>)
    }
  }
  return
}

// Each iteration computes the address of the next tile.
// CHECK-LABEL: gpu.func @carried
// CHECK-NOT: counted
func.func @carried(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
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
      %end = scf.for %k = %c0 to %sn step %c1 iter_args(%i = %c1) -> (index) {
        %at = arith.muli %i, %c256 : index
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
        %three = arith.muli %i, %c3 : index
        %other = arith.addi %three, %k : index
        %next = arith.remui %other, %c4 : index
        scf.yield %next : index
      }
      air.dma_memcpy_nd (%sy[] [] [], %acc[] [] []) : (memref<256xi32>, memref<256xi32, 1>)
    }
  }
  return
}

// Only some iterations fetch a tile.
// CHECK-LABEL: gpu.func @sometimes
// CHECK-NOT: counted
func.func @sometimes(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
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
      air.dma_memcpy_nd (%t[] [] [], %sx[%c0] [%c256] [%c1]) : (memref<256xi32, 1>, memref<4096xi32>)
      scf.for %k = %c0 to %sn step %c1 {
        %at = arith.muli %k, %c256 : index
        %rest = arith.remui %k, %c2 : index
        %odd = arith.cmpi eq, %rest, %c1 : index
        scf.if %odd {
          air.dma_memcpy_nd (%t[] [] [], %sx[%at] [%c256] [%c1]) : (memref<256xi32, 1>, memref<4096xi32>)
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
      }
      air.dma_memcpy_nd (%sy[] [] [], %acc[] [] []) : (memref<256xi32>, memref<256xi32, 1>)
    }
  }
  return
}

// The iteration first reads the tile of the preceding iteration.
// CHECK-LABEL: gpu.func @before
// CHECK-NOT: counted
func.func @before(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
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
      air.dma_memcpy_nd (%t[] [] [], %sx[%c256] [%c256] [%c1]) : (memref<256xi32, 1>, memref<4096xi32>)
      scf.for %k = %c0 to %sn step %c1 {
        %at = arith.muli %k, %c256 : index
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
        air.dma_memcpy_nd (%t[] [] [], %sx[%at] [%c256] [%c1]) : (memref<256xi32, 1>, memref<4096xi32>)
        air.herd @again tile (%p, %q) in (%np=%c4, %nq=%c1) args(%ht=%t, %ha=%acc) : memref<256xi32, 1>, memref<256xi32, 1> {
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

// The last tile is used after the loop.
// CHECK-LABEL: gpu.func @after
// CHECK-NOT: counted
func.func @after(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
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
      air.dma_memcpy_nd (%t[] [] [], %sx[%c256] [%c256] [%c1]) : (memref<256xi32, 1>, memref<4096xi32>)
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
      air.herd @once tile (%p, %q) in (%np=%c4, %nq=%c1) args(%ht=%t, %ha=%acc) : memref<256xi32, 1>, memref<256xi32, 1> {
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
      air.dma_memcpy_nd (%sy[] [] [], %acc[] [] []) : (memref<256xi32>, memref<256xi32, 1>)
    }
  }
  return
}

// Half of the buffer stays what it is.
// CHECK-LABEL: gpu.func @half
// CHECK-NOT: counted
func.func @half(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
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
      air.dma_memcpy_nd (%t[] [] [], %sx[%c256] [%c256] [%c1]) : (memref<256xi32, 1>, memref<4096xi32>)
      %c128 = arith.constant 128 : index
      scf.for %k = %c0 to %sn step %c1 {
        %at = arith.muli %k, %c256 : index
        air.dma_memcpy_nd (%t[%c0] [%c128] [%c1], %sx[%at] [%c128] [%c1]) : (memref<256xi32, 1>, memref<4096xi32>)
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

// With further buffers, more than half of LDS would be in use.
// CHECK-LABEL: gpu.func @large
// CHECK-NOT: counted
func.func @large(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
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
      %much = memref.alloc() : memref<8192xi32, 1>
      %zero = arith.constant 0 : i32
      memref.store %zero, %much[%c0] : memref<8192xi32, 1>
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
      %nothing = memref.load %much[%c0] : memref<8192xi32, 1>
      %old = memref.load %acc[%c0] : memref<256xi32, 1>
      %same = arith.addi %old, %nothing : i32
      memref.store %same, %acc[%c0] : memref<256xi32, 1>
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

func.func private @ref_chain(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
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
    %next = arith.addi %at, %c256 : index
    scf.for %e = %c0 to %c256 step %c1 {
      %from = arith.addi %at, %e : index
      %to = arith.addi %next, %e : index
      %v = memref.load %x[%from] : memref<4096xi32>
      %w = arith.muli %v, %m7 : i32
      memref.store %w, %x[%to] : memref<4096xi32>
    }
    func.call @add(%x, %y, %next, %true, %one) : (memref<4096xi32>, memref<256xi32>, index, i1, i32) -> ()
  }
  return
}

func.func private @ref_carried(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
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
  %end = scf.for %k = %c0 to %n step %c1 iter_args(%i = %c1) -> (index) {
    %at = arith.muli %i, %c256 : index
    func.call @add(%x, %y, %at, %true, %one) : (memref<4096xi32>, memref<256xi32>, index, i1, i32) -> ()
    %three = arith.muli %i, %c3 : index
    %other = arith.addi %three, %k : index
    %next = arith.remui %other, %c4 : index
    scf.yield %next : index
  }
  return
}

func.func private @ref_sometimes(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
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
    // The last odd iteration up to this one, or the tile before the loop.
    %plus = arith.addi %k, %c1 : index
    %half = arith.divui %plus, %c2 : index
    %twice = arith.muli %half, %c2 : index
    %none = arith.cmpi eq, %twice, %c0 : index
    %odd = arith.subi %twice, %c1 : index
    %copied = arith.select %none, %c0, %odd : index
    %at = arith.muli %copied, %c256 : index
    func.call @add(%x, %y, %at, %true, %one) : (memref<4096xi32>, memref<256xi32>, index, i1, i32) -> ()
  }
  return
}

func.func private @ref_before(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
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
  %end = scf.for %k = %c0 to %n step %c1 iter_args(%last = %c256) -> (index) {
    %at = arith.muli %k, %c256 : index
    func.call @add(%x, %y, %last, %true, %one) : (memref<4096xi32>, memref<256xi32>, index, i1, i32) -> ()
    func.call @add(%x, %y, %at, %false, %one) : (memref<4096xi32>, memref<256xi32>, index, i1, i32) -> ()
    scf.yield %at : index
  }
  return
}

func.func private @ref_after(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
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
  %end = scf.for %k = %c0 to %n step %c1 iter_args(%last = %c256) -> (index) {
    %at = arith.muli %k, %c256 : index
    func.call @add(%x, %y, %at, %true, %one) : (memref<4096xi32>, memref<256xi32>, index, i1, i32) -> ()
    scf.yield %at : index
  }
  func.call @add(%x, %y, %end, %false, %one) : (memref<4096xi32>, memref<256xi32>, index, i1, i32) -> ()
  return
}

func.func private @ref_half(%x: memref<4096xi32>, %y: memref<256xi32>, %n: index) {
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
  %t = memref.alloc() : memref<4096xi32>
  memref.copy %x, %t : memref<4096xi32> to memref<4096xi32>
  %c128 = arith.constant 128 : index
  scf.for %k = %c0 to %n step %c1 {
    %at = arith.muli %k, %c256 : index
    scf.for %e = %c0 to %c128 step %c1 {
      %from = arith.addi %at, %e : index
      %to = arith.addi %c256, %e : index
      %v = memref.load %x[%from] : memref<4096xi32>
      memref.store %v, %t[%to] : memref<4096xi32>
    }
    func.call @add(%t, %y, %c256, %true, %one) : (memref<4096xi32>, memref<256xi32>, index, i1, i32) -> ()
  }
  memref.dealloc %t : memref<4096xi32>
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
    func.call @chain(%dx, %dy, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    func.call @ref_chain(%x, %y, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    %d_chain = func.call @differ(%y, %dy) : (memref<256xi32>, memref<256xi32>) -> i32
    %s_chain = arith.addi %sofar, %d_chain : i32
    func.call @fill(%x, %y) : (memref<4096xi32>, memref<256xi32>) -> ()
    gpu.memcpy %dx, %x : memref<4096xi32>, memref<4096xi32>
    gpu.memcpy %dy, %y : memref<256xi32>, memref<256xi32>
    func.call @carried(%dx, %dy, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    func.call @ref_carried(%x, %y, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    %d_carried = func.call @differ(%y, %dy) : (memref<256xi32>, memref<256xi32>) -> i32
    %s_carried = arith.addi %s_chain, %d_carried : i32
    func.call @fill(%x, %y) : (memref<4096xi32>, memref<256xi32>) -> ()
    gpu.memcpy %dx, %x : memref<4096xi32>, memref<4096xi32>
    gpu.memcpy %dy, %y : memref<256xi32>, memref<256xi32>
    func.call @sometimes(%dx, %dy, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    func.call @ref_sometimes(%x, %y, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    %d_sometimes = func.call @differ(%y, %dy) : (memref<256xi32>, memref<256xi32>) -> i32
    %s_sometimes = arith.addi %s_carried, %d_sometimes : i32
    func.call @fill(%x, %y) : (memref<4096xi32>, memref<256xi32>) -> ()
    gpu.memcpy %dx, %x : memref<4096xi32>, memref<4096xi32>
    gpu.memcpy %dy, %y : memref<256xi32>, memref<256xi32>
    func.call @before(%dx, %dy, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    func.call @ref_before(%x, %y, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    %d_before = func.call @differ(%y, %dy) : (memref<256xi32>, memref<256xi32>) -> i32
    %s_before = arith.addi %s_sometimes, %d_before : i32
    func.call @fill(%x, %y) : (memref<4096xi32>, memref<256xi32>) -> ()
    gpu.memcpy %dx, %x : memref<4096xi32>, memref<4096xi32>
    gpu.memcpy %dy, %y : memref<256xi32>, memref<256xi32>
    func.call @after(%dx, %dy, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    func.call @ref_after(%x, %y, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    %d_after = func.call @differ(%y, %dy) : (memref<256xi32>, memref<256xi32>) -> i32
    %s_after = arith.addi %s_before, %d_after : i32
    func.call @fill(%x, %y) : (memref<4096xi32>, memref<256xi32>) -> ()
    gpu.memcpy %dx, %x : memref<4096xi32>, memref<4096xi32>
    gpu.memcpy %dy, %y : memref<256xi32>, memref<256xi32>
    func.call @half(%dx, %dy, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    func.call @ref_half(%x, %y, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    %d_half = func.call @differ(%y, %dy) : (memref<256xi32>, memref<256xi32>) -> i32
    %s_half = arith.addi %s_after, %d_half : i32
    func.call @fill(%x, %y) : (memref<4096xi32>, memref<256xi32>) -> ()
    gpu.memcpy %dx, %x : memref<4096xi32>, memref<4096xi32>
    gpu.memcpy %dy, %y : memref<256xi32>, memref<256xi32>
    func.call @large(%dx, %dy, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    func.call @ref_plain(%x, %y, %n) : (memref<4096xi32>, memref<256xi32>, index) -> ()
    %d_large = func.call @differ(%y, %dy) : (memref<256xi32>, memref<256xi32>) -> i32
    %s_large = arith.addi %s_half, %d_large : i32
    scf.yield %s_large : i32
  }
  %status = arith.minui %sum, %most : i32
  return %status : i32
}
