//===- CallLibrary.cpp - Calls the function of a library ------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/tune/CallLibrary.h"

#include "driver/diagnostics/Failure.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <unistd.h>
#include <vector>

using namespace aircc;
using namespace llvm;

namespace {

/// A tensor of zeros, with the descriptor and the memory of a memref.
class Tensor {
public:
  static constexpr size_t kAlignment = 64;

  /// Parses "SIZExSIZExBYTES".
  bool parse(StringRef text) {
    SmallVector<StringRef> parts;
    text.split(parts, 'x');
    SmallVector<int64_t> sizes(parts.size());
    size_t bytes = 1;
    for (auto [part, size] : zip(parts, sizes)) {
      if (part.getAsInteger(10, size) || size <= 0)
        return false;
      bytes *= size;
    }
    sizes.pop_back();
    bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    memory.reset(std::aligned_alloc(kAlignment, bytes));
    if (!memory)
      return false;
    std::memset(memory.get(), 0, bytes);
    auto address = reinterpret_cast<int64_t>(memory.get());
    descriptor = {address, address, 0};
    append_range(descriptor, sizes);
    for (size_t i = 0; i < sizes.size(); ++i) {
      int64_t stride = 1;
      for (int64_t size : ArrayRef(sizes).drop_front(i + 1))
        stride *= size;
      descriptor.push_back(stride);
    }
    return true;
  }

  void *getDescriptor() { return descriptor.data(); }

private:
  struct Free {
    void operator()(void *pointer) const { std::free(pointer); }
  };
  std::unique_ptr<void, Free> memory;
  SmallVector<int64_t> descriptor;
};

} // namespace

static int reportError(const Twine &message) {
  errs() << message << "\n";
  return static_cast<int>(ExitCode::Environment);
}

int aircc::callLibrary(int count, char **arguments) {
  if (count != 5)
    return reportError("expected a directory, a target and three tensors");
  if (::chdir(arguments[0]) != 0)
    return reportError(Twine("cannot enter ") + arguments[0]);
  ::setenv("AIRCC_DEVICE", "sim", /*overwrite=*/1);
  // Candidates run concurrently, each in one thread.
  ::setenv("AIRCC_SIM_THREADS", "1", /*overwrite=*/1);
  ::setenv("AIRCC_SIM_TIMING",
           (Twine("timing.json,sample,target=") + arguments[1]).str().c_str(),
           /*overwrite=*/1);
  ::unsetenv("AIRCC_SIM_CHECK");
  ::unsetenv("AIRCC_SIM_COUNTERS");
  ::unsetenv("AIRCC_SIM_TRACE");
  Tensor tensors[3];
  for (auto [tensor, text] : zip(tensors, ArrayRef(arguments + 2, 3)))
    if (!tensor.parse(text))
      return reportError(Twine("no memory for the tensor ") + text);
  void *library = ::dlopen("./product.so", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return reportError(::dlerror());
  using Function = int32_t(void *, void *, void *);
  auto *function =
      reinterpret_cast<Function *>(::dlsym(library, "aircc_product"));
  if (!function)
    return reportError(::dlerror());
  return function(tensors[0].getDescriptor(), tensors[1].getDescriptor(),
                  tensors[2].getDescriptor());
}
