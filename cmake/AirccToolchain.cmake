# LLVM, MLIR and lld 22.1 as Debian packages them, and the small libraries.

set(AIRCC_LLVM_PREFIX "/usr/lib/llvm-22" CACHE PATH
    "Where LLVM, MLIR and lld 22 are installed")

find_package(MLIR 22.1 REQUIRED CONFIG HINTS "${AIRCC_LLVM_PREFIX}/lib/cmake/mlir")
find_package(LLVM 22.1 REQUIRED CONFIG HINTS "${AIRCC_LLVM_PREFIX}/lib/cmake/llvm")
find_package(LLD 22.1 REQUIRED CONFIG HINTS "${AIRCC_LLVM_PREFIX}/lib/cmake/lld")
find_package(CLI11 REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Threads REQUIRED)

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# System headers: their warnings are not ours.
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS} ${LLD_INCLUDE_DIRS})
include_directories("${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}")
separate_arguments(AIRCC_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${AIRCC_LLVM_DEFINITIONS})

# The system linker takes seconds for what lld does in a blink.
find_program(AIRCC_LLD ld.lld HINTS "${AIRCC_LLVM_PREFIX}/bin" NO_DEFAULT_PATH)
if(AIRCC_LLD)
  add_link_options("-B${AIRCC_LLVM_PREFIX}/bin" -fuse-ld=lld)
endif()
