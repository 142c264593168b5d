#!/usr/bin/env bash
# Builds the site from docs/ into build/site/html; a broken link or a page that is not in the navigation is an error.
#
#   scripts/site.sh          build it
#   scripts/site.sh serve    build it and show it on http://127.0.0.1:8000, anew after each change
#
#   BASESWEEP_BINARY=FILE      the program whose help becomes the reference (default: build/dev/basesweep)
#   BASESWEEP_TEST_DATA=FOLDER  the data of most runs of the gallery; without it they are not made
#
# Installs MkDocs and its theme from PyPI into build/site on the first run. Exits 77 where they cannot be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(mkdocs==1.6.1 mkdocs-material==9.6.23 'mkdocstrings[python]==1.0.8')
build=build/site
BASESWEEP_BINARY="$(realpath -- "${BASESWEEP_BINARY:-build/dev/basesweep}")"
export BASESWEEP_BINARY
[ -x "$BASESWEEP_BINARY" ] || { echo "site: no program at $BASESWEEP_BINARY: scripts/build.sh dev basesweep makes it" >&2; exit 1; }

mkdir -p "$build"
installed="$build/$(printf '%s ' "${packages[@]}" | tr ' =[]' '____')"
if [ ! -e "$installed" ]; then
  python3 -c 'import ensurepip' 2>/dev/null || scripts/setup.sh python3-venv
  { python3 -m venv "$build/venv" &&
    "$build/venv/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"; } ||
    { echo "site: skipped: ${packages[*]} cannot be installed" >&2; exit 77; }
  touch "$installed"
fi

case "${1:-build}" in
  build) exec "$build/venv/bin/mkdocs" build --strict --clean --site-dir "$build/html" ;;
  serve) exec "$build/venv/bin/mkdocs" serve --strict ;;
  *) echo "site: '$1' is not one of build, serve" >&2; exit 2 ;;
esac
