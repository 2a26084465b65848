//===- NoPolly.cpp - Instead of a library that Debian packages apart ------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Debian builds LLVM with Polly as an extension, so that link-time optimisation
// in lld, which aircc has linked in, asks for it. Its static library is in a
// package of its own that nothing else here needs: this is an extension without
// passes.
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
