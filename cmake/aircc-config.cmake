# For projects that use aircc:
#
#   find_package(aircc REQUIRED)
#   aircc_add_library(model SHARED SOURCES model.mlir TARGETS gfx942 gfx1100)
#   target_link_libraries(app PRIVATE model)
#
# Functions. SOURCES are MLIR files, TARGETS profiles (default: aircc's), OPTIONS
# more options of aircc. Outputs are built again when a source, a profile, a
# device library or the compiler changes.
#
#   aircc_add_executable(NAME SOURCES file… [TARGETS profile…] [OPTIONS flag…])
#     The target NAME is an executable in the current binary folder, for add_test
#     and custom commands. aircc_add_program is another name of the function.
#   aircc_add_library(NAME [STATIC|SHARED] SOURCES file… [TARGETS …] [OPTIONS …])
#     The target NAME is a library with the device code embedded. What links it
#     finds the header NAME.h, aircc's headers and the runtime. STATIC is the
#     default unless BUILD_SHARED_LIBS is set.
#   aircc_add_object(NAME SOURCES file… [TARGETS …] [OPTIONS …])
#     The target NAME adds an object to what links it, with the header NAME.h and
#     the runtime. NAME_OBJECT is the object's path.
#
# Imported targets:
#
#   aircc::compiler        the compiler driver (AIRCC_EXECUTABLE overrides)
#   aircc::runtime         libaircc_runtime.so and its headers
#   aircc::runtime_static  libaircc_runtime.a and its headers
#   aircc::simulator       aircc/simulator.h, for programs that run kernels on the
#                          simulated device; AIRCC_SIMULATOR is the library that
#                          they open
#
# The variables AIRCC_RUNTIME, AIRCC_INCLUDE_DIR and AIRCC_SIMULATOR are the paths
# of the static runtime, the headers and the simulated device.

cmake_minimum_required(VERSION 3.20)

find_program(AIRCC_EXECUTABLE aircc
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../build/bin"
  DOC "The aircc compiler driver")
set(_aircc_library_hints "${CMAKE_CURRENT_LIST_DIR}/../.." "${CMAKE_CURRENT_LIST_DIR}/../build/lib")
find_library(AIRCC_RUNTIME NAMES libaircc_runtime.a HINTS ${_aircc_library_hints}
  DOC "The runtime library that compiled programs link")
find_library(AIRCC_SHARED_RUNTIME NAMES libaircc_runtime.so HINTS ${_aircc_library_hints}
  DOC "The runtime as a shared library")
find_library(AIRCC_SIMULATOR NAMES libaircc_sim.so HINTS ${_aircc_library_hints}
  DOC "The simulated device, to be loaded with dlopen")
find_path(AIRCC_INCLUDE_DIR NAMES aircc/runtime.h
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../include" "${CMAKE_CURRENT_LIST_DIR}/../build/include"
  DOC "The folder of aircc's headers")
unset(_aircc_library_hints)

include(FindPackageHandleStandardArgs)
# CMake compares the names of the package, aircc or Aircc, and of the file.
set(${CMAKE_FIND_PACKAGE_NAME}_FIND_QUIETLY TRUE)
find_package_handle_standard_args(${CMAKE_FIND_PACKAGE_NAME} REQUIRED_VARS
  AIRCC_EXECUTABLE AIRCC_RUNTIME AIRCC_SHARED_RUNTIME AIRCC_SIMULATOR AIRCC_INCLUDE_DIR)

if(NOT TARGET aircc::compiler)
  add_executable(aircc::compiler IMPORTED)
  set_target_properties(aircc::compiler PROPERTIES IMPORTED_LOCATION "${AIRCC_EXECUTABLE}")

  get_filename_component(_aircc_library_dir "${AIRCC_SHARED_RUNTIME}" DIRECTORY)
  add_library(aircc::runtime SHARED IMPORTED)
  set_target_properties(aircc::runtime PROPERTIES
    IMPORTED_LOCATION "${AIRCC_SHARED_RUNTIME}"
    IMPORTED_SONAME libaircc_runtime.so
    INTERFACE_INCLUDE_DIRECTORIES "${AIRCC_INCLUDE_DIR}")

  # The runtime is written in C++. It finds the simulated device by the rpath.
  add_library(aircc::runtime_static STATIC IMPORTED)
  set_target_properties(aircc::runtime_static PROPERTIES
    IMPORTED_LOCATION "${AIRCC_RUNTIME}"
    INTERFACE_INCLUDE_DIRECTORIES "${AIRCC_INCLUDE_DIR}"
    INTERFACE_LINK_OPTIONS "LINKER:-rpath,${_aircc_library_dir}"
    INTERFACE_LINK_LIBRARIES "stdc++;pthread;dl;m")

  add_library(aircc::simulator INTERFACE IMPORTED)
  set_target_properties(aircc::simulator PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${AIRCC_INCLUDE_DIR}"
    INTERFACE_LINK_OPTIONS "LINKER:-rpath,${_aircc_library_dir}"
    INTERFACE_LINK_LIBRARIES dl)
  unset(_aircc_library_dir)
