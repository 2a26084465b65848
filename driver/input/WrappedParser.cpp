//===- WrappedParser.cpp - Guards the parser in MLIR's own tools ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The language server and mlir-opt are MLIR libraries that call its parser.
// With the linker option --wrap, they call __wrap_NAME instead, and __real_NAME
// is the parser itself. Shared MLIR libraries (AIRCC_STATIC_LLVM=OFF) cannot be
// wrapped.
//
//===----------------------------------------------------------------------===//

#include "driver/input/GuardedParser.h"

#include "llvm/Support/SourceMgr.h"

using namespace mlir;

// --wrap requires mangled names.
#define AIRCC_MANGLED_PARSER                                                   \
  "_ZN4mlir18parseAsmSourceFileERKN4llvm9SourceMgrEPNS_5BlockERKNS_"           \
  "12ParserConfigEPNS_14AsmParserStateEPNS_28AsmParserCodeCompleteContextE"

LogicalResult
realParser(const llvm::SourceMgr &sources, Block *block,
           const ParserConfig &config, AsmParserState *state,
           AsmParserCodeCompleteContext
               *completion) __asm__("__real_" AIRCC_MANGLED_PARSER);

LogicalResult
wrappedParser(const llvm::SourceMgr &sources, Block *block,
              const ParserConfig &config, AsmParserState *state,
              AsmParserCodeCompleteContext
                  *completion) __asm__("__wrap_" AIRCC_MANGLED_PARSER);

LogicalResult wrappedParser(const llvm::SourceMgr &sources, Block *block,
                            const ParserConfig &config, AsmParserState *state,
                            AsmParserCodeCompleteContext *completion) {
  auto parse = [](const llvm::SourceMgr &text, Block *to,
                  const ParserConfig &quick) {
    return realParser(text, to, quick, /*state=*/nullptr,
                      /*completion=*/nullptr);
  };
  return aircc::parseGuarded(sources, config, parse, [&] {
    return realParser(sources, block, config, state, completion);
  });
}
