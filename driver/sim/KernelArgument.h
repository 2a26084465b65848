//===- KernelArgument.h - Kernel arguments as text --------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The syntax of `aircc sim --arg` (docs/simulator.md describes it for users):
//
//   TYPE=VALUE[,VALUE…]       by value, one or several numbers
//   TYPE:SHAPE[:FILL]         a buffer; SHAPE 256 or 16x64, FILL below
//   FILE.npy[:TYPE]           a buffer with the elements of the file
//   memref:TYPE:SHAPE[:FILL]  a buffer, passed as a memref descriptor in
//   memref:FILE.npy[:TYPE]    several arguments (pointer, pointer, offset,
//                             sizes, strides)
//   same:N[+BYTES]            the buffer of --arg number N, from 0
//   null                      a null pointer
//   lds:BYTES                 dynamic LDS, for a pointer to it
//   bytes=HEX                 by value, the bytes in memory order
//   &NAME[+BYTES]             the address of a buffer
//   struct:PART[;PART...]     by value: numbers and addresses
//   ptr:ADDRESS[,ADDRESS...]  a buffer of addresses
//
//   FILL: NUMBER | iota[,START[,STEP]] | random[,LOW,HIGH[,SEED]] | @FILE
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_DRIVER_SIM_KERNELARGUMENT_H
#define AIRCC_DRIVER_SIM_KERNELARGUMENT_H

#include "driver/sim/ElementType.h"
#include "simulator/api/Simulator.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aircc {

/// A buffer of elements in device memory.
struct KernelBuffer {
  const ElementType *type = nullptr;
  std::vector<int64_t> shape; ///< Never empty.
  size_t bytes = 0;
  void *memory = nullptr;
};

/// A buffer address given on the command line, or null.
struct BufferAddress {
  std::string name; ///< Empty for null.
  uint64_t offset = 0;
};

/// Parses "&NAME[+BYTES]" or "null". Returns nullopt for other text.
std::optional<BufferAddress> parseBufferAddress(llvm::StringRef text);

/// Returns the buffer with a name or --arg number, or null if there is none.
using FindBuffer =
    llvm::function_ref<const KernelBuffer *(llvm::StringRef name)>;

/// The value of one --arg or --buffer, without the leading name. Errors are
/// Failures whose messages name the argument.
class KernelArgument {
public:
  /// Parses `text`, the value of --arg number `number` (from 0), and reads the
  /// files it names. `option` is the option as written ("--arg n=i32=5"), for
  /// messages.
  static llvm::Expected<KernelArgument>
  parse(llvm::StringRef text, unsigned number, const std::string &option);
  /// Returns an integer of `bytes` bytes for an argument passed by value, or
  /// nullopt if `text` is not an integer that fits.
  static std::optional<KernelArgument>
  parseInteger(llvm::StringRef text, unsigned bytes, const std::string &option);

  /// If the argument is a buffer, allocates and fills it.
  llvm::Error allocate(simulator::Simulator &simulator);
  /// Writes the addresses in this argument and creates the parameters. Must be
  /// called after all buffers have been allocated. `ldsOffset` is the start of
  /// the free dynamic LDS and is advanced.
  llvm::Error resolve(FindBuffer find, uint32_t &ldsOffset);

  /// Returns the bytes of the kernel arguments that this argument provides.
  const std::vector<std::vector<uint8_t>> &getParameters() const {
    return parameters;
  }

  /// Returns why parameter `index` of this argument does not match the next
  /// kernel argument `wanted`, or "" if it matches.
  std::string mismatch(const simulator::Argument &wanted, unsigned index) const;

  /// Returns the option as written: "--arg i32=5".
  const std::string &getOption() const { return option; }
  const std::optional<KernelBuffer> &getBuffer() const { return buffer; }

private:
  enum class Kind { Value, Struct, Buffer, Address, Lds };
  enum class Fill { None, Number, Iota, Random, Bytes, Addresses };

  llvm::Error parseBuffer(llvm::StringRef spec, unsigned number);
  llvm::Error parseNpy(llvm::StringRef file, llvm::StringRef typeName);
  llvm::Error parseFill(llvm::StringRef spec, unsigned number);
  llvm::Error parseAddresses(llvm::StringRef spec);
  llvm::Error parseStruct(llvm::StringRef spec);
  llvm::Error wrong(const llvm::Twine &why) const;
  void fillBuffer();
  llvm::Expected<uint64_t> addressOf(const BufferAddress &address,
                                     FindBuffer find) const;

  std::string option;
  Kind kind = Kind::Value;
  std::vector<std::vector<uint8_t>> parameters;
  std::optional<KernelBuffer> buffer;
  bool isMemref = false;

  Fill fill = Fill::None;
  std::vector<uint8_t> number;        ///< One element, for Fill::Number.
  std::vector<double> fillParameters; ///< Start and step, or low and high.
  uint64_t seed = 0;
  std::string contents; ///< The bytes, for Fill::Bytes.

  /// The addresses, for Kind::Address and Fill::Addresses. In a structure, they
  /// have offsets.
  std::vector<BufferAddress> addresses;
  std::vector<size_t> addressOffsets;
  uint64_t ldsBytes = 0;
};

/// Reads a whole file, or fails with ExitCode::BadInput.
llvm::Expected<std::string> readWholeFile(const std::string &path);

} // namespace aircc

#endif // AIRCC_DRIVER_SIM_KERNELARGUMENT_H
