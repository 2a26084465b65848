//===- StageOptions.h - The options of a stage ------------------*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Profiles and --stage-option specify the options of a stage as text in the
// syntax of MLIR's pass pipelines: `opt-level=3 rocm-path="/opt/my rocm"
// debug`. MLIR's PassPipelineOptions parses it. Values are checked before that,
// because llvm::cl prints its errors to standard error, regardless of the
// diagnostics format.
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_PIPELINE_COMMON_STAGEOPTIONS_H
#define AIRCC_PIPELINE_COMMON_STAGEOPTIONS_H

#include "pipeline/common/Stage.h"

#include "mlir/Pass/PassOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace aircc {

/// The options of a stage, declared like those of a pass pipeline:
///
///   struct MyOptions : StageOptions {
///     Option<bool> debug{*this, "debug", llvm::cl::desc("...")};
///     Option<unsigned> level{*this, "level", {0, 3}, llvm::cl::init(2)};
///   };
class StageOptions : public mlir::PassPipelineOptions<StageOptions> {
public:
  /// Sets the options from `text`. The last value of a repeated option is used.
  mlir::LogicalResult parse(llvm::StringRef stage, llvm::StringRef text,
                            StageErrorFn onError);

  /// The range of valid numbers.
  template <typename T> struct Range {
    T least{};
    T most = std::numeric_limits<T>::max();
  };

  /// MLIR's option, which reports invalid values to the enclosing StageOptions.
  template <typename T> class Option : public PassOptions::Option<T> {
    using Base = PassOptions::Option<T>;

  public:
    template <typename... Args>
    Option(StageOptions &parent, llvm::StringRef key, Args &&...args)
        : Base(parent, key, std::forward<Args>(args)...), parent(parent) {}
    template <typename... Args>
    Option(StageOptions &parent, llvm::StringRef key, Range<T> range,
           Args &&...args)
        : Base(parent, key, std::forward<Args>(args)...), parent(parent),
          range(range) {}

  private:
    bool handleOccurrence(unsigned position, llvm::StringRef key,
                          llvm::StringRef text) final {
      T value{};
      if (!takes(text) || this->getParser().parse(*this, key, text, value)) {
        parent.refused = {key.str(), describeValues(), text.str()};
        return true;
      }
      this->setValue(value);
      this->setPosition(position);
      this->optHasValue = true;
      return false;
    }

    /// Returns whether `text` is in the range and can be parsed by llvm::cl.
    bool takes(llvm::StringRef text) {
      if constexpr (std::is_same_v<T, bool>) {
        // A key without a value means true.
        return llvm::is_contained({"", "true", "false", "1", "0"}, text);
      } else if constexpr (std::is_integral_v<T>) {
        T number;
        return !text.getAsInteger(0, number) && number >= range.least &&
               number <= range.most;
      } else if constexpr (std::is_enum_v<T>) {
        return llvm::is_contained(getChoices(), text);
      } else {
        return true;
      }
    }

    std::string describeValues() {
      if constexpr (std::is_same_v<T, bool>) {
        return "true or false";
      } else if constexpr (std::is_integral_v<T>) {
        if (range.most == std::numeric_limits<T>::max())
          return "a number of at least " + std::to_string(range.least);
        return "a number from " + std::to_string(range.least) + " to " +
               std::to_string(range.most);
      } else if constexpr (std::is_enum_v<T>) {
        return "one of " + llvm::join(getChoices(), ", ");
      } else {
        return "text";
      }
    }

    /// Returns the names of cl::values.
    llvm::SmallVector<llvm::StringRef> getChoices() {
      llvm::SmallVector<llvm::StringRef> names;
      for (unsigned i = 0; i < this->getParser().getNumOptions(); ++i)
        names.push_back(this->getParser().getOption(i));
      return names;
    }

    StageOptions &parent;
    Range<T> range;
  };

private:
  /// A value that is invalid for its option.
  struct Refused {
    std::string key;
    std::string values; ///< What the option takes: "a number from 0 to 3".
    std::string value;
  };

  std::string describeUnknown(llvm::StringRef stage, llvm::StringRef key) const;

  std::optional<Refused> refused;
};

} // namespace aircc

#endif // AIRCC_PIPELINE_COMMON_STAGEOPTIONS_H
