//===- LanguageServerTest.cpp - Parts of the language server --------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/lsp/Document.h"
#include "driver/lsp/MessageStream.h"
#include "driver/lsp/QuickFixes.h"

#include <gtest/gtest.h>

using namespace aircc;

namespace {

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// The messages in `bytes`, which arrive one at a time; "!" if malformed.
std::vector<std::string> read(llvm::StringRef bytes) {
  MessageReader reader;
  std::vector<std::string> messages;
  for (char byte : bytes) {
    reader.append(llvm::StringRef(&byte, 1));
    while (auto result = reader.next()) {
      std::string text = "!";
      if (result->message) {
        text.clear();
        llvm::raw_string_ostream(text) << *result->message;
      }
      messages.push_back(text);
    }
  }
  return messages;
}

using Texts = std::vector<std::string>;

TEST(MessageReader, ReadsMessages) {
  llvm::json::Object object{{"id", 1}};
  std::string one = encodeMessage(std::move(object));
  EXPECT_EQ(one, "Content-Length: 8\r\n\r\n{\"id\":1}");
  EXPECT_EQ(read(one + one), (Texts{"{\"id\":1}", "{\"id\":1}"}));
  EXPECT_EQ(read("Content-Type: x\ncontent-length:2\n\n{}"), Texts{"{}"});
  EXPECT_EQ(read("Content-Length: 3\r\n\r\n{}"), Texts{});
}

TEST(MessageReader, SkipsMalformedParts) {
  std::string next = "Content-Length: 2\r\n\r\n{}";
  EXPECT_EQ(read("Content-Length: 2\r\n\r\n{x" + next), (Texts{"!", "{}"}));
  EXPECT_EQ(read("Content-Length: x\r\n\r\n" + next), (Texts{"!", "{}"}));
  EXPECT_EQ(read("Content-Length: -2\r\n\r\n" + next), (Texts{"!", "{}"}));
  EXPECT_EQ(read(std::string(8192, 'x') + next), (Texts{"!", "{}"}));
  std::string deep = std::string(100000, '[');
  EXPECT_EQ(read("Content-Length: 100000\r\n\r\n" + deep + next),
            (Texts{"!", "{}"}));
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

TEST(Document, ConvertsPositions) {
  // The second line has characters of 2 and of 4 bytes: 1 and 2 UTF-16 units.
  Document document("file:///a", "ab\n\xc3\xa9\xf0\x9f\x98\x80x\n", 1);
  EXPECT_EQ(document.getOffset({0, 1}), 1u);
  EXPECT_EQ(document.getOffset({1, 1}), 5u);
  EXPECT_EQ(document.getOffset({1, 3}), 9u);
  EXPECT_EQ(document.getPosition(9), (EditorPosition{1, 3}));
  // Outside a line, and of the text.
  EXPECT_EQ(document.getOffset({0, 9}), 2u);
  EXPECT_EQ(document.getOffset({7, 0}), 11u);
  EXPECT_EQ(document.getPosition(99), (EditorPosition{2, 0}));
  // MLIR counts lines and bytes from 1.
  EXPECT_EQ(document.getOffsetOfLocation(2, 3), 5u);
  EXPECT_EQ(document.getOffsetOfLocation(0, 0), 0u);
  EXPECT_EQ(document.getOffsetOfLocation(9, 1), 11u);
}

TEST(Document, ChangesParts) {
  Document document("file:///a", "one\ntwo\n", 1);
  auto change = [&](llvm::StringRef json) {
    llvm::json::Value value = llvm::cantFail(llvm::json::parse(json));
    return document.change(*value.getAsObject());
  };
  EXPECT_TRUE(change(R"({"text": "\n2", "range": {
      "start": {"line": 0, "character": 3},
      "end": {"line": 1, "character": 2}}})"));
  EXPECT_EQ(document.getText(), "one\n2o\n");
  EXPECT_FALSE(change(R"({"text": "x", "range": {"start": 1}})"));
  EXPECT_FALSE(change(R"({"range": null})"));
  EXPECT_TRUE(change(R"({"text": "x"})"));
  EXPECT_EQ(document.getText(), "x");
}

TEST(Document, FindsWords) {
  Document document("file:///a", "%a = \"x y\"(@f) : i32", 1);
  auto word = [&](size_t offset) {
    EditorRange range = document.getWord(offset);
    return document.getText().substr(
        range.start.character, range.end.character - range.start.character);
  };
  EXPECT_EQ(word(0), "%a");
  EXPECT_EQ(word(5), "\"x y\"");
  EXPECT_EQ(word(10), "(");
  EXPECT_EQ(word(11), "@f");
  EXPECT_EQ(word(99), "");
}

TEST(Document, ConvertsUris) {
  EXPECT_EQ(getPathOfUri("file:///a%20b/c.mlir"), "/a b/c.mlir");
  EXPECT_EQ(getPathOfUri("untitled:Untitled-1"), "");
  EXPECT_EQ(getPathOfUri("file:///a%00b"), "");
  EXPECT_EQ(makeFileUri("/a b/\xc3\xa9"), "file:///a%20b/%C3%A9");
}

//===----------------------------------------------------------------------===//
// Edits
//===----------------------------------------------------------------------===//

/// The texts after each of the edits for a message at `place` in `text`.
Texts fix(const std::string &text, llvm::StringRef place, std::string message) {
  Document document("file:///a", text, 1);
  EditorDiagnostic diagnostic;
  diagnostic.offset = text.find(place);
  diagnostic.range = document.getWord(diagnostic.offset);
  diagnostic.message = std::move(message);
  Texts results;
  for (const QuickFix &fix :
       findQuickFixes(document, diagnostic, OpDocumentation("/nowhere"))) {
    std::string changed = text;
    for (const auto &[range, replacement] : fix.edits) {
      size_t start = document.getOffset(range.start);
      changed.replace(start, document.getOffset(range.end) - start,
                      replacement);
    }
    results.push_back(changed);
  }
  return results;
}

TEST(QuickFixes, ReplacesNames) {
  EXPECT_EQ(fix("x {air.ofload, air.ofload2}", "x",
                "'x' has the attribute 'air.ofload': did you mean "
                "'air.offload'?"),
            Texts{"x {air.offload, air.ofload2}"});
  EXPECT_EQ(fix("%1 = xevm.truncf %0", "xevm",
                "custom op 'xevm.truncf' is unknown\nnote: 'xevm.truncf' is an "
                "op of MLIR 23, and this is MLIR 22: use arith.truncf"),
            Texts{"%1 = arith.truncf %0"});
  // What replaces it is not a name alone.
  EXPECT_EQ(fix("xevm.mma_mx", "xevm",
                "'xevm.mma_mx' is an op of MLIR 23, and this is MLIR 22: use "
                "xevm.mma, on factors that arith.scaling_extf has widened"),
            Texts{});
}

TEST(QuickFixes, AddsAttributesOfFunctions) {
  const char offload[] =
      "set the attribute 'air.offload' on it or its function";
  EXPECT_EQ(fix("func.func @f(%a: memref<4xf32>) {\n  op\n}", "op", offload),
            Texts{"func.func @f(%a: memref<4xf32>) attributes {air.offload} "
                  "{\n  op\n}"});
  EXPECT_EQ(fix("func.func @f() -> (i32 {a.b}) attributes {x} {\n  op\n}", "op",
                offload),
            Texts{"func.func @f() -> (i32 {a.b}) attributes {air.offload, x} "
                  "{\n  op\n}"});
  EXPECT_EQ(fix("op", "op", offload), Texts{});
  EXPECT_EQ(fix("gpu.func @k() kernel {\n}", "gpu.func",
                "set known_block_size or layout.scope = "
                "#layout.scope<workgroup> or #layout.scope<wave> on the "
                "function"),
            (Texts{"gpu.func @k() kernel attributes {layout.scope = "
                   "#layout.scope<workgroup>} {\n}",
                   "gpu.func @k() kernel attributes {layout.scope = "
                   "#layout.scope<wave>} {\n}"}));
}

TEST(QuickFixes, AddsDepths) {
  const char message[] = "give channel @c a 'depth' to send all of them";
  EXPECT_EQ(fix("air.channel @c [1, 2]\nput", "put", message),
            Texts{"air.channel @c [1, 2] {depth = 2 : i64}\nput"});
  EXPECT_EQ(fix("air.channel @c {x = 1}\nput", "put", message),
            Texts{"air.channel @c {depth = 2 : i64, x = 1}\nput"});
  EXPECT_EQ(fix("air.channel @cc [1]\nput", "put", message), Texts{});
}

} // namespace
