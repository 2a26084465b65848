//===- Translator.h - Translation of SPIR-V to LLVM IR ----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each function becomes a host function that executes one lane. Its first
// parameter is the Lane. Collective operations, checks and output are calls to
// the host (Host.h). All pointers are host addresses in one address space.
// Instructions that are not simulated throw Unsupported with their name and
// position.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_SIMULATOR_SPIRV_TRANSLATE_TRANSLATOR_H
#define AIRCC_SIMULATOR_SPIRV_TRANSLATE_TRANSLATOR_H

#include "simulator/api/Simulator.h"
#include "simulator/spirv/Kernel.h"
#include "simulator/spirv/SpirvModule.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <map>
#include <set>
#include <string>

namespace aircc::sim::spirv {

/// The deepest nesting of types, constants and calls. Deeper nesting is treated
/// as infinite recursion.
constexpr size_t kMaxNesting = 512;

/// The number of inaccessible bytes between variables in shared local memory.
constexpr uint32_t kSlmGap = 64;

/// Types, constants, variables of the module, and its functions.
class ModuleTranslator {
public:
  ModuleTranslator(const SpirvModule &spirv, llvm::Module &module,
                   SpirvProgram &program, bool traced);
  /// Translates all functions and describes the kernels in the Program.
  void run();

  llvm::Type *type(uint32_t id);
  const Instruction &definition(uint32_t id) const;
  /// Returns the type and the storage class to which a pointer type points.
  uint32_t pointee(uint32_t pointerType) const;
  spv::StorageClass storage(uint32_t pointerType) const;
  bool isPointer(uint32_t typeId) const;

  /// Returns the constant with this id, or null.
  llvm::Constant *findConstant(uint32_t id);
  /// Returns the value of a constant integer. Throws if it is not constant.
  uint64_t integer(uint32_t id, const Instruction &user);
  /// Returns the address of a variable that all lanes share, or null.
  llvm::Constant *findGlobal(uint32_t id) const;
  const SlmVariable *findSlm(uint32_t id) const;
  llvm::Function *function(uint32_t id) const;
  const Function *source(uint32_t id) const;

  uint64_t bytesOf(llvm::Type *type) const {
    return module.getDataLayout().getTypeStoreSize(sized(type));
  }
  uint64_t allocBytesOf(llvm::Type *type) const {
    return module.getDataLayout().getTypeAllocSize(sized(type));
  }
  /// Returns the type. Throws if it has no size (void).
  static llvm::Type *sized(llvm::Type *type);

  /// Returns the declared alignment of a variable, or of the memory to which a
  /// parameter points, but at least `least`.
  uint32_t declaredAlignment(const Instruction &variable, uint32_t least) const;
  /// Fails if values of the type have more elements than an instruction may
  /// have.
  void checkValueSize(const Instruction &where, llvm::Type *type) const;
  /// Returns the size of a variable. Fails if no device has that much memory.
  uint32_t variableBytes(const Instruction &variable, llvm::Type *type) const;

  [[noreturn]] void fail(const Instruction &where, const std::string &what,
                         const std::string &function = "") const;
  /// Fills in the position of a site.
  void place(Site &site, const Instruction &where, const std::string &function,
             std::string what = "") const;

