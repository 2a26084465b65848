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
find_package(SPIRV-Tools REQUIRED CONFIG)

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

# What code that uses MLIR, LLVM or lld links. The shared libraries hold a quarter
# of a million addresses that are put right at each start of a process. That is
# half of what a small compile costs, so the driver (a target with the property
# AIRCC_STATIC) has what it needs of them linked in, at fixed addresses. Tests, of
# which there are many, load them.
set(AIRCC_MLIR_ARCHIVES)
if(AIRCC_STATIC_LLVM)
  file(GLOB archives "${LLVM_LIBRARY_DIR}/libMLIR*.a" "${LLVM_LIBRARY_DIR}/libLLVM*.a"
       "${LLVM_LIBRARY_DIR}/liblldCommon.a" "${LLVM_LIBRARY_DIR}/liblldELF.a")
  list(FILTER archives EXCLUDE REGEX "/libMLIR(Test|CAPI|.*TestPasses)")
  if(NOT archives MATCHES "libMLIRIR\\.a" OR NOT archives MATCHES "libLLVMCore\\.a")
    message(FATAL_ERROR "No static libraries of MLIR and LLVM in ${LLVM_LIBRARY_DIR}: "
            "configure with -DAIRCC_STATIC_LLVM=OFF")
  endif()
  # A linker script: they need each other in a circle, and are hundreds.
  list(JOIN archives "\n" archives)
  set(AIRCC_MLIR_ARCHIVES "${CMAKE_BINARY_DIR}/cmake/mlir-archives.ld")
  file(CONFIGURE OUTPUT "${AIRCC_MLIR_ARCHIVES}" CONTENT "GROUP(\n${archives})\n" @ONLY)
  list(APPEND AIRCC_MLIR_ARCHIVES z zstd)
  # An update of the packages replaces this one, with all others.
  set(AIRCC_MLIR_ARCHIVES_STAMP "${LLVM_LIBRARY_DIR}/libLLVMCore.a")
endif()
foreach(pair "AirccLLVM:LLVM" "AirccMLIR:MLIR LLVM" "AirccLLD:lldELF lldCommon")
  string(REGEX MATCH "([^:]+):(.+)" unused "${pair}")
  set(name "${CMAKE_MATCH_1}")
  string(REPLACE " " ";" shared "${CMAKE_MATCH_2}")
  add_library(${name} INTERFACE)
  set(static "$<BOOL:$<TARGET_PROPERTY:AIRCC_STATIC>>")
  target_link_libraries(${name} INTERFACE
    "$<${static}:${AIRCC_MLIR_ARCHIVES}>" "$<$<NOT:${static}>:${shared}>")
endforeach()
