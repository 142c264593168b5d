#!/usr/bin/env bash
# Makes a release: sets its version and date, commits, tags, and builds what users install. Nothing is uploaded: the last lines say
# what needs an account, with the commands.
#
#   scripts/release.sh [--dry-run] [--no-build] [--output FOLDER] VERSION   VERSION: X.Y.Z, or X.Y.Z-rcN before it
#   scripts/release.sh --collect FOLDER                                      of a checkout of a tag, see below
#
#   --dry-run   works in a temporary clone of HEAD, names what would stop a release, and leaves the checkout as it is
#   --no-build  builds nothing: no archive for other systems, Debian packages and wheels
#   --output    where all files go (default: build/artifacts; of a dry run a temporary folder)
#   --collect   writes into FOLDER what needs no build: the archive of sources, the recipe for Bioconda, notes.md, and SHA256SUMS of
#               these and of the packages that are there. .github/workflows/release.yml calls it after its builds
#
# A release is made of a clean checkout of `main` whose CHANGELOG.md says what is new. Debian packages are for this machine's system,
# and need DEBFULLNAME and DEBEMAIL (scripts/package.sh); a wheel is made for each Python that BASESWEEP_WHEELS names (default:
# python3). BASESWEEP_CUDA=ON puts the GPU's code into all of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
die() { echo "release: $*" >&2; exit 1; }
usage() { sed -n '5,6s/^# *//p' "scripts/${0##*/}" >&2; exit 2; }

dry_run='' build=yes output='' collect='' version=''
while [ $# -gt 0 ]; do
  case "$1" in
    --dry-run) dry_run=yes; shift ;;
    --no-build) build=; shift ;;
    --output) output="$(realpath -m -- "${2:?--output needs a folder}")"; shift 2 ;;
    --collect) collect="$(realpath -m -- "${2:?--collect needs a folder}")"; shift 2 ;;
    -*) usage ;;
    *) [ -z "$version" ] || usage; version="$1"; shift ;;
  esac
done
[ -n "$version" ] || [ -n "$collect" ] || usage

# Prints a sentence for each reason why no release can be made of this checkout.
obstacles() {
  local older branch
  python3 scripts/version.py --check >/dev/null || echo "files name another version: see scripts/version.py --check"
  older="$(printf '%s\n' "$version" "$(python3 scripts/version.py)" | sed 's/-rc/~rc/' | sort -V | head -n 1 | sed 's/~rc/-rc/')"
  [ "$older" != "$version" ] || [ "$version" = "$(python3 scripts/version.py)" ] ||
    echo "$version is older than $(python3 scripts/version.py)"
  [ -z "$(git tag --list "v$version")" ] || echo "the tag v$version is there already"
  [ -z "$(git status --porcelain)" ] || echo "the checkout is not clean: see git status"
  branch="$(git branch --show-current)"
  [ "$branch" = main ] || echo "the branch is '$branch', not 'main'"
  python3 scripts/version.py --notes | grep '^- ' >/dev/null || echo "CHANGELOG.md has nothing under [Unreleased]"
  [ "$(python3 scripts/version.py --print-owner)" != OWNER ] ||
    echo "no account holds the repository yet: scripts/version.py --owner NAME names it in all files"
}

# Writes version and date into all files, commits and tags.
prepare() {
  local notes
  notes="$(mktemp)"
  python3 scripts/version.py --set "$version" --date "$(date -u +%F)" >/dev/null
  python3 scripts/version.py --check
  git commit --quiet --all --message "Version $version"
  { echo "basesweep $version"; echo; python3 scripts/version.py --notes "$version"; } >"$notes"
  git tag --annotate --cleanup=verbatim --file "$notes" "v$version"
  rm "$notes"
  git log -1 --format='commit %h, %s'
  echo "tag v$version"
}

