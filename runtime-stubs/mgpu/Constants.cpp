//===- Constants.cpp - Constants in files next to a program ---------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/mgpu/Constants.h"
#include "runtime-stubs/mgpu/CurrentDevice.h"
#include "runtime-stubs/support/ConstantHash.h"
#include "runtime-stubs/support/Safetensors.h"

#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <vector>

using namespace aircc::rt;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {

/// A mapped file, which stays mapped.
class ConstantFile {
public:
  ConstantFile(int fd, const struct stat &status) : status(status) {
    const auto size = static_cast<size_t>(status.st_size);
    void *mapped =
        size ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (mapped != MAP_FAILED)
      contents = {static_cast<const char *>(mapped), size};
    else if (size)
      problem = Status::failure(std::string("cannot map it: ") +
                                std::strerror(errno));
    if (problem.ok())
      problem = readSafetensors(contents, entries);
    if (!problem.ok())
      unmap();
  }
  ConstantFile(const ConstantFile &) = delete;

  /// Returns whether this is the file with the status `other`, unchanged.
  bool is(const struct stat &other) const {
    return status.st_dev == other.st_dev && status.st_ino == other.st_ino &&
           status.st_size == other.st_size &&
           status.st_mtim.tv_sec == other.st_mtim.tv_sec &&
           status.st_mtim.tv_nsec == other.st_mtim.tv_nsec;
  }

  const Status &getProblem() const { return problem; }

  const SafetensorsEntry *find(std::string_view name) const {
    for (const SafetensorsEntry &entry : entries)
      if (entry.name == name)
        return &entry;
    return nullptr;
  }

private:
  void unmap() {
    if (!contents.empty())
      munmap(const_cast<char *>(contents.data()), contents.size());
    contents = {};
    entries.clear();
  }

  struct stat status;
  std::string_view contents;
  std::vector<SafetensorsEntry> entries;
  Status problem = Status::success();
};

struct Registry {
  std::mutex mutex;
  std::vector<std::unique_ptr<ConstantFile>> files;
  /// The constants, by file, name and hash.
  std::map<std::tuple<const ConstantFile *, std::string, uint64_t>,
           std::unique_ptr<Constant>>
      constants;
};

Registry &registry() {
  static Registry *registry = new Registry;
  return *registry;
}

/// Returns the path of the library or executable that contains the object at
/// `address`. Unlike the path from dladdr, it is absolute and is also correct
/// for the executable.
std::string findProgram(const void *address) {
  std::unique_ptr<FILE, int (*)(FILE *)> maps(
      std::fopen("/proc/self/maps", "re"), std::fclose);
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  std::string path;
  char *line = nullptr;
  size_t capacity = 0;
  while (maps && getline(&line, &capacity, maps.get()) > 0) {
    uintptr_t begin = 0, end = 0;
    int at = 0;
    // START-END PERMISSIONS OFFSET DEVICE INODE PATH
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %*s %n",
                    &begin, &end, &at) < 2 ||
        wanted < begin || wanted >= end)
      continue;
    if (at > 0 && line[at] == '/') {
      path = line + at;
      path.erase(path.find_last_not_of('\n') + 1);
    }
    break;
  }
  std::free(line);
  return path;
}

/// Returns the paths at which to look for the file, best first.
std::vector<std::string> listCandidates(const char *file,
                                        const std::string &program) {
  std::vector<std::string> candidates;
  const char *variable = std::getenv("AIRCC_CONSTANTS_PATH");
  std::string_view folders = variable ? variable : "";
  while (!folders.empty()) {
    const size_t colon = folders.find(':');
    if (colon != 0)
      candidates.push_back(std::string(folders.substr(0, colon)) + '/' + file);
    folders = colon == std::string_view::npos ? "" : folders.substr(colon + 1);
  }
  const size_t slash = program.rfind('/');
  if (slash != std::string::npos)
    candidates.push_back(program.substr(0, slash + 1) + file);
  return candidates;
}