  const SpirvModule &spirv;
  llvm::Module &module;
  llvm::LLVMContext &context;
  SpirvProgram &program;
  const bool traced; ///< Whether to emit calls that report each instruction.
  /// If set, instructions that are not simulated are counted here instead of
  /// being thrown, and the translation is incomplete.
  simulator::Coverage *coverage = nullptr;
  /// The stack bytes of functions, by id.
  std::map<uint32_t, uint64_t> stackBytes;

private:
  llvm::Type *makeType(const Instruction &i);
  llvm::Constant *makeConstant(const Instruction &i);
  llvm::Constant *nullOrOnes(llvm::Type *type, bool ones) const;
  void declareVariables();
  void declareFunctions();
  void makeKernel(const EntryPoint &entry);
  void layOutSlm(const llvm::SetVector<uint32_t> &reached, SpirvKernel &kernel);
  void emitEntry(const EntryPoint &entry, SpirvKernel &kernel);
  void measurePrivateMemory(const EntryPoint &entry,
                            const llvm::SetVector<uint32_t> &reached,
                            SpirvKernel &kernel);
  /// Collects `id` and all functions that it calls. Throws on recursion.
  void collectCalls(uint32_t id, llvm::SmallVectorImpl<uint32_t> &path,
                    llvm::SetVector<uint32_t> &reached);
  /// Returns the largest sum of `bytesOf` along any chain of calls from `id`.
  /// `known` caches sums.
  uint64_t sumOfCalls(uint32_t id,
                      llvm::function_ref<uint64_t(uint32_t)> bytesOf,
                      std::map<uint32_t, uint64_t> &known);

  // By id. These are std::maps, because ids in a damaged module can be the
  // reserved keys of DenseMap.
  std::map<uint32_t, llvm::Type *> types;
  std::map<uint32_t, llvm::Constant *> constants;
  std::map<uint32_t, llvm::Constant *> globals;
  std::map<uint32_t, SlmVariable> slm;
  std::map<uint32_t, llvm::Function *> functions;
  std::map<uint32_t, const Function *> sources;
  std::map<uint32_t, const FrameLayout *> frameOf;
  std::map<uint32_t, llvm::SmallVector<uint32_t>> calls;
  /// Types and constants under construction, to detect recursive ones.
  std::set<uint32_t> underConstruction;
};

/// Translates the body of a function. Each family of instructions has a file
/// and a member function, which returns false for other instructions.
class FunctionTranslator {
public:
  FunctionTranslator(ModuleTranslator &outer, const Function &source,
                     llvm::Function &function);
  /// Translates the function. Returns its frame, or null if it needs none.
  const FrameLayout *run();

private:
  using Value = llvm::Value;
  using Type = llvm::Type;

  void instruction(const Instruction &i);
  /// Does the same as instruction(), but counts instructions that are not
  /// simulated.
  void countInstruction(const Instruction &i);
  /// Fails if the operands have invalid types (TranslateChecks.cpp).
  void checkOperands(const Instruction &i);
  /// Fails if the number or the types of an OpenCL.std instruction's arguments
  /// are invalid.
  void checkExtended(const Instruction &i, unsigned number,
                     llvm::ArrayRef<llvm::Value *> arguments,
                     llvm::Type *result);
  /// Fails if the size of a value is not `bytes`.
  void expectBytes(const Instruction &i, llvm::Value *v, uint64_t bytes);
  bool arithmetic(const Instruction &i);
  bool comparison(const Instruction &i);
  bool bits(const Instruction &i);
  bool conversion(const Instruction &i);
  bool composite(const Instruction &i);
  void dynamicElement(const Instruction &i);
  void shuffle(const Instruction &i);
  void construct(const Instruction &i);
  void element(const Instruction &i);
  bool memory(const Instruction &i);
  bool pointers(const Instruction &i);
  bool atomic(const Instruction &i);
  bool control(const Instruction &i);
  bool group(const Instruction &i);
  bool extended(const Instruction &i);

  // Values
  Value *value(uint32_t id);
  Value *operand(const Instruction &i, unsigned n) {
    return value(i.operand(n));
  }
  void set(const Instruction &i, Value *v);
  Type *type(uint32_t id) { return outer.type(id); }
  uint32_t typeIdOf(uint32_t id) const { return outer.definition(id).type; }
  /// Applies `make` to a scalar, or to each element of a vector.
  Value *byElement(Type *result, llvm::ArrayRef<Value *> operands,
                   llvm::function_ref<Value *(llvm::ArrayRef<Value *>)> make);
  /// Returns the integer type of the same shape and element size.
  Type *integersLike(Type *type) {
    if (auto *vector = llvm::dyn_cast<llvm::VectorType>(type))
      return llvm::VectorType::getInteger(vector);
    return b.getIntNTy(type->getScalarSizeInBits());
  }
  Value *splat(Type *type, uint64_t v) {
    return llvm::ConstantInt::get(type, v);
  }
  [[noreturn]] void fail(const Instruction &i, const std::string &what) {
    outer.fail(i, what, name);
  }

