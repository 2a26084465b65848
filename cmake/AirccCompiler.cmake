# Which compiler builds aircc by default: Clang of the LLVM that aircc is
# made of, which takes half the time of GCC for sources that include MLIR. GCC
# and other Clangs do as well: CC and CXX, or CMAKE_CXX_COMPILER, choose them.
#
# Included before project(), which looks for the compiler.

if(NOT CMAKE_CXX_COMPILER AND NOT CMAKE_C_COMPILER AND NOT DEFINED ENV{CC}
   AND NOT DEFINED ENV{CXX})
  find_program(AIRCC_CLANG clang-22)
  find_program(AIRCC_CLANGXX clang++-22)
  if(AIRCC_CLANG AND AIRCC_CLANGXX)
    set(CMAKE_C_COMPILER "${AIRCC_CLANG}")
    set(CMAKE_CXX_COMPILER "${AIRCC_CLANGXX}")
  endif()
endif()
