#!/usr/bin/env bash
# Configures a preset into build/PRESET and builds it.
#
#   scripts/build.sh PRESET [TARGET...]   default: everything
#
#   BASESWEEP_CUDA=AUTO|ON|OFF   AUTO (default): with CUDA if its compiler is found.
#
# On a machine with a GPU, the preset dev compiles for that GPU only.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[ $# -ge 1 ] || { echo "usage: scripts/build.sh PRESET [TARGET...]" >&2; exit 2; }
preset="$1"
shift

cuda="${BASESWEEP_CUDA:-AUTO}"
options=("-DBASESWEEP_CUDA=$cuda")
if [ "$preset" = dev ] && [ "$cuda" != OFF ] && command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; then
  options+=(-DCMAKE_CUDA_ARCHITECTURES=native)
fi

targets=()
[ $# -eq 0 ] || targets=(--target "$@")

echo "== configure: preset $preset, ${options[*]}"
cmake --preset "$preset" "${options[@]}"
echo "== build: ${*:-all} in build/$preset"
cmake --build "build/$preset" --parallel "$(nproc)" "${targets[@]}"
