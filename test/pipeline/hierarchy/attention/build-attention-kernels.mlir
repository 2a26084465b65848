// RUN: %aircc opt %s --hierarchy-build-attention-kernels=target=%targets/gfx942.json --split-input-file | FileCheck %s
// RUN: %aircc opt %s --hierarchy-build-attention-kernels=target=%targets/gfx1100.json --split-input-file | FileCheck %s --check-prefix=DIRECT
// RUN: %aircc opt %s --hierarchy-build-attention-kernels=target=%targets/bmg.json --split-input-file | FileCheck %s --check-prefix=BMG
// RUN: %aircc opt %s --hierarchy-build-attention-kernels=target=%targets/gfx950.json --split-input-file | FileCheck %s --check-prefix=GFX950

// Tiles of keys and values are moved directly to LDS. Reads transpose values, of which a lane has the
// runs of its weights.

// GFX950-LABEL: func.func @attention
// GFX950: workgroup(%[[KEYS:.+]] : memref<128x32xf16, {{.*}}>, %[[VALUES:.+]] : memref<128x32xf16, {{.*}}>)
// GFX950: scf.for
// GFX950-NEXT: layout.async_wait 0
// GFX950-NEXT: kernel.access workgroup writes(%[[KEYS]], %[[VALUES]]
// GFX950: layout.async_dma {{.*}} to %[[KEYS]]{{.*}}, vector<64x32xf16> in_bounds [true, true] counted
// GFX950: layout.async_dma {{.*}} to %[[VALUES]]{{.*}}, vector<64x32xf16> in_bounds [true, true] counted
// GFX950: %[[READ:.+]] = vector.transfer_read %[[VALUES]]{{.*}} vector<64x32xf16>
// GFX950: vector.shape_cast %[[READ]] : vector<64x32xf16> to vector<4x2x2x4x32xf16>
// GFX950: vector.transpose {{.*}}, [0, 2, 1, 3, 4]
// GFX950: %[[SORTED:.+]] = vector.shape_cast {{.*}} to vector<64x32xf16>
// GFX950: vector.contract {{.*}} %[[SORTED]], {{.*}}left_staged>

// On Intel GPUs, each wave reads 16 queries, and parts of keys and values, in each iteration. A lane
// adds the weights that it computes; the lanes' sums are added after the loop.

// BMG-LABEL: func.func @attention
// BMG: scf.for {{.*}} -> (vector<64x32xf32>, vector<64xf32>, vector<64x16xf32>)
// BMG: vector.transfer_read {{.*}} vector<64x16xf16>
// BMG: vector.transfer_read {{.*}} vector<64x16xf16>
// BMG: vector.contract {{.*}} #layout.contraction_strategy<"dpas.f32.8x16x16.f16", 4 x 1, direct>
// BMG: vector.contract {{.*}} #layout.contraction_strategy<"dpas.f32.8x16x16.f16", 4 x 1, direct>
// BMG: vector.multi_reduction <maxnumf>
// BMG-NOT: vector.multi_reduction
// BMG-COUNT-4: vector.extract_strided_slice {{.*}} to vector<64x16xf32>
// BMG: vector.contract {{.*}} vector<64x64xf16>, vector<64x32xf16> into vector<64x32xf32>
// BMG: scf.yield
// BMG: vector.multi_reduction <add>

// A workgroup has two waves with 32 queries each. It loops over the keys in steps of 64, and stores
// the weighted sums divided by the sum of the weights. Keys and values are staged in LDS, values in
// the order of the lanes that hold their weights. Each query is a column.

