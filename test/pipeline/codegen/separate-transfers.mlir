// RUN: %aircc opt %s --pass-pipeline='builtin.module(gpu.module(codegen-separate-transfers))' | FileCheck %s

// Where the program places its waits itself, reads of LDS do not alias transfers to it.

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @placed(
  // CHECK-NOT:     layout.placed_waits
  // CHECK:         rocdl.load.to.lds {{.*}} {alias_scopes = [#[[SCOPE:.*]]]}
  // CHECK-NEXT:    llvm.load %{{.*}} {noalias_scopes = [#[[SCOPE]]]} : !llvm.ptr<3>
  // CHECK-NEXT:    llvm.store %{{[^{]*}} : vector<8xf16>, !llvm.ptr<1>
  llvm.func @placed(%p: !llvm.ptr<7>, %lds: !llvm.ptr<3>, %g: !llvm.ptr<1>) attributes {layout.placed_waits} {
    rocdl.load.to.lds %p, %lds, 16, 0, 0 : !llvm.ptr<7>
    %x = llvm.load %lds : !llvm.ptr<3> -> vector<8xf16>
    llvm.store %x, %g : vector<8xf16>, !llvm.ptr<1>
    llvm.return
  }
  // CHECK-LABEL: llvm.func @other(
  // CHECK-NOT:     alias_scopes
  llvm.func @other(%p: !llvm.ptr<7>, %lds: !llvm.ptr<3>) {
    rocdl.load.to.lds %p, %lds, 16, 0, 0 : !llvm.ptr<7>
    %x = llvm.load %lds : !llvm.ptr<3> -> vector<8xf16>
    llvm.return
  }
}
