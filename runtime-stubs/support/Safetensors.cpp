//===- Safetensors.cpp - Files of named tensors ---------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/support/Safetensors.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

using namespace aircc::rt;
using nlohmann::json;

namespace {

constexpr size_t lengthBytes = 8;
/// The limit of the format, which bounds the memory for the header.
constexpr uint64_t maxHeaderBytes = 100'000'000;
/// The bytes of the tensors begin at a multiple of this number.
constexpr size_t dataAlignment = 64;

/// Returns the number of bits of an element, or 0 for an unknown type.
uint64_t getBits(std::string_view type) {
  struct Bits {
    std::string_view type;
    uint64_t bits;
  };
  static constexpr Bits known[] = {
      {"BOOL", 8},    {"U8", 8},          {"I8", 8},          {"F4", 4},
      {"F6_E2M3", 6}, {"F6_E3M2", 6},     {"F8_E5M2", 8},     {"F8_E4M3", 8},
      {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I16", 16},
      {"U16", 16},    {"F16", 16},        {"BF16", 16},       {"I32", 32},
      {"U32", 32},    {"F32", 32},        {"I64", 64},        {"U64", 64},
      {"F64", 64},    {"C64", 64}};
  for (const Bits &candidate : known)
    if (candidate.type == type)
      return candidate.bits;
  return 0;
}

Status damaged(const std::string &what) {
  return Status::failure("it is not a complete safetensors file: " + what);
}

/// Parses the JSON of the header as objects nested at most three deep. Fails
/// for a name that occurs twice, because JSON would keep the last occurrence.
Status parseHeader(std::string_view text, json &header) {
  std::set<std::string> names;
  std::string problem;
  auto check = [&](int depth, json::parse_event_t event, json &value) {
    if (depth == 1 && event == json::parse_event_t::key &&
        !names.insert(value.get<std::string>()).second)
      problem = "two tensors have the name '" + value.get<std::string>() + "'";
    if (depth > 3)
      problem = "the header has unknown values";
    return depth <= 3;
  };
  header = json::parse(text.begin(), text.end(), check,
                       /*allow_exceptions=*/false);
  if (!problem.empty())
    return damaged(problem);
  if (!header.is_object())
    return damaged("the header is not a JSON object");
  return Status::success();
}

/// Reads an array of nonnegative integers.
bool readNumbers(const json &value, std::vector<uint64_t> &numbers) {
  if (!value.is_array())
    return false;
  for (const json &number : value) {
    if (!number.is_number_unsigned())
      return false;
    numbers.push_back(number.get<uint64_t>());
  }
  return true;
}

/// Returns whether the number of bytes matches a tensor of this type and shape.
bool hasSize(const SafetensorsEntry &entry) {
  const uint64_t bits = getBits(entry.type);
  if (bits == 0)
    return true;
  uint64_t total = bits;
  for (uint64_t size : entry.shape)
    if (__builtin_mul_overflow(total, size, &total))
      return false;
  return total % 8 == 0 && total / 8 == entry.bytes.size();
}

Status readEntry(const std::string &name, const json &value,
                 std::string_view data, SafetensorsEntry &entry) {
  auto fail = [&](const char *what) {
    return damaged("the tensor '" + name + "' " + what);
  };
  if (!value.is_object() || !value.contains("dtype") ||
      !value.contains("shape") || !value.contains("data_offsets"))
    return fail("lacks 'dtype', 'shape' or 'data_offsets'");
  std::vector<uint64_t> offsets;
  if (!value["dtype"].is_string() ||
      !readNumbers(value["shape"], entry.shape) ||
      !readNumbers(value["data_offsets"], offsets) || offsets.size() != 2)
    return fail("has values of wrong types");
  if (offsets[0] > offsets[1] || offsets[1] > data.size())
    return fail("extends beyond the end of the file");
  entry.name = name;
  entry.type = value["dtype"].get<std::string>();
  entry.bytes = data.substr(offsets[0], offsets[1] - offsets[0]);
  if (!hasSize(entry))
    return fail("has a size that does not match its type and shape");
  return Status::success();
}

/// Checks that the tensors cover the data without gaps.
Status checkCoverage(const std::vector<SafetensorsEntry> &entries,
                     std::string_view data) {
  std::vector<std::string_view> ranges;
  ranges.reserve(entries.size());
  for (const SafetensorsEntry &entry : entries)
    ranges.push_back(entry.bytes);
  std::sort(
      ranges.begin(), ranges.end(), [](std::string_view a, std::string_view b) {
        return std::pair(a.data(), a.size()) < std::pair(b.data(), b.size());
      });
  const char *end = data.data();
  for (std::string_view range : ranges) {
    if (range.data() != end)
      return damaged("the tensors overlap, or do not cover the file");
    end += range.size();
  }
  if (end != data.data() + data.size())
    return damaged("there is more data than that of the tensors");
  return Status::success();
}

} // namespace

Status aircc::rt::readSafetensors(std::string_view contents,
                                  std::vector<SafetensorsEntry> &entries) {
  if (contents.size() < lengthBytes)
    return damaged("it has " + std::to_string(contents.size()) + " bytes");
  uint64_t length = 0;
  for (size_t i = 0; i < lengthBytes; ++i)
    length |= uint64_t(static_cast<unsigned char>(contents[i])) << (8 * i);
  contents.remove_prefix(lengthBytes);
  if (length > contents.size() || length > maxHeaderBytes)
    return damaged("it has fewer bytes than its header, " +
                   std::to_string(length));
  json header;
  if (Status s = parseHeader(contents.substr(0, length), header); !s.ok())
    return s;
  const std::string_view data = contents.substr(length);
  entries.clear();
  for (const auto &[name, value] : header.items()) {
    if (name == "__metadata__")
      continue;
    SafetensorsEntry entry;
    if (Status s = readEntry(name, value, data, entry); !s.ok())
      return s;
    entries.push_back(std::move(entry));
  }
  return checkCoverage(entries, data);
}

std::string
aircc::rt::makeSafetensorsHeader(std::vector<SafetensorsEntry> &entries) {
  // Put large elements first, so that all are aligned to their size.
  std::sort(entries.begin(), entries.end(),
            [](const SafetensorsEntry &a, const SafetensorsEntry &b) {
              const uint64_t bitsOfA = getBits(a.type),
                             bitsOfB = getBits(b.type);
              return bitsOfA != bitsOfB ? bitsOfA > bitsOfB : a.name < b.name;
            });
  json header = json::object();
  uint64_t offset = 0;
  for (const SafetensorsEntry &entry : entries) {
    const uint64_t end = offset + entry.bytes.size();
    header[entry.name] = {{"dtype", entry.type},
                          {"shape", entry.shape},
                          {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump(-1, ' ', /*ensure_ascii=*/false,
                                 json::error_handler_t::replace);
  const size_t unaligned = (lengthBytes + text.size()) % dataAlignment;
  text.append(unaligned ? dataAlignment - unaligned : 0, ' ');
  std::string result;
  for (size_t i = 0; i < lengthBytes; ++i)
    result.push_back(static_cast<char>(text.size() >> (8 * i)));
  return result + text;
}
