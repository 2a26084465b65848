// RUN: %aircc opt %s --pass-pipeline="builtin.module(gpu.module(codegen-expand-arith))" | FileCheck %s --check-prefixes=CHECK,AMD
// RUN: %aircc opt %s --pass-pipeline="builtin.module(gpu.module(codegen-expand-arith{backend=xevm}))" | FileCheck %s --check-prefixes=CHECK,XE

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @number
  // CHECK-NEXT:    arith.maxnumf %{{.*}} : vector<2xf32>
  // CHECK-NEXT:    arith.minnumf %{{.*}} : vector<2xf32>
  // CHECK-NEXT:    gpu.return
  gpu.func @number(%x: vector<2xf32>, %y: vector<2xf32>) -> vector<2xf32> {
    %0 = arith.maxnumf %x, %y : vector<2xf32>
    %1 = arith.minnumf %0, %y : vector<2xf32>
    gpu.return %1 : vector<2xf32>
  }

  // CHECK-LABEL: gpu.func @nan
  // AMD-NEXT:      arith.maximumf
  // AMD-NEXT:      arith.minimumf
  // AMD-NEXT:      gpu.return
  // XE-NOT:        arith.maximumf
  // XE:            arith.cmpf uno
  // XE:            gpu.return
  gpu.func @nan(%x: f32, %y: f32) -> f32 {
    %0 = arith.maximumf %x, %y : f32
    %1 = arith.minimumf %0, %y : f32
    gpu.return %1 : f32
  }

  // CHECK-LABEL: gpu.func @without_nan
  // CHECK-NEXT:    arith.maxnumf %{{.*}} fastmath<nnan,nsz> : f16
  // CHECK-NEXT:    arith.minnumf %{{.*}} fastmath<fast> : f16
  // CHECK-NEXT:    gpu.return
  gpu.func @without_nan(%x: f16, %y: f16) -> f16 {
    %0 = arith.maximumf %x, %y fastmath<nnan,nsz> : f16
    %1 = arith.minimumf %0, %y fastmath<fast> : f16
    gpu.return %1 : f16
  }

  // CHECK-LABEL: gpu.func @division
  // CHECK-NOT:     arith.ceildivsi
  // CHECK:         arith.divsi
  gpu.func @division(%x: i32, %y: i32) -> i32 {
    %0 = arith.ceildivsi %x, %y : i32
    gpu.return %0 : i32
  }

  // CHECK-LABEL: gpu.func @bf16
  // AMD:           arith.extf
  // XE-NOT:        arith.extf
  gpu.func @bf16(%x: bf16) -> f32 {
    %0 = arith.extf %x : bf16 to f32
    gpu.return %0 : f32
  }

  // CHECK-LABEL: gpu.func @maximum_bf16
  // AMD-COUNT-2:   arith.shli
  // AMD:           %[[MAX:.*]] = arith.maxnumf %{{.*}} : vector<2xf32>
  // AMD:           %[[BITS:.*]] = arith.bitcast %[[MAX]]
  // AMD:           arith.shrui
  // AMD-NEXT:      arith.trunci
  // AMD-NEXT:      arith.bitcast
  // XE-NEXT:       arith.maxnumf %{{.*}} : vector<2xbf16>
  gpu.func @maximum_bf16(%x: vector<2xbf16>, %y: vector<2xbf16>) -> vector<2xbf16> {
    %0 = arith.maxnumf %x, %y : vector<2xbf16>
    gpu.return %0 : vector<2xbf16>
  }

  // CHECK-LABEL: gpu.func @round
  // AMD:           arith.truncf %{{.*}} : f32 to bf16
  // XE:            %[[BITS:.*]] = llvm.call spir_funccc @__builtin_IB_ftobf_1(%{{.*}}) {{.*}} : (f32) -> i16
  // XE-NEXT:       arith.bitcast %[[BITS]] : i16 to bf16
  gpu.func @round(%x: f32) -> bf16 {
    %0 = arith.truncf %x : f32 to bf16
    gpu.return %0 : bf16
  }

  // CHECK-LABEL: gpu.func @round_vector
  // XE-COUNT-4:    llvm.call spir_funccc @__builtin_IB_ftobf_1
  // XE:            vector.from_elements {{.*}} : vector<2x2xbf16>
  gpu.func @round_vector(%x: vector<2x2xf32>) -> vector<2x2xbf16> {
    %0 = arith.truncf %x : vector<2x2xf32> to vector<2x2xbf16>
    gpu.return %0 : vector<2x2xbf16>
  }
}
