#!/usr/bin/env bash
# Long proofs that the tests of every day leave out.
#
#   scripts/prove.sh faults [PERCENT]   makes every call of the C library fail (tests/faults/run.py), or PERCENT of them;
#                                       all take about an hour on two cores
#
# Builds build/dev. Exits 1 when something is wrong and prints how to repeat it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case "${1:-}" in
  faults)
    scripts/setup.sh
    scripts/build.sh dev basesweep fault_shim
    python3 tests/faults/run.py --percent "${2:-100}" build/dev/basesweep build/dev/tests/libfault_shim.so
    ;;
  *) sed -n '4,5s/^# *//p' "scripts/${0##*/}" >&2; exit 2 ;;
esac
