//===- SimulatorApi.cpp - The simulator for other programs ----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/api/SimulatorApi.h"

#include "simulator/api/Images.h"
#include "simulator/api/LoadedCode.h"
#include "simulator/launch/CoverageReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace aircc::sim;
namespace api = aircc::simulator;
using api::Status;
using llvm::StringRef;

namespace {

class SimulatorImpl : public api::Simulator {
public:
  explicit SimulatorImpl(
      std::unique_ptr<EnvironmentObservers> environmentObservers)
      : environmentObservers(std::move(environmentObservers)) {
    memory.setSlack(slackFromEnvironment());
  }
  void setThreads(unsigned threads) override { options.threads = threads; }
  void setSeed(uint64_t seed) override { options.seed = seed; }
  Status allocate(size_t bytes, void *&memory) override;
  Status release(void *memory) override;
  Status processors(const void *image, size_t bytes,
                    std::vector<std::string> &names) override;
  Status load(const void *image, size_t bytes, const std::string &processor,
              std::unique_ptr<api::Code> &code) override;
  Status launch(api::Code &code, const api::Launch &launch,
                api::LaunchReport *report) override;
  void setSchedule(api::Schedule schedule) override {
    options.schedule = schedule;
  }
  void setTimeLimit(double seconds) override {
    options.timeLimit.reset();
    if (seconds > 0)
      options.timeLimit = std::chrono::duration<double>(seconds);
  }
  void setMaxInstructions(uint64_t count) override {
    options.maxInstructions = count;
  }
  void setSlack(size_t bytes) override { memory.setSlack(bytes); }
  void setLenientSurfaces(bool lenient) override {
    options.lenientSurfaces = lenient;
  }
  Status findCoverage(const void *image, size_t bytes,
                      const std::string &processor,
                      api::Coverage &coverage) override;

private:
  /// Selects the images with code for a processor, and determines whether they
  /// are SPIR-V.
  Status chooseImages(const EmbeddedCodes &found, const std::string &processor,
                      std::string &chosen, std::vector<StringRef> &images,
                      bool &isSpirv);

  GlobalMemory memory;
  std::unique_ptr<EnvironmentObservers> environmentObservers;
  LaunchOptions options = LaunchOptions::fromEnvironment();
};

} // namespace

static Status failure(llvm::Error error) {
  return Status::failure(llvm::toString(std::move(error)));
}

Status SimulatorImpl::allocate(size_t bytes, void *&result) {
  result = memory.allocate(bytes ? bytes : 1);
  return result ? Status::success()
                : Status::failure("no memory for " + std::to_string(bytes) +
                                  " bytes");
}

Status SimulatorImpl::release(void *block) {
  if (!block || memory.release(block))
    return Status::success();
  return Status::failure("cannot release memory that was not allocated here or "
                         "was already released");
}

Status SimulatorImpl::processors(const void *image, size_t bytes,
                                 std::vector<std::string> &names) {
  auto found =
      findCodeObjects(StringRef(static_cast<const char *>(image), bytes));
  if (!found)
    return failure(found.takeError());
  for (const EmbeddedCode &code : found->codes)
    if (!llvm::is_contained(names, code.processor))
      names.push_back(code.processor);
  return Status::success();
}

/// Selects the processor of an image that `wanted` names, either completely or,
/// if that is unambiguous, without features.
static Status choose(const std::vector<std::string> &names,
                     const std::string &wanted, std::string &chosen) {
  std::vector<std::string> matching;
  for (const std::string &name : names)
    if (wanted.empty() || StringRef(name).split(':').first == wanted)
      matching.push_back(name);
  if (llvm::is_contained(names, wanted))
    matching = {wanted};
  if (matching.size() == 1) {
    chosen = matching.front();
    return Status::success();
  }
  std::string held = llvm::join(names, ", ");
  return Status::failure(
      matching.empty()
          ? "it contains no code for " + wanted + "; it has code for " + held
          : "it contains code for several processors; select one: " +
                llvm::join(matching, ", "));
}

Status SimulatorImpl::chooseImages(const EmbeddedCodes &found,
                                   const std::string &processor,
                                   std::string &chosen,
                                   std::vector<StringRef> &images,
                                   bool &isSpirv) {
  std::vector<std::string> names;
  for (const EmbeddedCode &entry : found.codes)
    if (!llvm::is_contained(names, entry.processor))
      names.push_back(entry.processor);
  if (Status status = choose(names, processor, chosen); !status.ok())
    return status;
  for (const EmbeddedCode &entry : found.codes)
    if (entry.processor == chosen) {
      images.push_back(entry.code);
      isSpirv = entry.isSpirv;
    }
  return Status::success();
}

Status SimulatorImpl::load(const void *image, size_t bytes,
                           const std::string &processor,
                           std::unique_ptr<api::Code> &code) {
  auto found =
      findCodeObjects(StringRef(static_cast<const char *>(image), bytes));
  if (!found)
    return failure(found.takeError());
  std::string chosen;
  std::vector<StringRef> images;
  bool isSpirv = false;
  if (Status status = chooseImages(*found, processor, chosen, images, isSpirv);
      !status.ok())
    return status;
  std::unique_ptr<LoadedCode> loaded;
  if (Status status =
          isSpirv
              ? loadSpirv(images, chosen, memory, *environmentObservers, loaded)
              : loadCodeObjects(images, memory, *environmentObservers, loaded);
      !status.ok())
    return status;
  code = std::move(loaded);
  return Status::success();
}

Status SimulatorImpl::findCoverage(const void *image, size_t bytes,
                                   const std::string &processor,
                                   api::Coverage &coverage) {
  auto found =
      findCodeObjects(StringRef(static_cast<const char *>(image), bytes));
  if (!found)
    return failure(found.takeError());
  std::vector<StringRef> images;
  bool isSpirv = false;
  if (Status status =
          chooseImages(*found, processor, coverage.processor, images, isSpirv);
      !status.ok())
    return status;
  for (StringRef code : images)
    if (llvm::Error error = isSpirv ? spirv::addCoverage(code, coverage)
                                    : addCoverage(code, memory, coverage))
      return failure(std::move(error));
  llvm::sort(coverage.gaps, [](const auto &a, const auto &b) {
    return std::tie(a.what, a.reason) < std::tie(b.what, b.reason);
  });
  return Status::success();
}

Status SimulatorImpl::launch(api::Code &code, const api::Launch &launch,
                             api::LaunchReport *report) {
  auto &loaded = static_cast<LoadedCode &>(code);
  std::vector<std::string> known;
  for (const api::Kernel &kernel : loaded.kernels())
    known.push_back(kernel.name);
  if (!llvm::is_contained(known, launch.kernel))
    return Status::failure("there is no kernel '" + launch.kernel +
                           "'; the kernels are: " +
                           (known.empty() ? "none" : llvm::join(known, ", ")));
  return loaded.launch(launch, options, report);
}

llvm::Expected<std::unique_ptr<api::Simulator>> aircc::sim::createSimulator() {
  auto environmentObservers = EnvironmentObservers::fromEnvironment();
  if (!environmentObservers)
    return environmentObservers.takeError();
  return std::make_unique<SimulatorImpl>(std::move(*environmentObservers));
}
