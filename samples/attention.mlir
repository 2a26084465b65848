// Attention as a kernel on undistributed vectors: softmax(Q K^T) V for 64
// queries and 256 keys, all of size 64.
//
//   aircc samples/attention.mlir --target gfx942 -o attention && ./attention
//   aircc samples/attention.mlir --target gfx942 --emit layout --html layouts.html
//
// The 256 threads of a workgroup hold each vector<64x64xf32> together. The
// program does not mention lanes and specifies no layouts. The compiler uses
// the target's matrix instructions for both products and keeps each row of
// scores in one wave, so layout conversions only move values within a wave.
// `-Rlayout` explains the choices, and the HTML page shows the layouts
// (docs/layouts.md).

module attributes {gpu.container_module} {
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.mlir.global internal constant @passed("attention: PASS, 64 queries, 256 keys\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @failed("attention: FAIL, %ld of 4096 elements differ\0A\00") {addr_space = 0 : i32}

  gpu.module @kernels {
    gpu.func @attention(%q: memref<64x64xf16>, %k: memref<256x64xf16>, %v: memref<256x64xf16>, %o: memref<64x64xf32>) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>, layout.scope = #layout.scope<workgroup>} {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %c256 = arith.constant 256 : index
      %h = arith.constant 0.0 : f16
      %qv = vector.transfer_read %q[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
      %zero = arith.constant dense<0.0> : vector<64x64xf32>
      %low = arith.constant dense<-1.0e30> : vector<64xf32>
      %none = arith.constant dense<0.0> : vector<64xf32>
      %r:3 = scf.for %i = %c0 to %c256 step %c64 iter_args(%acc = %zero, %m = %low, %l = %none)
          -> (vector<64x64xf32>, vector<64xf32>, vector<64xf32>) {
        %kv = vector.transfer_read %k[%i, %c0], %h {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
        %s = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
             iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %qv, %kv, %zero
             : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
        %max = vector.multi_reduction <maximumf>, %s, %m [1] : vector<64x64xf32> to vector<64xf32>
        %maxb = vector.broadcast %max : vector<64xf32> to vector<64x64xf32>
        %maxt = vector.transpose %maxb, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
        %sub = arith.subf %s, %maxt : vector<64x64xf32>
        %p = math.exp %sub : vector<64x64xf32>
        %dm = arith.subf %m, %max : vector<64xf32>
        %scale = math.exp %dm : vector<64xf32>
        %ls = arith.mulf %l, %scale : vector<64xf32>
        %ln = vector.multi_reduction <add>, %p, %ls [1] : vector<64x64xf32> to vector<64xf32>
        %scaleb = vector.broadcast %scale : vector<64xf32> to vector<64x64xf32>
        %scalet = vector.transpose %scaleb, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
        %accs = arith.mulf %acc, %scalet : vector<64x64xf32>
        %ph = arith.truncf %p : vector<64x64xf32> to vector<64x64xf16>
        %vv = vector.transfer_read %v[%i, %c0], %h {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
        %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
             iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ph, %vv, %accs
             : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
        scf.yield %next, %max, %ln : vector<64x64xf32>, vector<64xf32>, vector<64xf32>
      }
      %lb = vector.broadcast %r#2 : vector<64xf32> to vector<64x64xf32>
      %lt = vector.transpose %lb, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
      %res = arith.divf %r#0, %lt : vector<64x64xf32>
      vector.transfer_write %res, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
      gpu.return
    }
  }

  // Multiples of 1/16 from -1 to 1, different in each row.
  func.func private @fill(%m: memref<?x64xf16>, %rows: index, %salt: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c31 = arith.constant 31 : index
    %c33 = arith.constant 33 : index
    %c16 = arith.constant 16 : i64
    scf.for %i = %c0 to %rows step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %a = arith.muli %i, %c31 : index
        %b = arith.muli %j, %salt : index
        %c = arith.addi %a, %b : index
        %d = arith.remui %c, %c33 : index
        %e = arith.index_cast %d : index to i64
        %f = arith.subi %e, %c16 : i64
        %g = arith.sitofp %f : i64 to f16
        %n = arith.constant 16.0 : f16
        %x = arith.divf %g, %n : f16
        memref.store %x, %m[%i, %j] : memref<?x64xf16>
      }
    }
    return
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %c7 = arith.constant 7 : index
    %c11 = arith.constant 11 : index
    %c5 = arith.constant 5 : index
    %q = memref.alloc() : memref<64x64xf16>
    %k = memref.alloc() : memref<256x64xf16>
    %v = memref.alloc() : memref<256x64xf16>
    %o = memref.alloc() : memref<64x64xf32>
    %qd = memref.cast %q : memref<64x64xf16> to memref<?x64xf16>
    %kd = memref.cast %k : memref<256x64xf16> to memref<?x64xf16>
    %vd = memref.cast %v : memref<256x64xf16> to memref<?x64xf16>
    func.call @fill(%qd, %c64, %c7) : (memref<?x64xf16>, index, index) -> ()
    func.call @fill(%kd, %c256, %c11) : (memref<?x64xf16>, index, index) -> ()
    func.call @fill(%vd, %c256, %c5) : (memref<?x64xf16>, index, index) -> ()
    %gq = gpu.alloc () : memref<64x64xf16>
    %gk = gpu.alloc () : memref<256x64xf16>
    %gv = gpu.alloc () : memref<256x64xf16>
    %go = gpu.alloc () : memref<64x64xf32>
    gpu.memcpy %gq, %q : memref<64x64xf16>, memref<64x64xf16>
    gpu.memcpy %gk, %k : memref<256x64xf16>, memref<256x64xf16>
    gpu.memcpy %gv, %v : memref<256x64xf16>, memref<256x64xf16>
    gpu.launch_func @kernels::@attention blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%gq : memref<64x64xf16>, %gk : memref<256x64xf16>, %gv : memref<256x64xf16>, %go : memref<64x64xf32>)
    gpu.memcpy %o, %go : memref<64x64xf32>, memref<64x64xf32>

    // The same in f64, with all scores of a row available.
    %s = memref.alloc() : memref<256xf64>
    %zero = arith.constant 0.0 : f64
    %none = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %bound = arith.constant 0.002 : f64
    %wrong = scf.for %i = %c0 to %c64 step %c1 iter_args(%w = %none) -> i64 {
      %sum = scf.for %j = %c0 to %c256 step %c1 iter_args(%sj = %zero) -> f64 {
        %dot = scf.for %d = %c0 to %c64 step %c1 iter_args(%a = %zero) -> f64 {
          %x = memref.load %q[%i, %d] : memref<64x64xf16>
          %y = memref.load %k[%j, %d] : memref<256x64xf16>
          %xw = arith.extf %x : f16 to f64
          %yw = arith.extf %y : f16 to f64
          %xy = arith.mulf %xw, %yw : f64
          %b = arith.addf %a, %xy : f64
          scf.yield %b : f64
        }
        %e = math.exp %dot : f64
        memref.store %e, %s[%j] : memref<256xf64>
        %t = arith.addf %sj, %e : f64
        scf.yield %t : f64
      }
      %wi = scf.for %d = %c0 to %c64 step %c1 iter_args(%wd = %w) -> i64 {
        %dot = scf.for %j = %c0 to %c256 step %c1 iter_args(%a = %zero) -> f64 {
          %x = memref.load %s[%j] : memref<256xf64>
          %y = memref.load %v[%j, %d] : memref<256x64xf16>
          %yw = arith.extf %y : f16 to f64
          %xy = arith.mulf %x, %yw : f64
          %b = arith.addf %a, %xy : f64
          scf.yield %b : f64
        }
        %want = arith.divf %dot, %sum : f64
        %got = memref.load %o[%i, %d] : memref<64x64xf32>
        %gotw = arith.extf %got : f32 to f64
        %diff = arith.subf %want, %gotw : f64
        %abs = math.absf %diff : f64
        // NaN is a mismatch, too.
        %ok = arith.cmpf ole, %abs, %bound : f64
        %add = arith.select %ok, %none, %one : i64
        %n = arith.addi %wd, %add : i64
        scf.yield %n : i64
      }
      scf.yield %wi : i64
    }
    %good = arith.cmpi eq, %wrong, %none : i64
    %status = scf.if %good -> i32 {
      %text = llvm.mlir.addressof @passed : !llvm.ptr
      llvm.call @printf(%text) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
      %zero32 = arith.constant 0 : i32
      scf.yield %zero32 : i32
    } else {
      %text = llvm.mlir.addressof @failed : !llvm.ptr
      llvm.call @printf(%text, %wrong) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
      %one32 = arith.constant 1 : i32
      scf.yield %one32 : i32
    }
    return %status : i32
  }
}
