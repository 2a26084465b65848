//===- NpyFile.cpp - numpy's file format for single arrays ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sim/NpyFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace aircc;
using namespace llvm;

static constexpr StringLiteral magic = "\x93NUMPY";

static Error malformed(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

/// Returns the text after `'key':` in the header.
static StringRef valueOf(StringRef header, StringRef key) {
  for (char quote : {'\'', '"'}) {
    std::string quoted = (Twine(quote) + key + Twine(quote)).str();
    size_t at = header.find(quoted);
    if (at == StringRef::npos)
      continue;
    StringRef rest = header.drop_front(at + quoted.size()).ltrim();
    if (rest.consume_front(":"))
      return rest.ltrim();
  }
  return {};
}

static Error readHeader(StringRef header, NpyArray &array) {
  StringRef descr = valueOf(header, "descr");
  if (descr.empty() || (descr[0] != '\'' && descr[0] != '"'))
    return malformed("its element type is structured or missing");
  descr = descr.drop_front().take_until(
      [&](char c) { return c == '\'' || c == '"'; });
  StringRef dtype = descr.drop_front(descr.empty() ? 0 : 1);
  if (descr.starts_with(">"))
    return malformed("it is big-endian (" + descr + ")");
  array.type = findElementTypeOfDtype(dtype);
  if (!array.type)
    return malformed("its element type is " + descr +
                     "; only integers and floats are supported");

  StringRef order = valueOf(header, "fortran_order");
  if (!order.starts_with("False")) {
    // One-dimensional arrays are the same in both orders.
    return malformed("it is in Fortran order; save numpy.ascontiguousarray of "
                     "it");
  }

  StringRef shape = valueOf(header, "shape");
  if (!shape.consume_front("("))
    return malformed("its header has no shape");
  shape = shape.take_until([](char c) { return c == ')'; });
  SmallVector<StringRef> sizes;
  shape.split(sizes, ',', -1, /*KeepEmpty=*/false);
  for (StringRef text : sizes) {
    text = text.trim();
    if (text.empty())
      continue;
    int64_t size;
    if (text.getAsInteger(10, size) || size < 0)
      return malformed("its shape is invalid");
    array.shape.push_back(size);
  }
  return Error::success();
}

Expected<NpyArray> aircc::readNpy(StringRef bytes) {
  if (!bytes.consume_front(magic) || bytes.size() < 4)
    return malformed("it is not a .npy file");
  unsigned major = static_cast<unsigned char>(bytes[0]);
  if (major < 1 || major > 3)
    return malformed("it has version " + Twine(major) +
                     " of the format; versions 1 to 3 are supported");
  bytes = bytes.drop_front(2);
  unsigned lengthBytes = major == 1 ? 2 : 4;
  if (bytes.size() < lengthBytes)
    return malformed("it ends within its header");
  uint64_t length = major == 1 ? support::endian::read16le(bytes.data())
                               : support::endian::read32le(bytes.data());
  bytes = bytes.drop_front(lengthBytes);
  if (bytes.size() < length)
    return malformed("it ends within its header");

  NpyArray array;
  if (Error error = readHeader(bytes.take_front(length), array))
    return error;
  array.data = bytes.drop_front(length);
  uint64_t wanted = array.type->bytes;
  for (int64_t size : array.shape) {
    bool overflow = false;
    wanted = SaturatingMultiply<uint64_t>(wanted, size, &overflow);
    if (overflow)
      return malformed("its shape is too large");
  }
  if (array.data.size() != wanted)
    return malformed("its shape requires " + Twine(wanted) +
                     " bytes of elements, but it has " +
                     Twine(array.data.size()));
  return array;
}

std::string aircc::npyHeader(const ElementType &type, ArrayRef<int64_t> shape) {
  std::string dictionary = "{'descr': '";
  dictionary += type.bytes == 1 ? "|" : "<";
  dictionary += type.dtype;
  dictionary += "', 'fortran_order': False, 'shape': (";
  for (int64_t size : shape)
    dictionary += itostr(size) + ", ";
  // A tuple with a single size needs a trailing comma.
  if (shape.size() == 1)
    dictionary.pop_back();
  else if (!shape.empty())
    dictionary.resize(dictionary.size() - 2);
  dictionary += "), }";
  // The elements start at a multiple of 64 bytes, and the header ends with a
  // newline.
  constexpr size_t fixed = magic.size() + 2 + 2;
  size_t total = alignTo(fixed + dictionary.size() + 1, 64);
  dictionary.append(total - fixed - dictionary.size() - 1, ' ');
  dictionary += '\n';
  std::string header(magic);
  header += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xff),
             static_cast<char>(dictionary.size() >> 8)};
  return header + dictionary;
}
