//===- TimingCollection.cpp - The times of a process's launches -----------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/timing/TimingCollection.h"

#include "simulator/exec/LaunchState.h"
#include "simulator/observe/FileNames.h"
#include "simulator/timing/TimingReport.h"
#include "targets/ProfileLoader.h"
#include "targets/TargetFolders.h"

#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>

using namespace aircc;
using namespace aircc::sim;

static llvm::Error makeError(const llvm::Twine &why) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "AIRCC_SIM_TIMING: " + why);
}

llvm::Expected<TimingRequest> TimingRequest::parse(llvm::StringRef text) {
  TimingRequest request;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    auto [key, value] = part.split('=');
    if (part == "-")
      request.prints = true;
    else if (part == "full")
      request.timesAll = true;
    else if (part == "sample")
      request.executesSample = true;
    else if (key == "profile" && !value.empty())
      request.profile = expandFileName(value.str());
    else if (key == "timeline" && !value.empty())
      request.timeline = expandFileName(value.str());
    else if (key == "target" && !value.empty())
      request.target = value.str();
    else if (part.contains('='))
      return makeError("there is no '" + part +
                       "'; there is profile=FILE, timeline=FILE and "
                       "target=NAME");
    else
      request.file = expandFileName(part.str());
  }
  request.prints |= request.file.empty() && request.profile.empty() &&
                    request.timeline.empty();
  if (request.timesAll && request.executesSample)
    return makeError("'full' and 'sample' cannot be combined");
  return request;
}

//===----------------------------------------------------------------------===//
// One launch
//===----------------------------------------------------------------------===//

/// Records a launch, and times it at its end.
class TimingCollection::Launch : public TraceRecorder,
                                 private TraceRecorder::Client {
public:
  explicit Launch(TimingCollection &collection)
      : TraceRecorder(static_cast<TraceRecorder::Client &>(*this)),
        collection(collection) {
    options.timesAll = collection.request.timesAll;
    options.wantsTimeline = !collection.request.timeline.empty();
    options.wantsActivity = !collection.request.file.empty();
  }

  bool skipsGroup(uint64_t number) const override {
    return collection.request.executesSample && figures &&
           !observesGroup(number);
  }
  std::string warnings() const override { return problem; }

private:
  RecordedSet begin(const LaunchState &state) override {
    auto found = collection.figuresFor(state.chip->name);
    if (!found) {
      problem = "no timing: " + llvm::toString(found.takeError());
      return {};
    }
    figures = *found;
    return chooseWorkgroups(state, *figures, options);
  }
  void end(const LaunchState &state, std::vector<WorkgroupTrace> traces,
           std::vector<const Op *> ops, bool failed) override {
    if (!figures)
      return;
    KernelTiming timing = timeLaunch(state, *figures, options, traces, ops);
    timing.failed = failed;
    timing.executedSample = collection.request.executesSample;
    collection.add(std::move(timing));
  }

  TimingCollection &collection;
  TimingOptions options;
  std::optional<TimingFigures> figures;
  std::string problem;
};

//===----------------------------------------------------------------------===//
// TimingCollection
//===----------------------------------------------------------------------===//

TimingCollection::TimingCollection(TimingRequest request)
    : request(std::move(request)) {}

TimingCollection::~TimingCollection() { llvm::consumeError(write()); }

std::unique_ptr<LaunchObserver> TimingCollection::observe() {
  return std::make_unique<Launch>(*this);
}

llvm::Expected<TimingFigures>
TimingCollection::figuresFor(const std::string &processor) {
  std::lock_guard<std::mutex> lock(mutex);
  auto known = figures.find(processor);
  if (known != figures.end())
    return known->second;
  // The profiles are installed next to this library's directory.
  static const int anchor = 0;
  Dl_info info;
  std::string self;
  if (dladdr(&anchor, &info) && info.dli_fname)
    self = info.dli_fname;
  const std::string name = request.target.empty() ? processor : request.target;
  std::vector<ProfileError> errors;
  std::optional<TimingFigures> found =
      ProfileLoader(getTargetFolders(self)).loadTiming(name, errors);
  if (!found)
    return llvm::createStringError(
        errors.front().message +
        " (AIRCC_SIM_TIMING=target=NAME selects a profile)");
  figures[processor] = *found;
  return *found;
}

void TimingCollection::add(KernelTiming timing) {
  std::lock_guard<std::mutex> lock(mutex);
  launches.push_back(std::move(timing));
  written = false;
}

/// Writes a file with `print`, unless its name is empty.
static llvm::Error
writeFile(const std::string &name,
          llvm::function_ref<void(llvm::raw_ostream &)> print) {
  if (name.empty())
    return llvm::Error::success();
  std::error_code failure;
  llvm::raw_fd_ostream os(name, failure);
  if (!failure) {
    print(os);
    os.close();
    failure = os.error();
    os.clear_error();
  }
  return failure ? makeError("cannot write " + name + ": " + failure.message())
                 : llvm::Error::success();
}

llvm::Error TimingCollection::write() {
  std::lock_guard<std::mutex> lock(mutex);
  if (written)
    return llvm::Error::success();
  written = true;
  if (request.prints)
    for (const KernelTiming &launch : launches)
      printTiming(launch, llvm::errs());
  if (llvm::Error error = writeFile(request.file, [&](llvm::raw_ostream &os) {
        writeTimingJson(launches, os);
      }))
    return error;
  if (llvm::Error error =
          writeFile(request.profile, [&](llvm::raw_ostream &os) {
            for (const KernelTiming &launch : launches)
              printTimingProfile(launch, os);
          }))
    return error;
  return writeFile(request.timeline,
                   [&](llvm::raw_ostream &os) { writeTimeline(launches, os); });
}
