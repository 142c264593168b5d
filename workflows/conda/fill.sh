#!/usr/bin/env bash
# Fills a release into the recipe for Bioconda.
#
#   workflows/conda/fill.sh VERSION ARCHIVE [FOLDER]
#
# VERSION: that of the release, without v; of 1.0.0-rc1 the recipe gets 1.0.0rc1, as versions of Conda have no dashes.
# ARCHIVE: the file at the address that the recipe names, vVERSION.tar.gz. FOLDER: where the recipe is written; without it, the
# recipe of this checkout is changed. Nothing is written if the archive is not one of basesweep, or the recipe has other words.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/basesweep"
die() { echo "fill: $*" >&2; exit 1; }

[ $# -eq 2 ] || [ $# -eq 3 ] || { echo "usage: workflows/conda/fill.sh VERSION ARCHIVE [FOLDER]" >&2; exit 2; }
version="$1" archive="$2" folder="${3:-$here}"
[[ "$version" =~ ^[0-9]+\.[0-9]+\.[0-9]+([.a-z0-9]+|-rc[0-9]+)?$ ]] || die "'$version' is not a version such as 1.0.0 or 1.0.0-rc1"
[ -f "$archive" ] || die "$archive: no such file"
names="$(tar -tzf "$archive" 2>/dev/null)" || die "$archive: not an archive (.tar.gz)"
grep -q '^[^/]*/CMakeLists.txt$' <<<"$names" || die "$archive: not an archive of basesweep: it has no CMakeLists.txt"

sum="$(sha256sum "$archive")"
wanted=("{% set version = \"${version/-/}\" %}" "{% set tag = \"v$version\" %}" "{% set sha256 = \"${sum%% *}\" %}")
recipe="$(<"$here/meta.yaml")"
for line in "${wanted[@]}"; do
  name="$(cut -d' ' -f3 <<<"$line")"
  # shellcheck disable=SC2001  # it is a regular expression
  recipe="$(sed "s/^{% set $name = \".*\" %}$/$line/" <<<"$recipe")"
  grep -qxF "$line" <<<"$recipe" || die "$here/meta.yaml: no line sets $name"
done
if [ "$folder" != "$here" ]; then
  mkdir -p "$folder"
  cp "$here"/* "$folder"
fi
printf '%s\n' "$recipe" >"$folder/meta.yaml"
echo "$folder/meta.yaml: $version, sha256 ${sum%% *}"
