//===- CompileCache.cpp - The cache of compiled code ----------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The file names have the form that llvm::pruneCache expects. An entry consists
// of
//
//   magic, BLAKE3 of the key and the contents (64 hexadecimal digits), contents
//
// The hash is checked for entries of the remote cache too.
//
//===----------------------------------------------------------------------===//

#include "driver/cache/CompileCache.h"

#include "driver/Version.h"
#include "driver/cache/BuildId.h"
#include "driver/diagnostics/Failure.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace aircc;
using namespace llvm;

static constexpr StringLiteral kMagic = "aircc cache 1\n";
static constexpr size_t kHashSize = 64;
static constexpr uint64_t kDefaultSize = uint64_t(5) << 30;

//===----------------------------------------------------------------------===//
// Settings
//===----------------------------------------------------------------------===//

static std::string getVariable(StringRef name) {
  return sys::Process::GetEnv(name).value_or("");
}

static std::string getDefaultFolder() {
  SmallString<128> folder(getVariable("XDG_CACHE_HOME"));
  // The specification says to ignore relative paths.
  if (!sys::path::is_absolute(folder)) {
    folder = getVariable("HOME");
    if (!sys::path::is_absolute(folder))
      return "";
    sys::path::append(folder, ".cache");
  }
  sys::path::append(folder, "aircc");
  return std::string(folder);
}

/// Parses "500M" or "2G".
static std::optional<uint64_t> parseSize(StringRef text) {
  unsigned shift = 0;
  if (!text.empty())
    if (size_t unit = StringRef("KMG").find(toUpper(text.back()));
        unit != StringRef::npos) {
      shift = 10 * (unit + 1);
      text = text.drop_back();
    }
  uint64_t size;
  if (text.getAsInteger(10, size) || size == 0 ||
      size > (UINT64_MAX >> 1) >> shift)
    return std::nullopt;
  return size << shift;
}

Expected<CacheSettings> CacheSettings::fromEnvironment() {
  CacheSettings settings;
  settings.folder = getVariable("AIRCC_CACHE_DIR");
  if (settings.folder.empty())
    settings.folder = getDefaultFolder();
  settings.maxSize = kDefaultSize;
  if (std::string text = getVariable("AIRCC_CACHE_SIZE"); !text.empty()) {
    auto size = parseSize(text);
    if (!size)
      return fail(ExitCode::BadUsage, "AIRCC_CACHE_SIZE must be a number of "
                                      "bytes, such as 500M or 2G, but got '" +
                                          text + "'");
    settings.maxSize = *size;
  }
  settings.remote = getVariable("AIRCC_CACHE_REMOTE");
  if (!settings.remote.empty() &&
      !StringRef(settings.remote).starts_with("http://") &&
      !StringRef(settings.remote).starts_with("https://"))
    return fail(ExitCode::BadUsage, "AIRCC_CACHE_REMOTE must be a URL that "
                                    "begins with http:// or https://");
  return settings;
}

