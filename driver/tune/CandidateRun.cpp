//===- CandidateRun.cpp - Times a product with a candidate ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/tune/CandidateRun.h"

#include "driver/diagnostics/Failure.h"
#include "driver/tune/CallLibrary.h"
#include "driver/tune/ProductProgram.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace aircc;
using namespace llvm;

static json::Object toJson(const TunedFactor &factor) {
  return json::Object{{"type", factor.type},
                      {"alongK", factor.alongK},
                      {"computed", factor.isComputed}};
}

json::Object aircc::toJson(const TunedProduct &product) {
  const TunedProductKey &key = product.key;
  return json::Object{
      {"chip", key.chip},
      {"waveSize", key.waveSize},
      {"cus", key.cus},
      {"m", key.m},
      {"n", key.n},
      {"k", key.k},
      {"matrices", key.matrices},
      {"a", ::toJson(key.a)},
      {"b", ::toJson(key.b)},
      {"c", key.c},
      {"tile", json::Array{product.tileM, product.tileN, product.tileK}},
      {"waves", json::Array{product.wavesM, product.wavesN}},
      {"buffers", product.buffers},
      {"splits", product.splits}};
}

std::string aircc::writeTuning(json::Array products) {
  return formatv("{0:2}\n",
                 json::Value(json::Object{{"tuning", std::move(products)}}))
      .str();
}

static Error writeFile(const Twine &path, StringRef text) {
  std::error_code ec;
  raw_fd_ostream os(path.str(), ec);
  os << text;
  os.close();
  if (!ec)
    ec = os.error();
  os.clear_error();
  if (ec)
    return fail(ExitCode::Environment,
                "cannot write '" + path + "': " + ec.message());
  return Error::success();
}

/// Runs this program with `arguments`. On failure, the error is what it
/// printed.
static Error runSelf(StringRef aircc, ArrayRef<std::string> arguments,
                     StringRef folder) {
  std::string printed = (folder + "/errors").str();
  SmallVector<StringRef> command = {aircc};
  command.append(arguments.begin(), arguments.end());
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(printed),
                                          StringRef(printed)};
  std::string message;
  int status = sys::ExecuteAndWait(aircc, command, std::nullopt, redirects, 0,
                                   0, &message);
  if (status == 0)
    return Error::success();
  if (auto buffer = MemoryBuffer::getFile(printed); buffer && message.empty())
    message = (*buffer)->getBuffer().rtrim().str();
  return fail(ExitCode::Environment, message.empty() ? "it failed" : message);
}

/// Returns the sum of the times of all launches.
static Expected<double> readTime(const Twine &path) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return fail(ExitCode::Environment, "the simulated device wrote no times: " +
                                           buffer.getError().message());
  auto document = json::parse((*buffer)->getBuffer());
  if (!document)
    return document.takeError();
  double sum = 0;
  const json::Array *launches = nullptr;
  if (const json::Object *object = document->getAsObject())
    launches = object->getArray("launches");
  if (!launches || launches->empty())
    return fail(ExitCode::Environment, "the simulated device timed no launch");
  for (const json::Value &launch : *launches)
    sum += launch.getAsObject()->getNumber("nanoseconds").value_or(0);
  return sum;
}

Expected<double>
aircc::timeCandidate(const strategy::MatmulProblem &product,
                     const std::optional<TunedProduct> &candidate,
                     const CandidateSettings &settings, StringRef folder) {
  std::string source = (folder + "/product.mlir").str();
  if (Error error = writeFile(source, writeProductProgram(product)))
    return error;
  std::vector<std::string> compile = {
      source, "--emit", "shared",  "-o", (folder + "/product.so").str(),
      "-j",   "1",      "--cache", "off"};
  append_range(compile, settings.options);
  // Without a candidate, the file has no entry, so that those of the profile
  // have no effect either.
  json::Array entries;
  if (candidate)
    entries.push_back(toJson(*candidate));
  std::string tuning = (folder + "/tuning.json").str();
  if (Error error = writeFile(tuning, writeTuning(std::move(entries))))
    return error;
  compile.insert(compile.end(), {"--tuning", tuning});
  if (Error error = runSelf(settings.aircc, compile, folder))
    return error;
  std::vector<std::string> call = {callLibraryCommand.str(), folder.str(),
                                   settings.profile};
  append_range(call, getTensors(product));
  if (Error error = runSelf(settings.aircc, call, folder))
    return error;
  return readTime(folder + "/timing.json");
}
