#!/usr/bin/env bash
# Makes the Debian packages of basesweep for this machine's release of Debian or Ubuntu, and checks them with lintian.
#
#   DEBFULLNAME=NAME DEBEMAIL=ADDRESS scripts/package.sh [--preset PRESET]   PRESET: default release
#
# NAME and ADDRESS are those of the packages' maintainer: the person who distributes them. Writes build/package/*.deb. The
# same commit and tools give the same bytes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
die() { echo "package: $*" >&2; exit 1; }

preset=release
while [ $# -gt 0 ]; do
  case "$1" in
    --preset) preset="${2:?--preset needs a name}"; shift 2 ;;
    --preset=*) preset="${1#*=}"; shift ;;
    *) echo "usage: scripts/package.sh [--preset PRESET]" >&2; exit 2 ;;
  esac
done
if [ -z "${DEBFULLNAME:-}" ] || [ -z "${DEBEMAIL:-}" ]; then
  die "DEBFULLNAME and DEBEMAIL must name the packages' maintainer"
fi

# the date of man pages, which are made at configure time, and of files and changelogs
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
export SOURCE_DATE_EPOCH

scripts/setup.sh dpkg-dev file lintian
scripts/build.sh "$preset" packaged
scripts/gpu_code.sh "build/$preset"

echo "== pack: build/package"
rm -rf build/package
cpack --config "build/$preset/CPackConfig.cmake" -B build/package \
  -D "CPACK_DEBIAN_PACKAGE_MAINTAINER=$DEBFULLNAME <$DEBEMAIL>"
rm -rf build/package/_CPack_Packages

echo "== check"
lintian --allow-root --fail-on error,warning --suppress-tags-from-file cmake/debian/lintian-known build/package/*.deb
ls -l build/package/*.deb
