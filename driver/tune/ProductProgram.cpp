//===- ProductProgram.cpp - A program that computes a product -------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/tune/ProductProgram.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace aircc;
using namespace llvm;
using strategy::MatmulOperand;
using strategy::MatmulProblem;

static MatmulOperand readFactor(mlir::DictionaryAttr attribute) {
  MatmulOperand operand;
  operand.type = attribute.getAs<mlir::StringAttr>("type").str();
  operand.bits = attribute.getAs<mlir::IntegerAttr>("bits").getInt();
  operand.alongK = attribute.getAs<mlir::BoolAttr>("along_k").getValue();
  operand.isComputed = attribute.getAs<mlir::BoolAttr>("computed").getValue();
  return operand;
}

MatmulProblem aircc::readProduct(mlir::DictionaryAttr attribute) {
  MatmulProblem product;
  product.a = readFactor(attribute.getAs<mlir::DictionaryAttr>("a"));
  product.b = readFactor(attribute.getAs<mlir::DictionaryAttr>("b"));
  product.cType = attribute.getAs<mlir::StringAttr>("c").str();
  product.cBits = attribute.getAs<mlir::IntegerAttr>("c_bits").getInt();
  for (auto [name, size] :
       {std::pair("m", &product.m), std::pair("n", &product.n),
        std::pair("k", &product.k), std::pair("matrices", &product.matrices)})
    if (auto value = attribute.getAs<mlir::IntegerAttr>(name))
      *size = value.getInt();
  return product;
}

std::string aircc::getTuningObstacle(const MatmulProblem &product) {
  if (!product.m || !product.n || !product.k || !product.matrices)
    return "its sizes depend on arguments";
  if (product.a.isComputed || product.b.isComputed)
    return "its kernel computes an operand";
  if (product.a.bits % 8 || product.b.bits % 8 || product.cBits % 8)
    return "its elements are smaller than a byte";
  return "";
}

/// Returns the sizes of A, B and C. Batched products have one more dimension.
static std::vector<std::vector<int64_t>> getShapes(const MatmulProblem &p) {
  std::vector<std::vector<int64_t>> shapes = {
      p.a.alongK ? std::vector{*p.m, *p.k} : std::vector{*p.k, *p.m},
      p.b.alongK ? std::vector{*p.n, *p.k} : std::vector{*p.k, *p.n},
      {*p.m, *p.n}};
  if (*p.matrices > 1)
    for (std::vector<int64_t> &shape : shapes)
      shape.insert(shape.begin(), *p.matrices);
  return shapes;
}

static std::string joinSizes(ArrayRef<int64_t> sizes) {
  return join(map_range(sizes, [](int64_t n) { return std::to_string(n); }),
              "x");
}

std::string aircc::writeProductProgram(const MatmulProblem &product) {
  bool isBatched = *product.matrices > 1;
  std::vector<std::vector<int64_t>> shapes = getShapes(product);
  StringRef types[] = {product.a.type, product.b.type, product.cType};
  std::string tensors[3];
  for (auto [tensor, shape, type] : zip(tensors, shapes, types))
    tensor = ("tensor<" + joinSizes(shape) + "x" + type + ">").str();
  StringRef indices[] = {product.a.alongK ? "m, k" : "k, m",
                         product.b.alongK ? "n, k" : "k, n", "m, n"};
  SmallVector<std::string> maps;
  for (StringRef index : indices)
    maps.push_back(formatv("affine_map<({0}m, n, k) -> ({0}{1})>",
                           isBatched ? "b, " : "", index)
                       .str());
  return formatv(R"(func.func @product(%a: {0}, %b: {1}) -> {2} {{
  %zero = arith.constant {3} : {4}
  %empty = tensor.empty() : {2}
  %filled = linalg.fill ins(%zero : {4}) outs(%empty : {2}) -> {2}
  %c = linalg.{5} indexing_maps = [{6}]
      ins(%a, %b : {0}, {1}) outs(%filled : {2}) -> {2}
  return %c : {2}
}
)",
                 tensors[0], tensors[1], tensors[2],
                 types[2].starts_with("i") ? "0" : "0.0", types[2],
                 isBatched ? "batch_matmul" : "matmul", join(maps, ", "))
      .str();
}

std::vector<std::string> aircc::getTensors(const MatmulProblem &product) {
  std::vector<std::string> tensors;
  int64_t bits[] = {product.a.bits, product.b.bits, product.cBits};
  for (auto [shape, width] : zip(getShapes(product), bits))
    tensors.push_back(joinSizes(shape) + "x" + std::to_string(width / 8));
  return tensors;
}

std::string aircc::describeProduct(const MatmulProblem &product) {
  auto size = [](std::optional<int64_t> n) {
    return n ? std::to_string(*n) : std::string("?");
  };
  std::string text = size(product.m) + "x" + size(product.n) + "x" +
                     size(product.k) + " " + product.a.type +
                     (product.a.alongK ? "" : "^T") + " x " + product.b.type +
                     (product.b.alongK ? "^T" : "") + " -> " + product.cType;
  if (product.matrices != 1)
    text = size(product.matrices) + " x " + text;
  return text;
}
