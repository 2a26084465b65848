//===- ElementTypes.cpp - Types of elements in safetensors files ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/constants/ElementTypes.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

/// Returns the signed and the unsigned integer type with this number of bits.
static std::pair<StringRef, StringRef> getIntegerTypes(unsigned bits) {
  switch (bits) {
  case 8:
    return {"I8", "U8"};
  case 16:
    return {"I16", "U16"};
  case 32:
    return {"I32", "U32"};
  case 64:
    return {"I64", "U64"};
  default:
    return {};
  }
}

static StringRef getFloatType(FloatType type) {
  return llvm::TypeSwitch<Type, StringRef>(type)
      .Case([](Float64Type) { return "F64"; })
      .Case([](Float32Type) { return "F32"; })
      .Case([](Float16Type) { return "F16"; })
      .Case([](BFloat16Type) { return "BF16"; })
      .Case([](Float8E4M3FNType) { return "F8_E4M3"; })
      .Case([](Float8E5M2Type) { return "F8_E5M2"; })
      .Case([](Float8E4M3FNUZType) { return "F8_E4M3FNUZ"; })
      .Case([](Float8E5M2FNUZType) { return "F8_E5M2FNUZ"; })
      .Case([](Float8E8M0FNUType) { return "F8_E8M0"; })
      .Default([](Type) { return ""; });
}

SmallVector<StringRef, 2> aircc::getSafetensorsTypes(Type type) {
  SmallVector<StringRef, 2> types;
  if (auto floatType = dyn_cast<FloatType>(type)) {
    types.push_back(getFloatType(floatType));
  } else if (type.isInteger(1)) {
    types.push_back("BOOL");
  } else if (type.isIndex() || isa<IntegerType>(type)) {
    auto [signedType, unsignedType] =
        getIntegerTypes(type.isIndex() ? 64 : type.getIntOrFloatBitWidth());
    if (!type.isUnsignedInteger())
      types.push_back(signedType);
    if (!type.isSignedInteger())
      types.push_back(unsignedType);
  }
  llvm::erase(types, "");
  return types;
}
