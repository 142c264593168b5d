#!/usr/bin/env bash
# Measures this machine with `basesweep bench` and keeps the rows for docs/benchmarks.md.
#
#   scripts/measure.sh NAME [BENCH-OPTION...]   writes docs/measurements/bench-NAME.json, for example: measure.sh h200 --device gpu
#
#   BASESWEEP_BINARY=FILE   the program (default: build/release/basesweep, which must be built from the commit checked out)
#   CONDITIONS=TEXT         what readers must know, such as "beside other work"
#
# Then put `<!-- table: bench-NAME -->` and `<!-- end of table -->` where docs/benchmarks.md shows it, and run scripts/plots.py.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[ $# -ge 1 ] || { echo "usage: scripts/measure.sh NAME [BENCH-OPTION...]" >&2; exit 2; }
name="$1"
shift
folder="$(mktemp -d "${TMPDIR:-/tmp}/basesweep-measure.XXXXXX")"
trap 'rm -rf "$folder"' EXIT
"${BASESWEEP_BINARY:-build/release/basesweep}" bench --json "$folder/bench.json" "$@"
python3 - "$folder/bench.json" "bench-$name" "$(git rev-parse --short=7 HEAD)" "${CONDITIONS:-}" <<'PYTHON'
import json, pathlib, sys
rows, name, commit, conditions = sys.argv[1:]
measured = {"table": name, "commit": commit, **json.loads(pathlib.Path(rows).read_text())}
if conditions:
    measured["conditions"] = conditions
pathlib.Path("docs/measurements", name + ".json").write_text(json.dumps(measured, indent=2) + "\n")
PYTHON