/// Opens the first candidate that exists.
Status openFirst(const std::vector<std::string> &candidates, int &fd,
                 std::string &path, struct stat &status) {
  for (const std::string &candidate : candidates) {
    // Opening a pipe must not block.
    fd = open(candidate.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
      continue;
    path = candidate;
    if (fd < 0)
      return Status::failure("cannot read '" + path +
                             "': " + std::strerror(errno));
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
      return Status::success();
    close(fd);
    return Status::failure("cannot read '" + path + "': it is not a file");
  }
  std::string looked;
  for (const std::string &candidate : candidates)
    looked += (looked.empty() ? "" : ", ") + candidate;
  return Status::failure("it does not exist; looked for " +
                         (looked.empty() ? "nothing" : looked) +
                         "; set AIRCC_CONSTANTS_PATH to its directory");
}

/// Returns the file at `path`, which has been opened as `fd`. The caller must
/// hold the mutex.
Status mapFile(Registry &known, int fd, const std::string &path,
               const struct stat &status, const ConstantFile *&file) {
  for (const auto &candidate : known.files)
    if (candidate->is(status)) {
      file = candidate.get();
      return Status::success();
    }
  auto created = std::make_unique<ConstantFile>(fd, status);
  if (const Status &problem = created->getProblem(); !problem.ok())
    return Status::failure("cannot use '" + path + "': " + problem.message());
  file = created.get();
  known.files.push_back(std::move(created));
  return Status::success();
}

} // namespace

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static Status findIn(Registry &known, const ConstantFile &file,
                     const std::string &path, const MgpuConstant &described,
                     Constant *&constant) {
  std::unique_ptr<Constant> &place =
      known.constants[{&file, described.name, described.hash}];
  if (!place) {
    const SafetensorsEntry *entry = file.find(described.name);
    if (!entry)
      return Status::failure("'" + path +
                             "' has no tensor of this name; it "
                             "belongs to another program");
    if (entry->bytes.size() != described.bytes ||
        hashConstant(entry->bytes) != described.hash)
      return Status::failure(
          "'" + path +
          "' does not have the values that the program was compiled with; it "
          "is damaged, or belongs to another program");
    place = std::make_unique<Constant>(entry->bytes);
  }
  constant = place.get();
  return Status::success();
}

Status aircc::rt::findConstant(const MgpuConstant &described,
                               Constant *&constant) {
  const std::string program = findProgram(described.file);
  int fd = -1;
  std::string path;
  struct stat status;
  if (Status s =
          openFirst(listCandidates(described.file, program), fd, path, status);
      !s.ok())
    return Status::failure("the file '" + std::string(described.file) +
                           "' with constants of " +
                           (program.empty() ? "the program" : program) +
                           " cannot be opened: " + s.message());
  Registry &known = registry();
  std::lock_guard<std::mutex> lock(known.mutex);
  const ConstantFile *file = nullptr;
  Status result = mapFile(known, fd, path, status, file);
  close(fd);
  return result.ok() ? findIn(known, *file, path, described, constant) : result;
}

Status Constant::place(Device &device, int index, bool isShared, void *&ptr) {
  std::lock_guard<std::mutex> lock(mutex);
  if (auto found = copies.find({index, isShared}); found != copies.end()) {
    ptr = found->second;
    return Status::success();
  }
  Status status = device.allocate(bytes.size(), nullptr, isShared, ptr);
  if (!status.ok())
    return status;
  status = device.copy(ptr, bytes.data(), bytes.size(), nullptr);
  if (status.ok())
    status = device.synchronizeStream(nullptr);
  if (status.ok())
    copies[{index, isShared}] = ptr;
  else
    (void)device.free(ptr, nullptr).ok();
  return status;
}

void *mgpuGetConstant(MgpuConstant *described, int32_t access) {
  std::atomic_ref<void *> state(described->state);
  auto *constant = static_cast<Constant *>(state.load());
  if (!constant) {
    Status status = findConstant(*described, constant);
    if (!status.ok())
      fail(__func__, formatArguments(arg("constant", described->name)),
           status.message());
    state.store(constant);
  }
  if (access == MGPU_CONSTANT_HOST)
    return const_cast<char *>(constant->getBytes().data());
  void *ptr = nullptr;
  onDevice(
      __func__,
      [&](Device &d) {
        return constant->place(d, currentDeviceIndex(),
                               access == MGPU_CONSTANT_SHARED, ptr);
      },
      arg("constant", described->name));
  return ptr;
}
