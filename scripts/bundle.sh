#!/usr/bin/env bash
# Makes the .tar.gz for other systems: basesweep, its man pages, completions and documents, and the shared libraries that it
# needs. It runs on any Linux with the same processor and a glibc that is at least as new as this machine's.
#
#   scripts/bundle.sh [--preset PRESET] [--with-tests] [--output FOLDER]   PRESET: default release
#   scripts/bundle.sh --built BUILD [--with-tests] [--output FOLDER]       BUILD: a build folder
#
# Result: FOLDER/basesweep-VERSION-linux-MACHINE/{bin,lib,share} and the same name with .tar.gz; FOLDER: build/bundle.
# --with-tests adds the tests, benches and their data, for machines that cannot build. glibc and the GPU driver are not
# included. The script then unpacks the archive elsewhere and checks it. scripts/old_glibc.sh makes a build for older systems, which has
# all libraries inside: its archive has no folder lib.
#
# CPack's TGZ would not do: it holds only what `cmake --install` installs, without libraries, their licences and an RPATH.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=release
build=
output=build/bundle
tests=
while [ $# -gt 0 ]; do
  case "$1" in
    --preset) preset="${2:?--preset needs a name}"; shift 2 ;;
    --preset=*) preset="${1#*=}"; shift ;;
    --built) build="${2:?--built needs a folder}"; shift 2 ;;
    --output) output="${2:?--output needs a folder}"; shift 2 ;;
    --with-tests) tests=yes; shift ;;
    *) sed -n '5,6s/^# *//p' "scripts/${0##*/}" >&2; exit 2 ;;
  esac
done
die() { echo "bundle: $*" >&2; exit 1; }

# the date of man pages, which are made at configure time, and of files
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
export SOURCE_DATE_EPOCH

if [ -z "$build" ]; then
  build="build/$preset"
  scripts/setup.sh patchelf
  if [ -n "$tests" ]; then scripts/build.sh "$preset"; else scripts/build.sh "$preset" packaged; fi
  scripts/gpu_code.sh "$build"
fi
version="$(sed -n 's/^BASESWEEP_VERSION:[^=]*=//p' "$build/CMakeCache.txt")"
[ -n "$version" ] || die "no project version in $build/CMakeCache.txt"
name="basesweep-$version-linux-$(uname -m)"
bundle="$output/$name"

is_system() {  # true for a library of glibc or of the GPU driver
  case "$1" in
    linux-vdso.so.*|ld-linux*|libc.so.*|libm.so.*|libpthread.so.*|libdl.so.*|librt.so.*|libresolv.so.*|libutil.so.*) ;;
    libnsl.so.*|libanl.so.*|libmvec.so.*|libBrokenLocale.so.*|libthread_db.so.*|libnss_*|libcuda.so.*) ;;
    *) return 1 ;;
  esac
}

needed() {  # prints "name path" of each library that the file needs, directly or not
  env -u LD_LIBRARY_PATH ldd "$1" | awk '$2 == "=>" { print $1, ($3 == "not" ? "missing" : $3) }'
}

echo "== collect: $bundle"
rm -rf "$bundle" "$bundle.tar.gz"
cmake --install "$build" --prefix "$bundle" --component program --strip >/dev/null
licences="$bundle/share/licences"
mkdir -p "$bundle/lib" "$licences"
cp cmake/debian/copyright "$licences/basesweep"
if [ -n "$tests" ]; then
  find "$build/tests" -type f -perm -u+x \( -name 'test_*' -o -name 'bench_*' \) ! -name '*.*' -exec cp -t "$bundle/bin" {} +
  cp -r test-data "$bundle/share/"
fi

for program in "$bundle"/bin/*; do
  needed "$program"
done | sort -u | while read -r library path; do
  is_system "$library" && continue
  [ "$path" != missing ] || die "$library is not found"
  cp -Lf "$path" "$bundle/lib/$library"
  chmod u+w "$bundle/lib/$library"
  scripts/licences.sh "$licences" "$path" || true
done
BASESWEEP_LICENCES="$(sed -n 's/^BASESWEEP_LICENCES:[^=]*=//p' "$build/CMakeCache.txt")" scripts/licences.sh "$licences"

if ! rmdir "$bundle/lib" 2>/dev/null; then
  # DT_RPATH and not RUNPATH, so that LD_LIBRARY_PATH cannot replace the libraries that were tested together.
  # shellcheck disable=SC2016  # $ORIGIN is for the loader
  patchelf --force-rpath --set-rpath '$ORIGIN/../lib' "$bundle"/bin/*
  # shellcheck disable=SC2016
  patchelf --force-rpath --set-rpath '$ORIGIN' "$bundle"/lib/*
fi

tar -C "$output" --owner=0 --group=0 --numeric-owner --sort=name --mtime="@$SOURCE_DATE_EPOCH" -czf "$bundle.tar.gz" "$name"

echo "== check: unpacked elsewhere"
elsewhere="$(mktemp -d)"
trap 'rm -rf "$elsewhere"' EXIT
tar -C "$elsewhere" -xzf "$bundle.tar.gz"
find "$elsewhere/$name" -type f \( -path "$elsewhere/$name/bin/*" -o -path "$elsewhere/$name/lib/*" \) | while read -r file; do
  needed "$file" | while read -r library path; do
    is_system "$library" && continue
    case "$(realpath -m -- "$path")" in
      "$(realpath "$elsewhere")"/*) ;;
      *) die "${file#"$elsewhere"/} loads $library from $path" ;;
    esac
  done
done
env -i "$elsewhere/$name/bin/basesweep" --version

echo "== written: $bundle.tar.gz ($(du -h "$bundle.tar.gz" | cut -f1))," \
  "$(find "$bundle/bin" -type f | wc -l) programs, $(find "$bundle" -path "$bundle/lib/*" | wc -l) libraries"
