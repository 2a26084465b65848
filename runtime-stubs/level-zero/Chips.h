//===- Chips.h - Identifies the Xe chip of a device -------------*- C++ -*-===//
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

/// Formats a version in the encoding of ze_device_ip_version_ext_t as "20.1.4":
/// 10 bits of architecture, 8 of release, 8 reserved bits and 6 of revision.
std::string formatIpVersion(uint32_t ipVersion);

/// Returns the name of the chip with this IP version, or "" if Chips.def does
/// not list it.
std::string_view chipOfIpVersion(uint32_t ipVersion);

/// Rates how well a device with chip `chip` runs code for `target`, the target
/// of a bundle entry. Code for the chip itself is best, followed by code for a
/// compatible chip and generic SPIR-V ("spirv64"). Returns 0 if the device
/// cannot run the code.
int matchChip(std::string_view chip, std::string_view target);

} // namespace aircc::rt::ze

#endif // AIRCC_RUNTIME_LEVELZERO_CHIPS_H