Expected<bool> aircc::isCacheEnabled() {
  std::string text = getVariable("AIRCC_CACHE");
  if (text.empty() || text == "on")
    return true;
  if (text == "off")
    return false;
  return fail(ExitCode::BadUsage,
              "AIRCC_CACHE must be 'on' or 'off', but got '" + text + "'");
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

static std::string hashEntry(StringRef key, StringRef contents) {
  return CacheKey().add(key).add(contents).get();
}

static std::string encode(StringRef key, StringRef contents) {
  return (kMagic + hashEntry(key, contents) + contents).str();
}

static std::optional<std::string> decode(StringRef key, StringRef entry) {
  if (!entry.consume_front(kMagic) || entry.size() < kHashSize)
    return std::nullopt;
  StringRef hash = entry.take_front(kHashSize);
  StringRef contents = entry.drop_front(kHashSize);
  if (hash != hashEntry(key, contents))
    return std::nullopt;
  return contents.str();
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

CompileCache::CompileCache(CacheSettings settings,
                           std::vector<std::string> globals)
    : settings(std::move(settings)), globals(std::move(globals)) {
  isUsable = openFolder();
  if (!this->settings.remote.empty())
    remote = RemoteCache::create(this->settings.remote,
                                 [this](const Twine &what) { warn(what); });
}

void CompileCache::warn(const Twine &message) {
  std::lock_guard<std::mutex> lock(mutex);
  warnings.push_back(message.str());
}

std::vector<std::string> CompileCache::takeWarnings() {
  std::lock_guard<std::mutex> lock(mutex);
  return std::exchange(warnings, {});
}

/// Creates the folder. Cached code is executed, so nobody else may be able to
/// write it.
bool CompileCache::openFolder() {
  const std::string &folder = settings.folder;
  if (folder.empty())
    return false;
  auto refuse = [&](const Twine &why) {
    warn("the cache '" + folder + "' is not used: " + why);
    return false;
  };
  struct stat status;
  if (::stat(folder.c_str(), &status) != 0) {
    (void)sys::fs::create_directories(sys::path::parent_path(folder));
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
      return refuse(std::strerror(errno));
    if (::stat(folder.c_str(), &status) != 0)
      return refuse(std::strerror(errno));
  }
  if (!S_ISDIR(status.st_mode))
    return refuse("it is not a directory");
  if (status.st_uid != ::geteuid())
    return refuse("it belongs to another user; set AIRCC_CACHE_DIR");
  if (status.st_mode & (S_IWGRP | S_IWOTH))
    return refuse("other users can write to it; run 'chmod go-w' on it");
  return true;
}

std::string CompileCache::getPath(StringRef key) const {
  return (settings.folder + "/llvmcache-" + key).str();
}

std::optional<std::string> CompileCache::readLocal(StringRef key) {
  std::string path = getPath(key);
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return std::nullopt;
  std::optional<std::string> contents = decode(key, (*buffer)->getBuffer());
  if (!contents) {
    warn("the cache entry '" + path + "' is damaged and will be replaced");
    return std::nullopt;
  }
  // Pruning removes the entries that were used least recently.
  const timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  (void)::utimensat(AT_FDCWD, path.c_str(), times, 0);
  return contents;
}

void CompileCache::writeLocal(StringRef key, StringRef entry) {
  // A killed process leaves this file; pruning removes it.
  SmallString<128> temporary(settings.folder + "/Thin-%%%%%%%%%%%%.tmp");
  int fd;
  std::error_code ec =
      sys::fs::createUniqueFile(temporary, fd, temporary, sys::fs::OF_None,
                                sys::fs::owner_read | sys::fs::owner_write);
  if (!ec) {
    raw_fd_ostream os(fd, /*shouldClose=*/true);
    os << entry;
    os.close();
    ec = os.error();
    os.clear_error();
    if (!ec)
      ec = sys::fs::rename(temporary, getPath(key));
    if (ec)
      (void)sys::fs::remove(temporary);
  }
  if (!ec) {
    ++stored;
    return;
  }
  isUsable = false;
  warn("cannot write to the cache '" + settings.folder + "': " + ec.message());
}

//===----------------------------------------------------------------------===//
// CodeCache
//===----------------------------------------------------------------------===//

void CompileCache::addGlobals(CacheKey &key) {
  std::lock_guard<std::mutex> lock(mutex);
  if (buildId.empty())
    buildId = AIRCC_VERSION "\n" + getBuildId();
  key.add(buildId).add(globals.size());
  for (const std::string &option : globals)
    key.add(option);
}

std::string CompileCache::hashFile(StringRef path) {
  std::lock_guard<std::mutex> lock(mutex);
  std::string &hash = fileHashes[path.str()];
  if (!hash.empty())
    return hash;
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (buffer)
    hash = CacheKey().add((*buffer)->getBuffer()).get();
  return hash;
}

std::optional<std::string> CompileCache::lookUp(StringRef key) {
  std::optional<std::string> contents;
  if (isUsable)
    contents = readLocal(key);
  if (!contents && remote) {
    if (std::optional<std::string> entry = remote->get(key)) {
      contents = decode(key, *entry);
      if (!contents)
        warn("the entry " + key +
             " at AIRCC_CACHE_REMOTE is damaged and will be replaced");
      else if (isUsable)
        writeLocal(key, *entry);
    }
  }
  ++(contents ? hits : misses);
  return contents;
}

void CompileCache::store(StringRef key, StringRef contents) {
  if (!isUsable && !remote)
    return;
  std::string entry = encode(key, contents);
  if (isUsable)
    writeLocal(key, entry);
  if (remote)
    remote->put(key, entry);
}

//===----------------------------------------------------------------------===//
// Size and statistics
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kStatisticsFile = "/statistics";

static void prune(const CacheSettings &settings,
                  std::chrono::seconds interval) {
  CachePruningPolicy policy;
  policy.Interval = interval;
  policy.Expiration = std::chrono::hours(24 * 90);
  policy.MaxSizeBytes = settings.maxSize;
  pruneCache(settings.folder, policy);
}

void aircc::pruneCacheFolder(const CacheSettings &settings) {
  prune(settings, std::chrono::seconds(0));
}

static CacheStatistics parseStatistics(StringRef text) {
  CacheStatistics statistics;
  auto [hits, misses] = text.split(' ');
  if (hits.getAsInteger(10, statistics.hits) ||
      misses.trim().getAsInteger(10, statistics.misses))
    return {};
  return statistics;
}

CacheStatistics aircc::readStatistics(StringRef folder) {
  auto buffer = MemoryBuffer::getFile(folder + kStatisticsFile);
  return buffer ? parseStatistics((*buffer)->getBuffer()) : CacheStatistics();
}

/// Adds to the statistics of the folder. Ignores failures.
static void addStatistics(StringRef folder, const CacheStatistics &added) {
  std::string path = (folder + kStatisticsFile).str();
  int fd =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0)
    return;
  scope_exit close([&] { ::close(fd); });
  if (::flock(fd, LOCK_EX) != 0)
    return;
  char buffer[64];
  ssize_t size = ::pread(fd, buffer, sizeof(buffer), 0);
  CacheStatistics total =
      parseStatistics(StringRef(buffer, std::max<ssize_t>(size, 0)));
  std::string text = std::to_string(total.hits + added.hits) + " " +
                     std::to_string(total.misses + added.misses) + "\n";
  if (::pwrite(fd, text.data(), text.size(), 0) ==
      static_cast<ssize_t>(text.size()))
    (void)!::ftruncate(fd, text.size());
}

/// Calls `visit` for each entry and each temporary file of the folder.
static void forEachFile(StringRef folder,
                        function_ref<void(const std::string &path)> visit) {
  std::error_code ec;
  for (sys::fs::directory_iterator it(folder, ec), end; !ec && it != end;
       it.increment(ec)) {
    StringRef name = sys::path::filename(it->path());
    if (name.starts_with("llvmcache-") || name.starts_with("Thin-"))
      visit(it->path());
  }
}

CacheContents aircc::measureCacheFolder(StringRef folder) {
  CacheContents contents;
  forEachFile(folder, [&](const std::string &path) {
    uint64_t size = 0;
    if (sys::fs::file_size(path, size))
      return;
    ++contents.entries;
    contents.bytes += size;
  });
  return contents;
}

Error aircc::clearCacheFolder(StringRef folder) {
  std::error_code problem;
  auto remove = [&](const std::string &path) {
    if (std::error_code ec = sys::fs::remove(path))
      problem = ec;
  };
  forEachFile(folder, remove);
  remove((folder + kStatisticsFile).str());
  if (problem)
    return fail(ExitCode::Environment, "cannot empty the cache '" + folder +
                                           "': " + problem.message());
  return Error::success();
}

CompileCache::~CompileCache() {
  if (!isUsable)
    return;
  if (hits || misses)
    addStatistics(settings.folder, getStatistics());
  // Scanning a large folder takes time.
  if (stored)
    prune(settings, std::chrono::minutes(5));
}
