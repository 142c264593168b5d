#!/usr/bin/env python3
"""Prints, checks and sets the version, the owner and the build of Bioconda, which many files name.

    version.py                        prints the version
    version.py --as FORM [--of VERSION]
                                      prints it, or VERSION, as plain, python, conda, debian or so: 1.0.0-rc1, 1.0.0rc1, 1.0.0rc1,
                                      1.0.0~rc1, 1.0
    version.py --print-owner          prints the account that holds the repository; OWNER while there is none
    version.py --check                exits 1 if a file names another version, date or owner, and prints file and line
    version.py --set VERSION [--date YYYY-MM-DD]
                                      writes the version into all files; with a date also that date, and the heading of CHANGELOG.md
    version.py --owner NAME           writes the owner into all files
    version.py --bioconda BUILD       writes into all files which build of Bioconda's package the images of BioContainers are made of: h5ca1c30_0
                                      or so, which is known once Bioconda has built it. --set of another version writes 0
    version.py --notes [VERSION]      prints the section of CHANGELOG.md about this version (default: what is not released); links to files of the
                                      project become addresses

CMakeLists.txt holds the version (`project(... VERSION ...)` and BASESWEEP_PRERELEASE) and the owner (BASESWEEP_OWNER). A version is
X.Y.Z, or X.Y.Z-rcN before it. Write X.Y.Z in examples: a number that equals the version is reported. --check also finds a file that names the version in a way that --set would miss: PLACES and MENTIONS below say what --set writes.
HISTORY may name any version. Exits 77 where there is no git repository to check.
"""
import argparse
import datetime
import fnmatch
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
NO_OWNER = "OWNER"
NOT_CHECKED = 77

VERSION = r"(?P<version>\d+\.\d+\.\d+(?:[-~]?rc\d+)?)"
SO = r"(?P<so>\d+\.\d+)"
DATE = r"(?P<date>\d{4}-\d{2}-\d{2})"
BUILD = r"(?P<build>\w+)"
ACCOUNT = r"(?P<owner>[A-Za-z0-9][A-Za-z0-9-]*)"

# Old results, the fixtures of tests and sections of papers are no claims about this version.
HISTORY = ("CHANGELOG.md", "docs/comparison.md", "docs/measurements/*", "docs/pictures/*", "docs/paper*.md", "kernels/papers/*", "tests/*",
           "scripts/version.py")

# These patterns find the version in any file, and say which form it has there. The first that matches decides.
MENTIONS = (
    (rf"basesweep-{VERSION}-cp\d", "python"),  # a wheel
    (rf"basesweep_{VERSION}-\d", "debian"),  # a Debian package
    (rf"basesweep:{VERSION}--{BUILD}", "conda"),  # an image of BioContainers
    (rf"basesweep ?=+{VERSION}", "conda"),  # a requirement of conda
    (rf"basesweep[-:/ ]v?{VERSION}", "plain"),  # an archive, an image, a message
    (rf"(?:tags|download)/v{VERSION}", "plain"),  # an address
    (rf"libbasesweep(?:\.so\.)?{SO}\b", "so"),
)

# Certain files name version, date and owner in words of their own. A version is plain where no form follows the pattern.
PLACES = (
    ("CMakeLists.txt", r"project\(basesweep VERSION (?P<numbers>\d+\.\d+\.\d+)"),
    ("CMakeLists.txt", r'set\(BASESWEEP_PRERELEASE "(?P<prerelease>(?:rc\d+)?)"\)'),
    ("CMakeLists.txt", rf"set\(BASESWEEP_OWNER {ACCOUNT}\)"),
    ("CITATION.cff", rf"(?m)^version: {VERSION}$"),
    ("CITATION.cff", rf"(?m)^date-released: '?{DATE}'?$"),
    (".zenodo.json", rf'"version": "{VERSION}"'),
    (".zenodo.json", rf'"publication_date": "{DATE}"'),
    ("docs/index.md", rf"(?m)^\| {VERSION} \| MIT \|"),
    ("lib/api/exported.map", rf"(?m)^BASESWEEP_{SO} \{{"),
    ("lib/include/basesweep/basesweep.hpp", rf'library that is loaded: "{VERSION}"'),
    ("workflows/conda/basesweep/meta.yaml", rf'set version = "{VERSION}"', "conda"),
    ("workflows/conda/basesweep/meta.yaml", rf"recipe-maintainers:\n +- {ACCOUNT}"),
    ("workflows/container/*", rf'opencontainers\.image\.version(?: |="){VERSION}'),
    ("workflows/cwl/*.cwl", rf'version: \["{VERSION}"\]'),
    ("workflows/nextflow/*.nf.test.snap", rf'"basesweep"(?:,\s*|: )"{VERSION}"'),
    ("workflows/galaxy/macros.xml", rf'@TOOL_VERSION@">{VERSION}<'),
    ("workflows/galaxy/macros.xml", rf'@CONDA_VERSION@">{VERSION}<', "conda"),
    ("workflows/galaxy/.shed.yml", rf"(?m)^owner: {ACCOUNT}$"),
    ("workflows/multiqc/pyproject.toml", rf'(?m)^version = "{VERSION}"$', "python"),
    ("workflows/nextflow/nextflow.config", rf"version +=( *)'{VERSION}'"),
)
# A number after another word is the version of something else, or of a section of a paper: "sassy 0.3.0".
OWN_WORDS = {"", "as", "basesweep", "before", "from", "is", "of", "release", "since", "than", "to", "v", "version"}
OWNED = rf"(?:github\.com|ghcr\.io)/{ACCOUNT}/basesweep\b"


