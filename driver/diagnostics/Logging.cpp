//===- Logging.cpp - Output of -v -----------------------------------------===//
//
// Part of aircc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/diagnostics/Logging.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <utility>

void aircc::setUpLogging() {
  auto logger = spdlog::stderr_logger_st("aircc");
  logger->set_pattern("aircc: %v");
  spdlog::set_default_logger(std::move(logger));
}

void aircc::logInfo(const std::string &message) { spdlog::info(message); }
