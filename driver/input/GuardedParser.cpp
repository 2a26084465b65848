//===- GuardedParser.cpp - Recovers from parser crashes -------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/input/GuardedParser.h"

#include "driver/diagnostics/CrashGuard.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace aircc;
using namespace mlir;
using llvm::SourceMgr;

/// Set during a guarded call. Nested guarded calls leave crashes to the
/// outermost one, which locates the cause.
static thread_local bool isGuarding = false;

namespace {
/// Finds the text or op on which the parser or a verifier crashed.
class CrashSearch {
public:
  CrashSearch(const SourceMgr &sources, const ParserConfig &config,
              ParseFunction parse)
      : buffer(*sources.getMemoryBuffer(sources.getMainFileID())),
        context(config.getContext()), parse(parse) {}

  /// Emits the error.
  void report() {
    Block block;
    {
      ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
      if (!crashes(buffer.getBuffer(), block))
        culprit = findCulprit(block);
    }
    if (culprit) {
      culprit->emitError("MLIR's verifier crashes on this op")
          << "; this is a bug in MLIR, triggered by attributes or types that "
             "the op does not support";
      // Destroying the op may crash as well.
      llvm::CrashRecoveryContext().RunSafely([&] { block.clear(); });
      return;
    }
    emitError(findPlace())
        << "MLIR's parser crashes here; this is a bug in MLIR, triggered by "
           "attributes or types that an op does not support";
  }

private:
  /// Returns whether parsing `text`, without verification, crashes.
  bool crashes(StringRef text, Block &block) {
    SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(
                                   text, buffer.getBufferIdentifier()),
                               llvm::SMLoc());
    ParserConfig config(context, /*verifyAfterParse=*/false);
    llvm::CrashRecoveryContext recovery;
    return !recovery.RunSafely([&] { (void)parse(sources, &block, config); });
  }

  /// Returns the first op whose verifier crashes, inner ops first.
  Operation *findCulprit(Block &block) {
    Operation *found = nullptr;
    for (Operation &top : block) {
      top.walk([&](Operation *op) {
        llvm::CrashRecoveryContext recovery;
        bool finished = recovery.RunSafely([&] {
          OperationName name = op->getName();
          if (succeeded(name.verifyInvariants(op)))
            (void)name.verifyRegionInvariants(op);
        });
        if (finished)
          return WalkResult::advance();
        found = op;
        return WalkResult::interrupt();
      });
      if (found)
        break;
    }
    return found;
  }

  /// Returns the location of the last character of the shortest prefix on which
  /// the parser crashes. This works because the parser reads from front to
  /// back.
  Location findPlace() {
    ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
    StringRef text = buffer.getBuffer();
    size_t survived = 0, crashed = text.size();
    while (crashed - survived > 1) {
      size_t middle = survived + (crashed - survived) / 2;
      Block block;
      (crashes(text.take_front(middle), block) ? crashed : survived) = middle;
    }
    StringRef before = text.take_front(crashed).drop_back();
    unsigned line = before.count('\n') + 1;
    unsigned column = before.size() - (before.rfind('\n') + 1) + 1;
    return FileLineColLoc::get(context, buffer.getBufferIdentifier(), line,
                               column);
  }

  const llvm::MemoryBuffer &buffer;
  MLIRContext *context;
  ParseFunction parse;
  Operation *culprit = nullptr;
};
} // namespace

LogicalResult aircc::parseGuarded(const SourceMgr &sources,
                                  const ParserConfig &config,
                                  ParseFunction parse,
                                  function_ref<LogicalResult()> run) {
  if (isGuarding)
    return run();
  isGuarding = true;
  LogicalResult result = failure();
  llvm::CrashRecoveryContext recovery;
  bool finished = recovery.RunSafely([&] { result = run(); });
  if (!finished) {
    const llvm::MemoryBuffer &buffer =
        *sources.getMemoryBuffer(sources.getMainFileID());
    Location start = FileLineColLoc::get(config.getContext(),
                                         buffer.getBufferIdentifier(), 1, 1);
    if (hasOverflownStack())
      emitError(start,
                "the program is nested too deeply: reading it ran out of "
                "stack")
              .attachNote()
          << "'ulimit -s' sets the stack size";
    else if (isBytecode(buffer.getMemBufferRef()))
      emitError(start, "MLIR's reader of bytecode crashes on this file: it is "
                       "damaged, or from another version of MLIR");
    else
      CrashSearch(sources, config, parse).report();
  }
  isGuarding = false;
  return result;
}