endif()

# The rule that makes `output` of the arguments of the functions below.
function(_aircc_add_command output)
  cmake_parse_arguments(ARG "" "STAMP" "SOURCES;TARGETS;OPTIONS;BYPRODUCTS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${output}: unknown arguments: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
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
  set(touch)
  if(ARG_STAMP)
    set(touch COMMAND "${CMAKE_COMMAND}" -E touch "${ARG_STAMP}")
  endif()
  add_custom_command(
    OUTPUT "${output}" ${ARG_STAMP}
    BYPRODUCTS ${ARG_BYPRODUCTS}
    COMMAND "${AIRCC_EXECUTABLE}" ${sources} ${flags}
            -MD -MF "${output}.d" -o "${output}"
    ${touch}
    DEPENDS ${sources} "${AIRCC_EXECUTABLE}"
    DEPFILE "${output}.d"
    COMMENT "Compiling ${name} with aircc"
    VERBATIM)
endfunction()

# The rule that makes NAME.o and NAME.h in the current binary folder.
macro(_aircc_add_object_command name)
  set(_aircc_object "${CMAKE_CURRENT_BINARY_DIR}/${name}.o")
  set(_aircc_header "${CMAKE_CURRENT_BINARY_DIR}/${name}.h")
  _aircc_add_command("${_aircc_object}" ${ARGN} OPTIONS -c --header "${_aircc_header}"
                     BYPRODUCTS "${_aircc_header}")
endmacro()

function(aircc_add_executable name)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  # CMake would take a dependency on the output for one on the target NAME.
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${name}-program.stamp")
  _aircc_add_command("${output}" ${ARGN} STAMP "${stamp}")
  add_custom_target("${name}-program" ALL DEPENDS "${stamp}")
  add_executable("${name}" IMPORTED GLOBAL)
  set_target_properties("${name}" PROPERTIES IMPORTED_LOCATION "${output}")
  add_dependencies("${name}" "${name}-program")
endfunction()

function(aircc_add_program)
  aircc_add_executable(${ARGN})
endfunction()

function(aircc_add_library name)
  set(arguments ${ARGN})
  set(type)
  if("${ARGV1}" MATCHES "^(STATIC|SHARED)$")
    set(type "${ARGV1}")
    list(POP_FRONT arguments)
  endif()
  _aircc_add_object_command("${name}" ${arguments})
  set_source_files_properties("${_aircc_object}" PROPERTIES GENERATED TRUE EXTERNAL_OBJECT TRUE)
  add_library("${name}" ${type} "${_aircc_object}")
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(CXX IN_LIST languages)
    set(language CXX)
  else()
    set(language C)
  endif()
  set_target_properties("${name}" PROPERTIES LINKER_LANGUAGE "${language}")
  target_include_directories("${name}" INTERFACE "$<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}>")
  # Libraries of one program share the runtime.
  target_link_libraries("${name}" PUBLIC aircc::runtime)
endfunction()

function(aircc_add_object name)
  _aircc_add_object_command("${name}" ${ARGN})
  add_custom_target("${name}-object" DEPENDS "${_aircc_object}")
  add_library("${name}" INTERFACE)
  add_dependencies("${name}" "${name}-object")
  target_link_libraries("${name}" INTERFACE "${_aircc_object}" aircc::runtime)
  target_include_directories("${name}" INTERFACE "${CMAKE_CURRENT_BINARY_DIR}")
  set("${name}_OBJECT" "${_aircc_object}" PARENT_SCOPE)
endfunction()