// CHECK-LABEL: func.func @attention
// CHECK-SAME: %[[Q:.+]]: memref<2x64x32xf16>, %[[K:.+]]: memref<2x64x32xf16>, %[[V:.+]]: memref<2x64x32xf16>
// CHECK: %[[D:.+]] = gpu.alloc
// CHECK: gpu.launch blocks({{.*}}) in ({{.*}} = %c2{{.*}}, {{.*}} = %c1{{.*}}, {{.*}} = %c1{{.*}}) threads({{.*}}) in ({{.*}} = %c128
// CHECK-SAME: workgroup(%[[KEYS:.+]] : memref<128x32xf16, {{.*}}>, %[[VALUES:.+]] : memref<64x4x2x2x4xf16, {{.*}}>)
// CHECK: memref.subview %[[Q]]
// CHECK: %[[QT:.+]] = vector.transfer_read {{.*}} vector<64x32xf16>
// CHECK: kernel.access workgroup writes(%[[KEYS]], %[[VALUES]]
// CHECK: vector.transfer_write {{.*}}, %[[KEYS]]
// CHECK: vector.transfer_write {{.*}}, %[[VALUES]]
// CHECK: %[[LOOP:.+]]:4 = scf.for {{.*}} iter_args(%[[SUMS:.+]] = %{{.*}}, %[[MAX:.+]] = %{{.*}}, %[[SUM:.+]] = %{{.*}}, %{{.*}} = %{{.*}}) -> (vector<32x64xf32>, vector<64xf32>, vector<64xf32>, index)
// CHECK-NEXT: kernel.access workgroup writes(%[[KEYS]], %[[VALUES]]
// CHECK: memref.subview %[[K]]
// CHECK: %[[NEXTK:.+]] = vector.transfer_read {{.*}} layout.strategy = #layout.tile_transfer<2>
// CHECK: memref.subview %[[V]]
// CHECK: %[[NEXTV:.+]] = vector.transfer_read {{.*}} layout.strategy = #layout.tile_transfer<2, transposed = true>
// CHECK: %[[KT:.+]] = vector.transfer_read %[[KEYS]]
// CHECK: kernel.set_priority 1
// CHECK: %[[S:.+]] = vector.contract {{.*}} %[[KT]], %[[QT]], {{.*}}<"mfma.f32.32x32x8f16", 1 x 2, left_staged>
// CHECK: kernel.set_priority 0
// CHECK: %[[LARGEST:.+]] = vector.multi_reduction <maxnumf>, %[[S]], %[[MAX]] [0]
// CHECK: %[[GROWTH:.+]] = arith.subf %[[LARGEST]], %[[MAX]]
// CHECK: %[[ISLARGER:.+]] = arith.cmpf ogt, %[[GROWTH]]
// CHECK: arith.select %[[ISLARGER]], %[[LARGEST]], %[[MAX]]
// CHECK: math.exp {{.*}} fastmath<afn> : vector<64x64xf32>
// CHECK: vector.multi_reduction <add>
// CHECK: kernel.rescale %[[SUMS]]
// CHECK: %[[WEIGHTS:.+]] = arith.truncf
// CHECK: vector.transfer_read %[[VALUES]]
// CHECK: %[[VT:.+]] = vector.shape_cast {{.*}} to vector<32x64xf16>
// CHECK: vector.shape_cast %[[WEIGHTS]]
// CHECK: vector.transpose {{.*}}, [0, 2, 1, 3, 4]
// CHECK: %[[SORTED:.+]] = vector.shape_cast {{.*}} to vector<64x64xf16>
// CHECK: vector.contract {{.*}} %[[VT]], %[[SORTED]], {{.*}}<"mfma.f32.32x32x8f16", 1 x 2, left_transposed>
// CHECK: vector.transfer_write %[[NEXTK]], %[[KEYS]]
// CHECK: vector.transpose %[[NEXTV]], [1, 0]
// CHECK: vector.transfer_write {{.*}}, %[[VALUES]]
// CHECK: scf.yield
// CHECK: arith.divf %[[LOOP]]#0
// CHECK: vector.transfer_write
// CHECK-NOT: linalg
// CHECK: layout.scope = #layout.scope<workgroup>

// Other chips have weights in other lanes than scores. Waves read keys and values from memory, and
// each query is a row.

