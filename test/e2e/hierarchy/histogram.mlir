// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx1100 -o %t.wave32 && %t.wave32
// RUN: %aircc %s --target bmg -o %t.xe && %t.xe
//
// A histogram: lanes of three PEs count in LDS by atomic operations, one PE adds
// what its workgroup has counted to the total.

module {
  func.func @hist(%in: memref<?xi32>, %out: memref<48xi32>, %n: index) {
    %c5 = arith.constant 5 : index
    air.launch @count (%b) in (%nb=%c5) args(%i=%in, %o=%out, %len=%n) : memref<?xi32>, memref<48xi32>, index {
      air.segment args(%sb=%b, %snb=%nb, %si=%i, %so=%o, %slen=%len) : index, index, memref<?xi32>, memref<48xi32>, index {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        %zero = arith.constant 0 : i32
        %bins = memref.alloc() : memref<48xi32, 1>
        linalg.fill ins(%zero : i32) outs(%bins : memref<48xi32, 1>)
        air.herd tile (%x, %y) in (%nx=%c3, %ny=%c1) args(%hb=%sb, %hnb=%snb, %hi=%si, %hbins=%bins, %hlen=%slen)
            : index, index, memref<?xi32>, memref<48xi32, 1>, index {
          %lane = gpu.lane_id
          %width = gpu.subgroup_size : index
          %one = arith.constant 1 : i32
          %c48 = arith.constant 48 : i32
          // Element ((block * 3 + pe) * width + lane), and on by all lanes there are.
          %w0 = arith.muli %hb, %nx : index
          %w = arith.addi %w0, %x : index
          %first0 = arith.muli %w, %width : index
          %first = arith.addi %first0, %lane : index
          %s0 = arith.muli %hnb, %nx : index
          %step = arith.muli %s0, %width : index
          scf.for %e = %first to %hlen step %step {
            %v = memref.load %hi[%e] : memref<?xi32>
            %m = arith.remui %v, %c48 : i32
            %bin = arith.index_cast %m : i32 to index
            %old = memref.atomic_rmw addi %one, %hbins[%bin] : (i32, memref<48xi32, 1>) -> i32
          }
        }
        air.herd tile (%x, %y) in (%nx=%c1, %ny=%c1) args(%hbins=%bins, %ho=%so) : memref<48xi32, 1>, memref<48xi32> {
          %lane = gpu.lane_id
          %width = gpu.subgroup_size : index
          %c48 = arith.constant 48 : index
          scf.for %e = %lane to %c48 step %width {
            %v = memref.load %hbins[%e] : memref<48xi32, 1>
            %old = memref.atomic_rmw addi %v, %ho[%e] : (i32, memref<48xi32>) -> i32
          }
        }
        memref.dealloc %bins : memref<48xi32, 1>
      }
    }
    return
  }
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c48 = arith.constant 48 : index
    %n = arith.constant 10000 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %in = memref.alloc(%n) : memref<?xi32>
    %out = memref.alloc() : memref<48xi32>
    %ref = memref.alloc() : memref<48xi32>
    scf.for %i = %c0 to %c48 step %c1 {
      memref.store %zero, %out[%i] : memref<48xi32>
      memref.store %zero, %ref[%i] : memref<48xi32>
    }
    %mul = arith.constant 1103515245 : i32
    %inc = arith.constant 12345 : i32
    %sh = arith.constant 16 : i32
    %m48 = arith.constant 48 : i32
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%s = %one) -> (i32) {
      %a = arith.muli %s, %mul : i32
      %b = arith.addi %a, %inc : i32
      %v = arith.shrui %b, %sh : i32
      memref.store %v, %in[%i] : memref<?xi32>
      %m = arith.remui %v, %m48 : i32
      %bin = arith.index_cast %m : i32 to index
      %o = memref.load %ref[%bin] : memref<48xi32>
      %o1 = arith.addi %o, %one : i32
      memref.store %o1, %ref[%bin] : memref<48xi32>
      scf.yield %b : i32
    }
    %u0 = memref.cast %in : memref<?xi32> to memref<*xi32>
    gpu.host_register %u0 : memref<*xi32>
    %u1 = memref.cast %out : memref<48xi32> to memref<*xi32>
    gpu.host_register %u1 : memref<*xi32>
    call @hist(%in, %out, %n) : (memref<?xi32>, memref<48xi32>, index) -> ()
    %bad = scf.for %i = %c0 to %c48 step %c1 iter_args(%b = %zero) -> (i32) {
      %g = memref.load %out[%i] : memref<48xi32>
      %w = memref.load %ref[%i] : memref<48xi32>
      %ne = arith.cmpi ne, %g, %w : i32
      %k = arith.extui %ne : i1 to i32
      %b2 = arith.addi %b, %k : i32
      scf.yield %b2 : i32
    }
    vector.print str "elements that differ: "
    vector.print %bad : i32
    return %bad : i32
  }
}
