//===- Signature.cpp - Types of arguments and results ---------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime-stubs/mgpu/Signature.h"

#include <algorithm>

using namespace aircc::rt;

Signature::Signature(const AirccEntry &table) : entry(table.name) {
  const int64_t *word = table.words;
  int64_t flags = *word++;
  checked = flags & AIRCC_ENTRY_CHECKED;
  sizesNeedElements = flags & AIRCC_ENTRY_SIZES_NEED_ELEMENTS;
  computesOnHost = flags & AIRCC_ENTRY_COMPUTES_ON_HOST;
  int64_t argumentCount = *word++, resultCount = *word++;
  auto read = [&](std::vector<Parameter> &list, int64_t count,
                  const char *kind) {
    for (int64_t i = 0; i < count; ++i) {
      Parameter parameter;
      parameter.name = std::string(kind) + ' ' + std::to_string(i);
      parameter.elementType = table.texts + *word++;
      parameter.elementBytes = *word++;
      parameter.rank = *word++;
      int64_t use = *word++;
      parameter.isUsed = use & AIRCC_ENTRY_USED;
      parameter.isUsedByHost = use & AIRCC_ENTRY_USED_BY_HOST;
      parameter.isDonated = use & AIRCC_ENTRY_DONATED;
      parameter.sizes = word;
      word += std::max<int64_t>(parameter.rank, 0);
      list.push_back(std::move(parameter));
    }
  };
  read(arguments, argumentCount, "argument");
  read(results, resultCount, "result");
  for (int64_t left = *word++; left > 0; --left, word += 6)
    checks.push_back(
        {word[0], word[1], word[2], word[3], word[4], table.texts + word[5]});
  for (int64_t left = *word++; left > 0; --left, word += 2)
    results[word[0]].donor = word[1];
}

int64_t Signature::countResultSizes() const {
  int64_t count = 0;
  for (const Parameter &result : results)
    count += std::count(result.sizes, result.sizes + result.rank, -1);
  return count;
}

void Signature::takeDescriptors(void *const *pointers, bool hasResults) {
  auto take = [&](std::vector<Parameter> &list) {
    for (Parameter &parameter : list) {
      const void *pointer = *pointers++;
      if (!parameter.isNumber())
        parameter.descriptor = static_cast<const Descriptor *>(pointer);
    }
  };
  take(arguments);
  if (hasResults)
    take(results);
}
