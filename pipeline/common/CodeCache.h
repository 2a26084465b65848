//===- CodeCache.h - Results of earlier compiles ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The interface to the compilation cache, which the driver implements. An entry
// is identified by a hash of everything that the cached result depends on, so
// it never becomes invalid.
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

/// Hashes a sequence of values. Each value is hashed with its length, so
/// sequences that differ only in how they are divided have different keys.
class CacheKey {
public:
  CacheKey &add(llvm::StringRef text);
  CacheKey &add(uint64_t number);

  /// Returns the hash of all values, as 64 hexadecimal digits.
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

/// Reads the values that a CacheWriter wrote. After the end, values are empty
/// and isValid() is false.
class CacheReader {
public:
  explicit CacheReader(llvm::StringRef bytes) : rest(bytes) {}

  llvm::StringRef getText();
  uint64_t getNumber();
  /// Returns the number of values that follow; each takes more than one byte.
  size_t getCount();
  /// Returns whether all reads so far succeeded.
  bool isValid() const { return valid; }
  /// Returns whether everything has been read.
  bool isAtEnd() const { return valid && rest.empty(); }

private:
  llvm::StringRef rest;
  bool valid = true;
};

/// A cache of results. All functions are thread-safe.
class CodeCache {
public:
  virtual ~CodeCache() = default;

  /// Adds what all results depend on: the compiler and its global options.
  virtual void addGlobals(CacheKey &key) = 0;

  /// Returns the hash of the contents of a file, or "" if it cannot be read.
  virtual std::string hashFile(llvm::StringRef path) = 0;

  /// Returns the contents of the entry, if there is one.
  virtual std::optional<std::string> lookUp(llvm::StringRef key) = 0;

  /// Creates an entry. A failure only means that the entry does not exist.
  virtual void store(llvm::StringRef key, llvm::StringRef contents) = 0;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_CODECACHE_H