def forms_of(version):
    """Returns {form: how the version is written there}."""
    numbers, _, prerelease = version.partition("-")
    major, minor, _ = numbers.split(".")
    return {"plain": version, "numbers": numbers, "prerelease": prerelease, "python": numbers + prerelease,
            "conda": numbers + prerelease, "debian": numbers + ("~" + prerelease if prerelease else ""),
            "so": f"{major}.{minor}"}


class Project:
    """The files of a checkout."""

    def __init__(self, root):
        self.root = root
        cmake = self.text("CMakeLists.txt")
        numbers, prerelease, owner = (re.search(place[1], cmake).group(1) for place in PLACES[:3])
        self.version = numbers + ("-" + prerelease if prerelease else "")
        self.owner = owner
        self.build = re.search(rf"basesweep:{VERSION}--{BUILD}", self.text("workflows/nextflow/nextflow.config")).group("build")

    def text(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def released(self):
        """Returns the date of this version in CHANGELOG.md, or None before its release."""
        found = re.search(rf"(?m)^## \[{re.escape(self.version)}\] - {DATE}$", self.text("CHANGELOG.md"))
        return found and found.group("date")

    def files(self):
        """Yields the names and texts of all tracked text files."""
        listed = subprocess.run(["git", "-C", str(self.root), "ls-files", "-z"], capture_output=True, check=False, text=True)
        if listed.returncode != 0:
            print(f"version.py: nothing was checked: {listed.stderr.strip()}", file=sys.stderr)
            sys.exit(NOT_CHECKED)
        for name in filter(None, listed.stdout.split("\0")):
            path = self.root / name
            if path.is_symlink() or not path.is_file():
                continue
            data = path.read_bytes()
            if b"\0" not in data[:8000]:
                try:
                    yield name, data.decode()
                except UnicodeDecodeError:
                    continue


def is_history(name):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in HISTORY)


def places_of(name, text):
    """Yields (begin, end, kind) for what a file says of the version, date, owner and build; a kind is a form, `date`, `owner` or `build`."""
    taken = set()
    patterns = [(pattern, *(form or ["plain"])) for file, pattern, *form in PLACES if fnmatch.fnmatchcase(name, file)]
    if not is_history(name):
        patterns += [*MENTIONS, (OWNED, "")]
    for pattern, form in patterns:
        for found in re.finditer(pattern, text):
            for kind in found.groupdict():
                if found.start(kind) not in taken:
                    taken.add(found.start(kind))
                    yield found.start(kind), found.end(kind), form if kind == "version" else kind


def rewritten(name, text, values):
    """Returns the text with these values of {kind: value} in their places."""
    for begin, end, kind in sorted(places_of(name, text), reverse=True):
        if kind in values:
            text = text[:begin] + values[kind] + text[end:]
    return text


def dated(changelog, version, date):
    """Returns CHANGELOG.md with what was not released below a heading of the version."""
    return re.sub(r"(?m)^## \[Unreleased\]\n+(To become .*\n+)?", lambda _: f"## [Unreleased]\n\n## [{version}] - {date}\n\n",
                  changelog, count=1)


def with_lines(name, text, date, owner):
    """Returns the text with the lines that only a released or owned project has: date and address."""
    if name == "CITATION.cff":
        if date and "date-released:" not in text:
            text = re.sub(r"(?m)^(version: .*\n)", rf"\g<1>date-released: '{date}'\n", text)
        if owner != NO_OWNER and "repository-code:" not in text:
            text = re.sub(r"(?m)^(license: .*\n)", rf"\g<1>repository-code: https://github.com/{owner}/basesweep\n", text)
    if name == ".zenodo.json" and date and "publication_date" not in text:
        text = re.sub(r'(?m)^( *)("version": .*\n)', rf'\g<1>\g<2>\g<1>"publication_date": "{date}",\n', text)
    if name == "pyproject.toml" and owner != NO_OWNER and "[project.urls]" not in text:
        text = text.replace("\n[tool.scikit-build]\n", f'\n[project.urls]\nSource = "https://github.com/{owner}/basesweep"\n\n[tool.scikit-build]\n')
    return text


