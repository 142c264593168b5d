#!/usr/bin/env bash
# Builds with sanitizers and runs the tests that they suit, without a GPU.
#
#   scripts/sanitize.sh asan   AddressSanitizer and UndefinedBehaviorSanitizer
#   scripts/sanitize.sh tsan   ThreadSanitizer
#   scripts/sanitize.sh        both
#
# Unit, conformance and golden tests: each takes an hour or more on two cores.
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

scripts/setup.sh
[ $# -gt 0 ] || set -- asan tsan
for preset in "$@"; do
  case "$preset" in
    asan | tsan) run "$preset" ;;
    *) echo "usage: scripts/sanitize.sh [asan] [tsan]" >&2; exit 2 ;;
  esac
done
