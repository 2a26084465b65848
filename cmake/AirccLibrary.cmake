# How the folders of aircc declare their libraries and generated sources.

set(AIRCC_PCH_HEADER "${CMAKE_CURRENT_LIST_DIR}/MLIRPrecompiled.h")

# One precompiled header serves every library that includes MLIR: parsing MLIR's
# headers is most of what compiling such a file costs.
if(AIRCC_PCH)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/cmake/pch.cpp" CONTENT "")
  add_library(AirccPCH OBJECT "${CMAKE_BINARY_DIR}/cmake/pch.cpp")
  target_precompile_headers(AirccPCH PRIVATE "${AIRCC_PCH_HEADER}")
endif()

# Makes `name` share a precompiled header. That one is -fPIC, as it is of a
# library, and fits no -fPIE of an executable.
function(aircc_use_pch name pch)
  if(AIRCC_PCH)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIC)
    target_precompile_headers(${name} REUSE_FROM ${pch})
  endif()
endfunction()

# aircc_add_mlir_library(NAME
#   SOURCES a.cpp b.cpp      sources
#   LINK_LIBS Foo Bar        aircc libraries it uses (MLIR and LLVM come by themselves)
#   DEPENDS FooIncGen        generated headers it needs first
# )
# A static library of code that includes MLIR.
function(aircc_add_mlir_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK_LIBS;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} AirccMLIR)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(AIRCC_PCH)
    target_precompile_headers(${name} REUSE_FROM AirccPCH)
  endif()
endfunction()

# aircc_tablegen(TARGET FILE.td OUTPUT1 ARGS1 [OUTPUT2 ARGS2 …])
# Runs mlir-tblgen once for each OUTPUT (a name in the current binary folder)
# with ARGS (a semicolon-separated list, quoted). TARGET is what users depend on.
function(aircc_tablegen target td)
  set(LLVM_TARGET_DEFINITIONS "${td}")
  set(TABLEGEN_OUTPUT)
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest output args)
    separate_arguments(args UNIX_COMMAND "${args}")
    mlir_tablegen(${output} ${args} EXTRA_INCLUDES "${CMAKE_SOURCE_DIR}")
  endwhile()
  add_custom_target(${target} DEPENDS ${TABLEGEN_OUTPUT})
endfunction()

# aircc_add_unittest(NAME SOURCES a.cpp LINK_LIBS Foo [MLIR])
# A GoogleTest binary in test/unit's output folder, where lit finds it.
# MLIR: the sources include MLIR headers.
function(aircc_add_unittest name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::gtest_main)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/test/unit")
  if(ARG_MLIR)
    target_link_libraries(${name} PRIVATE AirccMLIR)
    aircc_use_pch(${name} AirccPCH)
  else()
    aircc_use_pch(${name} AirccTestPCH)
  endif()
  set_property(GLOBAL APPEND PROPERTY AIRCC_UNITTESTS ${name})
endfunction()
