#!/usr/bin/env bash
# Long proofs that the tests of every day leave out.
#
#   scripts/prove.sh faults [PERCENT]   makes every call of the C library fail (tests/faults/run.py), or PERCENT of them;
#                                       all take about a quarter of an hour on two cores
#   scripts/prove.sh scale [SHARE]      a record of 2^31 + 10 bases, 1e6 records, 1e8 hits, 10,000 files and 16 GB through a pipe
#                                       (tests/scale/run.py), or SHARE (such as 0.01) of that; needs 10 GB in $TMPDIR
#   scripts/prove.sh fuzz MINUTES [TARGET...]
#                                       libFuzzer (tests/fuzz) for so long, divided among the targets (default: all), after
#                                       the inputs in tests/fuzz/corpus; what it finds stays in build/fuzz/found. Needs clang 19
#   scripts/prove.sh corpus             makes tests/fuzz/corpus of what fuzzing has tried that reaches new code
#   scripts/prove.sh random [SEED]      all random cases of the unit and conformance tests, of which CI runs a share, with the seed of
#                                       the day or this one
#   scripts/prove.sh differ MINUTES [SEED]
#                                       random texts, patterns and options against an oracle (tests/differ/differ.cpp): the
#                                       library for most of the time, on a GPU too if there is one, then the program
#   scripts/prove.sh gzip [FILES]       10,000 gzip files of eight compressors, or FILES, inflated by several threads
#                                       (tests/gzip/run.py); about a quarter of an hour on two cores
#   scripts/prove.sh coverage           the share of lib/ that unit, conformance and quick golden tests run (gcovr); fails under 90 %
#   scripts/prove.sh valgrind           the unit tests under valgrind's memcheck
#   scripts/prove.sh wheel [PYTHON...]  makes wheels for these Pythons (default: python3), and runs the tests of python/tests with
#                                       each, installed in a virtual environment, and a search in a root of Debian with no more
#                                       than its Python (tests/install/wheel.py); then installs the package for every Python at hand
#   scripts/prove.sh page               opens pages of reports in headless Chromium, wide and narrow, light, dark and printed: sorting,
#                                       axe-core, nothing asked of a server; the HTML checker of the W3C (tests/page/check.mjs); clicks
#                                       on links to genome browsers (links.mjs); and with $BASESWEEP_TEST_DATA the numbers of pages
#                                       against the rows of their runs (numbers.py). Needs npm. Look at build/page/*.png and *.pdf too
#   scripts/prove.sh clang              builds the program with clang and runs the quick golden tests with it
#   scripts/prove.sh arm64              compiles for arm64 and runs unit, conformance and golden tests with qemu-user (scripts/arm64.sh)
#   scripts/prove.sh python MINUTES [SEED]
#                                       random searches of the Python package against the plain oracles, in a process for each processor
#
# Builds build/dev, build/fuzz, build/coverage, build/clang or build/arm64. Exits 1 when something is wrong and prints how to repeat it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

max_bytes=8192  # of an input; a part of merge has up to 6,000
fuzz_targets=(compiled gzip guides index matrices merge pairs part patterns plan reader reads regions sheets)

build_fuzz() {
  BASESWEEP_CUDA=OFF scripts/setup.sh clang-19 libclang-rt-19-dev
  scripts/build.sh fuzz "${fuzz_targets[@]/#/fuzz_}"
}

