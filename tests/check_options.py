#!/usr/bin/env python3
"""Checks that each option of the program is described once; ctest runs it as `options_once`.

  check_options.py [ROOT]

An option that several commands have with one meaning stands in one list that they share. Prints one line for each that
is described more often, and exits 1, or exits 0.
"""
import collections
import pathlib
import re
import sys

# Options that have the same name in several commands and another meaning, or other words, in each; how often they are
# described. merge has no descriptions of its own: it takes those of the commands with chunks (OptionRules::in_merge).
OF_SEVERAL_MEANINGS = {
    "--anywhere": 2,
    "--edits": 3, "--error-rate": 3, "--format": 3, "--json": 2, "--max-dna-bulges": 2, "--max-mismatches": 2, "--max-rna-bulges": 2, "--mismatches": 3,
    "--output": 7, "--pairs": 2, "--quick": 2, "--reference": 2, "--report": 4, "--seed": 2, "--strand": 2, "--table": 5, "--table-memory": 2, "--text": 2, "--verbose": 2,
    "--write-index": 3,
}
DESCRIPTION = re.compile(
    r"(?:\badd_(?:flag|called_flag|text|texts|parsed|optional_texts|number|rate|decimal|words|choice(?:<[^;{}()]*>)?)\(\s*\w+,\s*"
    r"|\.(?:flag|number|rate|decimal|text|texts|choice)\(\s*|\badd\(table,\s*"
    r"|\bEditLimit\{\"\w+\",\s*"
    r"|\bset_version_flag\(|\badd_pair\(\"[-\w]+\", (?=\"--)|const std::string& names = |\{(?=\"-\w,--[-\w]+\", \"-\w\", AdapterKind))\"(-[^\"]*)\"")
FIRST_OF_TWO = re.compile(r"\badd_pair\(\"(-[^\"]*)\"")  # add_pair() describes two options


def described(root):
    """Returns {long name of an option: the files that describe it, each as often as it does}."""
    found = collections.defaultdict(list)
    sources = [*(root / "tools").rglob("*.[ch]pp"), root / "lib/search/edit_limits.hpp"]
    for path in sorted(sources):
        text = path.read_text(encoding="utf-8")
        for names in [*DESCRIPTION.findall(text), *FIRST_OF_TWO.findall(text)]:
            for name in names.split(","):
                if name.startswith("--"):
                    found[name].append(path.relative_to(root).as_posix())
    return found


def main():
    """Prints what is described too often; returns the exit code."""
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[1])
    found = described(root)
    faults = [(name, files) for name, files in sorted(found.items()) if len(files) > OF_SEVERAL_MEANINGS.get(name, 1)]
    for name, files in faults:
        print(f"{name} is described {len(files)} times: {', '.join(files)}")
    if len(found) < 100:
        print(f"only {len(found)} options found: does the pattern still fit how they are described?")
        return 1
    if not faults:
        print(f"{len(found)} options are described once each")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
