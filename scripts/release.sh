#!/usr/bin/env bash
# Makes a release: sets its version and date, commits, builds and tries what users install, and tags. Nothing is uploaded: the last lines
# say what needs an account, with the commands. After a failure no file is changed, or the last lines say how to undo the commit.
#
#   scripts/release.sh [--dry-run] [--no-build] [--output FOLDER] VERSION   VERSION: X.Y.Z, or X.Y.Z-rcN before it
#   scripts/release.sh --collect FOLDER | --try-sources                      two of its steps, see below
#
#   --dry-run   works in a temporary clone of HEAD, names what would stop a release, and leaves the checkout as it is
#   --no-build  builds nothing: no archive for other systems, Debian packages and wheels
#   --output    where all files go (default: build/artifacts; of a dry run a temporary folder)
#   --collect   writes into FOLDER what needs no build: the archive of sources, the recipe for Bioconda, notes.md, and SHA256SUMS of
#               these and of the packages that are there, in a checkout of a tag. .github/workflows/release.yml calls it after its builds
#   --try-sources  builds the program from the archive of sources of HEAD, far from the checkout and without GPU code, and tests what it
#               installs
#
# A release is made of a clean checkout of `main` whose CHANGELOG.md says what is new, by root, since packages are tried in roots of
# their own: a test that is skipped stops the release. Debian packages are for this machine's system, and need DEBFULLNAME and DEBEMAIL
# (scripts/package.sh); a wheel is made for each Python that BASESWEEP_WHEELS names (default: python3). BASESWEEP_CUDA=ON puts the GPU's
# code into all of them.
set -euo pipefail
shopt -s inherit_errexit  # a failure within $(...) counts
cd "$(dirname "${BASH_SOURCE[0]}")/.."
die() { echo "release: $*" >&2; exit 1; }
usage() { sed -n '5,6s/^# *//p' "scripts/${0##*/}" >&2; exit 2; }

dry_run='' build=yes output='' collect='' only_sources='' version=''
while [ $# -gt 0 ]; do
  case "$1" in
    --dry-run) dry_run=yes; shift ;;
    --no-build) build=; shift ;;
    --output) output="$(realpath -m -- "${2:?--output needs a folder}")"; shift 2 ;;
    --collect) collect="$(realpath -m -- "${2:?--collect needs a folder}")"; shift 2 ;;
    --try-sources) only_sources=yes; shift ;;
    -*) usage ;;
    *) [ -z "$version" ] || usage; version="$1"; shift ;;
  esac
done
[ -n "$version$collect$only_sources" ] || usage

# Prints a sentence for each reason why no release can be made of this checkout.
obstacles() {
  local now owner tags changes older branch
  now="$(python3 scripts/version.py)"
  owner="$(python3 scripts/version.py --print-owner)"
  tags="$(git tag --list "v$version")"
  changes="$(git status --porcelain)"
  python3 scripts/version.py --check >/dev/null || echo "files name another version: see scripts/version.py --check"
  older="$(printf '%s\n' "$version" "$now" | sed 's/-rc/~rc/' | sort -V | sed -n '1s/~rc/-rc/; 1p')"
  [ "$older" != "$version" ] || [ "$version" = "$now" ] || echo "$version is older than $now"
  [ -z "$tags" ] || echo "the tag v$version is there already"
  [ -z "$changes" ] || echo "the checkout is not clean: see git status"
  branch="$(git branch --show-current)"
  [ "$branch" = main ] || echo "the branch is '$branch', not 'main'"
  python3 scripts/version.py --notes | grep '^- ' >/dev/null || echo "CHANGELOG.md has nothing under [Unreleased]"
  [ "$owner" != OWNER ] ||
    echo "no account holds the repository yet: scripts/version.py --owner NAME names it in all files"
}

# Writes version and date into all files, and commits.
prepare() {
  before="$(git rev-parse HEAD)"
  python3 scripts/version.py --set "$version" --date "$(date -u +%F)" >/dev/null
  python3 scripts/version.py --check
  git commit --quiet --all --message "Version $version"
  git log -1 --format='commit %h, %s'
}

# Tags the commit, with the notes of the release.
tag_it() {
  local notes="$scratch/notes.md"
  { echo "basesweep $version"; echo; python3 scripts/version.py --notes "$version"; } >"$notes"
  git tag --annotate --cleanup=verbatim --file "$notes" "v$version"
  echo "tag v$version"
}

