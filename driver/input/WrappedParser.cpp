//===- WrappedParser.cpp - Guards the parser in MLIR's own tools ----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The language server and mlir-opt are libraries of MLIR that call its parser.
// The linker's option --wrap makes them call __wrap_ and its name instead, and
// __real_ and its name is the parser. There is nothing to wrap in shared
// libraries of MLIR (AIRCC_STATIC_LLVM=OFF).
//
//===----------------------------------------------------------------------===//

#include "driver/input/GuardedParser.h"

#include "llvm/Support/SourceMgr.h"

using namespace mlir;

// The names, mangled; --wrap knows no others.
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
