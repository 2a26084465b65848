// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(distribution-distribute-vectors{target=%targets/gfx942.json},aircc-place-barriers))' | FileCheck %s

// The lanes write their elements to LDS, booleans as bytes, and the first of the
// workgroup prints them. A number and a text are printed once, too.

#l = #layout.nested<subgroup_tile = [2], batch_tile = [1], outer_tile = [1], thread_tile = [64], element_tile = [1], subgroup_strides = [1], thread_strides = [1]>
// CHECK-LABEL: gpu.func @workgroup
// CHECK:         %[[BYTE:.*]] = arith.extui %{{.*}} : i1 to i8
// CHECK-NOT:     kernel.barrier
// CHECK:         memref.store %[[BYTE]], %[[BUFFER:[a-z0-9_]+]][
// CHECK:         kernel.barrier workgroup
// CHECK:         %[[LANE:.*]] = arith.cmpi eq, %{{.*}}, %c0 : index
// CHECK:         %[[WAVE:.*]] = arith.cmpi eq, %{{.*}}, %c0 : index
// CHECK:         %[[FIRST:.*]] = arith.andi %[[LANE]], %[[WAVE]] : i1
// CHECK:         scf.if %[[FIRST]] {
// CHECK-NEXT:      %[[V:.*]] = vector.load %[[BUFFER]][%{{.*}}] : memref<128xi8, #gpu.address_space<workgroup>>, vector<128xi8>
// CHECK-NEXT:      vector.print %[[V]] : vector<128xi8> punctuation <comma>
// CHECK-NEXT:    }
// CHECK:         scf.if
// CHECK-NEXT:      vector.print %arg0 : i32
// CHECK-NEXT:    }
// CHECK:         scf.if
// CHECK-NEXT:      vector.print str "text"
// CHECK-NEXT:    }
gpu.module @kernels {
  gpu.func @workgroup(%n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>, layout.scope = #layout.scope<workgroup>} {
    %v = vector.step {layout.results = [#l]} : vector<128xindex>
    %c = arith.constant {layout.results = [#l]} dense<3> : vector<128xindex>
    %b = arith.cmpi slt, %v, %c {layout.results = [#l]} : vector<128xindex>
    vector.print %b : vector<128xi1> punctuation <comma>
    vector.print %n : i32
    vector.print str "text"
    gpu.return
  }
}