# Called at the end, whatever that is: removes temporary folders, and after a failure puts back files that were changed and not committed,
# or says how to undo the commit.
finish() {
  local code=$?
  rm -rf "$scratch"
  if [ -n "$dry_run" ]; then
    [ "$code" -eq 0 ] || echo "release: the dry run failed" >&2
    rmdir --ignore-fail-on-non-empty -- "$output" 2>/dev/null || true
  elif [ "$code" -ne 0 ] && [ -n "$before" ]; then
    if [ "$(git rev-parse HEAD)" = "$before" ]; then
      git reset --quiet --hard
      echo "release: failed; all files are as before" >&2
    else
      echo "release: failed; the commit 'Version $version' is made. To undo it, and to begin again:" >&2
      [ -z "$(git tag --list "v$version")" ] || echo "  git tag --delete v$version" >&2
      echo "  git reset --hard $before" >&2
      [ -z "$(ls -A "$output")" ] || printf '  rm -r %q\n' "$output" >&2
    fi
  fi
}

# Builds into the folder $1, and tries every file, packages and archive in a root of their own. Other systems than this one are not
# tried. Made on Debian 12, archive and wheels are for older systems too.
build_all() {
  local pythons built=build/release
  read -ra pythons <<<"${BASESWEEP_WHEELS:-python3}"
  scripts/setup.sh python3-dev python3-venv dpkg-dev file lintian mmdebstrap patchelf
  rm -rf build/bundle build/wheel build/multiqc  # an archive of an older version would be released with the others
  scripts/package.sh  # empties build/package itself
  if [ "$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)" = bookworm ]; then
    built=build/old-glibc
    scripts/old_glibc.sh --output build/bundle
    scripts/old_glibc.sh --wheel --output build/wheel "${pythons[@]}"
  else
    scripts/bundle.sh --output build/bundle
    scripts/wheel.sh --output build/wheel "${pythons[@]}"
  fi
  scripts/wheel.sh --multiqc --output build/multiqc "${pythons[0]}"
  echo "== try"
  BASESWEEP_BUILD=build/release BASESWEEP_RELEASED=build/package python3 tests/install/run.py test_deb
  BASESWEEP_BUILD="$built" BASESWEEP_RELEASED=build/bundle python3 tests/install/run.py test_bundle
  for python in "${pythons[@]}"; do BASESWEEP_RELEASED=build/wheel "$python" tests/install/wheel.py build/wheel build/release/basesweep; done
  BASESWEEP_BINARY=build/release/basesweep BASESWEEP_RELEASED=build/multiqc python3 tests/workflows/run.py test_multiqc
  for file in build/bundle/*.tar.gz build/package/*.deb build/wheel/*.whl build/multiqc/*.whl; do
    cp "$file" "$1/$(basename "$file" | tr '~' '.')"  # the forge does so too, and SHA256SUMS names the files that it shows
  done
  try_sources
}

# Writes the archive of the sources of HEAD to the file $1. The same commit gives the same bytes.
pack_sources() {
  git archive --format=tar --prefix="basesweep-$(python3 scripts/version.py)/" HEAD | gzip -9n >"$1"
}

# See --try-sources. The other builds of the commit compile the code for GPUs.
try_sources() {
  echo "== try the archive of sources"
  mkdir "$scratch/sources"
  pack_sources "$scratch/sources.tar.gz"
  tar -C "$scratch/sources" --strip-components=1 -xzf "$scratch/sources.tar.gz"
  BASESWEEP_CUDA=OFF "$scratch/sources/scripts/build.sh" release packaged
  BASESWEEP_BUILD="$scratch/sources/build/release" python3 "$scratch/sources/tests/install/run.py" test_cmake
  rm -r "$scratch/sources"
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
  pack_sources "$1/$name.tar.gz"
  recipe="$(mktemp -d -p "$scratch")"
  cp -r workflows/conda/basesweep "$recipe"
  sed -i "s/^{% set sha256 = \"0*\" %}$/{% set sha256 = \"$(sha256sum <"$1/$name.tar.gz" | cut -d ' ' -f 1)\" %}/" "$recipe/basesweep/meta.yaml"
  ! grep -q '"0\{64\}"' "$recipe/basesweep/meta.yaml" || die "the recipe has no line for the sum"
  tar -C "$recipe" --owner=0 --group=0 --numeric-owner --sort=name --mtime="@$(git log -1 --format=%ct)" -cf - basesweep |
    gzip -9n >"$1/$name-bioconda.tar.gz"
  (cd "$1" && find . -maxdepth 1 \( -name '*.tar.gz' -o -name '*.deb' -o -name '*.whl' \) -printf '%f\n' | sort | xargs sha256sum >SHA256SUMS)
  cat "$1/SHA256SUMS"
}

# Prints what a person with accounts does next, $1: the folder of the files.
remaining() {
  local owner
  owner="$(python3 scripts/version.py --print-owner)"
  cat <<TEXT
== what needs an account
forge      git push --atomic origin main v$version
           starts .github/workflows/release.yml, which builds everything again, pushes the image and drafts the release. Once before:
             gh variable set DEBFULLNAME --body 'Your Name' && gh variable set DEBEMAIL --body you@example.org
           gh release edit v$version --draft=false
             makes the draft public, when you have read it. Only then the workflow uploads its wheels to PyPI, and the tag 'latest'
             of the image moves, unless this is a release candidate
container  the workflow pushes ghcr.io/$owner/basesweep:$version, once it has built the packages. By hand:
             docker build -f workflows/container/Dockerfile -t ghcr.io/$owner/basesweep:$version .
             docker push ghcr.io/$owner/basesweep:$version
PyPI       once, before the draft is public, on the page of the project: trust the workflow release.yml of $owner/basesweep with the
           environment pypi. By hand:
             twine upload $1/basesweep-*.whl
           The plugin for MultiQC is a project of its own, which the workflow does not upload:
             twine upload $1/multiqc_basesweep-*.whl
Zenodo     once, before the release is public: turn the repository on in the list of your repositories. Its record takes .zenodo.json.
           Then add the line 'doi: 10.5281/zenodo.NUMBER' to CITATION.cff
Bioconda   when the release is public, in a fork of bioconda-recipes:
             gh release download v$version --repo $owner/basesweep --pattern '*-bioconda.tar.gz'
             tar -C recipes -xzf basesweep-$version-bioconda.tar.gz
             git switch -c basesweep-$version && git add recipes/basesweep && git commit -m 'Add basesweep $version' && gh pr create
           The images of BioContainers follow, which Nextflow, CWL and WDL name with the build of the package. Once
           https://anaconda.org/bioconda/basesweep/files shows it, linux-64/basesweep-...-BUILD.conda, on main:
             scripts/version.py --bioconda BUILD
TEXT
}

before=''
scratch="$(mktemp -d "${TMPDIR:-/tmp}/basesweep-release.XXXXXX")"
trap finish EXIT
if [ -n "$collect" ]; then
  collect_into "$collect"
  exit
elif [ -n "$only_sources" ]; then
  try_sources
  exit
fi
[[ "$version" =~ ^[0-9]+\.[0-9]+\.[0-9]+(-rc[0-9]+)?$ ]] || die "'$version' is neither X.Y.Z nor X.Y.Z-rcN"
if [ -n "$build" ] && { [ -z "${DEBFULLNAME:-}" ] || [ -z "${DEBEMAIL:-}" ]; }; then
  die "DEBFULLNAME and DEBEMAIL must name the maintainer of the Debian packages"
fi

echo "== check"
found="$(obstacles)"
mapfile -t reasons <<<"$found"
if [ -n "$dry_run" ]; then
  [ -z "$found" ] || printf 'a release would stop here: %s\n' "${reasons[@]}"
  output="${output:-$(mktemp -d "${TMPDIR:-/tmp}/basesweep-artifacts.XXXXXX")}"
  git clone --quiet "$PWD" "$scratch/basesweep"
  cd "$scratch/basesweep"
  git tag --list "v$version" | xargs --no-run-if-empty git tag --delete >/dev/null
  git config user.name "${GIT_AUTHOR_NAME:-dry run}"
  git config user.email "${GIT_AUTHOR_EMAIL:-dry-run@example.org}"
elif [ -n "$found" ]; then
  printf 'release: %s\n' "${reasons[@]}" >&2
  exit 1
fi
output="${output:-$PWD/build/artifacts}"
mkdir -p "$output"
[ -z "$(ls -A "$output")" ] || die "$output is not empty"

echo "== version"
prepare
if [ -n "$build" ]; then build_all "$output"; fi
echo "== tag"
tag_it
echo "== collect"
collect_into "$output"
echo "== written: $output"
remaining "$output"
