//===- Chips.h - Which Xe chip a device is ----------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_LEVELZERO_CHIPS_H
#define AIRCC_RUNTIME_LEVELZERO_CHIPS_H

#include <cstdint>
#include <string>
#include <string_view>

namespace aircc::rt::ze {

/// "20.1.4" for a version as ze_device_ip_version_ext_t has it: 10 bits of
/// architecture, 8 of release and, after 8 that are reserved, 6 of revision.
std::string formatIpVersion(uint32_t ipVersion);

/// The name of the chip with this IP version; empty for one that Chips.def does
/// not list.
std::string_view chipOfIpVersion(uint32_t ipVersion);

/// How well a device that is `chip` runs code for `target`, the target of a
/// bundle's entry: its own code best, then that for a chip whose code it runs
/// as well, then SPIR-V for no chip in particular ("spirv64"); 0 for all else.
int matchChip(std::string_view chip, std::string_view target);

} // namespace aircc::rt::ze

#endif // AIRCC_RUNTIME_LEVELZERO_CHIPS_H