// DIRECT-LABEL: func.func @attention
// DIRECT-SAME: %[[Q:.+]]: memref<2x64x32xf16>, %[[K:.+]]: memref<2x64x32xf16>, %[[V:.+]]: memref<2x64x32xf16>
// DIRECT: gpu.launch {{.*}} threads({{.*}}) in ({{.*}} = %c128
// DIRECT-NOT: workgroup(
// DIRECT: memref.subview %[[Q]]
// DIRECT: %[[QT:.+]] = vector.transfer_read {{.*}} vector<64x32xf16>
// DIRECT: %[[LOOP:.+]]:3 = scf.for {{.*}} iter_args(%[[SUMS:.+]] = %{{.*}}, %[[MAX:.+]] = %{{.*}}, %[[SUM:.+]] = %{{.*}}) -> (vector<64x32xf32>, vector<64xf32>, vector<64xf32>)
// DIRECT: memref.subview %[[K]]
// DIRECT: %[[KT:.+]] = vector.transfer_read {{.*}} vector<64x32xf16>
// DIRECT: %[[S:.+]] = vector.contract {{.*}} %[[QT]], %[[KT]]
// DIRECT: vector.multi_reduction <maxnumf>, %[[S]], %[[MAX]] [1]
// DIRECT: math.exp {{.*}} fastmath<afn> : vector<64x64xf32>
// DIRECT: vector.multi_reduction <add>
// DIRECT: memref.subview %[[V]]
// DIRECT: vector.contract
// DIRECT: scf.yield
// DIRECT: arith.divf %[[LOOP]]#0
// DIRECT: vector.transfer_write
// DIRECT-NOT: linalg
// DIRECT: layout.scope = #layout.scope<workgroup>
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
func.func @attention(%a: memref<2x64x32xf16>, %b: memref<2x64x32xf16>, %c: memref<2x64x32xf16>) -> memref<2x64x32xf32> {
  %c0 = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %d = gpu.alloc host_shared () : memref<2x64x32xf32>
  air.launch () in () args(%zero=%c0, %low=%inf, %q=%a, %k=%b, %v=%c, %r=%d)
      : f32, f32, memref<2x64x32xf16>, memref<2x64x32xf16>, memref<2x64x32xf16>, memref<2x64x32xf32> {
    %alloc = memref.alloc() : memref<2x64x64xf32, 1>
    linalg.fill ins(%zero : f32) outs(%alloc : memref<2x64x64xf32, 1>)
    linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : memref<2x64x32xf16>, memref<2x64x32xf16>) outs(%alloc : memref<2x64x64xf32, 1>)
    %max = memref.alloc() : memref<2x64xf32, 1>
    linalg.fill ins(%low : f32) outs(%max : memref<2x64xf32, 1>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%alloc : memref<2x64x64xf32, 1>) outs(%max : memref<2x64xf32, 1>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.maximumf %in, %out : f32
      linalg.yield %0 : f32
    }
    %exp = memref.alloc() : memref<2x64x64xf32, 1>
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%alloc, %max : memref<2x64x64xf32, 1>, memref<2x64xf32, 1>) outs(%exp : memref<2x64x64xf32, 1>) {
    ^bb0(%in: f32, %m: f32, %out: f32):
      %0 = arith.subf %in, %m : f32
      %1 = math.exp %0 : f32
      linalg.yield %1 : f32
    }
    %sum = memref.alloc() : memref<2x64xf32, 1>
    linalg.fill ins(%zero : f32) outs(%sum : memref<2x64xf32, 1>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%exp : memref<2x64x64xf32, 1>) outs(%sum : memref<2x64xf32, 1>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
    %weights = memref.alloc() : memref<2x64x64xf16, 1>
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%exp, %sum : memref<2x64x64xf32, 1>, memref<2x64xf32, 1>) outs(%weights : memref<2x64x64xf16, 1>) {
    ^bb0(%in: f32, %t: f32, %out: f16):
      %0 = arith.divf %in, %t : f32
      %1 = arith.truncf %0 : f32 to f16
      linalg.yield %1 : f16
    }
    linalg.fill ins(%zero : f32) outs(%r : memref<2x64x32xf32>)
    linalg.batch_matmul ins(%weights, %v : memref<2x64x64xf16, 1>, memref<2x64x32xf16>) outs(%r : memref<2x64x32xf32>)
  }
  return %d : memref<2x64x32xf32>
}

