#!/usr/bin/env bash
# Makes a Debian source package of basesweep, and checks it with lintian.
#
#   DEBFULLNAME=NAME DEBEMAIL=ADDRESS scripts/debian.sh [--version VERSION] [--orig ARCHIVE] [--output FOLDER] [--check]
#
# VERSION: that of CMakeLists.txt, unless it is given; X.Y.Z-rc1 becomes X.Y.Z~rc1, which Debian sorts before X.Y.Z.
# ARCHIVE: the released archive (.tar.gz or .tar.xz), whose top folder is left out; without it the commit that is checked out
# is packed. NAME and ADDRESS are those of the package's maintainer. FOLDER must be empty or absent; without it, build/debian is
# written anew. --check: lintian must find nothing.
#
# Writes basesweep_VERSION-1.dsc, .debian.tar.xz, .orig.tar.* and _source.changes. The files of debian/ are those
# of workflows/debian, with the names, versions and the changelog filled in. `sbuild` or `dpkg-buildpackage` makes packages of it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
die() { echo "debian: $*" >&2; exit 1; }

version="$(scripts/version.py)" orig='' check='' out=''
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
export DEBFULLNAME DEBEMAIL
for program in dpkg-buildpackage dpkg-source dh xz; do
  command -v "$program" >/dev/null || die "no $program: install dpkg-dev, debhelper and xz-utils"
done

upstream="$(scripts/version.py --as debian --of "$version")"
soversion="$(scripts/version.py --as so --of "$version")"
case "$orig" in
  '' | *.tar.xz) ending=xz ;;
  *.tar.gz) ending=gz ;;
  *) die "$orig: expected a .tar.gz or .tar.xz" ;;
esac
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
export SOURCE_DATE_EPOCH

if [ -z "$out" ]; then
  out=build/debian
  rm -rf "$out"
fi
mkdir -p "$out"
[ -z "$(ls -A "$out")" ] || die "$out is not empty"
out="$(realpath "$out")"
tree="$out/basesweep-$upstream"
mkdir "$tree"
if [ -n "$orig" ]; then
  cp "$orig" "$out/basesweep_$upstream.orig.tar.$ending"
else
  git archive --format=tar --prefix="basesweep-$upstream/" HEAD | xz -6 -T1 >"$out/basesweep_$upstream.orig.tar.xz"
fi
tar -xf "$out/basesweep_$upstream.orig.tar.$ending" -C "$tree" --strip-components=1

debian="$tree/debian"
cp -r workflows/debian "$debian"
rm "$debian/README.md"
mv "$debian/libbasesweep.install" "$debian/libbasesweep$soversion.install"
sed "s/@SOVERSION@/$soversion/g" workflows/debian/control |
  awk '/^Maintainer: / { $0 = "Maintainer: " ENVIRON["DEBFULLNAME"] " <" ENVIRON["DEBEMAIL"] ">" } { print }' >"$debian/control"
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
  (cd "$out" && lintian --profile debian --allow-root --fail-on error,warning --pedantic "basesweep_$upstream-1_source.changes")
fi
ls -l "$out"
