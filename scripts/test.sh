#!/usr/bin/env bash
# Installs what is missing, builds everything, runs all tests. Shares build/dev with demo.sh.
#
#   scripts/test.sh [CTEST-OPTION...]   for example: scripts/test.sh -R conformance
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

echo "== 1. packages"
scripts/setup.sh

echo "== 2. program and tests"
scripts/build.sh dev

echo "== 3. tests"
ctest --test-dir build/dev --output-on-failure -j2 "$@"
