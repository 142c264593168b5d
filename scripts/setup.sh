#!/usr/bin/env bash
# Installs the packages that Debian 12 or Ubuntu 24.04 needs to build and test basesweep.
#
#   scripts/setup.sh [PACKAGE...]   PACKAGE: more apt packages to install
#
#   BASESWEEP_CUDA=AUTO|ON|OFF   AUTO (default): fetches the CUDA compiler if there is an NVIDIA GPU but no nvcc;
#                                ON: fetches it if there is no nvcc; OFF: never fetches it
#   BASESWEEP_PYTHON=ON|OFF      ON: makes the virtual environment .deps/python, with what the Python package is built and tested
#                                with; OFF (default): does not
#
# Packages come from apt, with sudo if the caller is not root. The CUDA compiler comes from NVIDIA's Python wheels and goes to
# .deps/cuda of this checkout. If packages cannot be installed, prints the list of missing ones and exits 1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cuda="${BASESWEEP_CUDA:-AUTO}"
case "$cuda" in AUTO|ON|OFF) ;; *) echo "setup: BASESWEEP_CUDA must be AUTO, ON or OFF, not '$cuda'" >&2; exit 2 ;; esac
python="${BASESWEEP_PYTHON:-OFF}"
case "$python" in ON|OFF) ;; *) echo "setup: BASESWEEP_PYTHON must be ON or OFF, not '$python'" >&2; exit 2 ;; esac

packages=(
  g++ cmake ninja-build pkg-config
  libtbb-dev libhts-dev libisal-dev libzstd-dev libbz2-dev liblzma-dev libseqan3-dev catch2 zlib1g-dev libcli11-dev libfmt-dev nlohmann-json3-dev
  python3 python3-pip tabix samtools genometools libedlib-dev universal-ctags
  "$@"
)
[ "$python" = OFF ] || packages+=(python3-dev python3-venv)

missing() {
  for p in "$@"; do
    dpkg-query -W -f='${db:Status-Status}\n' "$p" 2>/dev/null | grep -qx installed || echo "$p"
  done
}

install_packages() {
  local want=("$@") run=()
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      run=(sudo)
    elif command -v sudo >/dev/null && [ -t 0 ]; then
      run=(sudo)
    else
      echo "setup: not root and no sudo: please install these packages, then run again:" >&2
      printf '  %s\n' "${want[@]}" >&2
      exit 1
    fi
  fi
  echo "setup: installing ${want[*]}" >&2
  "${run[@]}" apt-get update -qq
  "${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${want[@]}" >/dev/null
}

if command -v apt-get >/dev/null; then
  mapfile -t want < <(missing "${packages[@]}")
  [ "${#want[@]}" -eq 0 ] || install_packages "${want[@]}"
else
  echo "setup: no apt-get here; these packages (Debian's names) must be present: ${packages[*]}" >&2
fi

has_gpu() { command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; }
has_nvcc() { [ -x .deps/cuda/bin/nvcc ] || command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; }

if [ "$cuda" = ON ] || { [ "$cuda" = AUTO ] && has_gpu; }; then
  if ! has_nvcc; then
    echo "setup: fetching the CUDA 13.0 compiler into .deps/cuda" >&2
    rm -rf .deps/cuda.part .deps/cuda
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target .deps/cuda.part \
      nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88 \
      nvidia-cuda-runtime==13.0.88 nvidia-cuda-cccl==13.0.85
    ln -sfn lib .deps/cuda.part/nvidia/cu13/lib64
    mv .deps/cuda.part/nvidia/cu13 .deps/cuda
    rm -rf .deps/cuda.part
    .deps/cuda/bin/nvcc --version >/dev/null
  fi
fi

nanobind=nanobind==3.1.0
if [ "$python" = ON ] && [ ! -e ".deps/python/$nanobind" ]; then
  echo "setup: making the virtual environment .deps/python" >&2
  rm -rf .deps/python
  python3 -m venv .deps/python
  .deps/python/bin/pip install --quiet --disable-pip-version-check "$nanobind" numpy
  touch ".deps/python/$nanobind"
fi
