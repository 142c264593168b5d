#!/usr/bin/env bash
# Installs missing packages, builds everything in build/dev and runs the tests.
#
#   scripts/test.sh [CTEST-OPTION...]         the quick tests, with a fifth of the random cases
#   scripts/test.sh --all [CTEST-OPTION...]   all tests, with all random cases: what CI runs
#
#   scripts/test.sh -R conformance            options are passed on to ctest
#
#   BASESWEEP_TEST_PERCENT=N   how many random cases to run, in percent (default: 20, with --all 100)
#   BASESWEEP_TEST_SEED=N      seed of the random cases
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

options=(--label-exclude slow)
percent=20
if [ "${1:-}" = --all ]; then
  shift
  options=()
  percent=100
fi
export BASESWEEP_TEST_PERCENT="${BASESWEEP_TEST_PERCENT:-$percent}"

echo "== 1. packages"
scripts/setup.sh

echo "== 2. program and tests"
scripts/build.sh dev

echo "== 3. tests"
ctest --test-dir build/dev --output-on-failure --parallel "$(nproc)" "${options[@]}" "$@"