# Builds into the folder $1, and tries each artifact: the archive in a root with glibc alone, the packages and the wheel in a root of
# Debian.
build_all() {
  local pythons
  read -ra pythons <<<"${BASESWEEP_WHEELS:-python3}"
  scripts/setup.sh python3-dev python3-venv dpkg-dev file lintian mmdebstrap patchelf
  scripts/package.sh
  scripts/bundle.sh --output build/bundle
  rm -rf build/wheel
  scripts/wheel.sh --output build/wheel "${pythons[@]}"
  echo "== try"
  BASESWEEP_BUILD=build/release python3 tests/install/run.py test_bundle test_deb
  for python in "${pythons[@]}"; do "$python" tests/install/wheel.py build/wheel build/release/basesweep; done
  for file in build/bundle/*.tar.gz build/package/*.deb build/wheel/*.whl; do
    cp "$file" "$1/$(basename "$file" | tr '~' '.')"  # the forge does so too, and SHA256SUMS names the files that it shows
  done
}

# Writes into the folder $1 what needs no build.
collect_into() {
  local tag version name recipe
  version="$(python3 scripts/version.py)"
  tag="v$version"
  [ "$(git rev-parse "$tag^{commit}" 2>/dev/null)" = "$(git rev-parse HEAD)" ] || die "HEAD is not what the tag $tag names"
  name="basesweep-$version"
  mkdir -p "$1"
  python3 scripts/version.py --notes "$version" >"$1/notes.md"
  git archive --format=tar --prefix="$name/" "$tag" | gzip -9n >"$1/$name.tar.gz"
  recipe="$(mktemp -d)"
  cp -r workflows/conda/basesweep "$recipe"
  sed -i "s/^{% set sha256 = \"0*\" %}$/{% set sha256 = \"$(sha256sum <"$1/$name.tar.gz" | cut -d ' ' -f 1)\" %}/" "$recipe/basesweep/meta.yaml"
  ! grep -q '"0\{64\}"' "$recipe/basesweep/meta.yaml" || die "the recipe has no line for the sum"
  tar -C "$recipe" --owner=0 --group=0 --numeric-owner --sort=name --mtime="@$(git log -1 --format=%ct)" -cf - basesweep |
    gzip -9n >"$1/$name-bioconda.tar.gz"
  rm -r "$recipe"
  (cd "$1" && find . -maxdepth 1 \( -name '*.tar.gz' -o -name '*.deb' -o -name '*.whl' \) -printf '%f\n' | sort | xargs sha256sum >SHA256SUMS)
  cat "$1/SHA256SUMS"
}

# Prints what a person with accounts does next, $1: the folder of the files.
remaining() {
  local owner
  owner="$(python3 scripts/version.py --print-owner)"
  cat <<TEXT
== what needs an account
forge      git push origin main v$version
           starts .github/workflows/release.yml, which builds everything again, pushes the image and drafts the release. Once before:
             gh variable set DEBFULLNAME --body 'Your Name' && gh variable set DEBEMAIL --body you@example.org
           gh release edit v$version --draft=false
             makes the draft public, when you have read it
container  the workflow pushes ghcr.io/$owner/basesweep:$version. By hand:
             docker build -f workflows/container/Dockerfile -t ghcr.io/$owner/basesweep:$version .
             docker push ghcr.io/$owner/basesweep:$version
PyPI       once, on the page of the project: trust the workflow release.yml of $owner/basesweep with the environment pypi. By hand:
             twine upload $1/*.whl
Zenodo     once, before the release is public: turn the repository on in the list of your repositories. Its record takes .zenodo.json.
           Then add the line 'doi: 10.5281/zenodo.NUMBER' to CITATION.cff
Bioconda   when the release is public, in a fork of bioconda-recipes:
             gh release download v$version --repo $owner/basesweep --pattern '*-bioconda.tar.gz'
             tar -C recipes -xzf basesweep-$version-bioconda.tar.gz
             git switch -c basesweep-$version && git add recipes/basesweep && git commit -m 'Add basesweep $version' && gh pr create
TEXT
}

if [ -n "$collect" ]; then
  collect_into "$collect"
  exit
fi
[[ "$version" =~ ^[0-9]+\.[0-9]+\.[0-9]+(-rc[0-9]+)?$ ]] || die "'$version' is neither X.Y.Z nor X.Y.Z-rcN"
if [ -n "$build" ] && { [ -z "${DEBFULLNAME:-}" ] || [ -z "${DEBEMAIL:-}" ]; }; then
  die "DEBFULLNAME and DEBEMAIL must name the maintainer of the Debian packages"
fi

echo "== check"
mapfile -t found < <(obstacles)
if [ -n "$dry_run" ]; then
  [ "${#found[@]}" -eq 0 ] || printf 'a release would stop here: %s\n' "${found[@]}"
  work="$(mktemp -d "${TMPDIR:-/tmp}/basesweep-release.XXXXXX")"
  trap 'rm -rf "$work/basesweep"' EXIT
  git clone --quiet "$PWD" "$work/basesweep"
  output="${output:-$work/artifacts}"
  cd "$work/basesweep"
  git tag --list "v$version" | xargs --no-run-if-empty git tag --delete >/dev/null
  git config user.name "${GIT_AUTHOR_NAME:-dry run}"
  git config user.email "${GIT_AUTHOR_EMAIL:-dry-run@example.org}"
elif [ "${#found[@]}" -gt 0 ]; then
  printf 'release: %s\n' "${found[@]}" >&2
  exit 1
fi
output="${output:-$PWD/build/artifacts}"
mkdir -p "$output"
[ -z "$(ls -A "$output")" ] || die "$output is not empty"

echo "== version"
prepare
if [ -n "$build" ]; then build_all "$output"; fi
echo "== collect"
collect_into "$output"
echo "== written: $output"
remaining "$output"
