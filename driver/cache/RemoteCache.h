//===- RemoteCache.h - A cache on an HTTP server ----------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_CACHE_REMOTECACHE_H
#define AIRCC_DRIVER_CACHE_REMOTECACHE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace aircc {

/// A cache that HTTP GET and PUT requests to URL/ac/KEY read and write
/// (bazel-remote, ccache's HTTP storage, a web server with WebDAV). After the
/// first failure, it is not contacted again.
class RemoteCache {
public:
  using WarnFunction = std::function<void(const llvm::Twine &message)>;

  /// Loads libcurl. Issues a warning and returns null if libcurl is missing.
  static std::unique_ptr<RemoteCache> create(llvm::StringRef url,
                                             WarnFunction warn);

  std::optional<std::string> get(llvm::StringRef key);
  void put(llvm::StringRef key, llvm::StringRef entry);

private:
  struct Curl;
  RemoteCache(std::string url, WarnFunction warn,
              std::shared_ptr<const Curl> curl);

  /// Executes a request. Returns the status of the response, or 0 after a
  /// failure. Without `upload`, appends the body to `received`.
  long request(const std::string &address, const llvm::StringRef *upload,
               std::string *received);
  void fail(const llvm::Twine &what);

  const std::string url;
  const WarnFunction warn;
  const std::shared_ptr<const Curl> curl;
  std::atomic<bool> hasFailed = false;
};

} // namespace aircc

#endif // AIRCC_DRIVER_CACHE_REMOTECACHE_H
