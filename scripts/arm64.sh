#!/usr/bin/env bash
# Compiles basesweep for arm64 Linux on Debian 12 for x86-64, and runs its tests with qemu-user.
#
#   scripts/arm64.sh [OPTION...]   builds, and runs unit, conformance and golden tests; options are passed on to ctest
#   scripts/arm64.sh --build       builds only: build/arm64/basesweep is the program, build/arm64/emulated/basesweep runs it here
#
#   BASESWEEP_TEST_PERCENT=P       the share of random cases; default 10, since qemu takes 10 times as long as a processor
#   BASESWEEP_CUDA=ON|OFF          ON: with GPU code for arm64 servers (sbsa), which cannot run here; OFF (default): without
#
# scripts/setup.sh installs the cross compiler, qemu-user and mmdebstrap. Debian's libraries for arm64 are unpacked into build/arm64-root and
# not installed: the system knows nothing of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

only_build=
if [ "${1:-}" = --build ]; then only_build=yes; shift; fi
export BASESWEEP_CUDA="${BASESWEEP_CUDA:-OFF}"

scripts/setup.sh g++-aarch64-linux-gnu qemu-user mmdebstrap file

root=build/arm64-root
packages=(
  libc6-dev libstdc++-12-dev
  libtbb-dev libhts-dev libisal-dev libzstd-dev libbz2-dev liblzma-dev libseqan3-dev catch2 zlib1g-dev libcli11-dev libfmt-dev nlohmann-json3-dev
  libedlib-dev
)
if [ ! -e "$root" ]; then
  echo "== libraries for arm64: $root"
  suite="$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)"
  mapfile -t options < <(apt-config dump | grep -E '^Acquire::(Check-|https?::Proxy )' | sed 's/^/--aptopt=/')
  rm -rf "$root.part"
  mkdir -p "$root.part"
  mmdebstrap --quiet --variant=extract --architectures=arm64 "${options[@]}" --include="$(IFS=,; echo "${packages[*]}")" "$suite" "$root.part/all.tar"
  # qemu-user looks for every absolute path in this folder first, so nothing but libraries and headers may be there.
  tar -C "$root.part" --no-same-owner -xf "$root.part/all.tar" ./usr ./lib
  rm "$root.part/all.tar"
  # Links to absolute paths, as from libz.so to /lib/aarch64-linux-gnu/libz.so.1, would leave the folder.
  find "$root.part" -lname '/*' | while read -r link; do
    ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$root.part$(readlink "$link")")" "$link"
  done
  mv "$root.part" "$root"
fi

target=.deps/cuda/targets/sbsa-linux
if [ "$BASESWEEP_CUDA" = ON ] && [ -x .deps/cuda/bin/nvcc ] && [ ! -e "$target" ]; then
  echo "== CUDA runtime for arm64: $target"
  runtime="$(grep -o 'nvidia-cuda-runtime==[0-9.]*' scripts/setup.sh)"
  rm -rf "$target.part"
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --target "$target.part" \
    --platform manylinux2014_aarch64 --only-binary=:all: "$runtime"
  ln -s ../../include "$target.part/include"  # the same for all processors
  mv "$target.part/nvidia/cu13/lib" "$target.part/lib"
  rm -r "$target.part/nvidia"
  mv "$target.part" "$target"
fi

scripts/build.sh arm64
file -L build/arm64/basesweep | grep -q 'ARM aarch64'
[ -z "$only_build" ] || exit 0

BASESWEEP_TEST_PERCENT="${BASESWEEP_TEST_PERCENT:-10}" BASESWEEP_TEST_STRIDE="${BASESWEEP_TEST_STRIDE:-7}" \
  ctest --test-dir build/arm64 --output-on-failure -j "$(nproc)" -L 'unit|conformance|golden' -LE slow "$@"
