//===- KernelArgument.h - Arguments of a kernel as text ---------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The syntax of `aircc sim --arg` (docs/simulator.md has the user's view):
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
//   bytes=HEX                 by value, the bytes as they lie in memory
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

/// Device memory with elements.
struct KernelBuffer {
  const ElementType *type = nullptr;
  std::vector<int64_t> shape; ///< Never empty.
  size_t bytes = 0;
  void *memory = nullptr;
};

/// The address of a buffer that the command line names, or null.
struct BufferAddress {
  std::string name; ///< Empty: null.
  uint64_t offset = 0;
};

/// Reads "&NAME[+BYTES]" or "null"; nothing when `text` is neither.
std::optional<BufferAddress> parseBufferAddress(llvm::StringRef text);

/// Finds a buffer by its name, or by the number of its --arg. Null: there is
/// none.
using FindBuffer =
    llvm::function_ref<const KernelBuffer *(llvm::StringRef name)>;

/// One --arg or --buffer, without the name before it. Errors are Failures whose
/// message names the argument.
class KernelArgument {
public:
  /// Reads `text`, the `number`th --arg from 0; files are read here. `option`
  /// is what the user gave ("--arg n=i32=5"), for messages.
  static llvm::Expected<KernelArgument> parse(llvm::StringRef text,
                                              unsigned number,
                                              const std::string &option);
  /// An integer of `bytes` bytes for an argument that is passed by value;
  /// nothing when `text` is no integer that fits.
  static std::optional<KernelArgument>
  parseInteger(llvm::StringRef text, unsigned bytes, const std::string &option);

  /// Allocates and fills the buffer, if it is one.
  llvm::Error allocate(simulator::Simulator &simulator);
  /// When all buffers are allocated: writes the addresses in this one, and makes
  /// the parameters. `ldsOffset` is where dynamic LDS is free, and is moved on.
  llvm::Error resolve(FindBuffer find, uint32_t &ldsOffset);

  /// The arguments of the kernel that it stands for: their bytes.
  const std::vector<std::vector<uint8_t>> &getParameters() const {
    return parameters;
  }

  /// Why it cannot be what the kernel wants as its next argument `wanted`
  /// (parameter `index` of this one), or nothing.
  std::string mismatch(const simulator::Argument &wanted, unsigned index) const;

  /// What the user gave: "--arg i32=5".
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
  std::vector<uint8_t> number;        ///< Fill::Number: one element.
  std::vector<double> fillParameters; ///< Start and step; low and high.
  uint64_t seed = 0;
  std::string contents; ///< Fill::Bytes

  /// Kind::Address and Fill::Addresses; in a structure with where they are.
  std::vector<BufferAddress> addresses;
  std::vector<size_t> addressOffsets;
  uint64_t ldsBytes = 0;
};

/// Reads a whole file, or fails with ExitCode::BadInput.
llvm::Expected<std::string> readWholeFile(const std::string &path);

} // namespace aircc

#endif // AIRCC_DRIVER_SIM_KERNELARGUMENT_H
