//===- CompileResult.cpp - What a compile of one input makes --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/cache/CompileResult.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace aircc;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

RecordedDiagnostic::RecordedDiagnostic(mlir::Diagnostic &diagnostic)
    : severity(diagnostic.getSeverity()), message(diagnostic.str()) {
  // Metadata, such as scopes of debug information, needs dialects and is not
  // printed in messages.
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([](mlir::FusedLoc fused) -> mlir::Attribute {
    return mlir::FusedLoc::get(fused.getContext(), fused.getLocations());
  });
  raw_string_ostream os(location);
  replacer.replace(mlir::LocationAttr(diagnostic.getLocation())).print(os);
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    notes.emplace_back(note);
}

RecordedDiagnostic::RecordedDiagnostic(CacheReader &reader)
    : severity(static_cast<mlir::DiagnosticSeverity>(reader.getNumber())),
      location(reader.getText()), message(reader.getText()) {
  for (size_t i = reader.getCount(); i > 0 && reader.isValid(); --i)
    notes.emplace_back(reader);
}

void RecordedDiagnostic::write(CacheWriter &writer) const {
  writer.add(static_cast<uint64_t>(severity)).add(location).add(message);
  writer.add(notes.size());
  for (const RecordedDiagnostic &note : notes)
    note.write(writer);
}

mlir::Location
RecordedDiagnostic::getLocation(mlir::MLIRContext &context) const {
  auto parsed = dyn_cast_or_null<mlir::LocationAttr>(
      mlir::parseAttribute(location, &context));
  return parsed ? mlir::Location(parsed) : mlir::UnknownLoc::get(&context);
}

void RecordedDiagnostic::attachTo(mlir::Diagnostic &diagnostic) const {
  mlir::Diagnostic &note = diagnostic.attachNote(
      getLocation(*diagnostic.getLocation().getContext()));
  note << message;
}

void RecordedDiagnostic::emit(mlir::MLIRContext &context) const {
  mlir::Diagnostic diagnostic(getLocation(context), severity);
  diagnostic << message;
  for (const RecordedDiagnostic &note : notes)
    note.attachTo(diagnostic);
  context.getDiagEngine().emit(std::move(diagnostic));
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

std::string CompileResult::encode() const {
  CacheWriter writer;
  writer.add(deviceCode.size());
  for (const DeviceCode &code : deviceCode)
    writer.add(code.target).add(code.module).add(code.bytes);
  writer.add(hostCode);
  writer.add(diagnostics.size());
  for (const RecordedDiagnostic &diagnostic : diagnostics)
    diagnostic.write(writer);
  writer.add(deviceLibraries.size());
  for (const std::string &file : deviceLibraries)
    writer.add(file);
  return writer.get().str();
}

std::optional<CompileResult> CompileResult::decode(StringRef entry) {
  CacheReader reader(entry);
  CompileResult result;
  for (size_t i = reader.getCount(); i > 0 && reader.isValid(); --i) {
    uint64_t target = reader.getNumber();
    std::string module = reader.getText().str();
    result.deviceCode.push_back(
        {target, std::move(module), reader.getText().str()});
  }
  result.hostCode = reader.getText();
  for (size_t i = reader.getCount(); i > 0 && reader.isValid(); --i)
    result.diagnostics.emplace_back(reader);
  for (size_t i = reader.getCount(); i > 0 && reader.isValid(); --i)
    result.deviceLibraries.push_back(reader.getText().str());
  if (!reader.isAtEnd())
    return std::nullopt;
  return result;
}
