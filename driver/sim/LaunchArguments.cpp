//===- LaunchArguments.cpp - All arguments of a launch --------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sim/LaunchArguments.h"

#include "driver/diagnostics/Failure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <cstring>

using namespace aircc;
using namespace llvm;

std::string aircc::signature(const simulator::Kernel &kernel) {
  std::string text = kernel.name + "(";
  for (const simulator::Argument &argument : kernel.arguments) {
    if (text.back() != '(')
      text += ", ";
    if (!argument.name.empty())
      text += argument.name + ": ";
    if (argument.isPointer())
      text += "pointer";
    else if (argument.valueKind == "by_value")
      text += utostr(argument.size) + " bytes";
    else
      text += argument.valueKind;
  }
  return text + ")";
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

Expected<size_t> LaunchArguments::indexOf(StringRef name,
                                          const std::string &option) const {
  std::optional<size_t> found;
  for (auto [n, argument] : enumerate(kernel->arguments)) {
    if (argument.name != name)
      continue;
    if (found)
      return fail(ExitCode::BadUsage,
                  option + ": several arguments of kernel '" + kernel->name +
                      "' are called '" + name +
                      "'; specify their offsets (--arg @OFFSET=...)",
                  {"it is " + signature(*kernel)});
    found = n;
  }
  if (found)
    return *found;
  return fail(ExitCode::BadUsage,
              option + ": '" + name +
                  "' is neither a type nor an argument of kernel '" +
                  kernel->name + "'",
              {"it is " + signature(*kernel)});
}

/// Returns whether the text before an '=' is the name of an argument.
static bool isName(StringRef text) {
  return !text.empty() && !findElementType(text) && text != "bytes" &&
         all_of(text,
                [](char c) { return isAlnum(c) || c == '_' || c == '.'; });
}

Error LaunchArguments::parseArgument(StringRef text) {
  const std::string option = "--arg " + text.str();
  const unsigned number = arguments.size();
  StringRef spec = text;
  std::string name;
  std::optional<size_t> index;
  std::optional<uint64_t> place;
  auto [before, rest] = text.split('=');
  if (StringRef offset = before;
      text.contains('=') && offset.consume_front("@")) {
    uint64_t value;
    if (offset.getAsInteger(0, value))
      return fail(ExitCode::BadUsage,
                  option + ": expected @OFFSET=SPEC, with the byte of the "
                           "kernarg segment");
    place = value;
    spec = rest;
  } else if (text.contains('=') && isName(before)) {
    auto found = indexOf(before, option);
    if (!found)
      return found.takeError();
    name = before.str();
    index = *found;
    spec = rest;
  }
  if (index && kernel->arguments[*index].valueKind == "by_value")
    if (std::optional<KernelArgument> integer = KernelArgument::parseInteger(
            spec, kernel->arguments[*index].size, option)) {
      arguments.push_back({std::move(*integer), name, index, place});
      return Error::success();
    }
  auto argument = KernelArgument::parse(spec, number, option);
  if (!argument)
    return argument.takeError();
  arguments.push_back({std::move(*argument), name, index, place});
  return Error::success();
}

Error LaunchArguments::parseBuffer(StringRef text) {
  const std::string option = "--buffer " + text.str();
  auto [name, spec] = text.split('=');
  if (spec.empty() || !isName(name) || isDigit(name[0]))
    return fail(ExitCode::BadUsage,
                option + ": expected NAME=SPEC, such as keys=f32:256:iota");
  auto buffer = KernelArgument::parse(spec, 0, option);
  if (!buffer)
    return buffer.takeError();
  if (!buffer->getBuffer())
    return fail(ExitCode::BadUsage, option + ": this is not a buffer");
  if (!buffers.emplace(name.str(), std::move(*buffer)).second)
    return fail(ExitCode::BadUsage,
                option + ": a buffer with this name already exists");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

const KernelBuffer *LaunchArguments::lookup(StringRef name) const {
  auto bufferOf = [](const KernelArgument &argument) -> const KernelBuffer * {
    return argument.getBuffer() ? &*argument.getBuffer() : nullptr;
  };
  unsigned number;
  if (!name.getAsInteger(10, number))
    return number < arguments.size() ? bufferOf(arguments[number].value)
                                     : nullptr;
  if (auto it = buffers.find(name.str()); it != buffers.end())
    return bufferOf(it->second);
  for (const Placed &argument : arguments)
    if (argument.name == name)
      return bufferOf(argument.value);
  return nullptr;
}

Expected<const KernelBuffer *> LaunchArguments::find(StringRef name,
                                                     StringRef option) const {
  if (const KernelBuffer *buffer = lookup(name))
    return buffer;
  unsigned number;
  if (!name.getAsInteger(10, number) && number < arguments.size())
    return fail(ExitCode::BadUsage, option + " " + name + ": " +
                                        arguments[number].value.getOption() +
                                        " is not a buffer");
  return fail(
      ExitCode::BadUsage,
      option + " " + name +
          ": there is no buffer with this name (--buffer, or --arg NAME=...)");
}

std::vector<std::string>
LaunchArguments::describeAddresses(StringRef message) const {
  std::vector<std::string> notes;
  auto describe = [&](const KernelArgument &argument, const std::string &what) {
    if (!argument.getBuffer())
      return;
    std::string address =
        "0x" +
        utohexstr(reinterpret_cast<uint64_t>(argument.getBuffer()->memory),
                  /*LowerCase=*/true);
    // Do not match a prefix of a longer number.
    size_t at = message.find(address);
    StringRef behind = message.substr(at).drop_front(
        at == StringRef::npos ? 0 : address.size());
    if (at != StringRef::npos && (behind.empty() || !isHexDigit(behind[0])))
      notes.push_back(address + " is the buffer of " + what);
  };
  for (auto [number, argument] : enumerate(arguments)) {
    StringRef text = argument.value.getOption();
    text.consume_front("--arg ");
    describe(argument.value,
             "--arg number " + utostr(number) + ", " + text.str());
  }
  for (const auto &[name, buffer] : buffers)
    describe(buffer, buffer.getOption());
  return notes;
}

Error LaunchArguments::allocate(simulator::Simulator &simulator) {
  auto findBuffer = [&](StringRef name) { return lookup(name); };
  for (Placed &argument : arguments)
    if (Error error = argument.value.allocate(simulator))
      return error;
  for (auto &[name, buffer] : buffers)
    if (Error error = buffer.allocate(simulator))
      return error;
  // All buffers have been allocated, so their addresses are known.
  uint32_t ldsOffset = kernel->ldsBytes + dynamicLds;
  for (Placed &argument : arguments)
    if (Error error = argument.value.resolve(findBuffer, ldsOffset))
      return error;
  for (auto &[name, buffer] : buffers)
    if (Error error = buffer.resolve(findBuffer, ldsOffset))
      return error;
  dynamicLds = ldsOffset - kernel->ldsBytes;
  return Error::success();
}

/// Handles --place BUFFER+OFFSET=&NAME.
Error LaunchArguments::writeAddress(StringRef text) {
  const std::string option = "--place " + text.str();
  auto [where, what] = text.split('=');
  auto [name, offsetText] = where.split('+');
  std::optional<BufferAddress> address = parseBufferAddress(what);
  uint64_t offset = 0;
  if (!address || name.empty() ||
      (!offsetText.empty() && offsetText.getAsInteger(0, offset)))
    return fail(ExitCode::BadUsage, option +
                                        ": expected BUFFER+OFFSET=&NAME or "
                                        "BUFFER+OFFSET=&NAME+BYTES");
  const KernelBuffer *to = lookup(name), *of = lookup(address->name);
  if (!to || (!of && !address->name.empty()))
    return fail(ExitCode::BadUsage, option + ": there is no buffer '" +
                                        (to ? StringRef(address->name) : name) +
                                        "'");
  if (offset > to->bytes || to->bytes - offset < sizeof(uint64_t) ||
      (of && address->offset > of->bytes))
    return fail(ExitCode::BadUsage, option + ": the offset is out of bounds");
  const uint64_t value =
      of ? reinterpret_cast<uint64_t>(of->memory) + address->offset : 0;
  std::memcpy(static_cast<char *>(to->memory) + offset, &value, sizeof(value));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Returns whether the kernel has a memref in the form in which MLIR passes it:
/// two pointers to the same data, an offset, sizes and strides.
static bool hasMemref(const simulator::Kernel &kernel) {
  ArrayRef<simulator::Argument> rest(kernel.arguments);
  for (; rest.size() > 2; rest = rest.drop_front())
    if (rest[0].isPointer() && rest[1].isPointer() && !rest[2].isPointer() &&
        rest[2].size == sizeof(int64_t))
      return true;
  return false;
}

Error LaunchArguments::checkCount() const {
  size_t count = 0;
  for (const Placed &argument : arguments)
    count += argument.value.getParameters().size();
  const size_t wanted = kernel->arguments.size();
  if (count == wanted)
    return Error::success();
  std::string given = "--arg gives " + utostr(count);
  std::vector<std::string> notes = {"it is " + signature(*kernel)};
  if (count != arguments.size())
    given += " (a memref counts for several)";
  else if (count < wanted && hasMemref(*kernel))
    notes.push_back("a memref of the program counts for several: pass it as "
                    "memref:TYPE:SHAPE or memref:FILE.npy");
  return fail(ExitCode::BadUsage,
              "kernel '" + kernel->name + "' takes " + Twine(wanted) +
                  (wanted == 1 ? " argument; " : " arguments; ") + given,
              std::move(notes));
}

/// Sets the bytes of each kernel argument.
Error LaunchArguments::fillArguments() {
  for (const simulator::Argument &argument : kernel->arguments)
    values.emplace_back(argument.size);
  std::vector<bool> given(values.size());
  size_t next = 0;
  for (const Placed &argument : arguments) {
    if (argument.place)
      continue;
    size_t at = argument.index.value_or(next);
    for (auto [n, bytes] : enumerate(argument.value.getParameters())) {
      if (at == values.size())
        return fail(ExitCode::BadUsage,
                    argument.value.getOption() + ": kernel '" + kernel->name +
                        "' has no more arguments",
                    {"it is " + signature(*kernel)});
      const simulator::Argument &to = kernel->arguments[at];
      const std::string which =
          "argument " + utostr(at) +
          (to.name.empty() ? "" : " ('" + to.name + "')") + " of kernel '" +
          kernel->name + "'";
      std::string why = argument.value.mismatch(to, n);
      if (!why.empty())
        return fail(
            ExitCode::BadUsage,
            (llvm::Twine(argument.value.getOption()) + ": " + which + " " + why)
                .str(),
            {"it is " + signature(*kernel)});
      if (given[at])
        return fail(ExitCode::BadUsage, argument.value.getOption() + ": " +
                                            which + " is specified twice");
      given[at] = true;
      values[at++] = bytes;
    }
    if (!argument.index)
      next = at;
  }
  return Error::success();
}

/// Creates the whole kernarg segment, either from a file or zero-initialized.
Error LaunchArguments::fillSegment(const SimOptions &options) {
  segment.resize(kernel->kernargBytes);
  if (!options.kernarg.empty()) {
    Expected<std::string> file = readWholeFile(options.kernarg);
    if (!file)
      return file.takeError();
    if (file->size() > segment.size())
      return fail(ExitCode::BadUsage,
                  "--kernarg " + options.kernarg + ": the file has " +
                      Twine(file->size()) +
                      " bytes, the kernarg segment of "
                      "kernel '" +
                      kernel->name + "' " + Twine(segment.size()));
    std::copy(file->begin(), file->end(), segment.begin());
  }
  auto write = [&](uint64_t at, ArrayRef<uint8_t> bytes,
                   const KernelArgument &from) -> Error {
    if (at > segment.size() || bytes.size() > segment.size() - at)
      return fail(ExitCode::BadUsage, from.getOption() +
                                          ": the kernarg segment of kernel '" +
                                          kernel->name + "' has " +
                                          Twine(segment.size()) + " bytes");
    llvm::copy(bytes, segment.begin() + at);
    return Error::success();
  };
  size_t next = 0;
  for (const Placed &argument : arguments) {
    uint64_t place = argument.place.value_or(0);
    size_t at = argument.index.value_or(next);
    for (const std::vector<uint8_t> &bytes : argument.value.getParameters()) {
      // fillArguments() has already checked arguments without a place.
      if (!argument.place)
        place = kernel->arguments[at++].offset;
      if (Error error = write(place, bytes, argument.value))
        return error;
      place += bytes.size();
    }
    if (!argument.place && !argument.index)
      next = at;
  }
  return Error::success();
}

Expected<LaunchArguments>
LaunchArguments::create(const SimOptions &options,
                        const simulator::Kernel &kernel, bool isSpirv,
                        simulator::Simulator &simulator) {
  LaunchArguments all(kernel);
  all.dynamicLds = options.dynamicLdsBytes;
  for (const std::string &text : options.buffers)
    if (Error error = all.parseBuffer(text))
      return error;
  bool wantsSegment = !options.kernarg.empty();
  for (const std::string &text : options.arguments) {
    if (Error error = all.parseArgument(text))
      return error;
    wantsSegment |= all.arguments.back().place.has_value();
    all.restIsZero |= all.arguments.back().index.has_value();
  }
  all.restIsZero |= wantsSegment;
  if (wantsSegment && isSpirv)
    return fail(ExitCode::BadUsage,
                "a SPIR-V kernel has no kernarg segment: pass its arguments in "
                "order, or by name (--arg NAME=...)");
  if (Error error = all.allocate(simulator))
    return error;
  for (const std::string &text : options.places)
    if (Error error = all.writeAddress(text))
      return error;
  if (!all.restIsZero)
    if (Error error = all.checkCount())
      return error;
  if (Error error = all.fillArguments())
    return error;
  if (wantsSegment)
    if (Error error = all.fillSegment(options))
      return error;
  return all;
}

void LaunchArguments::apply(simulator::Launch &launch) const {
  launch.dynamicLdsBytes = dynamicLds;
  launch.kernarg = segment;
  for (const std::vector<uint8_t> &value : values)
    launch.arguments.push_back(value.data());
}
