#!/usr/bin/env python3
"""Puts what `basesweep bench paper --table all --json FILE` has measured into docs/measurements/papers.json and docs/paper-tables.md.

    paper_tables.py FILE COMMIT   COMMIT: the one that was measured

Refuses a file in which results differ, or of a run with --quick or without a GPU. Afterwards scripts/plots.py makes the same page from
docs/measurements/papers.json.
"""
import json
import sys

import plots

PAPERS = {"charan": "Charan 2015", "kouz": "Kouzinopoulos, Michailidis, Margaritis 2015", "xu": "Xu and others 2023",
          "ashkiani": "Ashkiani, Amenta, Owens 2016", "man": "Man, Nakano, Ito 2013"}
HEAD = """# The papers' tables

All tables that `basesweep bench paper --device gpu --table all` prints, from one run: the papers' figures beside ours. [papers.md](papers.md)
says where each part of each paper is in the code, and what is not reproduced.
"""


def page(measured):
    lines = [HEAD]
    for paper, name in PAPERS.items():
        lines.append(f"## {name}\n")
        for part in measured["tables"]:
            if part["id"].split("-")[0] == paper:
                lines.append(f"### {part['id']}\n\n<!-- table: papers:{part['id']} -->\n<!-- end of table -->\n")
    return "\n".join(lines)


def main():
    file, commit = sys.argv[1:]
    with open(file, encoding="utf-8") as text:
        measured = json.load(text)
    if (measured["table"], measured["size"]) != ("all", "full") or not measured["gpu"] or not measured["right"]:
        sys.exit(f"paper_tables: {file}: expected a full run of --table all on a GPU without differences")
    measured["commit"] = commit
    (plots.DOCS / "measurements" / "papers.json").write_text(json.dumps(measured, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (plots.DOCS / "paper-tables.md").write_text(plots.with_tables(page(measured)), encoding="utf-8")


if __name__ == "__main__":
    main()
