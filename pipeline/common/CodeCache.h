//===- CodeCache.h - Results of earlier compiles ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface of the compile cache, which the driver implements. An entry is
// found by the hash of everything that the cached result depends on, so it
// never becomes invalid.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_CODECACHE_H
#define AIRCC_PIPELINE_COMMON_CODECACHE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/BLAKE3.h"

#include <cstdint>
#include <optional>
#include <string>

namespace aircc {

/// Hashes a sequence of values, each with its length: values that are only
/// divided differently have different keys.
class CacheKey {
public:
  CacheKey &add(llvm::StringRef text);
  CacheKey &add(uint64_t number);

  /// The hash of all values, as 64 hexadecimal digits.
  std::string get();

private:
  llvm::BLAKE3 hasher;
};

/// Writes the contents of an entry as a sequence of values.
class CacheWriter {
public:
  CacheWriter &add(llvm::StringRef text);
  CacheWriter &add(uint64_t number);
  llvm::StringRef get() const { return bytes; }

private:
  std::string bytes;
};

/// Reads the values that a CacheWriter has written. After the end, values are
/// empty and isValid() is false.
class CacheReader {
public:
  explicit CacheReader(llvm::StringRef bytes) : rest(bytes) {}

  llvm::StringRef getText();
  uint64_t getNumber();
  /// The number of values that follow; each takes more than one byte.
  size_t getCount();
  /// Whether everything so far could be read.
  bool isValid() const { return valid; }
  /// Whether everything has been read.
  bool isAtEnd() const { return valid && rest.empty(); }

private:
  llvm::StringRef rest;
  bool valid = true;
};

/// A cache of results. All functions may be called in any thread.
class CodeCache {
public:
  virtual ~CodeCache() = default;

  /// Adds the inputs of all results: the compiler and its global options.
  virtual void addGlobals(CacheKey &key) = 0;

  /// The hash of the contents of a file, or "" if it cannot be read.
  virtual std::string hashFile(llvm::StringRef path) = 0;

  /// Returns the contents of the entry, if there is one.
  virtual std::optional<std::string> lookUp(llvm::StringRef key) = 0;

  /// Creates an entry. Failures only mean that there is none.
  virtual void store(llvm::StringRef key, llvm::StringRef contents) = 0;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_CODECACHE_H
