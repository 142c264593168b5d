#!/usr/bin/env bash
# Copies into a folder the licences of shared libraries, or of headers, one file for each Debian package that they come from, and the texts
# that these, and others in the folder, only name.
#
#   scripts/licences.sh FOLDER [LIBRARY...]
#
#   BASESWEEP_LICENCES=FOLDER   texts of libraries that no package holds: the licence of libhts.so.3 is FOLDER/libhts
#
# Prints the libraries without a licence, and then exits 1.
set -euo pipefail

folder="${1:?usage: scripts/licences.sh FOLDER [LIBRARY...]}"
shift
mkdir -p "$folder"
unknown=0
for library in "$@"; do
  real="$(realpath -m "$library")"
  name="$(basename "$library")"
  own="${BASESWEEP_LICENCES:-}/${name%%.so*}"
  package="$({ dpkg -S "$real" || dpkg -S "${real#/usr}"; } 2>/dev/null | sed -n '1s/:.*//p')" || true
  if [ -n "${BASESWEEP_LICENCES:-}" ] && [ -r "$own" ]; then
    cp "$own" "$folder/"
  elif [ -n "$package" ] && [ -r "/usr/share/doc/$package/copyright" ]; then
    cp -L "/usr/share/doc/$package/copyright" "$folder/$package"
  else
    echo "licences: there is no licence for $library" >&2
    unknown=1
  fi
done
{ grep -oh '/usr/share/common-licenses/[A-Za-z]*-[0-9.]*[0-9]' "$folder"/* || true; } | sort -u | while read -r text; do
  [ ! -r "$text" ] || cp -Lt "$folder" "$text"
done
exit "$unknown"
