#!/usr/bin/env bash
# Tries an installation of the packages: the compiler, a CMake project, Python, completions, and the tutorials.
# `package.sh test` runs it in a clean root.
set -euxo pipefail
source=$(realpath "$(dirname "$0")/..")
cd "$(mktemp -d)"
export AIRCC_DEVICE=sim

aircc doctor
aircc "$source/samples/matmul.mlir" --target gfx942 -o matmul
./matmul
test -e /usr/share/bash-completion/completions/aircc
pkg-config --libs aircc-runtime

cat >double.mlir <<'MLIR'
func.func @double(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = arith.addf %x, %x : tensor<?xf32>
  return %y : tensor<?xf32>
}
MLIR

cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(app C CXX)
find_package(aircc REQUIRED)
aircc_add_library(double SHARED SOURCES double.mlir TARGETS gfx942)
add_executable(app app.cpp)
target_link_libraries(app PRIVATE double)
CMAKE
cat >app.cpp <<'CPP'
#include "double.h"
#include "aircc/runtime.hpp"

int main() {
  aircc::Array<aircc_memref_1d_f32> x({3}), y({3});
  x[1] = 21;
  aircc::call(aircc_double, x, y);
  return y[1] == 42 ? 0 : 1;
}
CPP
cmake -S . -B build
cmake --build build
./build/app

aircc double.mlir --target gfx942 --emit shared -o libdouble.so
python3 - <<'PYTHON'
import aircc
import numpy

model = aircc.load("./libdouble.so")
assert (model.double(numpy.array([1, 2], dtype=numpy.float32)) == [2, 4]).all()
PYTHON
for tutorial in "$source"/docs/tutorials/*.md; do
  python3 "$source/test/docs/check_commands.py" --build /usr "$tutorial"
done
echo "the packages work"
