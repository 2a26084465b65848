//===- EntryCheck.cpp - Checks the arguments of functions -----------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/mgpu/EntryCheck.h"
#include "runtime-stubs/mgpu/Signature.h"
#include "runtime-stubs/mgpu/Staging.h"

#include <algorithm>
#include <vector>

using namespace aircc::rt;

/// Checks that the sizes match the type.
static Status checkSizes(const Signature &signature, const Parameter &p) {
  for (int64_t dim = 0; dim < p.rank; ++dim) {
    int64_t size = p.descriptor->sizes()[dim], wanted = p.sizes[dim];
    if (size < 0)
      return signature.failure(p.name + " has size " + std::to_string(size) +
                               " in dimension " + std::to_string(dim));
    if (wanted >= 0 && size != wanted)
      return signature.failure(p.name + " has size " + std::to_string(size) +
                               " in dimension " + std::to_string(dim) + "; " +
                               std::to_string(wanted) + " is required");
  }
  return Status::success();
}

/// Checks that the elements are contiguous and in row-major order.
static Status checkStrides(const Signature &signature, const Parameter &p) {
  if (p.countElements() == 0)
    return Status::success();
  int64_t wanted = 1;
  for (int64_t dim = p.rank - 1; dim >= 0; --dim) {
    int64_t size = p.descriptor->sizes()[dim],
            stride = p.descriptor->strides(p.rank)[dim];
    // The stride of a dimension of one element does not matter.
    if (size != 1 && stride != wanted)
      return signature.failure(
          p.name + " has stride " + std::to_string(stride) + " in dimension " +
          std::to_string(dim) + "; " + std::to_string(wanted) +
          " is required: elements must be contiguous, in row-major order");
    wanted *= size;
  }
  return Status::success();
}

static Status checkAddress(const Signature &signature, const Parameter &p) {
  if (p.descriptor->offset != 0)
    return signature.failure(
        p.name + " has offset " + std::to_string(p.descriptor->offset) +
        "; 0 is required: 'aligned' must point to the first element");
  if (p.countElements() == 0)
    return Status::success();
  if (!p.descriptor->aligned)
    return signature.failure(p.name + " has no memory: 'aligned' is null");
  if (reinterpret_cast<uintptr_t>(p.descriptor->aligned) % p.elementBytes != 0)
    return signature.failure(p.name + " is not aligned: elements of type " +
                             p.elementType +
                             " require addresses that are multiples of " +
                             std::to_string(p.elementBytes));
  return Status::success();
}

/// Takes the descriptors in `list` from `pointers` and checks each of them.
static Status checkParameters(const Signature &signature,
                              std::vector<Parameter> &list,
                              void *const *pointers) {
  for (Parameter &p : list) {
    const void *pointer = *pointers++;
    if (p.isNumber())
      continue;
    if (!pointer)
      return signature.failure(p.name + " is null");
    p.descriptor = static_cast<const Descriptor *>(pointer);
    for (auto *check : {checkSizes, checkAddress, checkStrides})
      if (Status s = check(signature, p); !s.ok())
        return s;
  }
  return Status::success();
}

/// Calls `function` with the arguments and an array for `count` numbers.
static std::vector<int64_t> computeSizes(void (*function)(void *const *),
                                         const Signature &signature,
                                         void *const *arguments, size_t count) {
  struct {
    int64_t *allocated, *aligned;
    int64_t offset, size, stride;
  } descriptor;
  std::vector<int64_t> sizes(count);
  descriptor = {sizes.data(), sizes.data(), 0, static_cast<int64_t>(count), 1};
  std::vector<void *> pointers(arguments,
                               arguments + signature.arguments.size());
  pointers.push_back(&descriptor);
  function(pointers.data());
  return sizes;
}

/// Returns a description such as "argument 0 has size 4 in dimension 1".
static std::string describeSize(const Signature &signature, int64_t argument,
                                int64_t dim, int64_t size) {
  std::string name = argument < 0 ? "a slice or a combination of the arguments"
                                  : signature.arguments[argument].name;
  std::string text = name + " has size " + std::to_string(size);
  return argument < 0 ? text : text + " in dimension " + std::to_string(dim);
}

static std::string describeViolation(const Signature &signature,
                                     const SizeCheck &check, int64_t left,
                                     int64_t right) {
  std::string text =
      describeSize(signature, check.leftArgument, check.leftDim, left);
  std::string number = std::to_string(right);
  if (check.rightArgument >= 0) {
    static const char *const requirements[] = {
        "; they must be equal", "; the first must not be less",
        "; they must be equal, or one of them 1"};
    text +=
        ", " +
        describeSize(signature, check.rightArgument, check.rightDim, right) +
        requirements[check.relation];
  } else {
    static const char *const requirements[] = {"", "at least ", "1 or "};
    text += "; " + (requirements[check.relation] + number) + " is required";
  }
  return text + " for " + check.requiredBy;
}

