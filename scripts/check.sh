#!/usr/bin/env bash
# Checks the sources without running them: the include rules, that each header compiles alone, ruff for Python, clang-tidy for C++.
#
#   scripts/check.sh             everything
#   scripts/check.sh FILE...     clang-tidy on these C++ sources only
#
# Installs what it needs: clang-tidy (Debian's version 14 is the reference) and the build's packages from apt, ruff from PyPI
# into build/check, the CUDA Toolkit's headers into .deps/cuda unless there is an nvcc. clang-tidy reads
# build/check/compile_commands.json, which is configured without CUDA: GPU sources (.cu) are left out, and so are sources that
# include SeqAn3, which clang 14 cannot read. Exits 1 when something is found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

BASESWEEP_CUDA="$([ $# -eq 0 ] && echo ON || echo OFF)" scripts/setup.sh clang-tidy python3-venv
build=build/check
failed=0

if [ $# -eq 0 ]; then
  echo "== includes"
  python3 tests/check_includes.py || failed=1
  python3 tests/check_options.py || failed=1

  echo "== headers"
  nvcc="$(PATH=".deps/cuda/bin:$PATH:/usr/local/cuda/bin" command -v nvcc)"
  python3 tests/check_headers.py --cuda-include "$(dirname "$(dirname "$(realpath "$nvcc")")")/include" || failed=1

  echo "== ruff"
  ruff="$(sed -n 's/.*\[\(ruff==[0-9.]*\)\].*/\1/p' .pre-commit-config.yaml)"
  if [ ! -e "$build/$ruff" ]; then
    python3 -m venv "$build/venv"
    "$build/venv/bin/pip" install --quiet --disable-pip-version-check "$ruff"
    touch "$build/$ruff"
  fi
  "$build/venv/bin/ruff" check || failed=1
fi

echo "== clang-tidy: configure"
cmake --preset dev -B "$build" -DBASESWEEP_CUDA=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DBASESWEEP_TOGETHER=OFF >/dev/null

# A source that is compiled once for each instruction set is checked with the first of its commands.
mkdir -p "$build/tidy"
mapfile -t files < <(
  python3 - "$PWD" "$build" "$@" <<'PYTHON'
import json, pathlib, sys
root = pathlib.Path(sys.argv[1])
build = root / sys.argv[2]
wanted = {pathlib.Path(name).resolve() for name in sys.argv[3:]}
commands = {}
for command in json.loads((build / "compile_commands.json").read_text()):
    path = pathlib.Path(command["file"])
    generated = root / "build" in path.parents
    if not generated and (not wanted or path in wanted) and "#include <seqan3/" not in path.read_text():
        commands.setdefault(path, command)
(build / "tidy/compile_commands.json").write_text(json.dumps(list(commands.values())))
for path in sorted(commands):
    print(path.relative_to(root))
PYTHON
)
[ "${#files[@]}" -gt 0 ] || { echo "check: no sources to check" >&2; exit 1; }

echo "== clang-tidy: ${#files[@]} sources, $(clang-tidy --version | sed -n 's/.*version //p')"
# A source's findings are printed together. Headers are read by many sources, so a finding in one may come several times.
# shellcheck disable=SC2016  # the inner bash expands it
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c '
  found="$(clang-tidy --quiet --warnings-as-errors="*" --extra-arg=-Wno-unknown-warning-option -p "$0" "$1" 2>&1)" ||
    { printf "%s\n" "$1:" "$found"; exit 1; }
' "$build/tidy" || failed=1

[ "$failed" -eq 0 ] && echo "== clean"
exit "$failed"
