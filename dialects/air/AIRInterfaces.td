//===- AIRInterfaces.td - Interfaces of AIR ops ------------*- tablegen -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DIALECTS_AIR_AIRINTERFACES_TD
#define AIRCC_DIALECTS_AIR_AIRINTERFACES_TD

include "mlir/IR/OpBase.td"

def AIR_AsyncOpInterface : OpInterface<"AsyncOpInterface"> {
  let cppNamespace = "::aircc::air";
  let description = [{
    An op that waits for tokens and may return one. If it does not return a
    token, the program waits for the op to complete. Otherwise, the program
    continues, and ops that need its effects must depend on the token.
  }];
  let methods = [
    InterfaceMethod<"The tokens that must be completed before the op starts.",
      "::mlir::OperandRange", "getAsyncDependencies">,
    InterfaceMethod<"The same tokens, as a mutable range.",
      "::mlir::MutableOperandRange", "getAsyncDependenciesMutable">,
    InterfaceMethod<"The token of the op, null if the op blocks.",
      "::mlir::TypedValue<::aircc::air::AsyncTokenType>", "getAsyncToken">
  ];
  let extraSharedClassDeclaration = [{
    /// Whether the program continues without waiting for this op.
    bool isAsync() { return static_cast<bool>($_op.getAsyncToken()); }

    /// Adds `token` to the dependencies unless it is one of them already.
    void addAsyncDependency(::mlir::Value token) {
      if (!::llvm::is_contained($_op.getAsyncDependencies(), token))
        $_op.getAsyncDependenciesMutable().append(token);
    }

    /// Erases the dependency with this index.
    void eraseAsyncDependency(unsigned index) {
      $_op.getAsyncDependenciesMutable().erase(index);
    }
  }];
}

def AIR_HierarchyInterface : OpInterface<"HierarchyInterface"> {
  let cppNamespace = "::aircc::air";
  let description = [{
    Implemented by `air.rank`, `air.launch`, `air.segment` and `air.herd`, which
    have a space of points, a body that each point executes, and operands of the
    body. The arguments of the body's block are the ids (one for each
    dimension), then the sizes, then one argument for each kernel operand.
  }];
  let methods = [
    InterfaceMethod<"The name of the op, if it has one.",
      "::std::optional<::llvm::StringRef>", "getSymName">,
    InterfaceMethod<"The operands that specify the sizes of the space.",
      "::mlir::OperandRange", "getSizeOperands">,
    InterfaceMethod<"The operands that are passed to the body.",
      "::mlir::OperandRange", "getKernelOperands">,
    InterfaceMethod<"The same operands, as a mutable range.",
      "::mlir::MutableOperandRange", "getKernelOperandsMutable">,
    InterfaceMethod<"The region that each point executes.",
      "::mlir::Region &", "getRegion">
  ];
  let extraSharedClassDeclaration = [{
    /// Number of dimensions of the space.
    unsigned getNumDims() { return $_op.getSizeOperands().size(); }

    /// The block that runs at each point. Every such op has exactly one.
    ::mlir::Block *getBodyBlock() { return &$_op.getRegion().front(); }

    /// The block arguments that hold the point's coordinates.
    ::mlir::Block::BlockArgListType getIds() {
      return getBodyBlock()->getArguments().take_front(getNumDims());
    }
    /// The block arguments that hold the sizes of the space.
    ::mlir::Block::BlockArgListType getSizes() {
      return getBodyBlock()->getArguments().slice(getNumDims(), getNumDims());
    }
    /// The block arguments that hold the kernel operands, in their order.
    ::mlir::Block::BlockArgListType getKernelArguments() {
      return getBodyBlock()->getArguments().drop_front(2 * getNumDims());
    }

    /// The sizes, as attributes if they are constant, otherwise as values.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes() {
      return ::mlir::getAsOpFoldResult($_op.getSizeOperands());
    }
    /// The sizes, ShapedType::kDynamic if they are not constant.
    ::llvm::SmallVector<int64_t> getStaticSizes() {
      ::llvm::SmallVector<int64_t> sizes;
      for (::mlir::OpFoldResult size : getMixedSizes())
        sizes.push_back(::mlir::getConstantIntValue(size).value_or(
            ::mlir::ShapedType::kDynamic));
      return sizes;
    }

    /// The block argument of the body for a kernel operand.
    ::mlir::BlockArgument getTiedKernelArgument(::mlir::OpOperand &operand) {
      // The kernel operands are the last ones.
      unsigned first =
          $_op->getNumOperands() - $_op.getKernelOperands().size();
      return getKernelArguments()[operand.getOperandNumber() - first];
    }
    /// The kernel operand of a block argument of the body, null if the argument
    /// is an id or a size.
    ::mlir::Value getTiedKernelOperand(::mlir::BlockArgument arg) {
      if (arg.getOwner() != getBodyBlock() ||
          arg.getArgNumber() < 2 * getNumDims())
        return {};
      return $_op.getKernelOperands()[arg.getArgNumber() - 2 * getNumDims()];
    }

    /// Passes more values to the body and returns their block arguments.
    ::mlir::Block::BlockArgListType
    appendKernelOperands(::mlir::ValueRange operands) {
      $_op.getKernelOperandsMutable().append(operands);
      for (::mlir::Value operand : operands)
        getBodyBlock()->addArgument(operand.getType(), operand.getLoc());
      return getKernelArguments().take_back(operands.size());
    }
    /// Erases the kernel operand with this index and its block argument, which
    /// must have no uses.
    void eraseKernelOperand(unsigned index) {
      $_op.getKernelOperandsMutable().erase(index);
      getBodyBlock()->eraseArgument(2 * getNumDims() + index);
    }
  }];
  let verify = [{
    return ::aircc::air::detail::verifyHierarchyOp($_op);
  }];
  let verifyWithRegions = 1;
}

