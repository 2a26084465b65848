# For projects that use aircc:
#
#   find_package(Aircc REQUIRED)
#   aircc_add_program(matmul SOURCES matmul.mlir TARGETS gfx942 gfx1100)
#
# finds the compiler (AIRCC_EXECUTABLE overrides) and defines
#
#   aircc_add_program(NAME SOURCES file.mlir… [TARGETS profile…] [OPTIONS flag…])
#     An executable in the current binary folder, built with `all`.
#   aircc_add_object(NAME SOURCES file.mlir… [TARGETS profile…] [OPTIONS flag…])
#     An object file NAME.o with the GPU code embedded and a header NAME.h, for
#     linking into a C or C++ target: target_sources(app PRIVATE ${NAME_OBJECT})
#     and target_link_libraries(app PRIVATE ${AIRCC_RUNTIME}).
#
# Both build again when a source, a target profile, a profile that it extends, a
# device library or the compiler changes.
#
# AIRCC_INCLUDE_DIR and AIRCC_SIMULATOR (the path of libaircc_sim.so) are for
# programs that run kernels on the simulated device by themselves
# (aircc/Simulator.h).

cmake_minimum_required(VERSION 3.20)

find_program(AIRCC_EXECUTABLE aircc
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../build/bin"
  DOC "The aircc compiler driver")
find_library(AIRCC_RUNTIME NAMES libaircc_runtime.a
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../.." "${CMAKE_CURRENT_LIST_DIR}/../build/lib"
  DOC "The runtime library that compiled programs link")
find_path(AIRCC_INCLUDE_DIR NAMES aircc/Simulator.h
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../include" "${CMAKE_CURRENT_LIST_DIR}/../build/include"
  DOC "The folder of aircc's headers")
find_library(AIRCC_SIMULATOR NAMES libaircc_sim.so
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../.." "${CMAKE_CURRENT_LIST_DIR}/../build/lib"
  DOC "The simulated device, to be loaded with dlopen")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Aircc REQUIRED_VARS AIRCC_EXECUTABLE)

function(_aircc_add_command output)
  cmake_parse_arguments(ARG "" "" "SOURCES;TARGETS;OPTIONS;BYPRODUCTS" ${ARGN})
  if(NOT ARG_SOURCES)
    message(FATAL_ERROR "${output}: no SOURCES")
  endif()
  set(sources)
  foreach(source IN LISTS ARG_SOURCES)
    get_filename_component(source "${source}" ABSOLUTE)
    list(APPEND sources "${source}")
  endforeach()
  set(flags ${ARG_OPTIONS})
  foreach(target IN LISTS ARG_TARGETS)
    list(APPEND flags --target "${target}")
  endforeach()
  get_filename_component(name "${output}" NAME)
  add_custom_command(
    OUTPUT "${output}"
    BYPRODUCTS ${ARG_BYPRODUCTS}
    COMMAND "${AIRCC_EXECUTABLE}" ${sources} ${flags}
            -MD -MF "${output}.d" -o "${output}"
    DEPENDS ${sources} "${AIRCC_EXECUTABLE}"
    DEPFILE "${output}.d"
    COMMENT "Compiling ${name} with aircc"
    VERBATIM)
endfunction()

function(aircc_add_program name)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  _aircc_add_command("${output}" ${ARGN})
  add_custom_target("${name}-program" ALL DEPENDS "${output}")
endfunction()

function(aircc_add_object name)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}.o")
  set(header "${CMAKE_CURRENT_BINARY_DIR}/${name}.h")
  _aircc_add_command("${output}" ${ARGN} OPTIONS -c --header "${header}"
                     BYPRODUCTS "${header}")
  set("${name}_OBJECT" "${output}" PARENT_SCOPE)
endfunction()
