#!/usr/bin/env bash
# Builds with sanitizers and runs the tests that they suit, without a GPU.
#
#   scripts/sanitize.sh asan     AddressSanitizer and UndefinedBehaviorSanitizer
#   scripts/sanitize.sh tsan     ThreadSanitizer
#   scripts/sanitize.sh python   the tests of the Python package with the first two
#   scripts/sanitize.sh          all
#
# asan and tsan: unit, conformance and golden tests; each takes an hour or more on two cores.
#
#   BASESWEEP_TEST_PERCENT=N   how many random cases to run, in percent (default: 100, which is a twentieth of the usual number,
#                              because these builds are slow)
#
# Builds in build/asan and build/tsan. Exits 1 when a test fails or a sanitizer reports something.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export BASESWEEP_CUDA=OFF
export BASESWEEP_TEST_PERCENT="${BASESWEEP_TEST_PERCENT:-100}"

# GCC's ThreadSanitizer does not start under the wide address randomisation of newer kernels.
launcher=()
if setarch "$(uname -m)" --addr-no-randomize true 2>/dev/null; then
  launcher=(setarch "$(uname -m)" --addr-no-randomize)
fi

run() {  # PRESET
  local preset="$1" targets=(basesweep test_unit test_conformance)
  echo "== $preset: build"
  scripts/build.sh "$preset" "${targets[@]}"
  echo "== $preset: tests, $BASESWEEP_TEST_PERCENT % of the random cases"
  "${launcher[@]}" ctest --preset "$preset" --parallel "$(nproc)" \
    --tests-regex '^(unit|conformance_.*|golden_.*)$' --label-exclude slow
}

# Python is not built for it, so it loads the sanitizers before all else, and leaves memory to them. It keeps much to its end.
run_python() {
  BASESWEEP_PYTHON=ON scripts/setup.sh
  .deps/python/bin/pip install --quiet --disable-pip-version-check hypothesis==6.170.17
  echo "== asan: build of the Python package"
  BASESWEEP_PYTHON=ON scripts/build.sh asan basesweep basesweep_python_package
  local test
  for test in python/tests/test_*.py; do
    echo "== asan: $test"
    env LD_PRELOAD="$(c++ -print-file-name=libasan.so) $(c++ -print-file-name=libstdc++.so)" PYTHONMALLOC=malloc PYTHONPATH=build/asan/python \
      ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 BASESWEEP_BINARY="$PWD/build/asan/basesweep" \
      "${launcher[@]}" .deps/python/bin/python "$test"
  done
}

scripts/setup.sh
[ $# -gt 0 ] || set -- asan tsan python
for preset in "$@"; do
  case "$preset" in
    asan | tsan) run "$preset" ;;
    python) run_python ;;
    *) echo "usage: scripts/sanitize.sh [asan] [tsan] [python]" >&2; exit 2 ;;
  esac
done
