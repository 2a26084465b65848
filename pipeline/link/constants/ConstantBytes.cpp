//===- ConstantBytes.cpp - Constants as they are in memory ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/constants/ConstantBytes.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace aircc {

static unsigned getBits(Type type) {
  if (!type.isIntOrIndexOrFloat())
    return 0;
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

/// Returns the number of bytes that an element takes in memory; 0 if unknown.
static unsigned getElementBytes(Type type) {
  unsigned bits = getBits(type);
  return bits == 0 || bits > 64 ? 0
                                : llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8));
}

StringRef getStoredBytes(Attribute value) {
  auto elements = dyn_cast_or_null<ElementsAttr>(value);
  if (!elements)
    return "";
  // For other types, the memory differs from the attribute.
  unsigned bytesOfElement = getElementBytes(elements.getElementType());
  if (bytesOfElement == 0 ||
      getBits(elements.getElementType()) != bytesOfElement * 8)
    return "";
  ArrayRef<char> bytes;
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    if (!dense.isSplat())
      bytes = dense.getRawData();
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      bytes = blob->getData();
  }
  if (bytes.size() != static_cast<uint64_t>(elements.size()) * bytesOfElement)
    return "";
  return StringRef(bytes.data(), bytes.size());
}

uint64_t getByteCount(ElementsAttr value) {
  return static_cast<uint64_t>(value.size()) *
         getElementBytes(value.getElementType());
}

/// Appends the elements of a dense attribute to `bytes`.
static void appendElements(DenseElementsAttr dense, std::string &bytes) {
  unsigned size = getElementBytes(dense.getElementType());
  auto append = [&](const APInt &element, uint64_t count) {
    uint64_t word = element.getZExtValue();
    std::string text;
    for (unsigned i = 0; i < size; ++i)
      text.push_back(static_cast<char>(word >> (8 * i)));
    for (uint64_t i = 0; i < count; ++i)
      bytes += text;
  };
  auto appendAll = [&](auto get) {
    if (dense.isSplat())
      append(get(*dense.value_begin<Attribute>()), dense.size());
    else
      for (Attribute element : dense.getValues<Attribute>())
        append(get(element), 1);
  };
  if (isa<FloatType>(dense.getElementType()))
    appendAll([](Attribute element) {
      return cast<FloatAttr>(element).getValue().bitcastToAPInt();
    });
  else
    appendAll([](Attribute element) {
      return cast<IntegerAttr>(element).getValue();
    });
}

/// Returns the data of a resource whose elements take one byte each, but have
/// fewer bits.
static ArrayRef<char> getNarrowData(DenseResourceElementsAttr resource) {
  unsigned bits = getBits(resource.getElementType());
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (bits == 0 || bits >= 8 || !blob ||
      blob->getData().size() != getByteCount(resource))
    return {};
  return blob->getData();
}

Attribute getTranslatableForm(Attribute value) {
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value);
  if (!resource || !isa<IntegerType>(resource.getElementType()))
    return nullptr;
  ArrayRef<char> data = getNarrowData(resource);
  if (data.empty())
    return nullptr;
  unsigned bits = getBits(resource.getElementType());
  SmallVector<APInt> elements;
  elements.reserve(data.size());
  for (char byte : data)
    elements.push_back(APInt(8, static_cast<uint8_t>(byte)).trunc(bits));
  return DenseElementsAttr::get(resource.getType(), elements);
}

FailureOr<StringRef> getBytes(ElementsAttr value, std::string &storage) {
  if (StringRef stored = getStoredBytes(value); !stored.empty())
    return stored;
  storage.clear();
  storage.reserve(getByteCount(value));
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    appendElements(dense, storage);
    return StringRef(storage);
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    if (ArrayRef<char> data = getNarrowData(resource); !data.empty())
      return StringRef(data.data(), data.size());
  return failure();
}

} // namespace aircc
