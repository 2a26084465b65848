//===- AIRInterfaces.td - What ops of the AIR dialect share ---*- tablegen -*-===//
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
    An op that waits for tokens and may yield one. Without a token the program
    waits for the op to end; with one it goes on, and whoever needs the op's
    effects takes the token.
  }];
  let methods = [
    InterfaceMethod<"The tokens that must be done before the op starts.",
      "::mlir::OperandRange", "getAsyncDependencies">,
    InterfaceMethod<"The same tokens, for changing them.",
      "::mlir::MutableOperandRange", "getAsyncDependenciesMutable">,
    InterfaceMethod<"The token of the op, null where it blocks.",
      "::mlir::TypedValue<::aircc::air::AsyncTokenType>", "getAsyncToken">
  ];
  let extraSharedClassDeclaration = [{
    /// True if the program goes on without waiting for this op.
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
    `air.rank`, `air.launch`, `air.segment` and `air.herd`: a space of points, a
    body that is run at each point, and the values that the body gets. The
    body's block has the ids as its first arguments (one for each dimension),
    then the sizes, then one argument for each kernel operand.
  }];
  let methods = [
    InterfaceMethod<"The name of the op, where it has one.",
      "::std::optional<::llvm::StringRef>", "getSymName">,
    InterfaceMethod<"The operands that say how large the space is.",
      "::mlir::OperandRange", "getSizeOperands">,
    InterfaceMethod<"The operands that are handed to the body.",
      "::mlir::OperandRange", "getKernelOperands">,
    InterfaceMethod<"The same operands, for changing them.",
      "::mlir::MutableOperandRange", "getKernelOperandsMutable">,
    InterfaceMethod<"The region that is run at each point.",
      "::mlir::Region &", "getRegion">
  ];
  let extraSharedClassDeclaration = [{
    /// Number of dimensions of the space.
    unsigned getNumDims() { return $_op.getSizeOperands().size(); }

    /// The block that is run at each point. Every such op has exactly one.
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

    /// The sizes as attributes where they are constant, else as values.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes() {
      return ::mlir::getAsOpFoldResult($_op.getSizeOperands());
    }
    /// The sizes, ShapedType::kDynamic where they are not constant.
    ::llvm::SmallVector<int64_t> getStaticSizes() {
      ::llvm::SmallVector<int64_t> sizes;
      for (::mlir::OpFoldResult size : getMixedSizes())
        sizes.push_back(::mlir::getConstantIntValue(size).value_or(
            ::mlir::ShapedType::kDynamic));
      return sizes;
    }

    /// The block argument through which the body sees a kernel operand.
    ::mlir::BlockArgument getTiedKernelArgument(::mlir::OpOperand &operand) {
      // The kernel operands are the last ones.
      unsigned first =
          $_op->getNumOperands() - $_op.getKernelOperands().size();
      return getKernelArguments()[operand.getOperandNumber() - first];
    }
    /// The kernel operand that a block argument of the body stands for, null
    /// where it is an id or a size.
    ::mlir::Value getTiedKernelOperand(::mlir::BlockArgument arg) {
      if (arg.getOwner() != getBodyBlock() ||
          arg.getArgNumber() < 2 * getNumDims())
        return {};
      return $_op.getKernelOperands()[arg.getArgNumber() - 2 * getNumDims()];
    }

    /// Hands further values to the body and returns the arguments it sees.
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
    another, or both. `air.dma_memcpy_nd` has both; of `air.channel.put` and
    `air.channel.get` each has one, and the channel is the other end.
  }];
  let methods = [
    InterfaceMethod<[{
        What the op reads; its memref is null where the data comes from a
        channel.
      }], "::aircc::air::AccessPattern", "getSourcePattern">,
    InterfaceMethod<[{
        What the op writes; its memref is null where the data goes into a
        channel.
      }], "::aircc::air::AccessPattern", "getTargetPattern">,
    InterfaceMethod<[{
        Replaces offsets, sizes and strides (and not the memref) of the source.
        Only for an op that has one.
      }], "void", "setSourcePattern",
      (ins "const ::aircc::air::AccessPattern &":$pattern)>,
    InterfaceMethod<[{
        Replaces offsets, sizes and strides (and not the memref) of the target.
        Only for an op that has one.
      }], "void", "setTargetPattern",
      (ins "const ::aircc::air::AccessPattern &":$pattern)>,
    InterfaceMethod<[{
        Zeros put before the data in each dimension; none where absent.
      }], "::std::optional<::llvm::ArrayRef<int32_t>>", "getPadBefore">,
    InterfaceMethod<[{
        Zeros put after the data in each dimension; none where absent.
      }], "::std::optional<::llvm::ArrayRef<int32_t>>", "getPadAfter">
  ];
  let extraSharedClassDeclaration = [{
    /// True if the target gets zeros around the data.
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
    InterfaceMethod<"Which of the channels of an array.",
      "::mlir::OperandRange", "getIndices">,
    InterfaceMethod<"The buffer at this end.",
      "::mlir::TypedValue<::mlir::BaseMemRefType>", "getMemref">,
    InterfaceMethod<"How the buffer at this end is walked.",
      "::aircc::air::AccessPattern", "getPattern">
  ];
}

#endif // AIRCC_DIALECTS_AIR_AIRINTERFACES_TD