// -----

// Keys after all queries of a workgroup are left out, and the last workgroups start first. The scale
// of the scores is part of the exponents, and the mask compares 32 bits. Only tiles with keys after
// the first query are masked.

// CHECK-LABEL: func.func @causal
// CHECK: gpu.launch
// CHECK: %[[TILE:.+]] = arith.remui
// CHECK: %[[REVERSED:.+]] = arith.subi %{{.*}}, %[[TILE]]
// CHECK: %[[FIRST:.+]] = arith.muli %[[REVERSED]], %[[SIZE:.+]] : index
// CHECK: %[[NEXT:.+]] = arith.addi %[[FIRST]], %{{.*}} : index
// CHECK: %[[LATER:.+]] = arith.addi %[[FIRST]], %{{.*}} : index
// CHECK: %[[END:.+]] = arith.minui %[[LATER]], %{{.*}}
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]] step
// CHECK: %[[SCORES:.+]] = vector.contract
// CHECK: %[[IS_AFTER:.+]] = arith.cmpi ugt, %{{.*}}, %[[NEXT]] : index
// CHECK: %[[LOGITS:.+]] = scf.if %[[IS_AFTER]]
// CHECK: arith.index_castui {{.*}} : vector<128x128xi32> to vector<128x128xindex>
// CHECK: arith.cmpi ugt
// CHECK: arith.select {{.*}}, %[[SCORES]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[SCORES]]
// CHECK: arith.mulf %[[LOGITS]], %{{.*}} fastmath<contract>
// CHECK: arith.subf {{.*}} fastmath<contract>
// CHECK: math.exp2 {{.*}} fastmath<afn> : vector<128x128xf32>
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
func.func @causal(%a: memref<2x512x32xf16>, %b: memref<2x512x32xf16>, %c: memref<2x512x32xf16>) -> memref<2x512x32xf32> {
  %c0 = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %d = gpu.alloc host_shared () : memref<2x512x32xf32>
  air.launch () in () args(%zero=%c0, %low=%inf, %factor=%scale, %q=%a, %k=%b, %v=%c, %r=%d)
      : f32, f32, f32, memref<2x512x32xf16>, memref<2x512x32xf16>, memref<2x512x32xf16>, memref<2x512x32xf32> {
    %alloc = memref.alloc() : memref<2x512x512xf32, 1>
    linalg.fill ins(%zero : f32) outs(%alloc : memref<2x512x512xf32, 1>)
    linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : memref<2x512x32xf16>, memref<2x512x32xf16>) outs(%alloc : memref<2x512x512xf32, 1>)
    %logits = memref.alloc() : memref<2x512x512xf32, 1>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%alloc : memref<2x512x512xf32, 1>) outs(%logits : memref<2x512x512xf32, 1>) {
    ^bb0(%in: f32, %out: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %later = arith.cmpi ugt, %j, %i : index
      %scaled = arith.mulf %in, %factor : f32
      %0 = arith.select %later, %low, %scaled : f32
      linalg.yield %0 : f32
    }
    %max = memref.alloc() : memref<2x512xf32, 1>
    linalg.fill ins(%low : f32) outs(%max : memref<2x512xf32, 1>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%logits : memref<2x512x512xf32, 1>) outs(%max : memref<2x512xf32, 1>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.maximumf %in, %out : f32
      linalg.yield %0 : f32
    }
    %exp = memref.alloc() : memref<2x512x512xf32, 1>
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%logits, %max : memref<2x512x512xf32, 1>, memref<2x512xf32, 1>) outs(%exp : memref<2x512x512xf32, 1>) {
    ^bb0(%in: f32, %m: f32, %out: f32):
      %0 = arith.subf %in, %m : f32
      %1 = math.exp %0 : f32
      linalg.yield %1 : f32
    }
    %sum = memref.alloc() : memref<2x512xf32, 1>
    linalg.fill ins(%zero : f32) outs(%sum : memref<2x512xf32, 1>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%exp : memref<2x512x512xf32, 1>) outs(%sum : memref<2x512xf32, 1>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
    %weights = memref.alloc() : memref<2x512x512xf16, 1>
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%exp, %sum : memref<2x512x512xf32, 1>, memref<2x512xf32, 1>) outs(%weights : memref<2x512x512xf16, 1>) {
    ^bb0(%in: f32, %t: f32, %out: f16):
      %0 = arith.divf %in, %t : f32
      %1 = arith.truncf %0 : f32 to f16
      linalg.yield %1 : f16
    }
    linalg.fill ins(%zero : f32) outs(%r : memref<2x512x32xf32>)
    linalg.batch_matmul ins(%weights, %v : memref<2x512x512xf16, 1>, memref<2x512x32xf16>) outs(%r : memref<2x512x32xf32>)
  }
  return %d : memref<2x512x32xf32>
}

