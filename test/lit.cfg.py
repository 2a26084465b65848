# The lit suite of aircc: FileCheck tests of passes and of the driver, and end-to-end tests that compile and run
# programs. Unit tests are a separate suite (unit/lit.cfg.py).

import ctypes.util
import glob
import os
import platform
import shutil
import subprocess
import urllib.request

import lit.formats

config.name = "aircc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".ll", ".s"]
config.excludes = ["Inputs", "unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.aircc_binary_dir, "test", "lit")

bin_dir = os.path.join(config.aircc_binary_dir, "bin")
config.environment["PATH"] = os.pathsep.join([bin_dir, config.llvm_bin_dir, os.environ.get("PATH", "")])

# Tests must not depend on the caller's environment, especially not on its device or rank.
for name in list(config.environment):
    if name.startswith("AIRCC_"):
        del config.environment[name]
config.environment["AIRCC_DEVICE"] = "sim"
# Programs run with the checker enabled: every report, even a warning, fails the launch.
config.environment["AIRCC_SIM_CHECK"] = "all=error"
# Tests of the cache enable it.
config.environment["AIRCC_CACHE"] = "off"
config.environment["LC_ALL"] = "C"

aircc = os.path.join(bin_dir, "aircc")
# lit --param memcheck=1: run every compile under valgrind (30 seconds each).
if lit_config.params.get("memcheck"):
    aircc = "valgrind -q --error-exitcode=99 " + aircc
config.substitutions.append(("%aircc", aircc))
config.substitutions.append(("%samples", os.path.join(config.aircc_source_dir, "samples")))
config.substitutions.append(("%targets", os.path.join(config.aircc_source_dir, "targets")))
config.substitutions.append(("%runtime-dir", os.path.join(config.aircc_binary_dir, "lib")))
config.substitutions.append(("%source-dir", config.aircc_source_dir))
config.substitutions.append(("%host-cc", config.host_cc))
config.substitutions.append(("%host-cxx", config.host_cxx))

# Builds may leave out the benchmarks (AIRCC_BUILD_BENCHMARKS).
if os.path.exists(os.path.join(bin_dir, "estimate-products")):
    config.available_features.add("benchmarks")

# Tests that depend on optional tools name them in REQUIRES. lit reports these tests as unsupported if a tool is
# missing.
for tool in [
    "valgrind",
    "spirv-val",
    "ocloc",
    "cmake",
    "make",
    "dpkg-shlibdeps",
    "mkdocs",
    "chromium",
    "clang-tidy-22",
    "mpirun.openmpi",
    "mpiexec.hydra",
]:
    if shutil.which(tool):
        config.available_features.add(tool)
# The registry of npm, from which the extension for an editor is built.
if shutil.which("npm") and shutil.which("node"):
    try:
        urllib.request.urlopen("https://registry.npmjs.org/-/ping", timeout=3).close()
        config.available_features.add("npm-registry")
    except OSError:
        pass
# A clang release other than the LLVM that aircc is built with.
own = os.path.realpath(os.path.join(config.llvm_bin_dir, "clang"))
if any(os.path.realpath(clang) != own for clang in glob.glob("/usr/lib/llvm-*/bin/clang")):
    config.available_features.add("other-clang")
if platform.machine() == "x86_64":
    config.available_features.add("x86-host")
if config.sanitizer:
    config.available_features.add("sanitizer")
if ctypes.util.find_library("curl"):
    config.available_features.add("libcurl")
if os.geteuid() == 0:
    config.available_features.add("root")
    # As root, unless a container forbids mounts.
    mount = "mount -t tmpfs -o size=16k tmpfs /mnt"
    if subprocess.run(["unshare", "-m", "sh", "-c", mount], stderr=subprocess.DEVNULL).returncode == 0:
        config.available_features.add("mount")
