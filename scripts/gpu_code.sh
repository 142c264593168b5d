#!/usr/bin/env bash
# Checks that the program of a build folder holds GPU code for exactly the architectures that it was configured for, from
# each of its CUDA sources.
#
#   scripts/gpu_code.sh BUILD   for example build/release
#
# Uses cuobjdump from PATH, or fetches NVIDIA's Python wheel of it into build/tools. Exits 1 and prints what is missing or
# extra.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[ $# -eq 1 ] || { echo "usage: scripts/gpu_code.sh BUILD" >&2; exit 2; }
build="$1"
program="$build/basesweep"
cached() { sed -n "s/^$1:[^=]*=//p" "$build/CMakeCache.txt"; }
case "$(cached BASESWEEP_WITH_CUDA)" in
  ON) ;;
  OFF) echo "$program is built without CUDA"; exit ;;
  *) echo "gpu_code: $build is not configured" >&2; exit 2 ;;
esac
IFS=';' read -ra wanted <<<"$(cached CMAKE_CUDA_ARCHITECTURES)"
for architecture in "${wanted[@]}"; do
  case "$architecture" in
    [1-9]*) ;;
    *) echo "gpu_code: '$architecture' is not an architecture" >&2; exit 2 ;;
  esac
done

cuobjdump="$(command -v cuobjdump || echo build/tools/nvidia/cu13/bin/cuobjdump)"
if [ ! -x "$cuobjdump" ]; then
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --target build/tools \
    nvidia-cuda-cuobjdump==13.2.51 ||
    { echo "gpu_code: cannot fetch cuobjdump" >&2; exit 1; }
fi

held() {  # prints lines such as "elf sm_75 29": kind, architecture, number of sources with such code
  local kind
  for kind in elf ptx; do
    { "$cuobjdump" "--list-$kind" "$program" 2>/dev/null || true; } |
      sed -n "s/.*\.\(sm_[0-9a-z]*\)\.\(cubin\|ptx\)$/$kind \1/p"
  done | sort | uniq -c | awk '{ print $2, $3, $1 }'
}

expected() {  # prints the same lines for $1 sources that are all compiled for the configured architectures
  local architecture number
  for architecture in "${wanted[@]}"; do
    number="${architecture%%-*}"
    case "$architecture" in
      *-real) echo "elf sm_$number $1" ;;
      *-virtual) echo "ptx sm_$number $1" ;;
      *) printf '%s\n' "elf sm_$number $1" "ptx sm_$number $1" ;;
    esac
  done | sort
}

found="$(held)"
[ -n "$found" ] || { echo "gpu_code: $program holds no GPU code" >&2; exit 1; }
most="$(awk '{ print $3 }' <<<"$found" | sort -n | tail -n 1)"
if ! diff <(expected "$most") <(echo "$found") >&2; then
  echo "gpu_code: $program: lines with < are expected, with > found: kind, architecture, number of CUDA sources" >&2
  exit 1
fi
echo "GPU code of $most sources for ${wanted[*]}: $program"
