#!/usr/bin/env bash
# Run by conda-build in the unpacked source, with PREFIX, CPU_COUNT and, by its compilers, CXX and CMAKE_ARGS.
set -euxo pipefail

# shellcheck disable=SC2086  # CMAKE_ARGS are words
cmake --preset release ${CMAKE_ARGS:-} -DBASESWEEP_CUDA=ON -DBASESWEEP_TESTS=OFF \
  -DCMAKE_INSTALL_PREFIX="${PREFIX}" -DCMAKE_PREFIX_PATH="${PREFIX}" -DCMAKE_INSTALL_LIBDIR=lib
cmake --build build/release --parallel "${CPU_COUNT}" --target packaged
cmake --install build/release --strip
