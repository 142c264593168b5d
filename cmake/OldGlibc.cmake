# Compiles for systems with glibc 2.28 or newer, on one with a newer glibc. scripts/old_glibc.sh makes the folder with compiler and
# libraries, and uses this file. It is no cross compiler: what is built runs here too.
get_filename_component(old_glibc_root "${CMAKE_CURRENT_LIST_DIR}/../build/old-glibc-root" ABSOLUTE)
set(CMAKE_CXX_COMPILER ${old_glibc_root}/bin/g++)
set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
set(CMAKE_FIND_ROOT_PATH ${old_glibc_root})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)  # nanobind comes with Python, and lies elsewhere
set(ENV{PKG_CONFIG_LIBDIR} ${old_glibc_root}/usr/lib/pkgconfig)
set(BASESWEEP_LICENCES ${old_glibc_root}/licences CACHE PATH "Licences of what is linked statically, for scripts/bundle.sh")