case "${1:-}" in
  faults)
    scripts/setup.sh
    scripts/build.sh dev basesweep fault_shim
    python3 tests/faults/run.py --percent "${2:-100}" build/dev/basesweep build/dev/tests/libfault_shim.so
    ;;
  random)
    scripts/setup.sh
    scripts/build.sh dev
    seed="${2:-$(date -u +%Y%m%d)}"
    echo "prove: BASESWEEP_TEST_SEED=$seed"
    BASESWEEP_TEST_SEED="$seed" ctest --test-dir build/dev --output-on-failure -j "$(nproc)" -L 'unit|conformance'
    ;;
  scale)
    scripts/setup.sh
    scripts/build.sh dev basesweep
    python3 tests/scale/run.py --size "${2:-1}" build/dev/basesweep
    ;;
  fuzz)
    minutes="${2:?scripts/prove.sh fuzz MINUTES [TARGET...]}"
    shift 2
    [ $# -gt 0 ] || set -- "${fuzz_targets[@]}"
    build_fuzz
    failed=()
    for target in "$@"; do
      tried="build/fuzz/tried/$target" found="build/fuzz/found/$target"
      mkdir -p "$tried" "$found"
      tar -C "$tried" -xJf "tests/fuzz/corpus/$target.tar.xz"
      build/fuzz/tests/fuzz/fuzz_"$target" -max_total_time=$((minutes * 60 / $#)) -max_len="$max_bytes" -timeout=20 -rss_limit_mb=4096 \
        -artifact_prefix="$found/" -print_final_stats=1 "$tried" || failed+=("$target")
    done
    [ "${#failed[@]}" -eq 0 ] || { echo "prove: ${failed[*]}: see build/fuzz/found" >&2; exit 1; }
    ;;
  corpus)
    build_fuzz
    for target in "${fuzz_targets[@]}"; do
      small="build/fuzz/small/$target"
      rm -rf "$small"
      mkdir -p "$small" "build/fuzz/tried/$target"
      tar -C "build/fuzz/tried/$target" -xJf "tests/fuzz/corpus/$target.tar.xz"
      build/fuzz/tests/fuzz/fuzz_"$target" -merge=1 -max_len="$max_bytes" "$small" "build/fuzz/tried/$target"
      tar -C "$small" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cJf "tests/fuzz/corpus/$target.tar.xz" .
    done
    ;;
  differ)
    minutes="${2:?scripts/prove.sh differ MINUTES [SEED]}"
    seed="${3:-$(date +%s)}"
    devices=(cpu)
    if command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; then devices+=(gpu); fi
    scripts/setup.sh
    scripts/build.sh dev basesweep differ
    differ() { build/dev/tests/differ/differ --seed "$seed" --jobs "$(($(nproc) * 2))" --found build/dev/found "$@"; }
    for device in "${devices[@]}"; do differ --devices "$device" --seconds $((minutes * 48 / ${#devices[@]})); done
    differ --program build/dev/basesweep --seconds $((minutes * 9))
    python3 tests/differ/reads.py build/dev/basesweep --seed "$seed" --devices "$(IFS=,; echo "${devices[*]}")" --seconds $((minutes * 3))
    ;;
  gzip)
    scripts/setup.sh python3-venv pigz tabix
    scripts/build.sh dev test_unit
    [ -x build/compressors/bin/python ] || python3 -m venv build/compressors
    build/compressors/bin/pip install --quiet zopfli==0.4.3 deflate==0.9.0 isal==1.9.1 zlib-ng==1.1.0
    build/compressors/bin/python tests/gzip/run.py --files "${2:-10000}" build/dev/tests/test_unit
    ;;
  clang)
    scripts/setup.sh clang
    scripts/build.sh clang basesweep
    ctest --test-dir build/clang --output-on-failure -j "$(nproc)" -L golden -LE slow
    ;;
  coverage)
    scripts/setup.sh python3-venv
    BASESWEEP_CUDA=OFF scripts/build.sh coverage basesweep test_unit test_conformance
    [ -x build/gcovr/bin/gcovr ] || { python3 -m venv build/gcovr && build/gcovr/bin/pip install --quiet gcovr==8.3; }
    find build/coverage -name '*.gcda' -delete
    # Tests that limit time may fail in this build, which is slow. What ran counts all the same.
    BASESWEEP_TEST_PERCENT="${BASESWEEP_TEST_PERCENT:-2}" BASESWEEP_TEST_STRIDE="${BASESWEEP_TEST_STRIDE:-7}" \
      ctest --test-dir build/coverage --output-on-failure -j "$(nproc)" -L 'unit|conformance|golden' -LE slow -E 'isa_objects|seqan3|edlib' ||
      echo "prove: some tests failed" >&2
    build/gcovr/bin/gcovr --root . --filter lib/ --exclude lib/oracle/ --merge-mode-functions merge-use-line-min \
      --gcov-ignore-parse-errors=suspicious_hits.warn_once_per_file --fail-under-line 90 --txt build/coverage/lines.txt \
      --print-summary build/coverage/lib/CMakeFiles/basesweep_{lib,api}*.dir
    ;;
  valgrind)
    scripts/setup.sh valgrind
    scripts/build.sh dev test_unit
    BASESWEEP_TEST_PERCENT="${BASESWEEP_TEST_PERCENT:-1}" BASESWEEP_TEST_DEVICES=cpu valgrind --error-exitcode=9 --num-callers=20 \
      build/dev/tests/test_unit
    ;;
  wheel)
    shift
    [ $# -gt 0 ] || set -- python3
    scripts/setup.sh python3-dev python3-venv mmdebstrap
    scripts/build.sh dev basesweep
    scripts/wheel.sh --output build/wheel "$@"
    for python in "$@"; do "$python" tests/install/wheel.py build/wheel build/dev/basesweep; done
    BASESWEEP_PYTHON=ON scripts/setup.sh
    BASESWEEP_PYTHON=ON scripts/build.sh dev basesweep_python_package
    ctest --test-dir build/dev -C proofs -R python_others --output-on-failure
    ;;
  python)
    BASESWEEP_PYTHON=ON scripts/setup.sh
    .deps/python/bin/pip install --quiet --disable-pip-version-check hypothesis==6.170.17
    BASESWEEP_PYTHON=ON scripts/build.sh dev basesweep_python_package
    minutes="${2:?scripts/prove.sh python MINUTES [SEED]}"
    seed="${3:-$(date +%s)}"
    for ((i = 0; i < $(nproc); i++)); do
      BASESWEEP_SECONDS=$((minutes * 60)) BASESWEEP_SEED=$((seed + i)) PYTHONPATH=build/dev/python .deps/python/bin/python python/tests/test_random.py &
    done
    wrong=0
    for job in $(jobs -p); do wait "$job" || wrong=1; done
    exit "$wrong"
    ;;
  page)
    # npm of another Node.js than Debian's rules out the package npm.
    packages=()
    command -v npm >/dev/null || packages+=(npm)
    command -v chromium >/dev/null || packages+=(chromium)
    command -v java >/dev/null || packages+=(default-jre-headless)
    scripts/setup.sh "${packages[@]}"
    scripts/build.sh dev basesweep
    mkdir -p build/page
    npm install --silent --no-save --prefix build/page playwright-core@1 axe-core@4 vnu-jar@26
    for report in tests/page/reports/*.json; do
      build/dev/basesweep report --genome hg38 "$report" -o "build/page/$(basename "$report" .json).html"
    done
    build/dev/basesweep report tests/page/reports/*.json -o build/page/all.html
    java -jar build/page/node_modules/vnu-jar/build/dist/vnu.jar build/page/*.html
    export NODE_PATH=build/page/node_modules
    chromium="$(command -v chromium)"
    node tests/page/check.mjs "$chromium" build/page build/page/*.html
    mkdir -p build/page/links
    node tests/page/links.mjs "$chromium" build/dev/basesweep build/page/links
    if [ -n "${BASESWEEP_TEST_DATA:-}" ]; then
      python3 tests/page/numbers.py build/dev/basesweep "$BASESWEEP_TEST_DATA" "$chromium"
    else
      echo "prove: BASESWEEP_TEST_DATA names no folder, so numbers were not compared with rows" >&2
    fi
    ;;
  arm64) scripts/arm64.sh ;;
  *) sed -n '4,28s/^# *//p' "scripts/${0##*/}" >&2; exit 2 ;;
esac