def AIR_TransferInterface : OpInterface<"TransferInterface"> {
  let cppNamespace = "::aircc::air";
  let description = [{
    An op that reads elements through one access pattern, writes them through
    another, or both. `air.dma_memcpy_nd` does both; `air.channel.put` and
    `air.channel.get` each do one, and the channel is the other end.
  }];
  let methods = [
    InterfaceMethod<[{
        The elements that the op reads; the memref is null if the data comes
        from a channel.
      }], "::aircc::air::AccessPattern", "getSourcePattern">,
    InterfaceMethod<[{
        The elements that the op writes; the memref is null if the data goes
        into a channel.
      }], "::aircc::air::AccessPattern", "getTargetPattern">,
    InterfaceMethod<[{
        Replaces the offsets, sizes and strides (but not the memref) of the
        source. Must only be called for an op that has a source.
      }], "void", "setSourcePattern",
      (ins "const ::aircc::air::AccessPattern &":$pattern)>,
    InterfaceMethod<[{
        Replaces the offsets, sizes and strides (but not the memref) of the
        target. Must only be called for an op that has a target.
      }], "void", "setTargetPattern",
      (ins "const ::aircc::air::AccessPattern &":$pattern)>,
    InterfaceMethod<[{
        The number of zeros before the data in each dimension; none if absent.
      }], "::std::optional<::llvm::ArrayRef<int32_t>>", "getPadBefore">,
    InterfaceMethod<[{
        The number of zeros after the data in each dimension; none if absent.
      }], "::std::optional<::llvm::ArrayRef<int32_t>>", "getPadAfter">
  ];
  let extraSharedClassDeclaration = [{
    /// Whether zeros are added around the data in the target.
    bool hasPadding() {
      auto pads = [](::std::optional<::llvm::ArrayRef<int32_t>> widths) {
        return widths &&
               ::llvm::any_of(*widths, [](int32_t w) { return w != 0; });
      };
      return pads($_op.getPadBefore()) || pads($_op.getPadAfter());
    }
  }];
}

def AIR_ChannelAccessInterface : OpInterface<"ChannelAccessInterface"> {
  let cppNamespace = "::aircc::air";
  let description = [{
    An op at one end of a channel: `air.channel.put` or `air.channel.get`.
  }];
  let methods = [
    InterfaceMethod<"The channel's name.",
      "::mlir::FlatSymbolRefAttr", "getChanNameAttr">,
    InterfaceMethod<"The indices into an array of channels.",
      "::mlir::OperandRange", "getIndices">,
    InterfaceMethod<"The buffer at this end.",
      "::mlir::TypedValue<::mlir::BaseMemRefType>", "getMemref">,
    InterfaceMethod<"The access pattern of the buffer at this end.",
      "::aircc::air::AccessPattern", "getPattern">
  ];
}

#endif // AIRCC_DIALECTS_AIR_AIRINTERFACES_TD