  // Calls to the host
  Value *pointerTo(const void *object);
  Value *callHost(const void *function, Type *result,
                  llvm::ArrayRef<Value *> arguments);
  const Site *site(const Instruction &i, std::string what = "");
  void faultIf(const Instruction &i, Value *bad, const char *why);

  // Traces
  TraceSite *traceBegin(const Instruction &i);
  void traceEnd(const Instruction &i, TraceSite &site);
  /// Stores a value in the record at `end`, and advances `end`.
  TraceSite::Value traceValue(uint32_t id, Value *v, uint32_t &end);
  void tracePhis();

  // Arithmetic
  Value *divide(const Instruction &i, llvm::Instruction::BinaryOps op);
  Value *shift(const Instruction &i, llvm::Instruction::BinaryOps op);
  Value *carry(const Instruction &i);
  Value *bitField(const Instruction &i);

  // Conversions
  Value *toInteger(const Instruction &i, Value *v, Type *to, bool isSigned);
  Value *toFloat(const Instruction &i, Value *v, Type *to, bool isSigned);
  Value *convertFloat(const Instruction &i, Value *v, Type *to);
  /// Calls a host function, for rounding modes that LLVM IR does not have.
  Value *convertSlowly(Value *v, Type *to, bool isSigned, unsigned rounding);
  std::optional<unsigned> rounding(const Instruction &i) const;

  // Memory
  void findLocalVariables();
  std::optional<int64_t> constantOffset(const Instruction &chain);
  void makeVariables();
  Value *initialValue(const Instruction &variable);
  uint64_t blockBytes(const Instruction &call) const;
  /// An access to memory as described to checkAccess().
  struct Access {
    AccessSite::Kind kind = AccessSite::Load;
    uint32_t pointer = 0; ///< The id of the pointer.
    uint64_t bytes = 0;
    uint32_t alignment = 1;
    Value *dynamicBytes = nullptr; ///< The size, if it is not constant.
    std::string what = {};         ///< For messages. If empty, the instruction.
    Value *address = nullptr;      ///< If it is not the value of `pointer`.
    bool isVolatile = false;
  };
  /// Emits the check of an access. Fails on accesses that are never legal.
  void checkAccess(const Instruction &i, Access access);
  void checkByWindow(const AccessSite &site, Value *address);
  uint32_t alignmentOf(const Instruction &i, unsigned firstOperand,
                       uint32_t pointer, Type *accessed, bool &isVolatile);
  Value *loadFrom(const Instruction &i, uint32_t pointer, Value *address,
                  Type *type, uint32_t alignment, bool isVolatile = false);
  void storeTo(const Instruction &i, uint32_t pointer, Value *address, Value *v,
               uint32_t alignment, bool isVolatile = false);
  Value *accessChain(const Instruction &i, bool isPointerChain);
  /// Returns the address in Lane of a variable decorated with BuiltIn.
  Value *builtinAddress(const Instruction &variable);

  // Control flow
  llvm::BasicBlock *block(const Instruction &i, uint32_t label);
  void spendBudget(const Instruction &i, llvm::ArrayRef<uint32_t> targets);
  void finishPhis();
  void leaveFrame();
  Value *call(const Instruction &i);

