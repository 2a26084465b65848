//===- FakePlugin.cpp - A device plug-in for tests ------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces libaircc_sim.so in tests of the search for it. It has no device:
// starting it fails with a message that contains its location.
//
//===----------------------------------------------------------------------===//

#ifdef FAKE_PLUGIN_OLD
// Defines another version of the interface.
#define airccDeviceAbiVersion airccDeviceAbiVersionOfThisBuild
#endif
#include "runtime-stubs/Device.h"

#include <cstring>
#include <dlfcn.h>
#include <string>

#ifdef FAKE_PLUGIN_OLD
#undef airccDeviceAbiVersion
extern "C" int airccDeviceAbiVersion() { return 0; }
#endif

extern "C" aircc::rt::Device *airccCreateDevice(const char **error) {
  Dl_info info;
  dladdr(reinterpret_cast<void *>(&airccCreateDevice), &info);
  *error = strdup((std::string("loaded from ") + info.dli_fname).c_str());
  return nullptr;
}
