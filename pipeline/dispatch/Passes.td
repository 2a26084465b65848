//===- Passes.td - Passes of the dispatch stage ------------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_DISPATCH_PASSES_TD
#define AIRCC_PIPELINE_DISPATCH_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckTensors : Pass<"dispatch-check-tensors", "::mlir::ModuleOp"> {
  let summary = "Reject tensors that the stage cannot lower";
  let description = [{
    Emits an error for functions that the stage cannot lower: at the first op
    whose tensors have an encoding, or elements of a type that no device
    computes with (complex numbers, integers wider than 64 bits, tf32); at tf32
    anywhere in the function; at tensors inside of AIR or gpu ops, which work on
    memrefs; and at tensor ops of dialects that have no lowering.

    Example:
    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = math.exp %x : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    ```
  }];
}

def StructureControlFlow : Pass<"dispatch-structure-control-flow", "::mlir::ModuleOp"> {
  let summary = "Structure the control flow of tensor functions";
  let description = [{
    Bufferization only supports loops and branches of the scf dialect. In tensor
    functions, this pass lifts branches between blocks to scf, converts `affine`
    loops and branches that yield tensors to those of scf, and converts ops of
    the shape dialect to tensor and arith ops; its constraints become
    assertions. The conversions are upstream's.

    Example:
    ```mlir
    func.func @f(%c: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
      cf.cond_br %c, ^end(%x : tensor<4xf32>), ^end(%y : tensor<4xf32>)
    ^end(%r: tensor<4xf32>):
      return %r : tensor<4xf32>
    }
    // becomes
    %r = scf.if %c -> (tensor<4xf32>) {
      scf.yield %x : tensor<4xf32>
    } else {
      scf.yield %y : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::shape::ShapeDialect",
    "::mlir::tensor::TensorDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def RecordSizes : Pass<"dispatch-record-sizes", "::mlir::ModuleOp"> {
  let summary = "Record the sizes that callers of tensor functions need";
  let description = [{
    Marks each public tensor function as an entry point (`air.entry_point`). For
    dynamic sizes, it creates two functions with the same arguments, which
    contain a copy of the body:

    - `NAME__result_sizes` returns the dynamic sizes of all results;
    - `NAME__size_checks` returns pairs of sizes. Its attribute
      `air.size_checks` describes the relation that the ops require of each
      pair: that the sizes over which one loop of a structured op iterates are
      equal, that a slice is inside of its source, and so on. Ops in loops and
      branches are ignored, because they may never be executed.

    The pass runs first, so its copies contain the ops of the program.
    `dispatch-create-size-functions` reduces the functions to the ops that they
    need.

    Example:
    ```mlir
    func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %z = arith.addf %x, %y : tensor<?xf32>
      return %z : tensor<?xf32>
    }
    // becomes f, f__result_sizes, and
    func.func @f__size_checks(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (index, index)
        attributes {air.size_checks = [#air.size_check<equal, (-1, -1), (-1, -1), "'arith.addf'">]} {
      %c0 = arith.constant 0 : index
      %left = tensor.dim %y, %c0 : tensor<?xf32>
      %right = tensor.dim %x, %c0 : tensor<?xf32>
      return %left, %right : index, index
    }
    ```
  }];
  let options = [
    Option<"sizeChecks", "size-checks", "bool", "true",
           "Create functions that compute pairs of sizes to check">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect", "::aircc::air::AIRDialect"
  ];
}

def LowerTosa : Pass<"dispatch-lower-tosa", "::mlir::ModuleOp"> {
  let summary = "Lower TOSA to linalg, arith, tensor and scf";
  let description = [{
    Runs upstream's conversions of the TOSA dialect on functions that contain
    TOSA ops.

    Example:
    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = tosa.exp %x : (tensor<4xf32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }
    // becomes
    %e = tensor.empty() : tensor<4xf32>
    %y = linalg.generic … ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %v = math.exp %in : f32
      linalg.yield %v : f32
    } -> tensor<4xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::index::IndexDialect",
    "::mlir::ml_program::MLProgramDialect", "::mlir::tosa::TosaDialect"
  ];
}

def NormalizeTensors : Pass<"dispatch-normalize-tensors", "::mlir::ModuleOp"> {
  let summary = "Rewrite tensor ops as structured ops";
  let description = [{
    After this pass, every computation on tensors is a contraction, a
    convolution, or a `linalg.generic`, so that later passes need not support
    other ops:

    - Elementwise arith and math ops on tensors, and named elementwise ops,
      reductions, broadcasts and transposes of linalg become `linalg.generic`.
    - `linalg.softmax` and the transforms of Winograd convolutions are
      decomposed.
    - `tensor.bitcast` becomes an elementwise `arith.bitcast`. Casts between
      integers with and without a sign, also those with
      `builtin.unrealized_conversion_cast`, become an elementwise cast.
    - An `scf.forall` that yields tensors loses its mapping: the host executes
      its iterations one after another, and the device executes the ops in them.
    - Values of `ml_program` globals are copied where they are loaded; those of
      `ml_program.global_load_const` become `arith.constant`.
    - `tensor.scatter` becomes a loop over its indices with `tensor.insert_slice`.
    - `linalg.pack`, `linalg.unpack`, `tensor.gather`, and `tensor.pad` with
      constant sizes and a constant value become a `linalg.generic` that reads
      its source with `tensor.extract`.

    Example:
    ```mlir
    func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
      %z = arith.addf %x, %y : tensor<4xf32>
      return %z : tensor<4xf32>
    }
    // becomes
    %z = linalg.generic … ins(%x, %y : tensor<4xf32>, tensor<4xf32>)
        outs(%x : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %sum = arith.addf %a, %b : f32
      linalg.yield %sum : f32
    } -> tensor<4xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::math::MathDialect"
  ];
}

def CreateSizeFunctions : Pass<"dispatch-create-size-functions", "::mlir::ModuleOp"> {
  let summary = "Compute sizes from argument sizes";
  let description = [{
    Converts the functions created by `dispatch-record-sizes` to functions on
    memrefs, which access no elements and write the sizes to an additional
    argument. Pairs that cannot differ, and pairs that depend on elements, are
    removed. Result sizes that depend on elements are returned as a tensor.

    Example:
    ```mlir
    // --dispatch-normalize-tensors --dispatch-create-size-functions
    func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32>
        attributes {air.entry_point = #air.entry_point<resultSizes = @f__result_sizes>} {
      %z = arith.addf %x, %y : tensor<?xf32>
      return %z : tensor<?xf32>
    }
    func.func @f__result_sizes(%x: tensor<?xf32>, %y: tensor<?xf32>) -> index {
      %z = arith.addf %x, %y : tensor<?xf32>
      %c0 = arith.constant 0 : index
      %size = tensor.dim %z, %c0 : tensor<?xf32>
      return %size : index
    }
    // becomes f, and in f__result_sizes, where %x and %sizes are memrefs
    %c0 = arith.constant 0 : index
    %size = memref.dim %x, %c0 : memref<?xf32>
    memref.store %size, %sizes[%c0] : memref<1xindex>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"
  ];
}

def FuseElementwise : Pass<"dispatch-fuse-elementwise", "::mlir::ModuleOp"> {
  let summary = "Fuse elementwise ops into their consumers";
  let description = [{
    Uses upstream's fusion of `linalg.generic` ops. A producer is fused if the
    consumer is its only user, or if it has no tensor operand. Contractions keep
    their form, so that they can use matrix instructions. Reshapes are moved so
    that they do not prevent fusion.

    Elements are read from their source instead of being copied first: a
    transposition becomes the indexing map of a contraction, and a
    `tensor.concat` that is only used by elementwise ops becomes part of them.
    Other concatenations become chains of `tensor.insert_slice`.

    Example:
    ```mlir
    #map = affine_map<(i) -> (i)>
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
          ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%a: f32, %out: f32):
        %v = math.exp %a : f32
        linalg.yield %v : f32
      } -> tensor<4xf32>
      %z = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
          ins(%y : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%a: f32, %out: f32):
        %v = arith.negf %a : f32
        linalg.yield %v : f32
      } -> tensor<4xf32>
      return %z : tensor<4xf32>
    }
    // becomes one linalg.generic with both ops
    ```
  }];
  let options = [
    Option<"fuse", "fuse", "bool", "true",
           "Fuse ops; otherwise, only lower concatenations and simplify">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def DescribeWork : Pass<"dispatch-describe-work", "::mlir::ModuleOp"> {
  let summary = "Describe structured ops for the kernel report";
  let description = [{
    Adds the attribute `air.work` to each structured op on tensors: its kind,
    the ops in its body, its sizes, and its number of arithmetic operations.
    Passes that form kernels keep the attribute; `hierarchy-collect-work`
    combines the attributes of a kernel's ops into the description of the
    kernel. The pass only runs if a report is requested. It runs again after
    bufferization, for the copies that bufferization adds (`air.offload`).

    Example:
    ```mlir
    #map = affine_map<(i) -> (i)>
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
          ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%a: f32, %out: f32):
        %v = math.exp %a : f32
        linalg.yield %v : f32
      } -> tensor<4xf32>
      return %y : tensor<4xf32>
    }
    // becomes
    linalg.generic … attrs = {air.work = #air.work<kind = "elementwise", ops = ["math.exp"],
                              types = [f32, f32], sizes = [4], operations = 4, …>}
    ```
  }];
  let dependentDialects = ["::aircc::air::AIRDialect"];
}

def FuseAttention : Pass<"dispatch-fuse-attention", "::mlir::ModuleOp"> {
  let summary = "Fuse attention into one kernel";
  let description = [{
    Fuses attention into one kernel, a loop without dimensions. The kernel
    contains the contraction of queries and keys, the elementwise ops on the
    scores (scale, mask, bias), the softmax along the keys, the contraction with
    the values, and the elementwise op that is the only user of its result.
    `hierarchy-build-attention-kernels` implements the kernel without storing
    scores in memory. The pass recognizes attention by indexing maps and bodies.

    Queries, keys and values must have the same element type, which the target's
    matrix instructions must support. The sizes of a head must be constant and
    at most `max-head-size`.

    Example:
    ```mlir
    // --dispatch-normalize-tensors --dispatch-fuse-elementwise --dispatch-fuse-attention=matrix-types=f16
    #q = affine_map<(b, i, j, k) -> (b, i, k)>
    #k = affine_map<(b, i, j, k) -> (b, j, k)>
    #s = affine_map<(b, i, j, k) -> (b, i, j)>
    func.func @f(%q: tensor<2x64x32xf16>, %k: tensor<2x64x32xf16>, %v: tensor<2x64x32xf16>) -> tensor<2x64x32xf32> {
      %zero = arith.constant 0.0 : f32
      %es = tensor.empty() : tensor<2x64x64xf32>
      %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
      %s = linalg.contract indexing_maps = [#q, #k, #s]
          ins(%q, %k : tensor<2x64x32xf16>, tensor<2x64x32xf16>) outs(%fs : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
      %p = linalg.softmax dimension(2) ins(%s : tensor<2x64x64xf32>) outs(%es : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
      %h = arith.truncf %p : tensor<2x64x64xf32> to tensor<2x64x64xf16>
      %e = tensor.empty() : tensor<2x64x32xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
      %r = linalg.batch_matmul ins(%h, %v : tensor<2x64x64xf16>, tensor<2x64x32xf16>)
          outs(%f : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
      return %r : tensor<2x64x32xf32>
    }
    // becomes
    %r = scf.forall () in () shared_outs(%out = %e) -> (tensor<2x64x32xf32>) {
      …
    } {mapping = []}
    ```
  }];
  let options = [
    ListOption<"matrixTypes", "matrix-types", "std::string",
               "Element types that matrix instructions multiply">,
    Option<"maxHeadSize", "max-head-size", "int64_t", "256",
           "The maximum size of a head">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def FuseContractions : Pass<"dispatch-fuse-contractions", "::mlir::ModuleOp"> {
  let summary = "Fuse contractions with the elementwise ops around them";
  let description = [{
    Fuses a contraction, the op that computes the initial value of its result,
    and the elementwise op that is the only user of its result into one kernel:
    a loop without dimensions, whose single iteration is the launch. The result
    of the contraction is in workgroup memory (L2) until
    `hierarchy-build-matmul-kernels` keeps it in registers.

    The elementwise op may be a bias, an activation, a residual, a type
    conversion, or a combination of these, and may transpose the result.

    An elementwise op that computes an operand, such as the dequantization of
    4-bit or 8-bit weights with per-group scales, is also fused if this
    transfers fewer bytes. The kernel then loads the op's inputs for each tile
    of the result, and never stores the operand. Ops that belong to the kernel
    of another contraction, a convolution or a row reduction are not fused. A
    dimension of the operand may be collapsed from several dimensions
    (`tensor.collapse_shape`) if the sizes of all but the first are powers of
    two.

    Example:
    ```mlir
    #id = affine_map<(i, j) -> (i, j)>
    func.func @f(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>) -> tensor<64x64xf16> {
      %zero = arith.constant 0.0 : f32
      %empty = tensor.empty() : tensor<64x64xf32>
      %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
      %product = linalg.matmul ins(%a, %b : tensor<64x32xf16>, tensor<32x64xf16>)
                               outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
      %narrow = tensor.empty() : tensor<64x64xf16>
      %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%product : tensor<64x64xf32>) outs(%narrow : tensor<64x64xf16>) {
      ^bb0(%v: f32, %out: f16):
        %max = arith.maximumf %v, %zero : f32
        %t = arith.truncf %max : f32 to f16
        linalg.yield %t : f16
      } -> tensor<64x64xf16>
      return %r : tensor<64x64xf16>
    }
    // becomes
    %r = scf.forall () in () shared_outs(%out = %narrow) -> (tensor<64x64xf16>) {
      %tile = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<64x64xf32>
      %init = linalg.fill … outs(%tile : tensor<64x64xf32>)
      %product = linalg.matmul … outs(%init : tensor<64x64xf32>)
      %v = linalg.generic … ins(%product : tensor<64x64xf32>) outs(%out : tensor<64x64xf16>)
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %v into %out[0, 0] [64, 64] [1, 1] : …
      }
    } {mapping = []}
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def LowerConvolutions : Pass<"dispatch-lower-convolutions", "::mlir::ModuleOp"> {
  let summary = "Lower convolutions to matrix products";
  let description = [{
    Converts a convolution that matrix instructions can compute to a contraction
    (im2col). Its left matrix contains the windows of the image as rows, and its
    right matrix contains the filters. A generic op copies the windows.
    `dispatch-fuse-contractions` fuses this op, and the padding of the image,
    into the contraction's kernel, which computes tiles of the matrix of windows
    without storing the matrix.

    The rows combine the last group of adjacent pixel dimensions of the result,
    and the image dimension if it directly precedes them. The ops that compute
    the initial value and use the result iterate over the rows with a single
    loop. Groups and other dimensions of the result remain separate dimensions.

    If the filter's channel dimension precedes its window dimensions, and the
    number of channels is a multiple of 16, the filter is transposed: a kernel
    then computes one address for all channels at a window position, instead of
    one for each element. Channels of 16 bits that are far apart in the image are
    divided into blocks of 32: all window positions of a block are summed before
    the next block, while its pixels are in the vector cache. If the result has
    too few tiles to occupy the device, there is a product for each row or
    position of the window, and another kernel adds them, as for
    `dispatch-split-contractions`.

    A convolution is not converted in these cases: its elements have more than
    32 bits; they have more than 16 bits and the convolution has fewer than 2^24
    multiply-adds; no matrix instruction multiplies them from tiles in LDS; or a
    size other than that of the outermost dimension is unknown.

    Example:
    ```mlir
    func.func @f(%x: tensor<2x10x10x32xf16>, %k: tensor<3x3x32x64xf16>) -> tensor<2x8x8x64xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<2x8x8x64xf32>
      %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8x64xf32>) -> tensor<2x8x8x64xf32>
      %y = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<2x10x10x32xf16>, tensor<3x3x32x64xf16>)
          outs(%init : tensor<2x8x8x64xf32>) -> tensor<2x8x8x64xf32>
      return %y : tensor<2x8x8x64xf32>
    }
    // becomes
    %filters = tensor.collapse_shape %k [[0, 1, 2], [3]] : tensor<3x3x32x64xf16> into tensor<288x64xf16>
    %windows = linalg.generic {indexing_maps = [affine_map<(n, h, w, y, x, c) -> (n, h + y, w + x, c)>, …], …}
        ins(%x : tensor<2x10x10x32xf16>) outs(… : tensor<2x8x8x3x3x32xf16>) {…}
    %matrix = tensor.collapse_shape %windows [[0, 1, 2], [3, 4, 5]] : … into tensor<128x288xf16>
    %init = linalg.fill … -> tensor<128x64xf32>
    %product = linalg.generic … ins(%matrix, %filters : …) outs(%init : …)
    %y = tensor.expand_shape %product [[0, 1, 2], [3]] … : tensor<128x64xf32> into tensor<2x8x8x64xf32>
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "Target profile file (followed by the directories of its base "
           "profiles, separated by colons)">
  ];
  let dependentDialects = [
    "::aircc::air::AIRDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def AddUnitRows : Pass<"dispatch-add-unit-rows", "::mlir::ModuleOp"> {
  let summary = "Convert matrix-vector products to products with a one-row matrix";
  let description = [{
    Adds a dimension of size 1 to the vector of a matrix-vector product and to
    its result, so that a matmul kernel computes it. Matrix instructions must be
    able to multiply the elements from tiles in LDS, and the elements must be
    contiguous along the reduced dimension or the result's dimension.

    Example:
    ```mlir
    func.func @f(%x: tensor<64xf16>, %w: tensor<64x32xf16>, %c: tensor<32xf32>) -> tensor<32xf32> {
      %y = linalg.vecmat ins(%x, %w : tensor<64xf16>, tensor<64x32xf16>) outs(%c : tensor<32xf32>) -> tensor<32xf32>
      return %y : tensor<32xf32>
    }
    // becomes
    %row = tensor.expand_shape %x [[0, 1]] … : tensor<64xf16> into tensor<1x64xf16>
    %init = tensor.expand_shape %c [[0, 1]] … : tensor<32xf32> into tensor<1x32xf32>
    %product = linalg.generic … ins(%row, %w : …) outs(%init : tensor<1x32xf32>)
    %y = tensor.collapse_shape %product [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "Target profile file (followed by the directories of its base "
           "profiles, separated by colons)">
  ];
  let dependentDialects = [
    "::aircc::air::AIRDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def PackFloats : Pass<"dispatch-pack-floats", "::mlir::ModuleOp"> {
  let summary = "Pack two 4-bit floats per byte in memory";
  let description = [{
    Converts arguments, results and constants of tensor functions whose elements
    are f4E2M1FN to byte tensors with half the size in the last dimension. Each
    byte contains two elements, the first one in its lower bits. Ops extract
    them where the program uses them. A kernel that multiplies such matrices
    with scales reads the bytes unchanged.

    Example:
    ```mlir
    #id = affine_map<(i, j) -> (i, j)>
    func.func @f(%x: tensor<8x64xf4E2M1FN>) -> tensor<8x64xf32> {
      %empty = tensor.empty() : tensor<8x64xf32>
      %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<8x64xf4E2M1FN>) outs(%empty : tensor<8x64xf32>) {
      ^bb0(%v: f4E2M1FN, %out: f32):
        %w = arith.extf %v : f4E2M1FN to f32
        linalg.yield %w : f32
      } -> tensor<8x64xf32>
      return %r : tensor<8x64xf32>
    }
    // becomes
    func.func @f(%bytes: tensor<8x32xi8>) -> tensor<8x64xf32> {
      %pairs = linalg.generic … ins(%bytes : tensor<8x32xi8>) outs(… : tensor<8x32x2xf4E2M1FN>) { … }
      %x = tensor.collapse_shape %pairs [[0], [1, 2]] : tensor<8x32x2xf4E2M1FN> into tensor<8x64xf4E2M1FN>
      …
    ```

    Errors: an argument or result whose last dimension is dynamic or odd.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def WidenIntegers : Pass<"dispatch-widen-integers", "::mlir::ModuleOp"> {
  let summary = "Pass integers of unusual widths in wider ones";
  let description = [{
    Converts tensors and results of tensor functions whose integers neither C
    nor numpy has, such as i4 and i48, to integers of the next width of 8, 16,
    32 or 64 bits. Arguments are truncated, and results are sign-extended.
    Numbers that are arguments keep their types: the caller checks their range.

    Example:
    ```mlir
    func.func @f(%x: tensor<8xi4>) -> tensor<8xi4> {
      return %x : tensor<8xi4>
    }
    // becomes
    func.func @f(%wide: tensor<8xi8>) -> tensor<8xi8> {
      %x = arith.trunci %wide : tensor<8xi8> to tensor<8xi4>
      %r = arith.extsi %x : tensor<8xi4> to tensor<8xi8>
      return %r : tensor<8xi8>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SeparateFactors : Pass<"dispatch-separate-factors", "::mlir::ModuleOp"> {
  let summary = "Compute operands of contractions in separate elementwise ops";
  let description = [{
    The body of a contraction may compute its operands: it may dequantize
    weights, or multiply small floats by per-block scales. This pass moves the
    computation of each such operand to an elementwise op, so that the
    contraction only multiplies and adds, like matrix instructions.
    `dispatch-fuse-contractions` makes the contraction's kernel compute the
    operand for each tile. Several reduced loops become one if the operands have
    them in the same order. Products with vectors are not changed.

    Example:
    ```mlir
    #weights = affine_map<(m, n, g, k) -> (n, g, k)>
    #scales = affine_map<(m, n, g, k) -> (n, g)>
    #x = affine_map<(m, n, g, k) -> (m, g, k)>
    #y = affine_map<(m, n, g, k) -> (m, n)>
    func.func @f(%x: tensor<64x4x32xf16>, %w: tensor<48x4x32xi8>, %s: tensor<48x4xf16>,
                 %init: tensor<64x48xf32>) -> tensor<64x48xf32> {
      %y = linalg.generic {indexing_maps = [#x, #weights, #scales, #y],
          iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
          ins(%x, %w, %s : tensor<64x4x32xf16>, tensor<48x4x32xi8>, tensor<48x4xf16>)
          outs(%init : tensor<64x48xf32>) {
      ^bb0(%a: f16, %q: i8, %scale: f16, %sum: f32):
        %i = arith.sitofp %q : i8 to f16
        %b = arith.mulf %i, %scale : f16
        %wa = arith.extf %a : f16 to f32
        %wb = arith.extf %b : f16 to f32
        %product = arith.mulf %wa, %wb : f32
        %next = arith.addf %sum, %product : f32
        linalg.yield %next : f32
      } -> tensor<64x48xf32>
      return %y : tensor<64x48xf32>
    }
    // becomes
    %wide = linalg.generic … ins(%w, %s : …) outs(… : tensor<48x4x32xf16>) { … }
    %a = tensor.collapse_shape %x [[0], [1, 2]] : tensor<64x4x32xf16> into tensor<64x128xf16>
    %b = tensor.collapse_shape %wide [[0], [1, 2]] : tensor<48x4x32xf16> into tensor<48x128xf16>
    %y = linalg.generic … ins(%a, %b : …) outs(%init : tensor<64x48xf32>) { … }
    ```
  }];
  let dependentDialects = [
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

def SplitContractions : Pass<"dispatch-split-contractions", "::mlir::ModuleOp"> {
  let summary = "Split long sums of contractions among workgroups";
  let description = [{
    If the result of a matmul has too few tiles to use all compute units, and
    its sums are long (products with a vector or a few rows, small results), the
    reduced dimension is split: one kernel computes the products of the parts,
    and another one adds them to the initial value, in order. The second kernel
    also computes the initial value, if an elementwise op produces it, and the
    elementwise op that is the only user of the result. The number of parts
    depends on the target and must divide the size of the reduced dimension.
    Sizes must be constant. Contractions whose kernel computes an operand are
    not split.

    Example:
    ```mlir
    func.func @f(%a: tensor<16x4096xf16>, %b: tensor<4096x512xf16>) -> tensor<16x512xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<16x512xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x512xf32>) -> tensor<16x512xf32>
      %c = linalg.matmul ins(%a, %b : tensor<16x4096xf16>, tensor<4096x512xf16>)
          outs(%f : tensor<16x512xf32>) -> tensor<16x512xf32>
      return %c : tensor<16x512xf32>
    }
    // becomes
    %x = tensor.expand_shape %a [[0], [1, 2]] … : tensor<16x4096xf16> into tensor<16x32x128xf16>
    %y = tensor.expand_shape %b [[0, 1], [2]] … : tensor<4096x512xf16> into tensor<32x128x512xf16>
    %products = linalg.generic … ins(%x, %y : …) outs(%zeros : tensor<32x16x512xf32>)
    %first = tensor.extract_slice %products[0, 0, 0] [1, 16, 512] [1, 1, 1] : … to tensor<16x512xf32>
    …
    %c = scf.forall (%i, %j) = (0, 0) to (16, 512) step (1, 256) shared_outs(%out = %e) -> (tensor<16x512xf32>) {
      %tile = tensor.extract_slice %first[%i, %j] [1, 256] [1, 1] : …
      …
      %sum = linalg.generic … ins(%tile, … : …) outs(… : tensor<1x256xf32>)
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %sum into %out[%i, %j] [1, 256] [1, 1] : …
      }
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "Target profile file (followed by the directories of its base "
           "profiles, separated by colons)">
  ];
  let dependentDialects = [
    "::aircc::air::AIRDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def FuseConvolutions : Pass<"dispatch-fuse-convolutions", "::mlir::ModuleOp"> {
  let summary = "Fuse convolutions with the elementwise ops around them";
  let description = [{
    Fuses a convolution or pooling, the op that computes its initial value, and
    the elementwise op, if any, that is the only user of its result into one
    kernel: a loop over tiles of the result whose iterations are workgroups
    (`#gpu.block`). The sums of a tile are in workgroup memory (L2), and so is
    the part of a padded input that they need, if it fits. All sizes must be
    constant.

    Example:
    ```mlir
    #id = affine_map<(n, h, w, c) -> (n, h, w, c)>
    func.func @f(%x: tensor<1x10x10x4xf32>, %k: tensor<3x3x4x8xf32>) -> tensor<1x8x8x8xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<1x8x8x8xf32>
      %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
      %y = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<1x10x10x4xf32>, tensor<3x3x4x8xf32>)
          outs(%init : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
      %r = linalg.generic {indexing_maps = [#id, #id],
          iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
          ins(%y : tensor<1x8x8x8xf32>) outs(%e : tensor<1x8x8x8xf32>) {
      ^bb0(%v: f32, %o: f32):
        %m = arith.maximumf %v, %zero : f32
        linalg.yield %m : f32
      } -> tensor<1x8x8x8xf32>
      return %r : tensor<1x8x8x8xf32>
    }
    // becomes
    %r = scf.forall (%h) = (0) to (8) step (4) shared_outs(%out = %e) -> (tensor<1x8x8x8xf32>) {
      %init = linalg.fill … -> tensor<1x4x8x8xf32>
      %y = linalg.conv_2d_nhwc_hwcf … -> tensor<1x4x8x8xf32>
      %part = linalg.generic … -> tensor<1x4x8x8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %part into %out[0, %h, 0, 0] [1, 4, 8, 8] [1, 1, 1, 1] : …
      }
    } {mapping = [#gpu.block<x>]}
    ```
  }];
  let options = [
    Option<"ldsBytes", "lds-bytes", "int64_t", "65536", "The size of LDS">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def RecomputeOperands : Pass<"dispatch-recompute-operands", "::mlir::ModuleOp"> {
  let summary = "Recompute operands of long reductions in each user";
  let description = [{
    If a reduction and other ops use an elementwise op, such as the weights of
    softmax, each of them recomputes it if the elements do not stay in workgroup
    memory: if the reduction has a dynamic size, or reduces more than 8,192
    elements of a row or 256 of a column. The operands must be at most twice as
    large as the result, so that loading them takes no longer than storing and
    loading the result.

    Example:
    ```mlir
    #id = affine_map<(i) -> (i)>
    #all = affine_map<(i) -> ()>
    func.func @f(%x: tensor<?xf32>, %e: tensor<?xf32>, %zero: tensor<f32>) -> tensor<?xf32> {
      %weights = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
      ^bb0(%v: f32, %o: f32):
        %w = math.exp %v : f32
        linalg.yield %w : f32
      } -> tensor<?xf32>
      %sum = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]}
          ins(%weights : tensor<?xf32>) outs(%zero : tensor<f32>) {
      ^bb0(%v: f32, %o: f32):
        %s = arith.addf %v, %o : f32
        linalg.yield %s : f32
      } -> tensor<f32>
      %result = linalg.generic {indexing_maps = [#id, #all, #id], iterator_types = ["parallel"]}
          ins(%weights, %sum : tensor<?xf32>, tensor<f32>) outs(%e : tensor<?xf32>) {
      ^bb0(%v: f32, %s: f32, %o: f32):
        %q = arith.divf %v, %s : f32
        linalg.yield %q : f32
      } -> tensor<?xf32>
      return %result : tensor<?xf32>
    }
    // becomes
    %sum = linalg.generic … ins(%x : tensor<?xf32>) outs(%zero : tensor<f32>) {
    ^bb0(%v: f32, %o: f32):
      %w = math.exp %v : f32
      %s = arith.addf %w, %o : f32
      linalg.yield %s : f32
    } -> tensor<f32>
    %result = linalg.generic … ins(%x, %sum : tensor<?xf32>, tensor<f32>) outs(%e : tensor<?xf32>) {
    ^bb0(%v: f32, %s: f32, %o: f32):
      %w = math.exp %v : f32
      %q = arith.divf %w, %s : f32
      linalg.yield %q : f32
    } -> tensor<?xf32>
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def LowerSelections : Pass<"dispatch-lower-selections", "::mlir::ModuleOp"> {
  let summary = "Lower argmax and argmin reductions to integer maxima";
  let description = [{
    Some reductions carry an element and its index, and replace both if another
    element is greater (or less); they process the elements one by one. This
    pass converts such a reduction to the unsigned maximum of 64-bit keys, which
    lanes can reduce together. The upper half of a key is ordered like the
    elements, and the lower half is ordered like the indices in reverse, so that
    the first one of equal elements is selected. Another op in the same kernel
    extracts the index from the largest key. If the element is also used,
    another reduction computes it: by the op that combines the elements, or, if
    the condition selects the element, by keys whose lowest bit is its sign.

    The condition determines how NaN is handled: either it is never selected, or
    the first one is. If `arith.maximumf` or `arith.minimumf` combines the
    elements and the condition is ordered, only elements before the first NaN
    are selected; another reduction computes the index of that NaN.

    Elements must have at most 32 bits, both initial values must be constants,
    and an index must have at most 32 bits or a loop of known size. Other
    reductions are not changed.

    Example:
    ```mlir
    #id = affine_map<(i, j) -> (i, j)>
    #row = affine_map<(i, j) -> (i)>
    func.func @f(%x: tensor<8x64xf32>) -> tensor<8xi32> {
      %lowest = arith.constant 0xFF800000 : f32
      %zero = arith.constant 0 : i32
      %e = tensor.empty() : tensor<8xf32>
      %max = linalg.fill ins(%lowest : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      %k = tensor.empty() : tensor<8xi32>
      %at = linalg.fill ins(%zero : i32) outs(%k : tensor<8xi32>) -> tensor<8xi32>
      %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<8x64xf32>) outs(%max, %at : tensor<8xf32>, tensor<8xi32>) {
      ^bb0(%a: f32, %m: f32, %i: i32):
        %j = linalg.index 1 : index
        %n = arith.index_cast %j : index to i32
        %g = arith.cmpf ogt, %a, %m : f32
        %l = arith.select %g, %a, %m : f32
        %s = arith.select %g, %n, %i : i32
        linalg.yield %l, %s : f32, i32
      } -> (tensor<8xf32>, tensor<8xi32>)
      return %r#1 : tensor<8xi32>
    }
    // becomes
    %keys = linalg.generic … ins(%x : tensor<8x64xf32>) outs(… : tensor<8xi64>) {
      …
      %key = arith.ori %element, %index : i64
      %largest = arith.maxui %key, %last : i64
      linalg.yield %largest : i64
    }
    %indices = linalg.generic … ins(%keys : tensor<8xi64>) outs(… : tensor<8xi32>) {…}
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def SplitReductions : Pass<"dispatch-split-reductions", "::mlir::ModuleOp"> {
  let summary = "Split long reductions into several kernels";
  let description = [{
    A workgroup reduces at most 8,192 elements at once, and a few workgroups
    cannot keep a GPU busy. Longer reductions are therefore split: one op
    reduces chunks of the elements to partial results, and another one reduces
    these. Chunks have about 4,096 elements if these are adjacent in memory.
    Otherwise, they have about 64, and a workgroup reduces many columns of them.
    If there are many partial results, they are split again. Elements after the
    last whole chunk are added to the result at the end.

    If there are more than `max-rows` rows, each row is reduced by a workgroup,
    however long it is.

    First, reduction loops that are adjacent in all operands are merged. If
    several loops remain, all but the outermost one are reduced to partial
    results. Ops with dynamic sizes, several results, no neutral element, or
    indices of several reduction loops are not changed.

    Example:
    ```mlir
    #id = affine_map<(i) -> (i)>
    #all = affine_map<(i) -> ()>
    func.func @f(%x: tensor<65536xf32>, %zero: tensor<f32>) -> tensor<f32> {
      %sum = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]}
          ins(%x : tensor<65536xf32>) outs(%zero : tensor<f32>) {
      ^bb0(%v: f32, %o: f32):
        %s = arith.addf %v, %o : f32
        linalg.yield %s : f32
      } -> tensor<f32>
      return %sum : tensor<f32>
    }
    // becomes
    %chunks = tensor.expand_shape %x [[0, 1]] : tensor<65536xf32> into tensor<16x4096xf32>
    %partial = linalg.generic … ins(%chunks : tensor<16x4096xf32>) … -> tensor<16xf32>
    %sum = linalg.generic … ins(%partial : tensor<16xf32>) … -> tensor<f32>
    ```
  }];
  let options = [
    Option<"maxRows", "max-rows", "int64_t", "0",
           "Split reductions of at most this many rows (0: of any number)">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

def FuseRows : Pass<"dispatch-fuse-rows", "::mlir::ModuleOp"> {
  let summary = "Fuse row reductions with the ops that use them";
  let description = [{
    Softmax, layer normalization and similar computations reduce each row and
    then compute with the result on the same row. These ops become one kernel: a
    loop over rows whose iterations are workgroups (`#gpu.block`), in which all
    ops work on the same few rows. Intermediate rows are in workgroup memory
    (L2).

    A producer is fused if all its users are in the kernel, each of them
    computes a row from one row of the producer, and the rows that it stores
    have a constant size and fit into half of LDS. Contractions and convolutions
    are not fused. A reduction with several results, such as an argmax, forms a
    kernel together with the fills of its initial values; unused results are not
    stored.

    Rows may have a dynamic size, or more elements than fit in registers. A
    workgroup then reads them once for each op, and intermediate rows are not
    stored.

    Example:
    ```mlir
    #id = affine_map<(i, j) -> (i, j)>
    #row = affine_map<(i, j) -> (i)>
    func.func @f(%x: tensor<8x64xf32>, %zero: tensor<8xf32>) -> tensor<8x64xf32> {
      %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<8x64xf32>) outs(%zero : tensor<8xf32>) {
      ^bb0(%v: f32, %o: f32):
        %s = arith.addf %v, %o : f32
        linalg.yield %s : f32
      } -> tensor<8xf32>
      %e = tensor.empty() : tensor<8x64xf32>
      %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
          ins(%x, %sum : tensor<8x64xf32>, tensor<8xf32>) outs(%e : tensor<8x64xf32>) {
      ^bb0(%v: f32, %t: f32, %o: f32):
        %s = arith.divf %v, %t : f32
        linalg.yield %s : f32
      } -> tensor<8x64xf32>
      return %y : tensor<8x64xf32>
    }
    // becomes
    %y = scf.forall (%i) = (0) to (8) step (4) shared_outs(%out = %e) -> (tensor<8x64xf32>) {
      %sum = linalg.generic … -> tensor<4xf32>
      %part = linalg.generic … -> tensor<4x64xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %part into %out[%i, 0] [4, 64] [1, 1] : …
      }
    } {mapping = [#gpu.block<x>]}
    ```
  }];
  let options = [
    Option<"ldsBytes", "lds-bytes", "int64_t", "65536", "The size of LDS">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def DonateArguments : Pass<"dispatch-donate-arguments", "::mlir::ModuleOp"> {
  let summary = "Compute results in the memory of donated arguments";
  let description = [{
    The caller of a function permits it to overwrite arguments that have the
    attribute `air.donated` or one of JAX's attributes,
    `jax.buffer_donor = true` and `tf.aliasing_output = N`. This pass makes ops
    that compute results write them to the memory of these arguments. A result
    that is already computed there, for example by `tensor.insert_slice`, needs
    no change. Arguments and results must have the same type, and nothing may
    read the argument later. With `tf.aliasing_output`, result N is otherwise
    copied to the argument.

    JAX's attributes are converted to `air.donated`. Functions called by other
    functions of the program never overwrite their arguments.

    Example:
    ```mlir
    #id = affine_map<(i) -> (i)>
    func.func @f(%x: tensor<4xf32> {air.donated}) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%a: f32, %out: f32):
        %v = math.exp %a : f32
        linalg.yield %v : f32
      } -> tensor<4xf32>
      return %y : tensor<4xf32>
    }
    // becomes
    %y = linalg.generic … ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
    ```
  }];
  let dependentDialects = [
    "::aircc::air::AIRDialect", "::mlir::linalg::LinalgDialect"
  ];
}

def BufferizeFunctions : Pass<"dispatch-bufferize-functions", "::mlir::ModuleOp"> {
  let summary = "Convert tensor functions to functions on memrefs";
  let description = [{
    Runs upstream's one-shot bufferization across functions, with identity
    layouts at their boundaries, and frees buffers with ownership-based
    deallocation.

    A public tensor function becomes a private one, `NAME__device`, which works
    on device memory, and a public one, `NAME__entry`. Both take memrefs for the
    arguments, followed by memrefs for the results, which share memory with
    nothing else. The runtime calls the private function (`inPlace` of
    `air.entry_point`). Other callers call the public one, whose memrefs are in
    ordinary host memory: it copies the arguments, calls the private function,
    and copies the results. Arguments are modified only if they are donated
    (`air.donated`). A result computed in the memory of such an argument stays
    there (`donors` of `air.entry_point`), and the caller of the private
    function copies it. If other functions call the private function, it returns
    its results, and `NAME__device_in_place` calls it and copies them to
    arguments.

    Linalg ops on memrefs that come from tensors get the attribute
    `air.offload`, except those on single elements.

    Example:
    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    }
    // becomes
    func.func private @f__device(%x: memref<4xf32>, %result: memref<4xf32> {air.separate}) { … }
    func.func @f__entry(%x: memref<4xf32>, %result: memref<4xf32>) {
      %device = gpu.alloc host_shared () : memref<4xf32>
      memref.copy %x, %device : memref<4xf32> to memref<4xf32>
      %r = gpu.alloc host_shared () : memref<4xf32>
      call @f__device(%device, %r) : (memref<4xf32>, memref<4xf32>) -> ()
      memref.copy %r, %result : memref<4xf32> to memref<4xf32>
      gpu.dealloc %r : memref<4xf32>
      gpu.dealloc %device : memref<4xf32>
      return
    }
    ```
  }];
  let options = [
    Option<"offloads", "offload", "bool", "true",
           "Mark linalg ops for the device">
  ];
  let dependentDialects = [
    "::aircc::air::AIRDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def OffloadOps : Pass<"dispatch-offload-ops", "::mlir::ModuleOp"> {
  let summary = "Mark or report structured ops on memrefs that execute on the host";
  let description = [{
    With `all`, linalg ops on memrefs outside of kernels get the attribute
    `air.offload`. Otherwise, the pass emits a remark for each such op that
    executes at least `min-iterations` iterations on the host, and for loops of
    tensor functions that store that many elements. Ops whose sizes depend on
    arguments are not reported.

    Example:
    ```mlir
    // --dispatch-offload-ops=all
    func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
      linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
      return
    }
    // becomes
    linalg.matmul {air.offload} ins(%a, %b : …) outs(%c : memref<64x64xf32>)
    ```
  }];
  let options = [
    Option<"all", "all", "bool", "false", "Mark the ops instead of reporting them">,
    Option<"minIterations", "min-iterations", "int64_t", "4096",
           "The minimum number of iterations that is reported">
  ];
  let dependentDialects = ["::aircc::air::AIRDialect"];
}

def CreateLaunches : Pass<"dispatch-create-launches", "::mlir::ModuleOp"> {
  let summary = "Convert loops over workgroups to launches";
  let description = [{
    Converts an `scf.forall` without results in host code, whose iterations are
    mapped to workgroups (`#gpu.block`), to an `air.launch` with one workgroup
    for each iteration.

    Example:
    ```mlir
    func.func @f(%m: memref<8x64xf32>, %v: f32) {
      scf.forall (%i) = (0) to (8) step (4) {
        %rows = memref.subview %m[%i, 0] [4, 64] [1, 1]
            : memref<8x64xf32> to memref<4x64xf32, strided<[64, 1], offset: ?>>
        linalg.fill ins(%v : f32) outs(%rows : memref<4x64xf32, strided<[64, 1], offset: ?>>)
      } {mapping = [#gpu.block<x>]}
      return
    }
    // becomes
    air.launch (%x) in (%n = %c2) args(%a = %m, %w = %v) : memref<8x64xf32>, f32 {
      %i = affine.apply affine_map<(d0) -> (d0 * 4)>(%x)
      …
    }
    ```
  }];
  let dependentDialects = [
    "::aircc::air::AIRDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"
  ];
}

#endif // AIRCC_PIPELINE_DISPATCH_PASSES_TD
