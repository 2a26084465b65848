//===- CodeCache.cpp - Results of earlier compiles ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pipeline/common/CodeCache.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace aircc {

namespace {
using Number = std::array<char, sizeof(uint64_t)>;
} // namespace

static Number toBytes(uint64_t number) {
  Number bytes;
  support::endian::write64le(bytes.data(), number);
  return bytes;
}

CacheKey &CacheKey::add(StringRef text) {
  add(text.size());
  hasher.update(text);
  return *this;
}

CacheKey &CacheKey::add(uint64_t number) {
  Number bytes = toBytes(number);
  hasher.update(StringRef(bytes.data(), bytes.size()));
  return *this;
}

std::string CacheKey::get() {
  return toHex(hasher.final(), /*LowerCase=*/true);
}

CacheWriter &CacheWriter::add(StringRef text) {
  add(text.size());
  bytes += text;
  return *this;
}

CacheWriter &CacheWriter::add(uint64_t number) {
  Number encoded = toBytes(number);
  bytes.append(encoded.data(), encoded.size());
  return *this;
}

uint64_t CacheReader::getNumber() {
  valid &= rest.size() >= sizeof(uint64_t);
  if (!valid)
    return 0;
  uint64_t number = support::endian::read64le(rest.data());
  rest = rest.drop_front(sizeof(uint64_t));
  return number;
}

size_t CacheReader::getCount() {
  uint64_t count = getNumber();
  valid &= count <= rest.size();
  return valid ? count : 0;
}

StringRef CacheReader::getText() {
  uint64_t size = getNumber();
  valid &= size <= rest.size();
  if (!valid)
    return "";
  StringRef text = rest.take_front(size);
  rest = rest.drop_front(size);
  return text;
}

} // namespace aircc
