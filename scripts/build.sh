#!/usr/bin/env bash
# Configures a preset into build/PRESET and builds it.
#
#   scripts/build.sh PRESET [TARGET...]   default: everything
#
#   BASESWEEP_CUDA=AUTO|ON|OFF   AUTO (default): with CUDA if its compiler is found.
#   BASESWEEP_PYTHON=ON|OFF      ON: with the Python package, for the Python of .deps/python; OFF is the default.
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

python="${BASESWEEP_PYTHON:-OFF}"
options+=("-DBASESWEEP_PYTHON=$python")
[ "$python" = OFF ] || options+=("-DPython_EXECUTABLE=$PWD/.deps/python/bin/python")

targets=()
[ $# -eq 0 ] || targets=(--target "$@")

echo "== configure: preset $preset, ${options[*]}"
cmake --preset "$preset" "${options[@]}"
echo "== build: ${*:-all} in build/$preset"
cmake --build "build/$preset" --parallel "$(nproc)" "${targets[@]}"
