# Options of the build, and the flags that hold for every target.

option(AIRCC_BUILD_TESTS "Build the unit tests and the lit suites" ON)
option(AIRCC_BUILD_BENCHMARKS "Build the benchmarks" ON)
option(AIRCC_PCH "Use a precompiled header for code that includes MLIR" ON)
option(AIRCC_STATIC_LLVM "Link MLIR and LLVM into aircc instead of loading their shared libraries" ON)
set(AIRCC_SANITIZE "" CACHE STRING
    "Sanitizers to build with, as -fsanitize= takes them (empty: none)")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_VISIBILITY_PRESET default)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

add_compile_options(-Wall -Wextra -Wno-unused-parameter
                    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-init-list-lifetime>)

# The sanitizers want the shared C++ library, and what is not instrumented apart.
if(AIRCC_SANITIZE)
  set(AIRCC_STATIC_LLVM OFF)
  add_compile_options(-fsanitize=${AIRCC_SANITIZE} -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${AIRCC_SANITIZE})
endif()

# ccache makes a rebuild after switching branches cheap. Precompiled headers
# need the two relaxations, which are safe for a header built by this project.
find_program(AIRCC_CCACHE ccache)
if(AIRCC_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${AIRCC_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      "${AIRCC_CCACHE}")
  add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fpch-preprocess>
                      "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
