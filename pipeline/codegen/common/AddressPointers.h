//===- AddressPointers.h - Pointers from integer addresses ------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_CODEGEN_COMMON_ADDRESSPOINTERS_H
#define AIRCC_PIPELINE_CODEGEN_COMMON_ADDRESSPOINTERS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace aircc {

/// The address space of global memory on AMD and Intel GPUs.
inline constexpr unsigned kGlobalAddressSpace = 1;

/// Creates pointers to global memory from addresses (i64). All accesses through
/// one address share its pointer.
class AddressPointers {
public:
  mlir::Value get(mlir::OpBuilder &b, mlir::Location loc, mlir::Value address) {
    mlir::Value &pointer = pointers[address];
    if (pointer)
      return pointer;
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfterValue(address);
    auto type =
        mlir::LLVM::LLVMPointerType::get(b.getContext(), kGlobalAddressSpace);
    pointer = mlir::LLVM::IntToPtrOp::create(b, loc, type, address);
    return pointer;
  }

private:
  llvm::DenseMap<mlir::Value, mlir::Value> pointers;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_CODEGEN_COMMON_ADDRESSPOINTERS_H
