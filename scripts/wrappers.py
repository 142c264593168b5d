#!/usr/bin/env python3
"""Writes the files that repeat what the program says of itself (`help --json`): wrapper.py of the wrappers of Snakemake, descriptions of CWL,
tasks of WDL, tools of Galaxy, meta.yml of the modules of Nextflow, and tables of docs/*.md.

    wrappers.py BASESWEEP [FOLDER]     FOLDER: gets workflows/ and docs/ (default: this checkout)

What the program cannot say of itself, such as which files it writes, stands in scripts/wrapping. A file there that no table
knows is an error.
"""
import pathlib
import sys

from wrapping import commands, cwl, documents, galaxy, nextflow, snakemake, wdl

ROOT = pathlib.Path(__file__).resolve().parents[1]


def main(path, folder):
    """Writes all of them."""
    program = commands.read(path)
    workflows = folder / "workflows"
    snakemake.write(program.commands, workflows / "snakemake/wrappers")
    cwl.write(program.commands, workflows / "cwl")
    wdl.write(program.commands, workflows / "wdl")
    galaxy.write(program.commands, workflows / "galaxy")
    nextflow.write(program.commands, ROOT / "workflows/nextflow", workflows / "nextflow")
    documents.write(program, ROOT / "docs", folder / "docs")


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    main(sys.argv[1], pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else ROOT)
