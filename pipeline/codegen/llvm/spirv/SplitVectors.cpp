//===- SplitVectors.cpp - Vectors of sizes that SPIR-V lacks --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// SPIR-V for OpenCL has vectors of 2, 3, 4, 8 and 16 elements, but no vectors
// of pointers. For a load of 32 rows, for example, LLVM 22.1.8's backend emits
// an OpTypeVector of 32 elements, which is invalid. It widens vectors of 3
// elements to 4, even in memory, where the last element is undefined.
//
// This pass splits values of other vector types into single elements and
// vectors that SPIR-V has. Values in memory keep their layout.
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/llvm/spirv/ForeignTypes.h"
#include "pipeline/codegen/llvm/spirv/SPIRVPasses.h"
#include "pipeline/codegen/llvm/spirv/VectorPieces.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace aircc::spirv;

namespace {

/// Splits the values of one function.
class Splitter {
public:
  explicit Splitter(Function &function)
      : function(function), layout(function.getParent()->getDataLayout()),
        b(function.getContext()) {}

  void run() {
    SmallVector<Instruction *> affected = findForeign(function, isSplit);
    for (Instruction *instruction : affected) {
      b.SetInsertPoint(instruction);
      if (!visit(*instruction)) {
        reportForeign(*instruction, "vectors of this size");
        return;
      }
    }
    for (auto [phi, created] : phis)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        BasicBlock *block = phi->getIncomingBlock(i);
        b.SetInsertPoint(block->getTerminator());
        Values parts = getPieces(phi->getIncomingValue(i));
        for (auto [piece, part] : zip_equal(created, parts))
          cast<PHINode>(piece)->addIncoming(part, block);
      }
    eraseReplaced(affected);
  }

private:
  //===--------------------------------------------------------------------===//
  // Pieces
  //===--------------------------------------------------------------------===//

  /// Returns the pieces of a split vector. A value of another type is its own
  /// only piece.
  Values getPieces(Value *value) {
    if (!isSplit(value->getType()))
      return {value};
    if (auto it = pieces.find(value); it != pieces.end())
      return it->second;
    auto *type = cast<FixedVectorType>(value->getType());
    auto *constant = cast<Constant>(value);
    Values result;
    unsigned first = 0;
    for (unsigned size : getSizes(type)) {
      SmallVector<Constant *> elements;
      for (unsigned i = 0; i < size; ++i)
        elements.push_back(constant->getAggregateElement(first + i));
      result.push_back(size == 1 ? elements[0] : ConstantVector::get(elements));
      first += size;
    }
    return result;
  }

  /// Returns elements [first, first + count) of `value`, which may be split.
  Value *getRange(Value *value, unsigned first, unsigned count) {
    return shuffle({value}, to_vector(seq<int>(first, first + count)));
  }

  /// Returns the elements that `mask` selects (-1 for any) from all `sources`,
  /// in order, as one value of a type that is not split.
  Value *shuffle(ArrayRef<Value *> sources, ArrayRef<int> mask) {
    Values parts;
    for (Value *source : sources)
      append_range(parts, getPieces(source));
    return shufflePieces(b, parts, mask);
  }

  /// Sets the value that replaces `instruction`.
  void define(Instruction &instruction, Values result) {
    if (isSplit(instruction.getType()))
      pieces[&instruction] = std::move(result);
    else
      instruction.replaceAllUsesWith(result[0]);
  }

  //===--------------------------------------------------------------------===//
  // Instructions
  //===--------------------------------------------------------------------===//

  bool visit(Instruction &instruction) {
    if (auto *phi = dyn_cast<PHINode>(&instruction))
      return visitPhi(*phi);
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return visitLoad(*load);
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      return visitStore(*store);
    if (auto *extract = dyn_cast<ExtractElementInst>(&instruction))
      return visitExtract(*extract);
    if (auto *insert = dyn_cast<InsertElementInst>(&instruction))
      return visitInsert(*insert);
    if (auto *shuffled = dyn_cast<ShuffleVectorInst>(&instruction))
      return visitShuffle(*shuffled);
    if (auto *cast = dyn_cast<BitCastInst>(&instruction))
      return visitBitCast(*cast);
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      return visitIntrinsic(*call);
    if (isa<UnaryOperator, BinaryOperator, CastInst, CmpInst, SelectInst,
            FreezeInst, GetElementPtrInst>(instruction))
      return visitElementwise(instruction);
    return false;
  }