// -----

// The result may be the memory of an operand: each op is a launch of its own.

// CHECK-LABEL: func.func @aliased
// CHECK: gpu.alloc {{ *}}host_shared () : memref<2x64x64xf32>
// CHECK-COUNT-10: air.launch
// CHECK-NOT: air.launch
// CHECK-COUNT-5: gpu.dealloc
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
func.func @aliased(%a: memref<2x64x32xf16>, %b: memref<2x64x32xf16>, %c: memref<2x64x32xf16>, %d: memref<2x64x32xf32>) {
  %c0 = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  air.launch () in () args(%zero=%c0, %low=%inf, %q=%a, %k=%b, %v=%c, %r=%d)
      : f32, f32, memref<2x64x32xf16>, memref<2x64x32xf16>, memref<2x64x32xf16>, memref<2x64x32xf32> {
    %alloc = memref.alloc() : memref<2x64x64xf32, 1>
    linalg.fill ins(%zero : f32) outs(%alloc : memref<2x64x64xf32, 1>)
    linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : memref<2x64x32xf16>, memref<2x64x32xf16>) outs(%alloc : memref<2x64x64xf32, 1>)
    %max = memref.alloc() : memref<2x64xf32, 1>
    linalg.fill ins(%low : f32) outs(%max : memref<2x64xf32, 1>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%alloc : memref<2x64x64xf32, 1>) outs(%max : memref<2x64xf32, 1>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.maximumf %in, %out : f32
      linalg.yield %0 : f32
    }
    %exp = memref.alloc() : memref<2x64x64xf32, 1>
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%alloc, %max : memref<2x64x64xf32, 1>, memref<2x64xf32, 1>) outs(%exp : memref<2x64x64xf32, 1>) {
    ^bb0(%in: f32, %m: f32, %out: f32):
      %0 = arith.subf %in, %m : f32
      %1 = math.exp %0 : f32
      linalg.yield %1 : f32
    }
    %sum = memref.alloc() : memref<2x64xf32, 1>
    linalg.fill ins(%zero : f32) outs(%sum : memref<2x64xf32, 1>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%exp : memref<2x64x64xf32, 1>) outs(%sum : memref<2x64xf32, 1>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
    %weights = memref.alloc() : memref<2x64x64xf16, 1>
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%exp, %sum : memref<2x64x64xf32, 1>, memref<2x64xf32, 1>) outs(%weights : memref<2x64x64xf16, 1>) {
    ^bb0(%in: f32, %t: f32, %out: f16):
      %0 = arith.divf %in, %t : f32
      %1 = arith.truncf %0 : f32 to f16
      linalg.yield %1 : f16
    }
    linalg.fill ins(%zero : f32) outs(%r : memref<2x64x32xf32>)
    linalg.batch_matmul ins(%weights, %v : memref<2x64x64xf16, 1>, memref<2x64x32xf16>) outs(%r : memref<2x64x32xf32>)
  }
  return
}
