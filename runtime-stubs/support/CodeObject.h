//===- CodeObject.h - Forms of embedded device code -------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The image that a program embeds is one code object (an ELF file for AMD GPUs,
// or SPIR-V), or a clang offload bundle that holds one for each of several
// targets. The bundle's layout is the "Bundled Binary File Layout" of clang's
// documentation of clang-offload-bundler: the magic string, the number of
// entries (64 bits, little-endian), and for each entry offset, size and the
// length of its ID (64 bits each) and the ID.
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

/// What the first bytes of an image say it is.
ImageKind classifyImage(std::string_view image);

/// How a bundle begins.
inline constexpr std::string_view bundleMagic = "__CLANG_OFFLOAD_BUNDLE__";

struct BundleEntry {
  std::string_view id;     ///< As it stands in the bundle.
  std::string_view target; ///< Processor and features; empty for host code.
  std::string_view code;   ///< The code object.
};

/// Reads the table of a bundle. The entries point into `bundle`.
Status readBundle(std::string_view bundle, std::vector<BundleEntry> &entries);

/// The processor and features in a bundle entry ID such as
/// "hipv4-amdgcn-amd-amdhsa--gfx942:xnack-"; empty for host code. An ID that
/// names only an architecture ("hip-spirv64-unknown-unknown--") gives that
/// architecture.
std::string_view targetOfEntryId(std::string_view id);

/// Whether `image` is, or has in it, code for `architecture`, as triples spell
/// it ("amdgcn", "spirv64"); native code of Intel GPUs counts as SPIR-V. True
/// as well where that cannot be told.
bool mayHoldCodeFor(std::string_view image, std::string_view architecture);

/// Finds the code object in `image` that suits the current device best: `image`
/// itself unless it is a bundle (then whether it suits is for the device to say
/// when it is loaded), else the entry for which the device has the highest
/// preference, of equals the first.
Status selectCodeObject(Device &device, std::string_view image,
                        std::string_view &code);

} // namespace aircc::rt

#endif // AIRCC_RUNTIME_SUPPORT_CODEOBJECT_H
