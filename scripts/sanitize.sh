#!/usr/bin/env bash
# Builds with sanitizers and runs the tests that they suit, without a GPU.
#
#   scripts/sanitize.sh asan   AddressSanitizer and UndefinedBehaviorSanitizer: unit, conformance and golden tests
#   scripts/sanitize.sh tsan   ThreadSanitizer: conformance tests of the pipelines of motif, match and map
#   scripts/sanitize.sh        both
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

run() {  # PRESET, TARGETS (separated by spaces), then the options that choose the tests
  local preset="$1" targets
  read -ra targets <<<"$2"
  shift 2
  echo "== $preset: build"
  scripts/build.sh "$preset" "${targets[@]}"
  echo "== $preset: tests, $BASESWEEP_TEST_PERCENT % of the random cases"
  "${launcher[@]}" ctest --preset "$preset" --parallel "$(nproc)" "$@"
}

scripts/setup.sh
[ $# -gt 0 ] || set -- asan tsan
for preset in "$@"; do
  case "$preset" in
    asan) run asan 'basesweep test_unit test_conformance' --tests-regex '^(unit|conformance_.*|golden_.*)$' --label-exclude slow ;;
    tsan) run tsan test_conformance --tests-regex '^conformance_(pipeline|match|map)$' ;;
    *) echo "usage: scripts/sanitize.sh [asan] [tsan]" >&2; exit 2 ;;
  esac
done
