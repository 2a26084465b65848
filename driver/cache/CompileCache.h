//===- CompileCache.h - The cache of compiled code --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_CACHE_COMPILECACHE_H
#define AIRCC_DRIVER_CACHE_COMPILECACHE_H

#include "driver/cache/RemoteCache.h"
#include "pipeline/common/CodeCache.h"

#include "llvm/Support/Error.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace aircc {

/// The location of the cache, and how large it may become.
struct CacheSettings {
  std::string folder; ///< Empty if no directory can be used.
  uint64_t maxSize = 0;
  std::string remote; ///< A URL, or empty for none.

  /// Returns the settings from AIRCC_CACHE_DIR (by default, the directory
  /// `aircc` in XDG_CACHE_HOME or ~/.cache), AIRCC_CACHE_SIZE and
  /// AIRCC_CACHE_REMOTE. Fails with BadUsage if a variable is invalid.
  static llvm::Expected<CacheSettings> fromEnvironment();
};

/// Returns whether a compile uses the cache if the command line does not say.
/// AIRCC_CACHE can be `on` (the default) or `off`.
llvm::Expected<bool> isCacheEnabled();

/// The numbers that `aircc cache --stats` prints.
struct CacheStatistics {
  uint64_t hits = 0, misses = 0;
};

/// A user's cache, with one file per entry in one directory. Each file appears
/// complete, under the name of its key, and contains a hash of its contents, so
/// processes may use the directory at the same time and may be killed.
///
/// Errors in the cache never fail a compile; they become warnings.
class CompileCache final : public CodeCache {
public:
  /// `globals` are options that change the result of every compile.
  CompileCache(CacheSettings settings, std::vector<std::string> globals);
  /// Removes old entries and updates the statistics.
  ~CompileCache() override;

  void addGlobals(CacheKey &key) override;
  std::string hashFile(llvm::StringRef path) override;
  std::optional<std::string> lookUp(llvm::StringRef key) override;
  void store(llvm::StringRef key, llvm::StringRef contents) override;

  /// Returns the warnings issued since the last call.
  std::vector<std::string> takeWarnings();

  /// Keys and numbers of lookups so far.
  CacheStatistics getStatistics() const { return {hits, misses}; }

private:
  std::string getPath(llvm::StringRef key) const;
  std::optional<std::string> readLocal(llvm::StringRef key);
  void writeLocal(llvm::StringRef key, llvm::StringRef entry);
  bool openFolder();
  void warn(const llvm::Twine &message);

  const CacheSettings settings;
  const std::vector<std::string> globals;
  std::unique_ptr<RemoteCache> remote; ///< Null for none.
  std::atomic<bool> isUsable = false;

  std::mutex mutex; ///< Guards the next three members.
  std::string buildId;
  std::map<std::string, std::string> fileHashes;
  std::vector<std::string> warnings;

  std::atomic<uint64_t> hits = 0, misses = 0, stored = 0;
};

/// Removes the least recently used entries until the size limit is respected.
void pruneCacheFolder(const CacheSettings &settings);

/// Removes all entries and the statistics, but no other files.
llvm::Error clearCacheFolder(llvm::StringRef folder);

struct CacheContents {
  uint64_t entries = 0, bytes = 0;
};
CacheContents measureCacheFolder(llvm::StringRef folder);

/// Reads the statistics of the directory.
CacheStatistics readStatistics(llvm::StringRef folder);

} // namespace aircc

#endif // AIRCC_DRIVER_CACHE_COMPILECACHE_H
