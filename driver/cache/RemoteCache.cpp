//===- RemoteCache.cpp - A cache on an HTTP server ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/cache/RemoteCache.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>

using namespace aircc;
using namespace llvm;

namespace {

/// The required constants from curl/curl.h, which are part of its ABI.
enum CurlOption : int {
  WriteData = 10001,
  Url = 10002,
  ReadData = 10009,
  WriteFunction = 20011,
  ReadFunction = 20012,
  Upload = 46,
  FollowLocation = 52,
  NoSignal = 99,
  TimeoutMs = 155,
  ConnectTimeoutMs = 156,
  InFileSizeLarge = 30115,
  ProtocolsString = 10318,
};
constexpr int kResponseCode = 0x200000 + 2;
constexpr long kInitDefault = 3;

/// A slow server must not make compiles slower than they are without a cache.
constexpr long kConnectTimeoutMs = 1000;
constexpr long kTimeoutMs = 10000;

/// Responses larger than this are not entries of this cache.
constexpr size_t kMaxEntry = size_t(1) << 30;

} // namespace

struct RemoteCache::Curl {
  int (*globalInit)(long);
  void *(*init)();
  int (*setOption)(void *, int, ...);
  int (*perform)(void *);
  int (*getInfo)(void *, int, ...);
  void (*cleanup)(void *);
  const char *(*describe)(int);
};

template <typename Function>
static bool load(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function;
}

std::unique_ptr<RemoteCache> RemoteCache::create(StringRef url,
                                                 WarnFunction warn) {
  void *library = nullptr;
  for (const char *name : {"libcurl.so.4", "libcurl-gnutls.so.4"})
    if (!library)
      library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  auto curl = std::make_shared<Curl>();
  if (!library || !load(library, "curl_global_init", curl->globalInit) ||
      !load(library, "curl_easy_init", curl->init) ||
      !load(library, "curl_easy_setopt", curl->setOption) ||
      !load(library, "curl_easy_perform", curl->perform) ||
      !load(library, "curl_easy_getinfo", curl->getInfo) ||
      !load(library, "curl_easy_cleanup", curl->cleanup) ||
      !load(library, "curl_easy_strerror", curl->describe) ||
      curl->globalInit(kInitDefault) != 0) {
    warn("AIRCC_CACHE_REMOTE is not used: it requires libcurl.so.4 (Debian's "
         "package libcurl4)");
    return nullptr;
  }
  return std::unique_ptr<RemoteCache>(
      new RemoteCache(url.rtrim('/').str(), std::move(warn), std::move(curl)));
}

RemoteCache::RemoteCache(std::string url, WarnFunction warn,
                         std::shared_ptr<const Curl> curl)
    : url(std::move(url)), warn(std::move(warn)), curl(std::move(curl)) {}

void RemoteCache::fail(const Twine &what) {
  if (!hasFailed.exchange(true))
    warn("the cache at AIRCC_CACHE_REMOTE is not used: " + what);
}

static size_t receive(char *data, size_t size, size_t count, void *to) {
  auto &received = *static_cast<std::string *>(to);
  if (received.size() + size * count > kMaxEntry)
    return 0; // ends the transfer
  received.append(data, size * count);
  return size * count;
}

static size_t send(char *data, size_t size, size_t count, void *from) {
  auto &rest = *static_cast<StringRef *>(from);
  StringRef part = rest.take_front(size * count);
  std::memcpy(data, part.data(), part.size());
  rest = rest.drop_front(part.size());
  return part.size();
}

long RemoteCache::request(const std::string &address, const StringRef *upload,
                          std::string *received) {
  void *handle = curl->init();
  if (!handle) {
    fail("libcurl cannot start");
    return 0;
  }
  std::string ignored;
  StringRef rest = upload ? *upload : StringRef();
  curl->setOption(handle, Url, address.c_str());
  curl->setOption(handle, ProtocolsString, "http,https");
  curl->setOption(handle, NoSignal, 1L);
  curl->setOption(handle, ConnectTimeoutMs, kConnectTimeoutMs);
  curl->setOption(handle, TimeoutMs, kTimeoutMs);
  curl->setOption(handle, WriteFunction, receive);
  curl->setOption(handle, WriteData,
                  static_cast<void *>(received ? received : &ignored));
  if (upload) {
    curl->setOption(handle, Upload, 1L);
    curl->setOption(handle, ReadFunction, send);
    curl->setOption(handle, ReadData, static_cast<void *>(&rest));
    curl->setOption(handle, InFileSizeLarge, static_cast<int64_t>(rest.size()));
  } else {
    curl->setOption(handle, FollowLocation, 1L);
  }
  long status = 0;
  if (int error = curl->perform(handle))
    fail(curl->describe(error));
  else
    curl->getInfo(handle, kResponseCode, &status);
  curl->cleanup(handle);
  return status;
}

std::optional<std::string> RemoteCache::get(StringRef key) {
  if (hasFailed)
    return std::nullopt;
  std::string received;
  long status = request(url + "/ac/" + key.str(), nullptr, &received);
  if (status == 200)
    return received;
  if (status != 0 && status != 404)
    fail("the server responded with status " + Twine(status));
  return std::nullopt;
}

void RemoteCache::put(StringRef key, StringRef entry) {
  if (hasFailed)
    return;
  long status = request(url + "/ac/" + key.str(), &entry, nullptr);
  if (status != 0 && (status < 200 || status > 299))
    fail("the server responded to an upload with status " + Twine(status));
}
