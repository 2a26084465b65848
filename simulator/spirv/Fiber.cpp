//===- Fiber.cpp - Separate stacks for lanes ------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/spirv/Fiber.h"

#include <cstdint>
#include <new>
#include <sys/mman.h>
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

using namespace aircc::sim::spirv;

namespace {
constexpr size_t kGuardBytes = 4096;

/// Returns the number of unused bytes at the top of a stack with this color.
constexpr size_t colorBytes(unsigned color) {
  return kGuardBytes / Fiber::kColors * (color % Fiber::kColors);
}

void *mapStack() {
  void *memory =
      mmap(nullptr, Fiber::kStackBytes + kGuardBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  mprotect(memory, kGuardBytes, PROT_NONE);
  return memory;
}
} // namespace

#if defined(__x86_64__)

// Saves the callee-saved registers (System V ABI, x86-64) on the old stack and
// restores them from the new one. On a fresh stack, r12 is the function to call
// and r13 its argument.
asm(R"(
  .text
  .p2align 4
  .hidden airccSimSwitchStack
  .globl airccSimSwitchStack
  .type airccSimSwitchStack,@function
airccSimSwitchStack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size airccSimSwitchStack, .-airccSimSwitchStack

  .p2align 4
  .hidden airccSimBeginStack
  .globl airccSimBeginStack
  .type airccSimBeginStack,@function
airccSimBeginStack:
  movq %r13, %rdi
  call *%r12
  ud2
  .size airccSimBeginStack, .-airccSimBeginStack
)");
extern "C" void airccSimSwitchStack(void **save, void *enter);
extern "C" void airccSimBeginStack();

struct Fiber::Context {
  void *memory = mapStack();
  void *inside = nullptr, *outside = nullptr;
  ~Context() { munmap(memory, kStackBytes + kGuardBytes); }
};

void Fiber::start(void (*run)(void *), void *argument, unsigned color) {
  auto *top = reinterpret_cast<uint64_t *>(
      static_cast<char *>(context->memory) + kGuardBytes + kStackBytes -
      colorBytes(color));
  // Push the values in the order in which airccSimSwitchStack pops them. The
  // stack is aligned to 16 bytes at the call in airccSimBeginStack.
  *--top = 0;
  *--top = 0;
  *--top = reinterpret_cast<uint64_t>(&airccSimBeginStack);
  *--top = 0;                                    // rbp
  *--top = 0;                                    // rbx
  *--top = reinterpret_cast<uint64_t>(run);      // r12
  *--top = reinterpret_cast<uint64_t>(argument); // r13
  *--top = 0;                                    // r14
  *--top = 0;                                    // r15
  context->inside = top;
}

void Fiber::resume() {
  airccSimSwitchStack(&context->outside, context->inside);
}
void Fiber::suspend() {
  airccSimSwitchStack(&context->inside, context->outside);
}
void Fiber::switchTo(Fiber &next) {
  next.context->outside = context->outside;
  airccSimSwitchStack(&context->inside, next.context->inside);
}

#else

struct Fiber::Context {
  void *memory = mapStack();
  ucontext_t inside, outside;
  /// The context to which suspend() returns: `outside` of the fiber on which
  /// resume() was called.
  ucontext_t *back = nullptr;
  void (*run)(void *) = nullptr;
  void *argument = nullptr;
  ~Context() { munmap(memory, kStackBytes + kGuardBytes); }
};

// makecontext only passes ints.
static void begin(unsigned high, unsigned low) {
  auto *context = reinterpret_cast<Fiber::Context *>(
      static_cast<uintptr_t>(high) << 32 | low);
  context->run(context->argument);
}

void Fiber::start(void (*run)(void *), void *argument, unsigned color) {
  context->run = run;
  context->argument = argument;
  getcontext(&context->inside);
  context->inside.uc_stack.ss_sp =
      static_cast<char *>(context->memory) + kGuardBytes;
  context->inside.uc_stack.ss_size = kStackBytes - colorBytes(color);
  context->inside.uc_link = nullptr;
  auto bits = reinterpret_cast<uintptr_t>(context.get());
  makecontext(&context->inside, reinterpret_cast<void (*)()>(&begin), 2,
              static_cast<unsigned>(bits >> 32), static_cast<unsigned>(bits));
}

void Fiber::resume() {
  context->back = &context->outside;
  swapcontext(&context->outside, &context->inside);
}
void Fiber::suspend() { swapcontext(&context->inside, context->back); }
void Fiber::switchTo(Fiber &next) {
  next.context->back = context->back;
  swapcontext(&context->inside, &next.context->inside);
}

#endif

Fiber::Fiber() : context(std::make_unique<Context>()) {}
Fiber::~Fiber() = default;
Fiber::Fiber(Fiber &&) noexcept = default;
Fiber &Fiber::operator=(Fiber &&) noexcept = default;
