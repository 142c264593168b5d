# Decides whether the CUDA kernels are built, and with which nvcc. Sets BASESWEEP_WITH_CUDA.
#
# nvcc is looked for in CUDACXX, in .deps/cuda of the source tree (where scripts/setup.sh puts it), on PATH and in
# /usr/local/cuda. AUTO builds the kernels where one is found.
set(BASESWEEP_CUDA AUTO CACHE STRING "Build the CUDA kernels: AUTO, ON or OFF")
set_property(CACHE BASESWEEP_CUDA PROPERTY STRINGS AUTO ON OFF)
if(NOT BASESWEEP_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "BASESWEEP_CUDA must be AUTO, ON or OFF, not '${BASESWEEP_CUDA}'")
endif()

set(BASESWEEP_WITH_CUDA OFF)
if(NOT BASESWEEP_CUDA STREQUAL OFF)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(BASESWEEP_NVCC nvcc
                 PATHS ${PROJECT_SOURCE_DIR}/.deps/cuda/bin ENV PATH /usr/local/cuda/bin NO_DEFAULT_PATH)
    if(BASESWEEP_NVCC)
      set(CMAKE_CUDA_COMPILER ${BASESWEEP_NVCC})
    endif()
  endif()
  if(CMAKE_CUDA_COMPILER OR DEFINED ENV{CUDACXX})
    set(BASESWEEP_WITH_CUDA ON)
  elseif(BASESWEEP_CUDA STREQUAL ON)
    message(FATAL_ERROR "BASESWEEP_CUDA=ON, but no nvcc was found: run BASESWEEP_CUDA=ON scripts/setup.sh")
  endif()
endif()
set(BASESWEEP_WITH_CUDA ${BASESWEEP_WITH_CUDA} CACHE INTERNAL "Whether the CUDA kernels are built")  # for scripts
message(STATUS "CUDA kernels: ${BASESWEEP_WITH_CUDA}")
