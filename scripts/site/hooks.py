"""MkDocs hooks: add the pages that the program itself writes, the gallery among them; set tables in sessions; widen pages with wide tables."""
import os
import pathlib
import re
import sys

from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import gallery
import man_to_markdown

WIDE = {"index.md": ["navigation"], "comparison.md": ["navigation", "toc"], "benchmarks.md": ["navigation"]}
PYTHON = {"Searches": ["motif", "match", "pcr", "pwm", "guides", "map", "count"],
          "Prepared searches": ["Searcher", "Pcr", "Pwm", "Guides", "Mapper", "load", "PatternSet"],
          "Results": ["Table"],
          "Errors": ["Error", "UsageError", "InputError", "IoError", "DeviceError"]}
SESSION = re.compile(r"^( *)```console\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def python_page():
    """Returns the page of the Python package; mkdocstrings fills it in from the docstrings."""
    lines = ["# Python: all calls", "", "[Python](python.md) shows how they are used."]
    for title, names in PYTHON.items():
        lines += ["", f"## {title}"]
        for name in names:
            lines += ["", f"::: basesweep.{name}"] + (["    options:", "      inherited_members: true"] if name == "Searcher" else [])
    return "\n".join(lines) + "\n"


def on_files(files, config):
    for name, text in sorted(man_to_markdown.all_pages(os.environ["BASESWEEP_BINARY"]).items()):
        files.append(File.generated(config, f"commands/{name}", content=text))
    files.append(File.generated(config, "python-api.md", content=python_page()))
    for name, text in gallery.gallery(os.environ["BASESWEEP_BINARY"]).items():
        files.append(File.generated(config, name, content=text))
    return files


def aligned(lines):
    """Returns lines of equally many columns with spaces in place of tabs."""
    rows = [line.split("\t") for line in lines]
    widths = [max(map(len, column)) + 2 for column in zip(*rows)]
    return ["".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def with_columns(session):
    """Returns a session in which tables of consecutive lines are aligned."""
    out, table = [], []
    for line in [*session.split("\n"), ""]:
        if table and line.count("\t") != table[0].count("\t"):
            out += aligned(table)
            table = []
        if "\t" in line and not line.lstrip().startswith(("$", ">")):
            table.append(line)
        else:
            out.append(line)
    return "\n".join(out[:-1])


def on_page_markdown(markdown, page, config, files):
    page.meta["hide"] = WIDE.get(page.file.src_uri, [])
    return SESSION.sub(lambda found: f"{found.group(1)}```console\n{with_columns(found.group(2))}{found.group(1)}```", markdown)