  // Collective operations
  CollectiveSite &collectiveSite(const Instruction &i, std::string what = "");
  Value *converge(CollectiveSite &site, llvm::ArrayRef<Value *> operands,
                  Type *result);
  void describeValue(CollectiveSite &site, Type *type);
  spv::Scope scopeOf(const Instruction &i, unsigned n);
  Value *builtinCall(const Instruction &i, const Function &callee);
  Value *block2DCall(const Instruction &i, llvm::StringRef plain,
                     const BlockShape &shape,
                     llvm::ArrayRef<Value *> arguments);
  Value *barrierCall(const Instruction &i, llvm::StringRef plain);
  Value *workItemCall(const Instruction &i, llvm::StringRef name,
                      llvm::ArrayRef<Value *> arguments);
  Value *blockCall1D(const Instruction &i, uint32_t pointer, Value *data,
                     Type *result, std::string what);
  Value *ballotBits(const Instruction &i);
  Value *laneField(size_t offset, Type *type);

  // Extended instructions
  Value *extendedFloat(const Instruction &i, unsigned number,
                       llvm::ArrayRef<Value *> arguments, Type *result);
  Value *extendedInteger(const Instruction &i, unsigned number,
                         llvm::ArrayRef<Value *> arguments, Type *result);
  /// Handles the geometric functions: length, distance, normalize and cross.
  /// Returns null for another number.
  Value *geometric(unsigned number, llvm::ArrayRef<Value *> x, Type *t);
  /// Handles smoothstep, nextafter, nan and ilogb. Returns null for another
  /// number.
  Value *floatByParts(unsigned number, llvm::ArrayRef<Value *> x, Type *t);
  /// Handles halved sums and saturating multiply-adds. Returns null for another
  /// number.
  Value *integerByWidening(unsigned number, llvm::ArrayRef<Value *> x, Type *t);
  Value *shuffleElements(unsigned number, llvm::ArrayRef<Value *> x, Type *t);
  bool extendedMemory(const Instruction &i, unsigned number);
  void vectorAccess(const Instruction &i, const struct VectorRow &row);
  /// Calls a function of doubles for the elements of one result.
  Value *callDouble(const void *callee, Type *result,
                    llvm::ArrayRef<Value *> operands);
  void remquo(const Instruction &i);
  void twoResults(const Instruction &i, unsigned number,
                  const struct TwoResults &two);
  Value *print(const Instruction &i);
  Value *mathCall(const struct MathFunction &function,
                  llvm::ArrayRef<Value *> arguments, Type *result);

  ModuleTranslator &outer;
  const Function &source;
  llvm::Function &function;
  std::string name;
  llvm::IRBuilder<> b;
  Value *lane = nullptr;
  llvm::BasicBlock *entry = nullptr;
  // By id, as in ModuleTranslator.
  std::map<uint32_t, Value *> values;
  std::map<uint32_t, llvm::BasicBlock *> blocks;
  std::map<uint32_t, unsigned> blockOrder; ///< By label.
  llvm::DenseMap<llvm::BasicBlock *, uint32_t> labelOfEnd;
  llvm::SmallVector<std::pair<const Instruction *, llvm::PHINode *>> phis;
  uint32_t currentLabel = 0;
  llvm::AllocaInst *record = nullptr; ///< Values for converge().
  uint64_t recordBytes = 0;
  llvm::AllocaInst *traceRecord = nullptr; ///< Values for the trace, or null.
  uint64_t traceRecordBytes = 0;
  /// Phis of the current block before its first other instruction.
  llvm::SmallVector<const Instruction *> untracedPhis;
  FrameLayout *frame = nullptr;
  /// A pointer to a constant offset in a variable of the function.
  struct Place {
    uint32_t variable;
    int64_t offset;
  };
  std::map<uint32_t, Place> places;
  /// Variables whose address is used only by such pointers.
  std::set<uint32_t> followed;
  /// Instructions on constants under construction.
  std::set<uint32_t> underConstruction;
};

} // namespace aircc::sim::spirv

#endif // AIRCC_SIMULATOR_SPIRV_TRANSLATE_TRANSLATOR_H
