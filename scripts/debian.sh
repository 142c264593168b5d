#!/usr/bin/env bash
# Makes a Debian source package of basesweep, and checks it with lintian.
#
#   DEBFULLNAME=NAME DEBEMAIL=ADDRESS scripts/debian.sh [--version VERSION] [--orig ARCHIVE] [--output FOLDER] [--check]
#
# VERSION: that of CMakeLists.txt, unless it is given; 1.0.0-rc1 becomes 1.0.0~rc1, which Debian sorts before 1.0.0.
# ARCHIVE: the released archive (.tar.gz or .tar.xz), whose top folder is left out; without it the commit that is checked out
# is packed. NAME and ADDRESS are those of the package's maintainer. FOLDER: build/debian, unless it is given; what is in it goes.
# --check: lintian must find nothing.
#
# Writes basesweep_VERSION-1.dsc, .debian.tar.xz, .orig.tar.* and _source.changes. The files of debian/ are those
# of workflows/debian, with the names, versions and the changelog filled in. `sbuild` or `dpkg-buildpackage` makes packages of it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
die() { echo "debian: $*" >&2; exit 1; }

version="$(sed -n 's/^project(basesweep VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)" orig='' check='' out=build/debian
while [ $# -gt 0 ]; do
  case "$1" in
    --version) version="${2:?--version needs a number}"; shift 2 ;;
    --orig) orig="$(realpath "${2:?--orig needs an archive}")"; shift 2 ;;
    --output) out="${2:?--output needs a folder}"; shift 2 ;;
    --check) check=1; shift ;;
    *) echo "usage: scripts/debian.sh [--version VERSION] [--orig ARCHIVE] [--output FOLDER] [--check]" >&2; exit 2 ;;
  esac
done
if [ -z "${DEBFULLNAME:-}" ] || [ -z "${DEBEMAIL:-}" ]; then
  die "DEBFULLNAME and DEBEMAIL must name the package's maintainer"
fi
for program in dpkg-buildpackage dpkg-source dh xz; do
  command -v "$program" >/dev/null || die "no $program: install dpkg-dev, debhelper and xz-utils"
done

upstream="${version/-/\~}"
soversion="${version%%.*}"
if [ "$soversion" = 0 ]; then  # before 1.0 each minor version has a library of its own name, as in cmake/Library.cmake
  soversion="$(cut -d. -f1,2 <<<"$version")"
fi
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
export SOURCE_DATE_EPOCH

rm -rf "$out"
mkdir -p "$out"
out="$(realpath "$out")"
tree="$out/basesweep-$upstream"
mkdir "$tree"
if [ -n "$orig" ]; then
  case "$orig" in *.tar.gz) ending=gz ;; *.tar.xz) ending=xz ;; *) die "$orig: expected a .tar.gz or .tar.xz" ;; esac
  cp "$orig" "$out/basesweep_$upstream.orig.tar.$ending"
else
  ending=xz
  git archive --format=tar --prefix="basesweep-$upstream/" HEAD | xz -6 -T1 >"$out/basesweep_$upstream.orig.tar.xz"
fi
tar -xf "$out/basesweep_$upstream.orig.tar.$ending" -C "$tree" --strip-components=1

debian="$tree/debian"
cp -r workflows/debian "$debian"
rm "$debian/README.md"
mv "$debian/libbasesweep.install" "$debian/libbasesweep$soversion.install"
sed -i -e "s/@SOVERSION@/$soversion/g" -e "s/^Maintainer: .*/Maintainer: $DEBFULLNAME <$DEBEMAIL>/" "$debian/control"
cat >"$debian/changelog" <<EOT
basesweep ($upstream-1) unstable; urgency=medium

  * Release $version; what is new is in CHANGELOG.md.

 -- $DEBFULLNAME <$DEBEMAIL>  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
EOT
chmod +x "$debian/rules"

# -d: what the build needs need not be installed here.
(cd "$tree" && dpkg-buildpackage -S -us -uc -d >"$out/log.txt" 2>&1) || { cat "$out/log.txt" >&2; die "dpkg-buildpackage failed"; }
rm -rf "$tree" "$out/log.txt"
if [ -n "$check" ]; then
  command -v lintian >/dev/null || die "no lintian"
  (cd "$out" && lintian --allow-root --fail-on error,warning --pedantic "basesweep_$upstream-1_source.changes")
fi
ls -l "$out"
