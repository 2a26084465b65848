//===- aircc/runtime.hpp - Calling compiled functions from C++ --*- C++ -*-===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C++17 on top of aircc/runtime.h and of the headers that `aircc --header`
// writes: arrays that own their memory, and exceptions for errors.
//
//   #include "model.h"
//   #include "aircc/runtime.hpp"
//
//   aircc::Array<aircc_memref_2d_f32> x({4, 6}), y({4, 8});
//   aircc::call(aircc_forward, x, y);
//
//===----------------------------------------------------------------------===//

#ifndef AIRCC_RUNTIME_HPP
#define AIRCC_RUNTIME_HPP

#include "aircc/runtime.h"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace aircc {

/// A call that failed. `status()` is one of AIRCC_INVALID_ARGUMENT and
/// AIRCC_DEVICE_ERROR; what() is the message.
class Error : public std::runtime_error {
public:
  Error(std::int32_t status, const std::string &message)
      : std::runtime_error(message), code(status) {}
  std::int32_t status() const { return code; }

private:
  std::int32_t code;
};

/// Throws the last error of this thread if `status` is one.
inline void check(std::int32_t status) {
  if (status != AIRCC_SUCCESS)
    throw Error(status, airccLastError());
}

namespace detail {
template <typename Descriptor, typename = void>
struct Rank : std::integral_constant<std::size_t, 0> {};
template <typename Descriptor>
struct Rank<Descriptor, std::void_t<decltype(Descriptor::sizes)>>
    : std::extent<decltype(Descriptor::sizes)> {};
} // namespace detail

/// The type of the elements, and the number of dimensions, that a descriptor of
/// a generated header is for (`aircc_memref_2d_f32`).
template <typename Descriptor>
using Element = std::remove_pointer_t<decltype(Descriptor::aligned)>;
template <typename Descriptor>
using Sizes = std::array<std::int64_t, detail::Rank<Descriptor>::value>;

/// Describes an array in row-major order that something else owns.
template <typename Descriptor>
Descriptor view(Element<Descriptor> *data, const Sizes<Descriptor> &sizes) {
  Descriptor descriptor{};
  descriptor.allocated = descriptor.aligned = data;
  if constexpr (detail::Rank<Descriptor>::value > 0) {
    std::int64_t stride = 1;
    for (std::size_t dim = sizes.size(); dim-- > 0;) {
      descriptor.sizes[dim] = sizes[dim];
      descriptor.strides[dim] = stride;
      stride *= sizes[dim];
    }
  }
  return descriptor;
}

/// An array in row-major order, initially zero.
template <typename Descriptor> class Array {
public:
  explicit Array(const Sizes<Descriptor> &sizes)
      : lengths(sizes), elements(countElements(sizes)) {}

  Element<Descriptor> *data() { return elements.data(); }
  const Element<Descriptor> *data() const { return elements.data(); }
  std::size_t size() const { return elements.size(); }
  const Sizes<Descriptor> &sizes() const { return lengths; }
  auto begin() { return elements.begin(); }
  auto end() { return elements.end(); }
  Element<Descriptor> &operator[](std::size_t i) { return elements[i]; }
  const Element<Descriptor> &operator[](std::size_t i) const {
    return elements[i];
  }

  /// Valid as long as the array is neither moved nor destroyed.
  Descriptor descriptor() { return view<Descriptor>(data(), lengths); }

private:
  static std::size_t countElements(const Sizes<Descriptor> &sizes) {
    std::size_t count = 1;
    for (std::int64_t size : sizes) {
      if (size < 0)
        throw Error(AIRCC_INVALID_ARGUMENT, "an array of negative size");
      count *= static_cast<std::size_t>(size);
    }
    return count;
  }

  Sizes<Descriptor> lengths;
  std::vector<Element<Descriptor>> elements;
};

namespace detail {
/// Passes an argument as a function of a generated header takes it, for the
/// duration of a call: descriptors as pointers, numbers by value.
template <typename Parameter, typename Argument> class Passed {
public:
  explicit Passed(Argument &argument) : argument(argument) {
    if constexpr (std::is_pointer_v<Parameter>) {
      using Descriptor = std::remove_pointer_t<Parameter>;
      if constexpr (std::is_same_v<std::remove_const_t<Argument>,
                                   Array<Descriptor>>)
        descriptor = argument.descriptor();
      else
        descriptor = argument;
    }
  }

  Parameter get() {
    if constexpr (std::is_pointer_v<Parameter>)
      return &descriptor;
    else
      return static_cast<Parameter>(argument);
  }

private:
  struct None {};
  Argument &argument;
  std::conditional_t<std::is_pointer_v<Parameter>,
                     std::remove_pointer_t<Parameter>, None>
      descriptor;
};
} // namespace detail

/// Calls a function of a generated header with arrays, descriptors and numbers.
/// Throws Error if it fails.
template <typename... Parameters, typename... Arguments>
void call(std::int32_t (*function)(Parameters...), Arguments &&...arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                "the function takes another number of arguments");
  check(function(
      detail::Passed<Parameters, std::remove_reference_t<Arguments>>(arguments)
          .get()...));
}

/// The number of devices.
inline int getDeviceCount() {
  std::int32_t count = 0;
  check(airccGetDeviceCount(&count));
  return count;
}

/// Makes `device` the device of this thread.
inline void setDevice(int device) { check(airccSetDevice(device)); }

} // namespace aircc

#endif // AIRCC_RUNTIME_HPP
