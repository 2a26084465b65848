//===- StageOptions.h - The options of a stage ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Profiles and --stage-option give the options of a stage as text in the syntax
// of MLIR's pass pipelines: `opt-level=3 rocm-path="/opt/my rocm" debug`. Every
// stage declares its options here, so that they are parsed, and their errors
// worded, in one place. (MLIR's PassPipelineOptions prints errors in values to
// standard error, where no diagnostics format applies.)
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_STAGEOPTIONS_H
#define AIRCC_PIPELINE_COMMON_STAGEOPTIONS_H

#include "pipeline/common/Stage.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace aircc {

/// Binds the options of a stage to variables, whose values are the defaults.
class StageOptions {
public:
  explicit StageOptions(llvm::StringRef stage) : stage(stage) {}

  /// The key alone means true.
  void addFlag(llvm::StringRef key, bool &value);

  template <typename T>
  void addNumber(llvm::StringRef key, T &value, T least = 0,
                 T most = std::numeric_limits<T>::max()) {
    std::string range = most == std::numeric_limits<T>::max()
                            ? "a number of at least " + std::to_string(least)
                            : "a number from " + std::to_string(least) +
                                  " to " + std::to_string(most);
    add(key, range, [&value, least, most](llvm::StringRef text) {
      T number;
      if (text.getAsInteger(10, number) || number < least || number > most)
        return false;
      value = number;
      return true;
    });
  }

  void addText(llvm::StringRef key, std::string &value);

  template <typename T>
  void addChoice(llvm::StringRef key, T &value,
                 std::vector<std::pair<llvm::StringRef, T>> choices) {
    std::vector<std::string> names;
    for (const auto &choice : choices)
      names.push_back(choice.first.str());
    add(key, "one of " + llvm::join(names, ", "),
        [&value, choices = std::move(choices)](llvm::StringRef text) {
          for (const auto &[name, choice] : choices)
            if (name == text) {
              value = choice;
              return true;
            }
          return false;
        });
  }

  /// Sets the variables as `text` says. Of a key that is repeated, the last
  /// value counts.
  mlir::LogicalResult parse(llvm::StringRef text, StageErrorFn onError) const;

private:
  struct Option {
    std::string key;
    std::string values; ///< "a number from 0 to 3"
    std::function<bool(llvm::StringRef)> set;
    bool isFlag = false;
  };

  void add(llvm::StringRef key, std::string values,
           std::function<bool(llvm::StringRef)> set);
  std::string describeUnknown(llvm::StringRef key) const;

  std::string stage;
  std::vector<Option> options;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_STAGEOPTIONS_H