static Status checkRelations(const AirccEntry &entry,
                             const Signature &signature,
                             void *const *arguments) {
  if (!entry.sizeChecks)
    return Status::success();
  std::vector<int64_t> sizes = computeSizes(
      entry.sizeChecks, signature, arguments, 2 * signature.checks.size());
  const int64_t *size = sizes.data();
  for (const SizeCheck &check : signature.checks) {
    int64_t left = *size++, right = *size++;
    if (check.holds(left, right))
      continue;
    return signature.failure(describeViolation(signature, check, left, right));
  }
  return Status::success();
}

/// Checks that the results have the sizes that the arguments determine.
static Status checkResultSizes(const AirccEntry &entry,
                               const Signature &signature,
                               void *const *arguments) {
  if (!entry.resultSizes || signature.sizesNeedElements)
    return Status::success();
  std::vector<int64_t> sizes(signature.countResultSizes());
  if (Status s = computeResultSizes(entry, arguments, sizes.data()); !s.ok())
    return s;
  const int64_t *wanted = sizes.data();
  for (const Parameter &p : signature.results)
    for (int64_t dim = 0; dim < p.rank; ++dim)
      if (p.sizes[dim] < 0) {
        if (p.descriptor->sizes()[dim] != *wanted)
          return signature.failure(p.name + " has size " +
                                   std::to_string(p.descriptor->sizes()[dim]) +
                                   " in dimension " + std::to_string(dim) +
                                   "; " + std::to_string(*wanted) +
                                   " is required for these arguments");
        ++wanted;
      }
  return Status::success();
}

/// Returns whether two parameters share memory.
static bool overlap(const Parameter &a, const Parameter &b) {
  const char *beginA = a.descriptor->aligned, *beginB = b.descriptor->aligned;
  return beginA < beginB + b.countBytes() && beginB < beginA + a.countBytes();
}

/// Checks that no result overlaps an argument or another result. A result may,
/// however, be in the donated argument in which the function leaves it.
static Status checkOverlap(const Signature &signature) {
  std::vector<const Parameter *> all;
  for (const Parameter &p : signature.arguments) {
    if (p.isNumber())
      continue;
    for (const Parameter *other : all)
      if ((p.isDonated || other->isDonated) && overlap(p, *other))
        return signature.failure(
            (p.isDonated ? p : *other).name + ", which is donated, overlaps " +
            (p.isDonated ? *other : p).name + " in memory");
    all.push_back(&p);
  }
  for (const Parameter &p : signature.results) {
    const Parameter *donor =
        p.donor < 0 ? nullptr : &signature.arguments[p.donor];
    for (const Parameter *other : all)
      if (overlap(p, *other) &&
          (other != donor ||
           p.descriptor->aligned != donor->descriptor->aligned))
        return signature.failure(p.name + " overlaps " + other->name +
                                 " in memory");
    all.push_back(&p);
  }
  return Status::success();
}

/// Checks that this runtime can read the compiler's description of the entry.
static Status checkVersion(const AirccEntry &entry) {
  if (entry.version == AIRCC_ENTRY_VERSION)
    return Status::success();
  return Status::failure(
      "the function was compiled by another version of aircc: its interface "
      "has version " +
      std::to_string(entry.version) + ", the runtime's is " +
      std::to_string(AIRCC_ENTRY_VERSION));
}

Status aircc::rt::computeResultSizes(const AirccEntry &entry,
                                     void *const *arguments, int64_t *sizes) {
  if (!entry.resultSizes)
    return Status::success();
  Signature signature(entry);
  auto compute = [&](void *const *pointers) {
    return computeSizes(entry.resultSizes, signature, pointers,
                        signature.countResultSizes());
  };
  std::vector<int64_t> values;
  if (signature.sizesNeedElements) {
    signature.takeDescriptors(arguments, /*hasResults=*/false);
    values = compute(HostArguments(signature, arguments).getPointers());
  } else {
    values = compute(arguments);
  }
  size_t next = 0;
  for (const Parameter &p : signature.results)
    for (int64_t dim = 0; dim < p.rank; ++dim)
      if (p.sizes[dim] < 0 && values[next++] < 0)
        return signature.failure(p.name + " would have size " +
                                 std::to_string(values[next - 1]) +
                                 " in dimension " + std::to_string(dim));
  std::copy(values.begin(), values.end(), sizes);
  return Status::success();
}

Status aircc::rt::checkSizesCall(const AirccEntry &entry,
                                 void *const *arguments) {
  if (Status s = checkVersion(entry); !s.ok())
    return s;
  Signature signature(entry);
  if (Status s = checkParameters(signature, signature.arguments, arguments);
      !s.ok())
    return s;
  return checkRelations(entry, signature, arguments);
}

Status aircc::rt::checkCall(const AirccEntry &entry, void *const *arguments) {
  if (Status s = checkVersion(entry); !s.ok())
    return s;
  Signature signature(entry);
  if (!signature.checked)
    return Status::success();
  if (Status s = checkParameters(signature, signature.arguments, arguments);
      !s.ok())
    return s;
  if (Status s = checkRelations(entry, signature, arguments); !s.ok())
    return s;
  if (Status s = checkParameters(signature, signature.results,
                                 arguments + signature.arguments.size());
      !s.ok())
    return s;
  if (Status s = checkResultSizes(entry, signature, arguments); !s.ok())
    return s;
  return checkOverlap(signature);
}
