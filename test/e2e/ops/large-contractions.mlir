// Contractions of vectors that do not fit into the registers of a lane: their operands are copied to private memory
// where they are read, although the program overwrites one of them before the contraction. The status is the number of
// wrong elements, compared with loops of the host.

// RUN: %aircc %s --target gfx942 -o %t && %t
// RUN: %aircc %s --target gfx1100 -o %t && %t
// RUN: %aircc %s --target bmg -o %t && %t

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

module attributes {gpu.container_module} {
gpu.module @m {
  // C = A B, and A = 0.
  gpu.func @once(%A: memref<64x16xf64>, %B: memref<16x18xf64>, %C: memref<64x18xf64>) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %pad = arith.constant 0.0 : f64
    %zeros = arith.constant dense<0.0> : vector<32x18xf64>
    %i = gpu.block_id x
    %row = arith.muli %i, %c32 : index
    %a = vector.transfer_read %A[%row, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf64>, vector<32x16xf64>
    %b = vector.transfer_read %B[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x18xf64>, vector<16x18xf64>
    %none = arith.constant dense<0.0> : vector<32x16xf64>
    vector.transfer_write %none, %A[%row, %c0] {in_bounds = [true, true]} : vector<32x16xf64>, memref<64x16xf64>
    %c = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"],
        kind = #vector.kind<add>} %a, %b, %zeros : vector<32x16xf64>, vector<16x18xf64> into vector<32x18xf64>
    vector.transfer_write %c, %C[%row, %c0] {in_bounds = [true, true]} : vector<32x18xf64>, memref<64x18xf64>
    gpu.return
  }

  // C += A B in two steps along K; the columns of B beyond its end are 1.
  gpu.func @steps(%A: memref<32x32xf32>, %B: memref<32x20xf32>, %C: memref<32x32xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %start = vector.transfer_read %C[%c0, %c0], %one {in_bounds = [true, true]} : memref<32x32xf32>, vector<32x32xf32>
    %sum = scf.for %k = %c0 to %c32 step %c16 iter_args(%acc = %start) -> (vector<32x32xf32>) {
      %a = vector.transfer_read %A[%c0, %k], %one {in_bounds = [true, true]} : memref<32x32xf32>, vector<32x16xf32>
      %b = vector.transfer_read %B[%k, %c0], %one {in_bounds = [true, false]} : memref<32x20xf32>, vector<16x32xf32>
      %c = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"],
          kind = #vector.kind<add>} %a, %b, %acc : vector<32x16xf32>, vector<16x32xf32> into vector<32x32xf32>
      scf.yield %c : vector<32x32xf32>
    }
    vector.transfer_write %sum, %C[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
    gpu.return
  }
}

// A small integer that depends on its indices.
func.func private @get(%i: index, %j: index) -> f32 {
  %c7 = arith.constant 7 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %a = arith.muli %i, %c3 : index
  %b = arith.muli %j, %c5 : index
  %c = arith.addi %a, %b : index
  %d = arith.remui %c, %c7 : index
  %e = arith.index_cast %d : index to i32
  %f = arith.sitofp %e : i32 to f32
  return %f : f32
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c20 = arith.constant 20 : index
  %c32 = arith.constant 32 : index
  %c18 = arith.constant 18 : index
  %c64 = arith.constant 64 : index
  %A = gpu.alloc host_shared () : memref<64x16xf64>
  %B = gpu.alloc host_shared () : memref<16x18xf64>
  %C = gpu.alloc host_shared () : memref<64x18xf64>
  %D = gpu.alloc host_shared () : memref<32x32xf32>
  %E = gpu.alloc host_shared () : memref<32x20xf32>
  %F = gpu.alloc host_shared () : memref<32x32xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %k = %c0 to %c16 step %c1 {
      %v = func.call @get(%i, %k) : (index, index) -> f32
      %w = arith.extf %v : f32 to f64
      memref.store %w, %A[%i, %k] : memref<64x16xf64>
    }
  }
  scf.for %k = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c18 step %c1 {
      %v = func.call @get(%j, %k) : (index, index) -> f32
      %w = arith.extf %v : f32 to f64
      memref.store %w, %B[%k, %j] : memref<16x18xf64>
    }
  }
  scf.for %i = %c0 to %c32 step %c1 {
    scf.for %j = %c0 to %c32 step %c1 {
      %v = func.call @get(%i, %j) : (index, index) -> f32
      memref.store %v, %D[%i, %j] : memref<32x32xf32>
      memref.store %v, %F[%j, %i] : memref<32x32xf32>
    }
    scf.for %j = %c0 to %c20 step %c1 {
      %v = func.call @get(%j, %i) : (index, index) -> f32
      memref.store %v, %E[%i, %j] : memref<32x20xf32>
    }
  }
  gpu.launch_func @m::@once blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%A : memref<64x16xf64>, %B : memref<16x18xf64>, %C : memref<64x18xf64>)
  gpu.launch_func @m::@steps blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%D : memref<32x32xf32>, %E : memref<32x20xf32>, %F : memref<32x32xf32>)

  %none = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f64
  %first = scf.for %i = %c0 to %c64 step %c1 iter_args(%outer = %none) -> i32 {
    %wrong = scf.for %j = %c0 to %c18 step %c1 iter_args(%inner = %outer) -> i32 {
      %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> f64 {
        %v = func.call @get(%i, %k) : (index, index) -> f32
        %w = func.call @get(%j, %k) : (index, index) -> f32
        %p = arith.mulf %v, %w : f32
        %q = arith.extf %p : f32 to f64
        %s = arith.addf %acc, %q : f64
        scf.yield %s : f64
      }
      %c = memref.load %C[%i, %j] : memref<64x18xf64>
      %differs = arith.cmpf une, %c, %sum : f64
      %n = arith.extui %differs : i1 to i32
      %total = arith.addi %inner, %n : i32
      scf.yield %total : i32
    }
    scf.yield %wrong : i32
  }
  %second = scf.for %i = %c0 to %c32 step %c1 iter_args(%outer = %first) -> i32 {
    %wrong = scf.for %j = %c0 to %c32 step %c1 iter_args(%inner = %outer) -> i32 {
      %start = func.call @get(%j, %i) : (index, index) -> f32
      %isInside = arith.cmpi ult, %j, %c20 : index
      %sum = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %start) -> f32 {
        %v = func.call @get(%i, %k) : (index, index) -> f32
        %w = func.call @get(%j, %k) : (index, index) -> f32
        %u = arith.select %isInside, %w, %one : f32
        %p = arith.mulf %v, %u : f32
        %s = arith.addf %acc, %p : f32
        scf.yield %s : f32
      }
      %f = memref.load %F[%i, %j] : memref<32x32xf32>
      %differs = arith.cmpf une, %f, %sum : f32
      %n = arith.extui %differs : i1 to i32
      %total = arith.addi %inner, %n : i32
      scf.yield %total : i32
    }
    scf.yield %wrong : i32
  }
  %isAny = arith.cmpi ne, %second, %none : i32
  %status = arith.extui %isAny : i1 to i32
  return %status : i32
}
}