  bool visitPhi(PHINode &phi) {
    auto *type = dyn_cast<FixedVectorType>(phi.getType());
    if (!type)
      return false;
    Values result;
    for (unsigned size : getSizes(type))
      result.push_back(b.CreatePHI(getPieceType(type->getElementType(), size),
                                   phi.getNumIncomingValues()));
    phis.push_back({&phi, result});
    define(phi, result);
    return true;
  }

  /// Returns the sizes of the pieces for an elementwise operation. Pointers are
  /// single elements.
  static SmallVector<unsigned, 4> getCommonSizes(Instruction &instruction) {
    auto *type = cast<FixedVectorType>(instruction.getType());
    for (Value *operand : instruction.operands())
      if (auto *other = dyn_cast<FixedVectorType>(operand->getType());
          other && other->getElementType()->isPointerTy())
        type = other;
    return getSizes(type);
  }

  /// Splits an elementwise operation.
  bool visitElementwise(Instruction &instruction) {
    auto *type = cast<FixedVectorType>(instruction.getType());
    Values result;
    unsigned first = 0;
    for (unsigned size : getCommonSizes(instruction)) {
      Values operands;
      for (Value *operand : instruction.operands())
        operands.push_back(isa<FixedVectorType>(operand->getType())
                               ? getRange(operand, first, size)
                               : operand);
      Instruction *part = instruction.clone();
      for (auto [number, operand] : enumerate(operands))
        part->setOperand(number, operand);
      part->mutateType(getPieceType(type->getElementType(), size));
      b.Insert(part);
      result.push_back(part);
      first += size;
    }
    // The results of operations on pointers may be whole or have other pieces.
    if (!isSplit(type) || result.size() != getSizes(type).size())
      return defineFromElements(instruction, result);
    define(instruction, result);
    return true;
  }

  bool defineFromElements(Instruction &instruction,
                          ArrayRef<Value *> elements) {
    auto *type = cast<FixedVectorType>(instruction.getType());
    if (elements.size() != type->getNumElements())
      return false;
    SmallVector<unsigned, 4> sizes = {type->getNumElements()};
    if (isSplit(type))
      sizes = getSizes(type);
    Values result;
    for (unsigned size : sizes) {
      Value *piece =
          PoisonValue::get(getPieceType(type->getElementType(), size));
      for (unsigned i = 0; i < size; ++i)
        piece = size == 1 ? elements[i]
                          : b.CreateInsertElement(piece, elements[i], i);
      elements = elements.drop_front(size);
      result.push_back(piece);
    }
    define(instruction, result);
    return true;
  }

  bool visitIntrinsic(IntrinsicInst &call) {
    auto *type = dyn_cast<FixedVectorType>(call.getType());
    if (!type || !isTriviallyVectorizable(call.getIntrinsicID()))
      return false;
    Values result;
    for (auto [index, size] : enumerate(getSizes(type))) {
      Values args;
      for (Value *arg : call.args()) {
        Values parts = getPieces(arg);
        args.push_back(parts[parts.size() == 1 ? 0 : index]);
      }
      Value *part =
          b.CreateIntrinsic(getPieceType(type->getElementType(), size),
                            call.getIntrinsicID(), args);
      if (auto *math = dyn_cast<Instruction>(part);
          math && isa<FPMathOperator>(call))
        math->copyIRFlags(&call);
      result.push_back(part);
    }
    define(call, result);
    return true;
  }

