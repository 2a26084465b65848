//===- SupplyConstants.cpp - Constants of a program from a file -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/constants/ConstantsFile.h"
#include "driver/constants/ElementTypes.h"
#include "driver/diagnostics/Failure.h"
#include "driver/input/InputFile.h"

#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace aircc;
using namespace mlir;

llvm::Expected<SuppliedConstants>
SuppliedConstants::open(const std::string &path) {
  auto cannotRead = [&](const std::string &why) {
    return fail(ExitCode::BadInput,
                "cannot read '" + escapeName(path) + "': " + why);
  };
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return cannotRead(buffer.getError().message());
  SuppliedConstants constants;
  constants.path = path;
  constants.contents = std::move(*buffer);
  std::vector<rt::SafetensorsEntry> entries;
  rt::Status status = rt::readSafetensors(
      std::string_view(constants.contents->getBuffer()), entries);
  if (!status.ok())
    return cannotRead(status.message());
  for (rt::SafetensorsEntry &entry : entries) {
    std::string name = entry.name;
    constants.tensors[name] = std::move(entry);
  }
  return constants;
}

/// Checks that the file's tensor has the type that `op` expects.
static LogicalResult checkType(Operation *op,
                               const rt::SafetensorsEntry &tensor,
                               Type expected, StringRef path) {
  auto type = dyn_cast<ShapedType>(expected);
  auto reject = [&]() -> InFlightDiagnostic {
    return op->emitOpError("takes '")
           << tensor.name << "' from '" << path << "', where it has type "
           << tensor.type << " and shape ["
           << llvm::join(llvm::map_range(tensor.shape,
                                         [](uint64_t size) {
                                           return std::to_string(size);
                                         }),
                         ", ")
           << "], but here it is " << expected;
  };
  if (!type || !type.hasStaticShape() ||
      !llvm::equal(type.getShape(), tensor.shape))
    return reject();
  auto types = getSafetensorsTypes(type.getElementType());
  if (types.empty())
    return reject() << ", whose element type safetensors files do not support";
  if (!llvm::is_contained(types, tensor.type))
    return reject();
  // Any other byte would not be a value of i1.
  if (type.getElementType().isInteger(1) &&
      llvm::any_of(tensor.bytes, [](char byte) { return byte & ~1; }))
    return op->emitOpError("takes '")
           << tensor.name << "' from '" << path
           << "', which has elements that are neither true nor false";
  return success();
}

/// Returns the data of a tensor, without a copy if it is aligned in the mapped
/// file.
static AsmResourceBlob makeBlob(const rt::SafetensorsEntry &tensor,
                                std::shared_ptr<llvm::MemoryBuffer> contents) {
  constexpr size_t alignment = alignof(uint64_t);
  ArrayRef<char> bytes(tensor.bytes.data(), tensor.bytes.size());
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignment != 0)
    return HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, alignment);
  return AsmResourceBlob(
      bytes, alignment,
      [contents = std::move(contents)](void *, size_t, size_t) {},
      /*dataIsMutable=*/false);
}

LogicalResult SuppliedConstants::apply(ModuleOp module) const {
  MLIRContext *context = module.getContext();
  auto &manager = DenseResourceElementsHandle::getManagerInterface(context)
                      .getBlobManager();
  llvm::StringSet<> supplied;
  auto supply = [&](const rt::SafetensorsEntry &tensor) {
    if (supplied.insert(tensor.name).second)
      manager.update(tensor.name, makeBlob(tensor, contents));
  };
  bool ok = true;
  module.walk([&](Operation *op) {
    AttrTypeWalker walker;
    walker.addWalk([&](DenseResourceElementsAttr attr) {
      auto tensor = tensors.find(attr.getRawHandle().getKey());
      if (tensor == tensors.end())
        return;
      if (failed(checkType(op, tensor->second, attr.getType(), path)))
        ok = false;
      else
        supply(tensor->second);
    });
    walker.walk(Attribute(op->getAttrDictionary()));
  });
  module.walk([&](ml_program::GlobalOp global) {
    auto tensor = tensors.find(global.getSymName());
    if (tensor == tensors.end())
      return;
    Type type = global.getType();
    if (auto value = dyn_cast_or_null<TypedAttr>(global.getValueAttr()))
      type = value.getType();
    if (failed(checkType(global, tensor->second, type, path))) {
      ok = false;
      return;
    }
    auto *entry = manager.lookup(tensor->second.name);
    if (!entry)
      entry = &manager.insert(tensor->second.name);
    supply(tensor->second);
    global.setValueAttr(DenseResourceElementsAttr::get(
        cast<ShapedType>(type),
        DenseResourceElementsHandle(
            entry, context->getLoadedDialect<BuiltinDialect>())));
  });
  return success(ok);
}
