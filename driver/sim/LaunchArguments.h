//===- LaunchArguments.h - All arguments of a launch ------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Assigns the arguments on the command line to the arguments of the kernel by
// order, by name in the metadata, or by offset in the kernarg segment, which
// can be read from a file.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_SIM_LAUNCHARGUMENTS_H
#define AIRCC_DRIVER_SIM_LAUNCHARGUMENTS_H

#include "driver/sim/KernelArgument.h"
#include "driver/sim/SimOptions.h"

#include <map>

namespace aircc {

/// Returns a signature such as "add(x: pointer, n: 4 bytes)".
std::string signature(const simulator::Kernel &kernel);

class LaunchArguments {
public:
  /// Reads all arguments and buffers and allocates memory for them.
  static llvm::Expected<LaunchArguments>
  create(const SimOptions &options, const simulator::Kernel &kernel,
         bool isSpirv, simulator::Simulator &simulator);

  /// Sets the arguments and the dynamic LDS of the launch, which then points
  /// into this object.
  void apply(simulator::Launch &launch) const;

  /// Returns the buffer of --print or --out, which is an --arg given by number
  /// or name, or a --buffer given by name.
  llvm::Expected<const KernelBuffer *> find(llvm::StringRef name,
                                            llvm::StringRef option) const;

  /// Lists the buffers that start at an address in `message`.
  std::vector<std::string> describeAddresses(llvm::StringRef message) const;

private:
  /// An argument and its destination.
  struct Placed {
    KernelArgument value;
    std::string name;              ///< The name as given, which may be empty.
    std::optional<size_t> index;   ///< The index of the kernel argument.
    std::optional<uint64_t> place; ///< The byte offset in the kernarg segment.
  };

  explicit LaunchArguments(const simulator::Kernel &kernel) : kernel(&kernel) {}
  llvm::Error parseArgument(llvm::StringRef text);
  llvm::Error parseBuffer(llvm::StringRef text);
  llvm::Expected<size_t> indexOf(llvm::StringRef name,
                                 const std::string &option) const;
  llvm::Error allocate(simulator::Simulator &simulator);
  llvm::Error checkCount() const;
  llvm::Error fillArguments();
  llvm::Error fillSegment(const SimOptions &options);
  llvm::Error writeAddress(llvm::StringRef text);
  const KernelBuffer *lookup(llvm::StringRef name) const;

  const simulator::Kernel *kernel;
  std::vector<Placed> arguments;
  std::map<std::string, KernelArgument> buffers;
  /// Whether omitted arguments are zero.
  bool restIsZero = false;
  uint32_t dynamicLds = 0;
  std::vector<std::vector<uint8_t>> values; ///< The values, by kernel argument.
  std::vector<uint8_t> segment;             ///< If given, replaces the values.
};

} // namespace aircc

#endif // AIRCC_DRIVER_SIM_LAUNCHARGUMENTS_H
