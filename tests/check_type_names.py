#!/usr/bin/env python3
"""Finds types that are defined twice under one name.

Two types of one name and namespace in one program break C++'s one-definition rule: the linker keeps one copy of their inline
functions, and the other type then runs code that was made for another layout. No compiler warns of it across sources.
Types in unnamed namespaces, and inside other types, may repeat a name.

Usage: check_type_names.py [ROOT]. Exit code 77 (skipped): universal-ctags is not installed.
"""
import collections
import json
import pathlib
import shutil
import subprocess
import sys

FOLDERS = ("lib", "kernels", "tools")
SUFFIXES = {".hpp", ".cpp", ".cuh", ".cu"}


def sources(root):
    return sorted(str(path.relative_to(root)) for folder in FOLDERS for path in (root / folder).rglob("*")
                  if path.suffix in SUFFIXES)


def definitions(root):
    """Returns {qualified name: {"file:line", ...}} of all types outside of unnamed namespaces."""
    lines = subprocess.run(
        ["ctags", "--output-format=json", "--fields=+sSnK", "--langmap=C++:+.cuh.cu", "--languages=C++",
         "--kinds-C++=cgsun", "-L", "-", "-f", "-"],
        cwd=root, input="\n".join(sources(root)), stdout=subprocess.PIPE, text=True, check=True).stdout
    found = collections.defaultdict(set)
    for line in lines.splitlines():
        tag = json.loads(line)
        name = f"{tag.get('scope', '')}::{tag['name']}"
        if tag["kind"] != "namespace" and "__anon" not in name:
            found[name].add(f"{tag['path']}:{tag['line']}")
    return found


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[1])
    if not shutil.which("ctags"):
        print("skipped: universal-ctags is not installed")
        return 77
    types = definitions(root)
    if not types:
        print("no types found: ctags does not read these sources")
        return 1
    twice = {name: places for name, places in types.items() if len(places) > 1}
    for name, places in sorted(twice.items()):
        print(f"{name} is defined at {', '.join(sorted(places))}")
    return 1 if twice else 0


if __name__ == "__main__":
    sys.exit(main())
