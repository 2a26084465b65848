//===- GenerateHeader.cpp - The C header of a module ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/link/Link.h"

#include "dialects/air/EntryNames.h"
#include "dialects/air/TensorFunctions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <string>
#include <vector>

using namespace mlir;

namespace {

bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Returns the C type of a number that is an element in memory, or "" if it has
/// none. Floats narrower than 32 bits are represented as integers with the same
/// bits, because C has no portable type for them.
std::string getElementCType(Type type) {
  if (type.isIndex())
    return "int64_t";
  if (type.isF32())
    return "float";
  if (type.isF64())
    return "double";
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 16)
    return "uint16_t";
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8)
    return "uint8_t";
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    if (width == 1)
      return "bool";
    if (width == 8 || width == 16 || width == 32 || width == 64)
      return (integer.isUnsigned() ? "uint" : "int") + std::to_string(width) +
             "_t";
  }
  if (isa<LLVM::LLVMPointerType>(type))
    return "void *";
  return "";
}

/// Returns the C type of a number that is passed by value. Narrow floats are
/// passed in registers that no C integer type uses.
std::string getScalarCType(Type type) {
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32)
    return "";
  return getElementCType(type);
}

class HeaderWriter {
public:
  HeaderWriter(llvm::raw_ostream &os) : os(os) {}

  void write(ModuleOp module, StringRef fileName) {
    for (auto function : module.getOps<func::FuncOp>())
      if (function.isPublic() && !function.isDeclaration() &&
          !aircc::air::isProgramStart(function))
        declare(function);

    std::string guard;
    for (char c : llvm::sys::path::filename(fileName))
      guard += llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
    if (!isIdentifier(guard))
      guard = "AIRCC_" + guard;
    os << "/* C interface of a module compiled by aircc. */\n\n"
       << "#ifndef " << guard << "\n#define " << guard << "\n\n"
       << "#include <stdbool.h>\n#include <stdint.h>\n\n"
       << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    if (!structs.empty())
      os << "/* Views of arrays. The element at (i, j, ...) is "
            "aligned[offset + i * strides[0] + j * strides[1] + ...];\n"
            "   allocated is what to free. Offsets and strides count "
            "elements. */\n";
    for (auto &[name, body] : structs) {
      std::string defined = StringRef(name).upper() + "_DEFINED";
      os << "#ifndef " << defined << "\n#define " << defined << "\n"
         << "typedef struct {\n"
         << body << "} " << name << ";\n#endif\n\n";
    }
    for (const std::string &declaration : declarations)
      os << declaration << "\n";
    os << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
  }

private:
  /// Returns the struct for a memref descriptor; "" if its elements cannot be
  /// represented in C.
  std::string getDescriptor(BaseMemRefType type) {
    if (isa<UnrankedMemRefType>(type)) {
      structs["aircc_memref_unranked"] =
          "  int64_t rank;\n  void *descriptor;\n";
      return "aircc_memref_unranked";
    }
    std::string element = getElementCType(type.getElementType());
    if (element.empty() || type.getElementType().isInteger(1))
      return "";
    std::string elementName;
    llvm::raw_string_ostream(elementName) << type.getElementType();
    if (!isIdentifier(elementName))
      elementName = "ptr";
    int64_t rank = type.getRank();
    std::string name = "aircc_memref_" + std::to_string(rank) + "d_" +
                       StringRef(elementName).lower();
    std::string space = StringRef(element).ends_with("*") ? "" : " ";
    std::string body = "  " + element + space + "*allocated;\n  " + element +
                       space + "*aligned;\n  int64_t offset;\n";
    if (rank > 0)
      body += "  int64_t sizes[" + std::to_string(rank) +
              "];\n  int64_t strides[" + std::to_string(rank) + "];\n";
    structs[name] = body;
    return name;
  }

  /// Returns "TYPE NAME" for a parameter, or "" if it cannot be represented in
  /// C.
  std::string getParameter(Type type, StringRef name) {
    if (auto memref = dyn_cast<BaseMemRefType>(type)) {
      std::string descriptor = getDescriptor(memref);
      return descriptor.empty() ? "" : descriptor + " *" + name.str();
    }
    std::string scalar = getScalarCType(type);
    if (scalar.empty())
      return "";
    return scalar + (StringRef(scalar).ends_with("*") ? "" : " ") + name.str();
  }

  /// Returns a field of the struct in which several results are returned.
  std::string getField(Type type, StringRef name) {
    if (auto memref = dyn_cast<BaseMemRefType>(type)) {
      std::string descriptor = getDescriptor(memref);
      return descriptor.empty() ? "" : descriptor + " " + name.str();
    }
    std::string element = getElementCType(type);
    if (element.empty())
      return "";
    return element + (StringRef(element).ends_with("*") ? "" : " ") +
           name.str();
  }

