# The unit tests: every GoogleTest binary of the build.

import os

import lit.formats

config.name = "aircc-unit"
config.test_format = lit.formats.GoogleTest(".", "Test")
config.suffixes = []
config.test_source_root = os.path.join(config.aircc_binary_dir, "test", "unit")
config.test_exec_root = config.test_source_root
config.environment["AIRCC_RUNTIME_PATH"] = os.path.join(config.aircc_binary_dir, "lib")
