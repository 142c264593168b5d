#!/usr/bin/env python3
"""Keeps the list of modules in README.md: a row for each test_*.py, with the first sentence of its docstring.

    list_modules.py            compares; ctest runs it as `golden_list`
    list_modules.py --write    writes the list anew
"""
import ast
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
README = HERE / "README.md"
LIST = re.compile(r"\| file \| holds \|\n\| --- \| --- \|\n(?:\|.*\n)*")


def row(path):
    """Returns the row of a module."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    sentence = re.split(r"(?<=[a-z0-9)]\.)\s+|\n\n", docstring)[0]
    if not sentence:
        sys.exit(f"{path.name}: the module has no docstring")
    text = " ".join(sentence.split()).rstrip(".").replace("|", "\\|")
    return f"| `{path.name}` | {text} |\n"


def main(words):
    """Compares the list with the modules, or writes it; returns the exit code."""
    wanted = "| file | holds |\n| --- | --- |\n" + "".join(row(path) for path in sorted(HERE.glob("test_*.py")))
    text = README.read_text(encoding="utf-8")
    if len(LIST.findall(text)) != 1:
        sys.exit("README.md: expected one table 'file | holds'")
    if "--write" in words:
        README.write_text(LIST.sub(lambda _: wanted, text), encoding="utf-8")
        return 0
    found = LIST.search(text)[0]
    wrong = set(found.splitlines()) ^ set(wanted.splitlines())
    print("\n".join(sorted(wrong)) if wrong else f"{len(wanted.splitlines()) - 2} modules are listed")
    if wrong or found != wanted:
        print("README.md: run tests/golden/list_modules.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
