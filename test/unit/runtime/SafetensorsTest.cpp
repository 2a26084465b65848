//===- SafetensorsTest.cpp - Files of named tensors -----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/support/Safetensors.h"
#include "runtime-stubs/support/ConstantHash.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

using namespace aircc::rt;

namespace {

std::string makeFile(const std::string &header, const std::string &data) {
  std::string file;
  for (unsigned i = 0; i < 8; ++i)
    file.push_back(static_cast<char>(header.size() >> (8 * i)));
  return file + header + data;
}

/// The message of reading a file with this header, and `bytes` bytes of data.
std::string readError(const std::string &header, size_t bytes) {
  std::string file = makeFile(header, std::string(bytes, 'x'));
  std::vector<SafetensorsEntry> entries;
  Status status = readSafetensors(file, entries);
  return status.ok() ? "" : status.message();
}

TEST(Safetensors, WritesWhatItReads) {
  std::string bytes(40, '\0');
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(i);
  const std::string_view all = bytes;
  std::vector<SafetensorsEntry> entries = {
      {"b", "BOOL", {3}, all.substr(0, 3)},
      {"empty", "F32", {0, 4}, {}},
      {"scalar", "I64", {}, all.substr(8, 8)},
      {"\xc3\xa9\"\n", "F16", {2, 3}, all.substr(16, 12)},
      {"f", "F32", {1, 2}, all.substr(32, 8)}};
  std::string file = makeSafetensorsHeader(entries);
  EXPECT_EQ(file.size() % 64, 0u);
  for (const SafetensorsEntry &entry : entries)
    file += entry.bytes;

  std::vector<SafetensorsEntry> read;
  Status status = readSafetensors(file, read);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(read.size(), entries.size());
  for (const SafetensorsEntry &entry : entries) {
    auto same = std::find_if(read.begin(), read.end(), [&](const auto &other) {
      return other.name == entry.name;
    });
    ASSERT_NE(same, read.end()) << entry.name;
    EXPECT_EQ(same->type, entry.type);
    EXPECT_EQ(same->shape, entry.shape);
    EXPECT_EQ(same->bytes, entry.bytes);
  }
  // Larger elements come first, so all are aligned.
  EXPECT_EQ(entries.front().name, "scalar");
  EXPECT_EQ(entries.back().name, "b");
}

TEST(Safetensors, AcceptsOtherWriters) {
  EXPECT_EQ(readError("{}", 0), "");
  EXPECT_EQ(readError(R"( {"__metadata__": {"format": "pt"}} )", 0), "");
  // The order of the header is not that of the data, elements may be smaller
  // than a byte, and types may be unknown.
  EXPECT_EQ(
      readError(R"({"a": {"shape": [2], "dtype": "F4", "data_offsets": [1, 2]},
                          "b": {"dtype": "NEW", "shape": [9], "data_offsets": [2, 5]},
                          "c": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}})",
                5),
      "");
}

TEST(Safetensors, RefusesDamage) {
  auto expect = [](const std::string &entry, size_t bytes,
                   const std::string &message) {
    EXPECT_EQ(readError(entry, bytes),
              "it is not a complete safetensors file: " + message);
  };
  auto tensor = [](const std::string &fields) {
    return "{\"a\": {" + fields + "}}";
  };
  auto vector = [&](const std::string &size, const std::string &begin,
                    const std::string &end) {
    return tensor(R"("dtype": "F32", "shape": )" + size +
                  ", \"data_offsets\": [" + begin + ", " + end + "]");
  };
  EXPECT_EQ(readError(vector("[2]", "0", "8"), 8), "");
  const std::string lacks =
      "the tensor 'a' lacks 'dtype', 'shape' or 'data_offsets'";
  const std::string types = "the tensor 'a' has values of wrong types";
  const std::string beyond =
      "the tensor 'a' extends beyond the end of the file";
  const std::string size =
      "the tensor 'a' has a size that does not match its type and shape";
  expect("", 0, "the header is not a JSON object");
  expect("[]", 0, "the header is not a JSON object");
  expect("{", 0, "the header is not a JSON object");
  expect("{} {}", 0, "the header is not a JSON object");
  expect("{\"a\": 1}", 0, lacks);
  expect(tensor(""), 0, lacks);
  expect(vector("[-1]", "0", "8"), 8, types);
  expect(vector("[2.0]", "0", "8"), 8, types);
  expect(vector("[[2]]", "0", "8"), 8, "the header has unknown values");
  expect(vector("\"2\"", "0", "8"), 8, types);
  expect(vector("[2]", "0", "8, 9"), 8, types);
  expect(vector("[1e30]", "0", "8"), 8, types);
  expect(vector("[2]", "0", "8"), 7, beyond);
  expect(vector("[2]", "8", "0"), 8, beyond);
  expect(vector("[2]", "18446744073709551608", "0"), 8, beyond);
  expect(vector("[3]", "0", "8"), 8, size);
  expect(vector("[4294967296, 4294967296, 2]", "0", "8"), 8, size);
  expect(vector("[2]", "0", "8"), 9,
         "there is more data than that of the tensors");
  expect(vector("[2]", "1", "9"), 9,
         "the tensors overlap, or do not cover the file");
  expect(R"({"a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]},
             "b": {"dtype": "U8", "shape": [2], "data_offsets": [1, 3]}})",
         3, "the tensors overlap, or do not cover the file");
  expect(R"({"a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]},
             "a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]}})",
         2, "two tensors have the name 'a'");
  expect(R"({"a": {"x": {"y": {"z": 1}}}})", 0,
         "the header has unknown values");
}

TEST(Safetensors, RefusesLengths) {
  std::vector<SafetensorsEntry> entries;
  Status status = readSafetensors("1234567", entries);
  EXPECT_EQ(status.message(),
            "it is not a complete safetensors file: it has 7 bytes");
  status = readSafetensors(std::string(8, '\xff') + "{}", entries);
  EXPECT_EQ(status.message(), "it is not a complete safetensors file: it "
                              "has fewer bytes than its header, "
                              "18446744073709551615");
}

TEST(ConstantHash, DependsOnEveryBit) {
  // Programs contain hashes, so the function must not change.
  EXPECT_EQ(hashConstant(""), 17017080854500236797u);
  std::string bytes(100, '\0');
  std::set<uint64_t> hashes = {hashConstant(bytes)};
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    EXPECT_TRUE(hashes.insert(hashConstant(bytes)).second) << bit;
    bytes[bit / 8] ^= static_cast<char>(1 << (bit % 8));
  }
  // And on the length, although words are filled up with zeros.
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_TRUE(hashes.insert(hashConstant(bytes.substr(0, size))).second)
        << size;
}

} // namespace