def notes_of(project, version):
    """Returns the section of CHANGELOG.md below this heading, or None.

    A forge shows it without the files beside it, so links to them become addresses, of the tag of the version.
    """
    found = re.search(rf"(?ms)^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## \[|\Z)", project.text("CHANGELOG.md"))
    place = "main" if version == "Unreleased" else f"v{version}"
    address = f"https://github.com/{project.owner}/basesweep/blob/{place}"
    return found and re.sub(r"\]\((?![a-z]+:)([^)\s]+)\)", rf"]({address}/\1)", found.group(1).strip())


def write(project, values, date, owner):
    """Writes these values of {kind: value} into all files."""
    for name, text in list(project.files()):
        new = with_lines(name, rewritten(name, text, values), date, owner)
        if name == "CHANGELOG.md" and date:
            new = dated(new, values["plain"], date)
        if new != text:
            (project.root / name).write_text(new, encoding="utf-8")
            print(name)


def faults_of(project):
    """Yields a sentence for each place that names another version, date or owner, or that --set would miss."""
    forms = {**forms_of(project.version), "owner": project.owner, "build": project.build}
    date = project.released()
    found_in = set()
    for name, text in project.files():
        known = []
        for begin, end, kind in places_of(name, text):
            line = text.count("\n", 0, begin) + 1
            known.append(begin)
            found_in.add(name)
            wanted = date or text[begin:end] if kind == "date" else forms[kind]
            if text[begin:end] != wanted:
                yield f"{name}:{line}: '{text[begin:end]}' is not '{wanted}'"
        if not is_history(name):
            for found in re.finditer(rf"([\w-]*)(?::? )?(?<![\w.@=<>~])v?({re.escape(project.version)})(?![\w.]*\w)", text):
                if found.start(2) not in known and found.group(1).lower() in OWN_WORDS:
                    line = text.count("\n", 0, found.start()) + 1
                    yield f"{name}:{line}: {found.group(2)} is named where scripts/version.py would not set it: add the place to PLACES, or the file to HISTORY"
        if with_lines(name, text, date, project.owner) != text:
            yield f"{name}: the date of the release or the address of the repository is missing"
    for file in sorted({place[0] for place in PLACES}):
        if not any(fnmatch.fnmatchcase(name, file) for name in found_in):
            yield f"{file}: nothing names the version here"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--as", dest="form", choices=("plain", "python", "conda", "debian", "so"), default="plain")
    parser.add_argument("--of", metavar="VERSION")
    parser.add_argument("--print-owner", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--set", metavar="VERSION")
    parser.add_argument("--date")
    parser.add_argument("--owner", metavar="NAME")
    parser.add_argument("--bioconda", metavar="BUILD")
    parser.add_argument("--notes", metavar="VERSION", nargs="?", const="Unreleased")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the checkout (default: that of this script)")
    given = parser.parse_args()
    project = Project(given.root)
    version = given.set or given.of or project.version
    if not re.fullmatch(r"\d+\.\d+\.\d+(-rc\d+)?", version):
        parser.error(f"'{version}' is neither X.Y.Z nor X.Y.Z-rcN")
    if given.bioconda and not re.fullmatch(r"\w+", given.bioconda):
        parser.error(f"'{given.bioconda}' is no build of a package of conda, such as h5ca1c30_0")
    if given.set or given.owner or given.bioconda:
        if given.date:
            datetime.date.fromisoformat(given.date)
        build = given.bioconda or (project.build if version == project.version else "0")
        values = {**forms_of(version), "owner": given.owner or project.owner, "build": build}
        write(project, {**values, "date": given.date} if given.date else values, given.date, values["owner"])
    elif given.check:
        faults = list(faults_of(project))
        print("\n".join(faults) if faults else f"all files name {project.version} and {project.owner}")
        return 1 if faults else 0
    elif given.notes:
        notes = notes_of(project, given.notes)
        if notes is None:
            print(f"version.py: CHANGELOG.md has no section [{given.notes}]", file=sys.stderr)
            return 1
        print(notes)
    else:
        print(project.owner if given.print_owner else forms_of(version)[given.form])
    return 0


if __name__ == "__main__":
    sys.exit(main())
