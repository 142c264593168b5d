#!/usr/bin/env bash
# Installs missing packages, builds everything in build/dev and runs the tests.
#
#   scripts/test.sh [CTEST-OPTION...]         the quick tests, with a fifth of the random cases
#   scripts/test.sh --all [CTEST-OPTION...]   all tests, with all random cases; CI takes a share of these (.ci/run)
#
#   scripts/test.sh -R conformance            options are passed on to ctest
#
#   BASESWEEP_TEST_PERCENT=N   how many random cases to run, in percent (default: 20, with --all 100)
#   BASESWEEP_TEST_SEED=N      seed of the random cases
#   BASESWEEP_TEST_STRIDE=N    hand-made cases take every N-th shift (default: 7, with --all 1, which is all)
#   BASESWEEP_PYTHON=ON|OFF    whether to build and test the Python package (default: if it can be)
#   TMPDIR=FOLDER              where the tests keep their files (default: /dev/shm if it has 8 GiB and allows programs and
#                              devices, otherwise /tmp)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

options=(--label-exclude slow)
percent=20
stride=7  # shares no factor with the periods of the shifts in tests/conformance/test_shifted.cpp
if [ "${1:-}" = --all ]; then
  shift
  options=()
  percent=100
  stride=1
fi
export BASESWEEP_TEST_PERCENT="${BASESWEEP_TEST_PERCENT:-$percent}" BASESWEEP_TEST_STRIDE="${BASESWEEP_TEST_STRIDE:-$stride}"

# Tests write some hundred thousand small files and sync many of them; on a disk they wait for that longer than they work.
has_room_in_memory() {
  [ -w /dev/shm ] && ! findmnt --noheadings --output OPTIONS /dev/shm | grep -qE 'noexec|nodev' &&
    [ "$(df --output=avail -B1G /dev/shm | tail -1)" -ge 8 ]
}
if [ -z "${TMPDIR:-}" ] && has_room_in_memory; then
  TMPDIR="$(mktemp -d /dev/shm/basesweep-tests.XXXXXX)"
  export TMPDIR
  trap 'rm -rf "$TMPDIR"' EXIT
fi

echo "== 1. packages"
if [ -n "${BASESWEEP_PYTHON:-}" ]; then
  scripts/setup.sh
elif BASESWEEP_PYTHON=ON scripts/setup.sh; then
  export BASESWEEP_PYTHON=ON
else
  echo "test: the Python package is left out, since what it is built with cannot be installed" >&2
  scripts/setup.sh
fi

echo "== 2. program and tests"
scripts/build.sh dev

# Some tests wait for Slurm, or for programs that they stop: one more than there are processors runs meanwhile.
echo "== 3. tests"
ctest --test-dir build/dev --output-on-failure --parallel "$(($(nproc) + 1))" "${options[@]}" "$@"