  /// Calls `function` with the size, address and alignment of each piece.
  void forEachInMemory(
      FixedVectorType *type, Value *pointer, Align alignment,
      function_ref<void(unsigned index, Type *, Value *, Align)> access) {
    Type *element = type->getElementType();
    uint64_t bytes = layout.getTypeStoreSize(element);
    uint64_t offset = 0;
    for (auto [index, size] : enumerate(getSizes(type))) {
      Value *address = offset
                           ? b.CreateInBoundsPtrAdd(pointer, b.getInt64(offset))
                           : pointer;
      access(index, getPieceType(element, size), address,
             commonAlignment(alignment, offset));
      offset += bytes * size;
    }
  }

  /// Returns whether the elements have whole bytes. Memory packs elements
  /// smaller than a byte.
  static bool isBytes(Type *type) {
    return type->getScalarType()->isPointerTy() ||
           type->getScalarSizeInBits() % 8 == 0;
  }

  bool visitLoad(LoadInst &load) {
    auto *type = cast<FixedVectorType>(load.getType());
    if (!isBytes(type) || load.isAtomic())
      return false;
    Values result;
    forEachInMemory(type, load.getPointerOperand(), load.getAlign(),
                    [&](unsigned, Type *part, Value *address, Align alignment) {
                      LoadInst *loaded = b.CreateAlignedLoad(
                          part, address, alignment, load.isVolatile());
                      loaded->copyMetadata(load);
                      result.push_back(loaded);
                    });
    define(load, result);
    return true;
  }

  bool visitStore(StoreInst &store) {
    auto *type = cast<FixedVectorType>(store.getValueOperand()->getType());
    if (!isBytes(type) || store.isAtomic())
      return false;
    Values parts = getPieces(store.getValueOperand());
    forEachInMemory(
        type, store.getPointerOperand(), store.getAlign(),
        [&](unsigned index, Type *, Value *address, Align alignment) {
          StoreInst *stored = b.CreateAlignedStore(
              parts[index], address, alignment, store.isVolatile());
          stored->copyMetadata(store);
        });
    return true;
  }

  bool visitExtract(ExtractElementInst &extract) {
    Value *vector = extract.getVectorOperand();
    if (auto *index = dyn_cast<ConstantInt>(extract.getIndexOperand())) {
      uint64_t place = index->getZExtValue();
      Value *element =
          place < getCount(vector->getType())
              ? getRange(vector, place, 1)
              : PoisonValue::get(vector->getType()->getScalarType());
      define(extract, {element});
      return true;
    }
    // Extract the element from each piece, then select the right one.
    Value *result = nullptr;
    forEachRange(extract.getIndexOperand(), getPieces(vector),
                 [&](unsigned, Value *part, Value *place, Value *isIn) {
                   Value *element = isa<FixedVectorType>(part->getType())
                                        ? b.CreateExtractElement(part, place)
                                        : part;
                   result =
                       result ? b.CreateSelect(isIn, element, result) : element;
                 });
    define(extract, {result});
    return true;
  }

  bool visitInsert(InsertElementInst &insert) {
    Values parts = getPieces(insert.getOperand(0));
    Value *element = insert.getOperand(1);
    Values result(parts.size());
    forEachRange(insert.getOperand(2), parts,
                 [&](unsigned index, Value *part, Value *place, Value *isIn) {
                   if (auto *known = dyn_cast<ConstantInt>(isIn);
                       known && known->isZero())
                     result[index] = part;
                   else
                     result[index] = b.CreateSelect(
                         isIn,
                         isa<FixedVectorType>(part->getType())
                             ? b.CreateInsertElement(part, element, place)
                             : element,
                         part);
                 });
    define(insert, result);
    return true;
  }

  /// Calls `function` for each piece with the index in the piece and whether
  /// `index` is in the piece.
  void forEachRange(
      Value *index, ArrayRef<Value *> parts,
      function_ref<void(unsigned, Value *, Value *, Value *)> visitPart) {
    unsigned first = 0;
    for (auto [number, part] : enumerate(parts)) {
      unsigned count = getCount(part->getType());
      Value *place =
          b.CreateSub(index, ConstantInt::get(index->getType(), first));
      Value *isIn =
          b.CreateICmpULT(place, ConstantInt::get(index->getType(), count));
      // An index outside the piece must not be undefined.
      if (!isa<ConstantInt>(place))
        place =
            b.CreateSelect(isIn, place, ConstantInt::get(index->getType(), 0));
      visitPart(number, part, place, isIn);
      first += count;
    }
  }

