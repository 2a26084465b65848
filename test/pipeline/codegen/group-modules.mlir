// RUN: %aircc opt --codegen-group-modules="min-modules=2 group-size=3" --split-input-file %s | FileCheck %s
// RUN: %aircc opt --codegen-group-modules --split-input-file %s | FileCheck %s --check-prefix=FEW

// The contents of three modules become one, in their order. Symbols whose names are taken are renamed
// with their uses.

module attributes {gpu.container_module} {
  // CHECK:      gpu.module @f {
  // CHECK:        memref.global "private" constant @table : memref<2xi32> = dense<1>
  // CHECK:        func.func private @external(f32)
  // CHECK:        gpu.func @kernel(
  // CHECK:          memref.get_global @table :
  // CHECK:        gpu.func @g(
  // CHECK:          memref.get_global @[[TABLE:table_[0-9]+]]
  // CHECK:          call @external
  // CHECK:        memref.global "private" constant @[[TABLE]] : memref<2xi32> = dense<2>
  // CHECK-NOT:    @external
  // CHECK:        gpu.func @third(
  // CHECK:        func.func @[[KERNEL:kernel_[0-9]+]](
  // CHECK:      gpu.module @h {
  // CHECK-NEXT:   gpu.func @kernel(
  // FEW: gpu.module @f
  // FEW: gpu.module @g
  // FEW: gpu.module @third
  // FEW: gpu.module @h
  gpu.module @f {
    memref.global "private" constant @table : memref<2xi32> = dense<1>
    func.func private @external(f32)
    gpu.func @kernel(%a: memref<2xi32>) kernel {
      %table = memref.get_global @table : memref<2xi32>
      memref.copy %table, %a : memref<2xi32> to memref<2xi32>
      gpu.return
    }
  }
  gpu.module @g {
    gpu.func @kernel(%a: memref<2xi32>, %x: f32) kernel {
      %table = memref.get_global @table : memref<2xi32>
      memref.copy %table, %a : memref<2xi32> to memref<2xi32>
      func.call @external(%x) : (f32) -> ()
      gpu.return
    }
    memref.global "private" constant @table : memref<2xi32> = dense<2>
    func.func private @external(f32)
  }
  gpu.module @third {
    gpu.func @third(%a: memref<2xi32>) kernel {
      func.call @kernel() : () -> ()
      gpu.return
    }
    func.func @kernel() {
      return
    }
  }
  gpu.module @h {
    gpu.func @kernel() kernel {
      gpu.return
    }
  }
  // CHECK: gpu.launch_func @f::@kernel
  // CHECK: gpu.launch_func @f::@g
  // CHECK: gpu.launch_func @f::@third
  // CHECK: gpu.launch_func @h::@kernel
  // CHECK: gpu.launch_func @f::@g
  func.func @main(%a: memref<2xi32>, %x: f32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @f::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<2xi32>)
    gpu.launch_func @g::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<2xi32>, %x : f32)
    gpu.launch_func @third::@third blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<2xi32>)
    gpu.launch_func @h::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func @g::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<2xi32>, %x : f32)
    return
  }
}

// -----

// Not moved: modules with other attributes, with ops of unknown kinds or variables that are defined
// elsewhere, modules that other ops refer to, and those that define a function that the first declares.

module attributes {gpu.container_module} {
  // CHECK:      gpu.module @first {
  // CHECK-NEXT:   func.func private @helper()
  // CHECK-NEXT:   gpu.func @a()
  // CHECK:        gpu.func @last()
  // CHECK:      gpu.module @attributes
  // CHECK:      gpu.module @other_op {
  // CHECK:      gpu.module @external_variable {
  // CHECK:      gpu.module @named {
  // CHECK:      gpu.module @defines {
  // CHECK-NOT:  gpu.module
  gpu.module @first {
    func.func private @helper()
    gpu.func @a() kernel {
      gpu.return
    }
  }
  gpu.module @attributes attributes {some.attribute} {
    gpu.func @b() kernel {
      gpu.return
    }
  }
  gpu.module @other_op {
    llvm.mlir.global internal @state(0 : i32) : i32
  }
  gpu.module @external_variable {
    memref.global @state : memref<2xi32>
  }
  gpu.module @named {
    gpu.func @e() kernel {
      gpu.return
    }
  }
  gpu.module @defines {
    func.func private @helper() {
      return
    }
  }
  gpu.module @last {
    gpu.func @last() kernel {
      gpu.return
    }
  }
  func.func @main() attributes {uses = @named::@e} {
    return
  }
}
