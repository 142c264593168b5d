#!/usr/bin/env bash
# Copies the licences of shared libraries, or of headers, into a folder: one file for each Debian package that they come from, and the
# texts that files of this folder only name.
#
#   scripts/licences.sh FOLDER [LIBRARY...]
#
#   BASESWEEP_LICENCES=FOLDER   texts of libraries that are linked statically, which are copied too
#
# Prints the libraries without a licence, and then exits 1.
set -euo pipefail

folder="${1:?usage: scripts/licences.sh FOLDER [LIBRARY...]}"
shift
mkdir -p "$folder"
[ -z "${BASESWEEP_LICENCES:-}" ] || cp "$BASESWEEP_LICENCES"/* "$folder/"
unknown=0
for library in "$@"; do
  real="$(realpath -m "$library")"
  package="$({ dpkg -S "$real" || dpkg -S "${real#/usr}"; } 2>/dev/null | sed -n '1s/:.*//p')" || true
  if [ -n "$package" ] && [ -r "/usr/share/doc/$package/copyright" ]; then
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