  void leaveOut(func::FuncOp function, Type type) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "/* " << aircc::air::getEntryName(function.getSymName())
       << " is left out: C has no form of " << type << " here. */\n";
    declarations.push_back(text);
  }

  /// Returns the function type that callers of a function on tensors see.
  static FunctionType getEntryType(FunctionType type) {
    SmallVector<Type> inputs;
    auto getMemRef = [](RankedTensorType tensor) {
      return MemRefType::get(tensor.getShape(), tensor.getElementType());
    };
    for (Type input : type.getInputs()) {
      auto tensor = dyn_cast<RankedTensorType>(input);
      inputs.push_back(tensor ? getMemRef(tensor) : input);
    }
    for (Type result : type.getResults()) {
      auto tensor = dyn_cast<RankedTensorType>(result);
      inputs.push_back(tensor ? getMemRef(tensor)
                              : MemRefType::get({}, result));
    }
    return FunctionType::get(type.getContext(), inputs, {});
  }

  /// Declares what programs call for a function on tensors. `params` are the
  /// parameters of its C interface, the first `argumentCount` of which are not
  /// results.
  static void declareEntry(func::FuncOp function, ArrayRef<std::string> params,
                           unsigned argumentCount, llvm::raw_ostream &out) {
    std::string name = aircc::air::getEntryName(function.getSymName());
    std::string list = llvm::join(params, ", ");
    SmallVector<std::string> donated;
    for (unsigned i = 0; i < argumentCount; ++i)
      if (aircc::air::isDonated(function, i))
        donated.push_back("arg" + std::to_string(i));
    if (!donated.empty())
      out << "/* Donated, so a call may overwrite it (aircc/runtime.h): "
          << llvm::join(donated, ", ") << ". */\n";
    out << "int32_t aircc_" << name << "(" << (list.empty() ? "void" : list)
        << ");\n"
        << "/* The same on a stream, without waiting (aircc/runtime.h). */\n"
        << "int32_t aircc_" << name << "_async(" << list
        << (list.empty() ? "" : ", ") << "void *stream);\n";
    auto isDynamic = [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor && !tensor.hasStaticShape();
    };
    if (!llvm::any_of(function.getResultTypes(), isDynamic))
      return;
    SmallVector<std::string> arguments(params.take_front(argumentCount));
    arguments.push_back("int64_t *sizes");
    out << "/* Computes the dynamic sizes of its results. */\n"
        << "int32_t aircc_result_sizes_" << name << "("
        << llvm::join(arguments, ", ") << ");\n";
  }

  void declare(func::FuncOp function) {
    StringRef name = function.getSymName();
    // The results of an entry point on tensors are written to arguments.
    bool isEntry = aircc::air::usesTensors(function);
    if (!isEntry && !isIdentifier(name)) {
      declarations.push_back("/* '" + name.str() +
                             "' is left out: not a name in C. */\n");
      return;
    }
    std::string text;
    llvm::raw_string_ostream out(text);
    out << "/* " << aircc::air::getEntryName(name) << ": "
        << function.getFunctionType() << " */\n";
    FunctionType type = function.getFunctionType();
    if (isEntry)
      type = getEntryType(type);

    std::string result = "void ";
    SmallVector<std::string> params;
    if (type.getNumResults() == 1 && !isa<BaseMemRefType>(type.getResult(0))) {
      std::string scalar = getScalarCType(type.getResult(0));
      if (scalar.empty())
        return leaveOut(function, type.getResult(0));
      result = scalar + (StringRef(scalar).ends_with("*") ? "" : " ");
    } else if (type.getNumResults() == 1) {
      std::string param = getParameter(type.getResult(0), "result");
      if (param.empty())
        return leaveOut(function, type.getResult(0));
      params.push_back(param);
    } else if (type.getNumResults() > 1) {
      out << "typedef struct {\n";
      for (auto [i, resultType] : llvm::enumerate(type.getResults())) {
        std::string field = getField(resultType, "result" + std::to_string(i));
        if (field.empty())
          return leaveOut(function, resultType);
        out << "  " << field << ";\n";
      }
      out << "} " << name << "_results;\n";
      params.push_back(name.str() + "_results *results");
    }
    for (auto [i, input] : llvm::enumerate(type.getInputs())) {
      unsigned count = function.getNumArguments();
      std::string param =
          getParameter(input, i < count ? "arg" + std::to_string(i)
                                        : "result" + std::to_string(i - count));
      if (param.empty())
        return leaveOut(function, input);
      params.push_back(param);
    }
    if (isEntry)
      declareEntry(function, params, function.getNumArguments(), out);
    else
      out << result << "_mlir_ciface_" << name << "("
          << (params.empty() ? "void" : llvm::join(params, ", ")) << ");\n";
    declarations.push_back(text);
  }

  llvm::raw_ostream &os;
  llvm::MapVector<std::string, std::string, std::map<std::string, unsigned>>
      structs;
  std::vector<std::string> declarations;
};

} // namespace

LogicalResult aircc::generateHeader(ModuleOp module, StringRef fileName,
                                    llvm::raw_ostream &os) {
  HeaderWriter(os).write(module, fileName);
  return success();
}
