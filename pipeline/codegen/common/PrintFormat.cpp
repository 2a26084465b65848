//===- PrintFormat.cpp - Parse format strings -----------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/codegen/common/PrintFormat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace aircc {

namespace {

class FormatParser {
public:
  FormatParser(StringRef format, TypeRange arguments, Backend backend,
               function_ref<InFlightDiagnostic()> emitError)
      : rest(format), arguments(arguments), isOpenCL(backend == Backend::XeVM),
        emitError(emitError) {}

  FailureOr<PrintFormat> parse();

private:
  LogicalResult parseConversion();
  /// Parses digits, or '*' for an argument.
  LogicalResult parseNumber();
  LogicalResult take(PrintKind kind, StringRef conversion);

  StringRef rest;
  TypeRange arguments;
  bool isOpenCL;
  function_ref<InFlightDiagnostic()> emitError;
  PrintFormat result;
};

} // namespace

FailureOr<PrintFormat> FormatParser::parse() {
  while (!rest.empty()) {
    StringRef literal = rest.take_until([](char c) { return c == '%'; });
    result.text += literal;
    rest = rest.drop_front(literal.size());
    if (rest.empty())
      break;
    if (rest.consume_front("%%")) {
      result.text += "%%";
      continue;
    }
    if (failed(parseConversion()))
      return failure();
  }
  if (result.kinds.size() == arguments.size())
    return result;
  emitError() << "expects " << result.kinds.size()
              << " arguments for its format, but got " << arguments.size();
  return failure();
}

LogicalResult FormatParser::parseNumber() {
  if (rest.consume_front("*")) {
    if (isOpenCL) {
      emitError() << "uses '*' in its format, which OpenCL's printf does not "
                     "support; write the number";
      return failure();
    }
    result.text += '*';
    return take(PrintKind::Signed, "*");
  }
  StringRef digits = rest.take_while(llvm::isDigit);
  result.text += digits;
  rest = rest.drop_front(digits.size());
  return success();
}

LogicalResult FormatParser::parseConversion() {
  const StringRef whole = rest;
  auto soFar = [&] { return whole.drop_back(rest.size()); };
  rest = rest.drop_front();
  StringRef flags =
      rest.take_while([](char c) { return StringRef("-+ #0").contains(c); });
  rest = rest.drop_front(flags.size());
  result.text += '%';
  result.text += flags;
  if (failed(parseNumber()))
    return failure();
  if (rest.consume_front(".")) {
    result.text += '.';
    if (failed(parseNumber()))
      return failure();
  }
  StringRef length =
      rest.take_while([](char c) { return StringRef("hlLqjzt").contains(c); });
  rest = rest.drop_front(length.size());
  if (rest.empty()) {
    emitError() << "has a format that ends in an incomplete conversion, '"
                << whole << "'; write %% for a percent sign";
    return failure();
  }
  const char kind = rest.front();
  rest = rest.drop_front();
  // `h` and `hh` are kept; all other integers have 64 bits.
  StringRef integerLength = length.starts_with("h") ? length
                            : isOpenCL              ? "l"
                                                    : "ll";
  switch (kind) {
  case 'd':
  case 'i':
    result.text += integerLength;
    result.text += kind;
    return take(PrintKind::Signed, soFar());
  case 'o':
  case 'u':
  case 'x':
  case 'X':
    result.text += integerLength;
    result.text += kind;
    return take(PrintKind::Unsigned, soFar());
  case 'c':
    result.text += kind;
    return take(PrintKind::Character, soFar());
  case 'p':
    if (isOpenCL) {
      emitError() << "uses '" << soFar()
                  << "' in its format, for which OpenCL's printf requires a "
                     "pointer; write %lx";
      return failure();
    }
    result.text += kind;
    return take(PrintKind::Pointer, soFar());
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    result.text += kind;
    return take(PrintKind::Float, soFar());
  case 's':
  case 'n':
    emitError() << "uses the conversion '" << soFar()
                << "', which takes no MLIR type; write the text in the format "
                   "string itself";
    return failure();
  default:
    emitError() << "uses '" << soFar()
                << "' in its format, which is not a C conversion; write %% for "
                   "a percent sign";
    return failure();
  }
}

LogicalResult FormatParser::take(PrintKind kind, StringRef conversion) {
  const size_t index = result.kinds.size();
  result.kinds.push_back(kind);
  if (index >= arguments.size())
    return success(); // parse() reports the error.
  Type type = arguments[index];
  if (kind == PrintKind::Float) {
    if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 64)
      return success();
    emitError() << "prints argument " << index << ", of type " << type
                << ", with '" << conversion
                << "', which takes a float of at most 64 bits";
    return failure();
  }
  auto integer = dyn_cast<IntegerType>(type);
  if (type.isIndex() ||
      (integer && integer.isSignless() && integer.getWidth() <= 64))
    return success();
  emitError()
      << "prints argument " << index << ", of type " << type << ", with '"
      << conversion
      << "', which takes a signless integer of at most 64 bits or an index";
  return failure();
}

FailureOr<PrintFormat>
parsePrintFormat(StringRef format, TypeRange arguments, Backend backend,
                 function_ref<InFlightDiagnostic()> emitError) {
  return FormatParser(format, arguments, backend, emitError).parse();
}

std::string escapeForFormat(StringRef text) {
  std::string escaped;
  for (char c : text)
    escaped += c == '%' ? std::string("%%") : std::string(1, c);
  return escaped;
}

std::optional<StringRef> getPrintConversion(Type type) {
  if (type.isIndex())
    return "%u";
  if (auto integer = dyn_cast<IntegerType>(type);
      integer && integer.isSignless() && integer.getWidth() <= 64)
    return "%d";
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type))
    return "%g";
  return std::nullopt;
}

Value widenForPrint(OpBuilder &b, Location loc, Value value, PrintKind kind,
                    Backend backend) {
  const bool isOpenCL = backend == Backend::XeVM;
  Type type = value.getType();
  if (kind == PrintKind::Float) {
    if (type.isF64())
      return value;
    // Floats of 8 bits are converted only to f32.
    if (type.getIntOrFloatBitWidth() < 32)
      value = arith::ExtFOp::create(b, loc, b.getF32Type(), value);
    if (isOpenCL)
      return value;
    return arith::ExtFOp::create(b, loc, b.getF64Type(), value);
  }
  const bool isShort = isOpenCL && kind == PrintKind::Character;
  Type wide = isShort ? b.getI32Type() : b.getI64Type();
  if (type == wide)
    return value;
  if (isShort && type.isInteger(64))
    return arith::TruncIOp::create(b, loc, wide, value);
  if (type.isIndex())
    return arith::IndexCastOp::create(b, loc, wide, value);
  // Booleans print as 0 or 1.
  if (kind == PrintKind::Signed && !type.isInteger(1))
    return arith::ExtSIOp::create(b, loc, wide, value);
  return arith::ExtUIOp::create(b, loc, wide, value);
}

} // namespace aircc
