//===- PollyPluginStub.cpp - A replacement for Polly's library ------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Debian builds LLVM with Polly as an extension, and lld's link-time
// optimization, which is linked into aircc, refers to it. Polly's static
// library is in a separate package that is not otherwise required. This file
// replaces it with an extension that has no passes.
//
//===----------------------------------------------------------------------===//

#include "llvm/Plugins/PassPlugin.h"

llvm::PassPluginLibraryInfo getPollyPluginInfo();

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  llvm::PassPluginLibraryInfo info = {};
  info.APIVersion = LLVM_PLUGIN_API_VERSION;
  info.PluginName = "none";
  info.PluginVersion = "";
  info.RegisterPassBuilderCallbacks = [](llvm::PassBuilder &) {};
  return info;
}
