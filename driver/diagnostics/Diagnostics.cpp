//===- Diagnostics.cpp - Error reporting ----------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/diagnostics/Diagnostics.h"

#include "driver/cache/CompileResult.h"
#include "pipeline/common/Dependency.h"
#include "pipeline/common/Exhaustion.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

using namespace aircc;
using namespace llvm;
// Keeps members in insertion order.
using Json = nlohmann::ordered_json;

char Failure::ID = 0;

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static Json makeJson(StringRef severity, StringRef message) {
  Json object;
  object["severity"] = severity.str();
  object["file"] = nullptr;
  object["line"] = nullptr;
  object["column"] = nullptr;
  object["message"] = message.str();
  object["notes"] = Json::array();
  return object;
}

static void setPlace(Json &object, StringRef file, unsigned line,
                     unsigned column) {
  object["file"] = file.str();
  if (line) {
    object["line"] = line;
    object["column"] = column;
  }
}

static void print(const Json &object) {
  // Text from outside may not be valid UTF-8, but the output must be valid
  // JSON.
  errs() << object.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
}

static std::optional<mlir::FileLineColLoc> findPlace(mlir::Location location) {
  if (auto place = location->findInstanceOf<mlir::FileLineColLoc>())
    return place;
  return std::nullopt;
}

static StringRef getSeverity(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Note:
    return "note";
  case mlir::DiagnosticSeverity::Warning:
    return "warning";
  case mlir::DiagnosticSeverity::Error:
    return "error";
  case mlir::DiagnosticSeverity::Remark:
    return "remark";
  }
  llvm_unreachable("all severities are covered");
}

static Json toJson(mlir::Diagnostic &diagnostic) {
  Json object =
      makeJson(getSeverity(diagnostic.getSeverity()), diagnostic.str());
  if (auto place = findPlace(diagnostic.getLocation()))
    setPlace(object, place->getFilename(), place->getLine(),
             place->getColumn());
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    object["notes"].push_back(toJson(note));
  return object;
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

void Diagnostics::about() {
  if (beforeOutput)
    beforeOutput();
}

void Diagnostics::error(const Twine &message, ArrayRef<std::string> notes) {
  about();
  if (format == DiagnosticsFormat::JSON) {
    Json object = makeJson("error", message.str());
    for (const std::string &note : notes)
      object["notes"].push_back(makeJson("note", note));
    return print(object);
  }
  WithColor::error(errs(), "aircc") << message << "\n";
  for (const std::string &note : notes)
    WithColor::note(errs(), "aircc") << note << "\n";
}

void Diagnostics::warning(const Twine &message) {
  about();
  if (format == DiagnosticsFormat::JSON)
    return print(makeJson("warning", message.str()));
  WithColor::warning(errs(), "aircc") << message << "\n";
}

void Diagnostics::error(const ProfileError &error) {
  if (error.file.empty())
    return this->error(error.message, error.notes);
  about();
  if (format == DiagnosticsFormat::JSON) {
    Json object = makeJson("error", error.message);
    setPlace(object, error.file, error.line, error.column);
    object["pointer"] = error.pointer;
    for (const std::string &text : error.notes) {
      Json note = makeJson("note", text);
      setPlace(note, error.file, error.line, error.column);
      object["notes"].push_back(note);
    }
    return print(object);
  }
  std::string place = error.file;
  if (error.line)
    place +=
        ":" + std::to_string(error.line) + ":" + std::to_string(error.column);
  WithColor::error(errs(), place) << error.message;
  if (!error.pointer.empty())
    errs() << " (at " << error.pointer << ")";
  errs() << "\n";
  for (const std::string &note : error.notes)
    WithColor::note(errs(), place) << note << "\n";
}

ExitCode Diagnostics::report(Error error) {
  ExitCode code = ExitCode::Internal;
  handleAllErrors(
      std::move(error),
      [&](const Failure &failure) {
        code = failure.code;
        if (!failure.message.empty())
          this->error(failure.message, failure.notes);
      },
      [&](const MissingDependencyError &missing) {
        code = ExitCode::Environment;
        this->error(missing.text());
      },
      [&](const ExhaustionError &exhausted) {
        code = ExitCode::Environment;
        this->error(exhausted.message());
      },
      [&](const ErrorInfoBase &other) {
        code = ExitCode::BadInput;
        this->error(other.message());
      });
  return code;
}

//===----------------------------------------------------------------------===//
// Diagnostics::Scope
//===----------------------------------------------------------------------===//

/// Longer source lines are not shown. They were probably generated and would
/// fill several screens.
static constexpr size_t kLongestLine = 1000;

static bool isOnLongLine(SourceMgr &sources, mlir::Location location) {
  auto place = findPlace(location);
  if (!place || !place->getLine())
    return false;
  for (unsigned id = 1; id <= sources.getNumBuffers(); ++id) {
    StringRef text = sources.getMemoryBuffer(id)->getBuffer();
    if (sources.getMemoryBuffer(id)->getBufferIdentifier() !=
        place->getFilename().getValue())
      continue;
    SMLoc start = sources.FindLocForLineAndColumn(id, place->getLine(), 1);
    if (!start.isValid())
      return false;
    StringRef line = text.drop_front(start.getPointer() - text.data());
    return line.take_front(kLongestLine).find('\n') == StringRef::npos &&
           line.size() > kLongestLine;
  }
  return false;
}

static void printWithoutSource(mlir::SourceMgrDiagnosticHandler &handler,
                               mlir::Diagnostic &diagnostic) {
  handler.emitDiagnostic(diagnostic.getLocation(), diagnostic.str(),
                         diagnostic.getSeverity(),
                         /*displaySourceLine=*/false);
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    printWithoutSource(handler, note);
}

Diagnostics::Scope::Scope(Diagnostics &diagnostics, mlir::MLIRContext &context,
                          SourceMgr &sources)
    : diagnostics(diagnostics) {
  // MLIR calls the newest handler first. This one counts the diagnostic and
  // passes it on.
  if (diagnostics.format == DiagnosticsFormat::Text)
    textHandler = std::make_unique<mlir::SourceMgrDiagnosticHandler>(
        sources, &context, errs());
  handler = std::make_unique<mlir::ScopedDiagnosticHandler>(
      &context, [this, &sources](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error) {
          ++errors;
          dependencyMissing |= isMissingDependency(diagnostic);
        }
        if (recorded)
          recorded->emplace_back(diagnostic);
        this->diagnostics.about();
        if (textHandler && !isOnLongLine(sources, diagnostic.getLocation()))
          return mlir::failure();
        if (textHandler)
          printWithoutSource(*textHandler, diagnostic);
        else
          print(toJson(diagnostic));
        return mlir::success();
      });
}

Diagnostics::Scope::~Scope() = default;

ExitCode Diagnostics::Scope::getExitCode() const {
  if (dependencyMissing)
    return ExitCode::Environment;
  // Every failure must be reported; an unreported one is a bug in aircc.
  return errors ? ExitCode::BadInput : ExitCode::Internal;
}