  bool visitShuffle(ShuffleVectorInst &shuffled) {
    auto *type = cast<FixedVectorType>(shuffled.getType());
    SmallVector<unsigned, 4> sizes = {type->getNumElements()};
    if (isSplit(type))
      sizes = getSizes(type);
    Values result;
    ArrayRef<int> mask = shuffled.getShuffleMask();
    for (unsigned size : sizes) {
      result.push_back(shuffle({shuffled.getOperand(0), shuffled.getOperand(1)},
                               mask.take_front(size)));
      mask = mask.drop_front(size);
    }
    define(shuffled, result);
    return true;
  }

  /// Casts the pieces of the source if their ends match those of the result.
  /// Otherwise, casts element by element of the wider type.
  bool visitBitCast(BitCastInst &cast) {
    Value *source = cast.getOperand(0);
    Type *from = source->getType()->getScalarType(),
         *to = cast.getType()->getScalarType();
    if (from->isPointerTy() || to->isPointerTy())
      return visitElementwise(cast);
    SmallVector<unsigned, 4> sizes = {getCount(cast.getType())};
    if (isSplit(cast.getType()))
      sizes = getSizes(llvm::cast<FixedVectorType>(cast.getType()));
    Values result;
    uint64_t firstBit = 0;
    for (unsigned size : sizes) {
      Value *piece = castPiece(source, firstBit, to, size);
      if (!piece)
        return false;
      result.push_back(piece);
      firstBit += uint64_t(size) * to->getScalarSizeInBits();
    }
    define(cast, result);
    return true;
  }

  /// Returns the bits of `source` starting at `firstBit` as `size` elements of
  /// type `to`; null if that would split elements.
  Value *castPiece(Value *source, uint64_t firstBit, Type *to, unsigned size) {
    Type *from = source->getType()->getScalarType();
    unsigned fromBits = from->getScalarSizeInBits(),
             toBits = to->getScalarSizeInBits();
    uint64_t bits = uint64_t(size) * toBits;
    Type *type = getPieceType(to, size);
    // A range of the source with a legal size needs one cast.
    uint64_t count = bits / fromBits;
    bool isRange =
        bits % fromBits == 0 && firstBit % fromBits == 0 &&
        (count == 1 ||
         (count <= 16 && !isSplit(FixedVectorType::get(from, count))));
    if (isRange)
      return b.CreateBitCast(getRange(source, firstBit / fromBits, count),
                             type);
    unsigned unit = std::max(fromBits, toBits);
    if (bits % unit != 0 || unit % fromBits != 0 || unit % toBits != 0)
      return nullptr;
    // A unit is one element of one type and several elements of the other.
    Value *whole = PoisonValue::get(type);
    unsigned perUnit = unit / toBits;
    for (uint64_t at = 0; at < bits; at += unit) {
      Value *piece =
          getRange(source, (firstBit + at) / fromBits, unit / fromBits);
      piece = b.CreateBitCast(piece, getPieceType(to, perUnit));
      for (unsigned i = 0; i < perUnit; ++i) {
        Value *element =
            perUnit == 1 ? piece : b.CreateExtractElement(piece, i);
        whole = size == 1
                    ? element
                    : b.CreateInsertElement(whole, element, at / toBits + i);
      }
    }
    return whole;
  }

  Function &function;
  const DataLayout &layout;
  IRBuilder<> b;
  DenseMap<Value *, Values> pieces;
  SmallVector<std::pair<PHINode *, Values>> phis;
};

} // namespace

PreservedAnalyses SplitVectorsPass::run(Function &function,
                                        FunctionAnalysisManager &) {
  Splitter(function).run();
  return PreservedAnalyses::none();
}
