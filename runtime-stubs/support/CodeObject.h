//===- CodeObject.h - Formats of embedded device code -----------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The image that a program embeds is either a single code object (an ELF file
// for AMD GPUs, or SPIR-V) or a clang offload bundle with code objects for
// several targets. "Bundled Binary File Layout" in the documentation of
// clang-offload-bundler describes the format: the magic string, the number of
// entries (64 bits, little-endian), and for each entry its offset, its size,
// the length of its ID (64 bits each) and the ID.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_SUPPORT_CODEOBJECT_H
#define AIRCC_RUNTIME_SUPPORT_CODEOBJECT_H

#include "runtime-stubs/Device.h"

#include <string>
#include <string_view>
#include <vector>

namespace aircc::rt {

enum class ImageKind { ELF, SPIRV, Bundle, CompressedBundle, Unknown };

/// Determines the kind of an image from its first bytes.
ImageKind classifyImage(std::string_view image);

/// The magic string of a bundle.
inline constexpr std::string_view bundleMagic = "__CLANG_OFFLOAD_BUNDLE__";

struct BundleEntry {
  std::string_view id;     ///< As written in the bundle.
  std::string_view target; ///< The processor and its features. Empty for host
                           ///< code.
  std::string_view code;   ///< The code object.
};

/// Parses the table of a bundle. The entries point into `bundle`.
Status readBundle(std::string_view bundle, std::vector<BundleEntry> &entries);

/// Returns the processor and features in the ID of a bundle entry, such as
/// "hipv4-amdgcn-amd-amdhsa--gfx942:xnack-", or "" for host code. For an ID
/// with only an architecture ("hip-spirv64-unknown-unknown--"), returns the
/// architecture.
std::string_view targetOfEntryId(std::string_view id);

/// Returns whether `image` is or contains code for `architecture`, as spelled
/// in triples ("amdgcn", "spirv64"). Native code for Intel GPUs counts as
/// SPIR-V. Also returns true if the architecture is unknown.
bool mayHoldCodeFor(std::string_view image, std::string_view architecture);

/// Finds the code object in `image` that best suits the current device. In a
/// bundle, this is the entry that the device prefers most, or the first such
/// entry in a tie. Otherwise, it is `image` itself, whose suitability the
/// device checks when it loads the code.
Status selectCodeObject(Device &device, std::string_view image,
                        std::string_view &code);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_SUPPORT_CODEOBJECT_H
